"""Progress on stderr: a bar where a person reads it, else a line now and then."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TransferSpeedColumn,
)

from graphcrawl.cli import output, words

if TYPE_CHECKING:
    from graphcrawl import server

LINE_EVERY_S = 10.0  # where stderr is no terminal


@contextmanager
def server_start(*, quiet: bool) -> Iterator[Callable[["server.Progress"], None]]:
    """Show how the embedded server is fetched and started; nothing when it runs already."""
    if quiet:
        yield lambda _: None
    elif output.stderr_is_terminal():
        with _Bar() as bar:
            yield bar.update
    else:
        yield _Lines().update


class _Bar:
    """One line that changes: a bar for the download, then a spinner for the start."""

    def __init__(self) -> None:
        console = output.console(stderr=True)
        spinner, text, elapsed = (
            SpinnerColumn(),
            TextColumn("{task.description}"),
            TimeElapsedColumn(),
        )
        self._download = Progress(
            spinner,
            text,
            BarColumn(),
            DownloadColumn(binary_units=True),
            TransferSpeedColumn(),
            console=console,
            transient=True,
        )
        self._start = Progress(spinner, text, elapsed, console=console, transient=True)

    def __enter__(self) -> "_Bar":
        return self

    def __exit__(self, *_: object) -> None:
        self._download.stop()
        self._start.stop()

    def update(self, step: "server.Progress") -> None:
        if step.stage == "download":
            if not self._download.tasks:
                self._download.add_task("Fetching Neo4j", total=step.total_bytes)
                self._download.start()
            self._download.update(
                self._download.tasks[0].id, completed=step.done_bytes, total=step.total_bytes
            )
        elif not self._start.tasks:
            self._download.stop()
            self._start.add_task("Starting Neo4j", total=None)
            self._start.start()


class _Lines:
    """A line when a stage begins and every ten seconds while it lasts."""

    def __init__(self) -> None:
        self._stage = ""
        self._next_s = 0.0

    def update(self, step: "server.Progress") -> None:
        now_s = time.monotonic()
        if step.stage == self._stage and now_s < self._next_s:
            return
        self._stage, self._next_s = step.stage, now_s + LINE_EVERY_S
        if step.stage == "download":
            done, total = words.size(step.done_bytes), words.size(step.total_bytes)
            output.note(f"Fetching Neo4j: {done} of {total}")
        else:
            output.note("Starting Neo4j …")
