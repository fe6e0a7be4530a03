"""The Python API as programs and notebooks use it: a real crawl, a running event loop."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import graphcrawl
from graphcrawl.api import Visit
from graphcrawl.errors import SeedsError, UsageError
from graphcrawl.graph import Address, Graph

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs" / "examples" / "page_by_page.py"
PAGES = {
    "/": "<title>Home</title><a href=/wards>Wards</a> <a href=/about>About</a>"
    "<a href=/rss>Jobs</a>",
    "/wards": "<title>Wards</title><p>Each nurse here works with another nurse.</p>"
    "<a href=/>home</a>",
    "/about": "<title>About</title><p>We are a hospital.</p>",
    "/rss": "<rss version='2.0' xmlns:job='urn:x:job'><channel><title>Jobs</title>"
    "<item><title>Nurse</title><job:company>A</job:company><job:location>B</job:location>"
    "<job:jobtype>full</job:jobtype></item></channel></rss>",
}


@pytest.fixture
def site() -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = PAGES.get(self.path, "").encode()
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/xml" if self.path == "/rss" else "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    threading.Thread(target=http.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{http.server_port}/"
    http.shutdown()
    http.server_close()


@pytest.fixture
def here(
    neo4j_address: Address, graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Name the tests' server, and a crawl of loopback, in the environment."""
    for name in list(os.environ):
        if name.startswith(("NEO4J_", "GRAPHCRAWL_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("NEO4J_URI", neo4j_address.uri)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_address.password)
    monkeypatch.setenv("GRAPHCRAWL_GRAPH", "test")
    monkeypatch.setenv("GRAPHCRAWL_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GRAPHCRAWL_CRAWL__ALLOW_PRIVATE", "true")
    monkeypatch.setenv("GRAPHCRAWL_CRAWL__DELAY", "0")
    monkeypatch.setenv("GRAPHCRAWL_CRAWL__PARSERS", "1")  # each takes a second to start
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.chdir(tmp_path)


def test_the_example_runs_as_it_stands(here: None, site: str) -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), site, "me@example.org"],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    shown, (count, *best) = lines[:4], lines[4:]
    assert count == "4 pages; the best:"
    assert len(shown) == 4
    assert any(line.startswith("20.0 ") and "Wards (1 links)" in line for line in shown)
    assert any(f"{site}wards" in line for line in best)
    assert not any(f"{site}about" in line for line in best)


def test_python_in_the_readme_is_that_of_the_examples() -> None:
    texts = [path.read_text(encoding="utf-8") for path in EXAMPLE.parent.glob("*.py")]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for block in re.findall(r"```python\n(.*?)```", readme, re.DOTALL):
        assert any(block.strip() in text for text in texts), block


async def test_cells_of_a_notebook(here: None, site: str) -> None:
    """Each paragraph is a cell; the loop runs already, and the graph stays open."""
    graph = await graphcrawl.connect()

    names: list[str] = []
    crawler = graphcrawl.Crawler(site, graph=graph, on_page=lambda page: names.append(page.title))
    stats = await crawler.run()
    assert stats.pages == 4
    assert sorted(names) == ["About", "Home", "Jobs", "Wards"]
    assert crawler.stats is stats

    rows = [page async for page in graphcrawl.pages(graph, "state=fetched", sort="url")]
    assert [page.url for page in rows] == [site, f"{site}about", f"{site}rss", f"{site}wards"]
    (first,) = [page async for page in graphcrawl.pages(graph, ["state=fetched", "depth=0"])]
    assert (first.url, first.seed) == (site, True)

    found = [feed async for feed in graphcrawl.feeds(graph)]
    assert [(feed.url, feed.form, feed.found_by) for feed in found] == [(f"{site}rss", "rss", site)]

    await graph.close()
    with pytest.raises(UsageError, match="not open"):
        await anext(graphcrawl.pages(graph))


async def test_a_function_stops_a_crawl_and_another_goes_on(here: None, site: str) -> None:
    def stop_at_once(page: Visit) -> None:
        crawler.stop()

    crawler = graphcrawl.Crawler(site, on_page=stop_at_once)  # opens the graph by itself
    stats = await crawler.run()
    assert stats.stop_reason == "stopped"
    assert stats.pages == 1
    assert (await graphcrawl.crawl()).pages == 3


async def test_an_error_of_a_function_is_raised_and_what_came_is_kept(
    here: None, site: str
) -> None:
    def broken(page: Visit) -> float:
        return {"a": 1.0}[page.title]

    async with graphcrawl.connect("test") as graph:
        with pytest.raises(KeyError, match="Home"):
            await graphcrawl.crawl(site, graph=graph, evaluate=broken)
        assert [p.title async for p in graphcrawl.pages(graph, "state=fetched")] == ["Home"]


async def test_an_empty_graph_needs_a_seed(here: None) -> None:
    with pytest.raises(SeedsError, match="no seed"):
        await graphcrawl.crawl(graph="test")


async def test_jobs_are_rows(here: None) -> None:
    async with graphcrawl.connect() as graph:
        assert [job async for job in graphcrawl.jobs(graph)] == []
        await graph.graph.run_schema(
            "CREATE (:Job {key: 'new', title: 'Nurse', posted: date('2026-01-31'),"
            " firstSeenAt: datetime(), lastSeenAt: datetime()});"
            "CREATE (:Job {key: 'old', title: 'Cook', firstSeenAt: datetime('2020-01-01T00:00Z'),"
            " lastSeenAt: datetime(), goneAt: datetime('2020-02-01T00:00Z')})"
        )
        rows = [job async for job in graphcrawl.jobs(graph)]
        assert [(job.id, job.title) for job in rows] == [("new", "Nurse"), ("old", "Cook")]
        assert str(rows[0].posted) == "2026-01-31"
        assert rows[0].first_seen_at is not None
        assert datetime.now(UTC) - rows[0].first_seen_at < timedelta(minutes=1)
        new = [job.id async for job in graphcrawl.jobs(graph, what="new", since="2d")]
        gone = [job.id async for job in graphcrawl.jobs(graph, what="gone", since="9999d")]
        assert (new, gone) == (["new"], ["old"])
        with pytest.raises(UsageError, match="Cannot read the time 'soon'"):
            await anext(graphcrawl.jobs(graph, since="soon"))
