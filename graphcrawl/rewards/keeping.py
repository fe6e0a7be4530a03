"""Prunes beside a crawl in small steps: holds the graph at a size, or lets what is poor go.

Held at N, the graph is pruned to 96 % of N when it has passed 103 %. That is cheap: each second its
size is read from the count store, two passes over the neurons tell under which reward the surplus
lies, one finds it, and it is archived and deleted some thousands at a time. Steps keep within a
share of wall time; where that is not enough and the graph passes 107 % of N, size goes before
share. Newborns are spared while what goes in their place is at most twice as rich as they are. A
fifth of N is left to pages that wait, the richest of them, so that the crawl goes on; then fetched
pages go. Only seeds, feeds, aliases of what stays and pages being fetched are never pruned; more of
them than N cannot be held. Source: [000.prune].
"""

import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from graphcrawl.graph import Graph, Row
from graphcrawl.rewards import tombstones
from graphcrawl.rewards.archiving import archive_poor
from graphcrawl.rewards.mode import Mode, standing
from graphcrawl.rewards.prune import BELOW, REFRESH_HOSTS, delete, poor
from graphcrawl.rewards.spread import below_which

LEAST, MOST, URGENT = 0.96, 1.03, 1.07  # of the size to be held
RESERVE = 0.2  # of the size, for pages that wait: a crawl without any would end
_WAITING_SPARED = {"spareDistributions": 2**62, "spareMs": 2**46}  # newborns, whatever their age
_LOOK_S = 1.0  # between two looks at the size
_POOR_S = 60.0  # between two rounds by a fixed threshold, at least
_GROWN = 0.01  # and what such a round waits for: so much growth, or
_LONGEST_S = 600.0  # this time, in which rewards fall
_CHUNK = 20_000  # neurons an archive at most, beside a crawl: a second or two
_URGENT_S = 0.5  # how long one call may go on with step after step
_RICHER = 2.0  # than newborns: what goes in their place, at most
_EXPECTED = 1.5  # the next step may take so many times as long as the last one


@dataclass(frozen=True, slots=True)
class Limits:
    """What is kept. With `keep`, `below` does not count."""

    below: float | None = None  # reward, or as for `prune`
    keep: int | None = None  # neurons
    spare_distributions: int = 3  # as for `prune`
    spare_s: float = 86400.0
    tombstone_rule: tombstones.Rule = field(default_factory=tombstones.Rule)


@dataclass(frozen=True, slots=True)
class KeepReport:
    """What pruning beside a crawl has done so far."""

    size: int  # neurons that live, when it looked last
    neurons: int = 0  # turned into tombstones
    axons: int = 0
    tombstones: int = 0  # old ones that went
    archives: int = 0
    rounds: int = 0
    seconds: float = 0.0


