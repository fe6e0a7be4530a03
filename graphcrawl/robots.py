"""robots.txt by RFC 9309: one set of rules per origin, asked for right before a fetch [002.robots].

Files come from memory, else from the graph (another worker may have read them), else from the web.
What a file says lives 24 h. An origin whose file cannot be had is closed: it is asked again after
60 s, 120 s … 1 h.
"""

import asyncio
import codecs
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final
from weakref import WeakValueDictionary

from protego import Protego

from graphcrawl.models import Reason
from graphcrawl.urls import origin

MAX_BYTES: Final = 1024 * 1024  # RFC 9309 §2.5 wants at least 500 KiB parsed
MAX_REDIRECTS: Final = 5  # RFC 9309 §2.3.1.2
MAX_CRAWL_DELAY_S: Final = 30.0
AGENT: Final = "graphcrawl"

_LIFETIME: Final = timedelta(hours=24)  # RFC 9309 §2.4
_ERROR_LIFETIME: Final = timedelta(hours=1)
_FIRST_PAUSE: Final = timedelta(seconds=5)  # then 10, 20, 40 …
_LAST_PAUSE: Final = timedelta(hours=1)
_CACHED_ORIGINS: Final = 10_000


@dataclass(frozen=True, slots=True)
class RobotsFile:
    """The last answer of an origin to the question for its robots.txt."""

    origin: str  # scheme://host:port
    status: int | None  # None: no answer
    body: str  # the rules; "" unless the status is 2xx
    fetched_at: datetime
    expires_at: datetime  # from a download: the earliest time the server wishes to be asked again
    cause: Reason | None = None  # why there was no answer

    @property
    def reachable(self) -> bool:
        """Whether the answer decides anything: 5xx, 429 and silence do not."""
        return self.status is not None and self.status < 500 and self.status != 429


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a URL may be fetched now, and how fast its host."""

    allowed: bool
    reason: Reason | None = None  # ROBOTS, ROBOTS_UNREACHABLE or ADDRESS
    detail: str = ""  # one line for people
    crawl_delay_s: float | None = None  # at most 30; None: the file asks for none
    retry_at: datetime | None = None  # when an unreachable file will be asked for again
    cause: Reason | None = None  # of ROBOTS_UNREACHABLE without an answer: DNS, CONNECT, …


def read_rules(body: bytes) -> str:
    """Return the text of a robots.txt: UTF-8 without its byte order mark, wrong bytes replaced."""
    return body.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")


def utc_now() -> datetime:
    """Return the time, aware of being UTC."""
    return datetime.now(UTC)


class Robots:
    """Answers whether a URL may be fetched, with one download per origin at a time.

    Args:
        download: Fetches the file of an origin; failures are values, not exceptions.
        load: Reads what the graph knows of an origin.
        save: Writes a freshly downloaded file into the graph.
        agent: Product token to look for in the files.
        now: The clock; tests set their own.
    """

    def __init__(
        self,
        download: Callable[[str], Awaitable[RobotsFile]],
        load: Callable[[str], Awaitable[RobotsFile | None]],
        save: Callable[[RobotsFile], Awaitable[None]],
        agent: str = AGENT,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self._download = download
        self._load = load
        self._save = save
        self._agent = agent
        self._now = now
        self._known: OrderedDict[str, tuple[RobotsFile, Protego]] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def check(self, url: str) -> Verdict:
        """Decide about one canonical URL, downloading the rules of its origin where need be."""
        file, rules = await self._rules(origin(url))
        if not file.reachable:
            return _unreachable(file)
        delay_s = rules.crawl_delay(self._agent)
        delay_s = None if delay_s is None else min(delay_s, MAX_CRAWL_DELAY_S)
        if rules.can_fetch(url, self._agent):
            return Verdict(allowed=True, crawl_delay_s=delay_s)
        detail = f"{file.origin}/robots.txt forbids it"
        return Verdict(False, Reason.ROBOTS, detail, crawl_delay_s=delay_s)

    async def _rules(self, key: str) -> tuple[RobotsFile, Protego]:
        if (known := self._fresh(key)) is not None:
            return known
        lock = self._locks.get(key) or self._locks.setdefault(key, asyncio.Lock())
        async with lock:
            if (known := self._fresh(key)) is not None:  # somebody downloaded it while we waited
                return known
            file = await self._load(key)
            if file is None or file.expires_at <= self._now():
                previous = file or self._known.get(key, (None,))[0]
                file = _with_lifetime(await self._download(key), previous)
                if file.cause is not Reason.ADDRESS:  # a flag of this run decides about addresses
                    await self._save(file)
            return self._remember(file)

    def _fresh(self, key: str) -> tuple[RobotsFile, Protego] | None:
        known = self._known.get(key)
        if known is None or known[0].expires_at <= self._now():
            return None
        self._known.move_to_end(key)
        return known

    def _remember(self, file: RobotsFile) -> tuple[RobotsFile, Protego]:
        known = (file, Protego.parse(file.body))
        self._known[file.origin] = known
        self._known.move_to_end(file.origin)
        if len(self._known) > _CACHED_ORIGINS:
            self._known.popitem(last=False)
        return known


def _with_lifetime(file: RobotsFile, previous: RobotsFile | None) -> RobotsFile:
    """Say until when an answer counts. Pauses double from one failure to the next."""
    if not file.reachable:
        pause = _FIRST_PAUSE
        if previous is not None and not previous.reachable:
            pause = min(2 * (previous.expires_at - previous.fetched_at), _LAST_PAUSE)
        wished = min(file.expires_at, file.fetched_at + _LIFETIME)
        return replace(file, expires_at=max(file.fetched_at + pause, wished))
    is_clear = 200 <= (file.status or 0) < 300 or file.status in {404, 410}
    return replace(file, expires_at=file.fetched_at + (_LIFETIME if is_clear else _ERROR_LIFETIME))


def _unreachable(file: RobotsFile) -> Verdict:
    if file.cause is Reason.ADDRESS:
        return Verdict(False, Reason.ADDRESS, f"{file.origin} has a private address")
    said = (
        f"answered {file.status}" if file.status else f"gave no answer ({file.cause or 'unknown'})"
    )
    return Verdict(
        allowed=False,
        reason=Reason.ROBOTS_UNREACHABLE,
        detail=f"{file.origin}/robots.txt {said}",
        retry_at=file.expires_at,
        cause=file.cause,
    )
