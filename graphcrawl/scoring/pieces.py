"""The pieces of evidence for a waiting page, and the orders that go by them: names alone."""

from typing import Literal, NamedTuple

OrderName = Literal[
    "composite", "reward", "quality", "topic", "bfs", "dfs", "random", "opic", "pagerank"
]

# Each piece of evidence, 0 to 1: the weight it has before anything was learned, and how firmly.
PIECES: dict[str, tuple[float, float]] = {
    "base": (0.0, 1.0),
    "parent-best": (0.35, 4.0),
    "parent-mean": (0.25, 4.0),
    "reward": (0.15, 4.0),
    "topic": (0.40, 4.0),
    "feed": (0.50, 4.0),
    "foretold": (0.10, 4.0),
    "quality": (0.10, 4.0),
    "keywords": (0.80, 4.0),  # one keyword has the value 0.5
    "host": (0.15, 4.0),
    "new-host": (0.05, 4.0),
    "directory": (0.15, 4.0),
    "url-best": (0.10, 4.0),
    "url-mean": (0.10, 4.0),
    "anchor-best": (0.15, 4.0),
    "anchor-mean": (0.15, 4.0),
    "around": (0.10, 4.0),
    "place": (0.05, 4.0),
    "form": (0.05, 4.0),
    "lineage": (0.15, 4.0),
    "in-links": (0.05, 4.0),
    "path-depth": (0.02, 4.0),
    "depth": (0.02, 4.0),
    "fresh": (0.0, 4.0),
}
NAMES = tuple(PIECES)


class Part(NamedTuple):
    """One piece of evidence in a score."""

    name: str
    value: float  # 0 to 1
    weight: float
    part: float  # value x weight; the parts of a page sum to its score
