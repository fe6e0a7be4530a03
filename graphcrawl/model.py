"""Keeps in the graph what scorers learn, so that workers share it and a restart forgets nothing.

Each worker writes its own totals as one `(:Model)` node a scorer, now and then, and reads those of
the others. Totals are additive: to write or read them twice changes nothing. A crash loses what was
learned since the last writing, two seconds or 500 pages of it. When a worker starts, the parts of
runs that have ended are folded into one.
"""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from graphcrawl.errors import ModelError
from graphcrawl.graph import Graph, Row, Transaction
from graphcrawl.uncancelled import uncancelled

PAST = "past"  # the part of all runs that have ended
WRITE_EVERY_S = 2.0
WRITE_EVERY_LESSONS = 500
READ_EVERY_S = 5.0
ALIVE_EVERY_S = 600.0  # a part that nobody touches for a day is taken for that of a dead worker

_log = logging.getLogger(__name__)


class Learner(Protocol):
    """A scorer whose knowledge is a sum of lessons."""

    @property
    def kind(self) -> str:
        """Under which name it is kept."""

    @property
    def version(self) -> int:
        """Of what its exports mean."""

    @property
    def lessons(self) -> int:
        """How many it has learned; grows with each."""

    def export(self) -> bytes:
        """Return all that this object has learned itself, nothing of what it absorbed."""

    def summed(self, blobs: Sequence[bytes]) -> bytes:
        """Return the sum of several exports; raises ModelError where one cannot be used."""

    def absorb(self, blob: bytes) -> None:
        """Take over the sum of what others learned, in place of what was absorbed before."""


@dataclass(slots=True)
class _Kept:
    """One scorer, and what is known of its parts in the graph."""

    learner: Learner
    data: dict[str, bytes] = field(default_factory=dict)  # of others' parts, those that can be read
    seq: dict[str, int] = field(default_factory=dict)  # of all others' parts
    written: bytes | None = None  # the own part as it stands in the graph
    lessons: int = 0  # when it was looked at last
    is_folded: bool = False  # the own part is gone: somebody took this worker for dead