class Keeper:
    """Prunes a graph step by step. One for a process; several at one graph do no harm."""

    def __init__(
        self,
        graph: Graph,
        limits: Limits,
        archive_dir: Path,
        *,
        share: float = 1.0,
        now_ms: Callable[[], int] | None = None,
    ) -> None:
        """Begin with nothing done.

        Args:
            graph: An open connection to a prepared graph.
            limits: What is kept.
            archive_dir: Folder for archives; made when missing.
            share: Of wall time, for all steps together, while size permits.
            now_ms: The clock by which newborns and tombstones age; None: the system's.
        """
        self._graph, self._limits, self._folder = graph, limits, archive_dir
        self._share, self._now_ms = share, now_ms or _system_ms
        self._begun = time.monotonic()
        self._look_at = 0.0  # no look at the size before
        self._round_at, self._round_size = self._begun, 0  # of the last one by a fixed threshold
        self._steps: AsyncIterator[None] | None = None
        self._expected_s = 0.1
        self._mode: Mode = "neural"  # of the graph, when the last round began
        self.report = KeepReport(0)

    async def work(self) -> KeepReport:
        """Do the next step if it is time for one; return what was done so far."""
        begun = time.monotonic()
        if begun < self._look_at and (self._steps is None or not self._pays(begun)):
            return self.report
        self._look_at = begun + _LOOK_S
        urgent = await self._look()
        if self._steps is None and self._is_due(begun):
            self._steps = self._round()
        while self._steps is not None and (urgent or self._pays(time.monotonic())):
            await self._step(self._steps)
            if not urgent or time.monotonic() > begun + _URGENT_S:
                self._look_at = 0.0 if urgent else self._look_at
                break
        return self.report

    async def settle(self) -> KeepReport:
        """Prune until nothing more is to go, whatever time that takes."""
        await self._look()
        if self._is_due(float("inf")):
            self._steps = self._steps or self._round()
        while self._steps is not None:
            await self._step(self._steps)
        await self._look()
        return self.report

    async def finish(self) -> KeepReport:
        """At the end of a crawl: bring the size within 7 % if it is not."""
        return await self.settle() if await self._look() else self.report

    async def _look(self) -> bool:
        """Read the size; tell whether it goes before the share of time."""
        size = (await self._graph.run("prune/size"))[0]
        self._note(size=size["neurons"])
        keep = self._limits.keep
        return keep is not None and self.report.size > URGENT * keep

    def _is_due(self, now: float) -> bool:
        if self._limits.keep is not None:
            return self.report.size > MOST * self._limits.keep
        waited_s = now - self._round_at
        has_grown = self.report.size > (1 + _GROWN) * self._round_size
        return waited_s >= _LONGEST_S or (waited_s >= _POOR_S and has_grown)

    def _pays(self, now: float) -> bool:
        """Tell whether the share of time pays for another step."""
        spent_s = self.report.seconds + _EXPECTED * self._expected_s
        return self._share >= 1 or spent_s <= self._share * (now - self._begun)

    async def _step(self, steps: AsyncIterator[None]) -> None:
        begun = time.monotonic()
        try:
            await anext(steps)
        except StopAsyncIteration:
            self._steps = None
        except BaseException:
            self._steps = None  # the next round begins anew
            raise
        finally:
            self._expected_s = time.monotonic() - begun
            self._note(seconds=self.report.seconds + self._expected_s)

    async def _round(self) -> AsyncIterator[None]:
        """Prune as much as is to go now, then old tombstones."""
        limits = self._limits
        done = self.report.neurons
        self._mode = (await standing(self._graph)).mode
        if limits.keep is None:
            async for _ in self._prune(
                BELOW[self._mode] if limits.below is None else limits.below, None, self._spared()
            ):
                yield
        else:
            async for _ in self._come_to(limits.keep):
                yield
            await self._look()
        if self.report.neurons > done:
            await self._graph.run(REFRESH_HOSTS)
            yield
        while gone := await tombstones.remove_some(
            self._graph, limits.tombstone_rule, keep=limits.keep, now_ms=self._now_ms()
        ):
            self._note(tombstones=self.report.tombstones + gone)
            yield
        await self._look()
        self._round_at, self._round_size = time.monotonic(), self.report.size
        self._note(rounds=self.report.rounds + 1)

    async def _come_to(self, keep: int) -> AsyncIterator[None]:
        """Prune the surplus: the poorest, but not the waiting pages that the crawl lives on."""
        surplus, done = self.report.size - round(LEAST * keep), self.report.neurons
        waiting = (await self._graph.run("prune/size"))[0]["waiting"]
        first = min(surplus, waiting - round(RESERVE * keep))  # were they all waiting pages
        spared, unspared = self._spared(), self._spared() | {"spareDistributions": 0}
        if first > 0:
            below = await below_which(self._graph, first, spared)
            yield
            bound = await below_which(self._graph, first, unspared)
            yield
            if below is None or bound is None or below > _RICHER * max(bound, 0.0):
                below, spared = bound, unspared  # newborns go
            if below is not None:
                async for _ in self._prune(below, first, spared):
                    yield
        for who, enough in ((self._spared() | _WAITING_SPARED, 0), (unspared, MOST * keep)):
            left = surplus - (self.report.neurons - done)
            if left <= 0 or self.report.size - (self.report.neurons - done) <= enough:
                return
            below = await below_which(self._graph, left, who)
            yield
            if below is not None:
                async for _ in self._prune(below, left, who):
                    yield

    async def _prune(self, below: float, most: int | None, spared: Row) -> AsyncIterator[None]:
        """Archive and delete what is poorer, a chunk at a time; yield after each step."""
        limits = {"below": below, **spared}
        ids = await poor(self._graph, limits if most is None else limits | {"most": most})
        yield
        for first in range(0, len(ids), _CHUNK):
            some = ids[first : first + _CHUNK]
            archived = await archive_poor(self._graph, self._folder, some, limits)
            yield
            if archived is None:
                continue
            self._note(archives=self.report.archives + 1)
            for batch in archived.batches():
                done = await delete(
                    self._graph,
                    batch,
                    below,
                    limits["byStrength"],
                    least=round(LEAST * self._limits.keep) if self._limits.keep else 0,
                    now_ms=self._now_ms(),
                )
                self._note(
                    neurons=self.report.neurons + done["neurons"],
                    axons=self.report.axons + done["axons"],
                )
                yield

    def _spared(self) -> Row:
        return {
            "byStrength": self._mode == "steady",
            "spareDistributions": self._limits.spare_distributions,
            "spareMs": round(self._limits.spare_s * 1000),
            "nowMs": self._now_ms(),
        }

    def _note(self, **changes: float) -> None:
        self.report = replace(self.report, **changes)  # type: ignore[arg-type]


def _system_ms() -> int:
    return time.time_ns() // 1_000_000
