"""What an order says of a page and why, by all that its graph has taught it; writes nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphcrawl.config import Settings
from graphcrawl.facts import candidate
from graphcrawl.graph import Graph, Row
from graphcrawl.last_run import last_run
from graphcrawl.model import read_model
from graphcrawl.scoring.candidate import Candidate
from graphcrawl.scoring.composite import Composite
from graphcrawl.scoring.orders import Order, OrderName, order_of
from graphcrawl.scoring.quality import Quality

_NO_FORECAST = frozenset({"lot", "floor"})  # parts of a score that foretell no worth
_LEAST_CHANGE = 1e-9


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of evidence in a score."""

    name: str
    value: float
    weight: float
    part: float  # value times weight


@dataclass(frozen=True, slots=True)
class Change:
    """What the score would be if something else were known of the page."""

    what: str
    score: float
    difference: float  # to the score as it is


@dataclass(frozen=True, slots=True)
class Score:
    """Why a page comes when it comes: the parts of `pieces` make `now`."""

    order: str  # what the frontier is ordered by
    kept: float | None  # the priority that it waits by; scores are renewed in turn
    now: float  # its score by all that is known now; of a fetched page: as if it waited
    pieces: tuple[Piece, ...]
    lessons: int  # fetched pages that taught the order its weights
    quality: str | None  # whether the foretold quality is trusted: "not trusted yet, 3 of 5"
    changes: tuple[Change, ...]  # those that would matter most come first


@dataclass(frozen=True, slots=True)
class Judging:
    """The order of a graph, with all that it has learned there."""

    by: OrderName
    order: Order
    quality: Quality
    composite: Composite
    warnings: tuple[str, ...]  # about what was learned and cannot be used


async def judging_in(graph: Graph, settings: Settings) -> Judging:
    """Return the order that the pages of a graph wait by, as it would judge now.

    Args:
        graph: An open graph.
        settings: How quality is learned; also weights, keywords and lots of the order where no
            run has kept those that its pages wait by.
    """
    last = await last_run(graph)
    wish = last.order if last else settings.order
    words = last.words if last else wish.keywords
    current = (await graph.run("order/current"))[0]
    by: OrderName = current["order"]
    quality = Quality.of(settings.quality)
    warnings = list(await read_model(graph, quality))
    made = {
        name: order_of(
            name,
            weights=wish.weights,
            keywords=words,
            explore=wish.explore,
            seed=wish.seed,
            quality=quality,
        )
        for name in {by, "composite"}
    }
    composite = made["composite"]
    if not isinstance(composite, Composite):
        raise TypeError("the order composite is not the blend")
    composite.discovered(current["discovered"])
    warnings += await read_model(graph, composite)
    return Judging(by, made[by], quality, composite, tuple(warnings))


def score_of(judging: Judging, page: Candidate, kept: float | None) -> Score:
    """Take the score of a page apart, and say what would change it.

    Args:
        judging: The order.
        page: What is known of it.
        kept: The priority by which it waits, if it does.
    """
    pieces = tuple(Piece(*part) for part in judging.order.explain(page))
    now = sum(piece.part for piece in pieces)
    asks_quality = judging.by in ("composite", "quality")
    return Score(
        order=judging.by,
        kept=kept,
        now=now,
        pieces=pieces,
        lessons=judging.composite.observations if judging.by == "composite" else 0,
        quality=judging.quality.predict(page).standing if asks_quality else None,
        changes=_changes(judging.order, page, now),
    )


def worths(judging: Judging, rows: Sequence[Row]) -> list[float]:
    """Foretell worths, 0 to 1, of waiting pages: what the evidence says, lots left aside.

    Args:
        judging: What was learned.
        rows: url, host, depth and the facts of waiting pages.
    """
    found = []
    for row in rows:
        page = candidate(row["url"], row["host"], row["depth"] or 0, row)
        parts = judging.composite.explain(page)
        foretold = sum(part.part for part in parts if part.name not in _NO_FORECAST)
        found.append(min(max(foretold, 0.0), 1.0))
    return found


def _changes(order: Order, page: Candidate, now: float) -> tuple[Change, ...]:
    others = {
        "a link from a page of the greatest worth": replace(
            page,
            parent_best=1.0,
            parent_sum=page.parent_sum + 1.0,
            parent_count=page.parent_count + 1,
            in_links=page.in_links + 1,
        ),
        "a link from a page that is worth nothing": replace(
            page, parent_count=page.parent_count + 1, in_links=page.in_links + 1
        ),
        "twice the reward": replace(page, reward=2 * page.reward),
        "a link that surely looks like one to a job feed": replace(page, feed_hint=1.0),
        "a link whose words are those of the topic": replace(page, topic_hint=1.0),
        "one link less from a seed": replace(page, depth=max(page.depth - 1, 0)),
    }
    parts = [order.explain(other) for other in others.values()]
    scores = [sum(part.part for part in found) for found in parts]
    changes = (Change(what, score, score - now) for what, score in zip(others, scores, strict=True))
    telling = (change for change in changes if abs(change.difference) > _LEAST_CHANGE)
    return tuple(sorted(telling, key=lambda change: -abs(change.difference)))
