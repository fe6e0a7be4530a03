"""`crawl -o FILE.jsonl`: a line for each page, written as soon as the page is in the graph.

A run adds to what the file has, as the graph does. Each line is whole: where the disk is full the
begun one is taken back, and the crawl stops in good order.
"""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, cast

from graphcrawl.errors import GraphcrawlError, UsageError
from graphcrawl.models import Fetched, NotFetched, Outcome, Redirected
from graphcrawl.recorded import RecordReport

_ENDINGS = (".jsonl", ".ndjson")


def check(path: Path) -> None:
    """Look whether lines can be added to a file, before anything is fetched.

    Raises:
        UsageError: It has another ending or no folder, or something else is in it.
    """
    if path.suffix.lower() not in _ENDINGS:
        raise UsageError(
            f"Cannot write pages to {str(path)!r}: they are JSON lines.",
            "Name a file that ends in .jsonl; other forms: graphcrawl export pages -o FILE.csv",
        )
    if path.is_dir() or not path.parent.is_dir():
        problem = "a folder" if path.is_dir() else "no such folder"
        raise UsageError(
            f"Cannot write the file {path}: {problem}.", "Name a file in a folder that exists."
        )
    try:
        with path.open("rb") as file:
            is_ours = file.read(1) in (b"", b"{")
    except FileNotFoundError:
        return
    except OSError as error:
        raise _refused(path, error) from error
    if not is_ours:
        raise UsageError(f"The file {path} exists, and holds no JSON lines.", "Name another one.")


class PageLog:
    """A file that grows by a line a page."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path, self._file = path, file

    @classmethod
    @contextmanager
    def open(cls, path: Path | None) -> Iterator["PageLog | None"]:
        """Open a file to add to; None gives None.

        Raises:
            UsageError: It cannot be written.
        """
        if path is None:
            yield None
            return
        try:
            opened = path.open("a+b", buffering=0)
        except OSError as error:
            raise _refused(path, error) from error
        with opened as file:
            _end_line(cast("BinaryIO", file))
            yield cls(path, cast("BinaryIO", file))

    def tell(self, outcomes: Sequence[Outcome], report: RecordReport) -> None:
        """Write the pages of a recorded batch.

        Raises:
            GraphcrawlError: The disk is full or broken; the file ends with the batch before.
        """
        lost = {*report.refused, *report.unrecordable}
        lines = [
            json.dumps(line_of(outcome), ensure_ascii=False) + "\n"
            for outcome in outcomes
            if outcome.claim.url not in lost
        ]
        data = "".join(lines).encode()
        before = self._file.seek(0, os.SEEK_END)
        try:
            written = 0
            while written < len(data):
                written += self._file.write(data[written:])
        except OSError as error:
            self._file.truncate(before)
            raise GraphcrawlError(
                f"Cannot write the file {self._path}: {error.strerror or error}. "
                "The pages are in the graph.",
                "Free some space, or name another file; then go on with the same command.",
            ) from error


def line_of(outcome: Outcome) -> dict[str, Any]:
    """Return what the file says of a page; keys that say nothing of it are null."""
    claim, fetch, page = outcome.claim, outcome.fetch, outcome.page
    line: dict[str, Any] = {
        "url": claim.url,
        "host": claim.host,
        "depth": claim.depth,
        "at": _iso(fetch.fetched_at),
        "outcome": "not fetched",
        "status": fetch.status,
        "reason": None,
        "error": None,
        "redirect": None,
        "content_type": None,
        "bytes": None,
        "title": None,
        "language": None,
        "links": None,
        "reward": None,
        "grants": None,
        "feed": None,
        "jobs": None,
        "digest": None,
    }
    match fetch:
        case Redirected():
            line |= {"outcome": "redirected", "redirect": fetch.target}
        case NotFetched():
            line |= {"reason": str(fetch.reason), "error": fetch.detail}
        case Fetched():
            line |= {
                "outcome": "fetched",
                "content_type": fetch.content_type,
                "bytes": fetch.size_bytes,
            }
    if page is not None and isinstance(fetch, Fetched):
        line |= {
            "title": page.title,
            "language": page.language,
            "links": len(page.links),
            "reward": sum(grant.points for grant in page.grants),
            "grants": [f"{grant.points:g} {grant.rule} {grant.place}" for grant in page.grants],
            "feed": page.feed.form if page.feed else None,
            "jobs": page.feed.jobs if page.feed else None,
            "digest": page.digest,
        }
    return line


def _iso(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _end_line(file: BinaryIO) -> None:
    """Take back a line that a crash cut in two."""
    size = file.seek(0, os.SEEK_END)
    end = size
    while end > 0:
        begin = max(0, end - 2**16)
        file.seek(begin)
        found = file.read(end - begin).rfind(b"\n")
        if found >= 0:
            end = begin + found + 1
            break
        end = begin
    if end < size:
        file.truncate(end)


def _refused(path: Path, error: OSError) -> UsageError:
    return UsageError(
        f"Cannot write the file {path}: {error.strerror or error}.",
        "Name a file in a folder that you may write to.",
    )
