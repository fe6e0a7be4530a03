"""Sitemaps that a robots.txt names wait like pages that the host's own pages link to [002.robots].

Source: sitemaps.org, "Specifying the Sitemap location in your robots.txt file". Relative addresses,
which it does not allow, are common; a file that names itself, or another robots.txt, is not asked.
"""

from collections.abc import Callable, Sequence

from graphcrawl.forgotten import is_forgotten, name_key, url_key
from graphcrawl.graph import Graph, Row, Transaction
from graphcrawl.parse.hints import feed_hint
from graphcrawl.record import write_hosts
from graphcrawl.recorded import RecordOptions
from graphcrawl.robots import RobotsFile
from graphcrawl.robots_rules import parse_rules
from graphcrawl.settle import host_rows
from graphcrawl.urls import canonical, host_key, neuron_id

MAX_SITEMAPS = 1000  # of one robots.txt
DEPTH = 1  # one step from the host, wherever the crawl came to it from

Admits = Callable[[str, int], bool]


def named_sitemaps(file: RobotsFile, admits: Admits) -> list[str]:
    """Return the canonical URLs of the sitemaps that a file names and the crawl may fetch.

    Args:
        file: The robots.txt of an origin, as it was downloaded.
        admits: Whether the crawl may fetch a URL at a depth.
    """
    own = canonical(f"{file.origin}/robots.txt") or ""
    found = (canonical(raw, own) for raw in parse_rules(file.body).sitemaps[:MAX_SITEMAPS])
    urls = dict.fromkeys(url for url in found if url and not url.endswith("/robots.txt"))
    return [url for url in urls if admits(url, DEPTH)]


async def let_wait(graph: Graph, urls: Sequence[str], reward: float) -> None:
    """Add sitemaps to the frontier; what is known already, or was forgotten on request, stays so.

    Args:
        graph: The graph that is crawled.
        urls: As `named_sitemaps` returns them.
        reward: Points that they share. They are no seeds: they widen no scope and earn no more.
    """
    options = RecordOptions()
    rows: list[Row] = [
        {
            "url": url,
            "id": neuron_id(url),
            "host": host_key(url),
            "depth": DEPTH,
            "redirects": 0,
            "reward": reward / len(urls),
            "worth": reward / len(urls),
            "reason": None,
            "feedHint": feed_hint(url, "", "", ""),
            "weight": 0.0,
            "number": place,
            "score": None,
            "axons": [],
        }
        for place, url in enumerate(urls, 1)
    ]

    async def work(tx: Transaction) -> None:
        gate = (await tx.run("write/gate", discoveries=len(rows)))[0]
        wanted = rows
        if gate["forgets"]:
            keys = {key for r in rows for key in (url_key(r["url"]), name_key(r["host"]))}
            gone = {r["key"] for r in await tx.run("write/forgotten", keys=list(keys))}
            wanted = [r for r in rows if not is_forgotten(r["url"], r["host"], gone)]
        await tx.run("frontier/lock_hosts", names=sorted({r["host"] for r in wanted}))
        linked = await tx.run(
            "write/links",
            sources=[],
            targets=wanted,
            bornAt=gate["distributions"],
            discovered=gate["discovered"],
            feedHintPoints=options.feed_hint_points,
            nowMs=None,
        )
        await write_hosts(tx, host_rows(linked[0]["hosts"], (), ()), options, None)

    if rows:
        await graph.transact(work)
