"""What pages are about, told by examples; keywords; examples in files."""

import asyncio
import math
import pickle
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphcrawl.crawl.examples import Examples, topic_of
from graphcrawl.errors import TopicError
from graphcrawl.models import Fetched, FetchOutcome, NotFetched, Reason, Redirected
from graphcrawl.robots import Verdict
from graphcrawl.scoring.topic import Example, Topic, keyword_worth

MUSIC = (
    "The band plays rock music with guitars, drums and a singer on stage.",
    "A singer and guitars: rock bands record an album of songs in a studio.",
    "Drums, bass and guitars make the songs of this rock album loud.",
)
ON = "Their new album has loud guitars and songs with a singer."
OFF = (
    "The tax office sends letters about income.",
    "Rivers carry water to the sea through valleys.",
    "A recipe for bread needs flour, yeast and salt.",
)


def of(texts: tuple[str, ...] = MUSIC, measure: str = "cosine") -> Topic:
    return Topic([Example(text, "en") for text in texts], measure)  # type: ignore[arg-type]


@pytest.mark.parametrize("measure", ["cosine", "dice"])
def test_pages_on_topic_are_worth_more(measure: str) -> None:
    topic = of(measure=measure)
    for _ in range(2):
        assert topic.worth(ON, "en") > 0.5
        assert max(topic.worth(text, "en") for text in OFF) < 0.3
        for text in OFF * 10:  # learning what other pages are like keeps that
            topic.read(text, "en")


def test_one_example_is_a_topic() -> None:
    topic = of(MUSIC[:1])
    assert topic.worth(MUSIC[1]) > 0.5 > topic.worth(OFF[0])


def test_common_words_of_a_site_lose_their_weight() -> None:
    topic = of((*MUSIC, "Imprint navigation login music"))
    before = topic.similarity("Imprint navigation login: flour and yeast")
    for number in range(300):
        topic.read(f"Imprint navigation login page about thing{number} other{number}")
    assert topic.similarity("Imprint navigation login: flour and yeast") < 0.7 * before


@pytest.mark.parametrize("measure", ["cosine", "dice"])
@given(text=st.text(max_size=60))
def test_worth_is_a_share_whatever_the_text(measure: str, text: str) -> None:
    topic = TOPICS[measure]
    for value in (topic.worth(text), topic.read(text), topic.hint(text, text, text)):
        assert 0.0 <= value <= 1.0
        assert math.isfinite(value)


TOPICS = {measure: of(measure=measure) for measure in ("cosine", "dice")}


def test_texts_without_words_are_worth_nothing() -> None:
    topic = of()
    assert topic.worth("") == topic.worth("  \n ") == topic.worth("… !!") == 0.0
    assert topic.hint("", "", "https://example.org/") == 0.0
    assert 0.0 <= topic.read("word") <= 1.0


def test_megabytes_are_read_from_their_beginning() -> None:
    topic = of()
    assert topic.similarity(ON + " x" * 3_000_000) == topic.similarity(ON + " x" * 200_000)


def test_links_are_judged_by_anchor_url_and_what_stands_around() -> None:
    topic = of()
    anchor = topic.hint("Rock bands", "", "https://example.org/p/17")
    url = topic.hint("here", "", "https://example.org/music/rock-album")
    near = topic.hint("here", "songs of a singer", "https://example.org/p/17")
    host = topic.hint("here", "", "https://rock.example/p/17")
    assert min(anchor, url, near) > 0.05
    assert host == 0.0
    assert topic.hint("Rock", "", "https://e.org/rock") > topic.hint(
        "Tax", "", "https://e.org/rock"
    )


def test_readers_get_the_topic_without_what_was_learned() -> None:
    topic = of()
    fresh = topic.worth(ON)
    for text in OFF * 20:
        topic.read(text)
    assert pickle.loads(pickle.dumps(topic)).worth(ON) == fresh


@pytest.mark.parametrize("texts", [(), ("",), ("the and of",), ("word",)])
def test_an_empty_topic_is_refused(texts: tuple[str, ...]) -> None:
    with pytest.raises(TopicError, match="topic is empty"):
        of(texts)


