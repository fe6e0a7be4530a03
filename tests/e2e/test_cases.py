"""The cases from public bug reports, each played by its own server and driven through the crawl."""

import asyncio
import json
import sys
import time
import urllib.request
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from peek import DUPLICATES, TITLES, peek
from processes import OF_ORIGINS

from graphcrawl.config import load_settings
from graphcrawl.crawl import Stats
from graphcrawl.crawl import run as crawl_run
from graphcrawl.crawl.inputs import Inputs
from graphcrawl.crawl.run import run_crawl
from graphcrawl.graph import Graph
from graphcrawl.joblist import jobs

CASES = [
    "01",
    "03",
    "05",
    "07",
    "09",
    "11",
    "13",
    "15",
    "17",
    "19",
    "21",
    "23",
    "25",
    "27",
    "29",
    "31",
    "33",
    "35",
    "37",
    "39",
]
HOSTS = {
    "07": ["err.example", "drop.example", "gone.example", "busy.example", "moved.example"],
    "27": ["sec.example", "date.example", "neg.example", "day.example"],
}
SEEDS = {"35": ["http://jobs.example/jobs.xml"]}
SETTINGS: dict[str, dict[str, Any]] = {
    "27": {"delay": 0.5},
    "29": {"total_timeout": 4, "max_tries": 2},
    "33": {"per_host": 8},
}


@dataclass
class Played:
    """What a crawl of a case led to."""

    stats: Stats
    log: list[dict[str, Any]]
    titles: set[str]
    seconds: float

    def targets(self, host: str | None = None) -> list[str]:
        return [r["target"] for r in self.log if host is None or r["host"] == host]


@asynccontextmanager
async def server(shared: Path, folder: Path) -> AsyncIterator[int]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(shared / "cases/serve.py"), "--case", str(folder)),
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        first = (await process.stdout.readline()).decode()
        yield int(first.rsplit(":", 1)[1])
    finally:
        process.terminate()
        await process.wait()


async def play(graph: Graph, shared: Path, number: str) -> tuple[dict[str, Any], Played, Played]:
    """Crawl a case, and once more where it says what a second run may do."""
    (folder,) = (shared / "cases").glob(f"{number}-*")
    expected = json.loads((folder / "expected.json").read_text())
    async with server(shared, folder) as port:
        hosts = HOSTS.get(number, [])
        seeds = SEEDS.get(number) or expected.get("seeds", [expected.get("seed", "/")])
        urls = [f"http://{host}/" for host in hosts] or [
            seed if "://" in seed else f"http://127.0.0.1:{port}{seed}" for seed in seeds
        ]
        base = {
            "delay": 0,
            "allow_private": True,
            "scope": "any",
            "max_pages": 300,
            "retry_wait": 0,
            "parsers": 1,  # cases are small, and each reader takes a second of processor to start
        }
        base["resolve"] = (f"*:80:127.0.0.1:{port}", f"*:{port}:127.0.0.1")
        settings = load_settings(crawl=base | SETTINGS.get(number, {}))

        async def run() -> Played:
            before = len(requests(port))
            begun = time.monotonic()
            stats = await run_crawl(graph, Inputs.check(settings, urls))
            seconds = time.monotonic() - begun
            rows = await peek(graph, TITLES)
            return Played(stats, requests(port)[before:], {r["title"] for r in rows}, seconds)

        first = await run()
        again = "second_run_requests" in expected
        return expected, first, await run() if again else first


def requests(port: int) -> list[dict[str, Any]]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/__bugcases__/log") as answer:
        rows: list[dict[str, Any]] = json.load(answer)
    return [row for row in rows if "__bugcases__" not in row["target"]]


@pytest.fixture
def less_patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """End a run when the next host is due in more than 15 s, not 70."""
    plan = crawl_run.plan_of
    monkeypatch.setattr(crawl_run, "plan_of", lambda of: replace(plan(of), patience_s=15.0))


@pytest.mark.parametrize("number", CASES)
@pytest.mark.timeout(240)
async def test_case(
    graph: Graph, shared: Path, number: str, request: pytest.FixtureRequest
) -> None:
    if number == "07":  # one host never answers: the run has to end by itself
        request.getfixturevalue("less_patient")
    expected, first, second = await play(graph, shared, number)
    targets = first.targets()
    counts = Counter(targets)
    assert set(expected.get("titles", [])) <= first.titles
    if "pages" in expected:
        assert first.stats.pages == expected["pages"]
    check_targets(expected, targets)
    for host, wishes in expected.get("per_host", {}).items():
        check_targets(wishes, first.targets(host))
    for target, most in expected.get("max_fetch", {}).items():
        assert counts[target] <= most, target
    for prefix, most in expected.get("max_fetch_prefix", {}).items():
        assert sum(n for t, n in counts.items() if t.startswith(prefix)) <= most
    for prefix, most in expected.get("max_fetch_prefix_each", {}).items():
        assert all(n <= most for t, n in counts.items() if t.startswith(prefix))
    assert len(targets) <= expected.get("max_requests", 300)
    assert first.seconds <= expected.get("max_run_s", 150)
    if "max_fetch_each" in expected:
        pages = {t: n for t, n in counts.items() if t not in OF_ORIGINS}
        assert max(pages.values()) <= expected["max_fetch_each"]
    if "second_run_requests" in expected:
        again = [t for t in second.targets() if t not in OF_ORIGINS]
        assert len(again) <= expected["second_run_requests"]
    for text in expected.get("text_must_not_contain", {}).get("*", []):
        assert not any(text in title for title in first.titles)
    check_pauses(expected, first)
    if number == "07":
        assert first.stats.stop_reason == "hosts"
    if "jobs" in expected:
        await check_jobs(expected, graph)
    duplicates = await peek(graph, DUPLICATES)
    assert not duplicates


async def check_jobs(expected: dict[str, Any], graph: Graph) -> None:
    """Each job is one row, with the title that its feed means."""
    rows = [job async for job in jobs(graph)]
    by_id = {f"J-{str(job.url).split('/j/')[1][:1]}": job for job in rows}
    least, most = expected["job_nodes"]
    assert least <= len(rows) == len(by_id) <= most
    wanted = expected["jobs"] | expected["jobs_normalised"]
    assert {key: " ".join(str(by_id[key].title).split()) for key in wanted} == wanted
    assert by_id["J-1"].url == "http://jobs.example/j/1?a=1&b=2"
    assert str(by_id["J-2"].description).split() == ["Wir", "suchen", "dich.", "Kochen"]


def check_targets(expected: dict[str, Any], targets: list[str]) -> None:
    assert set(expected.get("fetch_must", [])) <= set(targets)
    assert not set(expected.get("fetch_must_not", [])) & set(targets)
    for part in expected.get("fetch_must_not_contain", []):
        assert not any(part in target for target in targets)


def check_pauses(expected: dict[str, Any], played: Played) -> None:
    """After a refusal the host is left alone; what a day-long pause postpones stays waiting."""
    times = defaultdict(list)
    for row in played.log:
        times[row["host"]].append((row["t"], row["target"]))
    for host, gap_s in expected.get("min_gap_after_refusal_s", {}).items():
        asked = [t for t, target in times[host] if target == "/1"]
        after = [t for t, _ in times[host] if t > asked[0]]
        assert after[0] - asked[0] >= gap_s - 0.05, host
    for host, wanted in expected.get("fetched_in_the_end", {}).items():
        if (
            host == "day.example"
        ):  # its pause is for the whole host: the pages are put off, not failed
            assert "http-4xx" not in played.stats.failures
            continue
        assert set(wanted) <= set(played.targets(host)), host
