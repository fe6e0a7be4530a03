"""Commands as people run them: real processes, real HTTP on loopback, a real Neo4j."""

import json
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from peek import peek
from processes import CRAWL, OF_ORIGINS, ROOT, Start, command, document, environment

from graphcrawl import queries
from graphcrawl.config import Paths
from graphcrawl.graph import Graph

LET_TIME_PASS = (  # 55 s of a lease of 60
    "MATCH (p:Leased) SET p.leasedUntil = p.leasedUntil - duration('PT55S')",
    "MATCH (h:Host) SET h.nextFetchAt = h.nextFetchAt - duration('PT55S')",
)


class Site:
    """A tree of pages on loopback that counts its requests; every page may be slow."""

    def __init__(self, pages: int, took_s: float = 0.0) -> None:
        self.requests: Counter[str] = Counter()
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                site.requests[self.path] += 1
                name = self.path.strip("/") or "0"
                known = name.isdigit() and int(name) < pages
                if known:
                    time.sleep(took_s)
                links = [2 * int(name) + 1, 2 * int(name) + 2] if known else []
                anchors = "".join(f"<p><a href=/{n}>page {n}</a>" for n in links if n < pages)
                body = f"<title>Page {name}</title>{anchors}".encode()
                self.send_response(200 if known else 404)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def pages(self) -> Counter[str]:
        return Counter({path: n for path, n in self.requests.items() if path not in OF_ORIGINS})

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def serving(pages: int, took_s: float = 0.0) -> Iterator[Site]:
    site = Site(pages, took_s)
    try:
        yield site
    finally:
        site.close()


def test_crawl_prints_one_document_and_what_it_is_going_to_do(start: Start) -> None:
    with serving(20) as site:
        process = start(*CRAWL, site.url)
        out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    report = json.loads(out)
    assert report["pages_fetched"] == report["pages"] == 20
    assert report["neurons"] == 20
    assert report["axons"] == 19
    assert report["stop_reason"] == "done"
    for default in ("rules jobs", "scope domain", "no page limit", "no depth limit", "0 s between"):
        assert default in err


def test_a_budget_ends_a_run_and_the_same_command_goes_on(start: Start) -> None:
    with serving(30) as site:
        first = document(
            start(
                "crawl", site.url, "--allow-private", "--delay", "0", "--max-pages", "12", "--json"
            )
        )
        assert first["pages_fetched"] == site.pages.total() == 12
        assert first["stop_reason"] == "pages"
        second = document(start(*CRAWL))
        assert second["pages_fetched"] == 18
        assert set(site.pages.values()) == {1}
    assert second["neurons"] == 30


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_finishes_the_pages_in_flight_and_the_same_command_resumes(
    start: Start, number: signal.Signals, code: int
) -> None:
    with serving(60, took_s=0.05) as site:
        process = start(*CRAWL, site.url)
        while site.pages.total() < 10:
            time.sleep(0.02)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        assert process.returncode == code, err
        report = json.loads(out)
        assert report["pages"] == site.pages.total() < 60
        assert "Go on: graphcrawl --graph test crawl" in err
        document(start(*CRAWL))
        assert len(site.pages) == 60
        assert set(site.pages.values()) == {1}


def test_a_second_ctrl_c_breaks_off_and_nothing_is_lost(start: Start) -> None:
    with serving(8, took_s=0.8) as site:
        process = start(*CRAWL, site.url)
        while site.pages.total() < 2:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert process.returncode == 130, err
        assert "Traceback" not in err
        report = document(start(*CRAWL))
        assert report["frontier"] == 0
        assert len(site.pages) == 8


@pytest.mark.timeout(300)
async def test_kill_9_loses_no_page(start: Start, graph: Graph) -> None:
    with serving(60, took_s=0.02) as site:
        process = start(*CRAWL, site.url)
        while site.pages.total() < 20:
            time.sleep(0.01)
        process.kill()
        process.wait(timeout=30)
        for statement in LET_TIME_PASS:
            await peek(graph, statement)
        report = document(start(*CRAWL))  # waits until the dead worker's leases end
        assert report["stop_reason"] == "done"
        assert len(site.pages) == 60
        assert max(site.pages.values()) <= 2  # what was in flight is asked for again
    assert report["neurons"] == 60


def test_two_rounds_of_crawl_and_prune_fetch_no_page_twice(start: Start) -> None:
    with serving(40) as site:
        document(
            start(
                "crawl", site.url, "--allow-private", "--delay", "0", "--max-pages", "25", "--json"
            )
        )
        for _ in range(3):
            document(start("propagate", "--json"))
        pruned = document(start("prune", "--below", "1.5", "--apply", "--json"))
        assert pruned["neurons"] > 0
        document(start(*CRAWL))
        document(start("prune", "--below", "1.5", "--apply", "--json"))
        document(start(*CRAWL))
        assert set(site.pages.values()) == {1}


