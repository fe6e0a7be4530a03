"""One contract for both frontiers: leases, politeness, what comes back and when."""

import asyncio
from collections import Counter
from datetime import timedelta

from outcomes import failed, given_back, link, page_of
from worlds import Neo4jWorld, World, state

from graphcrawl.frontier import Frontier, Seed
from graphcrawl.models import Claim, HostUpdate, Reason


async def seed_hosts(frontier: Frontier, hosts: int, pages: int) -> None:
    """Let `pages` pages wait on each of `hosts` hosts; page 0 is worth most, host 0 is best."""
    await frontier.seed(
        [
            Seed(f"http://h{h}.example/{p}", f"h{h}.example", 1000.0 - 10 * p - h)
            for h in range(hosts)
            for p in range(pages)
        ]
    )


async def test_best_hosts_come_first_and_each_page_is_leased_once(world: World) -> None:
    frontier = world.frontier("w")
    await seed_hosts(frontier, hosts=3, pages=2)
    claims = await frontier.claim(pages=2, per_host=1, lease_s=60)
    assert [c.url for c in claims] == ["http://h0.example/0", "http://h1.example/0"]
    assert [c.priority for c in claims] == [1000.0, 999.0]
    rest = await frontier.claim(pages=10, per_host=1, lease_s=60)
    assert [c.url for c in rest] == ["http://h2.example/0"]  # the other hosts are held
    assert rest[0].token > claims[0].token
    pages = await world.pages()
    assert [state(pages[c.url]) for c in claims] == ["Leased", "Leased"]
    assert pages[claims[0].url]["leasedUntil"] == world.clock.now + timedelta(seconds=60)


async def test_a_claim_says_whether_the_page_is_a_seed(world: World) -> None:
    frontier = world.frontier("w")
    await seed_hosts(frontier, hosts=1, pages=1)
    (seed,) = await frontier.claim(pages=1, per_host=1, lease_s=60)
    assert seed.seed
    await frontier.record([page_of(seed, world.clock, [link("http://h1.example/x")])])
    (linked,) = await frontier.claim(pages=9, per_host=1, lease_s=60)
    assert (linked.url, linked.seed) == ("http://h1.example/x", False)


async def test_pages_in_all_are_limited(world: World) -> None:
    frontier = world.frontier("w")
    await seed_hosts(frontier, hosts=4, pages=5)
    claims = await frontier.claim(pages=7, per_host=3, lease_s=60)
    assert [c.host[:2] for c in claims] == ["h0", "h1", "h2", "h3", "h0", "h1", "h2"]
    assert await frontier.claim(pages=9, per_host=9, lease_s=60) == []  # all hosts are held
    await frontier.record([], given_back(claims))
    claims = await frontier.claim(pages=99, per_host=3, lease_s=60)
    assert Counter(c.host for c in claims) == {
        "h0.example": 3,
        "h1.example": 3,
        "h2.example": 3,
    } | {"h3.example": 3}


async def test_a_worker_takes_more_of_a_host_that_it_holds(world: World) -> None:
    mine, other = world.frontier("mine"), world.frontier("other")
    await seed_hosts(mine, hosts=1, pages=4)
    first = await mine.claim(pages=2, per_host=2, lease_s=60)
    assert await mine.claim(pages=2, per_host=2, lease_s=60) == []
    assert await other.claim(pages=2, per_host=2, lease_s=60, refill=["h0.example"]) == []
    more = await mine.claim(pages=1, per_host=2, lease_s=60, refill=["h0.example"])
    assert [c.url for c in more] == ["http://h0.example/2"]
    assert (await world.hosts())["h0.example"]["token"] == more[0].token > first[0].token


async def test_four_claimers_never_lease_a_page_twice(world: World) -> None:
    frontiers = [world.frontier(f"w{i}") for i in range(4)]
    await seed_hosts(frontiers[0], hosts=40, pages=6)

    async def work(frontier: Frontier) -> list[Claim]:
        mine: list[Claim] = []
        while claims := await frontier.claim(pages=7, per_host=2, lease_s=60):
            mine += claims
            await frontier.record([], given_back(claims))
        return mine

    claims = [c for part in await asyncio.gather(*map(work, frontiers)) for c in part]
    assert len(claims) == 240
    assert max(Counter(c.url for c in claims).values()) == 1
    assert max(Counter((c.token, c.host) for c in claims).values()) <= 2
    owners = Counter({c.token: 0 for c in claims})
    assert len(owners) >= 240 / 7  # each claim has a token of its own


async def test_two_claimers_never_hold_one_host(neo4j_world: Neo4jWorld) -> None:
    frontiers = [neo4j_world.frontier(f"w{i}") for i in range(4)]
    await seed_hosts(frontiers[0], hosts=10, pages=8)
    held: set[str] = set()

    async def work(frontier: Frontier) -> int:
        total = 0
        while claims := await frontier.claim(pages=3, per_host=1, lease_s=60):
            hosts = {c.host for c in claims}
            assert not hosts & held
            held.update(hosts)
            await asyncio.sleep(0.005)
            held.difference_update(hosts)
            total += len(claims)
            await frontier.record([], given_back(claims))
        return total

    assert sum(await asyncio.gather(*map(work, frontiers))) == 80


