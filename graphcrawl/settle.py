"""What becomes of a claimed page, its links and its host: rows for Neo4j and its memory twin."""

from collections.abc import Collection, Iterable, Sequence

from graphcrawl.graph import Row
from graphcrawl.models import (
    Claim,
    Fetched,
    HostUpdate,
    Link,
    NotFetched,
    Outcome,
    Page,
    Reason,
    Redirected,
)
from graphcrawl.scoring.worth import worth_of
from graphcrawl.urls import host_key, neuron_id

_EXCLUDED = {
    Reason.ROBOTS,
    Reason.ADDRESS,
    Reason.CONTACT,
    Reason.SCOPE,
    Reason.FILTER,
    Reason.DEPTH,
    Reason.TRAP,
    Reason.TYPE,
    Reason.TOO_LONG,
    Reason.REDIRECT,
    Reason.FORGOTTEN,
    Reason.HOST_LIMIT,
}
# The host's fault or wish: the page waits, and it does not count as a try.
_POSTPONED = {Reason.ROBOTS_UNREACHABLE, Reason.TOO_MANY_REQUESTS, Reason.BLOCKED}
# How long a failure of a kind takes to pass, as multiples of the shortest wait.
_PATIENCE = {
    Reason.READ: 1,
    Reason.TRUNCATED: 1,
    Reason.HTTP_CLIENT: 2,
    Reason.HTTP_SERVER: 2,
    Reason.CONNECT: 2,
    Reason.TIMEOUT: 2,
    Reason.DNS: 4,
    Reason.TLS: 4,
}
LONGEST_RETRY_S = 3600.0
LONGEST_WISH_S = 86_400.0  # of a server, as to how long to wait

NO_FEED = "feed: what came this time is no job feed; its jobs are kept"  # on one that was one


def retry_wait_s(reason: Reason, tries: int, retry_s: float) -> float:
    """Return how long a page waits after a failure: by its kind, doubled with each further try.

    Args:
        reason: The kind of failure.
        tries: Requests before this one.
        retry_s: The wait after the kind that passes soonest: a connection that broke.
    """
    return min(retry_s * _PATIENCE.get(reason, 1) * 2.0 ** min(tries, 20), LONGEST_RETRY_S)


def settle(outcome: Outcome, retry_s: float = 0.0) -> Row:
    """Return what the claimed page itself becomes.

    Args:
        outcome: Of a claimed page.
        retry_s: See `retry_wait_s`.

    Returns:
        `label` is Fetched, Failed or Excluded, or "" where the page may wait again; `tries` and
        `putOffs` are what to add then, and `waitS` how long this page alone has to wait.
        `properties` are the page's; `remark` takes their place on a page whose content is known
        from an earlier visit. `grants` are [rule, points, text].
    """
    fetch, page, claim = outcome.fetch, outcome.page or Page(), outcome.claim
    row: Row = {"url": claim.url, "token": claim.token, "tries": 0, "putOffs": 0, "grants": []}
    row["needsScript"] = page.needs_script
    match fetch:
        case Fetched() if page.unsupported:
            return row | _given_up(claim, fetch, Reason.TYPE, f"content: {fetch.content_type}")
        case Fetched():
            properties = {
                "status": fetch.status,
                "fetchedAt": fetch.fetched_at,
                "contentType": fetch.content_type or None,
                "bytes": fetch.body_bytes or len(fetch.body),
                "title": page.title or None,
                "language": page.language or None,
                "etag": fetch.etag or None,
                "lastModified": fetch.last_modified or None,
                "digest": page.digest or None,
                "types": list(page.types) or None,
                "wishes": list(page.wishes) or None,
                "reserved": page.reserved or None,
                "unavailableAfter": None if page.text_refused else page.unavailable_after,
                "outLinks": len(page.links) + sum(page.refused.values()),
                "worth": worth_of(page),
                "tries": claim.tries + 1,
                "reason": None,
                "error": None,
            }
            grants = [
                [g.rule, g.points, grant_text(g.points, g.rule, g.place)] for g in page.grants
            ]
            return row | {"label": "Fetched", "properties": properties, "grants": grants}
        case Redirected():
            if fetch.target == claim.url:
                reason, detail = Reason.REDIRECT_LOOP, "redirects to itself"
            elif not fetch.target:
                reason, detail = Reason.PROTOCOL, f"redirects to {fetch.raw[:200]!r}"
            else:
                reason, detail = Reason.REDIRECT, f"redirects to {fetch.target}"
            return row | _given_up(claim, fetch, reason, detail)
        case NotFetched():
            row |= _given_up(claim, fetch, fetch.reason, fetch.detail)
            if fetch.reason in _POSTPONED or (fetch.retry and fetch.retry_after_s is not None):
                row |= {"label": "", "putOffs": 1, "waitS": fetch.page_wait_s}
            elif fetch.retry:
                wait_s = retry_wait_s(fetch.reason, claim.tries, retry_s)
                row |= {"label": "", "tries": 1, "waitS": wait_s}
            return row


def is_no_feed(outcome: Outcome) -> bool:
    """Tell whether a page that was visited again is no job feed now, if it was one before."""
    page = outcome.page
    if page is None or not isinstance(outcome.fetch, Fetched) or not outcome.claim.tries:
        return False
    return page.feed is None and not (page.reading and page.reading.of_feed)


def grant_text(points: float, rule: str, place: str) -> str:
    """Return a grant as the graph keeps it: `10 taleo links`."""
    return f"{int(points) if float(points).is_integer() else points} {rule} {place}"


