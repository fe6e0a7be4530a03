"""What the looking commands find in a real Neo4j, and that every saved query runs there."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphcrawl import cli, look, queries, saved_queries, where
from graphcrawl.errors import Neo4jError
from graphcrawl.graph import Address, Graph
from graphcrawl.limits import Cause
from graphcrawl.look import Bound
from graphcrawl.states import State

NOW = datetime(2026, 1, 31, 12, tzinfo=UTC)
A, B, FEED, GONE, NEW = (f"http://a.example/{n}" for n in ("", "b", "feed.xml", "gone", "new"))
SAMPLE = f"""
CREATE (a:PageNeuron:Fetched:Seed:Rewarded {{url: '{A}', host: 'a.example', depth: 0, reward: 50.0,
  baseReward: 111.0, grants: ['100 seed seed', '10 taleo links', '1 job text'], title: 'Nurses',
  strength: 3.0, inLinks: 1, bytes: 2048, status: 200, language: 'en',
  fetchedAt: datetime('2026-01-31T10:00Z'), discoveredAt: datetime('2026-01-30T10:00Z')}})
CREATE (b:PageNeuron:Fetched {{url: '{B}', host: 'a.example', depth: 1, reward: 5.0, strength: 2.0,
  inLinks: 1, bytes: 100, status: 200, fetchedAt: datetime('2026-01-31T11:00Z')}})
CREATE (f:PageNeuron:Fetched:JobFeed {{url: '{FEED}', host: 'a.example', depth: 2, reward: 7.0,
  feedJobs: 3, feedUrl: '{FEED}', strength: 1.0, inLinks: 1}})
CREATE (:PageNeuron:Failed {{url: '{GONE}', host: 'b.example', depth: 1, reward: 0.5,
  reason: 'http-4xx', error: '404 Not Found', status: 404}})
CREATE (n:PageNeuron:Frontier {{url: '{NEW}', host: 'a.example', depth: 1, reward: 2.0,
  priority: 102.0, strength: 1.0, inLinks: 1}})
CREATE (:PageNeuron:Leased {{url: 'http://b.example/', host: 'b.example', reward: 1.0,
  leasedUntil: datetime('2026-01-31T11:59Z')}})
CREATE (:PageNeuron:Pruned {{url: 'http://b.example/old', host: 'b.example'}})
CREATE (a)-[:LINK_AXON {{weight: 1.0, anchor: 'more', rel: ''}}]->(b),
       (b)-[:LINK_AXON {{weight: 1.0, anchor: 'back', rel: ''}}]->(a),
       (b)-[:LINK_AXON {{weight: 1.0, anchor: 'XML', rel: ''}}]->(f),
       (a)-[:LINK_AXON {{weight: 1.0, anchor: 'new', rel: ''}}]->(n)
CREATE (:Host {{name: 'a.example', bestPriority: 102.0, failures: 0,
  nextFetchAt: datetime('2026-01-31T12:00:02Z')}}),
       (:Host {{name: 'b.example', failures: 5, parkedUntil: datetime('2999-01-01T00:00:00Z')}})
CREATE (:Crawl {{id: 'old', startedAt: datetime('2026-01-01T00:00Z')}}),
       (:Crawl {{id: 'last', startedAt: datetime('2026-01-31T09:00Z'),
  finishedAt: datetime('2026-01-31T09:05Z'), stopReason: 'max-pages'}})
