"""What a run has done so far: filled by the loop, read by those who watch it."""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from graphcrawl.limits import STARTING, Limit
from graphcrawl.models import Fetched, Outcome, Redirected
from graphcrawl.recorded import RecordReport
from graphcrawl.works import Ran

STOPPED = "stopped"  # by `graphcrawl stop`
_STOPS = ("interrupted", "terminated", STOPPED)  # by hand


@dataclass(slots=True)
class Stats:
    """Counters of one run."""

    requests: int = 0  # for pages; robots.txt does not count
    pages: int = 0  # recorded with content
    redirects: int = 0
    failures: Counter[str] = field(default_factory=Counter)  # by reason, put off ones too
    bytes: int = 0  # of bodies, content encoding undone
    neurons: int = 0  # new
    axons: int = 0  # new
    refused_links: Counter[str] = field(default_factory=Counter)  # by reason
    reward: float = 0.0  # granted
    earning: int = 0  # pages that rules paid for
    slow_rules: Counter[str] = field(default_factory=Counter)  # pages on which one ran out of time
    feeds: int = 0  # new
    jobs: int = 0  # listed by what was read, as far as they are written
    new_jobs: int = 0
    changed_jobs: int = 0
    gone_jobs: int = 0
    last_feed_at: int | None = None  # requests sent when the newest feed was recorded
    pages_of_others: int = 0  # that all other runs of the graph recorded, past ones too
    beside: dict[str, object] = field(default_factory=dict)  # last report by kind of work
    beside_s: dict[str, float] = field(default_factory=dict)  # seconds spent by kind of work
    works: dict[str, Ran] = field(default_factory=dict)  # their last runs
    shared_s: float = 0.0  # of them, by work without a share of time of its own
    limited: Counter[str] = field(
        default_factory=Counter
    )  # seconds by what limited it, of all workers
    retries: int = 0  # write transactions repeated after a deadlock or the like
    workers: dict[int, "Stats"] = field(default_factory=dict)  # others of this crawl, as last told
    waiting: int = 0  # pages in the frontier, as last seen
    limit: Limit = STARTING  # what limits the crawl now
    stop_reason: str = ""
    next_due_s: float | None = None  # until the next waiting host may be asked, if that was why
    started: float = field(default_factory=time.monotonic)
    finished: float | None = None

    @property
    def seconds(self) -> float:
        """Seconds that the run has taken so far."""
        return (self.finished or time.monotonic()) - self.started

    @property
    def was_stopped(self) -> bool:
        """Somebody ended the run, by a signal or by `graphcrawl stop`."""
        return self.stop_reason in _STOPS

    @property
    def total(self) -> "Stats":
        """The same over all workers of the crawl; what is no sum is that of this one."""
        if not self.workers:
            return self
        parts = [self, *self.workers.values()]
        return replace(self, workers={}, **{name: _sum(parts, name) for name in SUMS})

    @property
    def pages_per_s(self) -> float:
        """Pages recorded a second."""
        return self.pages / self.seconds if self.seconds else 0.0

    def count(self, outcomes: Iterable[Outcome], report: RecordReport) -> None:
        """Add a recorded batch."""
        for outcome in outcomes:
            match outcome.fetch:
                case Fetched():
                    self.pages += 1
                case Redirected():
                    self.redirects += 1
                case failure:
                    self.failures[failure.reason] += 1
            if outcome.page:
                self.refused_links.update(outcome.page.refused)
                self.earning += bool(outcome.page.grants)
                self.slow_rules.update(outcome.page.slow_rules)
        self.neurons += report.neurons
        self.axons += report.axons
        self.reward += report.granted + report.paid
        self.jobs += report.jobs.listed
        self.new_jobs += report.jobs.new
        self.changed_jobs += report.jobs.changed
        self.gone_jobs += report.jobs.gone
        if report.feeds:
            self.feeds += len(report.feeds)
            self.last_feed_at = self.requests


SUMS = tuple(
    one.name
    for one in fields(Stats)
    if one.name
    not in (
        "last_feed_at",
        "pages_of_others",
        "beside",
        "works",
        "workers",
        "waiting",
        "limit",
        "stop_reason",
    )
    and one.name not in ("next_due_s", "started", "finished")
)


def _sum(parts: Sequence[Stats], name: str) -> Any:
    values = [getattr(part, name) for part in parts]
    if not isinstance(values[0], dict):
        return sum(values)
    total = Counter[str]()
    for value in values:
        total.update(value)
    return total
