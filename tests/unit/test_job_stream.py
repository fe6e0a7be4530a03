"""A feed in a file comes in batches, and says at the end what was met."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphcrawl.jobs import stream
from graphcrawl.jobs.pages import read_jobs
from graphcrawl.jobs.stream import BATCH_POSTINGS, FeedStream
from graphcrawl.models import Fetched, Posting, Reading
from graphcrawl.parse import parse

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def feed(count: int, text: str = "x") -> bytes:
    jobs = (
        f"<job><title>{'' if n == 7 else f'Job {n}'}</title><id>{n}</id><city>Graz</city>"
        f"<description>{text}</description></job>"
        for n in range(count)
    )
    return f"<source>{''.join(jobs)}</source>".encode()


def spooled(folder: Path, body: bytes) -> Fetched:
    file = folder / "body"
    file.write_bytes(body)
    return Fetched(
        "http://a.example/jobs.xml", 200, body[: 2**20], "text/xml", "", NOW, 0.1,
        body_bytes=len(body), spooled=str(file),
    )  # fmt: skip


def taken(fetched: Fetched) -> tuple[list[tuple[Posting, ...]], Reading]:
    opened = FeedStream(fetched)
    batches = list(iter(opened.batch, ()))
    return batches, opened.reading()


def test_batches_are_what_one_reading_in_memory_is(tmp_path: Path) -> None:
    fetched = spooled(tmp_path, feed(1203))
    batches, reading = taken(fetched)
    assert [len(batch) for batch in batches] == [BATCH_POSTINGS, BATCH_POSTINGS, 203]
    assert reading == Reading(of_feed=True, records=1203)
    in_memory = replace(fetched, body=feed(1203), spooled="", body_bytes=0)
    assert tuple(p for batch in batches for p in batch) == (
        read_jobs(parse(in_memory), in_memory).postings
    )


def test_the_page_of_a_spooled_feed_says_what_it_is_and_lists_nothing(tmp_path: Path) -> None:
    fetched = spooled(tmp_path, feed(1203))
    found = read_jobs(parse(fetched), fetched)
    assert found.feed is not None and found.feed.form == "source-job"
    assert (found.postings, found.reading) == ((), None)


def test_long_postings_make_short_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "BATCH_CHARS", 1000)
    batches, reading = taken(spooled(tmp_path, feed(10, "x" * 400)))
    assert [len(batch) for batch in batches] == [3, 3, 3, 1]
    assert reading.whole


def test_a_feed_that_was_cut_is_no_whole_reading_and_says_why(tmp_path: Path) -> None:
    body = feed(20)
    cut = replace(
        spooled(tmp_path, body[: len(body) * 2 // 3]),
        truncated=True, ended="size", unread_bytes=len(body) // 3,
    )  # fmt: skip
    batches, reading = taken(cut)
    assert 12 <= len(batches[0]) <= 14
    assert (reading.whole, reading.ended, reading.unread_bytes) == (False, "size", len(body) // 3)
    assert reading.cut == 1  # the record that is there in part
