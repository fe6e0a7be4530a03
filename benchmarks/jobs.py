"""Measures how fast a large job feed is read into rows, and how much memory that takes.

    python benchmarks/jobs.py --mib 200 --json

Writes a feed of that size, in the form that Indeed and LinkedIn read, to a temporary file; reads it
as a stream in a process of its own and prints one JSON line. `rss_mib` is the most memory that this
process held, `grown_mib` how much of it came after the first thousand rows. Nothing is written to
Neo4j.
"""

import argparse
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from xml.sax.saxutils import escape

import psutil

WARM_ROWS = 1_000
DIRTY = 1_000  # each so many records one is broken
_WORDS = (
    "wir suchen eine freundliche Verstärkung für unser Team & the best people in town to build "
    "operate improve sell deliver plan design teach care cook drive weld paint R&D Köln Zürich"
).split()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mib", type=int, default=200, help="size of the feed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print nothing but the JSON line")
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        print(json.dumps(read(options.read)))
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "jobs.xml"
        started = time.perf_counter()
        rows = write(file, options.mib * 2**20, random.Random(options.seed))
        if not options.json:
            seconds = time.perf_counter() - started
            print(f"{rows} jobs, {file.stat().st_size >> 20} MiB, {seconds:.0f} s", file=sys.stderr)
        command = [sys.executable, __file__, "--read", str(file)]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        result = json.loads(output)
    if result["rows"] != rows:
        sys.exit(f"{rows} jobs were written and {result['rows']} read.")
    print(json.dumps(result | {"mib": options.mib, "machine": platform.machine()}))


def write(file: Path, size_bytes: int, rng: random.Random) -> int:
    """Write a feed of about that size; return how many jobs it has."""
    written, rows, first = 0, 0, date(2026, 1, 1)
    with file.open("w", encoding="utf-8") as out:
        out.write('<?xml version="1.0" encoding="utf-8"?>\n<source><publisher>Bench</publisher>\n')
        while written < size_bytes:
            rows += 1
            text = " ".join(rng.choices(_WORDS, k=150))
            written += out.write(
                f"<job><title><![CDATA[{rng.choice(_WORDS)} {rows}]]></title>"
                f"<date>{first + timedelta(days=rng.randrange(300))}</date>"
                f"<referencenumber>R-{rows}</referencenumber>"
                f"<url>http://board.example/job?id={rows}&from=feed</url>"
                f"<company>{escape(rng.choice(_WORDS))} AG</company><city>Köln</city>"
                f"<country>Germany</country><salary>{rng.randrange(20, 90)}000 EUR</salary>"
                f"<description><![CDATA[<p>{text}</p><ul><li>{text[:200]}</li></ul>]]></description>"
                f"{'<b>' if rows % DIRTY == 0 else ''}<jobtype>fulltime</jobtype></job>\n"
            )
        out.write("</source>\n")
    return rows


def read(file: Path) -> dict[str, object]:
    """Read a feed as a stream; return rows, time and memory."""
    from graphcrawl.jobs.records import open_feed  # noqa: PLC0415 - counted as this process's memory

    process = psutil.Process(os.getpid())
    rows, warm_bytes, peak_bytes = 0, 0, 0
    started = time.perf_counter()
    with file.open("rb") as source:
        feed = open_feed(source, url="http://board.example/jobs.xml", now=datetime.now(UTC))
        for _ in feed.postings:
            rows += 1
            if rows % WARM_ROWS == 0:
                held_bytes = process.memory_info().rss
                warm_bytes = warm_bytes or held_bytes
                peak_bytes = max(peak_bytes, held_bytes)
    seconds = time.perf_counter() - started
    if not feed.whole:
        sys.exit("The feed was not read to its end.")
    return {
        "rows": rows,
        "rows_per_s": round(rows / seconds),
        "mib_per_s": round(file.stat().st_size / 2**20 / seconds, 1),
        "rss_mib": round(peak_bytes / 2**20),
        "grown_mib": round((peak_bytes - warm_bytes) / 2**20, 1),
        "repaired": feed.repaired,
        "cut": feed.cuts.lost,
    }


if __name__ == "__main__":
    main()
