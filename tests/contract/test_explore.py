"""What the saved queries for people say of a small graph whose answers are known."""

from typing import Any

import pytest

from graphcrawl.graph import Graph

# Host `farm-a` and `farm-b` link to each other; `dull` has three pages that nothing paid for, of
# which one is an orphan; the feed is linked from a page that was paid, which a seed links to.
SAMPLE = """
UNWIND [
  ['seed', 's/', 50.0], ['paid', 's/jobs', 40.0],
  ['page', 'farm-a/1', 0.1], ['page', 'farm-a/2', 0.1],
  ['page', 'farm-b/1', 0.1], ['page', 'farm-b/2', 0.1], ['page', 'dull/1', 0.2],
  ['page', 'dull/2', 0.1], ['orphan', 'dull/3', 0.1], ['feed', 's/feed.xml', 30.0]
] AS row
CREATE (p:PageNeuron:Fetched {url: 'http://' + row[1], host: split(row[1], '/')[0], reward: row[2],
  title: row[1], bytes: 1000, digest: row[1], inLinks: 1, outLinks: 1,
  discoveredAt: datetime() - duration({hours: 50}), fetchedAt: datetime() - duration({hours: 2})})
FOREACH (_ IN CASE WHEN row[0] = 'seed' THEN [1] ELSE [] END | SET p:Seed, p:Rewarded)
FOREACH (_ IN CASE WHEN row[0] = 'paid' THEN [1] ELSE [] END | SET p:Rewarded, p.baseReward = 9.0)
FOREACH (_ IN CASE WHEN row[0] = 'feed' THEN [1] ELSE [] END | SET p:JobFeed, p.feedJobs = 3)
FOREACH (_ IN CASE WHEN row[0] = 'orphan' THEN [1] ELSE [] END | SET p.inLinks = 0)
WITH count(*) AS made
UNWIND [['s/', 's/jobs'], ['s/jobs', 's/feed.xml'], ['farm-a/1', 'farm-b/1'],
  ['farm-b/1', 'farm-a/1'], ['farm-a/2', 'farm-b/2'], ['farm-b/2', 'farm-a/2'],
  ['s/', 'farm-a/1'], ['dull/1', 'dull/2'], ['dull/2', 'dull/1']] AS pair
MATCH (a:PageNeuron {url: 'http://' + pair[0]}), (b:PageNeuron {url: 'http://' + pair[1]})
CREATE (a)-[:LINK_AXON {weight: 1.0, anchor: 'to ' + pair[1]}]->(b)
WITH count(*) AS linked
MATCH (d:PageNeuron {url: 'http://dull/2'}), (e:PageNeuron {url: 'http://dull/3'}),
      (f:PageNeuron {url: 'http://farm-a/1'}), (g:PageNeuron {url: 'http://farm-b/1'})
SET d.digest = 'same', e.digest = 'same', f.title = 'Cheap', g.title = 'Cheap', f.outLinks = 4
CREATE (:PageNeuron:Pruned {url: 'http://farm-a/9', host: 'farm-a', prunedBelow: 0.01,
          prunedAt: datetime()}),
       (old:PageNeuron:Alias:Excluded {url: 'http://s/old', host: 's', reason: 'redirect'}),
       (:PageNeuron:Frontier {url: 'http://s/next', host: 's', priority: 7.0, reward: 2.0,
          feedHint: 0.05, inLinks: 1, discoveredAt: datetime()}),
       (:Host {name: 's', bestPriority: 7.0}),
       (:Job {key: 'j', title: 'Nurse', firstSeenAt: datetime() - duration({hours: 3})})
WITH old
MATCH (s:PageNeuron {url: 'http://s/'}), (j:PageNeuron {url: 'http://s/jobs'})
CREATE (old)-[:REDIRECTS_TO]->(s), (j)-[:CANONICAL_OF]->(s)
"""


@pytest.fixture
async def sample(graph: Graph) -> Graph:
    await graph.run_schema(SAMPLE)
    return graph


def way(path: list[Any]) -> list[str]:
    return [node["url"].removeprefix("http://") for node in path[::2]]


