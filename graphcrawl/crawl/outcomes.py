"""What became of pages that were not asked for, sent elsewhere or could not be read. All pure."""

from dataclasses import replace
from datetime import UTC, datetime

from graphcrawl.models import Claim, Fetched, Link, NotFetched, Page, Reason, Redirected
from graphcrawl.parse.wishes import read_wishes
from graphcrawl.urls import Scope, host_key


def not_requested(claim: Claim, reason: Reason, detail: str) -> NotFetched:
    """Return the outcome of a page for which no request was sent."""
    return NotFetched(claim.url, reason, detail, datetime.now(UTC), requested=False)


def unreadable(fetched: Fetched, reason: Reason, detail: str) -> NotFetched:
    """Return the outcome of a page whose body arrived and is of no use."""
    return NotFetched(
        fetched.url, reason, detail, fetched.fetched_at, fetched.elapsed_s, fetched.status
    )


def cut_short(fetched: Fetched, *, last: bool) -> Fetched | NotFetched:
    """Let a body that ends too early be asked for again; the last time what came is kept."""
    if last:
        return fetched
    return NotFetched(
        fetched.url,
        Reason.TRUNCATED,
        f"the body ends early, after {fetched.size_bytes:,} bytes",
        fetched.fetched_at,
        fetched.elapsed_s,
        fetched.status,
        retry=True,
    )


def heeded(outcome: Redirected, agent: str) -> Redirected | NotFetched:
    """Read what the headers of a redirect wish; one that says `nofollow` is not followed.

    Args:
        outcome: As it came.
        agent: Product token in lower case, to which wishes may be addressed.
    """
    if not outcome.wish_lines:
        return outcome
    found = read_wishes((), outcome.wish_lines, agent)
    if found.follow or not outcome.target:
        return replace(outcome, wishes=found.all, reserved=found.reserved)
    return NotFetched(
        outcome.url,
        Reason.NOFOLLOW,
        f"its redirect to {outcome.target} is not to be followed: X-Robots-Tag",
        outcome.fetched_at,
        outcome.elapsed_s,
        outcome.status,
        wishes=found.all,
    )


def redirect_page(outcome: Redirected, depth: int, scope: Scope) -> Page:
    """Return a page whose one link is the redirect's target, at the depth of the page itself."""
    raw = outcome.raw if outcome.raw != outcome.target else ""
    link = Link(outcome.target, host_key(outcome.target), rel="redirect", raw=raw)
    verdict = scope.verdict(link.url, depth)
    return Page(links=(link,), excluded=((link.url, verdict),) if verdict else ())


def sent_on(fetched: Fetched, page: Page) -> Redirected:
    """Return the redirect that a page's meta refresh amounts to: it sends its readers on at once.

    Source: HTML Living Standard, pragma directives, refresh; three seconds or less, see
    `parse.html`.
    """
    return Redirected(
        url=fetched.url,
        status=fetched.status,
        target=page.refresh,
        raw=page.refresh,
        permanent=False,
        fetched_at=fetched.fetched_at,
        elapsed_s=fetched.elapsed_s,
        wishes=page.wishes,
        reserved=page.reserved,
    )


def judge_again(page: Page, scope: Scope, depth: int) -> Page:
    """Let the links of a page wait after all that a wider scope admits.

    Args:
        page: What a reader made of a body.
        scope: The scope by now.
        depth: Depth of the links' targets.
    """
    still = tuple((url, why) for url, why in page.excluded if scope.verdict(url, depth))
    return replace(page, excluded=still)
