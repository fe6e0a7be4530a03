"""The GET of a page and of a robots.txt. What goes wrong is a value, never an exception."""

import asyncio
import re
import time
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Self

from graphcrawl.fetch.access import Access
from graphcrawl.fetch.addresses import Resolver, public_hosts
from graphcrawl.fetch.arrival import Arrival
from graphcrawl.fetch.bodies import (
    Body,
    BodyError,
    SizeLimits,
    is_hopeless,
    read_start,
    split_content_type,
)
from graphcrawl.fetch.connections import Answer, Connections, ExchangeError, TimeLimits
from graphcrawl.fetch.proxy import Proxies
from graphcrawl.fetch.retry_after import retry_after_s
from graphcrawl.fetch.throttle import AddressTurns, Throttle, total_limit
from graphcrawl.limits import Cause
from graphcrawl.models import Fetched, FetchOutcome, NotFetched, Reason, Redirected
from graphcrawl.resolve import Resolve
from graphcrawl.robots import MAX_REDIRECTS, RobotsFile, read_rules
from graphcrawl.robots_rules import MAX_BYTES, MAX_WISH_CHARS, MAX_WISH_LINES, WISH_HEADERS
from graphcrawl.urls import MAX_URL_CHARS, canonical, without_credentials

_ACCEPT = (
    b"text/html,application/xhtml+xml,application/rss+xml,application/atom+xml,"
    b"application/xml;q=0.9,text/xml;q=0.9,*/*;q=0.5"
)
_RETRIED = frozenset(
    {Reason.DNS, Reason.CONNECT, Reason.TLS, Reason.TIMEOUT, Reason.READ, Reason.TRUNCATED}
    | {Reason.PROXY}
)  # PROTOCOL faults do not pass by themselves
_OURS = frozenset({Reason.ADDRESS, Reason.PROXY})  # the host has no part in it
_BAD = "certificate"  # nor does a certificate that is wrong
_OVERLOADED = frozenset({429, 502, 503, 504})  # the host, not the page
_MAX_LINK_CHARS = 65_536
_MAX_VALIDATOR_CHARS = 512  # longer ETags are nobody's
_MAX_DETAIL_CHARS = 300
_MEDIA_TYPE = re.compile(r"[\w!#$&^.+-]{1,80}/[\w!#$&^.+-]{1,80}", re.ASCII)


@dataclass(frozen=True, slots=True)
class FetchSettings:
    """How pages are asked for."""

    user_agent: str
    connect_s: float = 10.0
    read_s: float = 15.0  # silence
    total_s: float = 30.0  # for all of a page
    feed_s: float = 600.0  # for all of a large feed
    max_body_bytes: int = 5 * 2**20  # unpacked
    max_feed_bytes: int = 256 * 2**20
    spool: Path | None = None  # folder for the files of large feeds; none: they are held in memory
    allow_private: bool = False
    resolve: tuple[Resolve, ...] = ()
    concurrency: int = 16
    access: Access = field(default_factory=Access)
    proxies: Proxies = field(default_factory=Proxies)
    max_rate: float | None = None  # requests a second
    max_bandwidth_bytes: int | None = None  # a second
    per_address: int | None = None  # requests in flight; none: 8 to a public one
    anonymous: bool = False  # nobody is named: no robots.txt is followed to a public host


