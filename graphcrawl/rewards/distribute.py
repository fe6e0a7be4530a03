"""Distributes reward along axons in both directions, in GDS or in Cypher, beside a running crawl.

One iteration is `r' = (1 - f) · r + d · Pᵀ · r`, with d the share that a neuron passes on, f the
share that it forgets, and P the row-normalised matrix of axon weights, both directions summed. A
neuron without axons only forgets. Source: [000.distribute], [000.forget]. In the other mode,
`steady`, reward is brought to rest instead. The crawl goes on meanwhile, so what is written is the
change and never the value.
"""

import time
from dataclasses import dataclass
from typing import Literal

from graphcrawl.errors import (
    GdsMissingError,
    Neo4jAuthError,
    Neo4jError,
    Neo4jUnreachableError,
    QueryError,
    UsageError,
)
from graphcrawl.graph import Graph, Transaction
from graphcrawl.rewards import steady
from graphcrawl.rewards.mode import Mode, standing
from graphcrawl.rewards.writing import PROJECTION, Done, projection, write

Engine = Literal["gds", "cypher"]
EngineWish = Literal["auto", "gds", "cypher"]

REFRESH_HOSTS = "frontier/refresh_hosts"
SMALL_AXONS = 20_000  # below that, Cypher is done before GDS has projected
_FIRST_S = 1.5  # the first iteration beside a crawl: a cold server, recorders at the gate
_AXON_S = 4e-6  # of an iteration, for each axon: 40 s at ten million
# Of an iteration, projection and writing included, for each axon: measured at ten million.
_QUIET_AXON_S: dict[Engine, float] = {"gds": 3.5e-6, "cypher": 1.1e-5}
_SMALL_S = 0.1  # what the smallest graph takes
# Of a further round towards the steady reward.
_ROUND_AXON_S: dict[Engine, float] = {"gds": 1.3e-7, "cypher": 1.1e-5}


@dataclass(frozen=True, slots=True)
class DistributionReport:
    """What a distribution did; sums of reward are of what it read and of what it made of that."""

    mode: Mode
    damping: float | None  # share of reward that flows on; None in `neural`
    engine: Engine
    why: str  # why this engine
    iterations: int  # of the formula in `neural`, rounds in `steady`
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

    mode: Mode
    engine: Engine
    why: str  # why this engine
    neurons: int
    axons: int
    iteration_s: float  # projection and writing included; in `steady` of all its rounds
    is_measured: bool  # by the last distribution of this graph; else by what others took


@dataclass(frozen=True, slots=True)
class _Flow:
    """What is to be done: k iterations of the formula above, or rounds until reward rests."""

    mode: Mode
    iterations: int
    distribute: float
    forget: float
    damping: float
    precision: float

    @property
    def rounds(self) -> int:
        """How often reward flows in one go, at most."""
        return steady.rounds_for(self.damping, self.precision) if self.mode == "steady" else 1


