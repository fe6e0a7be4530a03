"""The steady reward: where reward comes to rest while what was granted is held against the flow.

`r = (1 - δ) · Σ δʲ · (Pᵀ)ʲ · granted`, with δ the share that flows on and P the row-normalised
matrix of axon weights, both directions summed. What an alias was granted counts for the page that
stands for it. Each run computes it anew from grants and axons, so whatever recording, folding,
pruning or a crash left behind is put right by the next one.
Source: [000.distribute]; A. N. Langville, C. D. Meyer, Deeper Inside PageRank, 2004, section 5.2.
"""

import math
import time

from graphcrawl.graph import Graph
from graphcrawl.rewards.writing import PROJECTION, Done, projection, write

EXACT = 1e-9  # share of all that was granted that may be missing, at most
BESIDE_A_CRAWL = 1e-3


def rounds_for(damping: float, precision: float) -> int:
    """Return after how many rounds no more than a share `precision` is missing: δⁿ ≤ precision."""
    if damping <= precision:
        return 1
    return math.ceil(math.log(precision) / math.log(damping))


async def with_gds(graph: Graph, damping: float, precision: float) -> Done:
    """Run PageRank with the grants as bias; what was taken is subtracted, as it takes none."""
    await graph.run("reward/gds_sweep", prefix=PROJECTION)
    rounds = rounds_for(damping, precision)
    started = time.perf_counter()
    async with projection(graph, "reward/gds_project_steady") as (name, projected):
        project_s = time.perf_counter() - started

        started = time.perf_counter()
        how = {"projection": name, "damping": damping, "rounds": rounds}
        await graph.run("reward/gds_steady", sign=1, to="granted", **how)
        less = "taken" if projected["poorest"] < 0 else None
        if less:
            await graph.run("reward/gds_steady", sign=-1, to=less, **how)
        iterations_s = time.perf_counter() - started

        started = time.perf_counter()
        result = {"property": "granted", "less": less, "factor": 1.0}
        sums = await write(graph, "reward/gds_write", clips=False, projection=name, **result)
        write_s = time.perf_counter() - started
    return Done(
        rounds=rounds,
        reward_before=sums["before"],
        reward_after=sums["after"],
        max_change=sums["maxChange"],
        project_s=project_s,
        iteration_s=iterations_s / rounds,
        write_s=write_s,
    )


async def with_cypher(graph: Graph, damping: float, precision: float) -> Done:
    """Let reward flow, from what it is now, until it rests.

    A round that moves `m` points in all leaves at most `m · δ / (1 - δ)` to be moved.
    """
    started = time.perf_counter()
    most = 2 * rounds_for(damping, precision)  # beside a crawl it may never rest
    rounds, before, max_change = 0, 0.0, 0.0
    while True:
        sums = await write(graph, "reward/cypher_steady", clips=False, damping=damping)
        rounds += 1
        before = sums["before"] if rounds == 1 else before
        max_change = max(max_change, sums["maxChange"] or 0.0)
        left = sums["moved"] * damping / (1 - damping)
        if left <= precision * max(sums["granted"], 1.0) or rounds >= most:
            break
    return Done(
        rounds=rounds,
        reward_before=before,
        reward_after=sums["after"],
        max_change=max_change,
        project_s=0.0,
        iteration_s=(time.perf_counter() - started) / rounds,
        write_s=0.0,
    )
