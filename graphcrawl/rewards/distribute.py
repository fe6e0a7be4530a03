"""Distributes reward along axons in both directions, in GDS or in Cypher, beside a running crawl.

One iteration is `r' = (1 - f) · r + d · Pᵀ · r`, with d the share that a neuron passes on, f the
share that it forgets, and P the row-normalised matrix of axon weights, both directions summed. A
neuron without axons only forgets. Source: [000.distribute], [000.forget]. The crawl goes on
meanwhile, so what is written is the change and never the value.
"""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal
from uuid import uuid4

from graphcrawl.errors import (
    GdsMissingError,
    Neo4jAuthError,
    Neo4jError,
    Neo4jUnreachableError,
    QueryError,
    UsageError,
)
from graphcrawl.graph import Graph, Row, Transaction
from graphcrawl.uncancelled import uncancelled

Engine = Literal["gds", "cypher"]
EngineWish = Literal["auto", "gds", "cypher"]

REFRESH_HOSTS = "frontier/refresh_hosts"
_PROJECTION = "graphcrawl-rewards-"
SMALL_AXONS = 20_000  # below that, Cypher is done before GDS has projected
_FIRST_S = 1.5  # the first iteration beside a crawl: a cold server, recorders at the gate
_AXON_S = 4e-6  # of an iteration, for each axon: 40 s at ten million
# Of an iteration, projection and writing included, for each axon: measured at ten million.
_QUIET_AXON_S: dict[Engine, float] = {"gds": 3.5e-6, "cypher": 1.1e-5}
_SMALL_S = 0.1  # what the smallest graph takes
_BATCH = 10_000  # neurons a transaction: recorders wait for one batch, a commit costs milliseconds


@dataclass(frozen=True, slots=True)
class DistributionReport:
    """What a distribution did; sums of reward are of what it read and of what it made of that."""

    engine: Engine
    why: str  # why this engine
    iterations: int
    neurons: int
    axons: int
    reward_before: float
    reward_after: float
    max_change: float  # of one neuron in one writing, without its sign
    project_s: float  # 0 in Cypher, which has no projection
    iteration_s: float  # mean of the iterations; in Cypher each one writes as well
    write_s: float  # 0 in Cypher
    total_s: float  # with waiting for other distributions and refreshing the hosts


@dataclass(frozen=True, slots=True)
class Forecast:
    """What the next distribution will use and cost."""

    engine: Engine
    why: str  # why this engine
    neurons: int
    axons: int
    iteration_s: float  # projection and writing included
    is_measured: bool  # by the last distribution of this graph; else by what others took


@dataclass(frozen=True, slots=True)
class _Flow:
    """What is to be done: k iterations of the formula above."""

    iterations: int
    distribute: float
    forget: float


@dataclass(frozen=True, slots=True)
class _Done:
    """What an engine did."""

    reward_before: float
    reward_after: float
    max_change: float
    project_s: float
    iteration_s: float
    write_s: float


async def distribute(
    graph: Graph,
    *,
    iterations: int = 1,
    distribute: float = 0.10,
    forget: float = 0.10,
    engine: EngineWish = "auto",
) -> DistributionReport:
    """Let reward flow, and refresh the priorities of waiting pages that it moved by more than 10 %.

    Safe beside crawls: a reward granted meanwhile is kept, and distributions of several processes
    take turns. A cancelled run stops before it writes, or else finishes writing. When the server or
    this process dies in mid-writing, the neurons not yet written miss this run's change.

    Args:
        graph: An open connection to a prepared graph.
        iterations: How many times reward flows, at least 1.
        distribute: Share of its reward that a neuron passes on, 0 ≤ d < 1.
        forget: Share of its reward that a neuron loses, 0 ≤ f < 1.
        engine: `gds`, `cypher`, or `auto`: GDS where it is there and fits.

    Raises:
        UsageError: An argument is out of range, or GDS is demanded for a flow that it cannot do.
        GdsMissingError: GDS is demanded, and the server does not have it.
        Neo4jError: The server cannot be reached or refuses.
    """
    if iterations < 1 or not (0 <= distribute < 1 and 0 <= forget < 1):
        raise UsageError(
            f"Cannot distribute {iterations} times with shares {distribute} and {forget}.",
            "Give at least 1 iteration, and shares from 0 to below 1.",
        )
    flow = _Flow(iterations, distribute, forget)
    started = time.perf_counter()
    reports: list[DistributionReport] = []

    async def in_turn(turn: Transaction) -> DistributionReport:
        # The lock is held by an open transaction: it goes when this process goes. Should only its
        # commit fail, this is called again, and must not distribute twice.
        if not reports:
            await turn.run("reward/turn")
            reports.append(await _distribute(graph, flow, engine, started))
        return reports[0]

    return await graph.transact(in_turn)


