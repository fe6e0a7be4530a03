"""robots.txt by RFC 9309: one set of rules per origin, asked for right before a fetch [002.robots].

Files come from memory, else from the graph (another worker may have read them), else from the web,
where one worker at a time asks and the others wait for what it saves. What a file says lives 24 h.
An origin whose file cannot be had is closed: it is asked again after 5 s, 10 s … 1 h.
What the files mean is the business of `robots_rules`.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Final
from weakref import WeakValueDictionary

from graphcrawl.models import Reason
from graphcrawl.robots_rules import (
    AGENT,
    MAX_CRAWL_DELAY_S,
    Group,
    Rule,
    decode_rules,
    normal_path,
    parse_rules,
)
from graphcrawl.urls import host_key, host_name, origin

MAX_REDIRECTS: Final = 5  # RFC 9309 §2.3.1.2
CLAIM_S: Final = 60  # for which one worker may ask for a file while others wait

_LIFETIME: Final = timedelta(hours=24)  # RFC 9309 §2.4
_ERROR_LIFETIME: Final = timedelta(hours=1)
_FIRST_PAUSE: Final = timedelta(seconds=5)  # then 10, 20, 40 …
_LAST_PAUSE: Final = timedelta(hours=1)
_CACHED_ORIGINS: Final = 10_000
_LOOK_AGAIN_S: Final = 0.25
_OURS: Final = frozenset({Reason.ADDRESS, Reason.CONTACT, Reason.PROXY})  # our settings decide

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RobotsFile:
    """The last answer of an origin to the question for its robots.txt."""

    origin: str  # scheme://host:port
    status: int | None  # None: no answer
    body: str  # the rules; "" unless the status is 2xx
    fetched_at: datetime
    expires_at: datetime  # from a download: the earliest time the server wishes to be asked again
    cause: Reason | None = None  # why there was no answer
    crawl_delay_s: float | None = None  # that it asks us for, however long
    detail: str = ""  # of the cause, one line; not kept in the graph

    @property
    def reachable(self) -> bool:
        """Whether the answer decides anything: 5xx, 429 and silence do not."""
        return self.status is not None and self.status < 500 and self.status != 429


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a URL may be fetched now, and how fast its host."""

    allowed: bool
    reason: Reason | None = None  # ROBOTS, ROBOTS_UNREACHABLE, or one of our own
    detail: str = ""  # one line for people
    crawl_delay_s: float | None = None  # at most 30; None: the file asks for none
    retry_at: datetime | None = None  # when an unreachable file will be asked for again
    cause: Reason | None = None  # of ROBOTS_UNREACHABLE without an answer: DNS, CONNECT, …
    asked_delay_s: float | None = None  # what the file asks for, however long
    group: Group | None = None  # that is ours; None: the file has none for us
    rule: Rule | None = None  # that decided; None: no rule holds for the page
    signals: tuple[tuple[str, str], ...] = ()  # Content-Signal and Content-Usage lines for us
    asked: bool = field(
        default=False, compare=False
    )  # the file was downloaded just now: a request to its host


def read_rules(body: bytes) -> str:
    """Return the text of a robots.txt as it came; see `robots_rules.decode_rules`."""
    return decode_rules(body)


def utc_now() -> datetime:
    """Return the time, aware of being UTC."""
    return datetime.now(UTC)


async def _always(_: str) -> bool:
    return True


async def _nothing(_: str) -> None:
    return None


