"""One process behind an executor: spawned, deaf to Ctrl-C, and gone with the crawl."""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import wait
from types import ModuleType

import psutil


@dataclass(frozen=True, slots=True)
class Spawned:
    """A process that is started, or soon will be."""

    executor: ProcessPoolExecutor
    pid: Future[int]  # done once it runs

    @classmethod
    def start(cls, set_up: Callable[..., None] | None = None, *given: object) -> "Spawned":
        """Start a process; `set_up` runs in it first."""
        # Spawned, since a fork would copy the locks of this process's threads.
        executor = ProcessPoolExecutor(
            max_workers=1,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_begin,
            initargs=(set_up, given),
        )
        with _without_main():
            return cls(executor, executor.submit(os.getpid))

    def stop(self) -> None:
        """Kill the process: it may hang, and keeps nothing."""
        self.executor.shutdown(wait=False)
        if self.pid.done() and self.pid.exception() is None:
            with contextlib.suppress(psutil.NoSuchProcess):
                psutil.Process(self.pid.result()).kill()


@contextlib.contextmanager
def _without_main() -> Iterator[None]:
    """Hide the main module from a process that is spawned now: it needs nothing of it.

    A spawned process imports it otherwise, and so runs a user's script a second time.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _begin(set_up: Callable[..., None] | None, given: tuple[object, ...]) -> None:
    if set_up is not None:
        set_up(*given)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the crawl to handle
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when the crawl is killed: nothing else would tell it."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
