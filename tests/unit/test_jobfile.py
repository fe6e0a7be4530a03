"""Files of jobs: what a spreadsheet, a script and a data frame read back."""

import csv
import json
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from arro3.io import read_parquet

from graphcrawl import jobfile
from graphcrawl.errors import GraphcrawlError, UsageError
from graphcrawl.joblist import JobRow, parse_since

SEEN = datetime(2026, 1, 31, 10, 0, 0, 123456, tzinfo=UTC)


def job(number: str = "1", **values: Any) -> JobRow:
    plain: dict[str, Any] = dict.fromkeys(JobRow.__dataclass_fields__)
    return JobRow(**(plain | {"id": number, "first_seen_at": SEEN} | values))


async def each(jobs: list[JobRow]) -> AsyncIterator[JobRow]:
    for one in jobs:
        yield one


JOBS = [
    job("1", title='Nurse, "head"', posted=date(2026, 1, 30), description="Line 1\nLine 2"),
    job("2", title="=HYPERLINK(1)", company="@acme", posted=datetime(2026, 1, 30, 15, tzinfo=UTC)),
    job("3", title="Soudeur à Liège 🙂", gone_at=SEEN.astimezone(timezone(timedelta(hours=2)))),
]


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("=1+1", "'=1+1"),
        ("+49 30", "'+49 30"),
        ("-1", "'-1"),
        ("@sum", "'@sum"),
        ("\t=1", "'\t'=1"),
        ("\r=1", "'\r'=1"),
        ("\uff1d1", "'\uff1d1"),
        ("a=1", "a=1"),
        ("", ""),
        ("'=1", "'=1"),
    ],
)
def test_cells_are_no_formulas(text: str, safe: str) -> None:
    assert jobfile.safe_cell(text) == safe


async def test_csv(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    assert await jobfile.write(path, each(JOBS)) == 3
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["title"] for row in rows] == [
        'Nurse, "head"', "'=HYPERLINK(1)", "Soudeur à Liège 🙂",
    ]  # fmt: skip
    assert rows[0]["description"] == "Line 1\nLine 2"
    assert [row["posted"] for row in rows] == ["2026-01-30", "2026-01-30T15:00:00Z", ""]
    assert rows[2]["gone_at"] == "2026-01-31T10:00:00.123456Z"


async def test_jsonl(tmp_path: Path) -> None:
    path = tmp_path / "jobs.ndjson"
    assert await jobfile.write(path, each(JOBS)) == 3
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]
    assert [row["id"] for row in rows] == ["1", "2", "3"]
    assert rows[1]["title"] == "=HYPERLINK(1)"  # only CSV is read by spreadsheets
    assert rows[0]["gone_at"] is None
    assert rows[0]["first_seen_at"] == "2026-01-31T10:00:00.123456Z"


@pytest.mark.parametrize("number", [0, 3, 2500])
async def test_parquet(tmp_path: Path, number: int) -> None:
    path = tmp_path / "jobs.parquet"
    jobs = [*JOBS, *(job(str(n)) for n in range(4, number + 1))][:number]
    assert await jobfile.write(path, each(jobs)) == number
    reader = read_parquet(path)
    assert reader.schema.field("first_seen_at").type.tz == "UTC"
    rows = [row for batch in reader for row in batch.to_struct_array().to_pylist()]
    assert [row["id"] for row in rows] == [str(n) for n in range(1, number + 1)]
    if number:
        assert rows[2]["gone_at"] == SEEN
        assert rows[2]["title"] == "Soudeur à Liège 🙂"
        assert (rows[0]["posted"], rows[0]["gone_at"]) == ("2026-01-30", None)


@pytest.mark.parametrize("name", ["jobs.csv", "jobs.jsonl", "jobs.parquet"])
async def test_a_failure_leaves_what_was_there(tmp_path: Path, name: str) -> None:
    async def broken() -> AsyncIterator[JobRow]:
        yield job()
        raise GraphcrawlError("the graph is gone")

    (tmp_path / name).write_text("old")
    with pytest.raises(GraphcrawlError, match="the graph is gone"):
        await jobfile.write(tmp_path / name, broken())
    assert (tmp_path / name).read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["jobs.csv", "jobs.jsonl", "jobs.parquet"])
async def test_a_full_disk_is_told(tmp_path: Path, name: str) -> None:
    """/dev/full takes no byte; the part file is a link to it."""
    (tmp_path / f"{name}.part").symlink_to("/dev/full")
    with pytest.raises(GraphcrawlError, match="No space left on device"):
        await jobfile.write(tmp_path / name, each(JOBS))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["jobs.xlsx", "jobs", "nowhere/jobs.csv", "folder.csv"])
def test_names_that_cannot_be_written(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(UsageError):
        jobfile.form_of(tmp_path / name)


NOW = datetime(2026, 1, 31, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2d", datetime(2026, 1, 29, 12, tzinfo=UTC)),
        ("90m", datetime(2026, 1, 31, 10, 30, tzinfo=UTC)),
        ("2026-01-30", datetime(2026, 1, 30, tzinfo=UTC)),
        ("2026-01-30T10:00+02:00", datetime(2026, 1, 30, 8, tzinfo=UTC)),
        ("2026-01-30T10:00Z", datetime(2026, 1, 30, 10, tzinfo=UTC)),
    ],
)
def test_since(text: str, time: datetime) -> None:
    assert parse_since(text, NOW) == time


@pytest.mark.parametrize("text", ["yesterday", "", "2 weeks", "9999999999d", "-1d"])
def test_since_that_is_no_time(text: str) -> None:
    with pytest.raises(UsageError, match="Cannot read the time"):
        parse_since(text, NOW)
