"""Archives what is to be pruned, and remembers how it was.

What it remembers are numbers alone, so that millions of neurons can be archived in one go and then
be compared, each in the transaction that deletes it, without reading the archive again.
"""

import asyncio
from array import array
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from graphcrawl.graph import Graph, Row
from graphcrawl.rewards import archive as archives

_AT_ONCE = 500  # neurons read for the archive in one go
_DELETED_AT_ONCE = 1000  # in one transaction


@dataclass(frozen=True, slots=True)
class Archived:
    """An archive, and by what to tell whether its neurons are still as it holds them."""

    path: Path
    neurons: int
    _strengths: "array[float]"
    _known: "tuple[array[int], ...]"  # columns of `prune/delete`: 40 bytes a neuron
    _axons: "array[int]"  # of all of them, one after another; the last of the columns counts them

    def batches(self) -> Iterator[list[list[Any]]]:
        """Yield what `delete` takes, batch by batch."""
        done = 0
        for first in range(0, self.neurons, _DELETED_AT_ONCE):
            columns: Sequence[Sequence[Any]] = (*self._known, self._strengths)
            part = [column[first : first + _DELETED_AT_ONCE] for column in columns]
            batch: list[list[Any]] = []
            for node, neuron_id, fetched_ms, axons, strength in zip(*part, strict=True):
                known = self._axons[done : done + axons].tolist()
                batch.append([node, neuron_id, fetched_ms, known, strength])
                done += axons
            yield batch


async def archive_poor(
    graph: Graph, folder: Path, ids: Sequence[int], limits: Row
) -> Archived | None:
    """Write an archive of what would go.

    Args:
        graph: An open connection.
        folder: For the archive; made when missing.
        ids: What `poor` found; those that are not to go any more are left out.
        limits: Parameters of `prune/doomed`.

    Returns:
        None, and no file, where nothing would go.
    """
    if not ids:
        return None
    name = (await graph.run("schema/meta"))[0]["graph"]
    path = folder / f"prune-{name}-{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}.parquet"
    known = tuple(array("q") for _ in range(4))
    axons, strengths = array("q"), array("d")

    async def read(first: int) -> list[Row]:
        some = ids[first : first + _AT_ONCE]
        rows: list[Row] = (await graph.run("prune/doomed", ids=some, **limits))[0]["rows"]
        return rows

    async def rows() -> AsyncGenerator[Row, None]:
        """Ask for the next rows before these are written: the server works meanwhile."""
        reading = asyncio.ensure_future(read(0))
        try:
            for following in range(_AT_ONCE, len(ids) + _AT_ONCE, _AT_ONCE):
                batch = await reading
                if following < len(ids):
                    reading = asyncio.ensure_future(read(following))
                for row in batch:
                    fetched_ms = -1 if row["fetchedMs"] is None else row["fetchedMs"]
                    values = (row["id"], row["neuronId"] or 0, fetched_ms, len(row["known"]))
                    for column, value in zip(known, values, strict=True):
                        column.append(value)
                    axons.extend(row["known"])
                    strengths.append(row["strength"])
                    yield row
        finally:
            reading.cancel()

    found = rows()
    try:
        written = await archives.write(path, name, found)
    finally:
        await found.aclose()
    if not written:
        archives.remove(path)
        return None
    return Archived(path, written, strengths, known, axons)