async def test_spend_and_yield(sample: Graph) -> None:
    [dull] = await sample.run("explore/barren_hosts")
    assert (dull["host"], dull["fetched"], dull["bytes"], dull["waiting"]) == ("dull", 3, 3000, 0)
    hosts = await sample.run("explore/barren_hosts", pages=2)
    assert [row["host"] for row in hosts] == ["dull", "farm-a", "farm-b"]


async def test_link_farms(sample: Graph) -> None:
    rows = await sample.run("explore/link_farms")
    assert [(r["page"]["url"], r["target"]["url"]) for r in rows] == [
        ("http://farm-a/1", "http://farm-b/1"),
        ("http://farm-a/2", "http://farm-b/2"),
    ]
    assert await sample.run("explore/link_farms", axons=3) == []


async def test_orphans(sample: Graph) -> None:
    rows = await sample.run("explore/orphans")
    assert [(row["url"], row["state"]) for row in rows] == [("http://dull/3", "fetched")]


async def test_duplicates(sample: Graph) -> None:
    rows = await sample.run("explore/duplicates")
    assert [(r["alike"], r["pages"], r["hosts"], r["urls"]) for r in rows] == [
        ("bytes", 2, 1, ["http://dull/2", "http://dull/3"]),
        ("title and size", 2, 2, ["http://farm-a/1", "http://farm-b/1"]),
    ]


async def test_ways(sample: Graph) -> None:
    [to_reward] = await sample.run("explore/paths_to_rewards")
    assert way(to_reward["way"]) == ["s/", "s/jobs"]
    [to_feed] = await sample.run("explore/paths_to_feeds")
    assert way(to_feed["way"]) == ["s/", "s/jobs", "s/feed.xml"]
    feeders = await sample.run("explore/feeders")
    assert [way(row["way"]) for row in feeders] == [
        ["s/", "s/jobs", "s/feed.xml"],
        ["s/jobs", "s/feed.xml"],
    ]
    assert await sample.run("explore/feeders", url="http://s/feed.xml") == feeders
    around = await sample.run("explore/neighbours")
    assert sorted(way(row["link"]) for row in around) == [
        ["s/", "s/jobs"],
        ["s/jobs", "s/feed.xml"],
    ]
    other = await sample.run("explore/neighbours", url="http://dull/1")
    assert sorted(way(row["link"]) for row in other) == [["dull/1", "dull/2"], ["dull/2", "dull/1"]]
    assert await sample.run("explore/neighbours", url="http://nowhere/") == []


async def test_hubs_lead_to_what_was_paid(sample: Graph) -> None:
    [hub] = await sample.run("explore/hubs")
    assert (hub["url"], hub["leadsTo"], hub["paidPages"]) == ("http://s/", 9.0, 1)


async def test_who_stands_for_whom(sample: Graph) -> None:
    rows = await sample.run("explore/redirects")
    assert [way(row["hop"]) for row in rows] == [["s/old", "s/"], ["s/jobs", "s/"]]


async def test_what_changed(sample: Graph) -> None:
    changes = {row["what"]: row["count"] for row in await sample.run("explore/changes")}
    assert changes["pages fetched"] == 10
    assert changes["pages found"] == 1
    assert (changes["pages pruned"], changes["jobs new"]) == (1, 1)
    assert "jobs gone" not in changes
    changes = {row["what"]: row["count"] for row in await sample.run("explore/changes", hours=1)}
    assert set(changes) == {"pages found", "pages pruned"}
    changes = {row["what"]: row["count"] for row in await sample.run("explore/changes", hours=99)}
    assert changes["pages found"] == 11


async def test_pruned_neighbourhoods(sample: Graph) -> None:
    [row] = await sample.run("explore/pruned")
    assert (row["host"], row["pruned"], row["kept"], row["below"]) == ("farm-a", 1, 2, 0.01)
    assert (row["url"], row["lostLinks"]) == ("http://farm-a/1", 3)


async def test_reasons_of_the_frontier(sample: Graph) -> None:
    [row] = await sample.run("explore/waiting")
    assert row["reasons"] == ["reward 2.0", "feed hint 0.05", "links here 1.0"]
