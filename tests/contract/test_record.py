"""One contract for both frontiers: what a recorded page does to the graph."""

import asyncio
from collections import defaultdict
from dataclasses import replace
from typing import Any

import pytest
from outcomes import failed, given_back, link, moved, page_of
from worlds import Neo4jWorld, World, state

from graphcrawl.frontier import Frontier, Seed
from graphcrawl.models import Claim, HostUpdate, Outcome, Reason

A, B, C, D = (f"http://{name}.example/" for name in "abcd")


async def claim_seeds(frontier: Frontier, *urls: str) -> list[Claim]:
    """Seed pages and claim them, in the order given."""
    await frontier.seed([Seed(url, url.split("/")[2], 100.0) for url in urls])
    return await claim(frontier, *urls)


async def claim(frontier: Frontier, *urls: str) -> list[Claim]:
    """Claim exactly these pages; all must wait."""
    claims = await frontier.claim(pages=99, per_host=99, lease_s=60)
    await frontier.release([c for c in claims if c.url not in urls])
    by_url = {c.url: c for c in claims}
    return [by_url[url] for url in urls]


async def visit(world: World, frontier: Frontier, url: str, *targets: str, feed: str = "") -> None:
    """Record a visit to a waiting page that links to the targets."""
    [mine] = await claim(frontier, url)
    await frontier.record(
        [page_of(mine, world.clock, map(link, targets), feed=feed)], given_back([mine])
    )
    world.clock.pass_s(1)


async def check_derived(world: World) -> None:
    """Compare what is kept with what can be computed from the rest."""
    pages, axons = await world.pages(), await world.axons()
    strength: dict[str, float] = defaultdict(float)
    in_links: dict[str, int] = defaultdict(int)
    for (source, target), axon in axons.items():
        strength[source] += axon["weight"]
        strength[target] += axon["weight"]
        in_links[target] += 1
    for url, page in pages.items():
        if state(page) == "Pruned":
            continue
        assert page["strength"] == pytest.approx(strength[url]), url
        assert page["inLinks"] == in_links[url], url
        grants = sum(float(grant.split()[0]) for grant in page["grants"])
        assert page["baseReward"] == pytest.approx(grants), url
        assert ("priority" in page) == (state(page) in {"Frontier", "Leased"}), url
    if isinstance(world, Neo4jWorld):
        best: dict[str, float] = {}
        for page in pages.values():
            if state(page) == "Frontier":
                best[page["host"]] = max(page["priority"], best.get(page["host"], -1e300))
        hosts = await world.hosts()
        assert {n: h["bestPriority"] for n, h in hosts.items() if "bestPriority" in h} == best


async def test_newborns_get_their_share(world: World) -> None:
    """Reward 100, four links of equal weight, one of them new: the newborn gets 2.5."""
    frontier = world.frontier("w")
    claims = await claim_seeds(frontier, A, B, C, D)
    new = A + "new"
    report = await frontier.record(
        [page_of(claims[0], world.clock, map(link, (B, C, D, new)))], given_back(claims)
    )
    page = (await world.pages())[new]
    assert page["reward"] == pytest.approx(2.5)
    assert (page["baseReward"], page["grants"], page["depth"]) == (0.0, [], 1)
    assert page["priority"] == page["reward"]
    assert state(page) == "Frontier"
    assert (report.neurons, report.axons, report.minted) == (1, 4, pytest.approx(2.5))
    await check_derived(world)


async def test_pages_that_need_scripts_are_told_until_they_do_not(world: World) -> None:
    one = world.frontier("w")
    [a, b] = await claim_seeds(one, A, B)
    shell, full = page_of(a, world.clock), page_of(b, world.clock)
    assert shell.page is not None
    shell = replace(shell, page=replace(shell.page, needs_script=True))
    await one.record([shell, full], given_back([a, b]))
    labels = {url: set(page["labels"]) for url, page in (await world.pages()).items()}
    assert {url for url in labels if "NeedsScript" in labels[url]} == {A}
    if isinstance(world, Neo4jWorld):
        [row] = await world.graph.run("explore/needs_script")
        assert (row["host"], row["pages"], row["example"]) == ("a.example", 1, A)


