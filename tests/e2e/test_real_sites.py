"""Two real documentation sites, crawled whole; another parser counts their links."""

from pathlib import Path
from urllib.parse import quote, unquote, urldefrag, urljoin, urlsplit

import pytest
from corpora import serve, unpack
from lxml import html
from peek import AXONS_OF_HOST, peek

from graphcrawl import look, where
from graphcrawl.config import load_settings
from graphcrawl.crawl.inputs import Inputs
from graphcrawl.crawl.run import run_crawl
from graphcrawl.graph import Graph

SITES = {
    "postgres.example": ("postgresql-doc-15", "usr/share/doc/postgresql-doc-15/html", 1169),
    "python.example": ("python3.11-doc", "usr/share/doc/python3.11/html", 526),
}
HREFS = "//a/@href | //area/@href | //iframe/@src | //frame/@src"
FEED_HREFS = "//link[contains(@rel, 'alternate') and contains(@type, 'xml')]/@href"


class Independent:
    """Follows links with lxml and urllib, sharing nothing with graphcrawl's parser and URLs."""

    def __init__(self, root: Path, start: str) -> None:
        self.pages: set[str] = set()
        self.pairs: set[tuple[str, str]] = set()
        self._root, self._site = root, start.rsplit("/", 1)[0] + "/"
        waiting = [start]
        while waiting:
            waiting += self._visit(waiting.pop())

    def _visit(self, url: str) -> list[str]:
        if url in self.pages or (file := self._file(url)) is None:
            return []
        self.pages.add(url)
        document = html.fromstring(file.read_bytes())
        hrefs = document.xpath(HREFS) + document.xpath(FEED_HREFS)
        targets = {self._clean(urljoin(url, href.strip())) for href in hrefs}
        targets = {t for t in targets if t.startswith(("http://", "https://")) and t != url}
        self.pairs |= {(url, target) for target in targets}
        return [target for target in targets if target.startswith(self._site)]

    def _file(self, url: str) -> Path | None:
        path = self._root / unquote(urlsplit(url).path).lstrip("/")
        if path.is_dir():
            path /= "index.html"
        return path if path.is_file() and path.suffix in (".html", ".htm") else None

    @staticmethod
    def _clean(url: str) -> str:
        try:
            parts = urlsplit(urldefrag(url).url)
        except ValueError:
            return ""
        path = quote(parts.path, safe="/%:@!$&'()*+,;=~") or "/"  # RFC 3986, pchar
        return parts._replace(
            scheme=parts.scheme.lower(), netloc=parts.netloc.lower(), path=path
        ).geturl()


@pytest.mark.timeout(600)
async def test_two_documentation_sites_are_crawled_whole(
    graph: Graph, pytestconfig: pytest.Config
) -> None:
    cache = Path(pytestconfig.cache.mkdir("corpora"))
    roots = {host: unpack(package, cache) / path for host, (package, path, _) in SITES.items()}
    with serve(roots) as port:
        seeds = [f"http://{host}:{port}/index.html" for host in SITES]
        settings = load_settings(
            crawl={
                "resolve": tuple(f"{host}:{port}:127.0.0.1" for host in SITES),
                "scope": "host",
                "max_pages": 0,
                "delay": 0,
                "per_host": 8,
                "text": "none",
            }
        )
        stats = await run_crawl(graph, Inputs.check(settings, seeds))
        assert stats.stop_reason == "done"
        named = zip(SITES, seeds, strict=True)
        expected = [Independent(roots[host], seed) for host, seed in named]
    terms = where.parse(["state=fetched"])
    fetched = {page.url async for page in look.pages(graph, terms, limit=0)}
    assert {page for site in expected for page in site.pages} == fetched
    for site, (host, (_, _, count)) in zip(expected, SITES.items(), strict=True):
        assert len(site.pages) == count, host
        axons = {
            (row["source"], row["target"])
            for row in await peek(graph, AXONS_OF_HOST, host=f"{host}:{port}")
        }
        assert axons == site.pairs
