"""tdmrep.json: what it reserves, how often it is asked for, and what goes before it."""

import asyncio
import json
from datetime import UTC, datetime, timedelta

import pytest

from graphcrawl.models import Reason
from graphcrawl.parse.wishes import read_wishes
from graphcrawl.robots import RobotsFile
from graphcrawl.tdmrep import PATH, Lines, Reservations, lines_for, parse_reservations

O = "http://h.example:80"  # noqa: E741
RULES = [
    {"location": "/", "tdm-reservation": 1, "tdm-policy": "https://h.example/policy.json"},
    {"location": "/free/", "tdm-reservation": 0},
    {"location": "/free/*.jpg$", "tdm-reservation": "1"},
    {"location": "/tie", "tdm-reservation": 0},
    {"location": "/tie", "tdm-reservation": 1},
]


def reserved(path: str, rules: object) -> Lines:
    return lines_for(f"http://h.example{path}", parse_reservations(json.dumps(rules)))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/", True),
        ("/free/page", False),
        ("/free/a.jpg", True),
        ("/free/a.jpg?x", False),
        ("/free", True),
        ("/tie", True),  # the stricter of two that are as long
    ],
)
def test_the_longest_pattern_that_matches_counts(path: str, expected: bool) -> None:
    assert bool(reserved(path, RULES)) is expected


def test_the_policy_comes_along_and_one_object_alone_is_read() -> None:
    lines = reserved("/", RULES[0])
    assert read_wishes((), lines).all == (
        "tdm-policy=https://h.example/policy.json",
        "tdm-reserved",
    )
    assert read_wishes((), lines).reserved


@pytest.mark.parametrize(
    "text",
    ["", "<html>", "[", "1", "null", '["x"]', '[{"location": 1, "tdm-reservation": 1}]',
     '[{"location": "/"}]', '[{"location": "", "tdm-reservation": 1}]',
     '[{"location": "/", "tdm-reservation": 2}]', "[" * 100_000],
)  # fmt: skip
def test_junk_reserves_nothing(text: str) -> None:
    assert parse_reservations(text) == ()


@pytest.mark.parametrize(
    ("metas", "headers", "expected"),
    [
        ([], [], True),
        ([("tdm-reservation", "0")], [], False),
        ([], [("tdm-reservation", "0")], False),
        ([], [("tdm-reservation", "what")], True),
        ([("robots", "noindex")], [("x-robots-tag", "noarchive")], True),
    ],
)
def test_what_the_page_says_goes_before_it(
    metas: list[tuple[str, str]], headers: list[tuple[str, str]], expected: bool
) -> None:
    found = read_wishes(metas, [*headers, *reserved("/", RULES)])
    assert ("tdm-reserved" in found.all) is expected
    assert any(wish.startswith("tdm-policy") for wish in found.all) is expected


class Graph:
    """Downloads, and what the graph keeps."""

    def __init__(self, file: RobotsFile | None = None, *, allowed: bool = True) -> None:
        self.answer, self.allowed = file, allowed
        self.time = datetime(2030, 1, 1, tzinfo=UTC)
        self.kept: dict[str, RobotsFile] = {}
        self.asked: list[str] = []
        self.released = 0
        self.claims: set[str] = set()

    def worker(self) -> Reservations:
        return Reservations(
            self.download, self.may, load=self.load, save=self.save, claim=self.claim,
            release=self.release, now=lambda: self.time, own_hosts=["mine.example"],
        )  # fmt: skip

    async def download(self, origin: str, path: str) -> RobotsFile:
        self.asked.append(origin + path)
        await asyncio.sleep(0.01)
        if self.answer is None:
            raise RuntimeError("a defect")
        return self.answer

    async def may(self, url: str) -> bool:
        assert url == O + PATH
        return self.allowed

    async def load(self, origin: str) -> RobotsFile | None:
        return self.kept.get(origin)

    async def save(self, file: RobotsFile) -> None:
        self.kept[file.origin] = file

    async def claim(self, origin: str) -> bool:
        if origin in self.claims:
            return False
        self.claims.add(origin)
        return True

    async def release(self, origin: str) -> None:
        self.released += 1
        self.claims.discard(origin)


def answer(status: int | None, body: object = RULES, cause: Reason | None = None) -> RobotsFile:
    at = datetime(2030, 1, 1, tzinfo=UTC)
    return RobotsFile(O, status, json.dumps(body), at, at, cause=cause)


async def test_it_is_asked_for_once_a_day_however_many_ask() -> None:
    graph = Graph(answer(200))
    one, other = graph.worker(), graph.worker()
    pages = [f"http://h.example/{n}" for n in range(5)]
    found = await asyncio.gather(*(w.check(p) for p in pages for w in (one, other)))
    assert graph.asked == [O + PATH]
    assert sum(asked for _, asked in found) == 1
    assert all(lines for lines, _ in found)
    graph.claims.clear()
    graph.time += timedelta(hours=23)
    assert (await one.check(pages[0]))[1] is False
    graph.time += timedelta(hours=1)
    assert (await one.check(pages[0]))[1] is True


@pytest.mark.parametrize(
    ("file", "hours"),
    [(answer(404), 24), (answer(200, []), 24), (answer(503), 1), (answer(None), 1)],
)
async def test_one_that_reserves_nothing_is_kept_as_that(file: RobotsFile, hours: int) -> None:
    graph = Graph(file)
    await graph.worker().check("http://h.example/")
    kept = graph.kept[O]
    assert kept.expires_at - kept.fetched_at == timedelta(hours=hours)
    assert (kept.body == "") is (file.body == "[]" or file.status == 200 or kept.body == "")


async def test_a_file_that_robots_txt_closes_is_not_asked_for() -> None:
    graph = Graph(answer(200), allowed=False)
    assert await graph.worker().check("http://h.example/") == ((), False)
    assert (graph.asked, O in graph.kept) == ([], True)
    assert await graph.worker().check("http://mine.example/") == ((), False)


async def test_a_dead_proxy_or_a_defect_keeps_nothing_and_holds_up_nobody() -> None:
    graph = Graph(answer(None, cause=Reason.PROXY))
    assert await graph.worker().check("http://h.example/") == ((), False)
    graph.answer = None
    with pytest.raises(RuntimeError):
        await graph.worker().check("http://h.example/")
    assert (graph.kept, graph.released, graph.claims) == ({}, 2, set())
