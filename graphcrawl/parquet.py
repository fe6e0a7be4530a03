"""Rows that come one by one → a Parquet file on the disk, with flat memory."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, TypeVar, cast

from arro3.core import RecordBatch, RecordBatchReader, Schema
from arro3.io import write_parquet

from graphcrawl.uncancelled import uncancelled

T = TypeVar("T")

BATCH = 1000  # rows in memory at once, and in a row group


async def write(
    path: Path,
    schema: Schema,
    rows: AsyncIterator[T],
    encode: Callable[[list[T]], RecordBatch],
    notes: Mapping[str, str] | None = None,
) -> int:
    """Write rows to a file, all of it on the disk when this returns; return how many.

    Arrow, which pulls, runs in a thread and asks the loop for one batch after another. A file that
    could not be written to its end is left to the caller to delete.

    Args:
        path: The file to make; its folder is made as well.
        schema: The columns.
        rows: Are read as fast as they are written.
        encode: Turns at most `BATCH` rows into columns.
        notes: Metadata of the file.

    Raises:
        OSError: The disk is full or broken.
    """
    loop = asyncio.get_running_loop()
    failures: list[BaseException] = []
    written = 0

    async def next_batch() -> list[T]:
        batch: list[T] = []
        while len(batch) < BATCH:
            try:
                batch.append(await anext(rows))
            except StopAsyncIteration:
                break
        return batch

    def batches() -> Iterator[RecordBatch]:
        nonlocal written
        try:
            while not failures:
                batch = asyncio.run_coroutine_threadsafe(next_batch(), loop).result()
                if not batch:
                    break
                yield encode(batch)
                written += len(batch)
        except Exception as error:
            failures.append(error)  # Arrow would wrap it

    def write_file() -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            write_parquet(
                RecordBatchReader.from_batches(schema, batches()),
                cast("IO[bytes]", _Sink(file, failures)),
                compression="zstd(3)",
                max_row_group_size=BATCH,
                key_value_metadata=dict(notes or {}),
            )
            if failures:
                raise failures[0]
            file.flush()
            os.fsync(file.fileno())

    await uncancelled(
        asyncio.to_thread(write_file), lambda: failures.append(asyncio.CancelledError())
    )
    return written


class _Sink:
    """Arrow's way to a file. It never raises, since arro3 aborts when its file does."""

    def __init__(self, file: IO[bytes], failures: list[BaseException]) -> None:
        self._file = file
        self._failures = failures

    def write(self, data: bytes) -> int:
        """Write what can be written; a failure is noted for the owner of the file."""
        try:
            if not self._failures:
                self._file.write(data)
        except OSError as error:
            self._failures.append(error)
        return len(data)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Move to another place in the file."""
        return self._file.seek(offset, whence)

    def flush(self) -> None:
        """Leave that to the owner of the file."""
