"""Another mode for a graph: all its reward is computed anew."""

from dataclasses import dataclass
from typing import Any

from graphcrawl.graph import Graph
from graphcrawl.rewards import steady
from graphcrawl.rewards.distribute import (
    DistributionReport,
    Engine,
    EngineWish,
    distribute,
    forecast,
)
from graphcrawl.rewards.mode import Mode, standing


@dataclass(frozen=True, slots=True)
class ModeChange:
    """What changing the mode of a graph would do."""

    now: Mode
    is_fixed: bool  # by a crawl; else `now` is the default
    mode: Mode
    engine: Engine
    why: str  # why this engine
    neurons: int
    axons: int
    seconds: float


async def foresee_change(
    graph: Graph,
    mode: Mode,
    *,
    distribute: float,
    forget: float,
    damping: float,
    engine: EngineWish,
) -> ModeChange:
    """Say what `change_mode` with these arguments would do; nothing is changed."""
    now = await standing(graph)
    seconds = 0.0
    steps: tuple[Mode, ...] = ("steady",) if mode == "steady" else ("steady", "neural")
    for step in steps:
        found = await forecast(
            graph,
            distribute=distribute,
            forget=forget,
            damping=damping,
            precision=steady.EXACT,
            engine=engine,
            mode=step,
        )
        seconds += found.iteration_s
    return ModeChange(
        now.mode, now.is_fixed, mode, found.engine, found.why, found.neurons, found.axons, seconds
    )


async def change_mode(graph: Graph, mode: Mode, **flow: Any) -> DistributionReport:
    """Let reward flow by another mode from now on, and compute all of it anew.

    Both begin with the steady reward, which follows from grants and axons alone; `neural` flows on
    from there. Safe beside crawls, whose next distributions go by the new mode; what they record
    goes by it when they are started again. Once more changes nothing, but for `neural`'s flow.

    Args:
        graph: An open connection to a prepared graph.
        mode: The new one.
        flow: Further arguments of `distribute`, all but `mode` and `precision`.

    Returns:
        Of the last distribution.
    """
    if mode == "steady":
        await graph.run("reward/set_mode", mode=mode, change=True)
        return await distribute(graph, mode=mode, **flow)
    if (await standing(graph)).mode != mode:
        await distribute(graph, mode="steady", **flow)
    await graph.run("reward/set_mode", mode=mode, change=True)
    return await distribute(graph, mode=mode, **flow)
