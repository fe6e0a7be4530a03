"""Outcomes in few words, for tests."""

from collections.abc import Sequence

from worlds import Clock

from graphcrawl.models import (
    Claim,
    Fetched,
    Grant,
    HostUpdate,
    JobFeed,
    Link,
    NotFetched,
    Outcome,
    Page,
    Reason,
    Redirected,
)


def link(url: str, *, weight: float = 1.0, feed_hint: float = 0.0) -> Link:
    return Link(url, url.split("/")[2], anchor="anchor", weight=weight, feed_hint=feed_hint)


def page_of(
    claim: Claim,
    clock: Clock,
    links: Sequence[Link] = (),
    *,
    points: float = 0.0,
    feed: str = "",
    excluded: Sequence[tuple[str, Reason]] = (),
) -> Outcome:
    """A page that was fetched; `feed` is the digest of a job feed."""
    page = Page(
        title="A title",
        links=tuple(links),
        grants=(Grant("job", points, "text"),) if points else (),
        feed=JobFeed("rss", 3) if feed else None,
        digest=feed or claim.url,
        text="Some text.",
        excluded=tuple(excluded),
    )
    return Outcome(claim, Fetched(claim.url, 200, b"body", "text/html", "", clock.now, 0.1), page)


def moved(claim: Claim, clock: Clock, target: str) -> Outcome:
    return Outcome(claim, Redirected(claim.url, 301, target, target, True, clock.now, 0.1))


def failed(
    claim: Claim,
    clock: Clock,
    reason: Reason,
    *,
    status: int | None = None,
    retry: bool = False,
    retry_after_s: float | None = None,
    page_wait_s: float = 0.0,
) -> Outcome:
    return Outcome(
        claim,
        NotFetched(
            claim.url,
            reason,
            "a detail",
            clock.now,
            status=status,
            retry=retry,
            retry_after_s=retry_after_s,
            page_wait_s=page_wait_s,
        ),
    )


def given_back(claims: Sequence[Claim], pause_s: float = 0.0) -> list[HostUpdate]:
    tokens = {claim.host: claim.token for claim in claims}
    return [HostUpdate(host, 0.0, pause_s, token=token) for host, token in tokens.items()]
