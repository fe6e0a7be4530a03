"""Folding pages: what stands for what, and that no reward is made or lost on the way."""

from collections import defaultdict
from datetime import UTC, datetime
from itertools import count
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphcrawl.folding import Facts, decide
from graphcrawl.memory import MemoryGraph
from graphcrawl.models import (
    Claim,
    Fetched,
    FetchOutcome,
    Grant,
    Link,
    NotFetched,
    Outcome,
    Page,
    Reason,
    Redirected,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)
A, B, C, D, HOME = (f"http://h.example/{name}" for name in ("a", "b", "c", "d", ""))
PAGES = (A, B, C, D, HOME, "http://g.example/x")


def page(url: str, **facts: object) -> Facts:
    return Facts(url, **({"fetched": True, "digest": url} | facts))  # type: ignore[arg-type]


def decided(*pages: Facts) -> dict[str, str | None]:
    return decide({p.url: p for p in pages}, [p.url for p in pages])


def test_a_canonical_is_followed_to_a_page_with_content() -> None:
    assert decided(page(A, canonical=B), page(B)) == {A: B, B: None}


@pytest.mark.parametrize(
    "target",
    [
        page(B, fetched=False),  # dead, or not asked for yet
        page(B, fetched=False, redirect=A),  # case 13: its target leads back
        page(B, canonical=A),  # each names the other
        page(B, pruned=True),
    ],
)
def test_a_canonical_is_not_followed_into_nothing(target: Facts) -> None:
    assert decided(page(A, canonical=B), target)[A] is None


def test_a_page_not_read_has_no_canonical() -> None:
    assert decided(page(A, fetched=False, canonical=B), page(B)) == {A: None, B: None}


def test_the_home_page_stands_for_its_own_bytes_only() -> None:
    assert decided(page(A, canonical=HOME), page(HOME))[A] is None
    assert decided(page(A, canonical=HOME, digest="d"), page(HOME, digest="d"))[A] == HOME
    assert decided(page(HOME + "?lang=de", canonical=HOME), page(HOME))[HOME + "?lang=de"] == HOME


def test_chains_end_at_their_last_page() -> None:
    found = decided(
        page(A, canonical=B), page(B, fetched=False, redirect=C), page(C, canonical=D), page(D)
    )
    assert found == {A: D, B: D, C: D, D: None}


def test_a_ring_of_redirects_leaves_one_page_for_itself() -> None:
    ring = [page(a, fetched=False, redirect=b) for a, b in ((A, B), (B, C), (C, A))]
    found = decided(*ring)
    assert list(found.values()).count(C) == 2
    assert found[C] is None


