"""Totals of a scorer by slot: its own, which it shares, and those that others have shared."""

from array import array
from collections.abc import Iterable

from graphcrawl.scoring.statistics import Vectors


def add(total: dict[int, float], own: dict[int, float], slot: int, value: float) -> None:
    """Add to one slot, of all and of what is shared."""
    total[slot] = total.get(slot, 0.0) + value
    own[slot] = own.get(slot, 0.0) + value


def change(weights: "array[float]", own: dict[int, float], slot: int, weight: float) -> None:
    """Give a slot another weight, and share by how much it moved."""
    own[slot] = own.get(slot, 0.0) + weight - weights[slot]
    weights[slot] = weight


def sparse(parts: Iterable[Vectors], name: str) -> dict[int, float]:
    """Return the sum of the vectors of that name."""
    total: dict[int, float] = {}
    for part in parts:
        for slot, value in part[name].items():
            total[slot] = total.get(slot, 0.0) + value
    return total


def dense(
    parts: Iterable[Vectors], name: str, slots: int, low: float, high: float
) -> "array[float]":
    """Return the same with a place for each slot, within bounds."""
    total = array("d", bytes(8 * slots))
    for slot, value in sparse(parts, name).items():
        total[slot] = max(low, min(high, value))
    return total
