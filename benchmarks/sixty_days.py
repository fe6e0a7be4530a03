"""Simulates a crawl of 60 days with pruning on: neurons, axons, bytes and pruned share, day by day.

    python benchmarks/sixty_days.py --keep 20000 --pages-a-day 1000 --json --plot days.png

Time is compressed: the clock of leases, delays, newborns and tombstones jumps, nothing is sent over
a network. Pages come from a generated web without end, whose sites have a few hubs that most links
lead to. Each day claims, records, lets reward flow and holds the size, by the product's own write
path. Works in the graph `bench-sixty-days`, whose store it replaces. Prints one JSON line a day,
then one of the whole; `store_bytes` is the store of the embedded server, which never shrinks, with
its transaction logs; `largest_over` is the worst moment, in shares of the size to be held.
"""

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from graphcrawl import server
from graphcrawl.config import Paths, load_settings
from graphcrawl.connection import connect, external_address
from graphcrawl.frontier import Neo4jFrontier, Seed
from graphcrawl.graph import Graph
from graphcrawl.models import Claim, Fetched, Grant, HostUpdate, Link, Outcome, Page
from graphcrawl.rewards import Keeper, KeepLimits, TombstoneRule, distribute

GRAPH = "bench-sixty-days"
DAY_MS = 86_400_000
BEGIN_MS = 1_800_000_000_000
SITES = 200
FLOWS_A_DAY = 1
LINKS = 12
_BATCH = 32


class Simulation:
    """A crawl whose days take seconds."""

    def __init__(
        self,
        graph: Graph,
        folder: Path,
        *,
        keep: int,
        pages_a_day: int,
        seed: int = 1,
        tombstones_always: int = 1000,
    ) -> None:
        self.graph, self.keep, self.pages_a_day = graph, keep, pages_a_day
        self.ms = BEGIN_MS
        self.rng = random.Random(seed)
        rule = TombstoneRule(per_neuron=2.0, age_s=30 * 86400.0, always=tombstones_always)
        limits = KeepLimits(keep=keep, tombstone_rule=rule)
        self.keeper = Keeper(graph, limits, folder, now_ms=lambda: self.ms)
        self.frontier = Neo4jFrontier(graph, "sixty-days", "worker", now_ms=lambda: self.ms)
        self.born = self.twice = self.largest = self.visits = 0
        self._fetched: set[str] = set()

    async def day(self, number: int) -> dict[str, Any]:
        """Crawl for a day; return what the graph holds at its end."""
        if number == 0:
            seeds = [Seed(f"http://s{n}.example/", f"s{n}.example", 100.0) for n in range(5)]
            await self.frontier.seed(seeds)
        begin_ms, done = BEGIN_MS + number * DAY_MS, 0
        while done < self.pages_a_day:
            self.ms = begin_ms + DAY_MS * done // self.pages_a_day
            await self.frontier.reap()
            wanted = min(_BATCH, self.pages_a_day - done)
            claims = await self.frontier.claim(pages=wanted, per_host=4, lease_s=600)
            report = await self.frontier.record([self._visit(c) for c in claims], _back(claims))
            self.born += report.neurons
            self.visits += len(claims)
            before, done = done, done + max(len(claims), 1)
            if done * FLOWS_A_DAY // self.pages_a_day > before * FLOWS_A_DAY // self.pages_a_day:
                await distribute(self.graph)
            held = await self.keeper.settle()
            self.largest = max(self.largest, held.size)
        counts = (await self.graph.run("look/counts"))[0]
        return {
            "day": number + 1,
            "neurons": counts["neurons"],
            "axons": counts["axons"],
            "tombstones": counts["pruned"],
            "fetched": counts["fetched"],
            "pruned_share": round(self.keeper.report.neurons / max(self.born, 1), 4),
            "visits": self.visits,
            "fetched_twice": self.twice,
        }

    def _visit(self, claim: Claim) -> Outcome:
        """Return a page: some links to hubs of sites, most to pages that nobody knew."""
        self.twice += claim.url in self._fetched
        self._fetched.add(claim.url)
        rng = random.Random(claim.url)
        site = claim.host
        urls = {f"http://{site}/hub/{rng.randrange(5)}" for _ in range(3)}
        urls |= {f"http://s{rng.randrange(SITES)}.example/hub/{rng.randrange(5)}" for _ in range(2)}
        urls |= {f"http://{site}/page/{rng.randrange(10**9)}" for _ in range(LINKS - 5)}
        links = tuple(Link(url, url.split("/")[2], anchor="a link") for url in sorted(urls))
        grants = (Grant("job", 5.0, "text"),) if rng.random() < 0.1 else ()
        page = Page(
            "A title", "en", links=links, grants=grants, digest=claim.url, text="Words. " * 9
        )
        now = datetime.fromtimestamp(self.ms / 1000, UTC)
        return Outcome(claim, Fetched(claim.url, 200, b"", "text/html", "utf-8", now, 0.1), page)


