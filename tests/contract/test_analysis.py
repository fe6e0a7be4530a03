"""Frames of a small graph whose numbers are worked out by hand."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pandas as pd
import pytest

from graphcrawl import analysis
from graphcrawl.api import Connection
from graphcrawl.columns import FRAMES
from graphcrawl.errors import Neo4jUnreachableError, UsageError
from graphcrawl.graph import Address, Graph

SAMPLE = """
CREATE (s:PageNeuron:Seed:Fetched {url: 'http://a.example/', host: 'a.example', title: 'Start',
  depth: 0, reward: 50.0, baseReward: 103.0, grants: ['100 seed seed', '3 job text'],
  strength: 2.0, inLinks: 0, bytes: 10, status: 200, worth: 0.25,
  discoveredAt: datetime('2026-01-31T09:00Z'), fetchedAt: datetime('2026-01-31T11:00+01:00')})
CREATE (b:PageNeuron:Fetched {url: 'http://b.example/', host: 'b.example', depth: 1, reward: 5.0,
  grants: ['1000 feed-new feed'], strength: 2.0, inLinks: 1, bytes: 20, status: 200, worth: 0.0,
  fetchedAt: datetime('2026-01-31T10:00:30Z')})
CREATE (f:PageNeuron:Fetched:JobFeed {url: 'http://b.example/f', host: 'b.example', depth: 2,
  reward: 20.0, strength: 1.0, inLinks: 1, bytes: 30, status: 200, worth: 1.0,
  fetchedAt: datetime('2026-01-31T10:01Z')})
CREATE (w:PageNeuron:Frontier {url: 'http://b.example/w', host: 'b.example', depth: 1,
  reward: 0.05, strength: 1.0, inLinks: 1, priority: 1.0,
  discoveredAt: datetime('2020-01-01T00:00Z')})
CREATE (:PageNeuron:Failed {url: 'http://c.example/', host: 'c.example', depth: 1, reward: 0.0,
  strength: 0.0, inLinks: 0, reason: 'dns', fetchedAt: datetime('2026-01-31T10:00:10Z')})
CREATE (:PageNeuron:Pruned {url: 'http://c.example/old', host: 'c.example',
  prunedAt: datetime('2026-01-31T12:00Z'), prunedBelow: 0.01})
CREATE (s)-[:LINK_AXON {weight: 1.0, links: 2, anchor: 'b',
          firstSeenAt: datetime('2026-01-31T10:00Z'),
          lastSeenAt: datetime('2026-01-31T10:00Z')}]->(b),
       (s)-[:LINK_AXON {weight: 1.0, links: 1, anchor: 'w'}]->(w),
       (b)-[:LINK_AXON {weight: 1.0, links: 1, anchor: 'XML'}]->(f)
CREATE (:Host {name: 'b.example', requests: 7, delayS: 1.5})
CREATE (:Crawl {id: 'one', startedAt: datetime('2026-01-31T10:00Z'), settings: '{}',
  rulesDigest: '', order: 'reward', rewardMode: 'neural', fetched: 3, failed: 1})
