"""Several workers on one graph: how fast, how often transactions repeat, what is asked for twice.

    .venv/bin/python benchmarks/workers.py [--workers 1,2,4,8] [--pages 2000] [--hosts 200] --json

A web is served on loopback by a process of its own, `--hosts` names at one address, each answer
`--latency` seconds late; it keeps a log, by which is counted what was asked for twice, and the
shortest rest of any host. `crawl --workers N` crawls `--pages` of it into an emptied graph, for
each N in turn, hosts resting `--delay` seconds. One JSON object a line for each N:
`workers, pages, seconds, pages_per_s, retries` (write transactions repeated after a deadlock or
the like), `duplicate_fetches, shortest_rest_s, python_cpu_s, neo4j_cpu_s, web_cpu_s, cpu_share`
(of all processors), `limited_s` (seconds by what limited the workers), `binds` (in a word).
"""

import argparse
import asyncio
import itertools
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from graphcrawl import server
from graphcrawl.config import Paths, load_settings
from graphcrawl.connection import connect, external_address

HERE = Path(__file__).parent
GRAPH = "bench-workers"
LINKS = 50
CPU_BOUND = 0.85  # of all processors, from where they are what binds
OF_ORIGINS = ("/robots.txt", "/.well-known/tdmrep.json")


def page(host: int, number: int, hosts: int, port: int) -> bytes:
    """Return a page with 50 links: most of its own host, some of others."""
    own = [f"/p{LINKS * number + n + 1}" for n in range(LINKS - 10)]
    others = [f"http://h{(host * 7 + number + n) % hosts}.example:{port}/" for n in range(10)]
    links = " ".join(f'<a href="{url}">page {url[-6:]}</a>' for url in own + others)
    text = "Nothing is said here that would be worth a reward, at some length. " * 20
    return f"<!DOCTYPE html><title>{host} {number}</title><p>{text}</p>{links}".encode()


async def serve(hosts: int, latency_s: float, log: Path) -> None:
    """Serve the web until this process is ended; tell the port first."""
    with log.open("w", buffering=1) as told:

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                while True:
                    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                    path = head.split(" ", 2)[1]
                    host = head.lower().partition("\r\nhost: ")[2].partition("\r\n")[0]
                    told.write(f"{time.monotonic()} {host} {path}\n")
                    await asyncio.sleep(latency_s)
                    number = path[2:] if path.startswith("/p") else "0"
                    known = path == "/" or number.isdigit()
                    body = b""
                    if known and path not in OF_ORIGINS:
                        name = int(host.partition(".")[0][1:])
                        body = page(name, int(number), hosts, port)
                    status = "200 OK" if body else "404 Not Found"
                    writer.write(
                        f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\n"
                        f"Content-Length: {len(body)}\r\n\r\n".encode()
                        + body
                    )
                    await writer.drain()
            except (asyncio.IncompleteReadError, ConnectionError):
                pass
            finally:
                writer.close()

        served = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=512)
        port = served.sockets[0].getsockname()[1]
        print(port, flush=True)
        await served.serve_forever()


@contextmanager
def web(hosts: int, latency_s: float, log: Path) -> Iterator[tuple[int, psutil.Process]]:
    """Run the server; yield its port and its process."""
    words = ("--serve", str(log), "--hosts", str(hosts), "--latency", str(latency_s))
    process = subprocess.Popen([sys.executable, __file__, *words], stdout=subprocess.PIPE)
    try:
        assert process.stdout
        yield int(process.stdout.readline()), psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait()


async def wipe() -> None:
    """Empty the benchmark's graph; its server stays warm."""
    async with connect(load_settings(graph=GRAPH)) as graph:
        await graph.run_schema((HERE / "cypher" / "wipe.cypher").read_text())


def neo4j_cpu_s() -> float:
    """Return the processor time that the embedded server has taken; of another one: 0."""
    if external_address():
        return 0.0
    running = server.find(Paths.locate(None), GRAPH)
    return sum(running.process.cpu_times()[:2]) if running else 0.0


def children_cpu_s() -> float:
    """Return the processor time of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def read_log(log: Path, since: float) -> tuple[int, float]:
    """Return how many requests asked for a page again, and the shortest rest of any host."""
    pages: Counter[tuple[str, str]] = Counter()
    times: dict[str, list[float]] = defaultdict(list)
    for line in log.read_text().splitlines():
        at, host, path = line.split(" ")
        if float(at) >= since:
            times[host].append(float(at))
            pages[host, path] += path not in OF_ORIGINS
    rests = [b - a for at in times.values() for a, b in itertools.pairwise(at)]
    return sum(max(n - 1, 0) for n in pages.values()), min(rests, default=0.0)


def measure(workers: int, options: argparse.Namespace) -> dict[str, Any]:
    """Crawl once with so many workers."""
    asyncio.run(wipe())
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        with web(options.hosts, options.latency, log) as (port, served):
            since, java, python = time.monotonic(), neo4j_cpu_s(), children_cpu_s()
            seeds = [f"http://h{n}.example:{port}/" for n in range(options.hosts)]
            done = subprocess.run(
                [
                    *(sys.executable, "-m", "graphcrawl", "--graph", GRAPH, "-q", "crawl", "-"),
                    *("--json", "--scope", "any", "--text", "none", "--delay", str(options.delay)),
                    *("--resolve", f"*:{port}:127.0.0.1", "--contact", "bench@a.example"),
                    *("--max-pages", str(options.pages), "--workers", str(workers)),
                ],
                input="\n".join(seeds),
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode:
                sys.exit(f"crawl --workers {workers} failed:\n{done.stderr[-2000:]}")
            wall_s = time.monotonic() - since
            java, python = neo4j_cpu_s() - java, children_cpu_s() - python
            of_web = sum(served.cpu_times()[:2])
            twice, rest_s = read_log(log, since)
    found = json.loads(done.stdout)
    share = (java + python + of_web) / wall_s / (os.cpu_count() or 1)
    limits = Counter(found["limited_s"])
    limits.pop("starting", None)
    most = limits.most_common(1)[0][0] if limits else "nothing"
    return {
        "workers": workers,
        "pages": found["pages"],
        "seconds": found["seconds"],
        "pages_per_s": found["pages_per_s"],
        "retries": found["retries"],
        "duplicate_fetches": twice,
        "shortest_rest_s": round(rest_s, 4),
        "python_cpu_s": round(python, 1),
        "neo4j_cpu_s": round(java, 1),
        "web_cpu_s": round(of_web, 1),
        "cpu_share": round(share, 2),
        "limited_s": found["limited_s"],
        "binds": f"processors ({most})" if share > CPU_BOUND else most,
    }


def main() -> None:
    """Measure each number of workers, and print a JSON object for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--workers", default="1,2,4,8")
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--hosts", type=int, default=200)
    parser.add_argument("--latency", type=float, default=0.1, help="seconds until an answer")
    parser.add_argument("--delay", type=float, default=0.2, help="seconds that hosts rest")
    parser.add_argument("--json", action="store_true", help="a line each; else indented")
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        asyncio.run(serve(options.hosts, options.latency, options.serve))
        return
    for workers in map(int, options.workers.split(",")):
        found = measure(workers, options)
        print(json.dumps(found, indent=None if options.json else 2), flush=True)


if __name__ == "__main__":
    main()
