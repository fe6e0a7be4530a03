"""Records a batch of outcomes in one transaction. [000.newborn] [000.evaluate] are the rules."""

from collections import defaultdict
from collections.abc import Sequence

from graphcrawl.facts import Score, Scored, add_facts, score_rows
from graphcrawl.fold_rows import GraphStore
from graphcrawl.folding import claiming, fold, pointers
from graphcrawl.forgotten import keys_of, without
from graphcrawl.graph import Row, Transaction
from graphcrawl.models import Fetched, HostUpdate, Outcome, Redirected
from graphcrawl.recorded import FoundFeed, RecordOptions, RecordReport
from graphcrawl.settle import (
    LONGEST_WISH_S,
    NO_FEED,
    axon,
    grant_text,
    host_rows,
    is_no_feed,
    links_of,
    settle,
    targets,
)
from graphcrawl.steady_rows import after_links, before_links, granted, weights_of
from graphcrawl.unfollow import unfollow

OVER_LIMIT_AT_ONCE = 1000  # waiting pages of a host to leave out in one record


_Lease = tuple[str, int]  # URL and token


async def record(
    tx: Transaction,
    outcomes: Sequence[Outcome],
    updates: Sequence[HostUpdate],
    *,
    options: RecordOptions,
    crawl_id: str,
    now_ms: int | None = None,
    score: Score | None = None,
    rescored: Sequence[Scored] = (),
) -> RecordReport:
    """Write outcomes inside a transaction. What has another's token by now is refused.

    Locks in this order: the gate, hosts by name, the claimed pages, the rest. A claim takes hosts
    by name and then pages, so the two never wait for each other in a circle.

    Args:
        tx: Committed by the caller.
        outcomes: Of claimed pages.
        updates: Of their hosts, in the order of events.
        options: The figures to go by.
        crawl_id: Of the (:Crawl) whose counters go up.
        now_ms: For tests: milliseconds since 1970 in place of the server's clock.
        score: Gives the scores that new pages wait by; None: they wait by their reward.
        rescored: Other pages, with scores that they wait by from now on if they still wait.
    """
    found = sum(len(links_of(outcome, options.max_redirects)[0]) for outcome in outcomes)
    gate = (await tx.run("write/gate", discoveries=found))[0]
    if gate["forgets"]:
        asked = keys_of(outcomes, updates)
        gone = await tx.run("write/forgotten", keys=list(asked))
        outcomes, updates = without({row["key"] for row in gone}, outcomes, updates)
    moving = {one.candidate.host for one in rescored}
    names = {*_names(outcomes, updates, options), *moving}
    await tx.run("frontier/lock_hosts", names=sorted(names))
    pages, again = await _settle(tx, outcomes, options, now_ms)
    settled = [o for o in outcomes if _lease(o) in pages]
    accepted = [o for o in outcomes if _lease(o) in pages or _lease(o) in again]
    rows, linked = await _link(tx, settled, pages, options, gate=gate, now_ms=now_ms, score=score)
    waking, moved = await _fold(tx, settled, pages, linked["aliases"], options)
    revisited = [outcome for outcome in settled if pages[_lease(outcome)]["known"]]
    waking += await unfollow(tx, revisited, options.feed_hint_points)
    feeds, aliases = await _recognise(tx, settled, moved)
    paid = await _pay(tx, settled, options, rows=rows, leading=linked["feeds"], aliases=aliases)
    earned = {url for (url, _), page in pages.items() if page["granted"]}
    await granted(tx, gate["damping"], earned | paid.keys())
    await _keep_texts(tx, settled)
    if waits := redirect_waits(settled, options.max_redirects):
        await tx.run("write/redirect_waits", waits=waits, nowMs=now_ms)
    if rescored:
        scores = {one.candidate.url: one.score for one in rescored}
        anew = [{"url": url, "score": scores[url]} for url in sorted(scores)]
        await tx.run("order/write", pages=anew)
    waiting = [*linked["hosts"], *waking, *moving]
    if full := sorted({update.name for update in updates if update.full}):
        await tx.run("write/over_limit", names=full, limit=OVER_LIMIT_AT_ONCE)
    parked = await write_hosts(tx, host_rows(waiting, accepted, updates), options, now_ms)

    born = set(linked["born"])
    redirected = sum(page["reason"] == "redirect" for page in pages.values())
    labels = [page["label"] for page in pages.values()]
    report = RecordReport(
        fetched=labels.count("Fetched"),
        redirected=redirected,
        failed=labels.count("Failed") + sum(not waits for waits in again.values()),
        excluded=labels.count("Excluded") - redirected,
        put_off=sum(again.values()),
        neurons=len(born),
        axons=sum(len(row["axons"]) for row in rows),
        granted=sum((page["granted"] for page in pages.values()), 0.0),
        paid=sum(paid.values()),
        minted=sum((row["reward"] for row in rows if row["url"] in born), 0.0),
        refused=tuple(
            o.claim.url for o in outcomes if _lease(o) not in pages and _lease(o) not in again
        ),
        feeds=feeds,
        parked=parked,
    )
    await tx.run("write/count", id=crawl_id, counters=_counters(report))
    return report


