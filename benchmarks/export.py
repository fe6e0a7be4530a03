"""Measures exports of a generated graph: rows a second and memory, and a copy into another store.

    python benchmarks/export.py --pages 1000000 --axons-per-page 2 --json

Works in the graphs `bench-export` and `bench-import`, embedded servers of its own whose content it
replaces. The pages are written by the import itself, from a generated file. Then each table and
the whole graph are exported, and the copy is read into the other store: both have the same next
100 pages. Prints one JSON line; `peak_mib` is the peak of this process, `grown_mib` what it grew by
over the memory at its start.
"""

import argparse
import asyncio
import json
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import psutil

from graphcrawl import server
from graphcrawl.config import Paths, Settings, load_settings
from graphcrawl.connection import connect, external_address
from graphcrawl.export import What, export, lines, restore
from graphcrawl.frontier import Neo4jFrontier
from graphcrawl.graph import Graph, read_time

FROM, INTO = "bench-export", "bench-import"
HOSTS = 5000
WHEN = read_time("2026-01-31T12:00:00+00:00")
MIB = 2**20


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--axons-per-page", type=int, default=2)
    parser.add_argument("--json", action="store_true", help="print nothing but the JSON line")
    options = parser.parse_args()
    if external_address():
        parser.error("it empties what it works in: unset NEO4J_URI")
    result: dict[str, Any] = {"pages": options.pages}

    def say(name: str, rows: int, seconds: float) -> None:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        result[name] = {
            "rows": rows,
            "rows_per_s": round(rows / seconds),
            "seconds": round(seconds, 1),
            "peak_mib": round(peak),
            "grown_mib": round(peak - base),
        }
        if not options.json:
            print(name, result[name], file=sys.stderr)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = folder / "made.jsonl"
        generate(made, options.pages, options.axons_per_page)
        base = psutil.Process().memory_info().rss / MIB
        settings = load_settings(graph=FROM)
        paths = Paths.locate(settings.home)
        await server.reset(paths, FROM)
        async with connect(settings, importing=True) as graph:
            say("import", *await read(graph, made, FROM))
            for what, file in (
                (What.PAGES, "pages.csv"),
                (What.PAGES, "pages.jsonl"),
                (What.PAGES, "pages.parquet"),
                (What.AXONS, "axons.csv"),
                (What.TEXTS, "texts.jsonl"),
                (What.GRAPH, "graph.gexf"),
                (What.GRAPH, "copy.jsonl.gz"),
            ):
                done = await export(graph, what, folder / file, name=FROM)
                say(f"{what} {file.partition('.')[2]}", done.rows, done.seconds)
                if file != "copy.jsonl.gz":
                    (folder / file).unlink()
            expected = await next_pages(graph)
        await server.down(paths, FROM)
        result["same_next_100"] = await copied(folder / "copy.jsonl.gz", settings, expected, say)
    print(json.dumps(result))


async def copied(path: Path, settings: Settings, expected: list[str], say: Any) -> bool:
    """Read the copy into another store, and compare what would come next."""
    paths = Paths.locate(settings.home)
    await server.reset(paths, INTO)
    async with connect(load_settings(graph=INTO), importing=True) as graph:
        say("import copy", *await read(graph, path, INTO))
        same = await next_pages(graph) == expected
    await server.down(paths, INTO)
    return same


async def read(graph: Graph, path: Path, name: str) -> tuple[int, float]:
    started = time.perf_counter()
    head = lines.check(path)
    await restore.read(graph, path, name, head, lambda _: None)
    return head.nodes + head.relationships, time.perf_counter() - started


async def next_pages(graph: Graph) -> list[str]:
    """Claim 100 pages, the ones that a crawl would begin with."""
    frontier = Neo4jFrontier(graph, "bench", "bench")
    return [c.url for c in await frontier.claim(pages=100, per_host=5, lease_s=1)]


def generate(path: Path, pages: int, axons: int) -> None:
    """Write the file of a graph: three of ten pages fetched, with texts; the others wait."""
    digest = sha256()
    counts = {"nodes": 0, "relationships": 0}
    head = {"graphcrawl": "graph", "version": 1, "schema": 12, "product": "bench", "graph": FROM}
    with path.open("wb") as file:
        for line in (head | {"exported_at": "2026-01-31T12:00:00Z"}, *rows(pages, axons)):
            counts["nodes"] += "labels" in line
            counts["relationships"] += len(line.get("axons", ()))
            data = lines.dumps(line).encode()
            digest.update(data)
            file.write(data)
        end = {"end": True, **counts, "sha256": digest.hexdigest()}
        file.write(lines.dumps(end).encode())


def rows(pages: int, axons: int) -> Iterator[dict[str, Any]]:
    """Yield all nodes, then all axons."""
    hosts = min(HOSTS, pages)
    for number in range(pages):
        yield page(number, hosts)
    best: dict[int, float] = {}
    for number in range(pages):
        if number % 10 >= 3:
            best[number % hosts] = max(best.get(number % hosts, 0.0), priority(number))
    for host in range(hosts):
        said: dict[str, Any] = {"name": f"h{host}.example", "delayS": 1.0}
        if host in best:
            said["bestPriority"] = best[host]
        yield {"labels": ["Host"], "properties": said}
    yield {"labels": ["Meta"], "properties": {"graph": FROM, "rewardMode": "neural"}}
    for number in range(pages):
        targets = {(number * 31 + 7919 * (axon + 1)) % pages for axon in range(axons)} - {number}
        properties = {"weight": 1.0, "links": 1, "anchor": f"Link of {number}"}
        properties |= {"firstSeenAt": WHEN, "lastSeenAt": WHEN}
        yield {
            "from": url(number, hosts),
            "axons": [["LINK_AXON", url(target, hosts), properties] for target in targets],
        }


def page(number: int, hosts: int) -> dict[str, Any]:
    waits = number % 10 >= 3
    said: dict[str, Any] = {
        "url": url(number, hosts),
        "neuronId": int.from_bytes(sha256(b"%d" % number).digest()[:7], "big"),
        "host": f"h{number % hosts}.example",
        "depth": number % 7,
        "reward": priority(number),
        "strength": 4.0,
        "inLinks": 2,
        "number": number + 1,
        "discoveredAt": WHEN,
    }
    if waits:
        said["priority"] = priority(number)
        return {"labels": ["PageNeuron", "Frontier"], "properties": said}
    said |= {"title": f"Page {number}", "status": 200, "fetchedAt": WHEN, "bytes": 20_000}
    text = f"The text of page {number}. " * 40
    return {
        "labels": ["PageNeuron", "Fetched"],
        "properties": said | {"grants": ["3 job text"]},
        "text": {"title": f"Page {number}", "text": text, "visible": text},
    }


def priority(number: int) -> float:
    """Many pages are equally good, so that the order of the store decides."""
    return float(number * 7919 % 1000)


def url(number: int, hosts: int) -> str:
    return f"http://h{number % hosts}.example/pages/{number}"


if __name__ == "__main__":
    asyncio.run(main())