async def test_a_host_is_asked_again_after_its_pause(world: World) -> None:
    frontier = world.frontier("w")
    await seed_hosts(frontier, hosts=1, pages=2)
    claim = (await frontier.claim(pages=1, per_host=1, lease_s=60))[0]
    update = HostUpdate(claim.host, delay_s=2.0, pause_s=5.0, token=claim.token)
    report = await frontier.record([page_of(claim, world.clock)], [update])
    assert report.fetched == 1
    assert (await world.hosts())[claim.host]["delayS"] == 2.0
    assert (await frontier.outlook()).next_due_s == 5.0
    world.clock.pass_s(4.9)
    assert await frontier.claim(pages=1, per_host=1, lease_s=60) == []
    world.clock.pass_s(0.1)
    assert len(await frontier.claim(pages=1, per_host=1, lease_s=60)) == 1


async def test_a_host_is_not_given_back_by_an_old_token(world: World) -> None:
    old, new = world.frontier("old"), world.frontier("new")
    await seed_hosts(old, hosts=1, pages=3)
    stale = await old.claim(pages=1, per_host=1, lease_s=60)
    world.clock.pass_s(61)
    await new.claim(pages=1, per_host=1, lease_s=60)
    await old.record([], given_back(stale))
    assert await old.claim(pages=1, per_host=1, lease_s=60) == []
    assert (await world.hosts())["h0.example"]["leasedBy"] == "new"


async def test_a_lease_that_ended_comes_back(world: World) -> None:
    frontier = world.frontier("w")
    await seed_hosts(frontier, hosts=2, pages=1)
    claims = await frontier.claim(pages=2, per_host=1, lease_s=60)
    assert await frontier.reap() == 0
    assert (await frontier.outlook()).next_due_s == 60.0
    world.clock.pass_s(60)
    assert await frontier.reap() == 2
    again = await frontier.claim(pages=2, per_host=1, lease_s=60)
    assert [c.url for c in again] == [c.url for c in claims]
    assert again[0].token > claims[0].token
    report = await frontier.record([page_of(claims[0], world.clock)])
    assert (report.accepted, report.refused) == (0, (claims[0].url,))


async def test_a_renewed_lease_stays(world: World) -> None:
    frontier = world.frontier("w")
    await seed_hosts(frontier, hosts=2, pages=2)
    kept, lost = await frontier.claim(pages=2, per_host=1, lease_s=60)
    world.clock.pass_s(50)
    assert await frontier.renew([kept], 60) == []
    world.clock.pass_s(50)
    assert await frontier.reap() == 1
    assert await frontier.renew([kept, lost], 60) == [lost]
    urls = [c.url for c in await frontier.claim(pages=9, per_host=1, lease_s=60)]
    assert urls == ["http://h1.example/0"]  # the renewed host is still held


async def test_released_pages_wait_again_at_once(world: World) -> None:
    frontier = world.frontier("w")
    await seed_hosts(frontier, hosts=2, pages=1)
    claims = await frontier.claim(pages=2, per_host=1, lease_s=60)
    await frontier.release(claims)
    outlook = await frontier.outlook()
    assert (outlook.waiting, outlook.leased, outlook.due_hosts, outlook.next_due_s) == (2, 0, 2, 0)
    again = await frontier.claim(pages=2, per_host=1, lease_s=60)
    assert [(c.url, c.tries) for c in again] == [(c.url, 0) for c in claims]
    await frontier.release(claims)  # the old tokens are worth nothing
    assert (await frontier.outlook()).leased == 2


async def test_nothing_waits_in_an_empty_graph(world: World) -> None:
    frontier = world.frontier("w")
    outlook = await frontier.outlook()
    assert (outlook.waiting, outlook.leased, outlook.due_hosts) == (0, 0, 0)
    assert outlook.next_due_s is None
    assert await frontier.claim(pages=5, per_host=1, lease_s=60) == []
    assert await frontier.reap() == 0


async def test_seeding_again_changes_nothing(world: World) -> None:
    frontier = world.frontier("w")
    seeds = [Seed("http://a.example/", "a.example"), Seed("http://b.example/", "b.example", 50.0)]
    report = await frontier.seed([*seeds, seeds[0]])
    assert (report.new, report.known, report.waiting) == (2, 0, 2)
    report = await frontier.seed(seeds)
    assert (report.new, report.known, report.waiting) == (0, 2, 2)
    page = (await world.pages())["http://b.example/"]
    assert (page["reward"], page["baseReward"], page["grants"]) == (50.0, 50.0, ["50 seed seed"])
    assert page["priority"] == 50.0
    assert {"Seed", "Frontier"} <= page["labels"]