"""


@pytest.fixture
async def sample(graph: Graph) -> Graph:
    """A graph of seven pages in every state, on two hosts."""
    await graph.run_schema(SAMPLE)
    return graph


async def found(graph: Graph, *filters: str, **options: Any) -> list[str]:
    return [page.url async for page in look.pages(graph, where.parse(filters), **options)]


async def test_status(sample: Graph) -> None:
    status = await look.status(sample, now=NOW)
    assert status.counts == look.Counts(
        neurons=6, axons=4, frontier=1, leased=1, fetched=3, failed=1, excluded=0, pruned=1,
        seeds=1, rewarded=1, feeds=1, needs_script=0,
    )  # fmt: skip
    assert status.hosts == look.Hosts(hosts=2, waiting=1, due=0, parked=1, next_due_s=2.0)
    assert status.limited_by is Bound.POLITENESS
    assert status.rewards == look.Rewards(65.5, 50.0, 111.0, 0)
    assert [w.url for w in status.frontier_head] == [NEW]
    assert status.expired_leases == 1
    assert status.last_crawl is not None
    assert (status.last_crawl.id, status.last_crawl.stop_reason) == ("last", "max-pages")


async def test_status_of_an_empty_graph(graph: Graph) -> None:
    status = await look.status(graph)
    assert status.counts.neurons == 0
    assert status.hosts.hosts == 0
    assert status.rewards.total == 0
    assert status.limited_by is Bound.FRONTIER
    assert status.last_crawl is None


async def test_status_tells_a_run_that_is_alive_from_one_that_was_killed(sample: Graph) -> None:
    await sample.run(
        "write/start_crawl", id="now", settings="{}", rulesDigest="x", order="reward",
        nowMs=int(NOW.timestamp() * 1000),
    )  # fmt: skip

    async def limit(after_s: float) -> tuple[str, int]:
        status = await look.status(sample, now=NOW + timedelta(seconds=after_s))
        return status.limit.cause, len(status.runs)

    assert await limit(1) == (Cause.STARTING, 1)
    beat = {"id": "now", "cause": Cause.PARSING, "phrase": "parsing"}
    await sample.run("write/beat", **beat, nowMs=int(NOW.timestamp() * 1000) + 10_000)
    assert await limit(20) == (Cause.PARSING, 1)
    assert await limit(30) == (Cause.NO_RUN, 0)  # silent for more than 15 s: killed
    await sample.run("write/finish_crawl", id="now", stopReason="pages")
    assert await limit(20) == (Cause.NO_RUN, 0)
    slow = [(host.host, host.latency_s) for host in await look.slow_hosts(sample)]
    assert slow == []
    await sample.run_schema("MATCH (h:Host {name: 'a.example'}) SET h.latencyS = 0.5")
    assert [(h.host, h.latency_s) for h in await look.slow_hosts(sample)] == [("a.example", 0.5)]


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("reward>=5", [A, FEED, B]),
        ("reward>=5 depth<2", [A, B]),
        ("state=frontier", [NEW]),
        ("state!=fetched reward>0.9", [NEW, "http://b.example/"]),
        ("host=b.example state=failed", [GONE]),
        ("title~nURSE", [A]),
        ("language!=en state=fetched", [FEED, B]),  # a page without a language is not English
        ("rule=taleo", [A]),
        ("rule!=taleo state=fetched", [FEED, B]),
        ("feed=yes", [FEED]),
        ("seed=yes feed=no", [A]),
        ("bytes>1KiB", [A]),
        ("fetched_at>2026-01-31T10:30", [B]),
        ("fetched_at<=2026-01-31T12:00+02:00", [A]),
        ("reason=http-4xx", [GONE]),
        ("status=404", [GONE]),
        ("url~xml", [FEED]),
        ("reward>1e6", []),
    ],
)
async def test_filters(sample: Graph, text: str, urls: list[str]) -> None:
    assert await found(sample, text) == urls


async def test_a_filter_is_data_and_never_cypher(sample: Graph) -> None:
    attack = "' OR true //"
    assert await found(sample, f'url="{attack}"', f'title~"{attack}"') == []


async def test_order(sample: Graph) -> None:
    by_reward = await found(sample)
    assert by_reward[:3] == [A, FEED, B]
    assert by_reward[-1] == "http://b.example/old"  # no reward at all
    upward = await found(sample, reverse=True)
    assert upward[0] == GONE
    assert upward[-1] == "http://b.example/old"  # … is last in either order
    assert (await found(sample, sort="depth"))[0] == A
    assert await found(sample, sort="url") == sorted(by_reward)
    assert (await found(sample, sort="fetched_at"))[:2] == [B, A]
    assert len(await found(sample, limit=2)) == 2
    assert len(await found(sample, limit=0)) == 7


async def test_a_page_in_full(sample: Graph) -> None:
    [page] = [page async for page in look.pages(sample, where.parse([f"url={A}"]))]
    assert page.state is State.FETCHED
    assert page.grants == ("100 seed seed", "10 taleo links", "1 job text")
    assert (page.seed, page.feed, page.base_reward, page.in_links) == (True, False, 111.0, 1)
    assert page.fetched_at == datetime(2026, 1, 31, 10, tzinfo=UTC)


@pytest.mark.parametrize("saved", saved_queries.listed(), ids=lambda saved: saved.name)
async def test_every_query_for_people_runs(sample: Graph, saved: queries.Statement) -> None:
    values = {"url": A, "limit": 5}
    rows = await sample.run(
        saved.name, **{k: v for k, v in values.items() if k in saved.parameters}
    )
    assert rows or saved.name.removeprefix("explore/") in (
        "redirects needs_script barren_hosts link_farms duplicates changes paths_to_rewards".split()
    )  # test_explore.py has something for those
    assert len(rows) <= 5


async def test_what_the_queries_say(sample: Graph) -> None:
    [host] = await sample.run("explore/rewarding_hosts", limit=1)
    assert (host["host"], host["granted"], host["pages"]) == ("a.example", 11.0, 3)
    [way] = await sample.run("explore/paths_to_feeds")
    assert [node["url"] for node in way["way"][::2]] == [A, B, FEED]
    rules = {row["rule"]: row for row in await sample.run("explore/rules_at_work")}
    assert (rules["taleo"]["points"], rules["taleo"]["places"]) == (10.0, ["links"])
    [waiting] = await sample.run("explore/waiting")
    assert (waiting["url"], waiting["from"], waiting["anchor"]) == (NEW, A, "new")
    [why] = await sample.run("explore/why_not_fetched")
    assert (why["state"], why["reason"], why["pages"]) == ("failed", "http-4xx", 1)


async def test_a_query_that_says_read_cannot_write(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    sly = queries.parse_statement("explore/sly", "// Sly\n// mode: read\nCREATE (:PageNeuron)")
    monkeypatch.setattr(queries, "load", lambda name: sly)
    with pytest.raises(Neo4jError):
        await graph.run("explore/sly")


def operators(plan: dict[str, Any]) -> list[str]:
    """Return the operators of a plan, without the runtime's name behind them."""
    own = str(plan["operatorType"]).partition("@")[0]
    return [own, *(name for child in plan.get("children", []) for name in operators(child))]


