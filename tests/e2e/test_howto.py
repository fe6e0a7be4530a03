"""Every command of docs/HOWTO.md does what the page says, in order, on one crawl."""

import sys
from pathlib import Path

import howto
import pytest
from processes import environment

from graphcrawl import schema
from graphcrawl.graph import Address, Graph


@pytest.mark.skipif(sys.platform == "win32", reason="shells and terminals of POSIX")
async def test_the_page_tells_the_truth(
    tmp_path: Path, graph: Graph, neo4j_address: Address
) -> None:
    await graph.run_schema("MATCH (n) DETACH DELETE n")
    await schema.prepare(graph, "default")  # as where nobody names a graph
    settings = environment(
        tmp_path / "home",
        NEO4J_URI=neo4j_address.uri,
        NEO4J_USERNAME=neo4j_address.user,
        NEO4J_PASSWORD=neo4j_address.password,
    )
    steps = howto.steps(howto.HOWTO.read_text(encoding="utf-8"))
    assert len(steps) >= 15
    with howto.served() as port:
        for command, expected in steps:
            out, err = howto.run(command, tmp_path, port, settings)
            assert (why := howto.difference(expected, out, err)) is None, f"$ {command}\n{why}"
    assert (tmp_path / "jobs.csv").stat().st_size > 100
    await graph.run_schema("MATCH (n) DETACH DELETE n")


def test_the_comparison_can_fail() -> None:
    out, err = ["| 1.5 |  a |", "more", "end"], ["Crawling 3 pages", "Stopped."]
    table = ["| 2 | a |", "more", "end"]

    def differs(*expected: str) -> bool:
        return howto.difference(list(expected), out, err) is not None

    assert not differs("Crawling 77 pages", *table, "Stopped.")
    assert not differs(*table, "Crawling 1 pages", "Stopped.")
    assert not differs("Crawling 1 pages", "…", "end", "Stopped.")
    assert not differs("Crawling 1 pages", "…")
    assert differs("Crawling 1 pages", *table)
    assert differs("Crawling 1 pages", "more", "…")
    assert differs("…", "end", "more", "…")
    assert differs("Crawling 1 sites", "…")
