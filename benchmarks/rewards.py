"""Measures reward distribution on a random graph, each engine, against scipy.

    python benchmarks/rewards.py --neurons 1000000 --axons 10000000 --json

Works in the graph `bench-rewards`, whose content it replaces: an embedded server of its own, or the
Neo4j that NEO4J_URI names. Needs scipy (extra `dev`). One run that is not measured comes first, as
beside a crawl the server is warm. Prints one JSON line; times are in seconds.
"""

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import neo4j
import numpy as np
from scipy import sparse

from graphcrawl import server
from graphcrawl.config import Paths, load_settings
from graphcrawl.connection import connect, external_address
from graphcrawl.graph import Graph
from graphcrawl.rewards import distribute

GRAPH = "bench-rewards"
BATCH = 20_000
KEYS = ("project_s", "iteration_s", "write_s", "total_s")
Vector = np.ndarray[Any, np.dtype[Any]]
CYPHER = Path(__file__).parent / "cypher"


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--neurons", type=int, default=100_000)
    parser.add_argument("--axons", type=int, default=1_000_000)
    parser.add_argument("--iterations", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print nothing but the JSON line")
    options = parser.parse_args()

    def say(text: str) -> None:
        if not options.json:
            print(text, file=sys.stderr)

    settings = load_settings(graph=GRAPH)
    if external_address() is None:
        await server.reset(Paths.locate(settings.home), GRAPH)
    async with connect(settings) as graph:
        started = time.perf_counter()
        adjacency = build(graph, options.neurons, options.axons, options.seed)
        say(f"built in {time.perf_counter() - started:.0f} s")
        result: dict[str, Any] = {"neurons": options.neurons, "axons": adjacency.nnz}
        await distribute(graph)
        for engine in ("gds", "cypher"):
            before = rewards(graph, options.neurons)
            report = await distribute(graph, iterations=options.iterations, engine=engine)
            after = rewards(graph, options.neurons)
            error = np.abs(after - reference(adjacency, before, options.iterations)).max()
            times = {key: round(value, 3) for key, value in asdict(report).items() if key in KEYS}
            result[engine] = times | {"max_abs_error": float(error)}
            say(f"{engine}: {result[engine]}")
    if external_address() is None:
        await server.down(Paths.locate(settings.home), GRAPH)
    print(json.dumps(result))


def build(graph: Graph, neurons: int, axons: int, seed: int) -> Any:
    """Fill the graph: targets are heavy-tailed, seven of ten neurons wait; return its adjacency."""
    random = np.random.default_rng(seed)
    source = random.integers(0, neurons, axons)
    target = (neurons * random.random(axons) ** 3).astype(np.int64)
    pairs = np.unique((source * neurons + target)[source != target])
    random.shuffle(pairs)
    source, target = pairs // neurons, pairs % neurons
    weight = random.choice([1.0, 0.5, 0.25], len(pairs), p=[0.7, 0.2, 0.1])
    reward = random.pareto(1.2, neurons)
    hosts = max(1, neurons // 200)
    with opened(graph) as session:
        for statement in statement_text("empty").split(";"):
            session.run(statement).consume()
        session.run(statement_text("hosts"), hosts=hosts).consume()
        ids: list[int] = []
        for first in range(0, neurons, BATCH):
            batch = reward[first : first + BATCH].tolist()
            rows = session.run(statement_text("neurons"), rewards=batch, first=first, hosts=hosts)
            ids += rows.value("id")
        node = np.array(ids)
        for first in range(0, len(pairs), BATCH):
            part = slice(first, first + BATCH)
            session.run(
                statement_text("axons"),
                sources=node[source[part]].tolist(),
                targets=node[target[part]].tolist(),
                weights=weight[part].tolist(),
            ).consume()
    return sparse.coo_array((weight, (source, target)), shape=(neurons, neurons)).tocsr()


def statement_text(name: str) -> Any:
    """Return one of this benchmark's statements."""
    return (CYPHER / f"rewards_{name}.cypher").read_text(encoding="utf-8")


def rewards(graph: Graph, neurons: int) -> Vector:
    """Read all rewards, by number of the neuron."""
    found = np.zeros(neurons)
    with opened(graph) as session:
        for number, reward in session.run(statement_text("read")):
            found[number] = reward
    return found


def reference(adjacency: Any, r: Vector, iterations: int) -> Vector:
    """Return `(0.9 I + 0.1 Pᵀ)ᵏ r`. Source: [000.distribute], [000.forget]."""
    both = adjacency + adjacency.T
    strength = np.asarray(both.sum(axis=1)).ravel()
    share = np.divide(1, strength, out=np.zeros_like(strength), where=strength > 0)
    for _ in range(iterations):
        r = 0.9 * r + 0.1 * (both @ (share * r))
    return r


@contextmanager
def opened(graph: Graph) -> Iterator[neo4j.Session]:
    """Open a plain session on the graph's database."""
    address = graph.address
    with (
        neo4j.GraphDatabase.driver(
            address.uri, auth=(address.user, address.password), notifications_min_severity="OFF"
        ) as driver,
        driver.session(database=address.database) as session,
    ):
        yield session


if __name__ == "__main__":
    asyncio.run(main())
