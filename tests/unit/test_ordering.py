"""One order at work in one run: what it learns, what it scores again, what it leaves alone."""

from collections.abc import Collection
from datetime import UTC, datetime

import pytest

from graphcrawl.crawl import known
from graphcrawl.crawl.ordering import Ordering
from graphcrawl.frontier import Seed
from graphcrawl.frontier_memory import MemoryFrontier
from graphcrawl.memory import MemoryGraph
from graphcrawl.models import (
    Claim,
    Fetched,
    Grant,
    Link,
    NotFetched,
    Outcome,
    Page,
    Reason,
    Redirected,
)
from graphcrawl.recorded import RecordOptions, RecordReport
from graphcrawl.scoring.candidate import Candidate

HOST = "a.example"
ROOT, X, Y = f"http://{HOST}/", f"http://{HOST}/x", f"http://{HOST}/y"


class Stub:
    """Scores by a table; notes what it is taught."""

    wants_cues = False
    learns = True

    def __init__(self) -> None:
        self.table: dict[str, float] = {}
        self.asked: list[str] = []
        self.lessons: list[tuple[str, float]] = []
        self.qualities: list[float | None] = []

    def learn(self, candidate: Candidate, worth: float, quality: float | None = None) -> None:
        self.lessons.append((candidate.url, round(worth, 3)))
        self.qualities.append(quality)

    def score(self, candidates: Collection[Candidate]) -> list[float]:
        self.asked += [candidate.url for candidate in candidates]
        return [self.table.get(candidate.url, 0.5) for candidate in candidates]


def fetched(claim: Claim, *urls: str, points: float = 0.0) -> Outcome:
    page = Page(
        links=tuple(Link(url, HOST) for url in urls),
        grants=(Grant("job", points, "text"),) if points else (),
        digest=claim.url,
    )
    at = datetime.now(UTC)
    return Outcome(claim, Fetched(claim.url, 200, b"", "text/html", "", at, 0.1), page)


async def crawled(stub: Stub) -> tuple[Ordering, MemoryGraph, MemoryFrontier]:
    """A root that links to x and y, recorded and learned from."""
    ordering = Ordering(stub)
    graph = MemoryGraph(RecordOptions(facts=True), score=ordering.score)
    frontier = MemoryFrontier(graph, "w")
    await frontier.seed([Seed(ROOT, HOST)])
    (claim,) = await frontier.claim(pages=1, per_host=1, lease_s=60)
    outcomes = [fetched(claim, X, Y, points=10)]
    ordering.learn(outcomes, await frontier.record(outcomes))
    return ordering, graph, frontier


async def test_new_pages_wait_by_their_score_from_the_start() -> None:
    stub = Stub()
    stub.table = {X: 0.9, Y: float("nan")}
    _, graph, _ = await crawled(stub)
    assert graph.neurons[X]["priority"] == 0.9
    assert graph.neurons[Y]["priority"] == 0.0  # what is no number says nothing
    assert stub.lessons == [(ROOT, 0.632)]


async def test_what_was_found_before_is_not_scored_for_a_record() -> None:
    stub = Stub()
    ordering, _, _ = await crawled(stub)
    stub.asked.clear()
    assert ordering.score([Candidate(X, HOST), Candidate("http://a.example/z", HOST)]) == [
        None,
        0.5,
    ]
    assert stub.asked == ["http://a.example/z"]


async def test_what_waited_at_the_start_and_where_redirects_lead_is_not_new() -> None:
    """Else one link to them would pass for all that is known of them."""
    stub = Stub()
    ordering = Ordering(stub)
    seed, target = Candidate("http://a.example/seed", HOST), f"http://{HOST}/target"
    assert ordering.scores_at_start([seed]) == [0.5]
    at = datetime.now(UTC)
    moved = Redirected(X, 301, target, target, True, at, 0.1)
    ordering.learn([Outcome(Claim(X, HOST, 1.0, 1, 1), moved)], RecordReport())
    assert ordering.score([seed, Candidate(target, HOST)]) == [None, None]


async def test_a_round_writes_what_moved_by_more_than_a_tenth() -> None:
    stub = Stub()
    ordering, graph, frontier = await crawled(stub)
    stub.table = {X: 0.54, Y: 0.56}
    assert await ordering.round(frontier) == 1
    assert (graph.neurons[X]["score"], graph.neurons[Y]["score"]) == (0.5, 0.56)
    assert graph.neurons[Y]["priority"] == 0.56
    assert await ordering.round(frontier) == 0


async def test_what_is_last_stays_last_without_being_written() -> None:
    stub = Stub()
    stub.table = {X: 1.0, Y: 0.001}
    ordering, graph, frontier = await crawled(stub)
    stub.table = {X: 1.0, Y: 0.002}
    assert await ordering.round(frontier) == 0
    assert graph.neurons[Y]["score"] == 0.001