class Robots:
    """Answers whether a URL may be fetched, with one download per origin at a time.

    Args:
        download: Fetches the file of an origin; failures are values, not exceptions.
        load: Reads what the graph knows of an origin.
        save: Writes a freshly downloaded file into the graph; ends the claim.
        claim: Reserves the download of an origin for this worker; false: another one is at it.
        release: Ends the claim without a file.
        agent: Product token to look for in the files.
        own_hosts: Hosts of the user's own whose robots.txt is not asked for.
        now: The clock; tests set their own.
    """

    def __init__(
        self,
        download: Callable[[str], Awaitable[RobotsFile]],
        load: Callable[[str], Awaitable[RobotsFile | None]],
        save: Callable[[RobotsFile], Awaitable[None]],
        agent: str = AGENT,
        now: Callable[[], datetime] = utc_now,
        *,
        claim: Callable[[str], Awaitable[bool]] = _always,
        release: Callable[[str], Awaitable[None]] = _nothing,
        own_hosts: Collection[str] = (),
    ) -> None:
        self._download = download
        self._load = load
        self._save = save
        self._claim = claim
        self._release = release
        self._agent = agent
        self._own_hosts = frozenset(own_hosts)
        self._now = now
        self._known: OrderedDict[str, tuple[RobotsFile, Group | None]] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def check(self, url: str) -> Verdict:
        """Decide about one canonical URL, downloading the rules of its origin where need be."""
        if self._own_hosts and is_own(url, self._own_hosts):
            return Verdict(allowed=True, detail="a host of your own: its robots.txt is not asked")
        file, group, asked = await self._rules(origin(url))
        verdict = judge(url, file, group)
        return replace(verdict, asked=True) if asked else verdict

    async def _rules(self, key: str) -> tuple[RobotsFile, Group | None, bool]:
        """Return the file, what it says to us, and whether it was downloaded just now."""
        if (known := self._fresh(key)) is not None:
            return *known, False
        lock = self._locks.get(key) or self._locks.setdefault(key, asyncio.Lock())
        async with lock:
            if (known := self._fresh(key)) is not None:  # somebody downloaded it while we waited
                return *known, False
            file = await self._load(key)
            while file is None or file.expires_at <= self._now():
                if await self._claim(key):
                    previous = file or self._known.get(key, (None,))[0]
                    asked = await self._ask(key, previous)
                    if asked.cause is Reason.PROXY:  # nobody was asked
                        return asked, None, False
                    return *self._remember(asked), True
                await asyncio.sleep(_LOOK_AGAIN_S)
                file = await self._load(key)
            return *self._remember(file), False

    async def _ask(self, key: str, previous: RobotsFile | None) -> RobotsFile:
        saved = False
        try:
            file = with_lifetime(await self._download(key), previous)
            group = parse_rules(file.body).group(self._agent) if file.reachable else None
            file = replace(file, crawl_delay_s=group.crawl_delay_s if group else None)
            if (file.crawl_delay_s or 0.0) > MAX_CRAWL_DELAY_S:
                logger.warning(
                    "%s/robots.txt asks for %g s between two requests; %g s are kept",
                    file.origin,
                    file.crawl_delay_s,
                    MAX_CRAWL_DELAY_S,
                )
            if file.cause not in _OURS:  # what is wrong with this run says nothing to others
                await self._save(file)
                saved = True
            return file
        finally:
            if not saved:
                await asyncio.shield(self._release(key))

    def _fresh(self, key: str) -> tuple[RobotsFile, Group | None] | None:
        known = self._known.get(key)
        if known is None or known[0].expires_at <= self._now():
            return None
        self._known.move_to_end(key)
        return known

    def _remember(self, file: RobotsFile) -> tuple[RobotsFile, Group | None]:
        group = parse_rules(file.body, _name(file.origin)).group(self._agent)
        known = (replace(file, body=""), group)  # what is for others needs no memory
        self._known[file.origin] = known
        self._known.move_to_end(file.origin)
        if len(self._known) > _CACHED_ORIGINS:
            self._known.popitem(last=False)
        return known


def is_own(url: str, own_hosts: Collection[str]) -> bool:
    """Tell whether a URL's host is among those named, with its port or without."""
    host = host_key(url)
    return host in own_hosts or host_name(host) in own_hosts


def judge(url: str, file: RobotsFile, group: Group | None) -> Verdict:
    """Decide about one canonical URL by the file of its origin, and say by what.

    Args:
        url: What is to be fetched.
        file: The last answer of its origin.
        group: What the file says to the agent that asks.

    Source: RFC 9309 §2.2 and §2.3.1.
    """
    if not file.reachable:
        return _unreachable(file)
    if group is None:
        return Verdict(allowed=True)
    path = normal_path(url)
    rule = None if path == "/robots.txt" else group.decisive(path)
    asked_s = group.crawl_delay_s
    allowed = rule is None or rule.allow
    detail = "" if rule is None else f"{file.origin}/robots.txt, line {rule.line}: {rule}"
    return Verdict(
        allowed,
        None if allowed else Reason.ROBOTS,
        detail,
        crawl_delay_s=None if asked_s is None else min(asked_s, MAX_CRAWL_DELAY_S),
        asked_delay_s=asked_s,
        group=group,
        rule=rule,
        signals=group.wishes(path) if group.signals else (),
    )


def _name(key: str) -> str:
    """Return the host name of an origin."""
    return host_name(key.split("/", 3)[2])


def with_lifetime(file: RobotsFile, previous: RobotsFile | None) -> RobotsFile:
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
    if file.cause is Reason.CONTACT:
        return Verdict(False, Reason.CONTACT, file.detail.removeprefix(f"{file.cause}: "))
    if file.cause is Reason.PROXY:
        why = file.detail.removeprefix(f"{file.cause}: ")
        return Verdict(False, Reason.PROXY, why, retry_at=file.fetched_at, cause=file.cause)
    why = file.detail or file.cause or "unknown"
    said = f"answered {file.status}" if file.status else f"gave no answer ({why})"
    return Verdict(
        allowed=False,
        reason=Reason.ROBOTS_UNREACHABLE,
        detail=f"{file.origin}/robots.txt {said}",
        retry_at=file.expires_at,
        cause=file.cause,
    )
