"""Hosts by a name for many: blocked and forgotten at any port and below it, also those to come."""

from pathlib import Path

import pytest
from outcomes import given_back, link, page_of
from test_forget import everything
from worlds import MemoryWorld, Neo4jWorld, World

from graphcrawl import forget as forgetting
from graphcrawl import hosts
from graphcrawl.config import Paths
from graphcrawl.crawl.readmission import readmit
from graphcrawl.forget import Target, forget, look
from graphcrawl.frontier import Seed
from graphcrawl.models import Reason
from graphcrawl.urls import Scope, host_key

APEX, PORT, BELOW = "http://h.example/", "http://h.example:81/", "http://a.b.h.example:81/"
OTHER = "http://noth.example/"


async def seed(world: World, *urls: str) -> None:
    await world.frontier("w").seed([Seed(url, host_key(url)) for url in urls])


async def claimed(world: World) -> set[str]:
    world.clock.pass_s(1)
    claims = await world.frontier("w").claim(pages=99, per_host=9, lease_s=60)
    await world.frontier("w").release(claims)
    world.clock.pass_s(1)
    return {claim.host for claim in claims}


async def block(world: World, name: str) -> None:
    if isinstance(world, Neo4jWorld):
        await hosts.block(world.graph, [name], reason="asked to stop")
    else:
        assert isinstance(world, MemoryWorld)
        world.graph.host(name)["blockedAt"] = world.clock.now


async def test_hosts_that_are_found_later_are_blocked_by_the_name_above_them(world: World) -> None:
    frontier = world.frontier("w")
    await block(world, "*.h.example")
    await seed(world, OTHER, APEX)
    [claim] = await frontier.claim(pages=9, per_host=9, lease_s=60)
    assert claim.host == "noth.example"
    links = [link(url) for url in (PORT, BELOW, "http://c.example/")]
    await frontier.record([page_of(claim, world.clock, links)], given_back([claim]))
    assert await claimed(world) == {"c.example"}
    assert {name for name, host in (await world.hosts()).items() if "blockedAt" in host} == {
        "*.h.example", "h.example", "h.example:81", "a.b.h.example:81",
    }  # fmt: skip


async def test_a_name_blocks_what_is_known_and_frees_what_it_blocked(
    neo4j_world: Neo4jWorld,
) -> None:
    world = neo4j_world
    await seed(world, APEX, PORT, BELOW, OTHER)
    await hosts.block(world.graph, ["h.example:81"], reason="by itself")
    [done] = await hosts.block(world.graph, ["h.example:*"], reason="asked to stop")
    assert (done.host, done.known, done.before, done.hosts) == ("h.example:*", False, False, 2)
    assert await claimed(world) == {"a.b.h.example:81", "noth.example"}
    [done] = await hosts.block(world.graph, ["*.h.example"])
    assert done.hosts == 3
    assert await claimed(world) == {"noth.example"}
    rows = {row.host: row async for row in hosts.listed(world.graph)}
    assert rows["h.example"].block_reason == "asked to stop"
    assert rows["*.h.example"].state == rows["a.b.h.example:81"].state == "blocked"

    [done] = await hosts.unblock(world.graph, ["a.b.h.example:81"])  # an exception
    assert await claimed(world) == {"noth.example", "a.b.h.example:81"}
    await seed(world, "http://d.h.example/")
    assert await claimed(world) == {"noth.example", "a.b.h.example:81"}
    [done] = await hosts.unblock(world.graph, ["h.example:*"])
    assert (done.before, done.hosts) == (True, 1)
    assert "h.example" not in await claimed(world)  # the wider name holds on
    [done] = await hosts.unblock(world.graph, ["*.h.example"])
    assert done.hosts == 2
    assert await claimed(world) == {
        "noth.example", "a.b.h.example:81", "h.example", "d.h.example",
    }  # fmt: skip
    rows = {row.host: row async for row in hosts.listed(world.graph)}
    assert rows["h.example:81"].block_reason == "by itself"


async def test_pages_that_a_wider_crawl_admits_obey_the_name_too(neo4j_world: Neo4jWorld) -> None:
    world, frontier = neo4j_world, neo4j_world.frontier("w")
    await seed(world, OTHER)
    [claim] = await frontier.claim(pages=9, per_host=9, lease_s=60)
    outcome = page_of(claim, world.clock, [link(BELOW)], excluded=[(BELOW, Reason.SCOPE)])
    await frontier.record([outcome], given_back([claim]))
    await hosts.block(world.graph, ["*.h.example"])
    assert await readmit(world.graph, Scope.of([OTHER], "any"), private=True) == 1
    await frontier.refresh_hosts()
    assert await claimed(world) == set()


async def test_a_name_is_forgotten_with_all_its_hosts_and_keeps_them_away(
    neo4j_world: Neo4jWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forgetting, "FILL_ROUNDS", 0)
    world, frontier, paths = neo4j_world, neo4j_world.frontier("w"), Paths.locate(tmp_path)
    await seed(world, APEX, BELOW, OTHER)
    claims = {claim.url: claim for claim in await frontier.claim(pages=9, per_host=9, lease_s=60)}
    links = [link(PORT), link("http://x.h.example/")]
    await frontier.record([page_of(claims[OTHER], world.clock, links)], [])
    await frontier.record([page_of(claims[BELOW], world.clock, [link(OTHER)])], [])
    await world.ask("CREATE (:Origin {key: 'https://z.h.example:443', body: ''})")
    await hosts.block(world.graph, ["*.h.example"])
    target = Target.of("*.h.example")
    seen = await look(world.graph, target, paths)
    assert (seen.pages, seen.texts, seen.hosts, seen.origins) == (4, 1, 5, 1)
    assert ".h.example" in await everything(world)
    report = await forget(world.graph, target, paths)
    assert (report.pages, report.texts) == (4, 1)
    left = await everything(world)
    assert "/h.example" not in left
    assert ".h.example" not in left
    assert set(await world.pages()) == {OTHER}
    told = await frontier.seed([Seed(APEX, "h.example"), Seed(BELOW, "a.b.h.example:81")])
    assert told.forgotten == 2
    assert (await look(world.graph, Target.of("h.example:*"), paths)).pages == 0
