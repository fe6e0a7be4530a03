"""What an order goes by is kept, and pages wait by its scores, in Neo4j and in memory."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from outcomes import failed, given_back, moved, page_of
from worlds import Neo4jWorld, World

from graphcrawl import rewards
from graphcrawl.facts import Scored
from graphcrawl.frontier import Seed
from graphcrawl.models import Claim, Link, Reason
from graphcrawl.recorded import RecordOptions
from graphcrawl.reorder import current_order, learn_again, reorder
from graphcrawl.scoring.candidate import Candidate
from graphcrawl.scoring.composite import Composite
from graphcrawl.scoring.evidence import lineage_cue
from graphcrawl.scoring.orders import OrderName, order_of
from graphcrawl.scoring.quality import Quality

A, B = "http://a.example/", "http://b.example/"
X, Y, Z = "http://a.example/x", "http://a.example/y", "http://b.example/z"
TEN_POINTS = 1 - 2.718281828459045**-1  # worth of ten points: 1 − exp(−10/10)


def link(url: str, cues: tuple[int, ...] = (), topic_hint: float = 0.0) -> Link:
    return Link(url, url.split("/")[2], anchor="anchor", topic_hint=topic_hint, cues=cues)


def by_name(candidates: Sequence[Candidate]) -> list[float]:
    """A stub: pages whose URL ends later in the alphabet come first."""
    return [ord(candidate.url[-1]) / 1000 for candidate in candidates]


@pytest.fixture
def ordered(world: World) -> World:
    world.order_by(RecordOptions(facts=True, cues=True), by_name)
    return world


async def claims(world: World, pages: int = 10) -> dict[str, Claim]:
    found = await world.frontier("w").claim(pages=pages, per_host=pages, lease_s=60)
    return {claim.url: claim for claim in found}


async def test_facts_gather_on_pages_that_wait(ordered: World) -> None:
    frontier = ordered.frontier("w")
    await frontier.seed([Seed(A, "a.example"), Seed(B, "b.example")])
    held = await claims(ordered)
    assert held[A].facts is not None and held[A].facts.cash == 1.0
    rich = page_of(held[A], ordered.clock, [link(X, (1, 2), 0.25), link(Y)], points=10)
    await frontier.record([rich], given_back([held[A]]))
    poor = page_of(held[B], ordered.clock, [link(X, (2, 3), 0.125)])
    await frontier.record([poor], given_back([held[B]]))
    pages = await ordered.pages()
    assert pages[A]["worth"] == pytest.approx(TEN_POINTS)
    assert pages[B]["worth"] == 0.0
    x, y = pages[X], pages[Y]
    assert (x["parentBest"], x["parentSum"]) == (pytest.approx(TEN_POINTS),) * 2
    assert (x["parentCount"], y["parentCount"]) == (2, 1)
    assert x["topicHint"] == 0.25
    assert list(x["cues"]) == [lineage_cue(A), 1, 2, lineage_cue(B), 3]
    assert list(y["cues"]) == [lineage_cue(A)]
    assert (x["cash"], y["cash"]) == (1.5, 0.5)  # half of a's, all of b's
    assert pages[A]["cash"] == pages[B]["cash"] == 0.0
    assert 0 < pages[A]["number"] < pages[B]["number"] < x["number"] < y["number"]
    assert x["score"] == x["priority"] == by_name([Candidate(X, "a.example")])[0]
    again = (await claims(ordered))[X].facts
    assert again is not None
    assert (again.in_links, again.parent_count, again.cues) == (2, 2, tuple(x["cues"]))
    assert again.depth == 1 and again.reward == pytest.approx(x["reward"])


async def test_without_an_order_no_facts_are_kept(world: World) -> None:
    frontier = world.frontier("w")
    await frontier.seed([Seed(A, "a.example")])
    held = await claims(world)
    assert held[A].facts is None
    await frontier.record([page_of(held[A], world.clock, [link(X, (1,), 0.5)], points=10)])
    x = (await world.pages())[X]
    assert not {"parentBest", "parentCount", "cues", "topicHint", "score"} & x.keys()
    assert x["priority"] == x["reward"]


async def test_no_more_than_24_cues_are_kept(ordered: World) -> None:
    frontier = ordered.frontier("w")
    await frontier.seed([Seed(A, "a.example"), Seed(B, "b.example")])
    held = await claims(ordered)
    for url, first in ((A, 0), (B, 10)):
        cues = tuple(range(first, first + 20))
        await frontier.record([page_of(held[url], ordered.clock, [link(X, cues)])])
    assert list((await ordered.pages())[X]["cues"]) == [
        lineage_cue(A),
        *range(20),
        lineage_cue(B),
        20,
        21,
    ]


async def test_a_redirect_hands_on_what_was_known(ordered: World) -> None:
    frontier = ordered.frontier("w")
    await frontier.seed([Seed(A, "a.example")])
    held = await claims(ordered)
    await frontier.record(
        [page_of(held[A], ordered.clock, [link(X, (7,), 0.5)], points=10)], given_back([held[A]])
    )
    held = await claims(ordered)
    await frontier.record([moved(held[X], ordered.clock, Y)], given_back([held[X]]))
    y = (await ordered.pages())[Y]
    assert y["parentBest"] == y["parentSum"] == pytest.approx(TEN_POINTS)
    assert (y["parentCount"], y["topicHint"], list(y["cues"]), y["cash"]) == (
        1,
        0.5,
        [lineage_cue(A), 7],
        1.0,
    )
    assert (y["inLinks"], y["score"]) == (1, y["priority"])


async def test_scores_decide_what_is_claimed_next(ordered: World) -> None:
    frontier = ordered.frontier("w")
    await frontier.seed([Seed(A, "a.example")])
    held = await claims(ordered)
    await frontier.record(
        [page_of(held[A], ordered.clock, [link(X), link(Y), link(Z)])], given_back([held[A]])
    )
    seen = await frontier.waiting([X, A, "http://nowhere.example/"], heads=0)
    assert [one.candidate.url for one in seen] == [X]
    assert seen[0].candidate.parent_count == 1
    assert {one.candidate.url for one in await frontier.waiting([], heads=9)} == {X, Y, Z}
    await frontier.rescore({X: 3.0, Y: 2.0, A: 9.0})
    assert "score" not in (await ordered.pages())[A] or "priority" not in (await ordered.pages())[A]
    first = await frontier.claim(pages=1, per_host=1, lease_s=60)
    assert [(claim.url, claim.priority) for claim in first] == [(X, 3.0)]
    await frontier.rescore({X: 5.0})  # it is leased: too late
    await frontier.release(first)
    assert (await ordered.pages())[X]["priority"] == 3.0


async def test_a_record_writes_other_scores_of_pages_that_wait(ordered: World) -> None:
    anew: list[Scored] = []
    frontier = ordered.frontier("w", lambda: anew)
    await frontier.seed([Seed(A, "a.example"), Seed(B, "b.example")])
    held = await claims(ordered)
    await frontier.record(
        [page_of(held[A], ordered.clock, [link(X), link(Y)])], given_back([held[A]])
    )
    seen = await frontier.waiting([X, Y])
    anew += [replace(one, score=7.0) for one in seen if one.candidate.url == Y]
    anew.append(Scored(Candidate(B, "b.example"), 9.0))  # it is leased
    await frontier.record([page_of(held[B], ordered.clock, [])], given_back([held[B]]))
    pages = await ordered.pages()
    assert (pages[Y]["score"], pages[Y]["priority"]) == (7.0, 7.0)
    assert pages[X]["priority"] != 7.0
    assert "priority" not in pages[B]
    first = await frontier.claim(pages=1, per_host=1, lease_s=60)
    assert [claim.url for claim in first] == [Y]  # its host knows


async def test_a_score_outlives_whatever_lets_a_page_wait_again(ordered: World) -> None:
    frontier = ordered.frontier("w")
    await frontier.seed([Seed(A, "a.example")])
    held = await claims(ordered)
    await frontier.record(
        [page_of(held[A], ordered.clock, [link(X), link(Y)])], given_back([held[A]])
    )
    held = await claims(ordered)
    await frontier.record(
        [failed(held[X], ordered.clock, Reason.READ, retry=True)], given_back([held[X]])
    )
    ordered.clock.pass_s(61)
    assert await frontier.reap() == 1  # y, whose lease has ended
    pages = await ordered.pages()
    assert [pages[url]["priority"] for url in (X, Y)] == [0.12, 0.121]


async def test_a_rank_is_not_handed_on(world: World) -> None:
    world.order_by(RecordOptions(facts=True, ranked=True), by_name)
    frontier = world.frontier("w")
    await frontier.seed([Seed(A, "a.example")])
    held = await claims(world)
    await frontier.record([page_of(held[A], world.clock, [link(X), link(Y)])])
    pages = await world.pages()
    assert (pages[A]["cash"], pages[X]["cash"]) == (1.0, pytest.approx(0.85 / 2))


async def test_reward_that_flows_leaves_scores_alone(neo4j_world: Neo4jWorld) -> None:
    world = neo4j_world
    world.order_by(RecordOptions(facts=True, cues=True), by_name)
    frontier = world.frontier("w")
    await frontier.seed([Seed(A, "a.example")])
    held = await claims(world)
    await frontier.record([page_of(held[A], world.clock, [link(X)], points=50)])
    before = (await world.pages())[X]
    await rewards.distribute(world.graph, distribute=0.1, forget=0.1, engine="cypher")
    after = (await world.pages())[X]
    assert after["reward"] > 1.1 * before["reward"]
    assert after["priority"] == before["priority"]


async def test_a_graph_changes_its_order(neo4j_world: Neo4jWorld) -> None:
    world = neo4j_world
    frontier = world.frontier("w")
    await frontier.seed([Seed(A, "a.example")])
    held = await claims(world)
    await frontier.record(
        [page_of(held[A], world.clock, [link(X), link(Y)], points=10)], given_back([held[A]])
    )
    asked: list[Candidate] = []

    def scores(candidates: Sequence[Candidate]) -> list[float]:
        asked.extend(candidates)
        return by_name(candidates)

    assert await current_order(world.graph) == "reward"
    assert await reorder(world.graph, "composite", scores=scores, cues=True) == 2
    assert await current_order(world.graph) == "composite"
    x = {candidate.url: candidate for candidate in asked}[X]
    assert x.parent_best == x.parent_sum == pytest.approx(TEN_POINTS)
    assert (x.parent_count, x.cash) == (1, 0.5)
    assert x.cues  # of its anchor
    pages = await world.pages()
    assert pages[X]["priority"] == pages[X]["score"] == 0.12
    assert list(pages[X]["cues"]) == list(x.cues)
    hosts = await world.hosts()
    assert hosts["a.example"]["bestPriority"] == 0.121
    await frontier.seed([Seed(B, "b.example")])
    assert await reorder(world.graph, "composite", scores=by_name, cues=True) == 1  # the new seed
    assert await reorder(world.graph, "reward", scores=None, cues=False) == 3
    pages = await world.pages()
    assert "score" not in pages[X]
    assert pages[X]["priority"] == pages[X]["reward"]
    assert (await world.hosts())["b.example"]["bestPriority"] == 100.0


async def test_an_order_learns_from_what_was_fetched_before_it(neo4j_world: Neo4jWorld) -> None:
    world = neo4j_world
    frontier = world.frontier("w")
    await frontier.seed([Seed(A, "a.example")])
    held = await claims(world)
    await frontier.record(
        [page_of(held[A], world.clock, [link(X), link(Y)], points=10)], given_back([held[A]])
    )
    world.clock.pass_s(60)
    held = await claims(world)
    await frontier.record([page_of(held[X], world.clock, [link(A)])], given_back([held[X]]))
    order = Composite(quality=Quality())
    assert await learn_again(world.graph, order) == 2
    assert order.observations == 2
    assert order.quality is not None
    assert order.quality.observations == 0  # it is not kept
    parts = {part.name: part.value for part in order.explain(Candidate(Y, "a.example"))}
    assert parts["host"] > 0.1, "the host had a page of worth"


async def test_a_run_scores_again_what_an_earlier_one_left(neo4j_world: Neo4jWorld) -> None:
    world = neo4j_world
    frontier = world.frontier("w")
    await frontier.seed([Seed(A, "a.example"), Seed(B, "b.example")])
    values = {A: 1.0, B: 2.0}

    def scores(candidates: Sequence[Candidate]) -> list[float]:
        return [values[candidate.url] for candidate in candidates]

    assert await reorder(world.graph, "composite", scores=scores, cues=False) == 2
    values |= {A: 1.05, B: 3.0}
    assert await reorder(world.graph, "composite", scores=scores, cues=False) == 0
    assert await reorder(world.graph, "composite", scores=scores, cues=False, again=True) == 1
    pages = await world.pages()
    assert (pages[A]["priority"], pages[B]["priority"]) == (1.0, 3.0)


@pytest.mark.parametrize(("order", "first"), [("dfs", [B, A]), ("bfs", [A, B])])
async def test_a_late_seed_waits_where_its_order_has_it(
    neo4j_world: Neo4jWorld, order: OrderName, first: list[str]
) -> None:
    """It is the page that was discovered last, whatever reward it has."""
    world = neo4j_world
    await world.ask("MERGE (gate:WriteGate {name: 'record'}) SET gate.discovered = 500")
    frontier = world.frontier("w")
    await frontier.seed([Seed(A, "a.example")])
    scores = order_of(order).score
    await reorder(world.graph, order, scores=scores, cues=False)
    await frontier.seed([Seed(B, "b.example")])
    pages = await world.pages()
    assert sorted((A, B), key=lambda url: -pages[url]["priority"]) == first
    late = Candidate(B, "b.example", number=pages[B]["number"])
    assert pages[B]["score"] == pages[B]["priority"] == pytest.approx(scores([late])[0])


async def test_older_graphs_get_numbers_and_worths(neo4j_world: Neo4jWorld) -> None:
    from graphcrawl import queries

    world = neo4j_world
    await world.ask(
        "CREATE (:PageNeuron:Frontier {url: $x, neuronId: 2, host: 'a.example',"
        " discoveredAt: datetime('2026-01-02')}),"
        " (:PageNeuron:Fetched {url: $a, neuronId: 1, host: 'a.example',"
        " discoveredAt: datetime('2026-01-01'),"
        " grants: ['100 seed seed', '10 taleo links', '1000 feed-new http://f.example/']}),"
        " (:PageNeuron:Fetched:JobFeed {url: $y, neuronId: 3, host: 'a.example',"
        " discoveredAt: datetime('2026-01-03'), grants: []})",
        x=X,
        a=A,
        y=Y,
    )
    text = queries.load("schema/V011__facts_for_the_order").text
    for _ in range(2):  # it may be applied again
        await world.graph.run_schema(text)
        pages = await world.pages()
        assert [pages[url]["number"] for url in (A, X, Y)] == [1, 2, 3]
        assert pages[A]["worth"] == pytest.approx(TEN_POINTS)
        assert pages[Y]["worth"] == 1.0
    gate = await world.ask("MATCH (g:WriteGate {name: 'record'}) RETURN g.discovered AS n")
    assert gate[0]["n"] == 3


async def test_folding_counts_parents_anew(ordered: World) -> None:
    """The representative has the links of its alias, and with them that page's parents."""
    frontier = ordered.frontier("w")
    await frontier.seed([Seed(A, "a.example"), Seed(B, "b.example")])
    held = await claims(ordered)
    links = [link(X), link(Y)]
    await frontier.record([page_of(held[A], ordered.clock, links, points=10)])
    await frontier.record(
        [page_of(held[B], ordered.clock, [link(X)])], given_back([*held.values()])
    )
    held = await claims(ordered)
    await frontier.record([moved(held[X], ordered.clock, Y)])
    y = (await ordered.pages())[Y]
    assert (y["parentCount"], y["inLinks"]) == (2, 2)  # a and b, each once
    assert y["parentSum"] == pytest.approx(TEN_POINTS)


async def test_a_known_claim_stays_what_it_was(ordered: World) -> None:
    """Facts are those of the moment of the claim: what comes later teaches nothing about it."""
    frontier = ordered.frontier("w")
    await frontier.seed([Seed(A, "a.example"), Seed(B, "b.example")])
    held = await claims(ordered)
    await frontier.record([page_of(held[B], ordered.clock, [link(A)], points=10)])
    assert held[A].facts == replace(held[A].facts, parent_count=0)
    assert (await ordered.pages())[A]["parentCount"] == 1