async def test_rules_that_pay_much_are_told_by_a_label(world: World) -> None:
    frontier = world.frontier("w")
    [a, b] = await claim_seeds(frontier, A, B)
    rich, poor = page_of(a, world.clock, points=100.0), page_of(b, world.clock, points=99.0)
    await frontier.record([rich, poor])
    pages = await world.pages()
    assert {url for url in pages if "RichlyRewarded" in pages[url]["labels"]} == {A}


async def test_newborns_share_by_weight_after_the_evaluation(world: World) -> None:
    frontier = world.frontier("w")
    [mine] = await claim_seeds(frontier, A)
    links = [link(A + "1", weight=1.0), link(A + "2", weight=0.5), link(A + "3", weight=0.5)]
    report = await frontier.record([page_of(mine, world.clock, links, points=20.0)])
    pages = await world.pages()
    assert pages[A]["reward"] == 120.0
    assert pages[A]["grants"] == ["100 seed seed", "20 job text"]
    assert {"Rewarded", "Seed", "Fetched"} <= pages[A]["labels"]
    assert "RichlyRewarded" not in pages[A]["labels"]  # what a seed is given is not counted
    assert [pages[A + k]["reward"] for k in "123"] == pytest.approx([6.0, 3.0, 3.0])
    assert report.granted == 20.0
    await check_derived(world)


async def test_the_first_of_a_batch_mints(world: World) -> None:
    frontier = world.frontier("w")
    first, second = await claim_seeds(frontier, A, B)
    await frontier.record(
        [
            page_of(first, world.clock, [link(C)]),
            page_of(second, world.clock, [link(C), link(D)]),
        ]
    )
    pages = await world.pages()
    assert (pages[C]["reward"], pages[D]["reward"]) == pytest.approx((10.0, 5.0))
    assert (pages[C]["inLinks"], pages[C]["strength"]) == (2, 2.0)
    await check_derived(world)


async def test_axons_hold_what_the_link_said(world: World) -> None:
    frontier = world.frontier("w")
    [mine] = await claim_seeds(frontier, A)
    await frontier.record([page_of(mine, world.clock, [link(B, weight=0.5), link(A)])])
    axons = await world.axons()
    assert list(axons) == [(A, B)]  # a page's link to itself is none
    axon = axons[A, B]
    assert (axon["weight"], axon["links"], axon["anchor"]) == (0.5, 1, "anchor")
    assert axon["firstSeenAt"] == axon["lastSeenAt"] == world.clock.now


async def test_excluded_targets_are_neurons_that_never_wait(world: World) -> None:
    frontier = world.frontier("w")
    [mine] = await claim_seeds(frontier, A)
    far = [(B, Reason.SCOPE), (C, Reason.DEPTH)]
    await frontier.record([page_of(mine, world.clock, map(link, (B, C, D)), excluded=far)])
    pages = await world.pages()
    assert [state(pages[url]) for url in (B, C, D)] == ["Excluded", "Excluded", "Frontier"]
    assert (pages[B]["reason"], pages[C]["reason"]) == ("scope", "depth")
    assert pages[B]["reward"] == pages[D]["reward"] == pytest.approx(10 / 3)
    assert set(await world.hosts()) == {"a.example", "d.example"}
    await check_derived(world)
    [next_] = await claim(frontier, D)  # a link that says nothing against it lets it wait
    await frontier.record([page_of(next_, world.clock, map(link, (B, C)), excluded=far[1:])])
    pages = await world.pages()
    assert (state(pages[B]), state(pages[C])) == ("Frontier", "Excluded")
    assert "reason" not in pages[B]
    await check_derived(world)


async def test_a_nearer_link_lowers_the_depth(world: World) -> None:
    frontier = world.frontier("w")
    [a, b] = await claim_seeds(frontier, A, B)
    await frontier.record([page_of(a, world.clock, [link(C)])], given_back([a]))
    await visit(world, frontier, C, D)
    assert (await world.pages())[D]["depth"] == 2
    await frontier.record([page_of(b, world.clock, [link(D)])])
    assert (await world.pages())[D]["depth"] == 1


