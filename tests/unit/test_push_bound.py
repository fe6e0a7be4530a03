"""No reward is off by more than ε · strength / (1 - δ), whatever happened. Against scipy."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from push_mirror import Mirror, Neuron
from scipy import sparse
from scipy.sparse.linalg import spsolve


def right(mirror: Mirror) -> dict[int, float]:
    """Solve `(I - δ Pᵀ) r = (1 - δ) granted`. Source: [000.distribute]."""
    place = {number: i for i, number in enumerate(mirror.neurons)}
    n = len(place)
    rows = [
        (place[v], place[u], w) for u, one in mirror.neurons.items() for v, w in one.axons.items()
    ]
    to, source, weight = zip(*rows, strict=True) if rows else ((), (), ())
    both = sparse.coo_array((weight, (to, source)), shape=(n, n)).tocsr()
    strength = np.asarray(both.sum(axis=0)).ravel()
    inverse = np.divide(1, strength, out=np.zeros(n), where=strength > 1e-9)
    system = (sparse.eye_array(n) - mirror.damping * both @ sparse.diags_array(inverse)).tocsc()
    granted = np.array([neuron.base for neuron in mirror.neurons.values()], dtype=float)
    rest = np.atleast_1d(spsolve(system, (1 - mirror.damping) * granted))
    return {number: float(rest[i]) for number, i in place.items()}


def beyond(mirror: Mirror) -> dict[int, tuple[float, float]]:
    wanted = right(mirror) if mirror.neurons else {}
    most = mirror.epsilon / (1 - mirror.damping)
    return {
        number: (one.reward, wanted[number])
        for number, one in mirror.neurons.items()
        if abs(one.reward - wanted[number]) > most * one.strength + 1e-6
    }


def happen(mirror: Mirror, rng: random.Random) -> None:
    """Do one thing that a crawl does to a graph."""
    numbers = list(mirror.neurons)
    one = rng.choice(numbers) if numbers else 0
    what = rng.choice(["grant", "link", "link", "weigh", "prune", "cut short"])
    if what == "grant" or not numbers:
        mirror.grant(rng.choice([one, rng.randrange(25)]), rng.choice([100.0, 5.0, -3.0]))
    elif what == "link":
        known = mirror.neurons[one].axons
        others = [n for n in range(25) if n != one and n not in known]
        some = rng.sample(others, min(len(others), rng.randint(1, 6)))
        if some:
            mirror.link(one, {number: rng.choice([1.0, 0.5, 0.25]) for number in some})
    elif what == "weigh" and mirror.neurons[one].axons:
        other = rng.choice(list(mirror.neurons[one].axons))
        mirror.weigh(one, other, rng.choice([0.5, -0.5, 0.25]) * mirror.neurons[one].axons[other])
    elif what == "prune" and rng.random() < 0.5:
        mirror.prune(one)
    elif what == "cut short":
        mirror.push(rounds=rng.randrange(3))


@settings(max_examples=300, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    damping=st.sampled_from([0.0, 0.1, 0.5, 0.85]),
    epsilon=st.sampled_from([1e-4, 0.01, 0.5]),
    limit=st.sampled_from([1, 3, 1000]),
    steps=st.integers(1, 40),
)
def test_the_bound_holds_after_each_push(
    seed: int, damping: float, epsilon: float, limit: int, steps: int
) -> None:
    rng, mirror = random.Random(seed), Mirror(damping, epsilon, limit)
    for _ in range(steps):
        happen(mirror, rng)
        if rng.random() < 0.3:
            assert mirror.push()
            assert beyond(mirror) == {}
    assert mirror.push()
    assert beyond(mirror) == {}


def test_the_bound_is_sharp_enough_to_fail() -> None:
    """A push that is left out is seen, and so is an inflow that is wrong."""
    mirror = Mirror(0.5, 0.01, 1000)
    mirror.grant(0, 100.0)
    mirror.link(0, {1: 1.0, 2: 1.0})
    assert beyond(mirror)
    assert mirror.push()
    assert beyond(mirror) == {}
    assert mirror.neurons[0].reward == pytest.approx(100 * 2 / 3, abs=0.05)  # 50 / (1 - ¼)
    neuron: Neuron = mirror.neurons[1]
    neuron.inflow, neuron.touched = 0.0, True
    mirror.push()
    assert beyond(mirror)
