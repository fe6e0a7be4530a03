"""What record keeps of pages so that they can be ordered: their facts, as `Candidate` names them.

Kept where the graph's order asks for more than reward. The names of the properties are those of
`scoring.candidate` in camel case; `cash` is what OPIC hands on (Abiteboul, Preda, Cobena, "Adaptive
on-line page importance computation", 2003), or the page's PageRank where that is the order.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphcrawl.graph import Row
from graphcrawl.models import Fetched, Outcome, Redirected
from graphcrawl.recorded import RecordOptions
from graphcrawl.scoring.candidate import Candidate
from graphcrawl.scoring.evidence import lineage_cue
from graphcrawl.scoring.worth import worth_of
from graphcrawl.settle import links_of

MAX_CUES = 24  # of a page: those that were met first
DAMPING = 0.85  # of PageRank: what a newborn is likely to have of its source's rank

Score = Callable[[Sequence[Candidate]], Sequence[float | None]]
"""Scores of candidates; None where it is not needed, since the page is known."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A waiting page, and what it was held for so far."""

    candidate: Candidate
    score: float | None  # None: no order has scored it yet


Rescored = Callable[[], Sequence[Scored]]
"""Pages that are known, with other scores than those that they wait by."""


def worth_of_outcome(outcome: Outcome) -> float:
    """Return what a fetched page turned out to be worth, 0 to 1."""
    page = outcome.page
    is_content = isinstance(outcome.fetch, Fetched) and page is not None and not page.unsupported
    return worth_of(page) if is_content else 0.0


def candidate(url: str, host: str, depth: int, facts: Mapping[str, Any]) -> Candidate:
    """Return a candidate from properties of a neuron, or from a row that becomes one."""
    get = facts.get
    return Candidate(
        url,
        host,
        depth,
        get("number") or 0,
        get("inLinks") or 0,
        get("parentBest") or 0.0,
        get("parentSum") or 0.0,
        get("parentCount") or 0,
        get("reward") or 0.0,
        get("strength") or 0.0,
        get("cash") or 0.0,
        get("feedHint") or 0.0,
        get("topicHint") or 0.0,
        tuple(get("cues") or ()),
    )


def add_facts(
    rows: Sequence[Row],
    settled: Sequence[Outcome],
    pages: Mapping[str, Row],
    options: RecordOptions,
) -> None:
    """Add to targets what the pages that link to them say of them.

    The target of a redirect takes over what was known of the page that redirects.

    Args:
        rows: From `settle.targets`, with their new axons; changed in place.
        settled: The outcomes that link to them.
        pages: The `cash` that their pages had, by URL.
        options: Say which facts are kept.
    """
    by_url = {row["url"]: row for row in rows}
    worths = [worth_of_outcome(outcome) for outcome in settled]
    for row in rows:
        row |= {"parentBest": 0.0, "parentSum": 0.0, "parentCount": 0}
        row |= {"cash": 0.0, "topicHint": 0.0, "cues": []}
        for made in row["axons"]:
            worth = worths[made["source"]]
            row["parentBest"] = max(row["parentBest"], worth)
            row["parentSum"] += worth
            row["parentCount"] += 1
    for outcome in settled:
        links = links_of(outcome, options.max_redirects)[0]
        lineage = [lineage_cue(outcome.claim.url)] if options.cues else []
        cash = pages[outcome.claim.url].get("cash") or 0.0
        share = cash * (DAMPING if options.ranked else 1.0) / (len(links) or 1)
        known = outcome.claim.facts
        for link in (link for link in links if link.url in by_url):
            row = by_url[link.url]
            row["cash"] += share
            row["topicHint"] = max(row["topicHint"], link.topic_hint)
            if not isinstance(outcome.fetch, Redirected):
                row["cues"] = union(row["cues"], (*lineage, *link.cues)) if options.cues else []
            elif known:
                row["parentBest"] = max(row["parentBest"], known.parent_best)
                row["parentSum"] += known.parent_sum
                row["parentCount"] += known.parent_count
                row["topicHint"] = max(row["topicHint"], known.topic_hint)
                row["cues"] = union(row["cues"], known.cues)


def score_rows(rows: Sequence[Row], score: Score, discovered: int) -> None:
    """Add to targets the scores that they wait by if they are new.

    Args:
        rows: With their facts; changed in place.
        score: Of candidates.
        discovered: Pages discovered before these.
    """
    scores = score(
        [
            candidate(
                row["url"],
                row["host"],
                row["depth"],
                row
                | {"strength": row["weight"], "inLinks": len(row["axons"])}
                | {"number": discovered + row["number"]},
            )
            for row in rows
        ]
    )
    for row, value in zip(rows, scores, strict=True):
        row["score"] = value


def union(cues: Sequence[int], more: Sequence[int]) -> list[int]:
    """Return cues and more of them, each once, not too many."""
    return list(dict.fromkeys((*cues, *more)))[:MAX_CUES]
