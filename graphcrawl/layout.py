"""Places for the nodes of a small graph, such that what is joined lies near."""

from collections.abc import Sequence
from typing import Any

import numpy as np

ROUNDS = 150


def spring_layout(size: int, pairs: Sequence[tuple[int, int]], *, seed: int = 1) -> Any:
    """Return a place for each node, an array of `size` rows with x and y; always the same one.

    Args:
        size: Nodes; their forces on each other cost its square.
        pairs: Numbers of nodes that are joined.
        seed: Where the nodes begin.

    Source: Fruchterman and Reingold, "Graph drawing by force-directed placement" (1991).
    """
    places = np.random.default_rng(seed).uniform(-1.0, 1.0, (size, 2))
    if size < 2:
        return places
    joined = np.zeros((size, size))
    for a, b in pairs:
        joined[a, b] = joined[b, a] = 1.0
    np.fill_diagonal(joined, 0.0)
    ideal = 1.2 / np.sqrt(size)
    for step in np.linspace(0.2, 0.005, ROUNDS):
        apart = places[:, None, :] - places[None, :, :]
        distance = np.maximum(np.linalg.norm(apart, axis=2), 1e-3)
        push = ideal**2 / distance**2 - joined * distance / ideal
        force = (apart * push[:, :, None]).sum(axis=1) - 0.5 * places
        length = np.maximum(np.linalg.norm(force, axis=1), 1e-9)
        places = places + force / length[:, None] * np.minimum(length, step)[:, None]
    return places
