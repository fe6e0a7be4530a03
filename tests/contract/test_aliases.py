"""Pages that others stand for: one contract for the graph and its twin."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from outcomes import failed, given_back, link, moved, page_of
from worlds import MemoryWorld, Neo4jWorld, Node, World, state

from graphcrawl.frontier import Frontier, Seed
from graphcrawl.models import Claim, Outcome, Reason
from graphcrawl.rewards import prune, undo

A, B, C, D = (f"http://h.example/{name}" for name in "abcd")


async def claim(world: World, frontier: Frontier, url: str) -> Claim:
    """Lease a page, whatever became of it before."""
    host = url.split("/")[2]
    if isinstance(world, Neo4jWorld):
        await world.ask(
            "MATCH (p:PageNeuron {url: $url}) REMOVE p:Frontier "
            "SET p:Leased, p.leasedBy = 'w', p.leasedUntil = datetime() + duration('PT1H'),"
            " p.token = 7",
            url=url,
        )
    elif isinstance(world, MemoryWorld):
        page = world.graph.neurons[url]
        page["labels"] = page["labels"] - {"Frontier"} | {"Leased"}
        page |= {"token": 7, "leasedBy": "w", "leasedUntil": world.clock.now}
    return Claim(url, host, 0.0, 0, 7)


def naming(outcome: Outcome, target: str) -> Outcome:
    """Let a page name its canonical form, and link there as readers do."""
    assert outcome.page is not None
    links = outcome.page.links
    if all(known.url != target for known in links):
        links = (*links, replace(link(target), rel="canonical", anchor=""))
    return replace(outcome, page=replace(outcome.page, links=links, canonical=target))


async def seeds(frontier: Frontier, *urls: str) -> None:
    await frontier.seed([Seed(url, url.split("/")[2], 100.0) for url in urls])


def rewards(pages: dict[str, Node], *urls: str) -> list[float]:
    return [pages[url]["reward"] for url in urls]


async def test_a_canonical_gathers_links_and_reward_once_its_target_is_there(world: World) -> None:
    frontier = world.frontier("w")
    await seeds(frontier, A, B, C)
    await frontier.record([page_of(await claim(world, frontier, C), world.clock, [link(A)])])
    at_a = page_of(await claim(world, frontier, A), world.clock, [link(D)])
    await frontier.record([naming(at_a, B)])
    assert rewards(await world.pages(), A, B) == [100.0, 100.0]  # B has not been read
    await frontier.record([page_of(await claim(world, frontier, B), world.clock)])
    pages, axons = await world.pages(), await world.axons()
    assert rewards(pages, A, B) == [0.0, 200.0]
    assert pages[A]["aliasOf"] == B
    assert "Fetched" in state(pages[A])  # no page is lost
    assert set(axons) == {(C, B), (B, D)}
    assert {(axons[pair]["links"], axons[pair]["aliases"]) for pair in axons} == {(0, 1)}
    assert (pages[A]["strength"], pages[A]["inLinks"]) == (0.0, 0)
    assert (pages[B]["strength"], pages[B]["inLinks"]) == (2.0, 1)

    # a page that links to either of them links to what stands for both, once
    await frontier.record(
        [page_of(await claim(world, frontier, D), world.clock, [link(A), link(B)])]
    )
    axons = await world.axons()
    assert set(axons) == {(C, B), (B, D), (D, B)}
    assert (axons[D, B]["links"], axons[D, B]["aliases"], axons[D, B]["weight"]) == (1, 1, 1.0)
    # a seed's reward goes there too
    await frontier.seed([Seed(D, "h.example", 50.0)])
    total = sum(rewards(await world.pages(), A, B, C, D))

    # and when B is gone, A has its own again
    gone = failed(await claim(world, frontier, B), world.clock, Reason.HTTP_CLIENT, status=410)
    await frontier.record([gone])
    pages, axons = await world.pages(), await world.axons()
    assert "aliasOf" not in pages[A]
    assert sum(rewards(pages, A, B, C, D)) == pytest.approx(total)
    assert rewards(pages, A, B) == [100.0, 100.0]
    assert set(axons) == {(C, A), (A, D), (A, B), (D, A), (D, B)}
    assert all("aliases" not in axon for axon in axons.values())


async def test_what_an_alias_is_given_goes_to_what_stands_for_it(world: World) -> None:
    frontier = world.frontier("w")
    await seeds(frontier, A)
    [mine] = await frontier.claim(pages=1, per_host=1, lease_s=60)
    await frontier.record([moved(mine, world.clock, B)], given_back([mine]))
    [mine] = await frontier.claim(pages=1, per_host=1, lease_s=60)
    await frontier.record([moved(mine, world.clock, C)], given_back([mine]))
    pages = await world.pages()
    assert rewards(pages, A, B, C) == [0.0, 0.0, 100.0]
    assert [pages[url]["aliasOf"] for url in (A, B)] == [C, C]
    await frontier.seed([Seed(B, "h.example", 30.0)])  # it is a seed by now, but not paid as one
    pages = await world.pages()
    assert rewards(pages, A, B, C) == [0.0, 0.0, 130.0]
    assert pages[C]["priority"] == 130.0


async def test_undoing_a_prune_brings_aliases_back_whole(
    neo4j_world: Neo4jWorld, tmp_path: Path
) -> None:
    """Where they lead, and the links that another carries; in either order of the two archives."""
    world, frontier = neo4j_world, neo4j_world.frontier("w")
    await seeds(frontier, A, B, C)
    await frontier.record([page_of(await claim(world, frontier, C), world.clock, [link(A)])])
    at_a = page_of(await claim(world, frontier, A), world.clock, [link(B)])
    await frontier.record([naming(at_a, D)])
    await frontier.record([page_of(await claim(world, frontier, D), world.clock)])
    await frontier.record([moved(await claim(world, frontier, B), world.clock, D)])
    await world.ask("MATCH (p:PageNeuron) REMOVE p:Seed SET p.reward = 0.0")
    await world.ask("MATCH (p:PageNeuron {url: $url}) SET p.reward = 5.0", url=C)
    await world.ask("MATCH (p:PageNeuron) SET p.discoveredAt = datetime('2020-01-01')")

    async def all_of_it() -> tuple[str, str]:
        pages = await world.ask(
            "MATCH (p:PageNeuron) WITH p ORDER BY p.url RETURN labels(p) AS l, properties(p) AS p"
        )
        axons = await world.ask(
            "MATCH (a)-[r]->(b) WHERE a.url IS NOT NULL AND b.url IS NOT NULL"
            " RETURN a.url AS a, b.url AS b, type(r) AS t, properties(r) AS p ORDER BY t, a, b"
        )
        return (
            json.dumps(
                [[sorted(row["l"]), sorted(row["p"].items())] for row in pages], default=str
            ),
            json.dumps([[*row.values()] for row in axons], default=str, sort_keys=True),
        )

    before = await all_of_it()
    for order in (1, -1):
        pruned = [await prune(world.graph, archive_dir=tmp_path, spare_s=0) for _ in range(2)]
        assert [report.neurons for report in pruned] == [1, 2]  # D, then what it stood for
        for report in pruned[::order]:
            assert report.archive is not None
            await undo(world.graph, report.archive)
        assert await all_of_it() == before


async def test_both_worlds_fold_alike(neo4j_world: Neo4jWorld) -> None:
    """Sixty visits of seven pages, by chance, several in a batch."""
    rng = random.Random(5)
    urls = [f"http://h.example/{n}" for n in range(6)] + ["http://h.example/"]
    twin = MemoryWorld()
    worlds: list[World] = [neo4j_world, twin]
    for world in worlds:
        await seeds(world.frontier("w"), *urls)
    for _ in range(20):
        batch = [
            (url, rng.choice("ccrrpf"), rng.choice(urls), rng.sample(urls, 2))
            for url in rng.sample(urls, 3)
        ]
        for world in worlds:
            frontier = world.frontier("w")
            outcomes = []
            for url, kind, target, links in batch:
                mine = await claim(world, frontier, url)
                outcome = page_of(mine, world.clock, map(link, links))
                if kind == "r":
                    outcome = moved(mine, world.clock, target)
                elif kind == "f":
                    outcome = failed(mine, world.clock, Reason.HTTP_CLIENT, status=404)
                elif kind == "c" and target != url:
                    outcome = naming(outcome, target)
                outcomes.append(outcome)
            await frontier.record(outcomes)
            world.clock.pass_s(60)
        kept = ("aliasOf", "handedOver", "reward", "strength", "inLinks")
        mine_, its = await neo4j_world.pages(), await twin.pages()
        for url in urls:
            for key in kept:
                assert mine_[url].get(key) == pytest.approx(its[url].get(key)), (url, key)
        axons, twins = await neo4j_world.axons(), await twin.axons()
        assert axons.keys() == twins.keys()
        counts = ("links", "aliases", "weight")
        for pair, axon in axons.items():
            assert [axon.get(k) for k in counts] == [twins[pair].get(k) for k in counts]
    assert any("aliasOf" in page for page in (await twin.pages()).values())
