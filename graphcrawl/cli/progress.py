"""Progress on stderr: a bar where a person reads it, else a line now and then."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TransferSpeedColumn,
)

from graphcrawl.cli import output, words

if TYPE_CHECKING:
    from graphcrawl import server

LINE_EVERY_S = 10.0  # where stderr is no terminal
QUIET_S = 2.0  # how long a download must last to be worth a line
_LOOK_EVERY = 256  # rows: looking at the clock at each would slow them down


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


_STAGES = {
    "wait": "Waiting for another graphcrawl that is at the files",
    "java": "Fetching Java",
    "download": "Fetching Neo4j",
    "start": "Starting Neo4j",
}


class _Bar:
    """One line that changes: a bar for the download, a spinner for the rest."""

    def __init__(self) -> None:
        self._stage = ""
        self._shown: Progress | None = None

    def __enter__(self) -> "_Bar":
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown is not None:
            self._shown.stop()

    def update(self, step: "server.Progress") -> None:
        if self._shown is None or step.stage != self._stage:
            self.__exit__()
            self._stage, self._shown = step.stage, self._begin(step)
        if step.stage == "download":
            self._shown.update(
                self._shown.tasks[0].id, completed=step.done_bytes, total=step.total_bytes
            )

    def _begin(self, step: "server.Progress") -> Progress:
        columns: list[ProgressColumn] = [SpinnerColumn(), TextColumn("{task.description}")]
        if step.stage == "download":
            columns += [BarColumn(), DownloadColumn(binary_units=True), TransferSpeedColumn()]
        else:
            columns.append(TimeElapsedColumn())
        shown = Progress(*columns, console=output.console(stderr=True), transient=True)
        shown.add_task(_STAGES[step.stage], total=step.total_bytes or None)
        shown.start()
        return shown


class _Lines:
    """A line when a stage begins and every ten seconds while it lasts."""

    def __init__(self) -> None:
        self._stage = ""
        self._next_s = 0.0

    def update(self, step: "server.Progress") -> None:
        now_s = time.monotonic()
        if step.stage != self._stage:
            # Jars that are here already are only checked, in a moment: no word about that.
            self._stage, self._next_s = step.stage, now_s + QUIET_S * (step.stage == "download")
        if now_s < self._next_s:
            return
        self._next_s = now_s + LINE_EVERY_S
        if step.stage == "download":
            done, total = words.size(step.done_bytes), words.size(step.total_bytes)
            output.note(f"{_STAGES[step.stage]}: {done} of {total}")
        else:
            output.note(f"{_STAGES[step.stage]} …")


@contextmanager
def counting(what: str) -> Iterator[Callable[[int], None]]:
    """Show how many there are by now: in one line that changes, or a line every ten seconds."""
    if not output.stderr_is_terminal():
        next_s = time.monotonic() + LINE_EVERY_S

        def say(number: int) -> None:
            nonlocal next_s
            if number % _LOOK_EVERY == 0 and time.monotonic() >= next_s:
                next_s = time.monotonic() + LINE_EVERY_S
                output.note(f"{words.count(number)} {what} …")

        yield say
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=output.console(stderr=True), transient=True) as shown:
        task = shown.add_task(what)

        def show(number: int) -> None:
            if number % _LOOK_EVERY == 0:
                shown.update(task, description=f"{words.count(number)} {what}")

        yield show