@pytest.mark.parametrize(
    ("title", "text", "keywords", "expected"),
    [
        ("Data Scientist (m/f)", "", [("data scientist", 1.0)], 1.0),
        ("", "python, Python and PYTHON", [("python", 2.0)], 1.0),
        ("", "python", [("python", 2.0)], 1 / 3),
        ("Python", "", [("python", 3.0), ("remote", 1.0)], 0.75),
        ("Python", "casino", [("python", 1.0), ("casino", -1.5)], 0.5),
        ("Pythons", "monty-pythonesque", [("python", 1.0)], 0.0),
        ("Casino", "", [("casino", -1.0)], 0.0),
        ("Python", "", [], 0.0),
    ],
)
def test_keywords(
    title: str, text: str, keywords: list[tuple[str, float]], expected: float
) -> None:
    assert keyword_worth(title, text, keywords) == pytest.approx(expected)


def test_examples_of_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "page.html").write_text(
        f"<html lang=de><title>Band</title><script>var x</script><p>{MUSIC[0]}"
    )
    (tmp_path / "plain.txt").write_text(MUSIC[1])
    (tmp_path / ".hidden").write_text("secret words here")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
    (tmp_path / "empty.html").write_text("<p>hello")
    found = Examples.of([str(tmp_path), "https://Example.org/a#b"])
    assert [example.language for example in found.texts] == ["de", ""]
    assert found.texts[0].text.startswith("Band\nThe band plays")
    assert "var x" not in found.texts[0].text
    assert found.urls == ("https://example.org/a",)


@pytest.mark.parametrize("name", ["", "nowhere", "ftp://example.org/x", "https://"])
def test_what_is_no_example(name: str, tmp_path: Path) -> None:
    with pytest.raises(TopicError):
        Examples.of([name if not name.isalpha() else str(tmp_path / name)])


def test_a_folder_without_texts_is_an_empty_topic(tmp_path: Path) -> None:
    with pytest.raises(TopicError, match="no text in"):
        Examples.of([str(tmp_path)])
    assert Examples.of([]) == Examples()


class Web:
    """A fetcher and robots in one: pages by URL; `/no` is closed."""

    def __init__(self, **pages: str | tuple[str]) -> None:
        self.pages = pages
        self.asked: list[tuple[str, float]] = []

    async def check(self, url: str) -> Verdict:
        return Verdict(not url.endswith("/no"))

    async def get(self, url: str) -> FetchOutcome:
        self.asked.append((url, asyncio.get_running_loop().time()))
        page = self.pages.get(url.rpartition("/")[2])
        now = datetime.now(UTC)
        if isinstance(page, tuple):
            return Redirected(url, 302, page[0], page[0], False, now, 0.0)
        if page is None:
            return NotFetched(url, Reason.HTTP_CLIENT, "404", now)
        return Fetched(url, 200, page.encode(), "text/html", "", now, 0.0)


async def made(web: Web, *urls: str, delay_s: float = 0.0) -> Topic | None:
    return await topic_of(
        Examples(urls=urls), "cosine", web, web, delay_s=lambda _: delay_s, may_ask=lambda _: None
    )


async def test_examples_are_fetched_politely() -> None:
    web = Web(a=f"<p>{MUSIC[0]}", b=("http://other.example/a",), empty="<p>")
    urls = [f"http://e.example/{name}" for name in ("b", "a", "no", "gone", "empty")]
    topic = await made(web, *urls, delay_s=0.05)
    assert topic is not None
    assert len(topic.examples) == 2
    assert [url for url, _ in web.asked] == [
        urls[0], "http://other.example/a", urls[1], urls[3], urls[4],
    ]  # fmt: skip
    same_host = [at for url, at in web.asked if "e.example" in url and "other" not in url]
    assert all(later - earlier >= 0.049 for earlier, later in pairwise(same_host))


async def test_examples_that_cannot_be_had_are_an_error() -> None:
    with pytest.raises(TopicError, match="404"):
        await made(Web(), "http://e.example/gone")
    assert await made(Web()) is None
