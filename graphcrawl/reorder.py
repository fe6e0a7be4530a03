"""Lets the pages of a graph wait by another order than the last run's."""

import math
from collections.abc import Callable, Sequence

from graphcrawl.facts import Scored, candidate, union
from graphcrawl.graph import Graph, Row
from graphcrawl.order_rows import scored, write_scores
from graphcrawl.parse.cues import cues_of
from graphcrawl.scoring.candidate import Candidate
from graphcrawl.scoring.evidence import lineage_cue
from graphcrawl.scoring.orders import Order, OrderName

_AT_ONCE = 1000
MAX_LESSONS = 5_000  # pages fetched before an order began to learn
MOVED = 0.1  # share of itself by which a score must move to be written again


async def current_order(graph: Graph) -> str:
    """Return the order that the graph's pages wait by."""
    return str((await graph.run("order/current"))[0]["order"])


async def reorder(
    graph: Graph,
    order: OrderName,
    *,
    scores: Callable[[Sequence[Candidate]], Sequence[float]] | None,
    cues: bool,
    again: bool = False,
) -> int:
    """Let all pages of a graph wait by an order, where they do not yet.

    What an order goes by is kept while a crawl goes by it. Where a crawl did not, it is filled in
    from the axons, as far as they tell: parents and their worth, OPIC's first share, cues of
    anchors without the words around them.

    Args:
        graph: The graph that is going to be crawled.
        order: Its name.
        scores: The scores of candidates; None: they wait by their reward.
        cues: Whether the order looks at cues.
        again: Whether to score again what has a score of this order, given by an earlier run.

    Returns:
        How many pages got another priority.
    """
    is_new = await current_order(graph) != order
    pages = 0
    if scores is None:
        pages = (await graph.run("order/by_reward"))[0]["pages"] if is_new else 0
    else:
        if is_new:
            await graph.run("order/fill")
        batch: list[Row] = []
        async for row in graph.stream("order/waiting", all=is_new or again):
            batch.append(row)
            if len(batch) == _AT_ONCE:
                pages += await _score(graph, batch, scores, cues, is_new=is_new)
                batch = []
        pages += await _score(graph, batch, scores, cues, is_new=is_new)
    if is_new:
        await graph.run("frontier/refresh_hosts")
        await graph.run("order/note", order=order)
    return pages


async def learn_again(graph: Graph, order: Order) -> int:
    """Teach an order that has learned nothing what the pages turned out to be worth.

    They were fetched by an order that learns nothing. What was known of them when they were claimed
    is told by the axons: parents that were fetched before, anchors; their quality is not kept.

    Args:
        graph: The graph that is going to be crawled.
        order: It learns.

    Returns:
        How many pages taught it.
    """
    pages = 0
    async for row in graph.stream("order/lessons", pages=MAX_LESSONS):
        facts = row["facts"] | {"cues": _cues(row)}
        known = candidate(row["url"], row["host"], row["depth"] or 0, facts)
        order.learn(known, row["worth"], math.nan)
        pages += 1
    return pages


async def _score(
    graph: Graph,
    rows: Sequence[Row],
    scores: Callable[[Sequence[Candidate]], Sequence[float]],
    cues: bool,
    *,
    is_new: bool,
) -> int:
    if cues and (made := {row["url"]: _cues(row) for row in rows if row["anchors"]}):
        pages = [{"url": url, "cues": found} for url, found in made.items() if found]
        await graph.run("order/cues", pages=pages)
        rows = [
            row | {"facts": row["facts"] | {"cues": made.get(row["url"]) or row["facts"]["cues"]}}
            for row in rows
        ]
    found: list[Scored] = [scored(row) for row in rows]
    values = scores([one.candidate for one in found])
    moved = {
        one.candidate.url: value
        for one, value in zip(found, values, strict=True)
        if is_new or one.score is None or abs(value - one.score) > MOVED * abs(one.score)
    }
    await write_scores(graph, moved)
    return len(moved)


def _cues(row: Row) -> list[int]:
    cues: list[int] = []
    for link in row["anchors"]:
        made = cues_of(link["anchor"] or "", "", "", link["position"] or "")
        cues = union(cues, (lineage_cue(link["source"]), *made))
    return cues
