"""Keeps the steady reward by local pushes: their cost follows what changed, not the graph.

Each neuron has a rate, the points that flow along an axon of weight 1, and knows what flows in,
`inflow(u) = Σ rate(v) · w(uv)`. Recorders keep that sum right for the axons that they make, delete
or weigh anew, or say that it is not known (then it is counted), and mark what they touch. The
*residual* is `(1 - δ) · held(u) + δ · inflow(u) - rate(u) · strength(u)`: where it is more than ε a
unit of strength, the rate is set so that it is none, and the neighbours get the difference. When
all residuals are small, no reward is wrong by more than `ε · strength(u) / (1 - δ)`: strength is
what the flow leaves as it is, `Pᵀ · strength = strength`.

Source: [000.distribute]; R. Andersen, F. Chung, K. Lang, Local Graph Partitioning using PageRank
Vectors, 2006; H. Zhang, P. Lofgren, A. Goel, Approximate Personalized PageRank on Dynamic Graphs,
2016.
"""

import time
from dataclasses import dataclass

from graphcrawl.errors import UsageError
from graphcrawl.graph import Graph, Transaction
from graphcrawl.rewards import steady
from graphcrawl.rewards.distribute import EngineWish, distribute_in_turn
from graphcrawl.uncancelled import uncancelled

EPSILON = 0.01  # points a unit of strength, where a seed has 100
ALL_SHARE = 0.10  # of the neurons: a push that touches more leaves it to a whole distribution
ALL_AT_LEAST = 20_000  # touches; below that, a push costs less than a projection
_ROUNDS = 1000  # in one push; residuals halve, or nearly so, with each round


@dataclass(frozen=True, slots=True)
class PushReport:
    """What a push did."""

    taken: int  # neurons that had changed since the last one
    pushed: int  # neurons whose residual flowed on; one that did so twice counts twice
    reached: int  # neurons that got something of it, counted likewise
    rounds: int
    whole: bool  # all reward was computed anew: for the first time, or since too much had changed
    why: str  # why it was or was not
    seconds: float


@dataclass(slots=True)
class _Work:
    graph: Graph
    flow: dict[str, float]
    taken: int = 0
    pushed: int = 0
    reached: int = 0
    rounds: int = 0


async def push(
    graph: Graph,
    *,
    damping: float = 0.50,
    epsilon: float = EPSILON,
    engine: EngineWish = "auto",
) -> PushReport:
    """Bring the steady reward up to date, as far as something changed since the last push.

    Safe beside crawls. Pushes and distributions of several processes take turns. Cut short at any
    point, the next one goes on where this one was.

    Args:
        graph: An open connection to a prepared graph of mode `steady`.
        damping: Share of reward that flows on, 0 ≤ δ < 1. Another one than before: all is computed
            anew.
        epsilon: Points a unit of strength that a neuron's residual may keep. Less than before: all
            is computed anew.
        engine: Of distributions that compute all anew: `gds`, `cypher` or `auto`.

    Raises:
        UsageError: An argument is out of range.
        GdsMissingError: GDS is demanded, and the server does not have it.
        Neo4jError: The server cannot be reached or refuses.
    """
    if not (0 <= damping < 1 and epsilon > 0):
        raise UsageError(
            f"Cannot push with a damping of {damping} and an epsilon of {epsilon}.",
            "Give a damping from 0 to below 1, and an epsilon above 0.",
        )
    reports: list[PushReport] = []

    async def in_turn(turn: Transaction) -> PushReport:
        if not reports:  # else only the commit that frees the turn failed
            await turn.run("reward/turn")
            reports.append(await _push(graph, damping, epsilon, engine))
        return reports[0]

    return await graph.transact(in_turn)


async def _push(graph: Graph, damping: float, epsilon: float, engine: EngineWish) -> PushReport:
    started = time.perf_counter()
    state = (await graph.run("reward/push_state"))[0]
    work = _Work(graph, {"damping": damping, "epsilon": epsilon})
    why = _unaccounted(state["damping"], state["epsilon"], damping, epsilon)
    whole = why is not None
    if why is None:
        most = max(ALL_SHARE * state["neurons"], ALL_AT_LEAST)
        why = "little had changed"
        if not await _settle(work, most):
            whole, why = True, f"more than {most:,.0f} neurons were touched"
    if whole:
        await distribute_in_turn(graph, damping=damping, precision=steady.EXACT, engine=engine)
        await _account(graph, damping)
        await _settle(work, None)
    seconds = time.perf_counter() - started
    moved = bool(work.taken or work.pushed) and not whole  # a distribution counts itself
    await graph.run("reward/push_done", epsilon=epsilon, seconds=seconds, moved=moved)
    return PushReport(work.taken, work.pushed, work.reached, work.rounds, whole, why, seconds)


def _unaccounted(
    damping: float | None, epsilon: float | None, wished: float, fine: float
) -> str | None:
    """Return why all has to be computed anew before anything can be pushed, or None."""
    if damping is None or epsilon is None:
        return "for the first time"
    if damping != wished:
        return f"the damping was {damping:g}"
    return f"epsilon was {epsilon:g}" if fine < epsilon else None


async def _account(graph: Graph, damping: float) -> None:
    """Write down what flows where, by the rewards that were computed. Recorders go on meanwhile."""
    await graph.run("reward/push_begin", damping=damping)
    for statement in ("reward/push_rates", "reward/push_inflows"):
        while (await uncancelled(graph.run(statement)))[0]["lost"]:
            pass  # a batch and a claim waited for each other; once more, which changes nothing else


async def _settle(work: _Work, most: float | None) -> bool:
    """Push until all residuals are small; False when more than `most` neurons were touched."""
    hosts: set[str] = set()
    try:
        while True:
            row = (await work.graph.run("reward/push_take_in", **work.flow))[0]
            work.taken += row["taken"]
            hosts.update(row["hosts"])
            if not row["taken"]:
                break
        for _ in range(_ROUNDS):
            row = (await work.graph.run("reward/push_round", **work.flow))[0]
            if not row["pushed"]:
                break
            work.pushed += row["pushed"]
            work.reached += row["reached"]
            work.rounds += 1
            hosts.update(row["hosts"])
            if most is not None and work.pushed + work.reached > most:
                return False
        return True
    finally:
        if hosts:
            await work.graph.run("frontier/best_priority", names=sorted(hosts))