async def write_hosts(
    tx: Transaction, rows: Sequence[Row], options: RecordOptions, now_ms: int | None
) -> dict[str, float]:
    """Write `settle.host_rows` and refresh those hosts' best priorities.

    Returns:
        Hosts to leave alone, with seconds.
    """
    if not rows:
        return {}
    parked = await tx.run(
        "write/hosts",
        hosts=rows,
        parkFailures=options.park_failures,
        parkFirstS=options.park_first_s,
        parkLongestS=options.park_longest_s,
        nowMs=now_ms,
    )
    await tx.run("frontier/best_priority", names=[row["name"] for row in rows])
    return {row["name"]: row["parkS"] for row in parked}


async def _settle(
    tx: Transaction, outcomes: Sequence[Outcome], options: RecordOptions, now_ms: int | None
) -> tuple[dict[_Lease, Row], dict[_Lease, bool]]:
    """Write the claimed pages; return those settled, and whether the put off ones wait again."""
    rows = {_lease(outcome): settle(outcome, options.retry_s) for outcome in outcomes}
    final = [row for row in rows.values() if not row["putOffs"] and not row["tries"]]
    later = [row for row in rows.values() if row["putOffs"] or row["tries"]]
    spend, share = options.facts and not options.ranked, options.grant_share
    if final:
        done = await tx.run("write/pages", pages=final, spend=spend, grantShare=share)
        pages = done[0]["pages"]
    else:
        pages = []
    put_off = later and await tx.run(
        "write/put_off",
        pages=later,
        maxTries=options.max_tries,
        maxPutOffs=options.max_put_offs,
        feedHintPoints=options.feed_hint_points,
        nowMs=now_ms,
    )
    return (
        {(row["url"], row["token"]): row for row in pages},
        {(row["url"], row["token"]): row["again"] for row in put_off},
    )


async def _link(
    tx: Transaction,
    settled: Sequence[Outcome],
    pages: dict[_Lease, Row],
    options: RecordOptions,
    *,
    gate: Row,
    now_ms: int | None,
    score: Score | None,
) -> tuple[list[Row], Row]:
    """Write targets and axons; return the targets with new axons, and what there is to say."""
    again = [
        {"source": outcome.claim.url, "target": link.url} | axon(link)
        for outcome in settled
        if pages[_lease(outcome)]["known"] and isinstance(outcome.fetch, Fetched)
        for link in links_of(outcome, options.max_redirects)[0]
    ]
    known = again and await tx.run("write/axons_again", axons=again)
    by_url = {url: page for (url, _), page in pages.items()}
    rows = targets(
        settled,
        by_url,
        newborn=options.newborn,
        max_redirects=options.max_redirects,
        known={(row["source"], row["target"]) for row in known},
    )
    if not rows:
        return [], {"born": [], "pruned": [], "hosts": [], "feeds": [], "aliases": []}
    if options.facts:
        add_facts(rows, settled, by_url, options)
        if score:
            score_rows(rows, score, gate["discovered"])
    sources = [outcome.claim.url for outcome in settled]
    await before_links(tx, gate["damping"], rows, sources)
    linked = await tx.run(
        "write/links",
        sources=sources,
        targets=rows,
        bornAt=gate["distributions"],
        discovered=gate["discovered"],
        facts=options.facts,
        ranked=options.ranked,
        feedHintPoints=options.feed_hint_points,
        nowMs=now_ms,
    )
    pruned = set(linked[0]["pruned"])
    rows = [row for row in rows if row["url"] not in pruned]
    await tx.run("write/strengths", sources=weights_of(rows, sources))
    await after_links(tx, gate["damping"], rows, sources)
    return rows, linked[0]


async def _fold(
    tx: Transaction,
    settled: Sequence[Outcome],
    pages: dict[_Lease, Row],
    aliases: Sequence[str],
    options: RecordOptions,
) -> tuple[list[str], list[Row]]:
    """Gather on representatives; return hosts whose pages wake, and what thus leads to feeds."""
    store = GraphStore(tx, options.feed_hint_points)
    by_url = {url: page for (url, _), page in pages.items()}
    pointing = [
        row
        for row in pointers(settled, options.max_redirects)
        if row["redirect"] or row["canonical"] or by_url[row["url"]]["points"]
    ]
    if pointing:
        await tx.run("fold/point", pointers=pointing)
    named = {url for url, page in by_url.items() if page["named"]}
    judged = {row["url"] for row in pointing} | (await claiming(store, named) if named else set())
    touched = {*aliases, *(url for url, page in by_url.items() if page["alias"])}
    hosts = await fold(store, judged, touched) if judged or touched else []
    leading: list[Row] = []
    if redirects := {row["url"]: row["redirect"] for row in pointing if row["redirect"]}:
        found = await store.facts(redirects.values())
        leading = [
            {"url": url, "feedUrl": found[target].feed_url}
            for url, target in redirects.items()
            if target in found and found[target].feed_url and not found[target].pruned
        ]
    return hosts, leading


