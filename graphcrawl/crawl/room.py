"""A crawl pauses while the disk is nearly full: a Neo4j that cannot write serves nothing more."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from graphcrawl.config import Paths, Settings
from graphcrawl.crawl.loop import Crawl
from graphcrawl.graph import Graph
from graphcrawl.limits import Cause, Limit

EVERY_S = 2.0
ENOUGH = 1.1  # times the least free space, from where it goes on: else it would start and stop

logger = logging.getLogger(__name__)

MIB = 2**20


def free_bytes(folder: Path) -> int:
    """Return what is free where a folder is, or is to be."""
    while not folder.exists():
        folder = folder.parent
    return psutil.disk_usage(str(folder)).free


def store_of(graph: Graph, settings: Settings) -> Path | None:
    """Return the folder of a graph's store; None where its server is not ours."""
    paths = Paths.locate(settings.home)
    return paths.graph(settings.graph) if graph.address.embedded else None


@dataclass(slots=True)
class Room:
    """The room that a crawl's store has."""

    crawl: Crawl
    folder: Path  # of the store
    least_bytes: int  # free space, under which the crawl pauses
    free: Callable[[Path], int] = free_bytes
    lacks: bool = False

    def look(self) -> None:
        """Let the crawl pause where there is too little room, and go on where there is enough."""
        left = self.free(self.folder)
        told = f"{left / MIB:,.0f} MiB are free at {self.folder}"
        limit = Limit(Cause.DISK, f"the disk: {told}")
        if left < self.least_bytes and not self.lacks:
            logger.warning(
                "The disk is nearly full: %s. The crawl pauses until there are %s MiB; free some "
                "space, or stop it and set min_free_disk to less.",
                told,
                f"{ENOUGH * self.least_bytes / MIB:,.0f}",
            )
        elif left >= ENOUGH * self.least_bytes and self.lacks:
            logger.warning("There is room again: %s. The crawl goes on.", told)
        elif not self.lacks:
            return
        self.lacks = left < ENOUGH * self.least_bytes if self.lacks else True
        self.crawl.pause(paused=self.lacks, limit=limit)

    async def watch(self) -> None:
        """Look again and again."""
        while True:
            await asyncio.sleep(EVERY_S)
            self.look()


@asynccontextmanager
async def with_room(crawl: Crawl, folder: Path | None, least_bytes: int) -> AsyncIterator[None]:
    """Pause a crawl while there is less room than that, until the end of the block.

    Args:
        crawl: What pauses; pages in flight are finished and recorded.
        folder: Where the store is; None: on somebody else's machine, which is not looked at.
        least_bytes: Free space.
    """
    if folder is None:
        yield
        return
    room = Room(crawl, folder, least_bytes)
    room.look()
    watch = asyncio.create_task(room.watch())
    try:
        yield
    finally:
        watch.cancel()
