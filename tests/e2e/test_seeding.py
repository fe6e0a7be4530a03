"""`graphcrawl seed` as people run it: beside a crawl, and of sitemaps."""

import gzip
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from peek import peek
from processes import CRAWL, OF_ORIGINS, Start, document

from graphcrawl.graph import Graph

Answer = tuple[str, bytes]  # media type and body


class Server:
    """Answers by path on a loopback port of its own, and counts."""

    def __init__(self, answers: Callable[[str], Mapping[str, Answer]], took_s: float) -> None:
        self.requests: Counter[str] = Counter()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                server.requests[self.path] += 1
                media_type, body = server.answers.get(self.path, ("text/html", b""))
                time.sleep(took_s if body else 0.0)
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", media_type)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        self.answers = answers(self.url)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    @property
    def pages(self) -> set[str]:
        return set(self.requests) - OF_ORIGINS


@contextmanager
def serving(
    answers: Callable[[str], Mapping[str, Answer]], took_s: float = 0.0
) -> Iterator[Server]:
    server = Server(answers, took_s)
    try:
        yield server
    finally:
        server.http.shutdown()
        server.http.server_close()


def chain(pages: int) -> Callable[[str], Mapping[str, Answer]]:
    """Pages of which each links to the next."""
    return lambda _: {
        f"/{n or ''}": ("text/html", f"<title>{n}</title><a href=/{n + 1}>on</a>".encode())
        for n in range(pages)
    }


async def test_seeds_start_with_their_reward_and_keep_it(start: Start, graph: Graph) -> None:
    counts = {
        "graph": "test",
        "seeds": 2,
        "new": 2,
        "known": 0,
        "waiting": 2,
        "refused": 1,
        "forgotten": 0,
    }
    typed = ("https://a.example/", "b.example/feed.xml", "junk")
    assert document(start("seed", *typed, "--reward", "500", "--json")) == counts
    again = start("seed", "-", "--json", stdin=subprocess.PIPE)
    counts |= {"new": 1, "known": 1, "refused": 0}
    assert document(again, stdin="# mine\nhttps://a.example/\nhttps://c.example/\n") == counts
    rows = await peek(
        graph, "MATCH (p:Seed:Frontier) RETURN p.url AS url, p.reward AS r, p.baseReward AS b"
    )
    assert {row["url"]: (row["r"], row["b"]) for row in rows} == {
        "https://a.example/": (500.0, 500.0),
        "https://b.example/feed.xml": (500.0, 500.0),
        "https://c.example/": (100.0, 100.0),
    }  # fmt: skip


async def test_a_crawl_that_runs_picks_up_a_seed_outside_its_scope(start: Start) -> None:
    with serving(chain(60), took_s=0.05) as first, serving(chain(7)) as second:
        running = start(*CRAWL, "--scope", "host", f"{first.url}/")
        while len(first.pages) < 5:
            time.sleep(0.05)
        document(start("seed", f"{second.url}/", "--json"))
        assert running.poll() is None
        report = document(running)
        assert second.pages == {"/", *(f"/{n}" for n in range(1, 8))}
        assert report["pages"] == 67


SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"


def mapped(pages: int) -> Callable[[str], Mapping[str, Answer]]:
    """An index of two sitemaps, one of them packed, that name pages no link leads to."""

    def answers(at: str) -> Mapping[str, Answer]:
        def urls(numbers: range) -> bytes:
            locations = "".join(f"<url><loc>{at}/p/{n}</loc></url>" for n in numbers)
            return f'<?xml version="1.0"?><urlset xmlns="{SITEMAP}">{locations}</urlset>'.encode()

        maps = "".join(f"<sitemap><loc>{at}/{m}</loc></sitemap>" for m in ("a.xml", "b.xml.gz"))
        index = f'<?xml version="1.0"?><sitemapindex xmlns="{SITEMAP}">{maps}</sitemapindex>'
        return {
            "/sitemap.xml": ("application/xml", index.encode()),
            "/a.xml": ("text/xml", urls(range(2))),
            "/b.xml.gz": ("application/gzip", gzip.compress(urls(range(2, pages)))),
        } | {f"/p/{n}": ("text/html", b"<title>x</title>") for n in range(10)}

    return answers


async def test_sitemaps_and_their_index_are_read_packed_or_not(start: Start) -> None:
    with serving(mapped(5)) as site:
        document(start("seed", f"{site.url}/sitemap.xml", "--json"))
        report = document(start(*CRAWL))
    assert site.pages == {"/sitemap.xml", "/a.xml", "/b.xml.gz", *(f"/p/{n}" for n in range(5))}
    assert report["pages"] == 8
    assert report["failures"] == {}


async def test_a_sitemap_may_have_more_urls_than_a_page_has_links(
    start: Start, graph: Graph
) -> None:
    with serving(mapped(12_000)) as site:
        document(start("seed", f"{site.url}/b.xml.gz", "--json"))
        report = document(start(*CRAWL[:-3], "--max-pages", "1", "--json"))
    assert report["refused_links"] == {}
    assert report["new_neurons"] == 11_998
