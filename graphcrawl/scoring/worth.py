"""What a fetched page turned out to be worth, and how good it is: what scorers learn from."""

import math
from collections.abc import Collection, Iterable

from graphcrawl.models import NotFetched, Outcome, Page, Reason

POINTS = 10.0  # that make a worth of 1 − 1/e
GOOD_CHARS = 1500  # of visible text that make a length of 1 − 1/e
GOOD_DENSITY = 0.25  # visible text to markup from which more is no better
DUPLICATE = 0.2  # what is left of the quality of a page that was known under another URL
# Answers that are the page's own fault, so that links to it were bad ones.
_BAD = frozenset(
    {
        Reason.HTTP_CLIENT, Reason.TYPE, Reason.TRAP, Reason.REDIRECT_LOOP, Reason.CHARSET,
        Reason.PARSE, Reason.TOO_BIG,
    }
)  # fmt: skip


def worth_of(page: Page | None) -> float:
    """Return what a page is worth to its crawl, 0 to 1: what the order wants much of.

    It is the greatest of
    - what rules paid: `1 − exp(−points / 10)`; a page that is a job feed has 1,
    - its topic worth, where the crawl has a topic,
    - its keyword worth.

    Args:
        page: What reading made of it; None: it could not be had, and is worth nothing.
    """
    if page is None:
        return 0.0
    return max(
        reward_worth(page), _share(0.0 if page.topic is None else page.topic), _share(page.keywords)
    )


def reward_worth(page: Page) -> float:
    """Return the worth of what rules paid for a page, 0 to 1."""
    return 1.0 if page.feed is not None else points_worth(grant.points for grant in page.grants)


def points_worth(points: Iterable[float]) -> float:
    """Return `1 − exp(−points / 10)`: 2 points 0.18, 10 points 0.63, 30 points 0.95."""
    total = math.fsum(value for value in points if math.isfinite(value))
    return 1.0 - math.exp(-total / POINTS) if total > 0 else 0.0


def quality_of(
    page: Page | None,
    *,
    text_chars: int | None = None,
    markup_chars: int | None = None,
    languages: Collection[str] = (),
    duplicate: bool = False,
) -> float:
    """Return how good a fetched page is, 0 to 1. It teaches the quality scorer.

    `quality = usable · own · (0.4·reward + 0.3·length + 0.2·density + 0.1·language)`, where
    - `reward` is its worth by the rules, `1 − exp(−points / 10)`, or 1 of a job feed,
    - `length` is `1 − exp(−c / 1500)` of the c characters of its visible text,
    - `density` is visible text to markup, a quarter or more being 1; 0.5 where not known,
    - `language` is 1 where it is a wanted one; without wishes 1 where it is known, else 0.5,
    - `usable` is 0 for what could not be had or is no page, 0.2 for one that is empty without
      scripts, else 1,
    - `own` is 0.2 for a page that was known under another URL, else 1.

    A job feed is not judged by its text: all but language and duplicates is 1.

    Source: [004.quality]; the formula is ours.

    Args:
        page: What reading made of it; None: an error.
        text_chars: Characters of its visible text; None: as far as the page has kept it.
        markup_chars: Characters of its markup; None: not known.
        languages: Wanted ones, as primary subtags; none: any.
        duplicate: Whether it was known under another URL.
    """
    if page is None or (page.unsupported and page.feed is None):
        return 0.0
    chars = len(page.visible or page.text or "") if text_chars is None else max(text_chars, 0)
    length = 1.0 - math.exp(-chars / GOOD_CHARS)
    if page.feed is not None:
        length = density = 1.0
    elif markup_chars is None:
        density = 0.5 if chars else 0.0
    else:
        density = min(1.0, chars / max(markup_chars, 1) / GOOD_DENSITY)
    wanted = page.language in languages if languages else bool(page.language)
    language = 1.0 if wanted else 0.0 if languages else 0.5
    if not chars and page.feed is None:
        language = 0.0
    value = 0.4 * reward_worth(page) + 0.3 * length + 0.2 * density + 0.1 * language
    usable = 0.2 if page.needs_script else 1.0
    return _share(value * usable * (DUPLICATE if duplicate else 1.0))


def lesson_of(outcome: Outcome, *, duplicate: bool = False) -> tuple[float, float] | None:
    """Return worth and quality that the order shall learn from an outcome; None: nothing.

    Errors that are the page's own fault (4xx, not readable, a trap) teach 0. What the host or the
    network is at fault for, what robots.txt forbids and what redirects says nothing of links.

    Args:
        outcome: What became of a claimed page.
        duplicate: Whether the page was known under another URL.
    """
    if outcome.page is not None:
        page = outcome.page
        left = DUPLICATE if duplicate else 1.0
        return worth_of(page), _share(page.quality * left)
    if isinstance(outcome.fetch, NotFetched) and not outcome.fetch.retry:
        return (0.0, 0.0) if outcome.fetch.reason in _BAD else None
    return None


def _share(value: float) -> float:
    """Return a number within 0 and 1; what is none counts as 0."""
    return min(1.0, max(0.0, value)) if math.isfinite(value) else 0.0
