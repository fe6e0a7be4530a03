"""Asks for one page, once scope, host limit, robots.txt and blocks let it."""

import asyncio
import logging
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from graphcrawl.crawl.lanes import Lane
from graphcrawl.crawl.outcomes import cut_short, heeded, not_requested
from graphcrawl.crawl.parts import Fetcher, Reservations, Robots
from graphcrawl.crawl.stats import Stats
from graphcrawl.crawl.territory import Territory
from graphcrawl.models import Claim, Fetched, FetchOutcome, NotFetched, Reason, Redirected
from graphcrawl.robots import Verdict
from graphcrawl.robots_rules import AGENT
from graphcrawl.urls import MAX_URL_CHARS, as_written

logger = logging.getLogger(__name__)

Lines = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Asker:
    """What it takes to ask for a page."""

    fetcher: Fetcher
    robots: Robots
    territory: Territory
    stats: Stats
    agent: str = AGENT  # product token in lower case, to which wishes may be addressed
    max_tries: int = 3  # the last try of a body that is cut short keeps what came
    reservations: Reservations | None = None  # none: nobody's tdmrep.json is asked for

    async def ask(self, claim: Claim, lane: Lane) -> FetchOutcome | None:
        """Fetch a claimed page, or say why it was not asked for.

        None: its host was asked for its robots.txt or tdmrep.json just now, and wants a rest.
        """
        signals = await self._refuse(claim, lane)
        if signals is None or isinstance(signals, NotFetched):
            return signals
        lane.requests += not claim.visited
        self.stats.requests += 1
        try:
            outcome = await self.fetcher.get(claim.url)
            if isinstance(outcome, Redirected) and outcome.target == claim.url:
                outcome = await self._ask_as_written(claim, lane, outcome)
        except Exception as error:  # a defect of ours: it may cost this page, never the crawl
            logger.exception("fetching %s", claim.url)
            return NotFetched(claim.url, Reason.PROTOCOL, repr(error)[:500], datetime.now(UTC))
        _tell(outcome)
        if isinstance(outcome, Redirected):
            return heeded(outcome, self.agent)
        if isinstance(outcome, Fetched):
            if outcome.ended == "connection" and not outcome.spooled:
                return cut_short(outcome, last=claim.tries + 1 >= self.max_tries)
            if signals:
                return replace(outcome, wish_lines=outcome.wish_lines + signals)
        return outcome

    async def _ask_as_written(self, claim: Claim, lane: Lane, sent_on: Redirected) -> FetchOutcome:
        """Follow a redirect to another spelling of the same page, once, in the same visit.

        A server may insist on a session id in the URL, or on an escape, that our spelling lacks.
        """
        spelling = as_written(sent_on.raw, claim.url)
        is_other = spelling not in {"", claim.url} and len(spelling) <= MAX_URL_CHARS
        if not is_other or sent_on.retry_after_s:
            return sent_on
        verdict = await self.robots.check(spelling)
        if not verdict.allowed:
            return not_requested(claim, verdict.reason or Reason.ROBOTS, verdict.detail)
        await asyncio.sleep(lane.pace_s)
        if lane.closed:
            return sent_on
        self.stats.requests += 1
        return replace(await self.fetcher.get(spelling), url=claim.url)

    async def _refuse(self, claim: Claim, lane: Lane) -> NotFetched | Lines | None:
        """Say why the page is not to be asked for, or what its origin wishes; None: later."""
        signals = await self._admit(claim, lane)
        if self.reservations is None or signals is None or isinstance(signals, NotFetched):
            return signals
        reserved, asked = await self.reservations.check(claim.url)
        if asked:
            lane.rest()
        return None if lane.closed or (asked and lane.wait_s() > 0) else signals + reserved

    async def _admit(self, claim: Claim, lane: Lane) -> NotFetched | Lines | None:
        """Say why the page is not to be asked for; else wait until it may be.

        Returns:
            Where it may: the wishes about it that its robots.txt states; None: later.
        """
        if (refused := self.territory.refusal(claim)) is not None:
            return not_requested(claim, refused, "outside what this crawl may fetch")
        if lane.full and not claim.visited:
            return not_requested(claim, Reason.HOST_LIMIT, "enough pages of its host")
        verdict = await self.robots.check(claim.url)
        if verdict.crawl_delay_s:
            lane.lengthen(verdict.crawl_delay_s)
        if verdict.asked:
            lane.rest()
            if verdict.allowed and lane.wait_s() > 0:
                return None
        if verdict.crawl_delay_s:
            await lane.take_turn(verdict.crawl_delay_s)
        if not verdict.allowed:
            return _closed(claim, verdict)
        if lane.closed:
            return replace(not_requested(claim, Reason.BLOCKED, "by hand"), retry=True)
        return verdict.signals


def _tell(outcome: FetchOutcome) -> None:
    """Log what became of a request, for `-v`."""
    match outcome:
        case Fetched():
            logger.info("%s: %d, %d bytes", outcome.url, outcome.status, outcome.size_bytes)
        case Redirected():
            logger.info("%s: %d to %s", outcome.url, outcome.status, outcome.target)
        case NotFetched():
            logger.info("%s: %s, %s", outcome.url, outcome.reason, outcome.detail)


def _closed(claim: Claim, verdict: Verdict) -> NotFetched:
    """Return the outcome of a page that robots.txt closes, for good or until it can be had."""
    outcome = not_requested(claim, verdict.reason or Reason.ROBOTS, verdict.detail)
    if verdict.retry_at is None:
        return outcome
    wait_s = max((verdict.retry_at - datetime.now(UTC)).total_seconds(), 1.0)
    return replace(outcome, retry=True, page_wait_s=wait_s)  # its host has other origins