async def test_links_that_look_like_feeds_come_first(world: World) -> None:
    frontier = world.frontier("w")
    [a, b] = await claim_seeds(frontier, A, B)
    await frontier.record(
        [page_of(a, world.clock, [link(C, feed_hint=0.25), link(D)])], given_back([a])
    )
    pages = await world.pages()
    assert pages[C]["priority"] == pytest.approx(5 + 25)
    assert "feedHint" not in pages[D]
    await frontier.record([page_of(b, world.clock, [link(C, feed_hint=1.0), link(D)])])
    pages = await world.pages()
    assert pages[C]["priority"] == pytest.approx(5 + 100)
    await check_derived(world)


async def test_two_recorders_of_one_page_one_is_accepted(world: World) -> None:
    frontiers = [world.frontier(f"w{i}") for i in range(2)]
    urls = [f"http://h{i}.example/" for i in range(12)]
    claims = await claim_seeds(frontiers[0], *urls)
    outcomes = [page_of(c, world.clock, [link(A), link(B)], points=1.0) for c in claims]
    reports = await asyncio.gather(
        *(frontier.record([outcome]) for outcome in outcomes for frontier in frontiers)
    )
    assert sum(report.fetched for report in reports) == 12
    assert sum(len(report.refused) for report in reports) == 12
    pages = await world.pages()
    assert all(pages[url]["reward"] == 101.0 for url in urls)
    assert pages[A]["inLinks"] == 12
    await check_derived(world)


async def test_recording_again_does_nothing(world: World) -> None:
    frontier = world.frontier("w")
    claims = await claim_seeds(frontier, A)
    batch = [page_of(claims[0], world.clock, [link(B)], points=5.0)]
    await frontier.record(batch, given_back(claims))
    before = (await world.pages(), await world.axons())
    report = await frontier.record(batch, given_back(claims))
    assert (report.accepted, report.refused, report.neurons) == (0, (A,), 0)
    assert (await world.pages(), await world.axons()) == before


async def test_failures_are_tried_again_and_then_given_up(world: World) -> None:
    frontier = world.frontier("w")
    claims = await claim_seeds(frontier, A)
    for tries in (1, 2, 3):
        outcome = failed(claims[0], world.clock, Reason.TIMEOUT, retry=True)
        report = await frontier.record([outcome], given_back(claims))
        page = (await world.pages())[A]
        assert page["tries"] == tries
        assert page["error"] == "timeout: a detail"
        if tries < 3:
            assert (report.put_off, state(page)) == (1, "Frontier")
            claims = await claim(frontier, A)
            assert claims[0].tries == tries
    assert (report.failed, state(page), page["reason"]) == (1, "Failed", "timeout")
    assert page["reward"] == 100.0
    await check_derived(world)


@pytest.mark.parametrize(
    ("reason", "status", "retry_after_s"),
    [
        (Reason.TOO_MANY_REQUESTS, 429, None),
        (Reason.HTTP_SERVER, 503, 3.0),
        (Reason.ROBOTS_UNREACHABLE, None, None),
    ],
)
async def test_postponed_pages_wait_ten_times(
    world: World, reason: Reason, status: int | None, retry_after_s: float | None
) -> None:
    frontier = world.frontier("w")
    claims = await claim_seeds(frontier, A)
    for _ in range(10):
        outcome = failed(
            claims[0], world.clock, reason, status=status, retry=True, retry_after_s=retry_after_s
        )
        assert (await frontier.record([outcome], given_back(claims))).put_off == 1
        claims = await claim(frontier, A)
        assert claims[0].tries == 0
    outcome = failed(
        claims[0], world.clock, reason, status=status, retry=True, retry_after_s=retry_after_s
    )
    assert (await frontier.record([outcome], given_back(claims))).failed == 1
    page = (await world.pages())[A]
    assert (state(page), page["reason"]) == ("Failed", str(reason))


