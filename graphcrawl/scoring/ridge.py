"""Linear regression that learns online and starts from weights that are stated."""

from collections.abc import Sequence
from operator import mul

FALLBACK_JITTER = 1e-9


class Ridge:
    """Least squares with a pull towards prior weights: w = (ΛI + Σxxᵀ)⁻¹ (Λw₀ + Σyx).

    The statistics are sums, so those of several workers add up. Small and pure Python: with two
    dozen pieces of evidence a lesson takes some 20 µs and a solution less than a millisecond, so
    that no numerical library need be installed.

    Source: Hoerl and Kennard, Ridge Regression (1970); as Bayesian regression with a normal prior
    around w₀.
    """

    __slots__ = ("_rows", "_size", "_targets", "lessons")

    def __init__(self, size: int) -> None:
        self._size = size
        self._rows = [[0.0] * (i + 1) for i in range(size)]  # lower triangle of Σxxᵀ
        self._targets = [0.0] * size  # Σyx
        self.lessons = 0.0

    def learn(self, values: Sequence[float], target: float, keep: float = 1.0) -> None:
        """Take in one lesson; what was learned before counts `keep` of itself from now on."""
        if keep != 1.0:
            self._rows = [[keep * cell for cell in row] for row in self._rows]
            self._targets = [keep * cell for cell in self._targets]
            self.lessons *= keep
        for i, value in enumerate(values):
            if value:
                row = self._rows[i]
                self._rows[i] = [cell + value * values[j] for j, cell in enumerate(row)]
                self._targets[i] += value * target
        self.lessons += 1.0

    def correct(self, values: Sequence[float], more: float) -> None:
        """Move the target of a lesson that was taken in before."""
        for i, value in enumerate(values):
            self._targets[i] += value * more

    def add(self, other: "Ridge") -> None:
        """Add what another worker learned."""
        for row, theirs in zip(self._rows, other._rows, strict=True):
            for j, cell in enumerate(theirs):
                row[j] += cell
        for i, cell in enumerate(other._targets):
            self._targets[i] += cell
        self.lessons += other.lessons

    def solve(
        self, prior: Sequence[float], trust: Sequence[float], fixed: Sequence[bool] = ()
    ) -> list[float]:
        """Return the weights.

        Args:
            prior: Weights before anything was learned.
            trust: How many lessons each prior is worth, as the square of its evidence.
            fixed: Pieces whose weight is the prior's whatever was learned.
        """
        free = [i for i in range(self._size) if not (fixed and fixed[i])]
        held = [i for i in range(self._size) if fixed and fixed[i]]
        weights = list(prior)
        matrix, right = [], []
        for place, i in enumerate(free):
            row = [self._cell(i, j) for j in free[: place + 1]]
            row[place] += trust[i] + FALLBACK_JITTER
            matrix.append(row)
            known = sum(self._cell(i, j) * prior[j] for j in held)
            right.append(self._targets[i] + trust[i] * prior[i] - known)
        for i, weight in zip(free, _cholesky_solve(matrix, right), strict=True):
            weights[i] = weight
        return weights

    def _cell(self, i: int, j: int) -> float:
        return self._rows[i][j] if j <= i else self._rows[j][i]

    def sums(self) -> list[float]:
        """Return the statistics as one list of numbers."""
        return [self.lessons, *self._targets, *(cell for row in self._rows for cell in row)]

    @classmethod
    def of_sums(cls, size: int, sums: Sequence[float]) -> "Ridge":
        """Return what `sums` gave.

        Raises:
            ValueError: There are too few or too many numbers.
        """
        if len(sums) != 1 + size + size * (size + 1) // 2:
            raise ValueError(f"{len(sums)} numbers are not the statistics of {size} weights")
        ridge = cls(size)
        ridge.lessons = sums[0]
        ridge._targets = list(sums[1 : size + 1])
        at = size + 1
        for i in range(size):
            ridge._rows[i] = list(sums[at : at + i + 1])
            at += i + 1
        return ridge


def _cholesky_solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solve for a symmetric positive definite matrix, given by its lower triangle."""
    lower: list[list[float]] = []
    y: list[float] = []
    for i, row in enumerate(matrix):
        mine: list[float] = []
        for j in range(i):
            mine.append((row[j] - sum(map(mul, mine, lower[j]))) / lower[j][j])
        pivot = row[i] - sum(map(mul, mine, mine))
        mine.append(max(pivot, FALLBACK_JITTER) ** 0.5)
        lower.append(mine)
        y.append((right[i] - sum(map(mul, mine, y))) / mine[i])
    solution = [0.0] * len(y)
    for i in range(len(y) - 1, -1, -1):
        rest = sum(lower[k][i] * solution[k] for k in range(i + 1, len(y)))
        solution[i] = (y[i] - rest) / lower[i][i]
    return solution
