"""A crawl fills (:Job): the dirty feed of the bug report, and a page that states a posting."""

import json
from pathlib import Path

from peek import peek
from test_cases import server

from graphcrawl.config import load_settings
from graphcrawl.crawl.inputs import Inputs
from graphcrawl.crawl.run import run_crawl
from graphcrawl.graph import Graph

JOBS = """MATCH (p:PageNeuron)-[:LISTS]->(j:Job) WHERE j.goneAt IS NULL
RETURN j.ownId AS id, j.title AS title, j.url AS url, j.feed AS feed, p.url AS lister"""
FEEDS = "MATCH (p:JobFeed) RETURN p.feedJobs AS jobs, p.readJobs AS rows, p.readWhole AS whole"


async def test_the_dirty_feed_becomes_rows(graph: Graph, shared: Path) -> None:
    folder = shared / "cases/35-jobfeed-dirty-xml"
    expected = json.loads((folder / "expected.json").read_text())
    async with server(shared, folder) as port:
        feed = f"http://127.0.0.1:{port}/jobs.xml"
        crawl = {"parsers": 1, "delay": 0, "allow_private": True, "scope": "any", "max_pages": 20}
        crawl["resolve"] = (f"*:80:127.0.0.1:{port}", f"*:{port}:127.0.0.1")
        stats = await run_crawl(graph, Inputs.check(load_settings(crawl=crawl), [feed]))
    assert stats.feeds == 1
    rows = {row["id"]: row for row in await peek(graph, JOBS)}
    least, most = expected["job_nodes"]
    assert least <= len(rows) <= most
    titles = {number: row["title"] for number, row in rows.items()}
    assert (expected["jobs"] | expected["jobs_normalised"]).items() <= titles.items()
    assert rows["J-1"]["url"] == "http://jobs.example/j/1?a=1&b=2"
    assert (
        {row["feed"] for row in rows.values()} == {row["lister"] for row in rows.values()} == {feed}
    )
    assert await peek(graph, FEEDS) == [{"jobs": 7, "rows": 6, "whole": True}]


async def test_a_page_that_states_a_posting_becomes_a_row(
    graph: Graph, shared: Path, tmp_path: Path
) -> None:
    posting = {"@type": "JobPosting", "title": "Cook", "hiringOrganization": "Acme"}
    body = f'<title>Job</title><script type="application/ld+json">{json.dumps(posting)}</script>'
    served = {"path": "/job/7", "headers": {"Content-Type": "text/html"}, "body": body}
    (tmp_path / "server.json").write_text(json.dumps([served]))
    async with server(shared, tmp_path) as port:
        page = f"http://127.0.0.1:{port}/job/7"
        settings = load_settings(
            crawl={"parsers": 1, "delay": 0, "allow_private": True, "max_pages": 5}
        )
        await run_crawl(graph, Inputs.check(settings, [page]))
    [row] = await peek(graph, JOBS)
    assert (row["title"], row["url"], row["lister"], row["feed"]) == ("Cook", page, page, None)
