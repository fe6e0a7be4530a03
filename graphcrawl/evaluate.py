"""Judges fetched pages by rules once more, without fetching them [000.process].

Grants by rules are replaced, those for seeds and feeds stay; `baseReward` is the new sum, and
`reward` moves by the difference. Rules look into what the graph has kept: title, visible text (of
pages whose text was kept), types, and the axons for anchors and links. Where evidence is missing,
an earlier grant that rests on it stays and is counted; so the same rules change nothing.
"""

import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, field

from graphcrawl.graph import Graph, Row
from graphcrawl.models import Grant
from graphcrawl.rewards.mode import grant_share
from graphcrawl.scoring.reward import MAX_VISIBLE_CHARS, PLACES, Evidence, Rules, evaluate
from graphcrawl.settle import grant_text
from graphcrawl.uncancelled import uncancelled
from graphcrawl.where import Term

STRETCH_PAGES = 1000  # URLs in memory
BATCH_PAGES = 200  # judged and written at once
BATCH_BYTES = 8 * 2**20  # of bodies, which bound texts and links
SLOW_PAGES = 20  # on so many pages a rule may run out of time, then it is set aside
_EVERYWHERE = 0.95  # of all pages
_MAX_ANCHORS = 4  # further anchors that an axon keeps


@dataclass(frozen=True, slots=True)
class RuleTally:
    """What one rule came to."""

    rule: str
    points: float | None  # None: no such rule any more
    pages: int  # that earn it now
    gained: int  # of these: new
    lost: int  # that earned it before


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """What an evaluation did, or would do."""

    rules: str
    digest: str
    applied: bool
    pages: int  # judged
    earning: int  # of these: earn something by these rules
    changed: int  # earn something else than before
    without_text: int  # judged without their visible text
    kept_grants: int  # stay since they cannot be judged again
    skipped: int  # fetched again or pruned meanwhile
    base_moved: float  # sum of what baseReward has moved by
    reward_moved: float  # the same of reward, which does not fall below 0
    slow_rules: dict[str, int]  # rules that ran out of time → pages
    by_rule: tuple[RuleTally, ...]
    seconds: float

    @property
    def idle_rules(self) -> tuple[str, ...]:
        """Rules that no page earns."""
        return tuple(t.rule for t in self.by_rule if t.points is not None and not t.pages)

    @property
    def blunt_rules(self) -> tuple[str, ...]:
        """Rules that every page earns, or nearly: they tell no page from another.

        Feeds and sitemaps are among the pages, and have no title or text to earn by.
        """
        enough = max(2.0, _EVERYWHERE * self.pages)
        return tuple(t.rule for t in self.by_rule if t.points is not None and t.pages >= enough)


@dataclass(frozen=True, slots=True)
class OtherRules:
    """Rules that the graph was paid by, besides those that are to go on."""

    name: str
    running: bool  # pages are being fetched now


@dataclass(frozen=True, slots=True)
class _Verdict:
    """One page judged."""

    url: str
    fetched_ms: int
    before: tuple[Grant, ...]  # by rules
    after: tuple[Grant, ...]
    reward: float
    kept: int
    slow: tuple[str, ...]
    has_text: bool

    @property
    def changed(self) -> bool:
        return set(self.before) != set(self.after)

    @property
    def difference(self) -> float:
        return sum(g.points for g in self.after) - sum(g.points for g in self.before)


@dataclass(slots=True)
class _Tally:
    """Counters of an evaluation under way."""

    pages: int = 0
    earning: int = 0
    changed: int = 0
    without_text: int = 0
    kept: int = 0
    skipped: int = 0
    base: float = 0.0
    reward: float = 0.0
    waits: bool = False
    slow: Counter[str] = field(default_factory=Counter)
    earned: Counter[str] = field(default_factory=Counter)
    gained: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)

    def count(self, verdict: _Verdict) -> None:
        before = {grant.rule for grant in verdict.before}
        after = {grant.rule for grant in verdict.after}
        self.pages += 1
        self.earning += bool(after)
        self.changed += verdict.changed
        self.without_text += not verdict.has_text
        self.kept += verdict.kept
        self.earned.update(after)
        self.gained.update(after - before)
        self.lost.update(before - after)


