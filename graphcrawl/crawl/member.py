"""One worker process of `crawl --workers`: `python -m graphcrawl.crawl.member`.

On stdin it gets an `Order`, pickled, behind its length; when stdin ends, the crawl that started it
is gone, and it stops. On stdout it tells its counters, a JSON line each half second.
"""

import asyncio
import json
import logging
import pickle
import signal
import sys
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphcrawl import connection, tracking
from graphcrawl.config import Settings
from graphcrawl.crawl.examples import kept_examples
from graphcrawl.crawl.hooks import Hooks
from graphcrawl.crawl.inputs import Inputs, Start
from graphcrawl.crawl.loop import Crawl
from graphcrawl.crawl.pagelog import PageLog
from graphcrawl.crawl.part import Part
from graphcrawl.crawl.run import run_crawl
from graphcrawl.crawl.stats import SUMS, Stats
from graphcrawl.errors import GraphcrawlError

TELL_EVERY_S = 0.5
LENGTH_BYTES = 4


@dataclass(frozen=True, slots=True)
class Order:
    """What a worker process is to do."""

    settings: Settings
    part: Part
    prune: bool = False
    watch: bool = False
    out: Path | None = None  # where to add a line a page
    verbosity: int = 0


def packed(order: Order) -> bytes:
    """Return an order as it is sent."""
    data = pickle.dumps(order)
    return len(data).to_bytes(LENGTH_BYTES, "big") + data


def told(stats: Stats) -> dict[str, Any]:
    """Return the counters of a run as JSON values."""
    return {name: getattr(stats, name) for name in SUMS} | {"stop_reason": stats.stop_reason}


def heard(values: dict[str, Any]) -> Stats:
    """Return the counters that were told."""
    stats = Stats()
    for name, value in values.items():
        setattr(stats, name, Counter(value) if isinstance(value, dict) else value)
    return stats


async def work(order: Order, stdin: asyncio.StreamReader) -> None:
    """Crawl as ordered, until that is done or the crawl that started this process is gone."""
    tracking.use(order.settings.crawl.tracking)
    loop = asyncio.get_running_loop()
    crawls: list[Crawl] = []

    def stop() -> None:
        for crawl in crawls:
            if crawl.stats.was_stopped:
                crawl.abort("terminated")
            crawl.stop("terminated")
        if not crawls:
            sys.exit(128 + signal.SIGTERM)  # its run was noted, perhaps, and is to be buried

    async def ends_with_its_crawl() -> None:
        await stdin.read()
        stop()

    async def tell() -> None:
        while True:
            await asyncio.sleep(TELL_EVERY_S)
            for crawl in crawls:
                _write(told(crawl.stats))

    def begin(start: Start) -> None:
        crawls.append(start.crawl)

    for signum in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(signum, stop)
    beside = [loop.create_task(ends_with_its_crawl()), loop.create_task(tell())]
    try:
        with ExitStack() as stack:
            log = stack.enter_context(PageLog.open(order.out))
            hooks = Hooks(on_record=log.tell) if log else None
            async with connection.connect(order.settings, start=False) as graph:
                examples = await kept_examples(graph, order.settings)
                inputs = Inputs.check(order.settings, (), examples=examples)
                stats = await run_crawl(
                    graph,
                    inputs,
                    prune=order.prune,
                    watch=order.watch,
                    on_start=begin,
                    hooks=hooks,
                    part=order.part,
                )
            if hooks and hooks.failure:
                raise hooks.failure
    finally:
        for task in beside:
            task.cancel()
    _write(told(stats))


def _write(values: dict[str, Any]) -> None:
    with suppress(BrokenPipeError):
        print(json.dumps(values), flush=True)


async def _main() -> None:
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin.buffer)
    length = int.from_bytes(await reader.readexactly(LENGTH_BYTES), "big")
    order: Order = pickle.loads(await reader.readexactly(length))  # noqa: S301 - from our parent
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    if order.verbosity > 0:
        level = logging.INFO if order.verbosity == 1 else logging.DEBUG
        logging.getLogger("graphcrawl").setLevel(level)
    await work(order, reader)


if __name__ == "__main__":
    try:
        asyncio.run(_main())
    except GraphcrawlError as error:
        print(" ".join(filter(None, (error.message, error.hint))), file=sys.stderr)
        sys.exit(error.exit_code)