class Fetcher:
    """Fetches pages; an async context manager, since it keeps connections.

    It is polite only as far as one request goes: robots.txt, delays and how many requests a host
    gets at a time are its caller's business.
    """

    def __init__(self, settings: FetchSettings) -> None:
        self._total_s, self._feed_s = settings.total_s, max(settings.total_s, settings.feed_s)
        self._spool = settings.spool
        self._sizes = SizeLimits(settings.max_body_bytes, settings.max_feed_bytes)
        self._resolver = Resolver(settings.resolve, settings.allow_private, settings.concurrency)
        self._turns = AddressTurns(self._resolver, settings.per_address, settings.connect_s)
        self._throttle = Throttle(settings.max_rate, settings.max_bandwidth_bytes)
        self._slowed = settings.max_bandwidth_bytes is not None
        self._proxies = settings.proxies
        self._anonymous, self._resolve = settings.anonymous, settings.resolve
        self._connections = Connections(
            self._resolver,
            headers=[
                (b"User-Agent", settings.user_agent.encode()),
                (b"Accept", _ACCEPT),
                (b"Accept-Encoding", b"gzip, deflate, br, zstd"),
            ],
            limits=TimeLimits(settings.connect_s, settings.read_s),
            max_idle=2 * settings.concurrency,
            access=settings.access,
            proxies=settings.proxies,
            throttle=self._throttle if self._slowed else None,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._connections.aclose()
        self._resolver.close()

    def held_back(self) -> Cause | None:
        """Return the limit over all hosts that requests wait for just now."""
        return self._throttle.held_back()

    async def get(self, url: str) -> FetchOutcome:
        """Fetch one canonical URL without following redirects.

        Returns:
            `Fetched` for a 2xx answer with a usable body, `Redirected` for a 3xx that names a
            target, else `NotFetched` with its reason. A fault before the head of an answer counts
            against the host. What our own limits take does not count as the host's time.
        """
        if self._proxies.for_url(url) is not None:  # whose the addresses are is the proxy's affair
            await self._throttle.start()
            return await self._get(url)
        async with self._turns.turn(url):
            await self._throttle.start()
            return await self._get(url)

    async def _get(self, url: str) -> FetchOutcome:
        clock = _Clock(url)
        answer: Answer | None = None
        limit = total_limit(self._total_s)
        try:
            async with limit, self._connections.exchange(url) as answer:
                return await self._outcome(clock, answer, limit)
        except TimeoutError:
            limit_s = self._feed_s if clock.is_long else self._total_s
            error = BodyError(Reason.TIMEOUT, f"not complete within {limit_s:g} s")
            return clock.broken_off(answer, "time", error)
        except ExchangeError as error:
            return clock.broken_off(answer, "connection", error, sent=error.sent)
        except BodyError as error:
            return clock.broken_off(answer, "damaged", error)
        finally:
            if clock.arrival is not None:
                clock.arrival.discard()

    async def _outcome(
        self, clock: "_Clock", answer: Answer, limit: asyncio.Timeout
    ) -> FetchOutcome:
        status = answer.status
        self._require_entry(clock.url, answer)
        if 200 <= status < 300:
            return await self._page(clock, answer, limit)
        await answer.drain()
        if 300 <= status < 400:
            return _redirect(clock, answer)
        if not 400 <= status < 600:
            return clock.failed(Reason.PROTOCOL, f"status {status}", answer)
        reason = Reason.HTTP_CLIENT if status < 500 else Reason.HTTP_SERVER
        return NotFetched(
            clock.url,
            Reason.TOO_MANY_REQUESTS if status == 429 else reason,
            f"status {status}",
            fetched_at=datetime.now(UTC),
            elapsed_s=clock.elapsed_s,
            status=status,
            retry_after_s=_retry_after_s(answer) if status == 429 or status >= 500 else None,
            retry=status >= 500 or status in {408, 429},
            host_fault=status in _OVERLOADED,
        )

    def _require_entry(self, url: str, answer: Answer) -> None:
        """Tell a proxy's own refusal from an answer of the host, which it says nothing about.

        Source: RFC 9110 §15.5.8.
        """
        if answer.status == 407 and (proxy := self._proxies.for_url(url)) is not None:
            detail = f"the proxy {proxy} refuses its user or password"
            raise ExchangeError(Reason.PROXY, detail, sent=False)

    async def _page(self, clock: "_Clock", answer: Answer, limit: asyncio.Timeout) -> Fetched:
        media_type, _ = _content_type(answer)
        if is_hopeless(media_type):
            raise BodyError(Reason.TYPE, media_type)
        encoding = answer.text(b"content-encoding")
        clock.arrival = arrival = Arrival(encoding, media_type, self._sizes, self._spool)
        async with aclosing(answer.chunks()) as chunks:
            async for chunk in chunks:
                if not arrival.take(chunk):
                    break
                if arrival.is_spooled and not clock.is_long and (until_s := limit.when()):
                    clock.is_long = True
                    limit.reschedule(until_s - self._total_s + self._feed_s)
        return clock.fetched(arrival.end(), answer)

    async def download_robots(self, origin: str, path: str = "/robots.txt") -> RobotsFile:
        """Fetch the robots.txt of `scheme://host:port`, following up to five redirects anywhere.

        Another file that speaks for an origin is fetched in the same way.

        Returns:
            The answer; one that redirects too often keeps its 3xx status. `expires_at` is the
            earliest time at which the server wishes to be asked again.

        Source: RFC 9309 §2.3.1.
        """
        try:
            await self._throttle.start()
            async with total_limit(self._total_s):
                return await self._robots_file(origin, path)
        except TimeoutError:
            cause, detail = Reason.TIMEOUT, f"{Reason.TIMEOUT}: {self._total_s:g} s"
        except (ExchangeError, BodyError) as error:
            cause, detail = error.reason, _one_line(f"{error.reason}: {error.detail}", 120)
        now = datetime.now(UTC)
        return RobotsFile(origin, None, "", now, now, cause=cause, detail=detail)

    async def _robots_file(self, origin: str, path: str) -> RobotsFile:
        url = canonical(f"{origin}{path}") or ""
        for _ in range(MAX_REDIRECTS + 1):
            async with self._connections.exchange(url) as answer:
                self._require_entry(url, answer)
                body = b""
                if 200 <= answer.status < 300:
                    async with aclosing(answer.chunks()) as chunks:
                        encoding = answer.text(b"content-encoding")
                        body = await read_start(chunks, encoding, MAX_BYTES)
                else:
                    await answer.drain()
            if not (target := _robots_target(url, answer)):
                break
            if self._anonymous and (public := public_hosts([target], self._resolve)):
                detail = f"its {path[1:]} is on {public[0]}, and this crawl had no contact"
                raise ExchangeError(Reason.CONTACT, detail)
            url = target
        now = datetime.now(UTC)
        wish_s = _retry_after_s(answer) or 0.0
        expires_at = now + timedelta(seconds=wish_s)
        return RobotsFile(origin, answer.status, read_rules(body), now, expires_at)


@dataclass(slots=True)
class _Clock:
    """One page's URL and when its request began."""

    url: str
    arrival: Arrival | None = None  # its body, once it arrives
    is_long: bool = False  # a large feed, which has more time
    _started: float = 0.0

    def __post_init__(self) -> None:
        self._started = time.perf_counter()

    @property
    def elapsed_s(self) -> float:
        return time.perf_counter() - self._started

    def broken_off(
        self,
        answer: Answer | None,
        why: str,
        error: BodyError | ExchangeError,
        *,
        sent: bool = True,
    ) -> FetchOutcome:
        """Return what arrived of a feed that will not come to its end, else the failure."""
        if answer and self.arrival and (body := self.arrival.cut(why)):
            return self.fetched(body, answer)
        return self.failed(error.reason, error.detail, answer, sent=sent)

    def fetched(self, body: Body, answer: Answer) -> Fetched:
        media_type, charset = _content_type(answer)
        return Fetched(
            self.url,
            answer.status,
            body.data,
            content_type=media_type,
            charset=charset,
            fetched_at=datetime.now(UTC),
            elapsed_s=self.elapsed_s,
            truncated=body.truncated or answer.status == 206,  # a part that nobody asked for
            etag=_validator(answer, b"etag"),
            last_modified=_validator(answer, b"last-modified"),
            wish_lines=_wish_lines(answer),
            link_header=answer.text(b"link")[:_MAX_LINK_CHARS],
            refresh_header=answer.text(b"refresh")[:_MAX_LINK_CHARS],
            body_bytes=body.file_bytes,
            spooled=body.file,
            digest=body.digest,
            ended=body.ended,
            unread_bytes=self._unread_bytes(body, answer) if body.ended else None,
        )

    def _unread_bytes(self, body: Body, answer: Answer) -> int | None:
        """Return how much of the body, as it is sent, was not read; None where nobody says."""
        said = answer.text(b"content-length")
        if self.arrival is None or not (said.isascii() and said.isdigit()):
            return None
        size_bytes = body.file_bytes or len(body.data)
        plain = not answer.text(b"content-encoding") and self.arrival.received_bytes >= size_bytes
        had_bytes = size_bytes if plain else self.arrival.received_bytes
        return max(int(said[:18]) - had_bytes, 0)

    def failed(
        self, reason: Reason, detail: str, answer: Answer | None, *, sent: bool = True
    ) -> NotFetched:
        return NotFetched(
            self.url,
            reason,
            _one_line(detail),
            fetched_at=datetime.now(UTC),
            elapsed_s=self.elapsed_s,
            status=answer.status if answer and reason is not Reason.PROXY else None,
            retry=reason in _RETRIED and not (reason is Reason.TLS and _BAD in detail.lower()),
            host_fault=answer is None and reason not in _OURS,
            requested=sent and reason is not Reason.PROXY,
        )


def _content_type(answer: Answer) -> tuple[str, str]:
    """Return media type and charset, "" for what is none: they are a stranger's words."""
    media_type, charset = split_content_type(answer.text(b"content-type"))
    return (
        media_type if _MEDIA_TYPE.fullmatch(media_type) else "",
        charset if charset.isascii() and charset.isprintable() else "",
    )


def _redirect(clock: _Clock, answer: Answer) -> Redirected | NotFetched:
    raw = _location(answer)
    if not raw or answer.status == 304:
        return clock.failed(Reason.PROTOCOL, f"status {answer.status} without a target", answer)
    target = canonical(raw, clock.url) or ""
    if len(target) > MAX_URL_CHARS:
        detail = f"redirects to a URL of {len(target):,} characters"
        return clock.failed(Reason.TOO_LONG, detail, answer)
    return Redirected(
        clock.url,
        answer.status,
        target=target,
        raw=without_credentials(_one_line(raw, MAX_URL_CHARS)),
        permanent=answer.status in {301, 308},
        fetched_at=datetime.now(UTC),
        elapsed_s=clock.elapsed_s,
        retry_after_s=_retry_after_s(answer),
        wish_lines=_wish_lines(answer),
    )


def _robots_target(url: str, answer: Answer) -> str:
    """Return the canonical target of a redirect, "" where there is none that can be used."""
    raw = _location(answer)
    is_redirect = 300 <= answer.status < 400 and answer.status != 304
    target = (canonical(raw, url) or "") if raw and is_redirect else ""
    return target if len(target) <= MAX_URL_CHARS else ""


def _location(answer: Answer) -> str:
    """Return where an answer leads: UTF-8, else with its bytes escaped, as browsers read it."""
    value = answer.headers.get(b"location", b"").strip()
    try:
        return value.decode()
    except UnicodeDecodeError:
        return "".join(chr(byte) if byte < 0x80 else f"%{byte:02X}" for byte in value)


def _retry_after_s(answer: Answer) -> float | None:
    return retry_after_s(answer.text(b"retry-after"), answer.text(b"date"))


def _wish_lines(answer: Answer) -> tuple[tuple[str, str], ...]:
    """Return the headers that state wishes about the page; there may be several of one name."""
    return tuple(
        (name.lower().decode(), value[:MAX_WISH_CHARS].decode("latin-1"))
        for name, value in answer.lines
        if name.lower() in WISH_HEADERS
    )[:MAX_WISH_LINES]


def _validator(answer: Answer, name: bytes) -> str:
    value = answer.text(name)
    return value if len(value) <= _MAX_VALIDATOR_CHARS and value.isprintable() else ""


def _one_line(text: str, most: int = _MAX_DETAIL_CHARS) -> str:
    """Return text of strangers as one short line that does nothing to a terminal or a log."""
    line = "".join(char if char.isprintable() else "\ufffd" for char in text[: most + 1])
    return line if len(line) <= most else f"{line[: most - 1]}…"