class ModelStore:
    """The scorers of one worker and their parts in the graph.

    Call `begin` before anything is scored, `keep_up` after each round of lessons (it does what is
    due and nothing else), `finish` before the end of the run is noted.

    Args:
        graph: An open connection to a prepared graph.
        part: Id of the worker's run.
        learners: The scorers.
        clock: Seconds, for tests.
    """

    def __init__(
        self,
        graph: Graph,
        part: str,
        learners: Sequence[Learner],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._graph = graph
        self._part = part
        self._kept = [_Kept(learner) for learner in learners]
        self._clock = clock
        self._wrote_at = self._read_at = self._alive_at = clock()

    async def begin(self) -> tuple[str, ...]:
        """Fold the parts of ended runs, read all, and return warnings about what cannot be used."""
        warnings: list[str] = []
        for kept in self._kept:
            await uncancelled(self._graph.transact(_Folding(kept.learner, self._part)))
            warnings += await self._read(kept)
        return tuple(dict.fromkeys(warnings))

    async def keep_up(self) -> None:
        """Write and read what is due by now."""
        now = self._clock()
        new = max((kept.learner.lessons - kept.lessons for kept in self._kept), default=0)
        if now - self._wrote_at >= WRITE_EVERY_S or new >= WRITE_EVERY_LESSONS:
            self._wrote_at = now
            await self._write_all()
        if now - self._read_at >= READ_EVERY_S:
            self._read_at = now
            for kept in self._kept:
                for warning in await self._read(kept):
                    _log.warning(warning)

    async def finish(self) -> None:
        """Write what was learned since the last writing."""
        await self._write_all()

    async def _write_all(self) -> None:
        is_alive = self._clock() - self._alive_at < ALIVE_EVERY_S
        if not is_alive:
            self._alive_at = self._clock()
        for kept in self._kept:
            lessons = kept.learner.lessons
            if kept.is_folded or (lessons == kept.lessons and is_alive):
                continue
            kept.lessons = lessons
            data = kept.learner.export()
            if data != kept.written or not is_alive:
                await uncancelled(self._write(kept, data))

    async def _write(self, kept: _Kept, data: bytes) -> None:
        learner = kept.learner
        values = {"scorer": learner.kind, "part": self._part, "version": learner.version}
        values |= {"lessons": kept.lessons, "data": data}
        if kept.written is None:
            await self._graph.run("model/begin", **values)
        else:
            values["data"] = None if data == kept.written else data
            kept.is_folded = not await self._graph.run("model/write", **values)
            if kept.is_folded:
                _log.warning("Another worker took this one for dead: it shares no more lessons.")
        kept.written = data

    async def _read(self, kept: _Kept) -> list[str]:
        """Absorb what is new of others; return warnings about parts that cannot be used."""
        learner = kept.learner
        rows = await self._graph.run("model/read", scorer=learner.kind, known=kept.seq)
        rows = [row for row in rows if row["part"] != self._part]
        gone = kept.data.keys() - {row["part"] for row in rows}
        fresh = [row for row in rows if row["data"] is not None]
        if not gone and not fresh:
            return []
        kept.seq = {row["part"]: row["seq"] for row in rows}
        for part in (*gone, *(row["part"] for row in fresh)):
            kept.data.pop(part, None)
        warnings = []
        for row in fresh:
            if problem := problem_of(learner, row):
                warnings.append(problem)
            else:
                kept.data[row["part"]] = bytes(row["data"])
        learner.absorb(learner.summed(list(kept.data.values())))
        return warnings


class _Folding:
    """The work of one transaction: what runs that have ended learned becomes one part."""

    def __init__(self, learner: Learner, own: str) -> None:
        self._learner = learner
        self._own = own

    async def __call__(self, tx: Transaction) -> None:
        learner = self._learner
        await tx.run("model/gate")
        rows = await tx.run("model/read", scorer=learner.kind)
        ended = [r for r in rows if r["part"] not in (PAST, self._own) and r["ended"]]
        if not ended:
            return
        past = [row for row in rows if row["part"] == PAST]
        usable = [row for row in past + ended if not problem_of(learner, row)]
        newer = [row for row in past + ended if row["version"] > learner.version]
        if newer and newer[0] in past:  # only a newer graphcrawl can add to it
            return
        if usable:
            await tx.run(
                "model/begin",
                scorer=learner.kind,
                part=PAST,
                version=learner.version,
                lessons=sum(row["lessons"] for row in usable),
                data=learner.summed([bytes(row["data"]) for row in usable]),
            )
        kept = {PAST, *(row["part"] for row in newer)}
        parts = [row["part"] for row in ended if row["part"] not in kept]
        await tx.run("model/drop", scorer=learner.kind, parts=parts)


def problem_of(learner: Learner, row: Row) -> str:
    """Return in a line why a part in the graph cannot be used; "" where it can."""
    if row["version"] != learner.version:
        return (
            f"What was learned of {learner.kind} by another version of graphcrawl "
            f"({row['version']}, here {learner.version}) is put aside; it is learned anew."
        )
    try:
        learner.summed([bytes(row["data"])])
    except (ModelError, ValueError) as error:
        why = error.message if isinstance(error, ModelError) else str(error)
        return f"{why.rstrip('.')}; it is put aside, and learned anew."
    return ""


async def read_model(graph: Graph, learner: Learner) -> tuple[str, ...]:
    """Let a scorer absorb all that any worker has learned; nothing is written.

    Args:
        graph: An open connection to a prepared graph.
        learner: A scorer that has learned nothing.

    Returns:
        Warnings about parts that cannot be used.
    """
    rows = await graph.run("model/read", scorer=learner.kind)
    problems = [problem_of(learner, row) for row in rows]
    good = [bytes(row["data"]) for row, problem in zip(rows, problems, strict=True) if not problem]
    if good:
        learner.absorb(learner.summed(good))
    return tuple(dict.fromkeys(problem for problem in problems if problem))
