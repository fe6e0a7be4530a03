"""One contract for both frontiers: what a host taught outlives a run, and who may not be asked."""

from dataclasses import replace

import pytest
from outcomes import failed, given_back, link, moved, page_of
from worlds import MemoryWorld, Neo4jWorld, World, state

from graphcrawl import hosts
from graphcrawl.frontier import Frontier, Neo4jFrontier, Seed
from graphcrawl.frontier_memory import MemoryFrontier
from graphcrawl.memory import MemoryGraph
from graphcrawl.models import Claim, HostUpdate, Reason
from graphcrawl.recorded import RecordOptions

A = "http://a.example/"
HOST = "a.example"


async def claim_seed(frontier: Frontier, *urls: str) -> list[Claim]:
    await frontier.seed([Seed(url, url.split("/")[2], 100.0) for url in urls])
    return await frontier.claim(pages=9, per_host=9, lease_s=60)


async def test_the_next_claim_brings_what_the_host_taught(world: World) -> None:
    frontier = world.frontier("w")
    [first] = await claim_seed(frontier, A)
    assert (first.latency_s, first.refusals, first.requests, first.visited) == (0.0, 0, 0, False)
    taught = HostUpdate(
        HOST, 1.0, 0.0, latency_s=2.5, refusals=3, requests=1, trouble="http-429: status 429"
    )
    await frontier.record(
        [page_of(first, world.clock, [link(f"{A}1")])], [taught, replace(taught, token=first.token)]
    )
    [again] = await world.frontier("other").claim(pages=9, per_host=9, lease_s=60)
    assert (again.latency_s, again.refusals, again.requests) == (2.5, 3, 2)
    assert (await world.hosts())[HOST]["trouble"] == "http-429: status 429"
    quiet = HostUpdate(HOST, 1.0, 0.0, requested=False, refusals=3)
    await frontier.record([failed(again, world.clock, Reason.ROBOTS)], [quiet])
    host = (await world.hosts())[HOST]
    assert (host["trouble"], host["latencyS"]) == ("http-429: status 429", 2.5)


async def test_a_robots_txt_that_cannot_be_had_is_told_of_its_host(world: World) -> None:
    frontier = world.frontier("w")
    claims = await claim_seed(frontier, A, f"{A}1")
    closed = HostUpdate(HOST, 1.0, 0.0, requested=False, trouble="robots-unreachable: 500")
    await frontier.record(
        [failed(claims[0], world.clock, Reason.ROBOTS_UNREACHABLE, retry=True)], [closed]
    )
    assert (await world.hosts())[HOST]["trouble"] == "robots-unreachable: 500"
    await frontier.record([page_of(claims[1], world.clock, [])], [HostUpdate(HOST, 1.0, 0.0)])
    assert "trouble" not in (await world.hosts())[HOST]


async def test_only_an_answer_ends_a_row_of_failures(world: World) -> None:
    frontier = world.frontier("w")
    claims = await claim_seed(frontier, A, f"{A}1", f"{A}2")
    down = HostUpdate(HOST, 1.0, 0.0, failed=True, trouble="connect: refused")
    unasked = HostUpdate(HOST, 1.0, 0.0, requested=False)
    await frontier.record([failed(claims[0], world.clock, Reason.CONNECT)], [down, down])
    await frontier.record([failed(claims[1], world.clock, Reason.ROBOTS)], [unasked])
    assert (await world.hosts())[HOST]["failures"] == 2
    await frontier.record([page_of(claims[2], world.clock, [])], [HostUpdate(HOST, 1.0, 0.0)])
    host = (await world.hosts())[HOST]
    assert (host["failures"], "trouble" in host) == (0, False)


async def test_a_full_host_leaves_out_its_unknown_pages_and_keeps_its_visits(world: World) -> None:
    frontier = world.frontier("w")
    claims = await claim_seed(frontier, A, "http://b.example/")
    mine = next(c for c in claims if c.host == HOST)
    links = [link(f"{A}{n}") for n in range(4)]
    await frontier.record([page_of(mine, world.clock, links)], given_back([mine]))
    [one] = await frontier.claim(pages=1, per_host=1, lease_s=60)
    over = failed(one, world.clock, Reason.HOST_LIMIT)
    over = replace(over, fetch=replace(over.fetch, requested=False))
    update = HostUpdate(HOST, 0.0, 0.0, token=one.token, requested=False, full=True)
    await frontier.record([over], [update])
    pages = await world.pages()
    for n in range(4):
        page = pages[f"{A}{n}"]
        assert (state(page), page["reason"]) == ("Excluded", "host-limit")
        assert "priority" not in page
    assert state(pages["http://b.example/"]) == "Leased"
    assert await frontier.claim(pages=9, per_host=9, lease_s=60) == []


async def test_a_redirect_target_waits_as_long_as_the_server_wishes(world: World) -> None:
    frontier = world.frontier("w")
    [mine] = await claim_seed(frontier, A)
    outcome = moved(mine, world.clock, "http://b.example/")
    outcome = replace(outcome, fetch=replace(outcome.fetch, retry_after_s=120.0))
    await frontier.record([outcome], given_back([mine]))
    assert await frontier.claim(pages=9, per_host=9, lease_s=60) == []
    assert (await frontier.outlook()).next_due_s == 120.0
    world.clock.pass_s(121)
    await frontier.reap()
    [target] = await frontier.claim(pages=9, per_host=9, lease_s=60)
    assert target.url == "http://b.example/"


def with_retries(world: World, retry_s: float) -> Frontier:
    options = RecordOptions(retry_s=retry_s)
    if isinstance(world, MemoryWorld):
        world.graph = MemoryGraph(options, now_ms=world.clock)
        return MemoryFrontier(world.graph, "w")
    assert isinstance(world, Neo4jWorld)
    return Neo4jFrontier(world.graph, "test-crawl", "w", options, now_ms=world.clock)


