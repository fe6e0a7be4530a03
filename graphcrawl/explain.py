"""Why a page is where it is: its way from a seed, its reward, its score, and what would change it.

Nothing is written and nothing fetched. Parts sum to their whole: grants, what aliases handed over
and what flowed make the reward; what stays and what the neighbours pass on make the reward after
the next distribution; the pieces of evidence make the score.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from graphcrawl.ancestry import Step, path_to
from graphcrawl.config import Settings
from graphcrawl.errors import UsageError
from graphcrawl.facts import candidate
from graphcrawl.forgotten import is_forgotten, name_key, url_key
from graphcrawl.graph import Graph, Row
from graphcrawl.hosts import HostState, listed
from graphcrawl.judging import Score, judging_in, score_of
from graphcrawl.look import snake
from graphcrawl.models import Grant
from graphcrawl.remedies import Remedy, remedies_of, remedies_of_unknown
from graphcrawl.seeds import with_scheme
from graphcrawl.states import State
from graphcrawl.urls import canonical, host_key

NEIGHBOURS = 10  # that are named


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A page that passes reward on to the explained one."""

    url: str
    title: str | None
    direction: str  # in: it links here; out: it is linked from here; both
    anchor: str | None  # of its link
    reward: float
    weight: float  # of the axons between the two
    points: float  # that it passes on in the next distribution
    share: float  # of what all neighbours pass on


@dataclass(frozen=True, slots=True)
class Flow:
    """One distribution, were it done now: `kept` and `received` make `after`."""

    mode: str  # neural or steady
    kept: float  # own reward that is not forgotten; steady: own share of what was granted
    received: float  # from all neighbours
    after: float
    neighbours: int
    named: tuple[Neighbour, ...]  # those that give most
    others: float  # points from all others


