"""What a batch of postings changes: which rows are new, changed or as they were. Pure.

The first source that still lists a job words its row, the others fill what it lacks. A change is
told by what a source said itself the last time, so that two sources that word a job differently do
not change it in turn.

Source: [000.process].
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta
from typing import Any

from graphcrawl.jobs.identity import Said, new_key
from graphcrawl.jobs.resolve import Listing, Row, Rows, resolve
from graphcrawl.models import Posting, Reading
from graphcrawl.urls import neuron_id

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class JobsReport:
    """What readings found and changed."""

    listed: int = 0  # jobs in all readings
    new: int = 0
    changed: int = 0
    gone: int = 0
    repeated: int = 0  # postings that state a job once more
    clashes: int = 0  # own ids that mean several jobs
    untitled: int = 0  # jobs without a title

    def __add__(self, other: "JobsReport") -> "JobsReport":
        return JobsReport(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


@dataclass(frozen=True, slots=True)
class Source:
    """What was read, and the page that its jobs hang on."""

    url: str  # of the page that was read
    lister: str
    at: datetime
    reading: Reading
    jobs_before: int | None = None  # in the reading before
    read_ms: int | None = None  # when that was
    aliases: tuple[str, ...] = ()  # URLs that redirect to a page

    @property
    def id(self) -> int:
        """Number of the page that its jobs hang on."""
        return neuron_id(self.lister)

    @property
    def at_ms(self) -> int:
        """Time of the reading in milliseconds since 1970."""
        return (self.at - _EPOCH) // timedelta(milliseconds=1)

    @property
    def is_late(self) -> bool:
        """Whether a later reading was recorded already."""
        return self.read_ms is not None and self.read_ms > self.at_ms

    def is_whole(self, listed: int) -> bool:
        """Whether what it does not list is gone.

        Another URL of the same feed only adds. A feed that is empty all at once is more often a
        fault of its maker than the end of all jobs: the second such reading in a row is believed.
        """
        is_sudden = self.reading.of_feed and not listed and self.jobs_before != 0
        return self.reading.whole and self.lister == self.url and not is_sudden


@dataclass(slots=True)
class Changes:
    """What is to be written, as the statements `jobs/seen` and `jobs/write` take it."""

    seen: list[dict[str, Any]] = field(default_factory=list)
    full: list[dict[str, Any]] = field(default_factory=list)


def decide(
    source: Source,
    pairs: Sequence[tuple[Said, Posting]],
    rows: Rows,
    changes: Changes,
) -> JobsReport:
    """Decide on the postings of one source; say what is to be written, and note it in `rows`."""
    new = changed = repeated = clashes = untitled = 0
    decisions = resolve([said for said, _ in pairs], rows, source.id, source.at_ms)
    for (said, posting), decision in zip(pairs, decisions, strict=True):
        repeated += decision.is_repeat
        clashes += decision.is_clash
        if decision.is_repeat:
            continue
        untitled += not posting.title
        job = decision.row
        is_new = job is None
        if job is None:
            job = Row(new_key(source.lister, said, source.at.isoformat()), {})
        mine = job.listings.get(source.id)
        if mine and max(mine.last_ms, mine.gone_ms or 0) > source.at_ms:
            continue  # another worker has read the source meanwhile
        row = {"job": job.job, "lister": source.lister, "at": source.at}
        words = _words(job, source)
        is_back = job.gone_ms is not None
        is_changed = is_back or (words and mine is not None and mine.said.digest != said.digest)
        if (
            mine is not None
            and mine.gone_ms is None
            and _told(mine.said) == _told(said)
            and (not words or job.worded_by == source.id)
        ):
            changes.seen.append(row)
        else:
            properties = _properties(posting, source)
            if words:
                properties["wordedBy"] = source.id
            else:  # it fills what the row lacks
                properties = {k: v for k, v in properties.items() if k not in job.known}
            if _others(job, source):  # they may have said what it does not
                properties = {k: v for k, v in properties.items() if v is not None}
            row |= {"properties": properties, "listing": said.properties, "changed": is_changed}
            changes.full.append(row)
            job.known |= {name for name, value in properties.items() if value is not None}
        new += is_new
        changed += is_changed
        first_ms = mine.first_ms if mine else source.at_ms
        job.listings[source.id] = Listing(said, first_ms, source.at_ms)
        job.gone_ms = None
        job.worded_by = source.id if words else job.worded_by
        rows.add(job)
    listed = len(pairs) - repeated
    return JobsReport(listed, new, changed, 0, repeated, clashes, untitled)


def _told(said: Said) -> tuple[int, ...]:
    return said.key, said.url, said.name, said.text, said.digest


def _others(job: Row, source: Source) -> list[tuple[int, int]]:
    """Return who else lists a job, and since when."""
    return [
        (listing.first_ms, lister)
        for lister, listing in job.listings.items()
        if lister != source.id and listing.gone_ms is None
    ]


def _words(job: Row, source: Source) -> bool:
    """Tell whether the row has a source's words: the first that still lists it gives them."""
    others = _others(job, source)
    mine = job.listings.get(source.id)
    return not others or (mine is not None and (mine.first_ms, source.id) < min(others))


def _properties(posting: Posting, source: Source) -> dict[str, Any]:
    """Return a job's properties; what is not said is null, so that an old value goes."""
    return {
        "title": posting.title or None,
        "company": posting.company or None,
        "place": posting.place or None,
        "city": posting.city or None,
        "region": posting.region or None,
        "country": posting.country or None,
        "posted": posting.posted,
        "closes": posting.closes,
        "url": posting.url or None,
        "description": posting.description or None,
        "employment": posting.employment or None,
        "salary": posting.salary or None,
        "postedRaw": posting.posted_raw or None,
        "placeRaw": posting.place_raw or None,
        "ownId": posting.own_id or None,
        "feed": source.lister if source.reading.of_feed else None,
    }


def posting_of(properties: dict[str, Any]) -> Posting:
    """Return what a row says, as far as it is compared."""

    def text(name: str) -> str:
        return properties.get(name) or ""

    def time(name: str) -> datetime | None:
        stated = properties.get(name)
        return stated and stated.to_native()

    return Posting(
        title=text("title"),
        company=text("company"),
        place=text("place"),
        posted=time("posted"),
        closes=time("closes"),
        url=text("url"),
        description=text("description"),
        employment=text("employment"),
        salary=text("salary"),
        place_raw=text("placeRaw"),
        own_id=text("ownId"),
    )
