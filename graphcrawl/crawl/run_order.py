"""The order of one run: made from settings, put into the graph, and kept up beside the crawl."""

import uuid
from dataclasses import dataclass
from functools import partial

from graphcrawl import rewards
from graphcrawl.config import Settings
from graphcrawl.crawl.ordering import SHARE, Ordering
from graphcrawl.crawl.plan import Beside
from graphcrawl.facts import Score
from graphcrawl.frontier import Frontier
from graphcrawl.graph import Graph
from graphcrawl.reorder import reorder
from graphcrawl.scoring.orders import OrderName, order_of
from graphcrawl.scoring.quality import Quality

ROUND_EVERY_S = 0.02
RANK_EVERY_S = 2.0
RANK_EVERY_PAGES = 200
_FIXED = {"bfs", "dfs", "random"}  # their scores never change


@dataclass(frozen=True, slots=True)
class RunOrder:
    """Which page comes next in this run."""

    by: OrderName
    ordering: Ordering | None  # None: by reward, which the graph itself keeps in order

    @classmethod
    def of(cls, settings: Settings) -> "RunOrder":
        """Make what the settings ask for."""
        wish = settings.order
        if wish.by == "reward":
            return cls(wish.by, None)
        order = order_of(
            wish.by,
            weights=wish.weights,
            keywords=wish.keywords,
            explore=wish.explore,
            seed=wish.seed,
            quality=Quality.of(settings.quality),
        )
        return cls(wish.by, Ordering(order, depends_on_facts=wish.by not in _FIXED))

    @property
    def wants_cues(self) -> bool:
        """Whether readers shall make cues of links."""
        return self.ordering is not None and self.ordering.order.wants_cues

    @property
    def keeps_facts(self) -> bool:
        """Whether record shall keep what pages say of those that they link to."""
        return self.ordering is not None

    @property
    def is_rank(self) -> bool:
        """Whether `cash` is a PageRank."""
        return self.by == "pagerank"

    @property
    def score(self) -> Score | None:
        """Gives the scores that new pages wait by; None: they wait by their reward."""
        return self.ordering.score if self.ordering else None

    async def start(self, graph: Graph) -> int:
        """Let all that waits wait by this order; return how many pages got another priority.

        Raises:
            GdsMissingError: The order needs GDS, and the server does not have it.
        """
        if self.is_rank:
            await rewards.choose_engine(graph, "gds")
            await rank(graph)
        scores = self.ordering.scores if self.ordering else None
        return await reorder(graph, self.by, scores=scores, cues=self.wants_cues)

    def beside(self, graph: Graph, frontier: Frontier, every_pages: int) -> list[Beside]:
        """Return the work that keeps the order up while the crawl goes on."""
        if self.ordering is None:
            return []
        work = partial(self.ordering.round, frontier)
        jobs = [Beside("order", work, ROUND_EVERY_S, every_pages, 0.02, share=SHARE)]
        if self.is_rank:
            jobs.append(Beside("rank", partial(rank, graph), RANK_EVERY_S, RANK_EVERY_PAGES))
        return jobs


async def rank(graph: Graph) -> int:
    """Write the PageRank of all pages to where the order looks for it; return how many."""
    name = f"graphcrawl-rank-{uuid.uuid4().hex}"
    return int((await graph.run("order/pagerank", projection=name))[0]["neurons"])
