"""A crawl waits for a Neo4j that went away, and for room on the disk; pages that explode fail."""

import asyncio
import logging
from pathlib import Path
from typing import cast

import pytest

from graphcrawl import patience
from graphcrawl.crawl import Crawl, Plan
from graphcrawl.crawl.room import Room
from graphcrawl.errors import Neo4jUnreachableError
from graphcrawl.frontier_memory import MemoryFrontier
from graphcrawl.limits import Cause
from graphcrawl.memory import MemoryGraph
from graphcrawl.patience import Patience
from graphcrawl.urls import Scope


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr(patience, "LONGEST_PAUSE_S", 0.005)
    monkeypatch.setattr(patience, "REVIVE_AFTER_S", 0.0)


class Server:
    def __init__(self, *, refuses: int) -> None:
        self.refuses, self.asked, self.revived = refuses, 0, 0

    async def answer(self) -> str:
        self.asked += 1
        if self.asked <= self.refuses:
            raise Neo4jUnreachableError("gone", "")
        return "here"

    async def revive(self) -> None:
        self.revived += 1


async def test_work_is_done_once_the_server_is_back(caplog: pytest.LogCaptureFixture) -> None:
    server, told = Server(refuses=4), []
    waits = Patience(60.0, server.revive, on_wait=lambda: told.append("away"))
    with caplog.at_level(logging.WARNING):
        assert await waits.of(server.answer, is_repeatable=lambda _: True) == "here"
    assert server.asked == 5
    assert server.revived == len(told) == 4
    assert [r.getMessage() for r in caplog.records] == [
        "Neo4j does not answer; waiting for it for 60 s.",
        "Neo4j is back after 0 s.",
    ]
    assert waits.away_since is None


@pytest.mark.parametrize(
    ("waits", "repeatable"),
    [
        (Patience(0.0), True),  # nobody waits
        (Patience(0.02), True),  # it was away for too long
        (Patience(60.0, gives_up=lambda: True), True),  # somebody stopped the crawl
        (Patience(60.0), False),  # it may be half done
    ],
)
async def test_it_is_not_waited_for_for_ever(waits: Patience, repeatable: bool) -> None:
    server = Server(refuses=10_000)
    async with asyncio.timeout(20):
        with pytest.raises(Neo4jUnreachableError):
            await waits.of(server.answer, is_repeatable=lambda _: repeatable)


def crawl_of_nothing() -> Crawl:
    nothing = cast("object", None)
    return Crawl(
        MemoryFrontier(MemoryGraph(), "w"),
        nothing,  # type: ignore[arg-type]
        nothing,  # type: ignore[arg-type]
        nothing,  # type: ignore[arg-type]
        plan=Plan(),
        scope=Scope.of([], "any"),
        seeds=[],
    )


async def test_a_crawl_pauses_under_min_free_disk_and_goes_on_with_some_more(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    crawl, free = crawl_of_nothing(), [1000]
    room = Room(crawl, tmp_path, 500, lambda _: free[0])
    seen = []
    for free[0] in (1000, 499, 520, 549, 550, 499):
        room.look()
        seen.append([*crawl._pauses])
    disk = [Cause.DISK]
    assert seen == [[], disk, disk, disk, [], disk]
    crawl.pause()  # by a person as well: each reason is taken back by itself
    free[0] = 1000
    room.look()
    assert [*crawl._pauses] == [Cause.PAUSED]
    assert not crawl._going.is_set()
    crawl.pause(paused=False)
    assert crawl._going.is_set()
    said = [record.getMessage() for record in caplog.records]
    assert "The disk is nearly full" in said[0]
    assert "The crawl goes on" in said[1]