async def test_scores_that_cannot_change_are_not_looked_at_again() -> None:
    stub = Stub()
    stub.learns = False
    ordering = Ordering(stub, depends_on_facts=False)
    assert await ordering.round(MemoryFrontier(MemoryGraph(), "w")) == 0
    assert stub.asked == []


async def test_only_what_says_something_of_links_is_a_lesson() -> None:
    stub = Stub()
    ordering = Ordering(stub)
    at = datetime.now(UTC)

    def claim(url: str, *, visited: bool = False) -> Claim:
        return Claim(url, HOST, 1.0, 1, 1, visited=visited, facts=Candidate(url, HOST))

    def failed(url: str, reason: Reason, *, retry: bool = False) -> Outcome:
        return Outcome(claim(url), NotFetched(url, reason, "why", at, retry=retry))

    lost = fetched(claim("http://a.example/lost"), points=10)
    ordering.learn(
        [
            failed("http://a.example/404", Reason.HTTP_CLIENT),
            failed("http://a.example/slow", Reason.TIMEOUT, retry=True),
            failed("http://a.example/closed", Reason.ROBOTS),
            fetched(claim("http://a.example/again", visited=True), points=10),
            lost,
        ],
        RecordReport(refused=(lost.claim.url,)),
    )
    assert stub.lessons == [("http://a.example/404", 0.0)]


async def test_a_page_that_was_known_under_another_url_is_no_good_one() -> None:
    """By the bytes that this run had before, or since it names another page as itself."""
    stub = Stub()
    ordering = Ordering(stub)

    def had(url: str, digest: str, canonical: str = "") -> Outcome:
        at = datetime.now(UTC)
        claim = Claim(url, HOST, 1.0, 1, 1, facts=Candidate(url, HOST))
        page = Page(quality=0.5, digest=digest, canonical=canonical)
        return Outcome(claim, Fetched(url, 200, b"", "text/html", "", at, 0.1), page)

    ordering.learn(
        [had(ROOT, "a"), had(X, "a"), had(Y, "b", ROOT), had(f"{Y}/2", "c", f"{Y}/2")],
        RecordReport(),
    )
    assert stub.qualities == [0.5, 0.1, 0.1, 0.5]


async def test_remembered_pages_are_scored_again_without_a_look_at_the_graph() -> None:
    stub = Stub()
    ordering = Ordering(stub, every_pages=2)
    assert ordering.rescored() == []
    z = "http://a.example/z"
    ordering.score([Candidate(url, HOST) for url in (X, Y, z)])
    ordering.learn([fetched(Claim(X, HOST, 1.0, 1, 1))], RecordReport())
    stub.table, stub.asked = {X: 0.9, Y: 0.51, z: 0.9}, []
    assert ordering.rescored() == []  # one page taught, not two
    ordering.learn([fetched(Claim("http://a.example/w", HOST, 1.0, 1, 1))], RecordReport())
    (moved,) = ordering.rescored()  # X was fetched, Y moved too little
    assert (moved.candidate.url, moved.score) == (z, 0.9)
    assert sorted(stub.asked) == [Y, z]


async def test_what_links_say_of_a_remembered_page_adds_up() -> None:
    stub = Stub()
    ordering = Ordering(stub, every_pages=1)
    assert ordering.rescored() == []
    first = Candidate(X, HOST, depth=3, parent_best=0.2, parent_sum=0.2, parent_count=1, in_links=1)
    more = Candidate(X, HOST, depth=1, parent_best=0.7, parent_sum=0.7, parent_count=1, in_links=2)
    root = fetched(Claim(ROOT, HOST, 1.0, 1, 1))
    ordering.score([first])
    ordering.score([first])  # a record that was tried twice says it once
    ordering.learn([root], RecordReport())
    ordering.score([more])
    ordering.learn([root], RecordReport())
    stub.table = {X: 0.9}
    (moved,) = ordering.rescored()
    known = moved.candidate
    assert (known.url, moved.score, known.depth, known.in_links) == (X, 0.9, 1, 3)
    assert (known.parent_best, known.parent_count) == (0.7, 2)
    assert round(known.parent_sum, 6) == 0.9
    ordering.learn([root], RecordReport())
    assert ordering.rescored() == []  # it is taken as written


def test_the_better_half_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "MAX_KNOWN", 4)
    memory = known.Known()
    pages = {f"http://a.example/{n}": float(n) for n in range(5)}
    memory.keep({url: Candidate(url, HOST) for url in pages}, pages)
    assert sorted(memory.facts) == ["http://a.example/3", "http://a.example/4"]
    assert memory.heads(9) == ["http://a.example/4", "http://a.example/3"]
    assert memory.turn(1) + memory.turn(1) == ["http://a.example/3", "http://a.example/4"]
