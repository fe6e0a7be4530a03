"""What `explain` says of pages in every state, on a real Neo4j: its parts sum to the whole."""

from pathlib import Path

import pytest
from outcomes import failed, given_back, link, moved, page_of
from worlds import Clock, Neo4jWorld

from graphcrawl.config import Settings
from graphcrawl.errors import UsageError
from graphcrawl.explain import Explanation, Reward, explain, read_url
from graphcrawl.foresee import foresee
from graphcrawl.frontier import Frontier, Seed
from graphcrawl.models import Claim, Outcome, Reason
from graphcrawl.rewards import distribute, prune
from graphcrawl.scoring.candidate import Candidate
from graphcrawl.scoring.composite import Composite
from graphcrawl.scoring.quality import Quality
from graphcrawl.states import State

SEED, LIST, JOB, OLD, NEW, GONE, OUT, WAITS = (
    f"http://a.example/{name}" for name in ("", "list", "job", "old", "new", "gone", "out", "waits")
)
SETTINGS = Settings()


def answer(claim: Claim, clock: Clock) -> Outcome:
    """Say what this small site answers: a list with a job, a redirect, an error."""
    match claim.url.rpartition("/")[2]:
        case "":
            links = [link(url) for url in (LIST, OLD, GONE, OUT)]
            return page_of(claim, clock, links, points=5.0, excluded=[(OUT, Reason.SCOPE)])
        case "list":
            return page_of(claim, clock, [link(SEED), link(JOB), link(OLD)])
        case "job":
            return page_of(claim, clock, [link(WAITS, feed_hint=0.5)], points=50.0)
        case "old":
            return moved(claim, clock, NEW)
        case "gone":
            return failed(claim, clock, Reason.HTTP_CLIENT, status=404)
    return page_of(claim, clock)


async def crawl(world: Neo4jWorld) -> Frontier:
    """Crawl all of the site but the page `waits`."""
    frontier = world.frontier("w")
    await frontier.seed([Seed(SEED, "a.example")])
    for _ in range(3):
        claims = await frontier.claim(pages=9, per_host=9, lease_s=60)
        await frontier.record([answer(claim, world.clock) for claim in claims], given_back(claims))
        world.clock.pass_s(60)
    return frontier


async def of(world: Neo4jWorld, url: str, **options: int) -> Explanation:
    return await explain(world.graph, url, SETTINGS, now=world.clock.now, **options)


def reward_of(found: Explanation) -> Reward:
    assert found.reward is not None
    return found.reward


def way(found: Explanation) -> list[tuple[str, str]]:
    return [(step.by, step.url) for step in found.path]


async def test_each_state_is_explained(neo4j_world: Neo4jWorld) -> None:
    await crawl(neo4j_world)
    states = {url: await of(neo4j_world, url) for url in (SEED, JOB, OLD, GONE, OUT, WAITS)}
    assert {url: found.state for url, found in states.items()} == {
        SEED: State.FETCHED,
        JOB: State.FETCHED,
        OLD: State.EXCLUDED,
        GONE: State.FAILED,
        OUT: State.EXCLUDED,
        WAITS: State.FRONTIER,
    }
    assert way(states[SEED]) == [("seed", SEED)]
    assert way(states[WAITS]) == [("seed", SEED), ("link", LIST), ("link", JOB), ("link", WAITS)]
    assert way(states[OLD]) == [("seed", SEED), ("link", OLD)]
    assert way(states[OUT]) == [("seed", SEED), ("link", OUT)]
    assert states[OLD].alias_of == NEW
    assert [g.rule for g in reward_of(states[SEED]).grants] == ["seed", "job"]
    assert states[GONE].reason == "http-4xx"
    assert states[WAITS].place is not None
    assert states[WAITS].place.ahead == 0
    commands = {url: [r.command for r in found.remedies] for url, found in states.items()}
    assert f"graphcrawl retry --where url={GONE}" in commands[GONE]
    assert "graphcrawl crawl --scope any" in commands[OUT]
    assert f"graphcrawl explain {NEW}" in commands[OLD]


async def test_the_way_to_what_an_alias_stands_for(neo4j_world: Neo4jWorld) -> None:
    await crawl(neo4j_world)
    found = await of(neo4j_world, NEW)
    assert way(found) == [("seed", SEED), ("link", NEW)]
    assert found.path[-1].alias == OLD
    assert reward_of(found).alias_urls == (OLD,)
    assert reward_of(found).handed_over > 0
    assert reward_of(await of(neo4j_world, OLD)).handed_over == -reward_of(found).handed_over


@pytest.mark.parametrize("engine", ["gds", "cypher"])
async def test_the_parts_of_reward_sum_to_the_whole(neo4j_world: Neo4jWorld, engine: str) -> None:
    """The next distribution is foretold to the last digit, and really does that."""
    await crawl(neo4j_world)
    urls = list(await neo4j_world.pages())
    await distribute(neo4j_world.graph, iterations=2)
    told = {url: reward_of(await of(neo4j_world, url, neighbours=2)) for url in urls}
    for reward in told.values():
        flow = reward.flow
        assert reward.granted + reward.handed_over + reward.flowed == pytest.approx(reward.now)
        assert sum(grant.points for grant in reward.grants) == pytest.approx(reward.granted)
        assert flow.kept + flow.received == pytest.approx(flow.after)
        assert sum(n.points for n in flow.named) + flow.others == pytest.approx(flow.received)
        assert len(flow.named) == min(flow.neighbours, 2)
        assert sum(n.share for n in flow.named) <= 1 + 1e-9
    await distribute(neo4j_world.graph, engine=engine)  # type: ignore[arg-type]
    pages = await neo4j_world.pages()
    for url, reward in told.items():
        assert pages[url]["reward"] == pytest.approx(reward.flow.after, abs=1e-9), url


