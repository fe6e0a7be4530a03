"""Other orders on what was crawled: webs of rows, harvests and the flow by hand."""

from typing import Any, get_args

import pytest

from graphcrawl.config import Settings
from graphcrawl.crawled import CrawledWeb, web_of
from graphcrawl.errors import UsageError
from graphcrawl.parse.cues import cues_of
from graphcrawl.replay import Axons
from graphcrawl.scoring.evidence import lineage_cue
from graphcrawl.scoring.orders import OrderName
from graphcrawl.simulate import (
    CRAWLED,
    harvest_of,
    neural_flow,
    page_rank,
    read_orders,
    simulate,
    steady_flow,
)


def page(url: str, **facts: Any) -> dict[str, Any]:
    row = {"url": url, "host": url.split("/")[2], "seed": False, "redirect": None, "feed": False}
    return row | {"points": 0.0, "worth": 0.0, "topicHint": 0.0} | facts


def link(source: str, target: str, anchor: str = "") -> dict[str, Any]:
    row = {"source": source, "target": target, "weight": 1.0, "anchor": anchor}
    return row | {"position": "nav", "rel": None}


HOME, GOOD, POOR, OLD, FEED = (f"http://a.example/{n}" for n in ("", "good", "poor", "old", "x"))


def small() -> CrawledWeb:
    """Make a home page that leads to a poor page, and by a redirect to a good one with a feed."""
    pages = [
        page(HOME, seed=True),
        page(POOR),
        page(OLD, redirect=GOOD),
        page(GOOD, worth=0.5, points=7.0, topicHint=0.25),
        page(FEED, feed=True, worth=1.0),
    ]
    links = [
        link(HOME, POOR, "Poor"),
        link(HOME, OLD, "Old"),
        link(GOOD, FEED, "Jobs as XML feed"),
        link(GOOD, "http://a.example/never-fetched"),
        link(GOOD, GOOD),
    ]
    return web_of(pages, links)


def test_what_was_crawled_is_a_web() -> None:
    web = small()
    assert len(web) == 5
    assert web.seeds == (0,)
    assert [link.target for link in web.fetch(0).links] == [1, 2]
    assert web.fetch(0).links[0].cues == (
        lineage_cue(HOME),
        *cues_of("Poor", "", "", "nav"),
    )
    assert (web.fetch(2).redirects, [link.target for link in web.fetch(2).links]) == (True, [3])
    assert (web.fetch(3).worth, web.fetch(3).points, web.fetch(3).feed) == (0.5, 7.0, -1)
    assert [(link.target, link.feed_hint) for link in web.fetch(3).links] == [(4, 1.0)]
    assert web.fetch(4).feed == 4


def test_a_harvest_by_hand() -> None:
    """Worths 0, .5, 1 and a page that is never reached: areas 0, .25, 1, 1.5 of 4 x 1.5."""
    web = web_of(
        [page(HOME), page(GOOD, worth=0.5), page(FEED, worth=1.0, feed=True), page(POOR)], []
    )
    harvest = harvest_of("x", web, [0, 1, 2])
    assert (harvest.pages, harvest.worth, harvest.feeds) == (3, 1.5, 1)
    assert harvest.auc == pytest.approx((0.25 + 1.0 + 1.5) / (4 * 1.5))
    assert [(p.pages, p.worth, p.feeds) for p in harvest.curve] == [
        (0, 0.0, 0),
        (1, 0.0, 0),
        (2, 0.5, 0),
        (3, 1.5, 1),
    ]
    assert (harvest.half_feeds, harvest.all_feeds) == (3, 3)
    assert harvest_of("x", web, [0, 1]).all_feeds is None
    assert harvest.shares["0.5"] == pytest.approx(1 / 3)
    assert web.seeds == (0,), "the first page where nobody named a seed"


def test_orders_are_replayed() -> None:
    found = {h.order: h for h in simulate(small(), get_args(OrderName), Settings())}
    assert set(found) == {CRAWLED, *get_args(OrderName)}
    for harvest in found.values():
        assert (harvest.pages, harvest.worth, harvest.feeds) == (5, 1.5, 1)
    assert [p.worth for p in found["bfs"].curve] == [0.0, 0.0, 0.0, 0.0, 0.5, 1.5]


def test_an_empty_graph_has_no_harvest() -> None:
    (crawled, bfs) = simulate(web_of([], []), ("bfs",), Settings())
    assert (crawled.auc, bfs.auc, bfs.pages) == (0.0, 0.0, 0)


def test_the_flow_is_that_of_the_product() -> None:
    """r' = 0.9 r + 0.1 Pᵀ r, by hand: page 0 has weights 1 and 3 to pages 1 and 2."""
    axons = Axons([0, 2], [1, 0], [1.0, 3.0])
    after = neural_flow(0.1, 0.1)([8.0, 4.0, 0.0, 5.0], [0.0] * 4, [4.0, 1.0, 3.0, 0.0], axons)
    assert after == pytest.approx([0.9 * 8 + 0.1 * 4, 0.9 * 4 + 0.1 * 2, 0.1 * 6, 4.5])


def test_the_steady_flow_rests() -> None:
    """Of two pages with one axon, r = base / 2 + half the other: (8, 4) rests at (20/3, 16/3)."""
    axons = Axons([0], [1], [2.0])
    after = steady_flow(0.5)([0.0, 0.0, 9.0], [8.0, 4.0, 2.0], [2.0, 2.0, 0.0], axons)
    assert after == pytest.approx([20 / 3, 16 / 3, 1.0], rel=2e-3)


def test_pagerank_by_hand() -> None:
    """0 and 1 link to each other, 2 to 0: rank 2 is 0.15, so 0 has 0.15 + 0.85 (0.15 + r1)."""
    ranks = page_rank([0.0] * 3, [], [], Axons([0, 1, 2], [1, 0, 0], [1.0] * 3))
    r0 = (0.15 + 0.85 * 0.15 + 0.85 * 0.15) / (1 - 0.85**2)
    assert ranks == pytest.approx([r0, 0.15 + 0.85 * r0, 0.15], abs=0.05)


@pytest.mark.parametrize("text", ["", ",", "best", "bfs,best"])
def test_orders_that_cannot_be_replayed_are_refused(text: str) -> None:
    with pytest.raises(UsageError):
        read_orders(text)


def test_names_of_orders_are_read() -> None:
    assert read_orders(" bfs, composite,bfs ") == ("bfs", "composite")