async def reevaluate(
    graph: Graph,
    rules: Rules,
    terms: Sequence[Term] = (),
    *,
    apply: bool = True,
    damping: float = 0.50,
    on_progress: Callable[[int], None] = lambda _: None,
) -> EvaluationReport:
    """Judge fetched pages again; memory stays flat, and a crawl may run beside it.

    Cut short at any point, each page is judged by the old rules or by the new ones, and once more
    brings the rest.

    Args:
        graph: An open connection to a prepared graph.
        rules: What is paid for from now on.
        terms: Only pages that pass these; none means all.
        apply: Write it; else only say what would change.
        damping: In mode `steady`: share that flows on; the rest of a grant counts at once.
        on_progress: Called after each batch with the number of pages so far.

    Raises:
        Neo4jError: The server cannot be reached or refuses.
    """
    started = time.perf_counter()
    begun_ms = round(time.time() * 1000)
    tally = _Tally()
    share = await grant_share(graph, damping)
    async for urls in _batches(graph, terms):
        await _judge_batch(graph, rules, urls, tally, share, apply=apply)
        on_progress(tally.pages)
    if apply:
        if tally.waits:
            await graph.run("frontier/refresh_hosts")
        if not terms:
            await graph.run("evaluate/note", digest=rules.digest, rules=rules.name, nowMs=begun_ms)
    return EvaluationReport(
        rules=rules.name,
        digest=rules.digest,
        applied=apply,
        pages=tally.pages,
        earning=tally.earning,
        changed=tally.changed,
        without_text=tally.without_text,
        kept_grants=tally.kept,
        skipped=tally.skipped,
        base_moved=tally.base,
        reward_moved=tally.reward,
        slow_rules=dict(tally.slow.most_common()),
        by_rule=_by_rule(rules, tally),
        seconds=time.perf_counter() - started,
    )


async def other_rules(graph: Graph, rules: Rules) -> OtherRules | None:
    """Return by which other rules pages were paid since all were judged by one set of rules.

    Args:
        graph: An open connection to a prepared graph.
        rules: Those that are to go on.
    """
    row = (await graph.run("evaluate/others", digest=rules.digest))[0]
    if row["settings"] is not None:
        name = json.loads(row["settings"]).get("crawl", {}).get("rules", "")
        return OtherRules(name or "unnamed", row["running"])
    return OtherRules(row["evaluated"], row["running"]) if row["evaluated"] else None


async def _batches(graph: Graph, terms: Sequence[Term]) -> AsyncIterator[list[str]]:
    parameters = [term.as_parameter() for term in terms]
    after = ""
    while True:
        stretch = await graph.run(
            "evaluate/pages", after=after, terms=parameters, limit=STRETCH_PAGES
        )
        batch: list[str] = []
        size_bytes = 0
        for row in stretch:
            if batch and (len(batch) == BATCH_PAGES or size_bytes + row["bytes"] > BATCH_BYTES):
                yield batch
                batch, size_bytes = [], 0
            batch.append(row["url"])
            size_bytes += row["bytes"]
        if batch:
            yield batch
        if len(stretch) < STRETCH_PAGES:
            return
        after = stretch[-1]["url"]


