"""Crawl speed beside Scrapy: the same site, the same server, the same run.

    .venv/bin/python benchmarks/crawl.py --docs FOLDER [--start index.html] [--runs 3] --json

`FOLDER` holds a static site, such as the unpacked Debian package postgresql-doc-15
(usr/share/doc/postgresql-doc-15/html). nginx must be installed; it serves the folder on loopback.
Delay 0, 16 requests in flight to the one host. Each crawler runs `--runs` times in turn. Figures
are medians of pages a second, from the start of the crawl to the end of its last write; ratios are
medians of the ratios within a turn. With `--orders reward,composite` no peer runs: each order
crawls in turn, and `ratio_order` is the last one's speed to the first one's. Scrapy may run from an
environment of its own (`--scrapy-python`), made with `pip install -r requirements-bench.txt`.
"""

import argparse
import asyncio
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from graphcrawl.config import load_settings
from graphcrawl.connection import connect
from graphcrawl.graph import Address

HERE = Path(__file__).parent
GRAPH = "bench-crawl"


def nginx_kinds(run: str) -> str:
    """Return the settings that keep all of nginx's own files in one folder."""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    return " ".join(f"{kind}_temp_path {run}/{kind};" for kind in kinds)


@contextmanager
def nginx(folder: Path) -> Iterator[str]:
    """Serve a folder on a free loopback port and yield its base URL."""
    binary = shutil.which("nginx") or "/usr/sbin/nginx"
    with socket.socket() as probe, tempfile.TemporaryDirectory() as run:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        Path(run, "nginx.conf").write_text(
            f"worker_processes 1; pid {run}/pid; error_log {run}/error.log warn; daemon off;"
            "events { worker_connections 1024; }"
            f"http {{ include /etc/nginx/mime.types; sendfile on; {nginx_kinds(run)}"
            "keepalive_requests 100000; access_log off; "
            f"server {{ listen 127.0.0.1:{port}; root {folder}; }} }}"
        )
        Path(run).chmod(0o755)
        server = subprocess.Popen([binary, "-c", f"{run}/nginx.conf", "-p", run])
        try:
            time.sleep(1)
            yield f"http://127.0.0.1:{port}/"
        finally:
            server.terminate()
            server.wait()


async def wipe() -> Address:
    """Empty the benchmark's graph, warm server kept, and return its address."""
    async with connect(load_settings(graph=GRAPH)) as graph:
        for name in ("wipe", "peer_schema"):
            await graph.run_schema((HERE / "cypher" / f"{name}.cypher").read_text())
        return graph.address


def run_json(command: list[str], **environment: str) -> dict[str, Any]:
    """Run a command and return the JSON document that it prints last."""
    done = subprocess.run(
        command, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    result: dict[str, Any] = json.loads(done.stdout[done.stdout.index("{") :])
    return result


def graphcrawl(start: str, text: str, order: str = "reward") -> float:
    """Crawl with graphcrawl and return pages a second."""
    asyncio.run(wipe())
    report = run_json(
        [
            *(sys.executable, "-m", "graphcrawl", "--graph", GRAPH, "crawl", start, "--json"),
            *("--max-pages", "0", "--delay", "0", "--per-host", "16", "--text", text),
            *("--order", order, "--allow-private"),
        ]
    )
    pages: float = report["pages_fetched"]
    return pages / float(report["seconds"])


def scrapy(python: str, start: str, *, neo4j: bool) -> tuple[int, float]:
    """Crawl with Scrapy and return its pages and pages a second."""
    address = asyncio.run(wipe())
    report = run_json(
        [python, str(HERE / "scrapy_links.py"), start, *(["neo4j"] if neo4j else [])],
        NEO4J_URI=address.uri,
        NEO4J_USERNAME=address.user,
        NEO4J_PASSWORD=address.password,
    )
    return report["pages"], report["pages"] / report["seconds"]


def compare_orders(start: str, orders: list[str], runs: int) -> dict[str, Any]:
    """Crawl by each order in turn, without texts; `ratio_order` is the last to the first."""
    for order in orders:
        graphcrawl(start, "none", order)  # warms what only this order needs; not counted
    rows = [{order: graphcrawl(start, "none", order) for order in orders} for _ in range(runs)]
    ratios = [row[orders[-1]] / row[orders[0]] for row in rows]
    return {
        **{f"pages_per_s_{o}": round(statistics.median(row[o] for row in rows), 2) for o in orders},
        "ratio_order": round(statistics.median(ratios), 2),
        "runs": runs,
        "spread": [round(min(ratios), 2), round(max(ratios), 2)],
    }


def main() -> None:
    """Race, and print one JSON line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--docs", type=Path, required=True)
    parser.add_argument("--start", default="index.html")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--scrapy-python", default=sys.executable)
    parser.add_argument(
        "--orders", default="", help="reward,composite: compare these, without Scrapy"
    )
    parser.add_argument("--json", action="store_true", help="one line; else indented")
    options = parser.parse_args()
    rows: list[dict[str, float]] = []
    pages = 0
    with nginx(options.docs.resolve()) as base:
        start = base + options.start
        if options.orders:
            compared = compare_orders(start, options.orders.split(","), options.runs)
            print(json.dumps(compared, indent=None if options.json else 2))
            return
        graphcrawl(start, "none")  # warms the server's plans and its compiler; not counted
        for _ in range(options.runs):
            pages, plain = scrapy(options.scrapy_python, start, neo4j=False)
            _, stored = scrapy(options.scrapy_python, start, neo4j=True)
            rows.append(
                {
                    "scrapy_pages_per_s": plain,
                    "scrapy_neo4j_pages_per_s": stored,
                    "pages_per_s_no_text": graphcrawl(start, "none"),
                    "pages_per_s_text": graphcrawl(start, "all"),
                }
            )
    for row in rows:
        row["ratio_text"] = row["pages_per_s_text"] / row["scrapy_pages_per_s"]
        row["ratio_no_text"] = row["pages_per_s_no_text"] / row["scrapy_pages_per_s"]
    figures = {key: round(statistics.median(row[key] for row in rows), 2) for key in rows[0]}
    spread = {
        key: [round(min(row[key] for row in rows), 2), round(max(row[key] for row in rows), 2)]
        for key in rows[0]
    }
    report = {"pages": pages, **figures, "runs": options.runs, "spread": spread}
    print(json.dumps(report, indent=None if options.json else 2))


if __name__ == "__main__":
    main()
