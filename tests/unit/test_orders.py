"""The orders: what each goes by."""

from dataclasses import replace
from typing import get_args

import pytest

from graphcrawl.scoring.candidate import Candidate
from graphcrawl.scoring.orders import OrderName, order_of
from graphcrawl.scoring.quality import Quality

PLAIN = Candidate(url="http://a.org/", host="a.org", number=5)


def ranking(by: OrderName, *pages: Candidate) -> list[int]:
    """Return the places of pages in the order in which they would be fetched."""
    scores = order_of(by, quality=Quality()).score(pages)
    return sorted(range(len(pages)), key=lambda n: -scores[n])


@pytest.mark.parametrize("by", get_args(OrderName))
def test_parts_of_each_order_sum_to_its_score(by: OrderName) -> None:
    order = order_of(by, quality=Quality())
    page = replace(PLAIN, reward=3.0, cash=0.2, feed_hint=0.5, topic_hint=0.4, parent_best=0.3)
    order.learn(page, 0.5)
    parts = order.explain(page)
    assert sum(part.part for part in parts) == pytest.approx(order.score([page])[0])
    assert order.wants_cues == order.learns == (by in ("composite", "quality"))


def test_reward_is_as_the_graph_has_it() -> None:
    page = replace(PLAIN, reward=3.5, feed_hint=0.5)
    assert order_of("reward").score([page]) == [53.5]


def test_first_found_first_and_last_found_first() -> None:
    pages = [replace(PLAIN, number=n) for n in (10**8, 2, 10**8 - 1)]
    assert ranking("bfs", *pages) == [1, 2, 0]
    assert ranking("dfs", *pages) == [0, 2, 1]


def test_topic_goes_by_parents_and_links() -> None:
    pages = [replace(PLAIN, topic_hint=0.4), replace(PLAIN, parent_best=0.9), PLAIN]
    assert ranking("topic", *pages) == [1, 0, 2]


def test_importance_goes_by_what_was_handed_on() -> None:
    pages = [PLAIN, replace(PLAIN, cash=0.5)]
    assert ranking("opic", *pages) == ranking("pagerank", *pages) == [1, 0]


def test_random_draws_by_seed_and_url_alone() -> None:
    pages = [replace(PLAIN, url=f"http://a.org/{n}") for n in range(50)]
    changed = [replace(page, number=n, reward=n) for n, page in enumerate(pages)]
    assert order_of("random").score(pages) == order_of("random").score(changed)
    assert order_of("random").score(pages) != order_of("random", seed=1).score(pages)


def test_quality_needs_its_scorer() -> None:
    with pytest.raises(ValueError, match="quality"):
        order_of("quality")
