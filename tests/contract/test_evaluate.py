"""Judging stored pages again, on a real Neo4j. Figures are worked out by hand in each test."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from neurons import Database, database
from outcomes import given_back
from worlds import Neo4jWorld

from graphcrawl import evaluate, where
from graphcrawl.evaluate import EvaluationReport, OtherRules, other_rules, reevaluate
from graphcrawl.frontier import Seed
from graphcrawl.graph import Graph
from graphcrawl.models import Fetched, Outcome
from graphcrawl.readers import ReadOptions, TextMode, read_page
from graphcrawl.scoring.reward import Rules, load_rules
from graphcrawl.urls import Scope

THEN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
LATER = datetime(2026, 1, 3, tzinfo=UTC)
FEED = "http://h.example/feed.xml"
HOST = "h.example"


@pytest.fixture
def db(graph: Graph) -> Iterator[Database]:
    with database(graph.address) as db:
        yield db


def make_rules(folder: Path, text: str, name: str = "mine") -> Rules:
    file = folder / f"{name}.toml"
    file.write_text(text, encoding="utf-8")
    return load_rules(file)


OLD = """
[[rule]]
word = "job"
points = 1
[[rule]]
word = "nurse"
points = 2.5
[[rule]]
word = "taleo"
points = 10
places = ["links"]
[[rule]]
name = "mark"
regex = "<b>"
points = 3
places = ["html"]
"""
NEW = """
[[rule]]
word = "job"
points = 4
[[rule]]
word = "music"
points = 7
[[rule]]
name = "mark"
regex = "<b>"
points = 5
places = ["html"]
"""


@pytest.fixture
def new(tmp_path: Path) -> Rules:
    return make_rules(tmp_path, NEW)


def page(db: Database, number: int) -> dict[str, Any]:
    rows = db.run(
        "MATCH (p:PageNeuron {neuronId: $n}) RETURN p {.*, labels: labels(p)} AS p", n=number
    )
    found: dict[str, Any] = rows[0]["p"]
    return found


def fetched(db: Database, number: int, visible: str | None, *grants: str, **more: Any) -> None:
    base = sum(float(grant.split()[0]) for grant in grants)
    labels = ":Fetched" + ":Rewarded" * any(not grant.endswith("seed") for grant in grants)
    properties = {"grants": list(grants), "baseReward": base, "fetchedAt": THEN} | more
    db.set(number, labels, **properties)
    if visible is not None:
        db.run(
            "MATCH (p:PageNeuron {neuronId: $n}) CREATE (p)-[:HAS_TEXT]->(:PageText {visible: $v})",
            n=number,
            v=visible,
        )


def tallies(report: EvaluationReport) -> dict[str, tuple[int, int, int]]:
    return {t.rule: (t.pages, t.gained, t.lost) for t in report.by_rule}


def build(db: Database) -> None:
    """0 seeds and feeds; 1 lacks its text; 2 earns nothing; 3 waits."""
    db.build([130.0, 20.0, 0.5, 9.0], [(0, 1, 1.0), (1, 0, 1.0), (2, 0, 1.0)])
    fetched(
        db, 0, "a job for a nurse",
        "100 seed seed", "1 job text", "2.5 nurse text", "3 mark html", f"20 feed-known {FEED}",
    )  # fmt: skip
    fetched(db, 1, None, "1 job title", "2.5 nurse text", "10 taleo links", title="Job")
    fetched(db, 2, "music while you work")
    db.set(1, ":RichlyRewarded")
    db.set(3, ":Frontier", priority=9.0)


async def test_grants_of_rules_are_replaced_and_reward_moves_by_the_difference(
    graph: Graph, db: Database, new: Rules
) -> None:
    build(db)
    report = await reevaluate(graph, new)
    first, second, third, fourth = (page(db, number) for number in range(4))
    # −1 −2.5 −3 +4 +5
    assert first["grants"] == [
        "100 seed seed", f"20 feed-known {FEED}", "4 job text", "5 mark html",
    ]  # fmt: skip
    assert (first["baseReward"], first["reward"]) == (129.0, 132.5)
    # −1 −2.5 −10 +4: the new rules have no nurse and no taleo
    assert second["grants"] == ["4 job title"]
    assert (second["baseReward"], second["reward"]) == (4.0, 10.5)
    assert third["grants"] == ["7 music text"]
    assert (third["baseReward"], third["reward"]) == (7.0, 7.5)
    assert "Rewarded" in third["labels"]
    assert not any("RichlyRewarded" in found["labels"] for found in (first, second, third))
    assert (fourth["reward"], fourth["priority"]) == (9.0, 9.0)
    assert (report.pages, report.earning, report.changed) == (3, 3, 3)
    assert (report.without_text, report.kept_grants, report.skipped) == (1, 1, 0)
    assert (report.base_moved, report.reward_moved) == (2.5 - 9.5 + 7, 2.5 - 9.5 + 7)
    assert tallies(report) == {
        "job": (2, 0, 0), "music": (1, 1, 0), "mark": (1, 0, 0),
        "nurse": (0, 0, 2), "taleo": (0, 0, 1),
    }  # fmt: skip


async def test_a_preview_says_the_same_and_changes_nothing(
    graph: Graph, db: Database, new: Rules
) -> None:
    build(db)
    db.set(1, reward=3.0)  # would fall to −6.5
    before = db.everything()
    seen = await reevaluate(graph, new, apply=False)
    assert db.everything() == before
    assert db.run("MATCH (m:Meta) RETURN m.rulesDigest AS d") == [{"d": None}]
    done = await reevaluate(graph, new)
    assert (seen.base_moved, seen.reward_moved) == (done.base_moved, done.reward_moved)
    assert (seen.changed, seen.by_rule) == (done.changed, done.by_rule)
    assert (seen.applied, done.applied) == (False, True)
    assert (page(db, 1)["reward"], done.reward_moved) == (0.0, 2.5 - 3.0 + 7.0)


async def test_the_same_rules_again_change_nothing(graph: Graph, db: Database, new: Rules) -> None:
    build(db)
    await reevaluate(graph, new)
    before = db.everything()
    again = await reevaluate(graph, new)
    assert (again.changed, again.base_moved, again.reward_moved) == (0, 0.0, 0.0)
    assert db.everything() == before


async def test_what_earns_no_more_loses_its_label(
    graph: Graph, db: Database, tmp_path: Path
) -> None:
    db.build([100.0, 1.0], [])
    fetched(db, 0, "job", "100 seed seed", "1 job text")
    fetched(db, 1, "job", "1 job text")
    rules = make_rules(tmp_path, "[[rule]]\nword = 'absent'\npoints = 1")
    report = await reevaluate(graph, rules)
    assert page(db, 0)["grants"] == ["100 seed seed"]
    assert (page(db, 0)["reward"], page(db, 1)["reward"]) == (99.0, 0.0)
    assert db.run("MATCH (p:Rewarded) RETURN p") == []
    assert (report.earning, report.idle_rules, report.blunt_rules) == (0, ("absent",), ())


async def test_a_filter_limits_what_is_judged(graph: Graph, db: Database, new: Rules) -> None:
    build(db)
    report = await reevaluate(graph, new, where.parse(["rule=taleo"]))
    assert (report.pages, report.changed) == (1, 1)
    assert page(db, 2)["grants"] == []
    assert (await other_rules(graph, new)) is None  # nothing was noted for the whole graph
    assert db.run("MATCH (m:Meta) RETURN m.rulesDigest AS d") == [{"d": None}]


async def test_axons_tell_anchors_and_links(graph: Graph, db: Database, tmp_path: Path) -> None:
    text = "[[rule]]\nword = '{}'\npoints = 1\nplaces = ['{}']\n"
    rules = make_rules(
        tmp_path,
        text.format("first", "anchors") + text.format("fourth", "anchors")
        + text.format("h.example", "links") + text.format("written", "links")
        + text.format("jobposting", "types"),
    )  # fmt: skip
    db.build([1.0, 1.0], [(0, 1, 1.0)])
    fetched(db, 0, None, types=["JobPosting", "WebPage"], outLinks=1)
    db.run(
        "MATCH ()-[a:LINK_AXON]->() "
        "SET a.anchor = 'First', a.anchors = ['second', 'fourth!'], a.raw = '../written'"
    )
    await reevaluate(graph, rules)
    assert page(db, 0)["grants"] == [
        "1 first anchors", "1 fourth anchors", "1 h.example links", "1 written links",
        "1 jobposting types",
    ]  # fmt: skip


async def test_links_that_were_pruned_do_not_cost_their_grants(
    graph: Graph, db: Database, tmp_path: Path
) -> None:
    """Two pages earned by a link; one has lost an axon with its target, the other has all."""
    rules = make_rules(tmp_path, OLD)
    db.build([10.0, 10.0, 1.0], [(0, 2, 1.0), (1, 2, 1.0)])
    fetched(db, 0, "", "10 taleo links", outLinks=2)
    fetched(db, 1, "", "10 taleo links", outLinks=1)
    report = await reevaluate(graph, rules)
    assert (page(db, 0)["grants"], page(db, 0)["reward"]) == (["10 taleo links"], 10.0)
    assert (page(db, 1)["grants"], page(db, 1)["reward"]) == ([], 0.0)
    assert report.kept_grants == 1


async def test_stretches_and_batches_leave_nothing_out(
    graph: Graph, db: Database, new: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluate, "STRETCH_PAGES", 7)
    monkeypatch.setattr(evaluate, "BATCH_PAGES", 3)
    monkeypatch.setattr(evaluate, "BATCH_BYTES", 100)
    db.build([0.0] * 50, [])
    db.run(
        "MATCH (p:PageNeuron) SET p:Fetched, p.fetchedAt = datetime(), p.grants = [], "
        "p.baseReward = 0.0, p.title = 'Job', p.bytes = p.neuronId * 3"
    )
    steps: list[int] = []
    report = await reevaluate(graph, new, on_progress=steps.append)
    assert (report.pages, report.changed, report.base_moved) == (50, 50, 200.0)
    assert db.rewards() == [4.0] * 50
    assert steps[-1] == 50
    assert max(b - a for a, b in zip([0, *steps], steps, strict=False)) <= 3
    assert report.blunt_rules == ("job",)


async def test_a_grant_made_meanwhile_is_not_lost(graph: Graph, db: Database, new: Rules) -> None:
    """A feed is paid for while the evaluation waits to write what it has judged."""
    build(db)
    with db.transaction() as recorder:
        recorder.run("MERGE (g:WriteGate {name: 'record'}) SET g:WriteGate").consume()
        run = asyncio.create_task(reevaluate(graph, new))
        async with asyncio.timeout(60):
            while not await asyncio.to_thread(db.blocked):
                await asyncio.sleep(0.05)
        recorder.run(
            "MATCH (p:PageNeuron {neuronId: 2}) SET p.grants = p.grants + $grant, "
            "p.reward = p.reward + 1000, p.baseReward = p.baseReward + 1000, p:Rewarded",
            grant=f"1000 feed-new {FEED}",
        ).consume()
        recorder.commit()
    report = await run
    third = page(db, 2)
    assert third["grants"] == [f"1000 feed-new {FEED}", "7 music text"]
    assert (third["baseReward"], third["reward"]) == (1007.0, 1007.5)
    assert (report.changed, report.skipped) == (3, 0)


async def test_a_page_fetched_again_meanwhile_is_judged_by_its_new_content(
    graph: Graph, db: Database, new: Rules
) -> None:
    build(db)
    with db.transaction() as recorder:
        recorder.run("MERGE (g:WriteGate {name: 'record'}) SET g:WriteGate").consume()
        run = asyncio.create_task(reevaluate(graph, new))
        async with asyncio.timeout(60):
            while not await asyncio.to_thread(db.blocked):
                await asyncio.sleep(0.05)
        recorder.run(
            "MATCH (p:PageNeuron {neuronId: 2})-[:HAS_TEXT]->(x) "
            "SET p.fetchedAt = $at, x.visible = 'a job'",
            at=LATER,
        ).consume()
        recorder.run(
            "MATCH (p:PageNeuron {neuronId: 1}) REMOVE p:Fetched SET p:Pruned REMOVE p.grants"
        ).consume()
        recorder.commit()
    report = await run
    assert page(db, 2)["grants"] == ["4 job text"]
    assert page(db, 2)["reward"] == 4.5
    assert "grants" not in page(db, 1)
    assert (report.pages, report.skipped) == (2, 1)
    assert tallies(report)["music"] == (0, 0, 0)


async def test_a_page_that_waits_for_a_visit_gets_its_priority(
    graph: Graph, db: Database, new: Rules
) -> None:
    db.build([2.0], [])
    fetched(db, 0, "job")
    db.set(0, ":Frontier", priority=52.0, feedHint=0.5)
    db.run("MERGE (h:Host {name: 'h.example'}) SET h.bestPriority = 52.0")
    await reevaluate(graph, new)
    assert (page(db, 0)["reward"], page(db, 0)["priority"]) == (6.0, 56.0)
    assert db.run("MATCH (h:Host) RETURN h.bestPriority AS b") == [{"b": 56.0}]


async def test_a_rule_that_explodes_is_set_aside_and_costs_nobody(
    graph: Graph, db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluate, "SLOW_PAGES", 2)
    rules = make_rules(
        tmp_path,
        "[[rule]]\nname = 'bomb'\nregex = '(a|aa)+$'\npoints = 2\nplaces = ['text']\n"
        "[[rule]]\nword = 'job'\npoints = 1",
    )
    db.build([2.0] * 5, [])
    for number in range(5):
        fetched(db, number, "job " + "a" * 100 + "!", *(["2 bomb text"] if number % 2 else []))
    report = await reevaluate(graph, rules)
    assert report.slow_rules == {"bomb": 2}
    assert [page(db, n)["grants"] for n in range(5)] == [
        ["1 job text"],
        ["2 bomb text", "1 job text"],
    ] * 2 + [["1 job text"]]
    assert report.kept_grants == 2


# --- against the crawl itself ---------------------------------------------------------------------

BODIES = {
    f"http://{HOST}/a": "<title>Jobs</title><body>Our career page <a href='/b'>job list</a>",
    f"http://{HOST}/b": "<title>Docs</title><body>User guide of the band "
    "<a href='http://acme.taleo.net/x'>apply</a>",
    f"http://{HOST}/c": "<title>None</title><body><nav>API reference</nav> Stellenangebote "
    "und Karriere",
    f"http://{HOST}/d": "<title>Songs</title><body>album, lyrics <img alt='concert'>"
    "<a href='https://x.bandcamp.com/y'>hear</a> Breaking news from reuters",
}  # fmt: skip


async def crawl(
    world: Neo4jWorld, rules: Rules, text: TextMode, bodies: Mapping[str, str] = BODIES
) -> None:
    frontier = world.frontier("w")
    await frontier.seed([Seed(url, HOST, 100.0) for url in bodies])
    claims = await frontier.claim(pages=99, per_host=99, lease_s=60)
    options = ReadOptions(rules, Scope.of(list(bodies), "domain"), text)
    outcomes = []
    for claim in claims:
        got = Fetched(
            claim.url, 200, bodies[claim.url].encode(), "text/html", "utf-8", world.clock.now, 0.1
        )
        outcomes.append(Outcome(claim, got, read_page(got, 0, options)))
    await frontier.record(outcomes, given_back(claims))


async def granted(world: Neo4jWorld) -> dict[str, tuple[set[str], float]]:
    pages = await world.pages()
    return {url: (set(pages[url]["grants"]), pages[url]["baseReward"]) for url in BODIES}


@pytest.mark.parametrize("name", ["jobs", "jobs-plus", "docs", "news", "music"])
async def test_judging_again_pays_what_a_crawl_would_have_paid(
    neo4j_world: Neo4jWorld, name: str
) -> None:
    rules = load_rules(name)
    await crawl(neo4j_world, rules, "all")
    wanted = await granted(neo4j_world)
    same = await reevaluate(neo4j_world.graph, rules)
    assert (same.changed, await granted(neo4j_world)) == (0, wanted)
    other = load_rules("docs" if name == "music" else "music")
    moved = await reevaluate(neo4j_world.graph, other)
    assert moved.changed
    back = await reevaluate(neo4j_world.graph, rules)
    assert await granted(neo4j_world) == wanted
    assert back.base_moved == -moved.base_moved


@pytest.mark.parametrize("text", ["useful", "none"])
async def test_the_same_rules_change_nothing_whatever_text_was_kept(
    neo4j_world: Neo4jWorld, text: TextMode
) -> None:
    await crawl(neo4j_world, load_rules("jobs"), text)
    report = await reevaluate(neo4j_world.graph, load_rules("jobs"))
    assert (report.pages, report.changed) == (4, 0)
    assert report.without_text == (4 if text == "none" else 2)


async def test_a_link_of_a_page_to_itself_keeps_what_it_earned(neo4j_world: Neo4jWorld) -> None:
    url = f"http://{HOST}/taleo"
    await crawl(neo4j_world, load_rules("jobs"), "all", {url: "<body><a href='#top'>up</a>"})
    assert (await neo4j_world.pages())[url]["grants"] == ["100 seed seed", "10 taleo links"]
    report = await reevaluate(neo4j_world.graph, load_rules("jobs"))
    assert (report.pages, report.changed) == (1, 0)


# --- crawling on with other rules -----------------------------------------------------------------


async def run_of(graph: Graph, rules: Rules, name: str, at_ms: int, pages: int = 5) -> None:
    settings = json.dumps({"crawl": {"rules": name}})
    crawl_id = f"{name}-{at_ms}"
    await graph.run(
        "write/start_crawl", id=crawl_id, settings=settings, rulesDigest=rules.digest, nowMs=at_ms
    )
    await graph.run("write/count", id=crawl_id, counters={"fetched": pages})
    await graph.run("write/finish_crawl", id=crawl_id, stopReason="done", nowMs=at_ms + 1000)


async def test_other_rules_are_named_until_all_pages_are_judged(graph: Graph, new: Rules) -> None:
    jobs = load_rules("jobs")
    assert await other_rules(graph, new) is None
    await run_of(graph, new, "mine", 1_000, pages=0)
    assert await other_rules(graph, jobs) is None  # it fetched nothing
    await run_of(graph, jobs, "jobs", 100_000)
    assert await other_rules(graph, jobs) is None
    assert await other_rules(graph, new) == OtherRules("jobs", running=False)
    await reevaluate(graph, new, apply=False)
    assert await other_rules(graph, new) == OtherRules("jobs", running=False)
    await reevaluate(graph, new)
    assert await other_rules(graph, new) is None
    assert await other_rules(graph, jobs) == OtherRules("mine", running=False)
    await run_of(graph, jobs, "jobs", 4_000_000_000_000)
    assert await other_rules(graph, new) == OtherRules("jobs", running=False)