def _back(claims: Sequence[Claim]) -> list[HostUpdate]:
    return [HostUpdate(c.host, delay_s=0.0, pause_s=0.0, token=c.token) for c in claims]


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", type=int, default=20_000, help="neurons")
    parser.add_argument("--pages-a-day", type=int, default=1000)
    parser.add_argument("--days", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", type=Path, help="a PNG to draw")
    parser.add_argument("--json", action="store_true", help="print nothing but JSON lines")
    options = parser.parse_args()
    if external_address():
        parser.error("it empties what it works in: unset NEO4J_URI")
    settings = load_settings(graph=GRAPH)
    paths = Paths.locate(settings.home)
    await server.reset(paths, GRAPH)
    begun, days = time.monotonic(), []
    with tempfile.TemporaryDirectory() as folder:
        async with connect(settings) as graph:
            simulation = Simulation(
                graph,
                Path(folder),
                keep=options.keep,
                pages_a_day=options.pages_a_day,
                seed=options.seed,
                tombstones_always=options.keep // 10,
            )
            for number in range(options.days):
                day = await simulation.day(number)
                day["store_bytes"] = _bytes(paths.graph(GRAPH) / "data")
                day["archive_bytes"] = _bytes(Path(folder))
                days.append(day)
                if not options.json:
                    print(f"day {day['day']}: {day['neurons']} neurons", file=sys.stderr)
                print(json.dumps(day), flush=True)
    await server.down(paths, GRAPH)
    over = days[-1]["neurons"] / options.keep - 1
    whole = {
        "keep": options.keep,
        "days": options.days,
        "pages": options.days * options.pages_a_day,
        "over": round(over, 4),
        "within_a_tenth": abs(over) <= 0.1,
        "largest_over": round(simulation.largest / options.keep - 1, 4),
        "prune_per_s": round(
            simulation.keeper.report.neurons / max(simulation.keeper.report.seconds, 1e-9)
        ),
        "seconds": round(time.monotonic() - begun),
    }
    print(json.dumps(whole))
    if options.plot:
        plot(days, options.keep, options.plot)


def _bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def plot(days: Sequence[dict[str, Any]], keep: int, path: Path) -> None:
    """Draw what the graph held day by day."""
    import matplotlib as mpl  # noqa: PLC0415 - only for the plot

    mpl.use("agg")
    from matplotlib import pyplot as plt  # noqa: PLC0415

    x = [day["day"] for day in days]
    figure, axes = plt.subplots(2, 2, figsize=(10, 6), sharex=True, layout="constrained")
    panels = (
        ("neurons and tombstones", (("neurons", 1), ("tombstones", 1), ("fetched", 1))),
        ("axons", (("axons", 1),)),
        ("MiB on disk", (("store_bytes", 2**20), ("archive_bytes", 2**20))),
        ("share of all neurons born that was pruned", (("pruned_share", 1),)),
    )
    for axis, (title, lines) in zip(axes.flat, panels, strict=True):
        for key, unit in lines:
            axis.plot(x, [day[key] / unit for day in days], label=key)
        axis.set_title(title)
        axis.set_ylim(bottom=0)
        axis.legend()
    axes.flat[0].axhspan(0.9 * keep, 1.1 * keep, alpha=0.15)
    for axis in axes[1]:
        axis.set_xlabel("day")
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    asyncio.run(main())
