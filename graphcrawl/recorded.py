"""What recording goes by, and what a record says that it changed."""

from dataclasses import dataclass, field, fields

from graphcrawl.job_rows import JobsReport


@dataclass(frozen=True, slots=True)
class RecordOptions:
    """The figures that recording goes by."""

    newborn: float = 0.10  # share of its source's reward minted for new pages
    feed_new: float = 1000.0  # points to the first page that linked to a job feed
    feed_known: float = 20.0  # points to each other page that links to it
    feed_hint_points: float = 100.0  # priority of a page that surely is a job feed
    max_tries: int = 3  # requests for a page before it is given up
    max_put_offs: int = 10  # postponements that are the host's fault before it is given up
    max_redirects: int = 5  # in a row
    park_failures: int = 5  # failures in a row before a host is parked
    park_first_s: float = 60.0  # doubles with each further failure
    park_longest_s: float = 86400.0
    facts: bool = False  # keep what the pages that link there say of a page, see `facts`
    cues: bool = False  # and the cues of the links there
    ranked: bool = False  # `cash` is a PageRank, which is not handed on
    retry_s: float = 0.0  # the shortest wait of a page that failed, see `settle.retry_wait_s`


@dataclass(frozen=True, slots=True)
class FoundFeed:
    """A job feed that nobody had found before."""

    url: str
    form: str
    jobs: int
    title: str = ""


@dataclass(frozen=True, slots=True)
class RecordReport:
    """What a record changed. Reports add up."""

    fetched: int = 0
    redirected: int = 0
    failed: int = 0  # given up
    excluded: int = 0
    put_off: int = 0  # wait again
    neurons: int = 0  # new ones
    axons: int = 0  # new ones
    granted: float = 0.0  # points by rules
    paid: float = 0.0  # points for links to feeds
    minted: float = 0.0  # points of newborns
    refused: tuple[str, ...] = ()  # URLs whose lease is another's by now: nothing was written
    unrecordable: tuple[str, ...] = ()  # URLs that Neo4j would not take; they are failed
    feeds: tuple[FoundFeed, ...] = ()
    jobs: JobsReport = field(default_factory=JobsReport)
    parked: dict[str, float] = field(default_factory=dict)  # hosts to leave alone, seconds

    @property
    def accepted(self) -> int:
        """Outcomes that were written."""
        return self.fetched + self.redirected + self.failed + self.excluded + self.put_off

    def __add__(self, other: "RecordReport") -> "RecordReport":
        return RecordReport(
            *(
                mine | theirs if isinstance(mine, dict) else mine + theirs
                for mine, theirs in (
                    (getattr(self, f.name), getattr(other, f.name)) for f in fields(self)
                )
            )
        )