async def expected_s(graph: Graph) -> float:
    """Say how long the next iteration may take beside a crawl that has just begun.

    That is as long as the last one took, by the axons there are now; before any, what an axon
    costs. It is never little: a server that has yet to warm up is slow on the smallest graph.
    """
    size = (await graph.run("reward/size"))[0]
    by_size_s: float = size["axons"] * _AXON_S
    if size["lastAxons"]:
        by_size_s = size["lastS"] * max(size["axons"] / size["lastAxons"], 1.0)
    return max(_FIRST_S, by_size_s)


async def forecast(
    graph: Graph, *, distribute: float, forget: float, engine: EngineWish
) -> Forecast:
    """Say which engine the next distribution will use, and how long one iteration will take.

    That is as long as the last one took, by the axons there are now. Before any, or when the other
    engine has its turn by now, it is what an axon took elsewhere.

    Args:
        graph: An open connection to a prepared graph.
        distribute: Share of its reward that a neuron passes on.
        forget: Share of its reward that a neuron loses.
        engine: `gds`, `cypher`, or `auto`.

    Raises:
        UsageError: GDS is demanded for a flow that it cannot do.
        GdsMissingError: GDS is demanded, and the server does not have it.
    """
    size = (await graph.run("reward/size"))[0]
    axons, last = size["axons"], size["lastAxons"]
    chosen, why = await _engine_for(graph, _Flow(1, distribute, forget), engine, axons)
    is_measured = bool(last) and (last < SMALL_AXONS) == (axons < SMALL_AXONS)
    by_axons_s = _SMALL_S + axons * _QUIET_AXON_S[chosen]
    seconds = size["lastS"] * max(axons / last, 1.0) if is_measured else by_axons_s
    return Forecast(chosen, why, size["neurons"], axons, seconds, is_measured)


async def choose_engine(graph: Graph, wish: EngineWish) -> Engine:
    """Return the engine to use: GDS where the server has one that can do it, asked by a trial.

    Raises:
        GdsMissingError: GDS is demanded, and the trial failed.
    """
    if wish == "cypher":
        return "cypher"
    try:
        async with _projection(graph, "reward/gds_probe") as (name, _):
            await graph.run(
                "reward/gds_step", projection=name, **{"from": "reward"}, to="r", damping=0.5
            )
    except (Neo4jUnreachableError, Neo4jAuthError):
        raise
    except (Neo4jError, QueryError) as error:  # an unknown function is a syntax error
        if wish == "auto":
            return "cypher"
        raise GdsMissingError(
            f"The server at {graph.address.shown} has no GDS that can do this: {error.message}",
            "Use --engine cypher, or install a Graph Data Science whose PageRank takes biases.",
        ) from error
    return "gds"


async def _distribute(
    graph: Graph, flow: _Flow, wish: EngineWish, started: float
) -> DistributionReport:
    begun = time.perf_counter()
    size = (await graph.run("reward/size"))[0]
    engine, why = await _engine_for(graph, flow, wish, size["axons"])
    done = await _with_gds(graph, flow) if engine == "gds" else None
    if engine == "gds" and done is None:
        engine, why = "cypher", _refuse(wish, "PageRank takes no negative rewards")
    if done is None:
        done = await _with_cypher(graph, flow)
    await graph.run(REFRESH_HOSTS)
    await graph.run(
        "reward/finish",
        iterations=flow.iterations,
        seconds=time.perf_counter() - begun,
        axons=size["axons"],
    )
    return DistributionReport(
        engine=engine,
        why=why,
        iterations=flow.iterations,
        neurons=size["neurons"],
        axons=size["axons"],
        reward_before=done.reward_before,
        reward_after=done.reward_after,
        max_change=done.max_change,
        project_s=done.project_s,
        iteration_s=done.iteration_s,
        write_s=done.write_s,
        total_s=time.perf_counter() - started,
    )


