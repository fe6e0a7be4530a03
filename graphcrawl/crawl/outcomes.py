"""What the loop itself says of a page, beside what fetcher and readers do."""

from dataclasses import replace
from datetime import UTC, datetime

from graphcrawl.models import Claim, Fetched, NotFetched, Page, Reason
from graphcrawl.urls import Scope


def judge_again(page: Page, scope: Scope, depth: int) -> Page:
    """Let the links of a page wait after all that a wider scope admits.

    Args:
        page: What a reader made of a body.
        scope: The scope by now.
        depth: Depth of the links' targets.
    """
    still = tuple((url, why) for url, why in page.excluded if scope.verdict(url, depth))
    return replace(page, excluded=still)


def not_requested(claim: Claim, reason: Reason, detail: str) -> NotFetched:
    """Return what to record of a page that was not asked for."""
    return NotFetched(claim.url, reason, detail, datetime.now(UTC), requested=False)


def unreadable(fetched: Fetched, reason: Reason, detail: str) -> NotFetched:
    """Return what to record of a body that is of no use."""
    return NotFetched(
        fetched.url, reason, detail, fetched.fetched_at, fetched.elapsed_s, fetched.status
    )
