"""Reads a large job feed in a process of its own, a batch whenever one is asked for.

Nobody holds more than two batches: one is written while the next is read.
"""

import asyncio
from collections.abc import AsyncGenerator
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace

from graphcrawl.models import Fetched, Posting, Reading
from graphcrawl.processes import Spawned

BATCH_TIMEOUT_S = 30.0  # a process that takes longer for a batch is taken for hung

_Batch = tuple[tuple[Posting, ...], Reading]


class FeedReader:
    """One reading of one spooled feed; `stop` it in the end."""

    def __init__(self, fetched: Fetched, *, batch_timeout_s: float = BATCH_TIMEOUT_S) -> None:
        """Start the process.

        Args:
            fetched: With `spooled`.
            batch_timeout_s: Longer for a batch, and the reading ends.
        """
        bare = replace(fetched, body=b"")
        self._process = Spawned.start()
        self._opened = self._process.executor.submit(_open, bare)
        self._timeout_s = batch_timeout_s
        self.reading = Reading(of_feed=True, whole=False)  # right after the last batch

    async def batches(self) -> AsyncGenerator[tuple[Posting, ...], None]:
        """Yield the postings. What kills or stops the process ends them, and `reading` says so."""
        try:
            await asyncio.wrap_future(self._opened)
            coming = self._process.executor.submit(_next)
            while True:
                async with asyncio.timeout(self._timeout_s):
                    postings, reading = await asyncio.wrap_future(coming)
                if not postings:
                    self.reading = reading
                    return
                self.reading = replace(reading, whole=False, ended="stopped")
                coming = self._process.executor.submit(_next)
                yield postings
        except (BrokenProcessPool, TimeoutError, OSError, MemoryError, ValueError):
            self.reading = replace(self.reading, whole=False, ended="reader")

    def stop(self) -> None:
        """End the process."""
        self._process.stop()


_stream: object = None  # of this process, when it reads a feed


def _open(fetched: Fetched) -> None:
    from graphcrawl.jobs.stream import FeedStream  # noqa: PLC0415 - parsers load in readers only

    global _stream  # noqa: PLW0603 - a worker process has no other place for it
    _stream = FeedStream(fetched)


def _next() -> _Batch:
    from graphcrawl.jobs.stream import FeedStream  # noqa: PLC0415 - see above

    assert isinstance(_stream, FeedStream)  # noqa: S101 - opened first
    return _stream.batch(), _stream.reading()
