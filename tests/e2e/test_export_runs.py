"""A crawl that writes a line a page, and its graph, copied by commands, that goes on."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from processes import Start, document

from graphcrawl import schema
from graphcrawl.export import What, export
from graphcrawl.graph import Graph

PAGES = 12


@pytest.fixture
def site() -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            number = self.path[1:]
            found = (number.isdigit() and int(number) < PAGES) or self.path == "/"
            links = "".join(f'<a href="/{n}">Page {n}</a> ' for n in range(PAGES + 1))
            body = f"<title>=Page {number}</title><p>nurse</p>{links}".encode() if found else b""
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", "text/html")
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


async def test_a_crawl_its_lines_and_its_copy(
    start: Start, graph: Graph, site: str, tmp_path: Path
) -> None:
    crawl = ("crawl", "--allow-private", "--delay", "0", "--json", "-o", "pages.jsonl")
    first = document(start(*crawl, site, "--max-pages", "5"))
    lines = [json.loads(line) for line in (tmp_path / "pages.jsonl").read_text().splitlines()]
    assert len(lines) == first["pages_fetched"] == 5
    assert lines[0]["url"] == site
    assert lines[0]["links"] == PAGES + 1
    done = document(start("export", "graph", "-o", "copy.jsonl.gz", "--json"))
    assert done["format"] == "jsonl"

    await graph.run_schema("MATCH (n) DETACH DELETE n")
    await schema.prepare(graph, "test")
    copied = document(start("import", "copy.jsonl.gz", "--json"))
    assert copied["nodes"] + copied["relationships"] == done["rows"]

    second = document(start(*crawl, "--max-pages", "0"))
    lines = [json.loads(line) for line in (tmp_path / "pages.jsonl").read_text().splitlines()]
    assert [line["url"] for line in lines if line["outcome"] == "fetched"].count(site) == 1
    assert sum(line["outcome"] == "fetched" for line in lines) == PAGES + 1
    assert first["pages"] + second["pages"] == PAGES + 1
    assert [line["reason"] for line in lines if line["outcome"] == "not fetched"] == ["http-4xx"]
    path = tmp_path / "pages.csv"
    table = await export(graph, What.PAGES, path, name="test", expressions=["state=fetched"])
    assert table.rows == PAGES + 1
    assert path.read_text().count(",'=Page") == PAGES + 1
