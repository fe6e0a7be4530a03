"""robots.txt and the wishes of pages, by commands: real HTTP on loopback, a real Neo4j."""

import json
import os
import re
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from graphcrawl import cli
from graphcrawl.graph import Address, Graph

ROBOTS = """\
User-agent: *
Disallow: /

User-agent: graphcrawl
Disallow: /private/
Content-Signal: search=yes, ai-train=no
"""
RESERVED = """[{"location": "/last", "tdm-reservation": 1, "tdm-policy": "http://h.example/p"},
 {"location": "/tdm", "tdm-reservation": 0}]"""
TEXT = "<p>" + "The harbour of the old town was rebuilt after the flood of that year. " * 5
PAGES: dict[str, tuple[list[tuple[str, str]], str]] = {
    "/": (
        [],
        "<a href=/nofollow>a</a> <a href=/noindex>b</a> <a href=/private/x>c</a>"
        "<a href=/tdm>d</a>" + TEXT,
    ),
    "/nofollow": ([], "<meta name=robots content=nofollow><a href=/hidden>e</a>"),
    "/noindex": (
        [("X-Robots-Tag", "otherbot: nofollow"), ("X-Robots-Tag", "noindex")],
        "<a href=/last>f</a>" + TEXT,
    ),
    "/tdm": ([("TDM-Reservation", "1")], TEXT),
    "/last": ([], TEXT),
    "/.well-known/tdmrep.json": ([], RESERVED),
    "/hidden": ([], TEXT),
    "/private/x": ([], TEXT),
}


class Site:
    """Pages with wishes."""

    def __init__(self) -> None:
        self.requests: Counter[str] = Counter()
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                site.requests[self.path] += 1
                is_robots = self.path == "/robots.txt"
                headers, text = PAGES.get(self.path, ([], ROBOTS))
                self.send_response(200)
                for name, value in headers:
                    self.send_header(name, value)
                self.send_header("Content-Type", "text/plain" if is_robots else "text/html")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    yield made
    made.server.shutdown()
    made.server.server_close()


def test_owners_are_obeyed_and_what_they_said_is_shown(
    site: Site,
    graph: Graph,
    neo4j_address: Address,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in list(os.environ):
        if re.match(r"NEO4J_|GRAPHCRAWL_(?!TEST_)", name):
            monkeypatch.delenv(name)
    monkeypatch.setenv("GRAPHCRAWL_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GRAPHCRAWL_CRAWL__PARSERS", "1")
    monkeypatch.setenv("NEO4J_URI", neo4j_address.uri)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_address.password)
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> Any:
        assert cli.run(["--graph", "test", *words, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    def crawl(*words: str) -> dict[str, Any]:
        more = ("--allow-private", "--delay", "0", "--text", "all")
        found: dict[str, Any] = run("crawl", *words, *more)
        return found

    url = f"http://{site.host}"
    live = run("check", "robots", f"{url}/private/x", "--allow-private")
    assert (live["source"], live["allowed"], live["line"]) == ("web", False, 5)
    site.requests.clear()

    report = crawl(f"{url}/")
    assert site.requests == dict.fromkeys(
        ("/robots.txt", "/.well-known/tdmrep.json", "/", "/nofollow", "/noindex", "/tdm", "/last"),
        1,
    )
    assert report["pages"] == 5
    assert report["refused_links"] == {"nofollow": 1}
    pages = {row["url"].removeprefix(url): row for row in run("pages", "--limit", "0")}
    assert pages["/noindex"]["wishes"] == ["ai-train=no", "noindex"]
    assert pages["/nofollow"]["wishes"] == ["ai-train=no", "nofollow"]
    assert pages["/tdm"]["wishes"] == ["ai-train=no", "tdm-reserved"]
    assert pages["/last"]["wishes"] == [
        "ai-train=no",
        "tdm-policy=http://h.example/p",
        "tdm-reserved",
    ]
    assert "/.well-known/tdmrep.json" not in pages
    assert pages["/private/x"]["reason"] == "robots"
    assert "line 5: Disallow: /private/" in pages["/private/x"]["error"]
    assert "/hidden" not in pages
    marked = {row["url"].removeprefix(url) for row in run("pages", "--where", "wish=tdm-reserved")}
    assert marked == {"/tdm", "/last"}
    port = site.host.rpartition(":")[2]
    named = ("--resolve", f"site.example:80:127.0.0.1:{port}", "--contact", "a@b.example")
    alone = run("check", "page", "http://site.example/last", *named)
    assert "tdm-reserved" in alone["wishes"]

    kept = run("check", "robots", f"{url}/private/x")
    assert (kept["source"], kept["allowed"], kept["rule"]) == (
        "graph",
        False,
        "Disallow: /private/",
    )
    assert (kept["group"], kept["wishes"]) == (["graphcrawl"], ["ai-train=no"])
    assert kept["expires_at"] > kept["fetched_at"]
    others = run("check", "robots", f"{url}/", "--agent", "OtherBot/1.0")
    assert (others["allowed"], others["group"], others["line"]) == (False, ["*"], 2)
    assert site.requests["/robots.txt"] == 2  # one of them for `check page`, which keeps nothing
    named = ("--resolve", f"site.example:80:127.0.0.1:{port}")
    assert run("check", "robots", "http://site.example/private/x", *named)["line"] == 5

    Path("graphcrawl.toml").write_text(f'[own_hosts]\nignore_robots = ["{site.host}"]\n')
    crawl()
    assert (site.requests["/private/x"], site.requests["/robots.txt"]) == (1, 3)
