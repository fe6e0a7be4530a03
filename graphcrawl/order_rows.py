"""Waiting pages as the order sees them, read from the graph and scored in it."""

from collections.abc import Collection, Mapping

from graphcrawl.facts import Scored, candidate
from graphcrawl.graph import Graph, Row, Transaction

HEAD_HOSTS = 64  # of which the best pages are looked at


async def waiting(graph: Graph, urls: Collection[str], heads: int) -> list[Scored]:
    """Return what is known of waiting pages that were never visited; see `Frontier.waiting`."""
    named = await graph.run("order/facts", urls=list(urls)) if urls else []
    best: list[Row] = []
    if heads:
        names = [row["name"] for row in await graph.run("order/best_hosts", hosts=HEAD_HOSTS)]
        each = -(-heads // (len(names) or 1))
        best = await graph.run("order/heads", names=names, each=each)
    return list({row["url"]: scored(row) for row in [*named, *best]}.values())


def scored(row: Row) -> Scored:
    """Return a row of `order/facts`, `order/heads` or `order/waiting` as what it says."""
    return Scored(candidate(row["url"], row["host"], row["depth"], row["facts"]), row["score"])


async def write_scores(graph: Graph, scores: Mapping[str, float]) -> None:
    """Let pages wait by these scores; see `Frontier.rescore`."""
    if not scores:
        return
    rows = [{"url": url, "score": score} for url, score in sorted(scores.items())]

    async def work(tx: Transaction) -> None:
        found = await tx.run("order/hosts", urls=[row["url"] for row in rows])
        names = [row["name"] for row in found]
        await tx.run("frontier/lock_hosts", names=names)
        await tx.run("order/write", pages=rows)
        await tx.run("frontier/best_priority", names=names)

    await graph.transact(work)
