"""When waiting pages would be fetched: what claims and politeness make of the hosts' queues. Pure.

The crawl's own rules, on a clock of its own: of the hosts that may be asked, the one with the best
page is asked; then it rests. Requests in flight and requests a second are limited.
"""

import heapq
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Queue:
    """One host's waiting pages and its pace. Times are seconds from now."""

    host: str
    priorities: Sequence[float]  # of its pages, the greatest first
    due_s: float = 0.0  # until it may be asked
    pace_s: float = 1.0  # it rests so long between two requests
    latency_s: float = 0.5  # it takes so long to answer
    per_host: int = 1  # requests in flight
    room: int | None = None  # requests that its limit leaves; None: no limit


@dataclass(frozen=True, slots=True)
class Slot:
    """One fetch."""

    host: str
    place: int  # which page of the host's queue
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class Timetable:
    """The next fetches, in the order in which they start."""

    slots: tuple[Slot, ...]
    empty: frozenset[str]  # hosts whose last page of the queue was taken


@dataclass(slots=True)
class _Host:
    queue: Queue
    taken: int = 0
    ends: deque[float] = field(default_factory=deque)  # of its newest requests

    @property
    def left(self) -> int:
        count = len(self.queue.priorities)
        return count if self.queue.room is None else min(count, self.queue.room)

    def take(self, now_s: float) -> tuple[Slot, float]:
        """Start the next request; return it, and when the one after may start."""
        queue = self.queue
        slot = Slot(queue.host, self.taken, now_s, now_s + queue.latency_s)
        self.taken += 1
        self.ends.append(slot.end_s)
        if queue.per_host == 1:
            return slot, slot.end_s + queue.pace_s
        while len(self.ends) > queue.per_host:
            self.ends.popleft()
        full = len(self.ends) == queue.per_host
        return slot, max(now_s + queue.pace_s, self.ends[0] if full else 0.0)


def timetable(
    queues: Sequence[Queue],
    pages: int,
    *,
    concurrency: int = 16,
    max_rate: float | None = None,
) -> Timetable:
    """Say which pages are fetched next, and when, if nothing new is found meanwhile.

    Args:
        queues: The hosts.
        pages: So many at most.
        concurrency: Requests in flight, all hosts.
        max_rate: Requests a second, all hosts; None: no limit.
    """
    hosts = {queue.host: _Host(queue) for queue in queues if queue.priorities}
    resting = [(h.queue.due_s, name) for name, h in hosts.items() if h.left]
    heapq.heapify(resting)
    ready: list[tuple[float, str]] = []  # best page first
    in_flight: list[float] = []  # when requests end
    slots: list[Slot] = []
    now_s = 0.0
    while len(slots) < pages and (resting or ready):
        if len(in_flight) >= concurrency:
            now_s = max(now_s, heapq.heappop(in_flight))
        if not ready and resting:
            now_s = max(now_s, resting[0][0])
        while resting and resting[0][0] <= now_s:
            name = heapq.heappop(resting)[1]
            heapq.heappush(ready, (-hosts[name].queue.priorities[hosts[name].taken], name))
        name = heapq.heappop(ready)[1]
        slot, next_s = hosts[name].take(now_s)
        slots.append(slot)
        heapq.heappush(in_flight, slot.end_s)
        if hosts[name].taken < hosts[name].left:
            heapq.heappush(resting, (next_s, name))
        if max_rate:
            now_s += 1 / max_rate
    empty = {name for name, host in hosts.items() if host.taken == len(host.queue.priorities)}
    return Timetable(tuple(slots), frozenset(empty))
