"""How a crawl is stopped from the outside, and with which exit code it then ends."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from graphcrawl.cli import output
from graphcrawl.errors import Exit

if TYPE_CHECKING:
    from graphcrawl.crawl import Crawl
    from graphcrawl.crawl.crew import Crew

EXIT_CODES = {"interrupted": Exit.INTERRUPTED, "terminated": Exit.TERMINATED}


@contextmanager
def stopping(*, quiet: bool) -> Iterator[Any]:
    """Handle signals while a crawl runs: the first asks it to stop, the second breaks off.

    Yields:
        A function that takes the `Crawl`, or the `Crew` with it, once there is one.
    """
    import asyncio
    import signal

    loop = asyncio.get_running_loop()

    def watch(crawl: "Crawl | Crew") -> None:
        def on_signal(reason: str) -> None:
            if crawl.stats.was_stopped:
                crawl.abort()
                return
            crawl.stop(reason)
            if not quiet:
                output.note(
                    "Stopping: the pages in flight are finished and kept. Once more breaks off."
                )

        loop.add_signal_handler(signal.SIGINT, on_signal, "interrupted")
        loop.add_signal_handler(signal.SIGTERM, on_signal, "terminated")

    try:
        yield watch
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        loop.remove_signal_handler(signal.SIGTERM)
