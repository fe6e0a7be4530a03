"""Finds the reward that so many neurons are poorer than, with flat memory whatever their number.

One pass over the neurons counts them by spans of reward, each 5 % wide; further passes split the
span that holds the wished one, until it is small enough to be sorted. No index on reward is kept:
each distribution would have to rewrite all of it.
"""

import math
from collections.abc import Sequence

from graphcrawl.graph import Graph, Row

_RATIO = 0.05  # a span's width in the logarithm of reward
_SPANS = 1000  # of equal width, into which one that holds too many is split
_SORTED = 50_000  # neurons that the server may sort at once


async def below_which(graph: Graph, count: int, limits: Row) -> float | None:
    """Return a reward under which at least so many may be pruned, and not many more.

    What lies below is at most 5 % too rich. One pass.

    Args:
        graph: An open connection.
        count: How many, at least 1.
        limits: Who is spared: `spareDistributions`, `spareMs` and `nowMs` of the statements;
            what is meant by reward: `byStrength`.

    Returns:
        None where nothing may be pruned; where fewer than `count` may, what all are below.
    """
    spans = await graph.run("prune/spread", **_ALL, **_LOGARITHMIC, spares=True, **limits)
    if not spans:
        return None
    span, _ = _holding(spans, count - 1)
    return math.nextafter(span["greatest"], math.inf)


async def richest_but(graph: Graph, keep: int, *, by_strength: bool = False) -> float | None:
    """Return the reward of the poorest neuron of the `keep` richest; None where fewer live.

    Args:
        graph: An open connection.
        keep: How many, at least 1.
        by_strength: Whether reward by strength is meant, as in steady mode.
    """
    limits: Row = {"spares": False, "spareDistributions": 0, "spareMs": 0}
    limits["byStrength"] = by_strength
    spans = await graph.run("prune/spread", **_ALL, **_LOGARITHMIC, **limits)
    place = sum(span["neurons"] for span in spans) - keep
    if place < 0:
        return None
    while True:
        span, place = _holding(spans, place)
        low, high = span["least"], span["greatest"]
        width = (high - low) / _SPANS
        if low == high or low + width == low:
            return float(low)
        between = {"low": low, "high": high, **limits}
        if span["neurons"] <= _SORTED:
            return float((await graph.run("prune/nth", place=place, **between))[0]["reward"])
        even = {"from": low, "width": width, "logarithmic": False}
        spans = await graph.run("prune/spread", **between, **even)


_ALL = {"low": -math.inf, "high": math.inf}
_LOGARITHMIC = {"from": 0.0, "width": _RATIO, "logarithmic": True}


def _holding(spans: Sequence[Row], place: int) -> tuple[Row, int]:
    """Return the span that holds a place, and the place within it; the last one if none does."""
    for span in spans:
        if place < span["neurons"]:
            return span, place
        place -= span["neurons"]
    return spans[-1], spans[-1]["neurons"] - 1
