"""The plans of all statements on a real server: they parse, and the hot ones use indexes only."""

import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from graphcrawl import queries, schema
from graphcrawl.graph import Address, Graph

ALL = [name for name in queries.names() if queries.load(name).mode != "schema"]
AT_START = {"frontier/seeds", "frontier/kept_out", "frontier/mend_leases"} | {
    f"order/{name}"
    for name in ("waiting", "fill", "by_reward", "note", "pagerank", "last", "lessons")
}  # run once a crawl, over what they name
FOR_PEOPLE = {f"control/{name}" for name in ("pause", "resume", "stop", "alive", "wishes")}
FOR_PEOPLE |= {"model/words", "explain/worths", "explain/crawled_pages", "explain/crawled_links"}
HOT = [
    name
    for name in ALL
    if name.startswith(
        ("control/", "frontier/", "write/", "jobs/", "evaluate/", "order/", "model/", "explain/")
    )
    and name not in AT_START | FOR_PEOPLE
]
# What reads a whole label or store. NodeIndexScan is not here: it walks an index from its best end.
SCANS = {"AllNodesScan", "NodeByLabelScan", "UnionNodeByLabelsScan", "DirectedAllRelationshipsScan"}
SCANS |= {"UndirectedAllRelationshipsScan", "DirectedRelationshipTypeScan"}
SCANS |= {"UndirectedRelationshipTypeScan", "IntersectionNodeByLabelsScan", "ValueHashJoin"}


@pytest.fixture(scope="module")
async def graph(neo4j_address: Address) -> AsyncIterator[Graph]:
    """One empty database for all tests here: planning changes nothing."""
    async with Graph.open(neo4j_address) as opened:
        await opened.run_schema("MATCH (n) DETACH DELETE n")
        await schema.prepare(opened, "test")
        yield opened


def operators(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan.get("children", []):
        yield from operators(child)


def kind(operator: dict[str, Any]) -> str:
    return str(operator["operatorType"]).split("@")[0].split("(")[0]


def details(operator: dict[str, Any]) -> str:
    return str(operator["args"].get("Details", ""))


@pytest.mark.parametrize("name", ALL)
async def test_the_server_can_plan_it(graph: Graph, name: str) -> None:
    assert await graph.explain(name)


NEVER_CHANGE = {"url", "name", "key", "host"}
GATES = {"frontier/claim", "jobs/gate"}  # their number is read anew where it is set


@pytest.mark.parametrize("name", [n for n in ALL if "lock" in queries.load(n).text])
async def test_what_is_looked_at_behind_a_lock_was_not_read_before_it(
    graph: Graph, name: str
) -> None:
    """The planner may read properties once, before the lock: `properties(x)` is read behind it."""
    plan = await graph.explain(name)
    for lock in (each for each in operators(plan) if kind(each) == "SetLabels"):
        variable = details(lock).split(":")[0]
        before = [id(operator) for operator in operators(lock)][1:]
        kept = {True: set[str](), False: set[str]()}
        for operator in operators(plan):
            found = re.findall(rf"cache\[{re.escape(variable)}\.(\w+)\]", details(operator))
            kept[id(operator) in before].update(found)
        stale = kept[True] & kept[False] - NEVER_CHANGE
        assert not stale - ({"token", "priority"} if name in GATES else set()), variable


@pytest.mark.parametrize("name", HOT)
async def test_hot_statements_only_use_indexes(graph: Graph, name: str) -> None:
    plan = list(operators(await graph.explain(name)))
    assert not {kind(operator) for operator in plan} & SCANS


@pytest.mark.parametrize("name", HOT)
async def test_hot_statements_seek_pages_by_their_key(graph: Graph, name: str) -> None:
    """An index of pages is sought, never walked: a frontier holds millions."""
    for operator in operators(await graph.explain(name)):
        if kind(operator).startswith("NodeIndex") and ":Frontier(readyAt" in details(operator):
            assert kind(operator) == "NodeIndexSeekByRange"  # it holds the few that were put off
        elif kind(operator).startswith("NodeIndex") and ":Frontier(" in details(operator):
            assert kind(operator) == "NodeIndexSeek"
            assert "host = " in details(operator)
        if kind(operator) == "NodeIndexScan":
            few = ("Host", "Meta", "Leased", "Model", "Crawl")
            assert any(f":{label}(" in details(operator) for label in few)


async def test_a_claim_sorts_no_more_than_it_may_take(graph: Graph) -> None:
    """Every sort stands on a limit; the heads of hosts' queues come sorted from the index."""
    for operator in operators(await graph.explain("frontier/claim")):
        if kind(operator) in {"Sort", "Top", "PartialSort"}:
            below = {kind(inner) for inner in operators(operator)}
            assert below & {"Limit", "ExhaustiveLimit"}
        if kind(operator) == "NodeIndexSeek":
            continue
        if kind(operator) == "Limit":
            inputs = [kind(inner) for inner in operator["children"]]
            assert not {"Sort", "Top", "PartialSort"} & set(inputs)


async def test_the_queue_of_a_host_is_ordered_by_the_index(graph: Graph) -> None:
    for name in ("frontier/claim", "frontier/best_priority", "frontier/refresh_hosts"):
        for operator in operators(await graph.explain(name)):
            if ":Frontier(" in details(operator) and kind(operator) == "NodeIndexSeek":
                parents = [
                    kind(outer)
                    for outer in operators(await graph.explain(name))
                    if operator in outer.get("children", [])
                ]
                assert set(parents) <= {"Limit", "Projection"}, (name, parents)


async def test_an_evaluation_walks_pages_in_the_order_of_the_index(graph: Graph) -> None:
    """A stretch reads no more than it returns: nothing is sorted before the limit."""
    kinds = [kind(operator) for operator in operators(await graph.explain("evaluate/pages"))]
    assert "NodeUniqueIndexSeekByRange" in kinds or "NodeIndexSeekByRange" in kinds, kinds
    assert not {"Sort", "Top", "PartialSort", "PartialTop"} & set(kinds)
