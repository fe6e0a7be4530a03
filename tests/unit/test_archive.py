"""The archive of pruned neurons: what goes in comes out, and a damaged file is refused."""

import asyncio
import hashlib
import resource
import shutil
import subprocess
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import neo4j.time
import pytest
from arro3.core import Array, DataType, RecordBatch
from arro3.io import read_parquet, write_parquet

from graphcrawl.errors import GraphcrawlError, UsageError
from graphcrawl.rewards import archive

WHEN = datetime(2026, 1, 31, 12, 0, 0, 123456, tzinfo=UTC)


def row(number: int) -> dict[str, object]:
    url = f"http://host.example/{number}"
    return {
        "url": url,
        "neuronId": 2**62 + number,
        "host": "host.example",
        "reward": 0.1 + 0.2 * number,  # not a short decimal
        "fetchedMs": None if number % 2 else 1769860800123,
        "labels": ["PageNeuron", "Fetched"],
        "properties": {
            "url": url,
            "title": 'Żółć "and" \n\u2028 🐟',
            "reward": 0.1 + 0.2 * number,
            "whole": 3.0,
            "grants": ["1 job text", "10 taleo links"],
            "fetchedAt": neo4j.time.DateTime.from_native(WHEN),
        },
        "text": {"text": "words"} if number % 2 else None,
        "axons": [{"source": url, "target": "http://a.example/", "properties": {"weight": 0.25}}],
    }


async def rows(count: int) -> AsyncIterator[dict[str, object]]:
    for number in range(count):
        yield row(number)


@pytest.mark.parametrize("count", [1, archive.BATCH, 2 * archive.BATCH + 1])
async def test_rows_come_back_as_they_went_in(tmp_path: Path, count: int) -> None:
    path = tmp_path / "new" / "a.parquet"
    assert await archive.write(path, "mine", rows(count)) == count
    assert archive.check(path) == "mine"
    batches = list(archive.read(path))
    assert max(map(len, batches)) <= archive.BATCH
    found = [back for batch in batches for back in batch]
    expected = [row(number) for number in range(count)]
    for one in expected:
        one["properties"]["fetchedAt"] = WHEN  # type: ignore[index]
    assert found == expected
    assert isinstance(found[0]["properties"]["whole"], float)
    names = ["a.parquet", "a.parquet.sha256"]
    assert sorted(child.name for child in path.parent.iterdir()) == names


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="sha256sum is not installed")
async def test_sha256sum_confirms_it(tmp_path: Path) -> None:
    await archive.write(tmp_path / "a.parquet", "mine", rows(3))
    subprocess.run(["sha256sum", "-c", "a.parquet.sha256"], cwd=tmp_path, check=True)


async def test_other_programs_can_read_it(tmp_path: Path) -> None:
    await archive.write(tmp_path / "a.parquet", "mine", rows(3))
    table = read_parquet(tmp_path / "a.parquet").read_all()
    assert table.column("neuronId").to_pylist() == [2**62, 2**62 + 1, 2**62 + 2]


async def test_a_file_cut_short_is_refused(tmp_path: Path) -> None:
    whole = tmp_path / "a.parquet"
    await archive.write(whole, "mine", rows(100))
    data = whole.read_bytes()
    cut = tmp_path / "cut.parquet"
    shutil.copy(archive.checksum_file(whole), archive.checksum_file(cut))
    for size in (0, 3, 11, len(data) // 2, len(data) - 1):
        cut.write_bytes(data[:size])
        with pytest.raises(UsageError, match="cut short or damaged"):
            archive.check(cut)


async def test_a_single_altered_bit_anywhere_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    await archive.write(path, "mine", rows(20))
    data = path.read_bytes()
    for place in range(0, len(data), 7):
        path.write_bytes(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
        with pytest.raises(UsageError, match="cut short or damaged"):
            archive.check(path)


async def test_an_archive_without_its_checksum_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    await archive.write(path, "mine", rows(1))
    archive.checksum_file(path).unlink()
    with pytest.raises(UsageError, match=r"checksum of the archive is missing: .*\.sha256"):
        archive.check(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Cannot read the archive"):
        archive.check(tmp_path / "none.parquet")


@pytest.mark.parametrize(
    ("notes", "message"),
    [({}, "no archive of pruned neurons"), ({"graphcrawl.archive": "2"}, "of version 2")],
)
def test_other_files_are_refused(tmp_path: Path, notes: dict[str, str], message: str) -> None:
    path = tmp_path / "other.parquet"
    table = RecordBatch.from_arrays([Array(["x"], DataType.string())], names=["url"])
    write_parquet(table, path, key_value_metadata=notes)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    archive.checksum_file(path).write_text(f"{digest}  {path.name}\n")
    with pytest.raises(UsageError, match=message):
        archive.check(path)


async def test_a_full_disk_leaves_no_file(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(GraphcrawlError, match="Cannot write the archive"):
            await archive.write(tmp_path / "a.parquet", "mine", rows(5000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(tmp_path.iterdir()) == []


async def test_an_error_of_the_source_comes_through(tmp_path: Path) -> None:
    async def broken() -> AsyncIterator[dict[str, object]]:
        yield row(0)
        raise RuntimeError("the server went away")

    with pytest.raises(RuntimeError, match="went away"):
        await archive.write(tmp_path / "a.parquet", "mine", broken())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.timeout(30)
async def test_a_cancelled_writing_leaves_no_file(tmp_path: Path) -> None:
    started = asyncio.Event()

    async def endless() -> AsyncIterator[dict[str, object]]:
        while True:
            started.set()
            yield row(0)

    task = asyncio.create_task(archive.write(tmp_path / "a.parquet", "mine", endless()))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert list(tmp_path.iterdir()) == []
