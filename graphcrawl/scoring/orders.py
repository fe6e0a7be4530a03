"""The orders in which waiting pages can be fetched."""

from typing import Literal

OrderName = Literal[
    "composite", "reward", "quality", "topic", "bfs", "dfs", "random", "opic", "pagerank"
]