async def _judge_batch(
    graph: Graph, rules: Rules, urls: Sequence[str], tally: _Tally, share: float, *, apply: bool
) -> None:
    """Judge pages and write what changed; those fetched again meanwhile are judged once more."""
    for _ in range(2):
        rows = await graph.run("evaluate/evidence", urls=urls)
        verdicts = await asyncio.to_thread(_judge, rows, rules, tally.slow)
        moved = [verdict for verdict in verdicts if verdict.changed]
        if apply and moved:
            written = await _write(graph, moved, share)
        else:
            written = _foreseen(moved, share)
        late = {verdict.url for verdict in moved} - written.keys()
        for verdict in verdicts:
            if verdict.url not in late:
                tally.count(verdict)
        tally.base += sum(row["base"] for row in written.values())
        tally.reward += sum(row["reward"] for row in written.values())
        tally.waits = tally.waits or any(row["waits"] for row in written.values())
        tally.skipped += len(urls) - len(rows)
        urls = sorted(late)
        if not urls:
            return
    tally.skipped += len(urls)


def _judge(rows: Iterable[Row], rules: Rules, slow: Counter[str]) -> list[_Verdict]:
    verdicts = []
    for row in rows:
        before = tuple(g for g in map(_grant, row["grants"]) if g.place in PLACES)
        found = evaluate(
            _evidence(row, before),
            rules,
            {grant.rule: grant.place for grant in before},
            {name for name, pages in slow.items() if pages >= SLOW_PAGES},
        )
        slow.update(found.slow_rules)
        verdicts.append(
            _Verdict(
                url=row["url"],
                fetched_ms=row["fetchedMs"],
                before=before,
                after=found.grants,
                reward=row["reward"],
                kept=len(found.kept),
                slow=found.slow_rules,
                has_text=row["visible"] is not None,
            )
        )
    return verdicts


def _evidence(row: Row, before: Iterable[Grant]) -> Evidence:
    """Return what is left to judge a page by, and which places may have held more.

    An axon whose other end was pruned is gone. Links of a page to itself are no axons: where links
    have earned something, its own URL counts as one of them.
    """
    partial = {"html"}
    if row["visible"] is None or len(row["visible"]) >= MAX_VISIBLE_CHARS:
        partial.add("text")
    if len(row["links"]) < (row["outLinks"] or 0):
        partial |= {"anchors", "links"}
    anchors: list[str] = []
    links = [row["url"]] if any(grant.place == "links" for grant in before) else []
    for target, raw, anchor, others in row["links"]:
        links += [target, raw] if raw else [target]
        anchors += [anchor] if anchor else []
        anchors += others or []
        if others and len(others) >= _MAX_ANCHORS:
            partial.add("anchors")
    return Evidence(
        title=row["title"],
        text=row["visible"] or "",
        anchors="\n".join(anchors),
        links="\n".join(links),
        types=" ".join(row["types"]),
        partial=frozenset(partial),
    )


def _grant(text: str) -> Grant:
    points, rule, place = text.split(" ")
    return Grant(rule, float(points), place)


async def _write(graph: Graph, verdicts: Sequence[_Verdict], share: float) -> dict[str, Row]:
    pages = [
        {"url": verdict.url, "fetchedMs": verdict.fetched_ms}
        | {"grants": [grant_text(g.points, g.rule, g.place) for g in verdict.after]}
        for verdict in verdicts
    ]
    rows = await uncancelled(
        graph.run("evaluate/regrant", pages=pages, places=list(PLACES), grantShare=share)
    )
    return {row["url"]: row for row in rows}


def _foreseen(verdicts: Sequence[_Verdict], share: float) -> dict[str, Row]:
    """Return what writing would say."""
    rows: dict[str, Row] = {}
    for verdict in verdicts:
        base, reward = verdict.difference, share * verdict.difference
        if verdict.reward >= 0:
            reward = max(reward, -verdict.reward)
        rows[verdict.url] = {"base": base, "reward": reward, "waits": False}
    return rows


def _by_rule(rules: Rules, tally: _Tally) -> tuple[RuleTally, ...]:
    points = {rule.name: rule.points for rule in rules.rules}
    names = [*points, *sorted(tally.lost.keys() - points.keys())]
    return tuple(
        RuleTally(n, points.get(n), tally.earned[n], tally.gained[n], tally.lost[n]) for n in names
    )