def _given_up(
    claim: Claim, fetch: Fetched | Redirected | NotFetched, reason: Reason, detail: str
) -> Row:
    asked = not isinstance(fetch, NotFetched) or fetch.requested
    remark = {"error": f"{reason}: {detail}"}
    properties: Row = remark | {"reason": str(reason)}
    if fetch.status is not None:
        properties["status"] = fetch.status
    if asked:
        properties["fetchedAt"] = fetch.fetched_at
    if not isinstance(fetch, NotFetched) or not fetch.retry:
        properties["tries"] = claim.tries + asked
    label = "Excluded" if reason in _EXCLUDED else "Failed"
    return {"label": label, "properties": properties, "remark": remark}


def links_of(outcome: Outcome, max_redirects: int) -> tuple[Sequence[Link], dict[str, Reason]]:
    """Return the links that become axons, and which of their targets shall not wait, and why."""
    page = outcome.page or Page()
    verdicts = dict(page.excluded)
    match outcome.fetch:
        case Fetched() if not page.unsupported:
            return [link for link in page.links if link.url != outcome.claim.url], verdicts
        case Redirected(target=target) if target and target != outcome.claim.url:
            if outcome.claim.redirects >= max_redirects:
                verdicts.setdefault(target, Reason.REDIRECT_LOOP)
            raw = outcome.fetch.raw if outcome.fetch.raw != target else ""
            return [Link(target, host_key(target), rel="redirect", raw=raw)], verdicts
    return [], {}


def targets(
    accepted: Sequence[Outcome],
    pages: dict[str, Row],
    *,
    newborn: float,
    max_redirects: int,
    known: Collection[tuple[str, str]] = (),
) -> list[Row]:
    """Return the pages that accepted outcomes link to, each once, with its new axons.

    A newborn's reward is minted by the first page that links to it: the newborn share of that
    page's reward after its own evaluation, split by the weights of its links. A redirect mints
    nothing and makes no axon. Source: [000.newborn]

    Args:
        accepted: The outcomes whose pages were settled.
        pages: `reward`, `depth`, `redirects` and `feedHint` of their pages, by URL.
        newborn: Share of a page's reward that is minted for its links.
        max_redirects: So many in a row are followed.
        known: (source, target) of axons that exist already.
    """
    rows: dict[str, Row] = {}
    for place, outcome in enumerate(accepted):
        source = pages[outcome.claim.url]
        links, verdicts = links_of(outcome, max_redirects)
        redirects = isinstance(outcome.fetch, Redirected)
        share = newborn * source["reward"] / (sum(link.weight for link in links) or 1.0)
        for link in links:
            further = not (redirects or (link.rel and "canonical" in link.rel.split()))
            row = rows.get(link.url)
            if row is None:
                row = rows[link.url] = {
                    "url": link.url,
                    "id": neuron_id(link.url),
                    "host": link.host,
                    "depth": source["depth"] + further,
                    "redirects": source["redirects"] + 1 if redirects else 0,
                    "reward": 0.0 if redirects else share * link.weight,
                    "worth": source["reward"] if redirects else share * link.weight,
                    "reason": verdicts.get(link.url),
                    "feedHint": 0.0,
                    "weight": 0.0,
                    "number": len(rows) + 1,
                    "score": None,
                    "axons": [],
                }
            elif link.url not in verdicts:
                row["reason"] = None
            row["depth"] = min(row["depth"], source["depth"] + further)
            hint = source["feedHint"] if redirects else link.feed_hint
            row["feedHint"] = max(row["feedHint"], hint)
            if not redirects and (outcome.claim.url, link.url) not in known:
                row["weight"] += link.weight
                row["axons"].append({"source": place} | axon(link))
    return list(rows.values())


def axon(link: Link) -> Row:
    """Return the properties of the axon that a link becomes, apart from its times."""
    row: Row = {"weight": link.weight, "links": link.links}
    if link.anchor:
        row["anchor"] = link.anchor
    if link.anchors:
        row["anchors"] = list(link.anchors)
    if link.rel:
        row["rel"] = link.rel
    if link.position:
        row["position"] = link.position
    if link.raw:
        row["raw"] = link.raw
    return row


def host_rows(
    waiting: Iterable[str], accepted: Sequence[Outcome], updates: Sequence[HostUpdate]
) -> list[Row]:
    """Return what to keep about hosts, each once, sorted by name.

    Args:
        waiting: Hosts whose pages came to wait.
        accepted: The outcomes whose pages were settled.
        updates: In the order of events; those of one host are folded into one row.
    """
    fresh = {outcome.claim.host for outcome in accepted}
    rows: dict[str, Row] = {name: {"name": name, "asked": False} for name in {*waiting, *fresh}}
    for update in updates:
        row = rows.setdefault(update.name, {"name": update.name, "asked": False})
        if not row["asked"]:
            row |= {"asked": True, "fresh": update.name in fresh, "token": None}
            row |= {"answered": False, "failures": 0, "pauseS": 0.0}
            row |= {"requests": 0, "trouble": None}
        row |= {"delayS": update.delay_s, "latencyS": update.latency_s}
        row |= {"refusals": update.refusals, "requests": row["requests"] + update.requests}
        if update.requested or update.trouble:
            row["trouble"] = update.trouble
        row["pauseS"] = max(row["pauseS"], update.pause_s)
        row["token"] = update.token if update.token is not None else row["token"]
        answered = update.requested and not update.failed
        row["answered"] = row["answered"] or answered
        row["failures"] = 0 if answered else row["failures"] + update.failed
    return [rows[name] for name in sorted(rows)]
