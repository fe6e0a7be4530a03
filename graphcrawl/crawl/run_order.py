"""The order of one run: made from settings, put into the graph, and kept up beside the crawl."""

import logging
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from graphcrawl import rewards
from graphcrawl.config import Settings
from graphcrawl.crawl.ordering import SHARE, Ordering
from graphcrawl.crawl.plan import Beside
from graphcrawl.facts import Rescored, Score
from graphcrawl.frontier import Frontier
from graphcrawl.graph import Graph
from graphcrawl.model import WRITE_EVERY_S, Learner, ModelStore
from graphcrawl.reorder import current_order, learn_again, reorder
from graphcrawl.scoring.composite import Composite
from graphcrawl.scoring.orders import OrderName, keywords_of, order_of
from graphcrawl.scoring.quality import Quality
from graphcrawl.scoring.reward import Rules

logger = logging.getLogger(__name__)

ROUND_EVERY_S = 2.0  # looks at the graph; see `Ordering.rescored` for the others
AGAIN_AT_START = 20_000  # waiting pages: a few seconds
MODEL_SHARE = 0.02  # of wall time, for keeping what was learned
RANK_EVERY_S = 2.0
RANK_EVERY_PAGES = 200
_FIXED = {"bfs", "dfs", "random"}  # their scores never change


@dataclass(slots=True)
class RunOrder:
    """Which page comes next in this run."""

    by: OrderName
    ordering: Ordering | None  # None: by reward, which the graph itself keeps in order
    learners: tuple[Learner, ...] = ()  # what it learns by, kept in the graph
    store: ModelStore | None = None
    words: Mapping[str, float] = field(default_factory=dict)  # keywords that it goes by

    @classmethod
    def of(cls, settings: Settings, rules: Rules) -> "RunOrder":
        """Make what the settings ask for.

        Without a topic and keywords the words that the rules pay for are the keywords.
        """
        wish = settings.order
        if wish.by == "reward":
            return cls(wish.by, None)
        words = keywords_for(settings, rules)
        quality = Quality.of(settings.quality)
        order = order_of(
            wish.by,
            weights=wish.weights,
            keywords=words,
            explore=wish.explore,
            seed=wish.seed,
            quality=quality,
        )
        learners: tuple[Learner, ...] = (quality,) if order.learns else ()
        if isinstance(order, Composite):
            learners = (order, quality)
        ordering = Ordering(
            order, depends_on_facts=wish.by not in _FIXED, every_pages=wish.rescore_pages
        )
        return cls(wish.by, ordering, learners, words=words)

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

    @property
    def rescored(self) -> Rescored | None:
        """Gives other scores that known pages wait by."""
        return self.ordering.rescored if self.ordering else None

    async def start(
        self,
        graph: Graph,
        crawl_id: str,
        waiting: int = 0,
        *,
        same_goal: bool = False,
        joins: bool = False,
    ) -> int:
        """Read what was learned, and let all that waits wait by this order.

        Args:
            graph: The graph that is going to be crawled.
            crawl_id: Of the run, under which it keeps what it learns.
            waiting: How many pages wait: few enough are all scored again, by what was learned
                since they were found; else each of them when its turn comes.
            same_goal: Whether pages that were fetched before were judged by the same topic and
                keywords, so that an order that has learned nothing can learn from them.
            joins: Whether others crawl by this order already: what waits is in order.

        Returns:
            How many pages got another priority.

        Raises:
            GdsMissingError: The order needs GDS, and the server does not have it.
        """
        if self.is_rank:
            await rewards.choose_engine(graph, "gds")
            if not joins:
                await rank(graph)
        if self.learners:
            self.store = ModelStore(graph, crawl_id, self.learners)
            for warning in await self.store.begin():
                logger.warning(warning)
        order = self.ordering.order if self.ordering else None
        if isinstance(order, Composite):
            order.discovered((await graph.run("order/current"))[0]["discovered"])
            if same_goal and not order.observations:
                await learn_again(graph, order)
        if joins and await current_order(graph) == self.by:
            return 0
        scores = self.ordering.scores_at_start if self.ordering else None
        again = bool(self.learners) and waiting <= AGAIN_AT_START
        return await reorder(graph, self.by, scores=scores, cues=self.wants_cues, again=again)

    def beside(self, graph: Graph, frontier: Frontier, every_pages: int) -> list[Beside]:
        """Return the work that keeps the order up while the crawl goes on."""
        if self.ordering is None:
            return []
        work = partial(self.ordering.round, frontier)
        jobs = [Beside("order", work, ROUND_EVERY_S, every_pages, 0.02, share=SHARE)]
        if self.store:
            jobs.append(Beside("model", self.store.keep_up, WRITE_EVERY_S, share=MODEL_SHARE))
        if self.is_rank:
            jobs.append(Beside("rank", partial(rank, graph), RANK_EVERY_S, RANK_EVERY_PAGES))
        return jobs

    async def finish(self) -> None:
        """Keep what was learned last, before the end of the run is noted."""
        if self.store:
            await self.store.finish()


def keywords_for(settings: Settings, rules: Rules) -> Mapping[str, float]:
    """Return the keywords of an order: without any and without a topic, the rules' words."""
    if settings.order.keywords or settings.topic.examples:
        return settings.order.keywords
    return keywords_of(rules)


async def rank(graph: Graph) -> int:
    """Write the PageRank of all pages to where the order looks for it; return how many."""
    name = f"graphcrawl-rank-{uuid.uuid4().hex}"
    return int((await graph.run("order/pagerank", projection=name))[0]["neurons"])
