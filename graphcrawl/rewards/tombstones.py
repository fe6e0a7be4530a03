"""The rule by which tombstones go, so that they do not grow without end.

A tombstone keeps a pruned page from being fetched again. It costs about an eighth of a neuron, and
a crawl that prunes makes them for ever. So they go when they are older than `age_s`, and the oldest
go when there are more than `per_neuron` for each neuron that is kept, or 100,000 if that is more.
A page whose tombstone is gone is found anew when a link leads there; the archive still has it.
"""

import time
from dataclasses import dataclass

from graphcrawl.graph import Graph
from graphcrawl.uncancelled import uncancelled

ALWAYS = 100_000  # tombstones that are never too many: some 30 MB
_BATCH = 2_000
_FAR_MS = 253_370_764_800_000  # the year 9999


@dataclass(frozen=True, slots=True)
class Rule:
    """How many tombstones may stand, and how long."""

    per_neuron: float = 2.0  # at most, for each neuron that is kept
    age_s: float = 180 * 86400.0
    always: int = ALWAYS  # so many may stand in any graph


DEFAULT = Rule()


async def remove_some(
    graph: Graph, rule: Rule, *, keep: int | None = None, now_ms: int | None = None
) -> int:
    """Remove a batch of the oldest tombstones that the rule lets go; return how many went.

    Args:
        graph: An open connection.
        rule: The rule.
        keep: The size that the graph is held at; None: it is as large as it is.
        now_ms: Milliseconds since 1970; None: now.
    """
    now_ms = time.time_ns() // 1_000_000 if now_ms is None else now_ms
    before_ms = now_ms - round(rule.age_s * 1000)
    gone = await _remove(graph, before_ms, _BATCH)
    if gone == _BATCH:
        return gone
    size = (await graph.run("prune/size"))[0]
    most = max(rule.always, rule.per_neuron * max(size["neurons"], keep or 0))
    excess = size["tombstones"] - int(most)
    if excess > 0:
        gone += await _remove(graph, _FAR_MS, min(excess, _BATCH))
    return gone


async def _remove(graph: Graph, before_ms: int, most: int) -> int:
    removed = await uncancelled(graph.run("prune/tombstones", beforeMs=before_ms, most=most))
    return int(removed[0]["tombstones"])