async def test_rules_change_beside_a_crawl_and_nothing_is_fetched_for_it(
    start: Start, graph: Graph, tmp_path: Path
) -> None:
    """Pages 1 and 10 to 19 earn by the first rules, all pages earn by the second."""
    first, second = tmp_path / "first.toml", tmp_path / "second.toml"
    first.write_text(
        "[[rule]]\nname = 'teen'\nregex = '(?i)page 1'\npoints = 2\nplaces = ['title']"
    )
    second.write_text("[[rule]]\nword = 'page'\npoints = 3")
    with serving(60, took_s=0.05) as site:
        crawl = start(*CRAWL, site.url, "--rules", first.name)
        while site.pages.total() < 15:
            time.sleep(0.02)
        during = document(start("evaluate", "--rules", second.name, "--json"))
        assert during["pages"] == during["changed"] == during["earning"] > 0
        document(crawl)
        shown = document(start("evaluate", "--rules", second.name, "--dry-run", "--json"))
        after = document(start("evaluate", "--rules", second.name, "--json"))
        again = document(start("evaluate", "--rules", second.name, "--json"))
        assert set(site.pages.values()) == {1}
    assert (after["pages"], after["earning"], after["blunt_rules"]) == (60, 60, ["page"])
    assert after["changed"] == shown["changed"] == 60 - during["changed"]
    assert again["changed"] == 0
    pages = await graph.run("look/pages", limit=99)
    granted = {page["url"]: page["grants"] for page in pages}
    assert granted.pop(site.url) == ["100 seed seed", "3 page title"]
    assert all(grants == ["3 page title"] for grants in granted.values())
    assert sum(page["baseReward"] for page in pages) == 100 + 60 * 3


def test_a_wider_crawl_admits_what_a_narrow_one_kept_out(start: Start) -> None:
    with serving(15) as site:
        narrow = document(start(*CRAWL, site.url, "--max-depth", "1"))
        assert narrow["pages_fetched"] == 3
        wide = document(start(*CRAWL))
        assert wide["pages_fetched"] == 12


def test_pages_kept_out_by_their_address_wait_again_when_it_is_allowed(start: Start) -> None:
    with serving(15) as site:
        document(
            start(
                "crawl", site.url, "--allow-private", "--delay", "0", "--max-pages", "5", "--json"
            )
        )
        refused = start("crawl", "--delay", "0")
        _, err = refused.communicate(timeout=60)
        assert refused.returncode == 4, err
        assert "--allow-private" in err
        document(start(*CRAWL))
        assert len(site.pages) == 15


def test_an_excluded_path_is_never_asked_for(start: Start) -> None:
    with serving(15) as site:
        document(start(*CRAWL, site.url, "--exclude", "/[12]$"))
        assert set(site.pages) == {"/"}


@pytest.fixture(scope="module")
def demo_settings(
    server_paths: Paths, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, str]]:
    """Settings with an embedded graph `demo` of their own, which ends with these tests."""
    home = tmp_path_factory.mktemp("demo")
    (home / "cache").symlink_to(server_paths.cache)  # the jars need not be fetched again
    settings = environment(home)
    yield settings
    down = command("--graph", "demo", "db", "down")
    subprocess.run(down, env=settings, check=True, timeout=60, capture_output=True)


@pytest.mark.timeout(300)
def test_a_stopped_demo_says_so(demo_settings: dict[str, str]) -> None:
    process = subprocess.Popen(
        command("demo"),
        env=demo_settings,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("Limits"):
            break
    time.sleep(1)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 143


def test_the_demo_finds_all_feeds_in_half_of_the_pages(
    demo_settings: dict[str, str], tmp_path: Path
) -> None:
    def run(*words: str) -> str:
        done = subprocess.run(
            command(*words),
            cwd=tmp_path,
            env=demo_settings,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    report = json.loads(run("demo", "--json"))  # begins anew, whatever a stopped one left
    assert set(report) >= {
        *("pages_fetched", "pages_total", "feeds_found", "feeds_total", "neurons", "axons"),
        *("reward_total", "pruned", "seconds", "browser_url"),
    }
    assert report["feeds_found"] == report["feeds_total"] >= 6
    assert report["false_feeds"] == 0
    assert report["pages_fetched"] <= report["pages_total"] / 2
    assert report["pages_total"] >= 300
    assert report["pruned"] > 0
    assert "/browser/" in report["browser_url"]
    assert "demo" in run("db", "list")


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "-w",
        str(folder),
        str(ROOT),
    ]
    subprocess.run(command, check=True, timeout=240)
    return next(folder.glob("graphcrawl-*.whl"))


def test_the_wheel_carries_statements_rules_and_the_list_of_jars(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {f"graphcrawl/cypher/{name}.cypher" for name in queries.names()} <= names
    assert {"graphcrawl/rules/jobs.toml", "graphcrawl/jars.lock", "graphcrawl/py.typed"} <= names


def test_the_wheel_works_from_any_folder(wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    program = (
        "import sys; sys.path.insert(0, sys.argv.pop(1)); import graphcrawl, graphcrawl.cli as cli;"
        "assert graphcrawl.__file__.startswith(sys.path[0]); cli.main()"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", program, str(target), "query", "list", "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert len(json.loads(done.stdout)) >= 6