async def test_a_failed_page_waits_by_its_kind_of_failure_and_then_fails(world: World) -> None:
    frontier = with_retries(world, 5.0)
    claims = await claim_seed(frontier, A)
    for wait_s in (20.0, 40.0):  # a name that is not found; doubled
        outcome = failed(claims[0], world.clock, Reason.DNS, retry=True)
        await frontier.record([outcome], given_back(claims))
        assert (await frontier.outlook()).next_due_s == wait_s
        world.clock.pass_s(wait_s)
        await frontier.reap()
        claims = await frontier.claim(pages=9, per_host=9, lease_s=60)
    outcome = failed(claims[0], world.clock, Reason.DNS, retry=True)
    assert (await frontier.record([outcome], given_back(claims))).failed == 1
    page = (await world.pages())[A]
    assert (state(page), page["reason"]) == ("Failed", "dns")


async def test_a_blocked_host_is_not_claimed_until_it_is_unblocked(
    neo4j_world: Neo4jWorld,
) -> None:
    world = neo4j_world
    graph, frontier = world.graph, world.frontier("w")
    await frontier.seed([Seed(A, HOST), Seed("http://b.example/", "b.example")])
    done = await hosts.block(graph, [HOST, "new.example"], reason="asked to stop")
    assert [(d.host, d.known, d.before) for d in done] == [
        (HOST, True, False),
        ("new.example", False, False),
    ]
    claims = await frontier.claim(pages=9, per_host=9, lease_s=60, refill=[HOST])
    assert [c.host for c in claims] == ["b.example"]
    assert await frontier.blocked([HOST, "b.example", "nowhere.example"]) == {HOST}
    await frontier.refresh_hosts()
    await frontier.seed([Seed(f"{A}1", HOST)])  # more pages of it do not open it again
    await frontier.release(claims)
    world.clock.pass_s(1)
    assert [c.host for c in await frontier.claim(pages=9, per_host=9, lease_s=60)] == ["b.example"]
    assert (await frontier.outlook()).due_hosts == 0
    [row] = [row async for row in hosts.listed(graph, host=HOST, now=world.clock.now)]
    assert (row.state, row.block_reason, row.waiting) == ("blocked", "asked to stop", 2)
    assert [d.before for d in await hosts.unblock(graph, [HOST, "nowhere.example"])] == [True]
    found = await frontier.claim(pages=9, per_host=9, lease_s=60)
    assert {c.host for c in found} == {HOST}


async def test_a_lane_in_work_gives_its_host_back_and_it_stays_closed(
    neo4j_world: Neo4jWorld,
) -> None:
    world = neo4j_world
    frontier = world.frontier("w")
    claims = await claim_seed(frontier, A)
    await hosts.block(world.graph, [HOST])
    outcome = failed(claims[0], world.clock, Reason.BLOCKED, retry=True)
    await frontier.record([outcome], given_back(claims))
    assert state((await world.pages())[A]) == "Frontier"
    assert await frontier.claim(pages=9, per_host=9, lease_s=60) == []
    outlook = await frontier.outlook()
    assert (outlook.due_hosts, outlook.next_due_s) == (0, None)


@pytest.mark.parametrize(
    ("update", "pass_s", "expected"),
    [
        (HostUpdate(HOST, 1.0, 0.0, token=0), 2, "due"),
        (HostUpdate(HOST, 1.0, 30.0, token=0), 0, "resting"),
        (HostUpdate(HOST, 1.0, 600.0, token=0, refusals=2, trouble="http-429: x"), 0, "paused"),
        (HostUpdate(HOST, 1.0, 600.0, token=0, failed=True, trouble="dns: x"), 0, "parked"),
        (HostUpdate(HOST, 1.0, 600.0, token=0, failed=True, trouble="dns: x"), 601, "due"),
        (None, 0, "in work"),
    ],
)
async def test_what_the_list_says_of_a_host(
    neo4j_world: Neo4jWorld, update: HostUpdate | None, pass_s: float, expected: str
) -> None:
    world = neo4j_world
    frontier = world.frontier("w")
    claims = await claim_seed(frontier, A)
    if update is not None:
        outcome = page_of(claims[0], world.clock, [link(f"{A}1")])
        await frontier.record([outcome], [replace(update, token=claims[0].token)])
    world.clock.pass_s(pass_s)
    [row] = [row async for row in hosts.listed(world.graph, now=world.clock.now)]
    assert row.state == expected


async def test_retry_lets_failed_pages_wait_again(neo4j_world: Neo4jWorld) -> None:
    world = neo4j_world
    frontier = world.frontier("w")
    claims = await claim_seed(frontier, A, "http://b.example/", "http://c.example/")
    reasons = dict(zip(claims, (Reason.TIMEOUT, Reason.HTTP_CLIENT, Reason.ROBOTS), strict=True))
    outcomes = [failed(c, world.clock, why) for c, why in reasons.items()]
    await frontier.record(outcomes, given_back(claims))
    timed_out, refused, forbidden = (claim.url for claim in claims)
    assert await hosts.retry(world.graph, ["reason=timeout"]) == 1
    pages = await world.pages()
    assert (state(pages[timed_out]), "error" in pages[timed_out]) == ("Frontier", False)
    assert await hosts.retry(world.graph) == 1
    pages = await world.pages()
    assert state(pages[refused]) == "Frontier"
    assert state(pages[forbidden]) == "Excluded"
    assert len(await frontier.claim(pages=9, per_host=9, lease_s=60)) == 2