class Web:
    """A graph in memory whose pages are visited in any order, again and again."""

    def __init__(self) -> None:
        self.graph = MemoryGraph()
        self.links: set[tuple[str, str]] = set()
        self.tokens = count(1)
        for url in PAGES:
            neuron = self.graph.neuron(url)
            self.graph.bear(neuron, url.split("/")[2], depth=0, redirects=0, reward=64.0)

    def visit(self, url: str, kind: str, target: str, links: list[str], points: int) -> None:
        claim = Claim(url, url.split("/")[2], 0.0, 0, next(self.tokens))
        neuron = self.graph.neurons[url]
        neuron["labels"].add("Leased")
        neuron |= {"token": claim.token, "leasedBy": "w", "leasedUntil": NOW}
        made: Page | None = None
        fetch: FetchOutcome
        if kind == "redirect":
            fetch = Redirected(url, 301, target, target, True, NOW, 0.1)
        elif kind == "fail":
            fetch = NotFetched(url, Reason.HTTP_CLIENT, "status 410", NOW, status=410)
        else:
            named = target if kind == "canonical" else ""
            linked = dict.fromkeys([*links, *([named] if named else [])])
            fetch = Fetched(url, 200, b"", "text/html", "", NOW, 0.1)
            made = Page(
                links=tuple(Link(u, u.split("/")[2]) for u in linked),
                canonical=named if named != url else "",
                grants=(Grant(f"rule{claim.token}", float(points), "text"),) if points else (),
                digest="same" if points == 3 else url,
            )
            self.links |= {(url, u) for u in linked if u != url}
        before = self.total()
        report = self.graph.record([Outcome(claim, fetch, made)], [])
        paid = report.granted + report.minted + report.paid
        assert self.total() == pytest.approx(before + paid)
        self.check()

    def total(self) -> float:
        return sum(float(neuron.get("reward", 0.0)) for neuron in self.graph.neurons.values())

    def check(self) -> None:
        neurons, axons = self.graph.neurons, self.graph.axons
        of = {u: n["aliasOf"] for u, n in neurons.items() if "aliasOf" in n}
        for url, end in of.items():
            assert end not in of and end != url
            assert neurons[url]["reward"] == 0.0
            assert "Alias" in neurons[url]["labels"]
            assert url in self.graph.redirects or url in self.graph.canonicals
        own = {pair for pair, axon in axons.items() if axon["links"]}
        assert own | self.graph.alias_axons.keys() == self.links
        assert not own & self.graph.alias_axons.keys()
        carried: dict[tuple[str, str], int] = defaultdict(int)
        for source, target in self.graph.alias_axons:
            assert source in of or target in of
            ends = of.get(source, source), of.get(target, target)
            if ends[0] != ends[1]:
                carried[ends] += 1
        assert {
            pair: axon["aliases"] for pair, axon in axons.items() if "aliases" in axon
        } == carried
        assert axons.keys() == own | carried.keys()
        strength: dict[str, float] = defaultdict(float)
        for pair, axon in axons.items():
            assert not of.keys() & set(pair)
            for url in pair:
                strength[url] += axon["weight"]
        for url, neuron in neurons.items():
            assert neuron["strength"] == pytest.approx(strength[url])
            assert neuron["inLinks"] == sum(target == url for _, target in axons)


@given(st.integers(0, 2**32))
@settings(max_examples=100, deadline=None)
def test_reward_and_links_are_moved_and_never_made_or_lost(seed: int) -> None:
    """Chains, rings, mutual canonicals, failures: the sum holds, and all can be given back."""
    web, rng = Web(), Random(seed)
    pages = PAGES[: rng.randint(3, len(PAGES))]
    for _ in range(30):
        kind = rng.choice(["canonical", "canonical", "redirect", "redirect", "page", "fail"])
        links = [rng.choice(pages) for _ in range(rng.randint(0, 3))]
        web.visit(rng.choice(pages), kind, rng.choice(pages), links, rng.randint(0, 3))
    for url in PAGES:
        web.visit(url, "page", url, [], 0)
    assert not any("aliasOf" in neuron for neuron in web.graph.neurons.values())
    assert web.graph.axons.keys() == web.links
    assert not web.graph.alias_axons


def test_each_gets_back_what_it_handed_over() -> None:
    web = Web()
    web.visit(A, "redirect", B, [], 0)
    web.visit(B, "redirect", C, [], 0)
    web.visit(D, "page", D, [A, B], 0)
    rewards = {u: n["reward"] for u, n in web.graph.neurons.items()}
    assert (rewards[A], rewards[B], rewards[C]) == (0.0, 0.0, 192.0)
    assert web.graph.axons[D, C]["aliases"] == 2
    web.visit(B, "page", B, [], 0)  # A follows B, and stays folded into it
    rewards = {u: n["reward"] for u, n in web.graph.neurons.items()}
    assert (rewards[A], rewards[B], rewards[C]) == (0.0, 128.0, 64.0)
    assert (D, C) not in web.graph.axons
    assert web.graph.axons[D, B] | {"aliases": 1, "links": 1} == web.graph.axons[D, B]
    web.visit(A, "page", A, [], 0)
    rewards = {u: n["reward"] for u, n in web.graph.neurons.items()}
    assert (rewards[A], rewards[B], rewards[C]) == (64.0, 64.0, 64.0)
