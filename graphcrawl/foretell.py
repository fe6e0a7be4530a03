"""What the order and its scorer say of one link, with nothing fetched and nothing written."""

from collections.abc import Sequence
from dataclasses import dataclass

from graphcrawl.config import QualitySettings, Settings
from graphcrawl.errors import UsageError
from graphcrawl.graph import Graph, Row
from graphcrawl.judging import Judging, Score, judging_in, score_of
from graphcrawl.model import read_model
from graphcrawl.parse.cues import MAX_CUES, cues_of
from graphcrawl.parse.hints import feed_hint
from graphcrawl.scoring.candidate import Candidate
from graphcrawl.scoring.features import names_of, relation_cue, url_tokens
from graphcrawl.scoring.quality import Prediction, Quality, QualityStats, Share
from graphcrawl.scoring.words import words_of
from graphcrawl.scoring.worth import points_worth
from graphcrawl.seeds import with_scheme
from graphcrawl.urls import canonical, host_key

_UNEARNED = frozenset({"seed", "feed-new", "feed-known"})  # grants that say nothing of the page


@dataclass(frozen=True, slots=True)
class Parent:
    """The page with the link."""

    url: str  # canonical
    known: bool = False  # it was fetched, so its worth is known
    worth: float = 0.0
    depth: int | None = None  # links from a seed


@dataclass(frozen=True, slots=True)
class Foretold:
    """One link, scored."""

    candidate: Candidate
    parent: Parent | None
    prediction: Prediction
    shares: tuple[Share, ...]  # of the prediction's log odds, the greatest first
    warnings: tuple[str, ...] = ()  # about what was learned and cannot be used
    score: Score | None = None  # by the order of the graph, were the page found now


@dataclass(frozen=True, slots=True)
class Learned:
    """What the quality scorer has learned in a graph."""

    stats: QualityStats
    prediction_standing: str  # trusted, or how far from it
    top: tuple[tuple[str, float], ...]  # feature, weight
    parts: tuple[Row, ...]
    warnings: tuple[str, ...]


async def foretell(
    url: str,
    settings: Settings,
    *,
    graph: Graph | None = None,
    anchors: Sequence[str] = (),
    around: str = "",
    parent_url: str = "",
) -> Foretold:
    """Score a link as if it had just been found.

    Args:
        url: Its target, as written; without a scheme it is taken for a host.
        settings: How order and scorer are set.
        graph: Where it has learned and the parent is known; None: nowhere.
        anchors: Texts of links to it.
        around: Text before and after the link.
        parent_url: The page with the link.

    Raises:
        UsageError: URL or parent is no URL of a page.
    """
    target = _page(url, "URL")
    parent = Parent(_page(parent_url, "parent")) if parent_url else None
    scorer = Quality.of(settings.quality)
    judging: Judging | None = None
    if graph is not None:
        judging = await judging_in(graph, settings)
        scorer = judging.quality
        if parent is not None:
            parent = await _known(graph, parent)
    candidate = _candidate(target, anchors, around, parent)
    names = names_of([*words_of(f"{' '.join(anchors)} {around}"), *url_tokens(target)])
    return Foretold(
        candidate,
        parent,
        scorer.predict(candidate),
        scorer.explain(candidate, names),
        judging.warnings if judging else (),
        score_of(judging, candidate, None) if judging else None,
    )


async def learned(graph: Graph, settings: QualitySettings, *, top: int = 20) -> Learned:
    """Return what the quality scorer has learned in a graph, by all its workers.

    Args:
        graph: An open connection to a prepared graph.
        settings: How the scorer is set.
        top: How many features to name.
    """
    scorer = Quality.of(settings)
    warnings = await read_model(graph, scorer)
    rows = await graph.run("model/read", scorer=scorer.kind)
    words: set[str] = set()
    if scorer.observations:
        for row in await graph.run("model/words"):
            words.update(words_of(row["anchor"] or ""), url_tokens(row["url"]))
    parts = tuple(
        {key: row[key] for key in ("part", "lessons", "version", "updatedAt")} for row in rows
    )
    standing = scorer.predict(Candidate("http://h.example/", "h.example")).standing
    best = scorer.top(top, names_of(sorted(words)))
    return Learned(scorer.stats(), standing, tuple(best), parts, warnings)


def _page(raw: str, what: str) -> str:
    url = canonical(with_scheme(raw.strip()))
    if url is None:
        raise UsageError(
            f"The {what} {raw!r} is no URL of a page.", "Write it as https://example.org/page"
        )
    return url


async def _known(graph: Graph, parent: Parent) -> Parent:
    rows = await graph.run("model/parent", url=parent.url)
    if not rows:
        return parent
    row = rows[0]
    worth = row["worth"]
    if worth is None:
        grants = [text.split(" ") for text in row["grants"]]
        earned = (float(points) for points, rule, _ in grants if rule not in _UNEARNED)
        worth = 1.0 if row["feed"] else points_worth(earned)
    return Parent(parent.url, row["fetched"], worth if row["fetched"] else 0.0, row["depth"])


def _candidate(url: str, anchors: Sequence[str], around: str, parent: Parent | None) -> Candidate:
    host = host_key(url)
    cues: dict[int, None] = {}
    for anchor in anchors or ("",):
        cues.update(dict.fromkeys(cues_of(anchor, around, "", "body")))
    if parent is not None:
        cues[relation_cue(parent.url, host_key(parent.url), url, host)] = None
    known = parent is not None and parent.known
    worth = parent.worth if parent is not None else 0.0
    return Candidate(
        url,
        host,
        depth=(parent.depth or 0) + 1 if parent is not None else 0,
        in_links=int(parent is not None),
        parent_best=worth,
        parent_sum=worth,
        parent_count=int(known),
        feed_hint=max((feed_hint(url, anchor) for anchor in anchors or ("",)), default=0.0),
        cues=tuple(cues)[:MAX_CUES],
    )