async def test_the_flow_of_a_graph_in_steady_mode(neo4j_world: Neo4jWorld) -> None:
    """Half of what was granted stays, an alias's with what stands for it; half of all flows on."""
    await crawl(neo4j_world)
    await neo4j_world.ask("MATCH (a:PageNeuron {url: $url}) SET a.baseReward = 8.0", url=OLD)
    pages = await neo4j_world.pages()
    neural = reward_of(await of(neo4j_world, SEED)).flow
    await neo4j_world.ask("MATCH (m:Meta) SET m.rewardMode = 'steady'")
    flow = reward_of(await of(neo4j_world, SEED)).flow
    assert flow.mode == "steady"
    assert flow.kept == pytest.approx(pages[SEED]["baseReward"] / 2)
    assert flow.received == pytest.approx(5 * neural.received), "δ is 0.5, d was 0.1"
    assert flow.kept + flow.received == pytest.approx(flow.after)
    assert reward_of(await of(neo4j_world, OLD)).flow.kept == 0
    kept = reward_of(await of(neo4j_world, NEW)).flow.kept
    assert kept == pytest.approx((pages[NEW]["baseReward"] + 8.0) / 2)


async def test_a_page_in_work_a_tombstone_and_pages_that_are_not_there(
    neo4j_world: Neo4jWorld, tmp_path: Path
) -> None:
    frontier = await crawl(neo4j_world)
    await frontier.claim(pages=1, per_host=1, lease_s=60)
    assert (await of(neo4j_world, WAITS)).state is State.LEASED
    await prune(neo4j_world.graph, archive_dir=tmp_path, below=1e6, spare_distributions=0)
    pruned = await of(neo4j_world, LIST)
    assert (pruned.state, pruned.reward, pruned.pruned_below) == (State.PRUNED, None, 1e6)
    assert "graphcrawl seed " + LIST in [remedy.command for remedy in pruned.remedies]
    orphan = await of(neo4j_world, WAITS)  # what led to it is gone
    assert way(orphan) == [("unknown", WAITS)]

    unknown = await of(neo4j_world, "http://a.example/lost")
    assert (unknown.known, unknown.state, unknown.path, unknown.reward) == (False, None, (), None)
    assert SEED in unknown.similar
    assert [r.command for r in unknown.remedies] == ["graphcrawl seed http://a.example/lost"]
    never = await of(neo4j_world, "http://a.example/x.zip")
    assert [r.command for r in never.remedies] == ["graphcrawl check url http://a.example/x.zip"]


def test_what_is_no_url_is_refused() -> None:
    with pytest.raises(UsageError):
        read_url("http://")
    assert read_url("Example.org") == "https://example.org/"


@pytest.mark.parametrize("order", ["reward", "composite", "quality", "bfs"])
async def test_the_pieces_of_evidence_sum_to_the_score(neo4j_world: Neo4jWorld, order: str) -> None:
    await crawl(neo4j_world)
    await neo4j_world.ask("MATCH (m:Meta) SET m.order = $order", order=order)
    found = await of(neo4j_world, WAITS)
    score = found.score
    assert score is not None
    assert score.order == order
    assert sum(piece.part for piece in score.pieces) == pytest.approx(score.now)
    for piece in score.pieces:
        assert piece.value * piece.weight == pytest.approx(piece.part)
    for change in score.changes:
        assert score.now + change.difference == pytest.approx(change.score)
    if order == "reward":
        assert score.kept == score.now == pytest.approx(reward_of(found).now + 100 * 0.5)
        assert {change.what: round(change.difference, 6) for change in score.changes} == {
            "a link that surely looks like one to a job feed": 50.0,
            "twice the reward": round(reward_of(found).now, 6),
        }
    if order in ("composite", "quality"):
        assert score.quality == "not trusted yet, 0 of 5"
    assert (await of(neo4j_world, OLD)).score is None, "another page stands for it"
    assert (await of(neo4j_world, SEED)).score is not None


async def test_what_scorers_learned_counts(neo4j_world: Neo4jWorld) -> None:
    """Lessons that are kept in the graph move scores, trust and the worth that a plan expects."""
    await crawl(neo4j_world)
    await neo4j_world.ask("MATCH (m:Meta) SET m.order = 'composite'")
    before = (await of(neo4j_world, WAITS)).score
    good = Candidate(WAITS, "a.example", 3, parent_best=1.0, parent_sum=1.0, parent_count=1)
    quality, composite = Quality(), Composite()
    for _ in range(8):
        quality.learn(good, 1.0)
        composite.learn(good, 1.0)
    for name, version, data in (
        ("quality", quality.version, quality.export()),
        ("composite", composite.version, composite.export()),
    ):
        await neo4j_world.graph.run(
            "model/begin", scorer=name, part="run", version=version, lessons=8, data=data
        )
    after = (await of(neo4j_world, WAITS)).score
    assert before is not None
    assert after is not None
    assert (after.lessons, after.quality) == (8, "trusted")
    assert after.now > before.now
    plan = await foresee(neo4j_world.graph, SETTINGS, 5, now=neo4j_world.clock.now)
    assert plan.worth_by == "what 8 pages taught the order composite"
    assert [page.url for page in plan.pages] == [WAITS]
    assert 0 < plan.pages[0].worth <= 1

    await neo4j_world.ask("MATCH (m:Model {name: 'composite'}) SET m.data = $data", data=b"junk")
    damaged = await of(neo4j_world, WAITS)
    assert damaged.warnings
    assert damaged.score is not None
    assert damaged.score.lessons == 0