async def test_a_page_waits_for_its_own_time_and_its_host_does_not(world: World) -> None:
    frontier = world.frontier("w")
    claims = await claim_seeds(frontier, A, B)
    outcome = failed(
        claims[0], world.clock, Reason.ROBOTS_UNREACHABLE, retry=True, page_wait_s=300.0
    )
    await frontier.record([outcome], given_back(claims[:1]))
    await frontier.release(claims[1:])
    world.clock.pass_s(2)
    assert [c.url for c in await frontier.claim(pages=9, per_host=9, lease_s=600)] == [
        claims[1].url
    ]
    outlook = await frontier.outlook()
    assert (outlook.waiting, outlook.next_due_s) == (1, 298.0)
    await frontier.reap()
    world.clock.pass_s(297)
    await frontier.reap()
    assert await frontier.claim(pages=9, per_host=9, lease_s=60) == []
    world.clock.pass_s(2)
    await frontier.reap()
    assert [c.url for c in await frontier.claim(pages=9, per_host=9, lease_s=60)] == [claims[0].url]


async def test_a_long_pause_parks_the_host(world: World) -> None:
    frontier = world.frontier("w")
    claims = await claim_seeds(frontier, A)
    outcome = failed(
        claims[0], world.clock, Reason.HTTP_SERVER, status=503, retry=True, retry_after_s=86400
    )
    update = HostUpdate(claims[0].host, 1.0, 86400.0, token=claims[0].token)
    await frontier.record([outcome], [update])
    host = (await world.hosts())[claims[0].host]
    assert "bestPriority" not in host
    outlook = await frontier.outlook()
    assert (outlook.waiting, outlook.due_hosts, outlook.next_due_s) == (1, 0, 86400.0)
    world.clock.pass_s(86400)
    await frontier.reap()
    assert len(await frontier.claim(pages=1, per_host=1, lease_s=60)) == 1


@pytest.mark.parametrize(
    ("reason", "label"),
    [
        (Reason.ROBOTS, "Excluded"),
        (Reason.TYPE, "Excluded"),
        (Reason.HTTP_CLIENT, "Failed"),
        (Reason.TOO_BIG, "Failed"),
    ],
)
async def test_what_is_not_fetched_has_a_reason(world: World, reason: Reason, label: str) -> None:
    frontier = world.frontier("w")
    claims = await claim_seeds(frontier, A)
    await frontier.record([failed(claims[0], world.clock, reason)])
    page = (await world.pages())[A]
    assert (state(page), page["reason"]) == (label, str(reason))


async def test_a_redirect_moves_the_reward(world: World) -> None:
    frontier = world.frontier("w")
    [a] = await claim_seeds(frontier, A)
    report = await frontier.record([moved(a, world.clock, B)], given_back([a]))
    assert (report.redirected, report.excluded, report.neurons, report.minted) == (1, 0, 1, 0.0)
    pages, axons = await world.pages(), await world.axons()
    assert (state(pages[A]), pages[A]["reason"], pages[A]["reward"]) == ("Excluded", "redirect", 0)
    assert (state(pages[B]), pages[B]["reward"], pages[B]["priority"]) == ("Frontier", 100, 100)
    assert (pages[B]["depth"], pages[B]["redirects"]) == (0, 1)
    assert "Seed" in pages[B]["labels"]
    assert pages[B]["grants"] == []
    assert (pages[A]["aliasOf"], pages[A]["handedOver"], axons) == (B, 100.0, {})
    await check_derived_redirect(world, total=100.0)


async def check_derived_redirect(world: World, total: float) -> None:
    pages = await world.pages()
    assert sum(page.get("reward", 0.0) for page in pages.values()) == pytest.approx(total)
    await check_derived(world)


async def test_redirects_to_a_known_page_add_up(world: World) -> None:
    frontier = world.frontier("w")
    a, b, _ = await claim_seeds(frontier, A, B, C)
    await frontier.record([moved(a, world.clock, C), moved(b, world.clock, C)])
    pages = await world.pages()
    assert [pages[url]["reward"] for url in (A, B, C)] == [0.0, 0.0, 300.0]
    await check_derived_redirect(world, total=300.0)


