"""What links show: words, surroundings, place."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphcrawl.models import Fetched, Link
from graphcrawl.parse import parse
from graphcrawl.parse.cues import ANCHOR, AROUND, FACT, PLACE, cues_of, is_navigational
from graphcrawl.parse.html import read_html
from graphcrawl.scoring.words import cue_id

PAGE = """<html><body><nav><a href=/home>Home</a></nav>
<main><p>Our company grows. See <a class="more big" href="/jobs/1">open <b>positions</b> 2024</a>
in Berlin and elsewhere.</p><ul><li><a href=/x>All</a></li></ul></main></body></html>"""


@given(st.text(max_size=400), st.text(max_size=400), st.text(max_size=60), st.text(max_size=9))
def test_cues_are_few_and_small(anchor: str, around: str, path: str, position: str) -> None:
    cues = cues_of(anchor, around, path, position)
    assert len(cues) == len(set(cues)) <= 24
    assert all(0 <= cue < 2**20 for cue in cues)


def test_cues_say_what_a_link_shows() -> None:
    cues = cues_of("Open Jobs 2", "jobs of our firm", "body>main>ul>li>a", "body")
    for namespace, word in (
        (ANCHOR, "open"), (ANCHOR, "jobs"), (AROUND, "firm"), (PLACE, "body"),
        (PLACE, "main>ul>li>a"), (PLACE, "li>a"), (FACT, "words 3"), (FACT, "numbers"),
    ):  # fmt: skip
        assert cue_id(namespace, word) in cues
    assert cue_id(AROUND, "jobs") not in cues  # the anchor has it
    assert cue_id(FACT, "navigational") not in cues


@pytest.mark.parametrize("anchor", ["Next", "« previous", " 12 ", "Home page", "Zurück", "→"])
def test_navigation_is_known(anchor: str) -> None:
    assert is_navigational(anchor)


def test_jobs_are_no_navigation() -> None:
    assert not is_navigational("Home office jobs")
    assert not is_navigational("")


def test_links_know_their_place_and_surroundings() -> None:
    home, job, every = read_html(PAGE, cues=True).found
    assert home.path.endswith("body>nav>a")
    assert job.path == "body>main>p>a.more"  # the link's class too, its first
    assert job.around.startswith("Home Our company grows. See in Berlin and elsewhere.")
    assert every.path.endswith("ul>li>a")
    assert all(not link.around and not link.path for link in read_html(PAGE).found)


def links(**wanted: object) -> dict[str, Link]:
    url = "https://example.org/"
    fetched = Fetched(url, 200, PAGE.encode(), "text/html", "", datetime.now(UTC), 0.0)
    return {link.url.rpartition("/")[2]: link for link in parse(fetched, **wanted).links}  # type: ignore[arg-type]


def test_links_have_cues_and_hints_where_they_are_wanted() -> None:
    seen = links(cues=True, hint=lambda anchor, around, url: float("Berlin" in around))
    assert cue_id(ANCHOR, "positions") in seen["1"].cues
    assert cue_id(AROUND, "berlin") in seen["1"].cues
    assert cue_id(PLACE, "nav") in seen["home"].cues
    assert seen["1"].topic_hint == 1.0
    assert seen["home"].topic_hint == 0.0
    assert all(link.cues == () and link.topic_hint == 0.0 for link in links().values())
