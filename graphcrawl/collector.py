"""Python's garbage collector, run rarely while pages stream through.

Pages, links and outcomes hold no cycles: they are freed as soon as nobody needs them. The collector
looks at them all the same, hundreds of times in a thousand pages, a tenth of the crawl's own time.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_THRESHOLDS = (20_000, 20, 50)  # new objects, and rounds; Python's own are 700, 10, 10


def collect_rarely() -> None:
    """Let it run rarely in a process of our own; what is there now is never looked at again."""
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)


@contextmanager
def rarely_collected() -> Iterator[None]:
    """Let it run rarely for a while; the process may be somebody's notebook."""
    before = gc.get_threshold()
    collect_rarely()
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
