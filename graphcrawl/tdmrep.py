"""What an origin reserves in /.well-known/tdmrep.json: text and data mining, by path [002.robots].

The file is asked for once a day beside robots.txt, by one worker, and kept in the graph. What a
page says itself, by header or meta, goes before it (`parse.wishes`). One that cannot be had
reserves nothing, and closes nothing: it is looked for again after an hour.

Source: TDM Reservation Protocol, W3C Community Group Final Report, "TDM File on the Origin Server";
RFC 9309 §2.2.2 for patterns, of which the longest that matches counts.
"""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final
from weakref import WeakValueDictionary

from graphcrawl.models import Reason
from graphcrawl.robots import RobotsFile, is_own, utc_now
from graphcrawl.robots_rules import MAX_WISH_CHARS, Rule, normal_path, pattern_rule
from graphcrawl.urls import origin

PATH: Final = "/.well-known/tdmrep.json"
RESERVATION, POLICY = "tdmrep-reservation", "tdmrep-policy"  # names of the lines

_LIFETIME: Final = timedelta(hours=24)
_ERROR_LIFETIME: Final = timedelta(hours=1)
_MAX_RULES: Final = 1000
_CACHED_ORIGINS: Final = 10_000
_LOOK_AGAIN_S: Final = 0.25

Lines = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Reservation:
    """What a file says of some paths."""

    path: Rule
    reserved: bool
    policy: str = ""


def parse_reservations(text: str) -> tuple[Reservation, ...]:
    """Read a file; what cannot be read is left out."""
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        return ()
    rows = found if isinstance(found, list) else [found]
    return tuple(kept for row in rows[:_MAX_RULES] if (kept := _reservation(row)) is not None)


def _reservation(row: Any) -> Reservation | None:
    if not isinstance(row, dict) or not isinstance(row.get("location"), str):
        return None
    said = str(row.get("tdm-reservation")).strip()
    rule = pattern_rule(row["location"].strip()[:MAX_WISH_CHARS])
    if rule is None or said not in ("0", "1"):
        return None
    policy = row.get("tdm-policy")
    return Reservation(rule, said == "1", policy.strip() if isinstance(policy, str) else "")


def lines_for(url: str, reservations: Collection[Reservation]) -> Lines:
    """Return what a file reserves of a canonical URL, as lines for `parse.wishes`."""
    path = normal_path(url)
    held = [found for found in reservations if found.path.matches(path)]
    best = max(held, key=lambda found: (found.path.octets, found.reserved), default=None)
    if best is None or not best.reserved:
        return ()
    return ((RESERVATION, "1"), *(((POLICY, best.policy),) if best.policy else ()))


async def _always(_: str) -> bool:
    return True


async def _nothing(_: str) -> None:
    return None


class Reservations:
    """Says what origins reserve, with one download per origin at a time."""

    def __init__(
        self,
        download: Callable[[str, str], Awaitable[RobotsFile]],
        allowed: Callable[[str], Awaitable[bool]],
        *,
        load: Callable[[str], Awaitable[RobotsFile | None]] = _nothing,
        save: Callable[[RobotsFile], Awaitable[None]] | None = None,
        claim: Callable[[str], Awaitable[bool]] = _always,
        release: Callable[[str], Awaitable[None]] = _nothing,
        own_hosts: Collection[str] = (),
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        """Put together what it takes.

        Args:
            download: Fetches a path of an origin; failures are values, not exceptions.
            allowed: Whether robots.txt lets a URL be asked for.
            load: Reads what the graph knows of an origin.
            save: Writes a freshly downloaded file into the graph; ends the claim.
            claim: Reserves the download of an origin; false: another worker is at it.
            release: Ends the claim without a file.
            own_hosts: Hosts of the user's own, which are not asked.
            now: The clock; tests set their own.
        """
        self._download, self._allowed = download, allowed
        self._load, self._save, self._claim, self._release = load, save, claim, release
        self._own_hosts, self._now = frozenset(own_hosts), now
        self._known: OrderedDict[str, tuple[datetime, tuple[Reservation, ...]]] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def check(self, url: str) -> tuple[Lines, bool]:
        """Return what is reserved of a canonical URL, and whether its host was asked just now."""
        if self._own_hosts and is_own(url, self._own_hosts):
            return (), False
        key = origin(url)
        known = self._known.get(key)
        if known is not None and known[0] > self._now():
            return (lines_for(url, known[1]) if known[1] else ()), False
        lock = self._locks.get(key) or self._locks.setdefault(key, asyncio.Lock())
        async with lock:
            found, asked = await self._learn(key)
        return lines_for(url, found), asked

    async def _learn(self, key: str) -> tuple[tuple[Reservation, ...], bool]:
        known = self._known.get(key)
        if known is not None and known[0] > self._now():
            return known[1], False  # somebody downloaded it while we waited
        while (file := await self._load(key)) is None or file.expires_at <= self._now():
            if await self._claim(key):
                return await self._ask(key)
            await asyncio.sleep(_LOOK_AGAIN_S)
        return self._remember(file), False

    async def _ask(self, key: str) -> tuple[tuple[Reservation, ...], bool]:
        saved = False
        try:
            now = self._now()
            file, asked = RobotsFile(key, None, "", now, now + _ERROR_LIFETIME), False
            if await self._allowed(f"{key}{PATH}"):
                file, asked = with_lifetime(await self._download(key, PATH)), True
            if file.cause is Reason.PROXY:  # nobody was asked
                return (), False
            if self._save is not None:
                await self._save(file)
                saved = True
            return self._remember(file), asked
        finally:
            if not saved:
                await asyncio.shield(self._release(key))

    def _remember(self, file: RobotsFile) -> tuple[Reservation, ...]:
        found = parse_reservations(file.body) if file.body else ()
        self._known[file.origin] = file.expires_at, found
        self._known.move_to_end(file.origin)
        if len(self._known) > _CACHED_ORIGINS:
            self._known.popitem(last=False)
        return found


def with_lifetime(file: RobotsFile) -> RobotsFile:
    """Say until when an answer counts, and keep its text only where it reserves something."""
    is_clear = file.status is not None and (200 <= file.status < 300 or file.status in {404, 410})
    lifetime = _LIFETIME if is_clear else _ERROR_LIFETIME
    reserves = any(found.reserved for found in parse_reservations(file.body))
    return replace(file, body=file.body if reserves else "", expires_at=file.fetched_at + lifetime)
