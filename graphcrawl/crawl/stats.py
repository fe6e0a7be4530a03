"""What a run has done so far: filled by the loop, read by those who watch it."""

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from graphcrawl.limits import STARTING, Limit
from graphcrawl.models import Fetched, Outcome, Redirected
from graphcrawl.recorded import RecordReport
from graphcrawl.works import Ran


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
    beside: dict[str, object] = field(default_factory=dict)  # last report by kind of work
    beside_s: dict[str, float] = field(default_factory=dict)  # seconds spent by kind of work
    works: dict[str, Ran] = field(default_factory=dict)  # their last runs
    shared_s: float = 0.0  # of them, by work without a share of time of its own
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
        """A signal ended the run."""
        return self.stop_reason in ("interrupted", "terminated")

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
