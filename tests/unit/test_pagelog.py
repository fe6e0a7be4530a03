"""`crawl -o`: lines are whole, added to what is there, and a full disk takes back a begun one."""

import errno
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from graphcrawl.crawl import pagelog
from graphcrawl.crawl.pagelog import PageLog
from graphcrawl.errors import GraphcrawlError, UsageError
from graphcrawl.models import (
    Claim,
    Fetched,
    FetchOutcome,
    Grant,
    JobFeed,
    Link,
    NotFetched,
    Outcome,
    Page,
    Reason,
    Redirected,
)
from graphcrawl.recorded import RecordReport

AT = datetime(2026, 1, 31, 12, tzinfo=UTC)


def outcome(path: str, fetch: FetchOutcome, page: Page | None = None) -> Outcome:
    return Outcome(Claim(f"http://a.example/{path}", "a.example", 1.0, 2, 7), fetch, page)


def fetched(path: str = "", page: Page | None = None) -> Outcome:
    body = Fetched(f"http://a.example/{path}", 200, b"<p>", "text/html", "", AT, 0.1)
    return outcome(path, body, page or Page(title="A"))


def test_lines_say_what_became_of_each_page(tmp_path: Path) -> None:
    page = Page(
        title="A\nB",
        language="de",
        links=(Link("http://b.example/", "b.example"),),
        grants=(Grant("job", 2.5, "text"),),
        feed=JobFeed("rss", 3),
        digest="ab",
    )
    gone = NotFetched("http://a.example/x", Reason.HTTP_CLIENT, "404", AT, status=404)
    moved = Redirected("http://a.example/y", 301, "http://a.example/z", "z", True, AT, 0.1)
    path = tmp_path / "pages.jsonl"
    report = RecordReport(refused=("http://a.example/lost",))
    with PageLog.open(path) as log:
        assert log is not None
        log.tell([fetched("a", page), outcome("x", gone), fetched("lost")], report)
        assert len(path.read_text().splitlines()) == 2  # as it goes
        log.tell([outcome("y", moved)], report)
    a, x, y = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    assert a.keys() == x.keys() == y.keys()
    assert (a["outcome"], a["title"], a["links"], a["reward"]) == ("fetched", "A\nB", 1, 2.5)
    assert (a["grants"], a["feed"], a["jobs"]) == (["2.5 job text"], "rss", 3)
    assert a["at"] == "2026-01-31T12:00:00.000Z"
    assert (x["outcome"], x["status"], x["reason"]) == ("not fetched", 404, "http-4xx")
    assert (y["outcome"], y["redirect"], y["title"]) == ("redirected", "http://a.example/z", None)


def test_a_run_adds_to_what_is_there_and_mends_a_cut_line(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_text('{"url": 1}\n{"url": ' + "2" * 100_000)
    pagelog.check(path)
    with PageLog.open(path) as log:
        assert log is not None
        log.tell([fetched()], RecordReport())
    first, second = map(json.loads, path.read_text().splitlines())
    assert (first["url"], second["url"]) == (1, "http://a.example/")


def test_a_full_disk_takes_back_the_batch(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    with PageLog.open(path) as log:
        assert log is not None
        log.tell([fetched()], RecordReport())
        before = path.read_bytes()

        class Full:
            def __init__(self, file: Any) -> None:
                self._file = file

            def __getattr__(self, name: str) -> Any:
                return getattr(self._file, name)

            def write(self, data: bytes) -> int:
                if len(data) < 200:
                    raise OSError(errno.ENOSPC, "No space left on device")
                return int(self._file.write(data[:200]))

        log._file = Full(log._file)
        with pytest.raises(GraphcrawlError, match="No space left"):
            log.tell([fetched("b"), fetched("c")], RecordReport())
    assert path.read_bytes() == before


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text.jsonl").write_text("url,title\n")
    for name in ("a.csv", "nowhere/a.jsonl", "text.jsonl"):
        with pytest.raises(UsageError) as caught:
            pagelog.check(tmp_path / name)
        assert caught.value.hint
    assert (tmp_path / "text.jsonl").read_text() == "url,title\n"
    pagelog.check(tmp_path / "new.jsonl")
    with PageLog.open(None) as log:
        assert log is None
