"""What a run notes of itself in the graph: how it begins, and why it ends."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from graphcrawl.config import Settings
from graphcrawl.crawl.loop import Crawl
from graphcrawl.crawl.part import Part
from graphcrawl.crawl.run_order import RunOrder
from graphcrawl.errors import Neo4jPanicError, Neo4jUnreachableError
from graphcrawl.graph import Graph
from graphcrawl.last_run import kept_wishes
from graphcrawl.rewards import Mode

JUDGES = "evaluate"  # set in the kept settings of a run whose pages a function judges
PROXY_IS_SET = "set"  # what others may read in place of a proxy, which may hold a password


async def note_start(
    graph: Graph,
    part: Part,
    settings: Settings,
    rules_digest: str,
    mode: Mode,
    order: RunOrder,
    *,
    judges: bool = False,
) -> None:
    """Note that a run begins, and all that it goes by but secrets.

    Args:
        graph: The graph that it crawls.
        part: What it is among several workers.
        settings: What it goes by.
        rules_digest: Of its rules.
        mode: How reward flows.
        order: Which page comes next.
        judges: Whether a function of the user's says what pages earn, in place of the rules.
    """
    kept = settings.model_dump(mode="json", exclude={"home", "server"})
    kept |= {JUDGES: True} if judges else {}
    kept |= kept_wishes(settings, order.words)
    crawl = kept["crawl"]  # what others may read must hold no secrets
    crawl["headers"] = [header.partition(":")[0] for header in crawl["headers"]]
    crawl["proxy"] = None if crawl["proxy"] is None else PROXY_IS_SET
    await graph.run(
        "write/start_crawl",
        id=part.crawl_id,
        settings=json.dumps(kept, sort_keys=True),
        rulesDigest=rules_digest,
        order=settings.order.by,
        rewardMode=mode,
        worker=part.worker,
        partOf=part.part_of,
        maxPages=settings.crawl.max_pages if part.of == part.crawl_id else None,
    )


@asynccontextmanager
async def noted_end(graph: Graph, part: Part, crawl: Crawl) -> AsyncIterator[None]:
    """Note at the end of a run why it ended, unless the server is gone: it would be waited for."""
    is_gone = False
    try:
        yield
    except (Neo4jUnreachableError, Neo4jPanicError):
        is_gone = True
        raise
    finally:
        if not is_gone:
            reason = crawl.stats.stop_reason or "error"
            if part.of is not None:
                asked = crawl.stats.requests
                await graph.run("control/return_pages", of=part.of, id=part.crawl_id, asked=asked)
            await graph.run("write/finish_crawl", id=part.crawl_id, stopReason=reason)