@dataclass(frozen=True, slots=True)
class Reward:
    """What a page is worth by propagation: `granted`, `handed_over` and `flowed` make `now`."""

    now: float
    granted: float  # sum of its grants
    grants: tuple[Grant, ...]
    handed_over: float  # by aliases that it stands for; of an alias less than 0: what it gave
    aliases: int
    alias_urls: tuple[str, ...]  # some of them
    flowed: float  # born with and passed on by neighbours, less what was forgotten
    flow: Flow


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page waits."""

    host_state: HostState | None
    ahead: int  # waiting pages of its host with a higher priority
    hosts_ahead: int  # other hosts whose best page has a higher one
    next_fetch_at: datetime | None  # when its host may be asked again
    delay_s: float | None
    ready_at: datetime | None  # of one that was put off: when it may be claimed


@dataclass(frozen=True, slots=True)
class Explanation:
    """All that can be said of one URL."""

    url: str  # canonical
    host: str
    known: bool  # the graph has it
    state: State | None
    alias_of: str | None  # the page that stands for it
    reason: str | None  # why it failed or was left out, in one word
    error: str | None  # the same in a sentence
    title: str | None
    depth: int | None
    status: int | None
    seed: bool
    feed: bool
    discovered_at: datetime | None
    fetched_at: datetime | None
    pruned_at: datetime | None
    pruned_below: float | None
    path: tuple[Step, ...]
    reward: Reward | None  # none on a tombstone
    score: Score | None  # why it comes when it comes; none where another page stands for it
    place: Place | None  # of one that waits
    remedies: tuple[Remedy, ...]  # what would change it
    similar: tuple[str, ...] = ()  # of an unknown URL: known ones that begin alike
    warnings: tuple[str, ...] = ()  # about what was learned and cannot be used


def read_url(text: str) -> str:
    """Return the canonical form of a URL as somebody typed it.

    Raises:
        UsageError: It is none.
    """
    url = canonical(with_scheme(text.strip()))
    if url is None:
        raise UsageError(f"{text!r} is not a URL.", "See what is wrong: graphcrawl check url URL")
    return url


async def explain(
    graph: Graph,
    url: str,
    settings: Settings,
    *,
    neighbours: int = NEIGHBOURS,
    now: datetime | None = None,
) -> Explanation:
    """Say all that is known of a page, and why.

    Args:
        graph: An open graph.
        url: Canonical.
        settings: How reward flows, and how a crawl would go on.
        neighbours: How many are named; the others are summed up.
        now: For tests; the server's time otherwise.
    """
    rows = await graph.run("explain/page", url=url)
    if not rows:
        return await _unknown(graph, url, settings)
    row = rows[0]
    page = snake([row["properties"]])[0]
    labels = frozenset(row["labels"])
    is_seed = "Seed" in labels
    about = {"url": url, "depth": page.get("depth"), "title": page.get("title"), "seed": is_seed}
    reward: Reward | None = None
    score: Score | None = None
    warnings: tuple[str, ...] = ()
    if "Pruned" not in labels:
        flow = await _flow(graph, page, row, settings, neighbours)
        reward = _reward(page, row["aliases"], flow)
        if "Alias" not in labels:
            judging = await judging_in(graph, settings)
            facts = candidate(url, page["host"], page.get("depth") or 0, row["properties"])
            score, warnings = score_of(judging, facts, page.get("priority")), judging.warnings
    place = await _place(graph, page, labels, now) if {"Frontier", "Leased"} & labels else None
    return Explanation(
        url=url,
        host=page["host"],
        known=True,
        state=state_of(labels),
        alias_of=page.get("alias_of"),
        reason=page.get("reason"),
        error=page.get("error"),
        title=page.get("title"),
        depth=page.get("depth"),
        status=page.get("status"),
        seed=is_seed,
        feed="JobFeed" in labels,
        discovered_at=page.get("discovered_at"),
        fetched_at=page.get("fetched_at"),
        pruned_at=page.get("pruned_at"),
        pruned_below=page.get("pruned_below"),
        path=await path_to(graph, about),
        reward=reward,
        score=score,
        place=place,
        remedies=remedies_of(page, labels, place.host_state if place else None, settings),
        warnings=warnings,
    )


def state_of(labels: frozenset[str]) -> State | None:
    """Return what a neuron is to the crawl, in one word."""
    order = (
        State.PRUNED,
        State.LEASED,
        State.FRONTIER,
        State.FETCHED,
        State.FAILED,
        State.EXCLUDED,
    )
    return next((state for state in order if state.capitalize() in labels), None)


def read_grants(texts: Sequence[str]) -> tuple[Grant, ...]:
    """Read grants as the graph keeps them, `10 taleo links`, the greatest first."""
    grants = []
    for text in texts:
        points, _, rest = text.partition(" ")
        rule, _, place = rest.partition(" ")
        grants.append(Grant(rule, float(points), place))
    return tuple(sorted(grants, key=lambda g: -g.points))


async def _unknown(graph: Graph, url: str, settings: Settings) -> Explanation:
    host = host_key(url)
    keys = await graph.run("write/forgotten", keys=[url_key(url), name_key(host)])
    forgotten = is_forgotten(url, host, {row["key"] for row in keys})
    folder = url[: url.rindex("/") + 1]
    similar = () if forgotten else await graph.run("explain/near", prefix=folder)
    return Explanation(
        url=url, host=host, known=False, state=None, alias_of=None,
        reason="forgotten" if forgotten else None,
        error="it was forgotten on request" if forgotten else None,
        title=None, depth=None, status=None, seed=False, feed=False,
        discovered_at=None, fetched_at=None, pruned_at=None, pruned_below=None,
        path=(), reward=None, score=None, place=None,
        remedies=remedies_of_unknown(url, host, settings, forgotten=forgotten),
        similar=tuple(row["url"] for row in similar),
    )  # fmt: skip


async def _flow(graph: Graph, page: Row, about: Row, settings: Settings, limit: int) -> Flow:
    """Foretell one distribution, see `rewards`; in steady mode one round of it.

    A page passes on d of its reward and keeps 1 - f of it. In steady mode it passes on δ and keeps
    1 - δ of what it and its aliases were granted: at rest, that is all there is.
    """
    row = (await graph.run("explain/flow", url=page["url"], limit=limit))[0]
    mode = about["rewardMode"] or "neural"
    if mode == "steady":
        passed_on = settings.reward.damping
        granted = 0.0 if page.get("alias_of") else page.get("base_reward") or 0.0
        kept = (1 - passed_on) * (granted + about["aliases"]["granted"])
    else:
        passed_on = settings.reward.distribute
        kept = (1 - settings.reward.forget) * (page.get("reward") or 0.0)
    received = passed_on * row["points"]
    named = tuple(
        Neighbour(
            n["url"], n["title"], n["direction"], n["anchor"], n["reward"], n["weight"],
            points=passed_on * n["points"],
            share=n["points"] / row["points"] if row["points"] else 0.0,
        )
        for n in row["top"]
    )  # fmt: skip
    return Flow(
        mode=mode,
        kept=kept,
        received=received,
        after=kept + received,
        neighbours=row["neighbours"],
        named=named,
        others=received - sum(n.points for n in named),
    )


def _reward(page: Row, aliases: Row, flow: Flow) -> Reward:
    now, granted = page.get("reward") or 0.0, page.get("base_reward") or 0.0
    handed_over = aliases["points"] - (page.get("handed_over") or 0.0)
    return Reward(
        now=now,
        granted=granted,
        grants=read_grants(page.get("grants") or ()),
        handed_over=handed_over,
        aliases=aliases["count"],
        alias_urls=tuple(aliases["urls"]),
        flowed=now - granted - handed_over,
        flow=flow,
    )


async def _place(graph: Graph, page: Row, labels: frozenset[str], now: datetime | None) -> Place:
    found = [row async for row in listed(graph, host=page["host"], now=now)]
    host = found[0] if found else None
    ahead = hosts_ahead = 0
    if "Frontier" in labels and page.get("priority") is not None:
        queue = (await graph.run("explain/queue", host=page["host"], priority=page["priority"]))[0]
        ahead, hosts_ahead = queue["ahead"], queue["hostsAhead"]
    return Place(
        host_state=host.state if host else None,
        ahead=ahead,
        hosts_ahead=hosts_ahead,
        next_fetch_at=host.next_fetch_at if host else None,
        delay_s=host.delay_s if host else None,
        ready_at=page.get("ready_at"),
    )
