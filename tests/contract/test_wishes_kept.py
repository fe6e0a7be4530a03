"""Wishes in the graph: kept, obeyed for texts of earlier visits too, and at the time they name."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from outcomes import failed, given_back, page_of
from worlds import Neo4jWorld, World

from graphcrawl import look, where
from graphcrawl.config import load_settings
from graphcrawl.crawl.origins import load_robots, robots_of
from graphcrawl.crawl.readmission import readmit
from graphcrawl.frontier import Seed
from graphcrawl.graph import Graph
from graphcrawl.models import Outcome, Page, Reason
from graphcrawl.robots import RobotsFile
from graphcrawl.unavailable import drop_unavailable
from graphcrawl.urls import Scope

A, B = "http://a.example/", "http://b.example/"
RULES = "User-agent: *\nDisallow: /x\nCrawl-delay: 99"


def wishing(outcome: Outcome, *wishes: str, **more: object) -> Outcome:
    page = replace(outcome.page or Page(), wishes=wishes, **more)  # type: ignore[arg-type]
    return replace(outcome, page=page)


async def test_wishes_come_and_go_with_the_page(world: World) -> None:
    frontier = world.frontier("w")
    await frontier.seed([Seed(A, "a.example", 100.0)])
    [claim] = await frontier.claim(pages=1, per_host=1, lease_s=60)
    kept = wishing(page_of(claim, world.clock), "noai", "noindex", reserved=True, text_refused=True)
    await frontier.record([kept], given_back([claim]))
    page = (await world.pages())[A]
    assert (page["wishes"], page["reserved"]) == (["noai", "noindex"], True)


async def visit(world: Neo4jWorld, url: str = A, *wishes: str, **more: object) -> None:
    """Record a visit to a page, new or visited before."""
    frontier = world.frontier("w")
    await frontier.seed([Seed(url, url.split("/")[2], 100.0)])
    await world.ask(
        "MATCH (p:PageNeuron {url: $url}) SET p:Frontier, p.priority = 1.0 "
        "MERGE (h:Host {name: p.host}) SET h.bestPriority = 1.0",
        url=url,
    )
    [claim] = await frontier.claim(pages=1, per_host=1, lease_s=60)
    outcome = wishing(page_of(claim, world.clock), *wishes, **more)
    await frontier.record([outcome], given_back([claim]))
    world.clock.pass_s(1)


async def texts(world: Neo4jWorld) -> int:
    return int((await world.ask("MATCH (x:PageText) RETURN count(x) AS n"))[0]["n"])


async def test_texts_go_when_their_owner_says_so(neo4j_world: Neo4jWorld) -> None:
    world = neo4j_world
    await visit(world)
    assert await texts(world) == 1
    await visit(world, A, "noarchive", text=None, text_refused=True)
    assert await texts(world) == 0
    await visit(world)
    assert await texts(world) == 1
    assert "wishes" not in (await world.pages())[A]

    until = world.clock.now + timedelta(hours=1)
    await visit(world, A, "unavailable_after=then", unavailable_after=until)
    until_ms = int(until.timestamp() * 1000)
    assert await drop_unavailable(world.graph, until_ms - 1) == 0
    assert await texts(world) == 1
    assert await drop_unavailable(world.graph, until_ms) == 1
    assert await texts(world) == 0
    assert await drop_unavailable(world.graph, until_ms) == 0


async def test_pages_are_found_by_wishes(neo4j_world: Neo4jWorld) -> None:
    graph = neo4j_world.graph
    await visit(neo4j_world, A, "noai", "nofollow", reserved=True)
    await visit(neo4j_world, B)

    async def found(text: str) -> list[str]:
        return sorted([row.url async for row in look.pages(graph, where.parse([text]))])

    assert await found("wish=noai") == await found("reserved=yes") == [A]
    assert await found("wish!=noai") == await found("reserved=no") == [B]
    [row] = [row async for row in look.pages(graph, where.parse(["wish=NoFollow"]))]
    assert (row.wishes, row.reserved) == (("noai", "nofollow"), True)


async def test_however_many_workers_a_file_is_fetched_once(graph: Graph) -> None:
    settings = load_settings()
    asked: list[str] = []

    class Web:
        async def download_robots(self, origin: str) -> RobotsFile:
            asked.append(origin)
            await asyncio.sleep(0.2)
            now = datetime.now(UTC)
            return RobotsFile(origin, 200, RULES, now, now)

    workers = [robots_of(graph, Web(), f"w{n}", settings) for n in range(4)]  # type: ignore[arg-type]
    verdicts = await asyncio.gather(*(robots.check(f"{A}x") for robots in workers))
    assert {(v.allowed, v.reason) for v in verdicts} == {(False, Reason.ROBOTS)}
    assert asked == ["http://a.example:80"]
    kept = await load_robots(graph, "http://a.example:80")
    assert kept is not None
    assert (kept.body, kept.crawl_delay_s) == (RULES, 99.0)


async def test_pages_wait_again_once_robots_txt_opens_them(neo4j_world: Neo4jWorld) -> None:
    world, graph = neo4j_world, neo4j_world.graph
    pages = [f"{A}x", f"{A}y", f"{B}x"]
    frontier = world.frontier("w")
    await frontier.seed([Seed(url, url.split("/")[2], 100.0) for url in pages])
    claims = await frontier.claim(pages=3, per_host=3, lease_s=60)
    closed = [failed(claim, world.clock, Reason.ROBOTS) for claim in claims]
    await frontier.record(closed, given_back(claims))
    now = datetime.now(UTC)
    for origin, rules in (("http://a.example:80", "User-agent: *\nDisallow: /x"),):
        await graph.run(
            "frontier/robots_save",
            origin=origin,
            status=200,
            body=rules,
            fetchedAt=now,
            expiresAt=now,
            crawlDelayS=None,
        )
    scope = Scope.of(pages, "host")
    assert await readmit(graph, scope, private=False) == 1  # /y, which is open by now
    assert await readmit(graph, scope, private=False, own_hosts=["b.example"]) == 1
    waiting = {url for url, page in (await world.pages()).items() if "Frontier" in page["labels"]}
    assert waiting == {f"{A}y", f"{B}x"}


async def test_a_claim_on_a_file_ends_by_itself(graph: Graph) -> None:
    async def claim(worker: str, now_ms: int) -> bool:
        rows = await graph.run(
            "frontier/robots_claim",
            origin="http://a.example:80",
            worker=worker,
            asOf=datetime.now(UTC),
            claimS=60,
            nowMs=now_ms,
        )
        return bool(rows)

    assert [await claim("w", 0), await claim("v", 59_999), await claim("w", 0)] == [
        True,
        False,
        True,
    ]
    assert await load_robots(graph, "http://a.example:80") is None
    assert await claim("v", 60_000)
    await graph.run("frontier/robots_release", origin="http://a.example:80", worker="w")
    assert not await claim("w", 60_000)  # it is another's by now
    await graph.run("frontier/robots_release", origin="http://a.example:80", worker="v")
    assert await claim("w", 60_000)
