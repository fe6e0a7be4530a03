"""Sitemaps that robots.txt names wait in the frontier, once, and are no seeds."""

from datetime import UTC, datetime

import pytest
from worlds import Neo4jWorld

from graphcrawl.config import load_settings
from graphcrawl.crawl.origins import robots_of
from graphcrawl.crawl.sitemaps import named_sitemaps
from graphcrawl.forgotten import url_key
from graphcrawl.frontier import Seed
from graphcrawl.robots import RobotsFile
from graphcrawl.urls import Scope

A = "http://a.example/"
ORIGIN = "http://a.example:80"
RULES = """\
Sitemap: /news.xml
User-agent: *
Disallow: /private
sitemap : http://a.example/map.xml?b=2&a=1
Sitemap: http://a.example/robots.txt
Sitemap: http://b.example/map.xml
Sitemap: http://a.example/news.xml
Sitemap: http://a.example/forgotten.xml
Sitemap: mailto:me@a.example
"""


def answer(body: str = RULES, status: int = 200) -> RobotsFile:
    now = datetime.now(UTC)
    return RobotsFile(ORIGIN, status, body, now, now)


def test_sitemaps_are_canonical_once_each_and_in_scope() -> None:
    scope = Scope.of([A], "host")
    found = named_sitemaps(answer(), lambda url, depth: scope.verdict(url, depth) is None)
    assert found == [f"{A}{name}" for name in ("news.xml", "map.xml?b=2&a=1", "forgotten.xml")]
    seeds_only = Scope.of([A], "host", max_depth=0)
    assert not named_sitemaps(answer(), lambda url, depth: not seeds_only.verdict(url, depth))


async def test_they_wait_once_and_are_no_seeds(neo4j_world: Neo4jWorld) -> None:
    world, graph = neo4j_world, neo4j_world.graph
    await world.frontier("w").seed([Seed(A, "a.example", 100.0)])
    await graph.run("forget/note", key=url_key(f"{A}forgotten.xml"))
    scope = Scope.of([A], "host")

    class Web:
        async def download_robots(self, origin: str) -> RobotsFile:
            return answer()

    for worker in ("v", "w"):  # the second one downloads the file again, since it has expired
        robots = robots_of(
            graph,
            Web(),  # type: ignore[arg-type]
            worker,
            load_settings(),
            lambda url, depth: scope.verdict(url, depth) is None,
        )
        await robots.check(A)
    pages = await world.pages()
    assert set(pages) == {A, f"{A}news.xml", f"{A}map.xml?b=2&a=1"}
    news = pages[f"{A}news.xml"]
    assert "Frontier" in news["labels"]
    assert "Seed" not in news["labels"]
    assert news["reward"] == pytest.approx(1 / 3)
    assert (news["depth"], news["host"]) == (1, "a.example")
    claims = await world.frontier("w").claim(pages=9, per_host=9, lease_s=60)
    assert {claim.url for claim in claims} == set(pages)