async def test_a_row_of_redirects_ends(world: World) -> None:
    frontier = world.frontier("w")
    urls = [f"http://r.example/{i}" for i in range(8)]
    claims = await claim_seeds(frontier, urls[0])
    for i in range(5):
        await frontier.record([moved(claims[0], world.clock, urls[i + 1])], given_back(claims))
        claims = await claim(frontier, urls[i + 1])
        assert claims[0].redirects == i + 1
    await frontier.record([moved(claims[0], world.clock, urls[6])], given_back(claims))
    page = (await world.pages())[urls[6]]
    assert (state(page), page["reason"]) == ("Excluded", "redirect-loop")
    assert page["reward"] == 100.0
    assert await frontier.claim(pages=9, per_host=9, lease_s=60) == []


async def test_redirects_that_lead_nowhere(world: World) -> None:
    frontier = world.frontier("w")
    a, b, c = await claim_seeds(frontier, A, B, C)
    away = moved(c, world.clock, D)
    away = Outcome(
        away.claim, away.fetch, page_of(c, world.clock, excluded=[(D, Reason.SCOPE)]).page
    )
    await frontier.record([moved(a, world.clock, A), moved(b, world.clock, ""), away])
    pages = await world.pages()
    assert (state(pages[A]), pages[A]["reason"]) == ("Failed", "redirect-loop")
    assert (state(pages[B]), pages[B]["reason"]) == ("Failed", "protocol")
    assert (state(pages[D]), pages[D]["reason"], pages[D]["reward"]) == ("Excluded", "scope", 100)
    assert await world.axons() == {}
    assert pages[C]["aliasOf"] == D


async def test_a_feed_pays_once_in_the_order_of_the_links(world: World) -> None:
    frontier = world.frontier("w")
    feed = "http://f.example/jobs.xml"
    claims = await claim_seeds(frontier, A, B, C, D)
    for place in (1, 0):  # B is recorded first
        await frontier.record([page_of(claims[place], world.clock, [link(feed)])])
        world.clock.pass_s(1)
    [mine] = await claim(frontier, feed)
    report = await frontier.record([page_of(mine, world.clock, [link(A)], feed="d1")])
    assert [(f.url, f.form, f.jobs) for f in report.feeds] == [(feed, "rss", 3)]
    assert report.paid == 1020.0
    await frontier.record([page_of(claims[2], world.clock, [link(feed)])])
    pages = await world.pages()
    assert [pages[url]["reward"] for url in (A, B, C, D)] == [120.0, 1100.0, 120.0, 100.0]
    assert pages[B]["grants"] == ["100 seed seed", f"1000 feed-new {feed}"]
    assert pages[A]["grants"] == ["100 seed seed", f"20 feed-known {feed}"]
    assert {"JobFeed", "Fetched"} <= pages[feed]["labels"]
    assert (pages[feed]["feedForm"], pages[feed]["feedJobs"]) == ("rss", 3)
    assert (pages[feed]["feedUrl"], pages[feed]["foundBy"]) == (feed, B)
    await check_derived(world)


async def test_a_feed_that_nobody_linked_to_pays_the_first_link_later(world: World) -> None:
    frontier = world.frontier("w")
    feed, a = await claim_seeds(frontier, "http://f.example/jobs.xml", A)
    await frontier.record([page_of(feed, world.clock, feed="d1")])
    await frontier.record([page_of(a, world.clock, [link(feed.url)])])
    assert (await world.pages())[A]["reward"] == 1100.0


async def test_links_and_feed_of_one_batch_pay_too(world: World) -> None:
    frontier = world.frontier("w")
    feed, a, b = await claim_seeds(frontier, "http://f.example/jobs.xml", A, B)
    links = [link(feed.url)]
    await frontier.record(
        [
            page_of(b, world.clock, links),
            page_of(feed, world.clock, feed="d1"),
            page_of(a, world.clock, links),
        ]
    )
    pages = await world.pages()
    assert [pages[url]["reward"] for url in (A, B)] == [1100.0, 120.0]  # same time: by URL


