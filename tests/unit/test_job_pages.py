"""What one fetched page says about jobs: limits, and when a reading is whole."""

import pickle
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from graphcrawl.jobs import pages
from graphcrawl.jobs.pages import Jobs, read_jobs
from graphcrawl.models import Fetched, Reading
from graphcrawl.parse import MAX_XML_BYTES, parse

URL = "http://a.example/jobs.xml"


def read(body: str, media_type: str = "application/xml", *, truncated: bool = False) -> Jobs:
    now = datetime(2026, 11, 30, tzinfo=UTC)
    fetched = Fetched(URL, 200, body.encode(), media_type, "utf-8", now, 0.1)
    fetched = replace(fetched, truncated=truncated)
    return read_jobs(parse(fetched), fetched)


def feed(count: int, filler: str = "") -> str:
    jobs = (f"<job><title>Job {n}</title><id>{n}</id>{filler}</job>" for n in range(count))
    return f"<jobs>{''.join(jobs)}</jobs>"


def test_a_large_feed_is_read_beyond_what_its_links_are_taken_from() -> None:
    found = read(feed(3000, f"<description>{'x ' * 400}</description><city>Graz</city>"))
    assert len(feed(3000, "x" * 800)) > 2 * MAX_XML_BYTES
    assert len(found.postings) == 3000
    assert found.feed is not None and found.feed.jobs == 3000
    assert found.reading == Reading(of_feed=True, records=3000)
    assert pickle.loads(pickle.dumps(found.postings)) == found.postings


def test_a_feed_that_takes_too_long_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MAX_READ_S", -1.0)
    reading = read(feed(3, "<city>Graz</city>")).reading
    assert reading is not None and (reading.whole, reading.ended) == (False, "time")


def test_a_truncated_body_is_no_whole_reading() -> None:
    reading = read(feed(2, "<city>Graz</city>"), truncated=True).reading
    assert reading is not None and not reading.whole


@pytest.mark.parametrize(
    ("body", "media_type", "reading"),
    [
        ("<jobs/>", "application/xml", Reading(of_feed=True)),
        ("<rss><channel><title>T</title></channel></rss>", "text/xml", Reading(of_feed=True)),
        ("<rss><channel><item><title>News</title></item></channel></rss>", "text/xml", None),
        ("<urlset/>", "application/xml", None),
        ("<error/>", "application/xml", None),
        ("<p>Page", "text/html", Reading()),
        ("plain", "text/plain", None),
    ],
)
def test_what_can_tell_that_jobs_are_gone(
    body: str, media_type: str, reading: Reading | None
) -> None:
    found = read(body, media_type)
    assert (found.feed, found.postings, found.reading) == (None, (), reading)


def test_a_page_states_its_types() -> None:
    body = "<script type='application/ld+json'>{'@type': ['NewsArticle', 'Article']}</script>"
    assert read(body.replace("'", '"'), "text/html").types == ("Article", "NewsArticle")
