"""The product's own frontier and ordering, crawling a recorded web: what the twin stands for."""

from datetime import UTC, datetime

from graphcrawl.crawl.ordering import Order, Ordering
from graphcrawl.frontier import Frontier, Seed
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
from ordering.twin import TaskWeb
from ordering.web import MISSING, REDIRECT

_LEASE_S = 3600.0


async def crawl(
    web: TaskWeb, frontier: Frontier, ordering: Ordering | None, pages: int, look_pages: int = 16
) -> list[int]:
    """Crawl by a frontier, one page at a time; return the pages in order.

    Args:
        web: With its task.
        frontier: Empty; it scores new pages, and known ones again, by the same ordering.
        ordering: Learns; None: pages wait by their reward.
        pages: How many are fetched.
        look_pages: Pages between two looks at the graph, which know of redirects what the
            run's own memory does not.
    """
    place = {url: page for page, url in enumerate(web.web.urls)}
    seeds = [web.url(page) for page in web.task.seeds.tolist()]
    await frontier.seed([Seed(url, url.split("/")[2]) for url in seeds])
    if ordering is not None:
        await frontier.rescore(_scored(ordering, await frontier.waiting(seeds)))
    done: list[int] = []
    while len(done) < pages:
        claims = await frontier.claim(pages=1, per_host=1, lease_s=_LEASE_S)
        if not claims:
            break
        claim = claims[0]
        done.append(place[claim.url])
        outcome = outcome_of(web, claim, done[-1])
        if ordering is not None and len(done) % look_pages == 1 % look_pages and len(done) > 1:
            await ordering.round(frontier)
        report = await frontier.record(
            [outcome], [HostUpdate(claim.host, 0.0, 0.0, token=claim.token)]
        )
        if ordering is not None:
            ordering.learn([outcome], report)
    return done


def ordering_of(order: Order, *, depends_on_facts: bool) -> Ordering:
    """Return an order at work."""
    return Ordering(order, depends_on_facts=depends_on_facts)


def outcome_of(web: TaskWeb, claim: Claim, page: int) -> Outcome:
    """Return what a fetch of a recorded page gives, as the crawl would record it."""
    now = datetime.now(UTC)
    found = web.fetch(page)
    kind = web.web.kind[page]
    if kind == MISSING:
        reason = Reason.HTTP_CLIENT
        return Outcome(claim, NotFetched(claim.url, reason, "404", now, status=404))
    if kind == REDIRECT and found.links:
        target = web.url(found.links[0].target)
        return Outcome(claim, Redirected(claim.url, 301, target, target, True, now, 0.0))
    grants = (Grant("recorded", found.points, "text"),) if found.points else ()
    links = tuple(
        Link(
            web.url(link.target),
            web.host(link.target),
            weight=link.weight,
            feed_hint=link.feed_hint,
            cues=link.cues,
            topic_hint=link.topic_hint,
        )
        for link in found.links
    )
    content = Page(
        links=links,
        grants=grants,
        feed=JobFeed("rss", 1) if found.feed >= 0 else None,
        digest=f"feed {found.feed}" if found.feed >= 0 else f"page {page}",
        topic=found.worth,
        quality=found.worth if found.quality is None else found.quality,
    )
    fetched = Fetched(claim.url, 200, b"<html>", "text/html", "utf-8", now, 0.0)
    return Outcome(claim, fetched, content)


def _scored(ordering: Ordering, waiting: list) -> dict[str, float]:  # type: ignore[type-arg]
    candidates = [scored.candidate for scored in waiting]
    scores = ordering.scores_at_start(candidates)
    return {one.url: score for one, score in zip(candidates, scores, strict=True)}
