"""`doctor --deep` finds what is broken, each thing by its name, and nothing in a sound graph."""

import pytest

from graphcrawl import soundness
from graphcrawl.config import load_settings
from graphcrawl.doctor.deep import promises
from graphcrawl.graph import Graph

SOUND = """
CREATE (a:PageNeuron:Fetched:Rewarded {url: 'http://a.example/', host: 'a.example'})
SET a.strength = 1.0, a.inLinks = 0, a.reward = 1020.0, a.baseReward = 1020.0,
    a.grants = ['1000 feed-new http://f.example/', '20 feed-known http://g.example/']
CREATE (b:PageNeuron:Frontier {url: 'http://a.example/b', host: 'a.example', priority: 2.0})
SET b.strength = 1.0, b.inLinks = 1, b.reward = 2.0, b.baseReward = 0.0, b.grants = []
CREATE (a)-[:LINK_AXON {weight: 1.0}]->(b)
CREATE (a)-[:HAS_TEXT]->(:PageText {title: 't'})
CREATE (:PageNeuron:Pruned {url: 'http://a.example/gone', host: 'a.example'})
CREATE (:Host {name: 'a.example', bestPriority: 2.0})
"""
A, B = "MATCH (a:PageNeuron {url: 'http://a.example/'}) ", "MATCH (b:PageNeuron:Frontier) "
HARM = [
    ("states", A + "SET a:Failed"),
    ("states", B + "SET b:Leased SET b.leasedBy = 'w', b.leasedUntil = datetime(), b.token = 1"),
    ("states", A + "REMOVE a:Fetched"),
    ("leases", A + "SET a:Leased"),
    ("leases", A + "SET a.token = 3"),
    ("waiting", B + "REMOVE b.priority"),
    ("waiting", "MATCH (h:Host) DELETE h"),
    ("hosts", "MATCH (h:Host) SET h.bestPriority = 1.0"),
    ("hosts", "MATCH (h:Host) REMOVE h.bestPriority"),
    ("sums", A + "SET a.strength = 2.0"),
    ("sums", B + "SET b.inLinks = 2"),
    ("axons", A + B + "CREATE (a)-[:LINK_AXON {weight: 0.0}]->(b)"),
    ("axons", A + "CREATE (a)-[:LINK_AXON {weight: 0.0}]->(a)"),
    ("axons", A + B + "MATCH (a)-[x:LINK_AXON]->(b) REMOVE x.weight"),
    ("axons", A + "CREATE (a)-[:LINK_AXON {weight: 0.0}]->(:Stranger)"),
    ("axons", A + "CREATE (a)<-[:LINK_AXON {weight: 0.0}]-(:Stranger)"),
    ("grants", A + "SET a.grants = a.grants + a.grants[0], a.baseReward = 2020.0"),
    ("grants", A + "SET a.baseReward = 20.0"),
    ("finders", B + "SET b:Rewarded, b.grants = ['1000 feed-new http://f.example/']"),
    ("texts", "CREATE (:PageText {title: 'of nobody'})"),
    ("texts", A + "CREATE (a)-[:HAS_TEXT]->(:PageText)"),
    ("aliases", A + "SET a:Alias, a.aliasOf = 'http://nowhere.example/'"),
]


async def test_a_sound_graph_breaks_no_promise(graph: Graph) -> None:
    await graph.run_schema(SOUND)
    assert await soundness.breaches(graph) == []
    (check,) = await promises(graph, load_settings())
    assert (check.state, check.what) == ("ok", "it keeps all 10 promises")


async def test_each_harm_is_found_by_its_name(graph: Graph) -> None:
    for name, harm in HARM:
        await graph.run_schema("MATCH (n) WHERE NOT n:Meta AND NOT n:WriteGate DETACH DELETE n")
        await graph.run_schema(SOUND)
        await graph.run_schema(harm)
        found = {breach.check for breach in await soundness.breaches(graph)}
        assert name in found, harm
    assert set(soundness.CHECKS) == {f"check/{name}" for name, _ in HARM}


@pytest.mark.parametrize(("harm", "state"), [(HARM[0], "bad"), (HARM[7], "warn")])
async def test_the_doctor_says_what_to_type(
    graph: Graph, harm: tuple[str, str], state: str
) -> None:
    await graph.run_schema(SOUND)
    await graph.run_schema(harm[1])
    (check,) = await promises(graph, load_settings())
    assert check.state == state
    assert "http" in check.what or "a.example" in check.what
    assert "graphcrawl" in check.hint