async def test_seeding_asks_again_where_nothing_answered(world: World) -> None:
    frontier = world.frontier("w")
    urls = ["http://gone.example/", "http://silent.example/", "http://done.example/"]
    seeds = [Seed(url, url.split("/")[2]) for url in urls]
    await frontier.seed(seeds)
    by_url = {c.url: c for c in await frontier.claim(pages=3, per_host=1, lease_s=60)}
    await frontier.record(
        [
            failed(by_url[urls[0]], world.clock, Reason.HTTP_CLIENT, status=404),
            failed(by_url[urls[1]], world.clock, Reason.DNS),
            page_of(by_url[urls[2]], world.clock),
        ]
    )
    assert (await frontier.seed(seeds)).waiting == 1
    pages = await world.pages()
    assert [state(pages[url]) for url in urls] == ["Failed", "Frontier", "Fetched"]


async def test_a_failing_host_is_parked_and_comes_back(world: World) -> None:
    frontier = world.frontier("w")
    await seed_hosts(frontier, hosts=1, pages=9)
    parked = {}
    for _ in range(5):
        claims = await frontier.claim(pages=1, per_host=1, lease_s=60)
        updates = [HostUpdate("h0.example", 1.0, 1.0, failed=True, token=claims[0].token)]
        report = await frontier.record([failed(claims[0], world.clock, Reason.CONNECT)], updates)
        parked = report.parked
        world.clock.pass_s(1)
    assert parked == {"h0.example": 60.0}
    host = (await world.hosts())["h0.example"]
    assert host["failures"] == 5
    assert host.get("bestPriority") is None
    assert (await frontier.outlook()).next_due_s == 59.0
    await frontier.refresh_hosts()
    await frontier.reap()
    assert await frontier.claim(pages=1, per_host=1, lease_s=60) == []
    world.clock.pass_s(59)
    await frontier.reap()
    claims = await frontier.claim(pages=1, per_host=1, lease_s=60)
    updates = [HostUpdate("h0.example", 1.0, 1.0, failed=True, token=claims[0].token)]
    report = await frontier.record([failed(claims[0], world.clock, Reason.CONNECT)], updates)
    assert report.parked == {"h0.example": 120.0}  # doubled
    world.clock.pass_s(120)
    await frontier.reap()
    claims = await frontier.claim(pages=1, per_host=1, lease_s=60)
    await frontier.record([page_of(claims[0], world.clock)], given_back(claims))
    assert (await world.hosts())["h0.example"]["failures"] == 0


async def test_waits_of_a_parked_host_end_at_a_day(world: World) -> None:
    frontier = world.frontier("w")
    await seed_hosts(frontier, hosts=1, pages=1)
    claims = await frontier.claim(pages=1, per_host=1, lease_s=60)
    fault = HostUpdate("h0.example", 1.0, 1.0, failed=True)
    report = await frontier.record([page_of(claims[0], world.clock)], [fault] * 40)
    assert report.parked == {"h0.example": 86400.0}


async def test_knowledge_of_hosts_counts_once(world: World) -> None:
    frontier = world.frontier("w")
    await seed_hosts(frontier, hosts=1, pages=1)
    claims = await frontier.claim(pages=1, per_host=1, lease_s=60)
    batch = ([failed(claims[0], world.clock, Reason.TIMEOUT)],)
    updates = [HostUpdate("h0.example", 1.0, 1.0, failed=True, token=claims[0].token)]
    await frontier.record(*batch, updates)
    await frontier.record(*batch, updates)  # as after a commit that nobody heard of
    assert (await world.hosts())["h0.example"]["failures"] == 1


async def test_releasing_old_pages_leaves_a_host_taken_again(world: World) -> None:
    frontier = world.frontier("w")
    await seed_hosts(frontier, hosts=1, pages=3)
    old = await frontier.claim(pages=2, per_host=2, lease_s=60)
    await frontier.record([page_of(old[0], world.clock)], given_back(old))
    new = await frontier.claim(pages=1, per_host=1, lease_s=60)
    await frontier.release(old[1:])
    host = (await world.hosts())["h0.example"]
    assert (host["leasedBy"], host["token"]) == ("w", new[0].token)
    assert (await frontier.outlook()).waiting == 1


async def test_the_best_pages_come_first_whosever_they_are(world: World) -> None:
    frontier = world.frontier("w")
    rewards = {"a": [90.0, 80.0, 10.0], "b": [85.0, 5.0], "c": [20.0]}
    await frontier.seed(
        [
            Seed(f"http://{host}.example/{place}", f"{host}.example", reward)
            for host, all_of_it in rewards.items()
            for place, reward in enumerate(all_of_it)
        ]
    )
    claims = await frontier.claim(pages=3, per_host=2, lease_s=60)
    assert [c.priority for c in claims] == [90.0, 85.0, 80.0]
    await frontier.record([], given_back(claims))
    claims = await frontier.claim(pages=3, per_host=2, lease_s=60)
    assert [c.priority for c in claims] == [20.0, 10.0, 5.0]