async def test_a_redirect_to_a_feed_is_the_same_feed(world: World) -> None:
    frontier = world.frontier("w")
    alias, feed = "http://f.example/feed", "http://f.example/jobs.xml"
    a, b, c = await claim_seeds(frontier, A, B, C)
    await frontier.record([page_of(a, world.clock, [link(alias)])], given_back([a]))
    world.clock.pass_s(1)
    [mine] = await claim(frontier, alias)
    await frontier.record([moved(mine, world.clock, feed)], given_back([mine]))
    world.clock.pass_s(1)
    await frontier.record([page_of(b, world.clock, [link(feed), link(alias)])], given_back([b]))
    [mine] = await claim(frontier, feed)
    report = await frontier.record([page_of(mine, world.clock, feed="d1")], given_back([mine]))
    assert report.paid == 1020.0
    await frontier.record([page_of(c, world.clock, [link(alias)])])
    pages = await world.pages()
    assert pages[alias]["feedUrl"] == pages[feed]["feedUrl"] == feed
    assert "JobFeed" not in pages[alias]["labels"]
    assert [pages[url]["baseReward"] for url in (A, B, C)] == [1100.0, 120.0, 120.0]
    assert not any("feed" in grant for grant in pages[alias]["grants"])
    await check_derived(world)


async def test_a_redirect_to_a_feed_known_before_pays(world: World) -> None:
    frontier = world.frontier("w")
    feed, alias, a, b = await claim_seeds(frontier, "http://f.example/x", "http://g.example/", A, B)
    await frontier.record([page_of(a, world.clock, [link(feed.url)])])
    await frontier.record([page_of(b, world.clock, [link(alias.url)])])
    await frontier.record([page_of(feed, world.clock, feed="d1")])
    report = await frontier.record([moved(alias, world.clock, feed.url)])
    assert report.paid == 20.0
    pages = await world.pages()
    assert pages[alias.url]["feedUrl"] == feed.url
    assert [pages[url]["baseReward"] for url in (A, B)] == [1100.0, 120.0]


async def test_the_same_content_is_the_same_feed(world: World) -> None:
    frontier = world.frontier("w")
    one, two = "http://f.example/1.xml", "http://g.example/2.xml"
    first, second, a, b = await claim_seeds(frontier, one, two, A, B)
    await frontier.record([page_of(a, world.clock, [link(one)])])
    await frontier.record([page_of(b, world.clock, [link(one), link(two)])])
    report = await frontier.record([page_of(first, world.clock, feed="same")])
    assert report.paid == 1020.0
    report = await frontier.record([page_of(second, world.clock, feed="same")])
    assert (report.feeds, report.paid) == ((), 0.0)  # B has been paid for this feed
    pages = await world.pages()
    assert pages[two]["feedUrl"] == one
    assert "JobFeed" not in pages[two]["labels"]
    assert state(pages[two]) == "Fetched"


async def test_the_same_content_twice_in_a_batch_is_one_feed(world: World) -> None:
    frontier = world.frontier("w")
    claims = await claim_seeds(frontier, A, B)
    report = await frontier.record([page_of(c, world.clock, feed="same") for c in claims])
    assert [feed.url for feed in report.feeds] == [A]
    pages = await world.pages()
    assert pages[A]["feedUrl"] == pages[B]["feedUrl"] == A


async def test_tombstones_stay_buried(world: World) -> None:
    frontier = world.frontier("w")
    await world.bury(B, "b.example", below=0.01, fetched=True)
    await world.bury(C, "c.example", below=9.0, fetched=False)
    await world.bury(D, "d.example", below=0.01, fetched=False)
    [a] = await claim_seeds(frontier, A)
    report = await frontier.record([page_of(a, world.clock, map(link, (B, C, D)))])
    assert (report.neurons, report.axons) == (1, 1)
    assert report.minted == pytest.approx(10 / 3)
    pages = await world.pages()
    assert [state(pages[url]) for url in (B, C, D)] == ["Pruned", "Pruned", "Frontier"]
    assert pages[D]["reward"] == pytest.approx(10 / 3)  # worth at least what it was pruned below
    assert "prunedBelow" not in pages[D]
    assert list(await world.axons()) == [(A, D)]
    await check_derived(world)


