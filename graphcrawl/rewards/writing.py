"""Projections that are freed, and changes of reward that are added in batches beside a crawl."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from graphcrawl.graph import Graph, Row
from graphcrawl.uncancelled import uncancelled

PROJECTION = "graphcrawl-rewards-"
_BATCH = 10_000  # neurons a transaction: recorders wait for one batch, a commit costs milliseconds


@dataclass(frozen=True, slots=True)
class Done:
    """What an engine did."""

    rounds: int
    reward_before: float
    reward_after: float
    max_change: float
    project_s: float
    iteration_s: float
    write_s: float


async def write(graph: Graph, statement: str, *, clips: bool, **more: Any) -> Row:
    """Run a statement that adds changes in batches; add those of failed batches once more, alone.

    A batch fails when it and a claim wait for each other; it is then rolled back as a whole, so
    nothing is added twice.

    Args:
        graph: An open connection.
        statement: Its name.
        clips: Whether a change may not make a reward negative.
        more: The statement's other parameters.
    """
    how = {"clips": clips}
    return await uncancelled(_write(graph, statement, how, more))


async def _write(graph: Graph, statement: str, how: Row, more: Row) -> Row:
    sums = (await graph.run(statement, batch=_BATCH, **how, **more))[0]
    lost = sums["lost"]
    for first in range(0, len(lost), _BATCH):
        await graph.run("reward/add", changes=lost[first : first + _BATCH], **how)
    return sums


@asynccontextmanager
async def projection(graph: Graph, statement: str) -> AsyncIterator[tuple[str, Row]]:
    """Project under a name of its own, yield the name and the statement's row, and free it."""
    name = f"{PROJECTION}{uuid4().hex}"
    try:
        yield name, (await graph.run(statement, projection=name))[0]
    finally:
        await graph.run("reward/gds_drop", projection=name)