"""


@pytest.fixture
async def sample(
    graph: Graph, neo4j_address: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Connection]:
    """Six pages on three hosts, opened as a notebook does."""
    for name in list(os.environ):
        if name.startswith("NEO4J_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("NEO4J_URI", neo4j_address.uri)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_address.password)
    monkeypatch.setenv("GRAPHCRAWL_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    await graph.run_schema(SAMPLE)
    opened = await analysis.open_crawled("test")
    yield opened
    await opened.close()


async def test_every_frame_has_its_columns_and_types(sample: Connection) -> None:
    for name, (_, columns) in FRAMES.items():
        more = ["http://a.example/"] if name in ("neighbourhood", "feeders") else []
        found = await getattr(analysis, name)(sample, *more)
        one = found if isinstance(found, pd.DataFrame) else found[0]
        assert {c.name: c.dtype for c in columns} == {n: str(t) for n, t in one.dtypes.items()}, (
            name
        )
        assert len(one) or (name, more) == ("feeders", []), name


async def test_the_size_is_told(sample: Connection) -> None:
    told = (await analysis.size(sample)).told
    assert told.startswith("This is the graph 'test': 5 pages on 1 hosts and 3 axons between them.")
    assert "3 are fetched, 1 wait, 1 failed and 1 are job feeds; 1 more were pruned." in told
    assert "There are 75 points of reward" in told


async def test_pages_take_where_limit_columns_and_an_order(sample: Connection) -> None:
    found = await analysis.pages(
        sample, "state=fetched", limit=2, columns=["reward", "url", "fetched_at"]
    )
    assert list(found.columns) == ["reward", "url", "fetched_at"]
    assert found["reward"].tolist() == [50.0, 20.0]
    assert str(found["fetched_at"][0]) == "2026-01-31 10:00:00+00:00"
    poorest = await analysis.pages(sample, ["reward>0", "depth<2"], reverse=True)
    assert poorest["reward"].tolist() == [0.05, 5.0, 50.0]
    assert (await analysis.pages(sample, sort="url"))["url"].is_monotonic_increasing
    assert len(await analysis.pages(sample, limit=0)) == 6
    for wrong in ({"where": "rewrd>1"}, {"columns": ["nope"]}, {"sort": "feed"}, {"limit": -1}):
        with pytest.raises(UsageError):
            await analysis.pages(sample, **wrong)


async def test_more_rows_than_a_million_have_to_be_asked_for(
    sample: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphcrawl.analysis.rows.MAX_ROWS", 2)
    for name in ("pages", "axons", "harvest", "orders"):
        with pytest.raises(UsageError, match="a frame of more than 2 rows") as caught:
            await getattr(analysis, name)(sample)
        assert "limit=0" in caught.value.hint
    assert len(await analysis.pages(sample, limit=0)) == 6
    assert len(await analysis.pages(sample, limit=3)) == 3
    assert len(await analysis.pages(sample, "host=c.example")) == 2  # not more than allowed
    assert len(await analysis.axons(sample, "seed=yes")) == 2
    assert len(await analysis.grants(sample, "seed=yes")) == 2
    with pytest.raises(UsageError):
        await analysis.grants(sample)


async def test_axons_leave_the_pages_that_pass(sample: Connection) -> None:
    [axon] = (await analysis.axons(sample, "host=b.example")).to_dict("records")
    assert (axon["source"], axon["target"]) == ("http://b.example/", "http://b.example/f")
    assert (axon["source_host"], axon["anchor"], axon["weight"]) == ("b.example", "XML", 1.0)
    assert len(await analysis.axons(sample)) == 3


async def test_hosts_by_yield_and_cost(sample: Connection) -> None:
    found = (await analysis.hosts(sample)).set_index("host")
    assert found.index.tolist() == ["b.example", "a.example", "c.example"]
    b, a, c = (found.loc[host] for host in found.index)
    assert (b["pages"], b["fetched"], b["waiting"], b["feeds"], b["earning"]) == (3, 2, 1, 1, 1)
    assert (b["granted"], b["granted_per_page"], b["bytes"], b["requests"]) == (1000, 500, 50, 7)
    assert (b["reward"], b["delay_s"]) == (pytest.approx(25.05), 1.5)
    assert (a["granted"], a["requests"]) == (3, 0)  # what the seed began with is no yield
    assert (c["pages"], c["failed"], c["pruned"]) == (2, 1, 1)
    assert pd.isna(c["granted_per_page"])


async def test_reward_by_depth_bins_and_grants(sample: Connection) -> None:
    depths = await analysis.depths(sample)
    assert depths["pages"].tolist() == [1, 3, 1]
    assert depths["granted"].tolist() == [3.0, 1000.0, 0.0]
    assert depths["mean_reward"].tolist() == pytest.approx([50.0, 5.05 / 3, 20.0])
    assert depths["median_reward"].tolist() == pytest.approx([50.0, 0.05, 20.0])
    bins = await analysis.reward_bins(sample, per_decade=1)
    shown = bins[["from_reward", "to_reward", "state", "pages"]].dropna().to_numpy().tolist()
    assert shown == [
        [pytest.approx(0.01), pytest.approx(0.1), "waiting", 1],
        [1.0, 10.0, "fetched", 1],
        [10.0, 100.0, "feed", 1],
        [10.0, 100.0, "fetched", 1],
    ]
    assert bins[bins["from_reward"].isna()]["pages"].tolist() == [1]
    assert bins["reward"].sum() == pytest.approx(75.05)
    with pytest.raises(UsageError):
        await analysis.reward_bins(sample, per_decade=0)
    grants = await analysis.grants(sample, "seed=yes")
    assert sorted(zip(grants["rule"], grants["points"], grants["place"], strict=True)) == [
        ("job", 3.0, "text"),
        ("seed", 100.0, "seed"),
    ]


async def test_degrees(sample: Connection) -> None:
    found = (await analysis.degrees(sample)).to_numpy().tolist()
    assert found == [["in", 0, 2], ["in", 1, 3], ["out", 0, 1], ["out", 1, 1], ["out", 2, 1]]


async def test_a_harvest_is_in_the_order_of_visits(sample: Connection) -> None:
    found = await analysis.harvest(sample)
    assert found["host"].tolist() == ["a.example", "c.example", "b.example", "b.example"]
    assert found["elapsed_s"].tolist() == [0.0, 10.0, 30.0, 60.0]
    assert found["worth_so_far"].tolist() == [0.25, 0.25, 0.25, 1.25]
    assert found["points_so_far"].tolist() == [3.0] * 4  # feeds and seeds are no rules
    assert found["feeds_so_far"].tolist() == [0, 0, 0, 1]
    few = await analysis.harvest(sample, limit=2, columns=["feeds_so_far", "number"])
    assert few.to_numpy().tolist() == [[0, 1], [0, 2]]


async def test_other_orders_find_the_same(sample: Connection) -> None:
    found = await analysis.orders(sample, "bfs,random")
    last = found.groupby("order").last()
    assert sorted(last.index) == ["as crawled", "bfs", "random"]
    assert last["worth"].tolist() == [1.25] * 3
    assert last["share_of_worth"].tolist() == [1.0] * 3


async def test_a_neighbourhood_grows_hop_by_hop(sample: Connection) -> None:
    one, axons = await analysis.neighbourhood(sample, "http://a.example/")
    assert dict(zip(one["url"], one["hop"], strict=True)) == {
        "http://a.example/": 0,
        "http://b.example/": 1,
        "http://b.example/w": 1,
    }
    assert len(axons) == 2
    two, axons = await analysis.neighbourhood(sample, "http://a.example/", hops=2)
    assert two["hop"].tolist() == [0, 1, 1, 2]
    assert len(axons) == 3
    few, _ = await analysis.neighbourhood(sample, "http://a.example/", hops=2, limit=2)
    assert few["url"].tolist() == ["http://a.example/", "http://b.example/"]  # the richer one
    for url, more in (("http://nowhere.example/", {}), ("a.example", {"hops": 0}), ("", {})):
        with pytest.raises(UsageError):
            await analysis.neighbourhood(sample, url, **more)
    with pytest.raises(UsageError):
        await analysis.neighbourhood(sample, "a.example", limit=301)


async def test_who_feeds_a_page(sample: Connection) -> None:
    found = await analysis.feeders(sample, "http://b.example/", columns=["url", "points", "share"])
    assert found["url"].tolist() == ["http://a.example/", "http://b.example/f"]
    assert found["points"].tolist() == pytest.approx([2.5, 2.0])  # a tenth of 50 · 1/2 and of 20
    with pytest.raises(UsageError, match="has no page"):
        await analysis.feeders(sample, "http://nowhere.example/")


async def test_what_pruning_would_do(sample: Connection) -> None:
    found = await analysis.prune_previews(sample, [0.01, 0.1, 100])
    assert found["goes"].tolist() == [1, 2, 3]  # seed and feed are spared
    assert found["spared"].tolist() == [0, 0, 2]
    assert found["stays"].tolist() == [4, 3, 2]
    gone = await analysis.tombstones(sample)
    assert gone["pruned_below"].tolist() == [0.01]
    assert gone["fetched_at"].isna().all()


async def test_a_graph_that_is_not_there_says_what_to_type(
    sample: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sample.graph.run_schema("MATCH (n:PageNeuron) DETACH DELETE n")
    with pytest.raises(UsageError, match="'test' is empty") as empty:
        await analysis.open_crawled("test")
    assert "graphcrawl --graph test crawl URL" in empty.value.hint
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    with pytest.raises(Neo4jUnreachableError):
        await analysis.open_crawled("test")
    monkeypatch.delenv("NEO4J_URI")
    with pytest.raises(UsageError, match="no graph 'demo' yet") as unknown:
        await analysis.open_crawled("demo")
    assert unknown.value.hint == "Make it in a terminal: graphcrawl demo"
    assert not (tmp_path / "home" / "graphs").exists()  # and none was made
