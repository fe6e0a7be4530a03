"""Measures backup, restore and compaction of an embedded store, and kills the last two.

    python benchmarks/disk.py --neurons 30000 --links 10 --kills 10 --json

Works in the graphs `bench-disk` and `bench-disk-again`, whose stores it replaces. The graph is
imported from a generated file, then nine in ten of its pages are deleted. `--kills` kills commands
with SIGKILL at random moments and checks each time that the store is the old or the new one, by
its digest. Prints one JSON line; sizes in bytes, times in seconds.
"""

import argparse
import asyncio
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from graphcrawl import __version__, compact, schema, server
from graphcrawl.config import Paths, load_settings
from graphcrawl.export import digest, lines, restore
from graphcrawl.graph import Graph, read_time
from graphcrawl.server import backups, snapshot
from graphcrawl.server.store import Store

NAME, AGAIN = "bench-disk", "bench-disk-again"
DELETE = """
MATCH (p:PageNeuron) WHERE p.number % 10 <> 0
CALL (p) { DETACH DELETE p } IN TRANSACTIONS OF 2000 ROWS;
CALL db.checkpoint()
"""


async def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--neurons", type=int, default=30_000)
    parser.add_argument("--links", type=int, default=10, help="axons of each neuron")
    parser.add_argument("--kills", type=int, default=0, help="of compact and of restore, each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print nothing but the JSON line")
    options = parser.parse_args()
    paths, settings = Paths.locate(), load_settings().server
    for name in (NAME, AGAIN):
        await server.reset(paths, name)
    random.seed(options.seed)
    store, found = Store.of(paths, NAME), dict[str, Any]()
    with tempfile.TemporaryDirectory(dir=paths.data) as folder:
        file = Path(folder) / "graph.jsonl"
        generate(file, options.neurons, options.links)
        running = await server.up(paths, NAME, settings)
        async with Graph.open(running.address) as graph:
            await schema.prepare(graph, NAME, importing=True)
            began = time.monotonic()
            await restore.read(graph, file, NAME, lines.check(file), lambda _: None)
            found["import_s"] = time.monotonic() - began
            found["store_bytes"] = snapshot.size_bytes(store)
            await graph.run_schema(DELETE)
            found["store_bytes_after_delete"] = snapshot.size_bytes(store)
            logs = store.data / "transactions/neo4j"
            found["log_bytes"] = sum(f.stat().st_size for f in logs.iterdir())
            wanted = await digest_of(graph)
        backup = Path(folder) / "a.backup"
        done = await backups.backup(paths, NAME, backup)
        found |= {"backup_s": done.seconds, "held_s": done.held_s, "backup_bytes": done.bytes}
        made = await backups.restore(paths, AGAIN, backup, settings)
        found["restore_s"] = made.seconds
        for words in (["restore", str(backup), "--overwrite"], ["compact"]):
            for _ in range(options.kills):
                await killed(words, random.uniform(0.5, 2.0 * made.seconds))
                again = await server.up(paths, AGAIN, settings)
                async with Graph.open(again.address) as graph:
                    if await digest_of(graph) != wanted:
                        raise SystemExit(f"lost by a kill of {words}")
        found["kills"] = 2 * options.kills
        report = await compact.compact(paths, NAME, settings)
        found |= {"compact_s": report.seconds, "store_bytes_compacted": report.bytes_after}
    for name in (NAME, AGAIN):
        await server.reset(paths, name)
    kept = {k: round(v, 3) if isinstance(v, float) else v for k, v in found.items()}
    print(json.dumps({"neurons": options.neurons, "links": options.links} | kept))


async def killed(words: list[str], after_s: float) -> None:
    """Type a command on the second graph and kill it."""
    command = [sys.executable, "-m", "graphcrawl", "--graph", AGAIN, "-q", "db", *words]
    started = subprocess.Popen(command, env=os.environ, stderr=subprocess.DEVNULL)
    await asyncio.sleep(after_s)
    started.send_signal(signal.SIGKILL)
    started.wait()


async def digest_of(graph: Graph) -> tuple[int, int, str]:
    found = digest.Digest()
    for statement in digest.STATEMENTS:
        async for row in graph.stream(statement):
            found.add(row)
    return found.value


def generate(file: Path, neurons: int, links: int) -> None:
    """Write the file of a graph: pages with what records give them, links to near pages."""
    at = read_time("2026-01-31T12:00:00Z")
    head = {"graphcrawl": lines.KIND, "version": lines.VERSION, "product": __version__}
    head |= {"schema": max(schema.migrations()), "graph": NAME, "exported_at": "2026-01-31"}
    hashed, relationships = hashlib.sha256(), 0

    def url(n: int) -> str:
        return f"http://host{n // 100}.example/some/folder/page-{n}.html"

    with file.open("wb") as out:

        def put(line: dict[str, Any]) -> None:
            text = lines.dumps(line).encode()
            hashed.update(text)
            out.write(text)

        put(head)
        for n in range(neurons):
            page = {"url": url(n), "host": f"host{n // 100}.example", "neuronId": n, "number": n}
            page |= {"reward": random.random(), "depth": 3, "discoveredAt": at, "strength": 2.0}
            page |= {"title": f"The title of page {n}", "fetchedAt": at, "status": 200}
            put({"labels": ["PageNeuron", "Fetched"], "properties": page, "text": None})
        put({"labels": ["Meta"], "properties": {"graph": NAME}})
        for n in range(neurons):
            near = {(n + random.randrange(1, 100) * 10) % neurons for _ in range(links)} - {n}
            relationships += len(near)
            axon = {"weight": 1.0, "links": 1, "anchor": "an anchor", "firstSeenAt": at}
            put({"from": url(n), "axons": [["LINK_AXON", url(t), axon] for t in sorted(near)]})
        end = {"end": True, "nodes": neurons + 1, "relationships": relationships}
        out.write(lines.dumps(end | {"sha256": hashed.hexdigest()}).encode())


if __name__ == "__main__":
    asyncio.run(main())
