"""What part a run plays among the workers of its graph."""

import os
import platform
import uuid
from dataclasses import dataclass, field, replace
from functools import partial

from graphcrawl.config import Settings
from graphcrawl.crawl.budget import Budget
from graphcrawl.fetch import FetchSettings
from graphcrawl.graph import Graph


def new_id() -> str:
    """Return an id for a run."""
    return uuid.uuid4().hex


@dataclass(frozen=True, slots=True)
class Part:
    """One worker among several, or alone."""

    crawl_id: str = field(default_factory=new_id)  # of its own run
    of: str | None = None  # id of the crawl whose budget of pages it shares; None: it has its own
    workers: int = 1  # of that crawl
    joins: bool = False  # others have prepared the graph: seeds, scope and order stand

    @property
    def part_of(self) -> str | None:
        """Id of the crawl whose worker it is; None for the crawl itself."""
        return self.of if self.of != self.crawl_id else None

    @property
    def is_alone(self) -> bool:
        """Whether no other worker shares what it does."""
        return self.of is None and not self.joins

    @property
    def worker(self) -> str:
        """The name of its process."""
        return worker_name(self.crawl_id, os.getpid())

    def budget(self, graph: Graph, max_pages: int) -> Budget:
        """Return the pages that it may ask for, alone or together with others.

        Args:
            graph: Where the workers of a crawl share them.
            max_pages: For all of them; 0: no limit.
        """
        if self.of is None or not max_pages:
            return Budget(max_pages)
        return Budget(0, partial(_take, graph, self.of, self.crawl_id))

    def share(self, fetching: FetchSettings) -> FetchSettings:
        """Return its share of the limits over all hosts, and of those on one address."""
        n = self.workers
        if n == 1:
            return fetching
        rate, bandwidth = fetching.max_rate, fetching.max_bandwidth_bytes
        return replace(
            fetching,
            max_rate=rate / n if rate else rate,
            max_bandwidth_bytes=max(bandwidth // n, 1) if bandwidth else bandwidth,
            per_address=max(fetching.per_address // n, 1) if fetching.per_address else None,
        )

    def share_readers(self, settings: Settings) -> Settings:
        """Return settings with its share of the parsing processes, where they do not say."""
        if self.workers == 1 or settings.crawl.parsers is not None:
            return settings
        share = max((os.cpu_count() or 1) // self.workers, 1)
        crawl = settings.crawl.model_copy(update={"parsers": share})
        return settings.model_copy(update={"crawl": crawl})


async def _take(graph: Graph, of: str, crawl_id: str, pages: int) -> int:
    rows = await graph.run("control/take_pages", of=of, id=crawl_id, pages=pages)
    return int(rows[0]["pages"]) if rows else 0


def worker_name(crawl_id: str, pid: int) -> str:
    """Return the name of a worker on this machine."""
    return f"{platform.node()}-{pid}-{crawl_id[:6]}"
