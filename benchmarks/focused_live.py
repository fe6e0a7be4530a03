"""A topic crawl of a real server beside Scrapy: who finds the pages of a topic with fewer fetches?

    .venv/bin/python benchmarks/focused_live.py --topics Music,Religion --json

The web is Wikispeedia's: 4,598 articles on 16 hosts, each with its topics. `--shared` names the
folder with `race/` and `peer-suites/wikispeedia` in it: `race/build_wikiweb.py` makes the pages,
`race/score_log.py` scores what the server saw, whoever asked. Both crawlers get five pages of the
topic as examples and three pages that are not about it as seeds, keep four requests in flight, and
stop after half of the web. AUC50: the area under the share of the topic's pages found, up to there;
R@T: that share after as many fetches as the topic has pages. nginx must be installed; Scrapy may
run from an environment of its own (`--scrapy-python`), made from `requirements-bench.txt`.
"""

import argparse
import asyncio
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from crawl import GRAPH, HERE, nginx_kinds, wipe

TOPICS = (
    "Art",
    "Citizenship",
    "Design_and_Technology",
    "Geography.Geography_of_Asia",
    "IT",
    "Language_and_literature",
    "Mathematics",
    "Music",
    "Religion",
    "Science.Physics",
)
SEED_SETS = 3
PORT = 8099
_FIGURES = re.compile(r"R@\|T\|=([\d.]+).*AUC50=([\d.]+)")


def built(shared: Path, folder: Path) -> dict[str, Any]:
    """Return the pages by URL, with their topics and links; build the web where there is none."""
    if not (folder / "pages.json").exists():
        folder.mkdir(parents=True, exist_ok=True)
        builder, source = shared / "race/build_wikiweb.py", shared / "peer-suites/wikispeedia"
        command = [sys.executable, str(builder), str(source), str(folder), str(PORT)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    pages: dict[str, Any] = json.loads((folder / "pages.json").read_text())
    return pages


def tasks(pages: dict[str, Any], topic: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield examples and seeds, drawn as `score_log.py` draws them; the seeds differ each time."""
    urls = list(pages)
    on_topic = [url for url in urls if any(t.startswith(topic) for t in pages[url]["topics"])]
    within = set(on_topic)
    lots = random.Random(7)
    examples = lots.sample(on_topic, min(5, len(on_topic) // 4))
    elsewhere = [
        url for url in urls if url not in within and len(dict.fromkeys(pages[url]["links"])) > 5
    ]
    for _ in range(SEED_SETS):
        yield examples, lots.sample(elsewhere, 3)


@contextmanager
def served(web: Path) -> Iterator[Path]:
    """Serve the web on its loopback addresses and yield the log."""
    with tempfile.TemporaryDirectory() as run:
        log = Path(run, "access.log")
        Path(run, "nginx.conf").write_text(
            f"worker_processes 1; pid {run}/pid; error_log {run}/error.log warn; daemon off;"
            "events { worker_connections 1024; } http { include /etc/nginx/mime.types;"
            f"charset utf-8; sendfile on; keepalive_requests 100000; {nginx_kinds(run)}"
            "log_format seen '$server_addr $status $body_bytes_sent $request_method $uri';"
            f"access_log {log} seen; include {web.resolve()}/nginx-vhosts.conf; }}"
        )
        Path(run).chmod(0o755)
        binary = shutil.which("nginx") or "/usr/sbin/nginx"
        server = subprocess.Popen([binary, "-c", f"{run}/nginx.conf", "-p", run])
        try:
            time.sleep(1)
            yield log
        finally:
            server.terminate()
            server.wait()


def graphcrawl(examples: list[str], seeds: list[str], limit: int, order: str) -> None:
    """Crawl for the topic with graphcrawl; the examples are files, so that nobody asks for them."""
    asyncio.run(wipe())
    topic = [argument for example in examples for argument in ("--topic", example)]
    command = [
        *(sys.executable, "-m", "graphcrawl", "--graph", GRAPH, "crawl", *seeds, *topic, "--json"),
        *("--order", order, "--max-pages", str(limit), "--scope", "any", "--allow-private"),
        *("--concurrency", "4", "--per-host", "4", "--delay", "0.001", "--text", "none"),
    ]
    environment = os.environ | {"GRAPHCRAWL_CRAWL__SLOW_FACTOR": "0"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")


def scrapy(python: str, examples: list[str], seeds: list[str], limit: int) -> None:
    """Crawl for the topic with Scrapy."""
    texts = [Path(example).read_text(encoding="utf-8") for example in examples]
    task = json.dumps({"examples": texts, "seeds": seeds, "limit": limit})
    command = [python, str(HERE / "scrapy_topic.py")]
    done = subprocess.run(command, input=task, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")


def score(shared: Path, log: Path, web: Path, topic: str) -> tuple[float, float]:
    """Return AUC50 and R@T of what the log shows, and empty it."""
    command = [sys.executable, str(shared / "race/score_log.py")]
    command += [str(log), str(web / "pages.json"), topic, "run"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = _FIGURES.search(said)
    if found is None:
        sys.exit(f"score_log.py says: {said}")
    log.write_text("")
    return float(found[2]), float(found[1])


def main() -> None:
    """Race, and print one JSON line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--topics", default=",".join(TOPICS))
    parser.add_argument("--order", default="composite")
    parser.add_argument("--shared", type=Path, default=HERE.parents[1] / "shared")
    parser.add_argument("--web", type=Path, default=Path(tempfile.gettempdir(), "wikiweb"))
    parser.add_argument("--seed-sets", type=int, default=SEED_SETS, choices=range(1, SEED_SETS + 1))
    parser.add_argument("--scrapy-python", default=sys.executable)
    parser.add_argument("--json", action="store_true", help="one line; else indented")
    options = parser.parse_args()
    shared, web = options.shared, options.web
    pages = built(shared, web)
    limit = len(pages) // 2
    roots = dict(
        re.findall(r"listen ([\d.]+:\d+); root (\S+);", (web / "nginx-vhosts.conf").read_text())
    )

    def file_of(url: str) -> str:
        _, _, host, name = url.split("/", 3)
        return f"{roots[host]}/{name}"

    runs = []
    with served(web) as log:
        for topic in options.topics.split(","):
            for examples, seeds in list(tasks(pages, topic))[: options.seed_sets]:
                files = [file_of(url) for url in examples]
                graphcrawl(files, seeds, limit, options.order)
                ours = score(shared, log, web, topic)
                scrapy(options.scrapy_python, files, seeds, limit)
                theirs = score(shared, log, web, topic)
                runs.append({"topic": topic} | _row(ours, theirs))
                print(json.dumps(runs[-1]), file=sys.stderr, flush=True)
    keys = list(_row((0, 0), (0, 0)))
    report: dict[str, Any] = {k: round(statistics.mean(r[k] for r in runs), 3) for k in keys}
    report["topics"] = {
        topic: {
            key: round(statistics.mean(r[key] for r in runs if r["topic"] == topic), 3)
            for key in keys
        }
        for topic in options.topics.split(",")
    }
    report["spread"] = {k: [min(r[k] for r in runs), max(r[k] for r in runs)] for k in keys}
    report |= {"runs": len(runs), "limit": limit, "order": options.order}
    print(json.dumps(report, indent=None if options.json else 2))


def _row(ours: tuple[float, float], theirs: tuple[float, float]) -> dict[str, Any]:
    keys = ("auc50", "r_at_t", "scrapy_auc50", "scrapy_r_at_t")
    return dict(zip(keys, (*ours, *theirs), strict=True))


if __name__ == "__main__":
    main()