async def _engine_for(
    graph: Graph, flow: _Flow, wish: EngineWish, axons: int
) -> tuple[Engine, str]:
    if wish == "cypher":
        return "cypher", "asked for"
    if axons == 0:
        return "cypher", "there are no axons to project"
    if wish == "auto" and axons < SMALL_AXONS:
        return "cypher", "the graph is too small for a projection to pay"
    if await choose_engine(graph, wish) == "cypher":
        return "cypher", "the server has no GDS that can do it"
    if flow.distribute >= 1 - flow.forget:
        return "cypher", _refuse(wish, "PageRank cannot pass on more than stays")
    return "gds", "asked for" if wish == "gds" else "the server has it"


def _refuse(wish: EngineWish, why: str) -> str:
    """Return why GDS will not do, or raise that when nothing else was wanted."""
    if wish == "gds":
        raise UsageError(f"GDS cannot do this distribution: {why}.", "Use --engine cypher.")
    return why


async def _with_gds(graph: Graph, flow: _Flow) -> _Done | None:
    """Run PageRank as `1/c` of an iteration; None where a reward is negative.

    Two rounds of PageRank with damping δ and the rewards as bias make `(1 - δ) · (r + δ · Pᵀ · r)`.
    With δ = d / (1 - f) that is the iteration divided by c = (1 - f) / (1 - δ), isolated neurons
    included. Being linear, k iterations need the factor only once: cᵏ.
    """
    damping = flow.distribute / (1 - flow.forget)
    factor = (1 - flow.forget) / (1 - damping)
    await graph.run("reward/gds_sweep", prefix=_PROJECTION)
    started = time.perf_counter()
    async with _projection(graph, "reward/gds_project") as (name, projected):
        if projected["poorest"] < 0:
            return None
        project_s = time.perf_counter() - started

        started = time.perf_counter()
        result = "reward"
        for number in range(1, flow.iterations + 1):
            step = {"from": result, "to": f"reward{number}"}
            await graph.run("reward/gds_step", projection=name, damping=damping, **step)
            result = step["to"]
        iterations_s = time.perf_counter() - started

        started = time.perf_counter()
        sums = await _write(
            graph,
            "reward/gds_write",
            projection=name,
            property=result,
            factor=factor**flow.iterations,
        )
        write_s = time.perf_counter() - started
    return _Done(
        reward_before=sums["before"],
        reward_after=sums["after"],
        max_change=sums["maxChange"],
        project_s=project_s,
        iteration_s=iterations_s / flow.iterations,
        write_s=write_s,
    )


async def _with_cypher(graph: Graph, flow: _Flow) -> _Done:
    started = time.perf_counter()
    shares = {"distribute": flow.distribute, "forget": flow.forget}
    sums = [await _write(graph, "reward/cypher_step", **shares) for _ in range(flow.iterations)]
    return _Done(
        reward_before=sums[0]["before"],
        reward_after=sums[-1]["after"],
        max_change=max(row["maxChange"] or 0.0 for row in sums),
        project_s=0.0,
        iteration_s=(time.perf_counter() - started) / flow.iterations,
        write_s=0.0,
    )


async def _write(graph: Graph, statement: str, **parameters: Any) -> Row:
    """Run a statement that adds changes in batches; add those of failed batches once more, alone.

    A batch fails when it and a claim wait for each other; it is then rolled back as a whole, so
    nothing is added twice.
    """
    return await uncancelled(_write_all(graph, statement, parameters))


async def _write_all(graph: Graph, statement: str, parameters: Row) -> Row:
    sums = (await graph.run(statement, batch=_BATCH, **parameters))[0]
    lost = sums["lost"]
    for first in range(0, len(lost), _BATCH):
        await graph.run("reward/add", changes=lost[first : first + _BATCH])
    return sums


@asynccontextmanager
async def _projection(graph: Graph, statement: str) -> AsyncIterator[tuple[str, Row]]:
    """Project under a name of its own, yield the name and the statement's row, and free it."""
    name = f"{_PROJECTION}{uuid4().hex}"
    try:
        yield name, (await graph.run(statement, projection=name))[0]
    finally:
        await graph.run("reward/gds_drop", projection=name)
