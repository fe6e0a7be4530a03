"""Measures graphs of growing size: recording, claims, reward, pruning, memory, disk, a restart.

    python benchmarks/growth.py --sizes 30000,300000,3000000 --json > growth.jsonl
    python benchmarks/growth.py --read growth.jsonl --markdown
    python benchmarks/growth.py --read growth.jsonl --plot docs/images/growth.png

Each size is a graph `growth-SIZE` of an embedded server of its own below --home, built by Neo4j's
offline importer and replaced at the next run; --keep leaves it for the next run to measure once
more without building it. Prints one JSON line a size; a key that could not be measured is null.
GRAPHCRAWL_SERVER__HEAP and GRAPHCRAWL_SERVER__PAGE_CACHE size the server. Needs numpy and, to plot,
matplotlib.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from growing import report
from growing.load import build
from growing.measure import measure

from graphcrawl import server
from graphcrawl.config import Paths, Settings, load_settings

Row = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="30000,300000", help="numbers of neurons")
    parser.add_argument("--home", type=Path, help="where graphs are kept, as GRAPHCRAWL_HOME")
    parser.add_argument("--claims", type=int, default=200, help="claims to measure, of each kind")
    parser.add_argument("--record-s", type=float, default=60.0, help="seconds to record for")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="keep graphs; use those that are there")
    parser.add_argument("--read", type=Path, help="report lines of an earlier run; measure nothing")
    parser.add_argument("--markdown", action="store_true", help="print a table")
    parser.add_argument("--plot", type=Path, help="draw into this file")
    parser.add_argument("--json", action="store_true", help="print nothing but the JSON lines")
    options = parser.parse_args()
    if options.home:
        os.environ["GRAPHCRAWL_HOME"] = str(options.home)
    if options.read:
        rows = [json.loads(line) for line in options.read.read_text().splitlines() if line]
    else:
        rows = [_measured(int(size), options) for size in options.sizes.split(",")]
    if options.plot:
        report.plot(rows, options.plot)
    if options.markdown:
        print(report.markdown(rows))


def _measured(pages: int, options: argparse.Namespace) -> Row:
    def say(text: str) -> None:
        if not options.json:
            print(f"{pages:,} neurons: {text}", file=sys.stderr)

    name = f"growth-{pages}"
    settings = load_settings(graph=name)
    paths = Paths.locate(settings.home)
    found: Row = {"machine": platform.machine(), "processors": os.cpu_count()}
    if not (options.keep and paths.graph(name).is_dir()):
        say("building …")
        found |= {"build": _apart(_build, settings, pages, options.seed)}
    say("measuring …")
    started = time.perf_counter()
    found = (
        _apart(_measure, settings, pages, options.seed, options.claims, options.record_s) | found
    )
    say(f"took {time.perf_counter() - started:.0f} s")
    asyncio.run(server.down(paths, name))
    if not options.keep:
        asyncio.run(server.reset(paths, name))
    print(json.dumps(found), flush=True)
    return found


def _apart(work: Callable[..., Row], *given: object) -> Row:
    """Call in a process of its own, whose memory is its alone."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(work, given)


def _build(settings: Settings, pages: int, seed: int) -> Row:
    taken = asyncio.run(build(settings, settings.graph, pages, seed))
    return {key: round(value, 1) for key, value in taken.items()}


def _measure(settings: Settings, pages: int, seed: int, claims: int, record_s: float) -> Row:
    return asyncio.run(measure(settings, pages, seed=seed, claims=claims, record_s=record_s))


if __name__ == "__main__":
    main()
