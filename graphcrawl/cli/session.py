"""What every command needs: the global options, the settings, an event loop and the graph."""

import os
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from graphcrawl.errors import UsageError

if TYPE_CHECKING:
    from graphcrawl.config import Paths, Settings
    from graphcrawl.graph import Graph

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Session:
    """The global options."""

    graph: str | None = None
    verbosity: int = 0  # -1 quiet, 0 normal, 1 verbose, 2 everything

    @classmethod
    def of(cls, context: typer.Context) -> "Session":
        """Return the session that the root command made."""
        return context.find_object(cls) or cls()

    @property
    def quiet(self) -> bool:
        """Whether progress and hints shall be left out."""
        return self.verbosity < 0

    def settings(self, **given: Any) -> "Settings":
        """Read the settings; flags that were not given are `None` and change nothing.

        Raises:
            SettingsError: An unknown key, or a value of the wrong type or unit.
        """
        from graphcrawl import tracking
        from graphcrawl.config import load_settings

        settings = load_settings(**self.given(), **given)
        tracking.use(settings.crawl.tracking)  # seeds are made canonical before a crawl begins
        return settings

    def given(self) -> dict[str, Any]:
        """Return the settings among the global options, by name; `None` means not given."""
        return {"graph": self.graph}


@asynccontextmanager
async def open_graph(
    settings: "Settings", *, quiet: bool = False, create: bool = False, importing: bool = False
) -> AsyncIterator["Graph"]:
    """Connect to the graph that a command is to read or change; starts its server if need be.

    Only commands that fill a graph may make one: elsewhere a typing mistake in `--graph` must not
    fetch and start a server.

    Raises:
        UsageError: There is no such graph.
        Neo4jError: The server does not answer, refuses us or holds something else.
    """
    from graphcrawl import connection
    from graphcrawl.cli import progress

    if not create:
        require_graph(settings)
    async with AsyncExitStack() as stack:
        with progress.server_start(quiet=quiet) as on_progress:
            connecting = connection.connect(settings, on_progress=on_progress, importing=importing)
            graph = await stack.enter_async_context(connecting)
        yield graph


def require_graph(settings: "Settings") -> None:
    """Check that the graph exists.

    Raises:
        UsageError: It was never made.
    """
    names = graph_names(settings)
    if uses_own_neo4j() or settings.graph in names:
        return
    known = f"Graphs here: {', '.join(names)}. " if names else ""
    option = "" if settings.graph == "default" else f"--graph {settings.graph} "
    raise UsageError(
        f"There is no graph {settings.graph!r} yet.",
        f"{known}Make it: graphcrawl {option}crawl URL",
    )


def uses_own_neo4j() -> bool:
    """Tell whether the user named a Neo4j of their own; no embedded server is used then."""
    return bool(os.environ.get("NEO4J_URI"))


def refuse_own_neo4j() -> None:
    """Refuse what concerns the files or the process of a server, where it is not ours.

    Raises:
        UsageError: `NEO4J_URI` is set.
    """
    if uses_own_neo4j():
        raise UsageError(
            "NEO4J_URI names a Neo4j of your own; graphcrawl neither starts, stops nor deletes it.",
            "Use the embedded server instead: unset NEO4J_URI",
        )


def paths(settings: "Settings") -> "Paths":
    """Return where the embedded graphs and their jars are kept."""
    from graphcrawl.config import Paths

    return Paths.locate(settings.home)


def graph_names(settings: "Settings") -> list[str]:
    """Return the names of the embedded graphs on this machine, sorted."""
    from graphcrawl.config import Paths

    folder = Paths.locate(settings.home).data / "graphs"
    return (
        sorted(p.name for p in folder.iterdir() if p.is_dir() and p.name[0] != ".")
        if folder.is_dir()
        else []
    )


def confirm(question: str, flag: str) -> bool:
    """Ask on stderr, the answer being no unless it is yes.

    Args:
        question: What is about to be lost.
        flag: The option that answers for scripts.

    Raises:
        UsageError: Nobody is there to answer.
    """
    if not sys.stdin.isatty():
        raise UsageError(f"{question} There is no terminal to ask.", f"Add {flag}")
    return typer.confirm(question, err=True)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's coroutine; SIGTERM cancels it, so that its `finally` blocks still run.

    Ctrl-C does the same by asyncio's own handler and ends as KeyboardInterrupt.
    """
    import asyncio
    import signal

    async def main() -> T:
        task = asyncio.current_task()
        if task is not None and sys.platform != "win32":
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        return await work

    return asyncio.run(main())
