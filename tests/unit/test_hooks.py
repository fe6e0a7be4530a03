"""Functions of a user's in a crawl, on the memory twin."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from test_crawl_loop import QUICK, SEED, Web, chain, now, states

from graphcrawl.crawl import Crawl, Stats
from graphcrawl.crawl.hooks import Hooks, Visit, grants_of
from graphcrawl.errors import UsageError
from graphcrawl.frontier import Seed
from graphcrawl.frontier_memory import MemoryFrontier
from graphcrawl.memory import MemoryGraph
from graphcrawl.models import Fetched, Grant, Page


class Reading(Web):
    """A web whose pages have a text, and earn something by the rules at /2."""

    async def read(self, fetched: Fetched, depth: int) -> Page:
        page = await super().read(fetched, depth)
        grants = (Grant("rule", 7.0, "text"),) if fetched.url.endswith("/2") else ()
        return replace(page, text=f"text of {fetched.url}", grants=grants)


async def crawl(hooks: Hooks, pages: int = 6) -> tuple[Stats, MemoryGraph]:
    web, graph = Reading(chain("a.example", pages)), MemoryGraph()
    frontier = MemoryFrontier(graph, "w")
    await frontier.seed([Seed(SEED, "a.example")])
    made = Crawl(
        hooks.frontier(frontier), web, web, hooks.readers(web), plan=QUICK, scope=web.scope,
        seeds=[SEED],
    )  # fmt: skip
    hooks.begin(made)
    async with asyncio.timeout(20):
        return await made.run(), graph


def granted(graph: MemoryGraph) -> dict[str, list[str]]:
    return {
        url.rpartition("/")[2]: [text for text in page["grants"] if "seed" not in text]
        for url, page in graph.neurons.items()
        if any("seed" not in text for text in page["grants"])
    }


def third(page: Visit) -> float:
    return 5.0 if page.url.endswith("/3") else 0.0


async def third_later(page: Visit) -> float:
    await asyncio.sleep(0)
    return third(page)


@pytest.mark.parametrize("evaluate", [third, third_later])
async def test_a_function_says_what_pages_earn_in_place_of_the_rules(
    evaluate: Callable[[Visit], Any],
) -> None:
    _, graph = await crawl(Hooks(evaluate))
    assert granted(graph) == {"3": [f"5 {evaluate.__name__} function"]}


async def test_the_rules_grants_can_be_passed_on() -> None:
    _, graph = await crawl(Hooks(lambda page: [*page.grants, Grant("mine", 1.0, "url")]))
    assert granted(graph)["2"] == ["7 rule text", "1 mine url"]
    assert granted(graph)["0"] == ["1 mine url"]


async def test_each_page_is_told_once_after_it_was_recorded() -> None:
    told: list[Visit] = []
    hooks = Hooks(third, told.append)
    hooks.text_mode("useful")
    stats, _ = await crawl(hooks)
    assert sorted(visit.url for visit in told) == [f"http://a.example/{n}" for n in range(6)]
    assert {visit.url: visit.reward for visit in told}["http://a.example/3"] == 5.0
    assert all(visit.text == f"text of {visit.url}" for visit in told)
    assert all(visit.body == visit.url.encode() == visit.html.encode() for visit in told)
    assert [visit.depth for visit in told] == list(range(6))
    assert stats.pages == 6


@pytest.mark.parametrize(
    ("mode", "kept"), [("useful", {"3"}), ("all", {"2", "3"}), ("none", set())]
)
async def test_texts_are_shown_of_all_pages_and_kept_as_the_setting_says(
    mode: Any, kept: set[str]
) -> None:
    seen: list[str] = []

    def evaluate(page: Visit) -> float:
        seen.append(page.text)
        return third(page)

    hooks = Hooks(evaluate)
    assert hooks.text_mode(mode) == ("none" if mode == "none" else "all")
    judged = set()
    for n in ("2", "3"):
        url = f"http://a.example/{n}"
        fetched = Fetched(url, 200, b"", "text/html", "", now(), 0.1)
        page = await hooks.judge(fetched, 0, Page(text=None if mode == "none" else "text"))
        judged |= {n} if page.text else set()
    assert judged == kept
    assert seen == ["" if mode == "none" else "text"] * 2


@pytest.mark.parametrize("place", ["evaluate", "on_page"])
async def test_an_error_ends_the_crawl_in_good_order(place: str) -> None:
    def broken(page: Visit) -> None:
        if page.url.endswith("/2"):
            raise ZeroDivisionError("mine")

    hooks = Hooks(**{place: broken})  # type: ignore[arg-type]
    stats, graph = await crawl(hooks, pages=200)
    assert isinstance(hooks.failure, ZeroDivisionError)
    assert stats.stop_reason == "error"
    assert stats.pages < 20
    assert "Leased" not in states(graph)
    assert states(graph)["Frontier"] == 1


@pytest.mark.parametrize(
    ("earned", "grants"),
    [
        (None, []),
        (0, []),
        (True, [Grant("f", 1.0, "function")]),
        (2.5, [Grant("f", 2.5, "function")]),
        ({"a b": 1, "c": 0.0}, [Grant("a-b", 1.0, "function")]),
        ((Grant("x", 3, "text"),), [Grant("x", 3.0, "text")]),
    ],
)
def test_what_a_function_may_return(earned: Any, grants: list[Grant]) -> None:
    assert grants_of(earned, "f") == tuple(grants)


@pytest.mark.parametrize("earned", [float("nan"), -1, "10", ["x"], {"a": "b"}, object()])
def test_what_is_no_reward_is_refused(earned: Any) -> None:
    with pytest.raises(UsageError, match="is no reward"):
        grants_of(earned, "f")
