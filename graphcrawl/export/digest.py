"""What two graphs must have in common to be equal: counts, and a digest that knows no order.

Each node and each relationship is hashed for itself, and the hashes are added up. So two stores
that hold the same in another order have the same digest, and one property that differs shows.
Source: Bellare and Micciancio, A New Paradigm for Collision-Free Hashing, 1997 (AdHash).
"""

from collections.abc import AsyncIterator
from hashlib import sha256
from typing import Any

from graphcrawl.export import lines

_BITS = 256
STATEMENTS = ("export/neurons", "export/others", "export/links")


class Digest:
    """Adds up what passes: the rows of the statements that export a whole graph."""

    def __init__(self) -> None:
        self.nodes = 0  # texts are their page's
        self.relationships = 0
        self._sum = 0

    @property
    def value(self) -> tuple[int, int, str]:
        """Nodes, relationships, and the digest over all that they have."""
        return self.nodes, self.relationships, f"{self._sum:064x}"

    async def watch(self, rows: AsyncIterator[Any]) -> AsyncIterator[Any]:
        """Let rows pass and add them."""
        async for row in rows:
            self.add(row)
            yield row

    def add(self, row: dict[str, Any]) -> None:
        """Add a node, or what leads from a page."""
        if "axons" in row:
            self.relationships += len(row["axons"])
            for kind, target, properties in row["axons"]:
                self._hash([row["source"], kind, target, _sorted(properties)])
        else:
            self.nodes += 1
            if row["labels"] == ["Meta"]:  # its times are those of the store
                return
            text = row.get("text")
            self._hash([sorted(row["labels"]), _sorted(row["properties"]), text and _sorted(text)])

    def _hash(self, value: list[Any]) -> None:
        digest = sha256(lines.dumps({"": value}).encode()).digest()
        self._sum = (self._sum + int.from_bytes(digest)) % 2**_BITS


def _sorted(properties: dict[str, Any]) -> list[tuple[str, Any]]:
    return sorted(properties.items())
