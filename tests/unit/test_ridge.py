"""Regression towards prior weights, against numpy."""

import random

import numpy as np
import pytest

from graphcrawl.scoring.ridge import Ridge


def data(lessons: int, size: int) -> tuple[list[list[float]], list[float]]:
    """Return values and targets."""
    rng = random.Random(lessons * 31 + size)
    return [[rng.random() for _ in range(size)] for _ in range(lessons)], [
        rng.random() for _ in range(lessons)
    ]


@pytest.mark.parametrize(("lessons", "size"), [(0, 3), (1, 4), (5, 8), (400, 22)])
def test_it_solves_what_numpy_solves(lessons: int, size: int) -> None:
    values, targets = data(lessons, size)
    prior, trust = [0.1 * i for i in range(size)], [1.0 + i for i in range(size)]
    ridge = Ridge(size)
    for x, y in zip(values, targets, strict=True):
        ridge.learn(x, y)
    x, y = np.array(values).reshape(-1, size), np.array(targets)
    expected = np.linalg.solve(
        x.T @ x + np.diag(trust), x.T @ y + np.array(trust) * np.array(prior)
    )
    assert ridge.solve(prior, trust) == pytest.approx(expected.tolist(), abs=1e-6)


def test_fixed_weights_stay_and_the_others_make_up_for_them() -> None:
    values, targets = data(200, 4)
    ridge = Ridge(4)
    for x, y in zip(values, targets, strict=True):
        ridge.learn(x, y)
    found = ridge.solve([0.7, 0, 0, 0], [1.0] * 4, [True, False, False, False])
    assert found[0] == 0.7
    x, y = np.array(values), np.array(targets)
    rest = np.linalg.solve(x[:, 1:].T @ x[:, 1:] + np.eye(3), x[:, 1:].T @ (y - 0.7 * x[:, 0]))
    assert found[1:] == pytest.approx(rest.tolist(), abs=1e-6)


def test_statistics_add_up_and_travel() -> None:
    values, targets = data(60, 5)
    whole, parts = Ridge(5), (Ridge(5), Ridge(5))
    for n, (x, y) in enumerate(zip(values, targets, strict=True)):
        whole.learn(x, y)
        parts[n % 2].learn(x, y)
    parts[0].add(Ridge.of_sums(5, parts[1].sums()))
    assert parts[0].sums() == pytest.approx(whole.sums())
    with pytest.raises(ValueError, match="statistics"):
        Ridge.of_sums(5, [1.0])


def test_a_corrected_lesson_is_as_if_it_had_been_so_from_the_start() -> None:
    one, other = Ridge(2), Ridge(2)
    one.learn([1.0, 0.5], 0.2)
    one.correct([1.0, 0.5], 0.3)
    other.learn([1.0, 0.5], 0.5)
    assert one.sums() == pytest.approx(other.sums())


def test_equal_evidence_breaks_nothing() -> None:
    ridge = Ridge(3)
    for _ in range(1000):
        ridge.learn([1.0, 1.0, 1.0], 0.6)
    assert sum(ridge.solve([0.0] * 3, [0.0] * 3)) == pytest.approx(0.6, abs=1e-3)
