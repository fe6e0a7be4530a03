"""The values that travel through the crawl: claim → fetch → parse → score → record.

All are frozen dataclasses that pickle cheaply, since parsing runs in other processes.
Times are UTC-aware datetimes; durations end in `_s`, sizes in `_bytes`.
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from graphcrawl.scoring.candidate import Candidate


class Reason(StrEnum):
    """Why a page failed, was excluded or was put off. Kept on the neuron as `reason`."""

    # failed: tried, and given up
    DNS = "dns"
    CONNECT = "connect"
    TLS = "tls"
    TIMEOUT = "timeout"
    READ = "read"  # the connection broke in mid-answer
    PROTOCOL = "protocol"  # not HTTP, or not valid HTTP
    PROXY = "proxy"  # our own proxy is down or lets nobody in: no fault of the host
    HTTP_CLIENT = "http-4xx"
    HTTP_SERVER = "http-5xx"
    TOO_MANY_REQUESTS = "http-429"
    TRUNCATED = "truncated"  # the body ended before its end
    TOO_BIG = "too-big"
    CHARSET = "charset"
    PARSE = "parse"
    RECORD = "record"  # Neo4j would not take it
    # excluded: not to be fetched (again)
    ROBOTS = "robots"
    ROBOTS_UNREACHABLE = "robots-unreachable"
    BLOCKED = "blocked"  # its host, by hand
    HOST_LIMIT = "host-limit"  # enough pages of its host were asked for
    ADDRESS = "address"  # a private address, and those are refused
    CONTACT = "contact"  # a public host, and the crawl has no contact
    SCOPE = "scope"
    FILTER = "filter"
    DEPTH = "depth"
    TRAP = "trap"
    TYPE = "type"
    REDIRECT = "redirect"
    REDIRECT_LOOP = "redirect-loop"
    TOO_LONG = "too-long"  # the URL
    FORGOTTEN = "forgotten"  # it leads to what was forgotten on request
    # a link that was dropped
    TOO_MANY = "too-many"  # the page has more links than are kept
    NOFOLLOW = "nofollow"  # the page's owner does not want it followed


@dataclass(frozen=True, slots=True)
class Claim:
    """One leased page, as the frontier hands it out."""

    url: str
    host: str  # host key: name, and port where it is not the scheme's own
    priority: float
    depth: int
    token: int  # fencing token: a record with another token is refused
    tries: int = 0
    redirects: int = 0  # how many redirects led here
    seed: bool = False  # somebody named it as a page to start from
    visited: bool = False  # its content is known: this is another visit
    latency_s: float = 0.0  # of its host, smoothed; 0: not known
    refusals: int = 0  # of its host, that it is not forgiven yet
    requests: int = 0  # to its host so far, for pages that were not known
    facts: Candidate | None = None  # as it was when it was claimed, if the order asks for that


@dataclass(frozen=True, slots=True)
class Fetched:
    """A body that arrived with a 2xx status."""

    url: str
    status: int
    body: bytes  # content encoding undone, at most the cap
    content_type: str  # media type, lower case, "" where none was sent
    charset: str  # from the header, "" where none was sent
    fetched_at: datetime  # when the answer was complete
    elapsed_s: float
    truncated: bool = False
    etag: str = ""
    last_modified: str = ""
    wish_lines: tuple[tuple[str, str], ...] = ()  # headers and robots.txt lines, see parse.wishes
    link_header: str = ""  # Link headers, joined by commas
    refresh_header: str = ""  # what servers send in place of a meta refresh
    body_bytes: int = 0  # its size, where `body` is not all of it
    spooled: str = ""  # file with the whole body; then `body` is its beginning
    digest: str = ""  # hex of the whole body's hash, where it was spooled
    ended: str = ""  # why it was not read to its end: size, time, connection or disk
    unread_bytes: int | None = None  # of the body as sent, where that is known

    @property
    def size_bytes(self) -> int:
        """Bytes of the whole body, content encoding undone."""
        return self.body_bytes or len(self.body)


@dataclass(frozen=True, slots=True)
class Redirected:
    """The server named another URL."""

    url: str
    status: int
    target: str  # canonical; "" where it cannot be used
    raw: str  # the Location header as sent
    permanent: bool
    fetched_at: datetime
    elapsed_s: float
    retry_after_s: float | None = None  # how long the server wishes the target to wait
    wish_lines: tuple[tuple[str, str], ...] = ()  # headers, see parse.wishes
    wishes: tuple[str, ...] = ()  # what they come to, sorted
    reserved: bool = False  # see `Page.reserved`


@dataclass(frozen=True, slots=True)
class NotFetched:
    """No usable body: failed, excluded or to be tried again later. A value, never an exception."""

    url: str
    reason: Reason
    detail: str  # one line for people
    fetched_at: datetime
    elapsed_s: float = 0.0
    status: int | None = None
    retry_after_s: float | None = None  # the server's own wish, for all its pages
    page_wait_s: float = 0.0  # until this page may be tried again, whatever its host does
    retry: bool = False  # may be tried again
    host_fault: bool = False  # counts against the host, not only against the page
    requested: bool = True  # whether a request for the page itself was sent
    wishes: tuple[str, ...] = ()  # of a redirect that is not followed for its owner's wish


FetchOutcome = Fetched | Redirected | NotFetched


@dataclass(frozen=True, slots=True)
class Link:
    """One distinct target of a page. Several `<a>` to one target are one link."""

    url: str  # canonical
    host: str
    anchor: str = ""  # text of the first
    anchors: tuple[str, ...] = ()  # texts of up to four more, when they differ
    rel: str = ""
    position: str = "body"  # the region of the page: body, nav, header, footer, aside
    raw: str = ""  # href as written, when it differs from url
    links: int = 1  # how many times the page links there
    weight: float = 1.0
    feed_hint: float = 0.0  # 0…1: how much it looks like a link to an XML job feed
    topic_hint: float = 0.0  # 0…1: how much its words are about the topic
    cues: tuple[int, ...] = ()  # hashed words of and around it, see `parse.cues`

    def __reduce__(self) -> tuple[type["Link"], tuple[object, ...]]:
        """Pickle by the constructor: twice as fast as a slotted dataclass does it by itself."""
        return Link, tuple(getattr(self, name) for name in self.__slots__)


@dataclass(frozen=True, slots=True)
class Grant:
    """Reward earned by one rule on one page."""

    rule: str  # slug without blanks
    points: float
    place: str  # title, text, anchors, links, html, types, or the URL of a feed


@dataclass(frozen=True, slots=True)
class JobFeed:
    """An XML job feed, recognised by its content."""

    form: str  # rss, atom, source-job, jobs-job, hr-xml
    jobs: int  # job records seen in what was read
    title: str = ""


@dataclass(frozen=True, slots=True)
class Posting:
    """One job as a feed or a page states it. Texts are plain, "" where nothing is said."""

    title: str = ""
    company: str = ""
    place: str = ""  # in one line
    city: str = ""
    region: str = ""
    country: str = ""  # ISO 3166-1 alpha-2
    posted: datetime | None = None  # UTC; a date alone is its midnight
    closes: datetime | None = None  # UTC
    url: str = ""  # canonical where it can be
    description: str = ""
    employment: str = ""  # full-time and the like, as written
    salary: str = ""  # as written
    posted_raw: str = ""
    place_raw: str = ""
    own_id: str = ""  # what its source calls it

    def __reduce__(self) -> tuple[type["Posting"], tuple[object, ...]]:
        """Pickle by the constructor, as `Link` does."""
        return Posting, tuple(getattr(self, name) for name in self.__slots__)


@dataclass(frozen=True, slots=True)
class Reading:
    """What one reading of a source of jobs met. Only a whole one shows which jobs are gone."""

    whole: bool = True  # read to its end, and no record lost
    of_feed: bool = False  # else of a page that states postings, or none
    records: int = 0  # seen
    cut: int = 0  # of them lost: without end, or too long
    repaired: int = 0  # not well formed, and read all the same
    ended: str = ""  # why it ended early: size, time, connection, disk, reader, stopped, empty
    unread_bytes: int | None = None  # left unread then, where that is known; with jobs not counted
    apart: bool = False  # its postings are written apart from the page, see `crawl.listings`


@dataclass(frozen=True, slots=True)
class Page:
    """What parsing and scoring made of a body."""

    title: str = ""
    language: str = ""
    text: str | None = None  # main text; None: not kept
    visible: str | None = None  # all visible text, as rules read it; kept with the main text
    links: tuple[Link, ...] = ()
    refused: dict[str, int] = field(default_factory=dict)  # links dropped, by Reason
    grants: tuple[Grant, ...] = ()
    feed: JobFeed | None = None
    digest: str = ""  # hex of the body's hash
    charset: str = ""
    unsupported: bool = False  # neither HTML nor XML, whatever the header said
    excluded: tuple[tuple[str, Reason], ...] = ()  # link targets that shall not wait, by URL
    slow_rules: tuple[str, ...] = ()  # rules whose regex ran out of time here
    refresh: str = ""  # another page, canonical, to which it sends its readers at once
    needs_script: bool = False  # empty, or nearly so, until scripts have run
    postings: tuple[Posting, ...] = ()  # of a feed, or stated by the page as structured data
    reading: Reading | None = None  # how they were read; None: not looked for
    types: tuple[str, ...] = ()  # schema.org types that the page states: short names, sorted
    wishes: tuple[str, ...] = ()  # of the page's owner, sorted, see `parse.wishes`
    reserved: bool = False  # they reserve text and data mining, or AI training
    text_refused: bool = False  # they forbid to keep the text, also that of an earlier visit
    unavailable_after: datetime | None = None  # UTC: until when they let the text be kept
    canonical: str = ""  # what it names as its canonical form; "" where it names nothing usable
    likeness: str = ""  # shared by pages that say and link the same, see `echoes`; "" cannot tell
    topic: float | None = None  # 0…1: how much it is about the topic; None: there is none
    keywords: float = 0.0  # 0…1: how much it speaks of the keywords
    quality: float = 0.0  # 0…1, see `scoring.worth`


@dataclass(frozen=True, slots=True)
class HostUpdate:
    """What a fetch taught about its host; recorded together with the page."""

    name: str
    delay_s: float
    pause_s: float  # from now until the next request may start
    failed: bool = False
    token: int | None = None  # set when the worker gives the host back
    requested: bool = True  # whether it was tried to ask it
    latency_s: float = 0.0  # smoothed; 0: not known
    refusals: int = 0  # that it is not forgiven yet
    requests: int = 0  # to count towards its limit
    full: bool = False  # enough pages were asked for: the others shall not wait
    trouble: str = ""  # what was wrong with its last answer, in a line


@dataclass(frozen=True, slots=True)
class Outcome:
    """One page on its way into the graph."""

    claim: Claim
    fetch: FetchOutcome
    page: Page | None = None
