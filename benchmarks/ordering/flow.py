"""How reward flows, by scipy: the twin's stand-in for the product's Cypher and GDS."""

from collections.abc import Callable

import numpy as np
import scipy.sparse as sp

from graphcrawl.replay import Axons, Flow
from ordering.web import Floats

STEPS = 16  # of the steady sum: δ^16 is below a thousandth for δ up to 0.65


def neural(iterations: int = 1, distribute: float = 0.1, forget: float = 0.1) -> Flow:
    """Return the source's iteration, some times [000.distribute] [000.forget]."""

    def flow(
        reward: list[float], base: list[float], strength: list[float], axons: Axons
    ) -> list[float]:
        pass_on = _passing(strength, axons)
        now = np.array(reward)
        for _ in range(iterations):
            now = (1 - forget) * now + distribute * pass_on(now)
        return now.tolist()  # type: ignore[no-any-return]

    return flow


def steady(delta: float = 0.5) -> Flow:
    """Return `r = (1 - δ) · Σ δʲ (Pᵀ)ʲ · base`."""

    def flow(
        reward: list[float], base: list[float], strength: list[float], axons: Axons
    ) -> list[float]:
        pass_on = _passing(strength, axons)
        start = np.array(base)
        now = start.copy()
        for _ in range(STEPS):
            now = start + delta * pass_on(now)
        return ((1 - delta) * now).tolist()  # type: ignore[no-any-return]

    return flow


def _passing(strength: list[float], axons: Axons) -> Callable[[Floats], Floats]:
    size = len(strength)
    share = 1 / np.maximum(np.array(strength), 1e-12)
    matrix = sp.csr_matrix((axons.weights, (axons.sources, axons.targets)), shape=(size, size))
    both = (matrix + matrix.T).tocsr()
    return lambda reward: both @ (share * reward)


def pagerank(damping: float = 0.85, iterations: int = 20) -> Flow:
    """Return PageRank over the axons so far, from fetched pages to all that is known."""

    def flow(
        reward: list[float], base: list[float], strength: list[float], axons: Axons
    ) -> list[float]:
        size = len(strength)
        known = np.array(strength) > 0
        matrix = sp.csr_matrix((axons.weights, (axons.sources, axons.targets)), shape=(size, size))
        out = np.asarray(matrix.sum(1)).ravel()
        turned = (sp.diags(1 / np.maximum(out, 1e-12)) @ matrix).T.tocsr()
        count = max(int(known.sum()), 1)
        start = known / count
        now = start.copy()
        for _ in range(iterations):
            lost = now[out == 0].sum()
            now = (1 - damping) * start + damping * (turned @ now + lost * start)
        return now.tolist()  # type: ignore[no-any-return]

    return flow