@pytest.mark.parametrize("name", ["look/head", "look/expired_leases", "explore/waiting"])
async def test_the_frontier_is_read_by_its_indexes(graph: Graph, name: str) -> None:
    used = operators(await graph.explain(name))
    assert any("IndexSeek" in operator or "IndexScan" in operator for operator in used)
    assert not any("LabelScan" in operator for operator in used), used


async def test_states_are_counted_without_a_scan(graph: Graph) -> None:
    used = operators(await graph.explain("look/counts"))
    assert used.count("NodeCountFromCountStore") == 11
    assert "RelationshipCountFromCountStore" in used
    assert not any("Scan" in operator for operator in used)


@pytest.fixture
def own_neo4j(neo4j_address: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the environment name the tests' server, as a user would name theirs."""
    monkeypatch.setenv("NEO4J_URI", neo4j_address.uri)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_address.password)


def test_commands_end_to_end(sample: Graph, own_neo4j: None, capsys: Any) -> None:
    def data(*words: str) -> Any:
        assert cli.run([*words, "--json", "--graph", "test"]) == 0
        return json.loads(capsys.readouterr().out)

    status = data("status")
    assert status["graph"] == "test"
    assert status["counts"]["neurons"] == 6
    assert set(status) >= {"hosts", "rewards", "frontier_head", "limited_by", "last_crawl"}
    [page] = data("pages", "--state", "fetched", "-w", "rule=taleo")
    assert (page["url"], page["state"], page["reward"]) == (A, "fetched", 50.0)
    assert page["fetched_at"] == "2026-01-31T10:00:00Z"
    [best] = data("query", "run", "best_pages", "-P", "limit=1")
    assert best["url"] == A
    assert data("db", "status")["state"] == "running"
    assert cli.run(["pages", "--csv", "-n", "1", "--graph", "test"]) == 0
    header, row = capsys.readouterr().out.splitlines()
    assert header.startswith("url,host,state,reason,")
    assert row.startswith(f"{A},a.example,fetched,")


def test_explain_and_plan_end_to_end(sample: Graph, own_neo4j: None, capsys: Any) -> None:
    def data(*words: str) -> Any:
        assert cli.run([*words, "--json", "--graph", "test"]) == 0
        return json.loads(capsys.readouterr().out)

    new = data("explain", NEW)
    assert [(step["by"], step["url"]) for step in new["path"]] == [("seed", A), ("link", NEW)]
    assert new["reward"]["flow"]["named"][0]["url"] == A
    assert new["score"]["now"] == sum(piece["part"] for piece in new["score"]["pieces"])
    assert new["place"]["ahead"] == 0
    assert data("explain", "http://a.example/b")["state"] == "fetched"
    assert data("explain", "http://b.example/old")["state"] == "pruned"
    assert data("explain", GONE)["reason"] == "http-4xx"
    assert data("explain", "a.example/never")["known"] is False

    plan = data("plan", "--pages", "3", "--simulate", "bfs,composite")
    assert [page["url"] for page in plan["pages"]] == [NEW]
    assert plan["is_all"]
    assert {harvest["order"] for harvest in plan["simulation"]} == {
        "as crawled",
        "bfs",
        "composite",
    }
    assert {harvest["pages"] for harvest in plan["simulation"]} == {2}
    assert cli.run(["plan", "--csv", "--graph", "test"]) == 0
    header, row = capsys.readouterr().out.splitlines()
    assert header == "number,start_s,url,host,depth,priority,worth"
    assert row.split(",")[2] == NEW
    assert cli.run(["explain", NEW, "--graph", "test"]) == 0
    assert "path\t" in capsys.readouterr().out