async def test_a_redirect_to_a_tombstone_keeps_the_reward(world: World) -> None:
    frontier = world.frontier("w")
    await world.bury(B, "b.example", below=0.01, fetched=True)
    [a] = await claim_seeds(frontier, A)
    await frontier.record([moved(a, world.clock, B)])
    pages = await world.pages()
    assert pages[A]["reward"] == 100.0
    assert state(pages[B]) == "Pruned"
    assert await world.axons() == {}


async def test_texts_are_kept_beside_the_neuron(neo4j_world: Neo4jWorld) -> None:
    frontier = neo4j_world.frontier("w")
    [a] = await claim_seeds(frontier, A)
    await frontier.record([page_of(a, neo4j_world.clock)])
    rows = await neo4j_world.ask(
        "MATCH (p)-[:HAS_TEXT]->(x:PageText) RETURN p.url AS url, x.text AS t"
    )
    assert rows == [{"url": A, "t": "Some text."}]


async def test_a_second_visit_changes_no_structure(neo4j_world: Neo4jWorld) -> None:
    """Visits are a later matter; the record must already bear them."""
    world, frontier = neo4j_world, neo4j_world.frontier("w")
    [a] = await claim_seeds(frontier, A)
    await frontier.record(
        [page_of(a, world.clock, [link(B), link(C)], points=5.0)], given_back([a])
    )
    await world.ask("MATCH (p:PageNeuron {url: $a}) SET p:Frontier, p.priority = 1000.0", a=A)
    await frontier.refresh_hosts()
    world.clock.pass_s(10)
    [a] = await claim(frontier, A)
    links = [link(C, weight=0.5), link(D)]
    await frontier.record([page_of(a, world.clock, links, points=5.0)], given_back([a]))
    pages, axons = await world.pages(), await world.axons()
    assert set(axons) == {(A, B), (A, C), (A, D)}
    assert axons[A, C]["weight"] == 0.5
    assert axons[A, C]["firstSeenAt"] < axons[A, C]["lastSeenAt"]
    assert pages[A]["baseReward"] == 105.0  # a rule pays once a page
    await check_derived(world)
    await world.ask("MATCH (p:PageNeuron {url: $a}) SET p:Frontier, p.priority = 1000.0", a=A)
    await frontier.refresh_hosts()
    [a] = await claim(frontier, A)
    await frontier.record([failed(a, world.clock, Reason.HTTP_CLIENT, status=404)])
    page = (await world.pages())[A]
    assert (state(page), page["title"], page["error"]) == (
        "Fetched",
        "A title",
        "http-4xx: a detail",
    )


async def test_a_page_that_neo4j_refuses_fails_alone(neo4j_world: Neo4jWorld) -> None:
    """A URL of 9,000 bytes is longer than an index key may be."""
    world, frontier = neo4j_world, neo4j_world.frontier("w")
    urls = [f"http://h{i}.example/" for i in range(5)]
    claims = await claim_seeds(frontier, *urls)
    outcomes = [page_of(c, world.clock, [link(c.url + "good")]) for c in claims]
    outcomes[3] = page_of(claims[3], world.clock, [link(urls[3] + "x" * 9000)])
    report = await frontier.record(outcomes, given_back(claims))
    assert (report.fetched, report.failed, report.unrecordable) == (4, 1, (urls[3],))
    pages = await world.pages()
    assert (state(pages[urls[3]]), pages[urls[3]]["reason"]) == ("Failed", "record")
    assert len(pages) == 9
    assert (await frontier.outlook()).leased == 0