def redirect_waits(settled: Sequence[Outcome], max_redirects: int) -> list[Row]:
    """Return the targets that are to wait: url and waitS, as the redirecting server asked."""
    return [
        {"url": link.url, "waitS": min(outcome.fetch.retry_after_s, LONGEST_WISH_S)}
        for outcome in settled
        if isinstance(outcome.fetch, Redirected) and outcome.fetch.retry_after_s
        for link in links_of(outcome, max_redirects)[0]
    ]


async def _recognise(
    tx: Transaction, settled: Sequence[Outcome], moved: Sequence[Row]
) -> tuple[tuple[FoundFeed, ...], list[Row]]:
    """Write which pages lead to feeds; return the new feeds, and each page with its feed."""
    holders: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in settled:
        if isinstance(outcome.fetch, Fetched) and outcome.page and outcome.page.feed:
            holders[outcome.page.digest or outcome.claim.url].append(outcome)
    rows = [
        {"digest": digest, "form": page.feed.form, "jobs": page.feed.jobs}
        | {"urls": [outcome.claim.url for outcome in same]}
        for digest, same in holders.items()
        if (page := same[0].page) and page.feed
    ]
    feeds = rows and await tx.run("write/feeds", feeds=rows)
    if lapsed := [outcome.claim.url for outcome in settled if is_no_feed(outcome)]:
        await tx.run("write/no_feed", urls=lapsed, error=NO_FEED)
    leading = [*feeds, *moved]
    aliases = leading and await tx.run(
        "write/feed_aliases",
        feeds=[{"url": row["url"], "feedUrl": row["feedUrl"]} for row in leading],
    )
    new = {row["url"] for row in feeds if row["new"]}
    found = tuple(
        FoundFeed(outcome.claim.url, outcome.page.feed.form, outcome.page.feed.jobs)
        for same in holders.values()
        for outcome in same
        if outcome.claim.url in new and outcome.page and outcome.page.feed
    )
    return found, aliases


async def _pay(
    tx: Transaction,
    settled: Sequence[Outcome],
    options: RecordOptions,
    *,
    rows: Sequence[Row],
    leading: Sequence[Row],
    aliases: Sequence[Row],
) -> dict[str, float]:
    """Pay for links to feeds, those seen now and before; return the points by page."""
    due: dict[str, Row] = {}
    for alias in aliases:
        feed = due.setdefault(alias["feedUrl"], {"aliases": [], "sources": []})
        feed["aliases"].append(alias["url"])
    feed_urls = {target["url"]: target["feedUrl"] for target in leading}
    for row in rows:
        if feed_url := feed_urls.get(row["url"]):
            feed = due.setdefault(feed_url, {"aliases": [], "sources": []})
            feed["sources"] += [settled[made["source"]].claim.url for made in row["axons"]]
    if not due:
        return {}
    paid = await tx.run(
        "write/pay_feeds",
        feeds=[{"url": url} | feed for url, feed in due.items()],
        feedNew=options.feed_new,
        feedKnown=options.feed_known,
        grantShare=options.grant_share,
        grantNew=grant_text(options.feed_new, "feed-new", ""),
        grantKnown=grant_text(options.feed_known, "feed-known", ""),
    )
    if earned := {row["url"] for row in paid if row["alias"]}:
        await fold(GraphStore(tx, options.feed_hint_points), (), earned)
    points: dict[str, float] = defaultdict(float)
    for row in paid:
        points[row["url"]] += row["points"]
    return points


async def _keep_texts(tx: Transaction, settled: Sequence[Outcome]) -> None:
    texts = [
        {
            "url": outcome.claim.url,
            "title": outcome.page.title,
            "text": outcome.page.text,
            "visible": outcome.page.visible,
        }
        for outcome in settled
        if isinstance(outcome.fetch, Fetched) and outcome.page and outcome.page.text is not None
    ]
    if texts:
        await tx.run("write/texts", texts=texts)
    unwanted = [
        outcome.claim.url
        for outcome in settled
        if isinstance(outcome.fetch, Fetched) and outcome.page and outcome.page.text_refused
    ]
    if unwanted:
        await tx.run("write/drop_texts", urls=unwanted)


def _lease(outcome: Outcome) -> _Lease:
    return outcome.claim.url, outcome.claim.token


def _names(
    outcomes: Sequence[Outcome], updates: Sequence[HostUpdate], options: RecordOptions
) -> list[str]:
    """Return every host of which a page may change, sorted."""
    names = {outcome.claim.host for outcome in outcomes} | {update.name for update in updates}
    for outcome in outcomes:
        names.update(link.host for link in links_of(outcome, options.max_redirects)[0])
    return sorted(names)


def _counters(report: RecordReport) -> dict[str, float]:
    names = ("fetched", "redirected", "failed", "excluded", "neurons", "axons")
    points = ("granted", "paid", "minted")
    counters = {name: getattr(report, name) for name in names + points}
    return counters | {"putOff": report.put_off, "feeds": len(report.feeds)}