async def distribute(
    graph: Graph,
    *,
    iterations: int = 1,
    distribute: float = 0.10,
    forget: float = 0.10,
    damping: float = 0.50,
    precision: float = steady.EXACT,
    engine: EngineWish = "auto",
    mode: Mode | None = None,
) -> DistributionReport:
    """Let reward flow, and refresh the priorities of waiting pages that it moved by more than 10 %.

    A page that waits by a score of its own keeps its priority.

    Safe beside crawls: a reward granted meanwhile is kept, and distributions of several processes
    take turns. A cancelled run stops before it writes, or else finishes writing. When the server or
    this process dies in mid-writing, the neurons not yet written miss this run's change.

    Args:
        graph: An open connection to a prepared graph.
        iterations: In `neural`: how many times reward flows, at least 1.
        distribute: In `neural`: share of its reward that a neuron passes on, 0 ≤ d < 1.
        forget: In `neural`: share of its reward that a neuron loses, 0 ≤ f < 1.
        damping: In `steady`: share of reward that flows on, 0 ≤ δ < 1.
        precision: In `steady`: share of what was granted that may be missing, 0 < p ≤ 1.
        engine: `gds`, `cypher`, or `auto`: GDS where it is there and fits.
        mode: How reward flows; None for what stands in the graph.

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
    if not (0 <= damping < 1 and 0 < precision <= 1):
        raise UsageError(
            f"Cannot bring reward to rest with a damping of {damping} and precision {precision}.",
            "Give a damping from 0 to below 1, and a precision above 0.",
        )
    started = time.perf_counter()
    reports: list[DistributionReport] = []

    async def in_turn(turn: Transaction) -> DistributionReport:
        # The lock is held by an open transaction: it goes when this process goes. Should only its
        # commit fail, this is called again, and must not distribute twice.
        if not reports:
            await turn.run("reward/turn")
            now = await standing(graph)
            flow = _Flow(mode or now.mode, iterations, distribute, forget, damping, precision)
            reports.append(await _distribute(graph, flow, engine, started))
        return reports[0]

    return await graph.transact(in_turn)


async def distribute_in_turn(
    graph: Graph, *, damping: float, precision: float, engine: EngineWish
) -> DistributionReport:
    """Bring reward to rest, for one who has the turn already; see `distribute`."""
    flow = _Flow("steady", 1, 0.0, 0.0, damping, precision)
    return await _distribute(graph, flow, engine, time.perf_counter())


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
    graph: Graph,
    *,
    distribute: float,
    forget: float,
    engine: EngineWish,
    damping: float = 0.50,
    precision: float = steady.BESIDE_A_CRAWL,
    mode: Mode | None = None,
) -> Forecast:
    """Say which engine the next distribution will use, and how long one iteration will take.

    In `steady` that is all its rounds. It is as long as the last one took, by the axons there are
    now. Before any, or when the other engine or mode has its turn by now, it is what an axon took
    elsewhere.

    Args:
        graph: An open connection to a prepared graph.
        distribute: Share of its reward that a neuron passes on.
        forget: Share of its reward that a neuron loses.
        engine: `gds`, `cypher`, or `auto`.
        damping: Share of reward that flows on.
        precision: Share of what was granted that may be missing.
        mode: How reward flows; None for what stands in the graph.

    Raises:
        UsageError: GDS is demanded for a flow that it cannot do.
        GdsMissingError: GDS is demanded, and the server does not have it.
    """
    size = (await graph.run("reward/size"))[0]
    axons, last = size["axons"], size["lastAxons"]
    now = await standing(graph)
    flow = _Flow(mode or now.mode, 1, distribute, forget, damping, precision)
    chosen, why = await _engine_for(graph, flow, engine, axons)
    most = SMALL_AXONS / flow.rounds
    is_measured = bool(last) and flow.mode == now.mode and (last < most) == (axons < most)
    axon_s = _QUIET_AXON_S[chosen] + (flow.rounds - 1) * _ROUND_AXON_S[chosen]
    by_axons_s = _SMALL_S + axons * axon_s
    seconds = size["lastS"] * max(axons / last, 1.0) if is_measured else by_axons_s
    return Forecast(flow.mode, chosen, why, size["neurons"], axons, seconds, is_measured)


async def choose_engine(graph: Graph, wish: EngineWish) -> Engine:
    """Return the engine to use: GDS where the server has one that can do it, asked by a trial.

    Raises:
        GdsMissingError: GDS is demanded, and the trial failed.
    """
    if wish == "cypher":
        return "cypher"
    try:
        async with projection(graph, "reward/gds_probe") as (name, _):
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
    is_steady = flow.mode == "steady"
    if is_steady:
        rest = steady.with_gds if engine == "gds" else steady.with_cypher
        done = await rest(graph, flow.damping, flow.precision)
    else:
        found = await _with_gds(graph, flow) if engine == "gds" else None
        if engine == "gds" and found is None:
            engine, why = "cypher", _refuse(wish, "PageRank takes no negative rewards")
        done = found or await _with_cypher(graph, flow)
    await graph.run(REFRESH_HOSTS)
    await graph.run(
        "reward/finish",
        iterations=1 if is_steady else flow.iterations,
        seconds=time.perf_counter() - begun,
        axons=size["axons"],
        damping=flow.damping if is_steady else None,
    )
    return DistributionReport(
        mode=flow.mode,
        damping=flow.damping if is_steady else None,
        engine=engine,
        why=why,
        iterations=done.rounds,
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
    if wish == "auto" and axons * flow.rounds < SMALL_AXONS:
        return "cypher", "the graph is too small for a projection to pay"
    if await choose_engine(graph, wish) == "cypher":
        return "cypher", "the server has no GDS that can do it"
    if flow.mode == "neural" and flow.distribute >= 1 - flow.forget:
        return "cypher", _refuse(wish, "PageRank cannot pass on more than stays")
    return "gds", "asked for" if wish == "gds" else "the server has it"


def _refuse(wish: EngineWish, why: str) -> str:
    """Return why GDS will not do, or raise that when nothing else was wanted."""
    if wish == "gds":
        raise UsageError(f"GDS cannot do this distribution: {why}.", "Use --engine cypher.")
    return why


async def _with_gds(graph: Graph, flow: _Flow) -> Done | None:
    """Run PageRank as `1/c` of an iteration; None where a reward is negative.

    Two rounds of PageRank with damping δ and the rewards as bias make `(1 - δ) · (r + δ · Pᵀ · r)`.
    With δ = d / (1 - f) that is the iteration divided by c = (1 - f) / (1 - δ), isolated neurons
    included. Being linear, k iterations need the factor only once: cᵏ.
    """
    damping = flow.distribute / (1 - flow.forget)
    factor = (1 - flow.forget) / (1 - damping)
    await graph.run("reward/gds_sweep", prefix=PROJECTION)
    started = time.perf_counter()
    async with projection(graph, "reward/gds_project") as (name, projected):
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
        sums = await write(
            graph,
            "reward/gds_write",
            clips=True,
            projection=name,
            property=result,
            factor=factor**flow.iterations,
        )
        write_s = time.perf_counter() - started
    return Done(
        rounds=flow.iterations,
        reward_before=sums["before"],
        reward_after=sums["after"],
        max_change=sums["maxChange"],
        project_s=project_s,
        iteration_s=iterations_s / flow.iterations,
        write_s=write_s,
    )


async def _with_cypher(graph: Graph, flow: _Flow) -> Done:
    started = time.perf_counter()
    shares = {"distribute": flow.distribute, "forget": flow.forget}
    sums = [
        await write(graph, "reward/cypher_step", clips=True, **shares)
        for _ in range(flow.iterations)
    ]
    return Done(
        rounds=flow.iterations,
        reward_before=sums[0]["before"],
        reward_after=sums[-1]["after"],
        max_change=max(row["maxChange"] or 0.0 for row in sums),
        project_s=0.0,
        iteration_s=(time.perf_counter() - started) / flow.iterations,
        write_s=0.0,
    )