async def test_every_kind_of_poisoned_row_fails_alone(neo4j_world: Neo4jWorld) -> None:
    """One batch with a lone surrogate, a number of 65 bits, a long URL; NUL and size are fine."""
    world, frontier = neo4j_world, neo4j_world.frontier("w")
    urls = [f"http://{name}.example/" for name in ("bits", "good", "half", "huge", "long", "nul")]
    claims = sorted(await claim_seeds(frontier, *urls), key=lambda claim: claim.url)
    made = [page_of(c, world.clock, [link(c.url + "next")], points=3.0) for c in claims]
    bits, good, half, huge, long, nul = made

    def altered(outcome: Outcome, **fields: Any) -> Outcome:
        assert outcome.page
        return replace(outcome, page=replace(outcome.page, **fields))

    text = "many words " * 400_000
    batch = [
        altered(bits, refused={"scheme": 2**64}),
        good,
        altered(half, title="\ud800"),
        altered(huge, title="t" * 10**6, text=text),
        altered(long, links=(link(urls[4] + "x" * 9000),)),
        altered(nul, title="a\0b", links=(replace(link(urls[5] + "next"), anchor="c\0d"),)),
    ]
    report = await frontier.record(batch, given_back(claims))
    poisoned = {urls[0], urls[2], urls[4]}
    assert set(report.unrecordable) == poisoned
    assert (report.fetched, report.failed, report.granted) == (3, 3, 9.0)
    pages = await world.pages()
    assert {u: state(pages[u]) for u in urls} == {
        u: "Failed" if u in poisoned else "Fetched" for u in urls
    }
    assert len(pages) == 9  # the poisoned ones left no part of themselves
    assert pages[urls[5]]["title"] == "a\0b"
    assert [len(row["text"]) for row in await world.ask(_TEXT, url=urls[3])] == [len(text)]
    assert (await frontier.outlook()).leased == 0
    await check_derived(world)


_TEXT = "MATCH (:PageNeuron {url: $url})-[:HAS_TEXT]->(t) RETURN t.text AS text"


async def test_the_crawl_counts_what_is_recorded(neo4j_world: Neo4jWorld) -> None:
    world, frontier = neo4j_world, neo4j_world.frontier("w")
    await world.graph.run("write/start_crawl", id="test-crawl", settings="{}", rulesDigest="r")
    a, b, c = await claim_seeds(frontier, A, B, C)
    await frontier.record([page_of(a, world.clock, [link(D)], points=7.0)])
    await frontier.record([failed(b, world.clock, Reason.DNS), moved(c, world.clock, D)])
    await world.graph.run("write/finish_crawl", id="test-crawl", stopReason="done")
    [row] = await world.ask("MATCH (c:Crawl) RETURN properties(c) AS c")
    counted = {k: row["c"][k] for k in ("fetched", "failed", "redirected", "neurons", "axons")}
    assert counted == {"fetched": 1, "failed": 1, "redirected": 1, "neurons": 1, "axons": 1}
    assert (row["c"]["granted"], row["c"]["stopReason"]) == (7.0, "done")


async def test_claims_and_records_side_by_side_never_wait_in_a_circle(
    neo4j_world: Neo4jWorld, caplog: pytest.LogCaptureFixture
) -> None:
    """Six workers crawl a web in which every page links to every host's pages."""
    world = neo4j_world
    urls = [f"http://h{h}.example/{p}" for h in range(6) for p in range(12)]
    await world.frontier("w").seed([Seed(url, url.split("/")[2], 100.0) for url in urls[::12]])

    async def work(frontier: Frontier) -> int:
        done = idle = 0
        while idle < 3:
            claims = await frontier.claim(pages=2, per_host=1, lease_s=60)
            idle = 0 if claims else idle + 1
            outcomes = [page_of(c, world.clock, map(link, urls)) for c in claims]
            report = await frontier.record(outcomes, given_back(claims))
            assert not report.refused
            done += report.fetched
            await asyncio.sleep(0 if claims else 0.1)
        return done

    assert sum(await asyncio.gather(*(work(world.frontier(f"w{i}")) for i in range(6)))) == 72
    assert "DeadlockDetected" not in caplog.text  # the driver would log it, and try again
    assert len(await world.axons()) == 72 * 71
    await check_derived(world)
