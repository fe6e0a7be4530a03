"""A graph's copy: another embedded server that people may hurt, with a password of its own."""

import shutil
from contextlib import AsyncExitStack

from graphcrawl import server
from graphcrawl.config import Paths, ServerSettings
from graphcrawl.errors import ServerError, UsageError, command_on
from graphcrawl.graph import Graph
from graphcrawl.server import process, snapshot
from graphcrawl.server.exclusive import exclusive
from graphcrawl.server.jars import OnProgress
from graphcrawl.server.store import Store

_ENDING = "-copy"
_MARK = "copy-of"  # the file that tells a copy from a graph that somebody named like one


def copy_name(name: str) -> str:
    """Return the name of a graph's copy."""
    return name + _ENDING


async def copy(paths: Paths, name: str) -> Store:
    """Copy a graph's store to that of its copy, in place of an older copy, and return it.

    A server that runs is suspended meanwhile; a crawl waits for it as for a slow disk. That of the
    older copy is stopped.

    Raises:
        ServerError: The disk has no room, or files cannot be read or written.
        UsageError: A graph has the copy's name and is no copy.
    """
    source, target = Store.of(paths, name), Store.of(paths, copy_name(name))
    if target.exists and not (target.home / _MARK).is_file():
        raise UsageError(
            f"There is a graph {target.name!r} which is no copy of {name!r}; "
            "it is not overwritten.",
            f"If it is not needed: {command_on(target.name, 'db reset')}",
        )
    draft = target.home.with_name(f".{target.name}.new")
    try:
        async with AsyncExitStack() as held:
            await held.enter_async_context(exclusive(source.lock_file))
            await held.enter_async_context(exclusive(target.lock_file))
            shutil.rmtree(draft, ignore_errors=True)
            snapshot.require_space(
                source, snapshot.size_bytes(source), f"The copy of the graph {name!r}"
            )
            try:
                draft.mkdir(mode=0o700, parents=True)
                (draft / _MARK).write_text(source.name + "\n", encoding="utf-8")
                snapshot.take(source, draft)  # blocks: a cancelled thread would copy on
            except BaseException:
                shutil.rmtree(draft, ignore_errors=True)
                raise
            await _stop(target)
            target.remove()
            draft.rename(target.home)
    except OSError as error:
        raise ServerError(
            f"Cannot copy the graph {name!r}: {error}.",
            "Free some space, or set GRAPHCRAWL_HOME to another folder.",
        ) from error
    return target


async def _stop(target: Store) -> None:
    if (run := target.read_run()) and (running := process.find(target, run)):
        await process.stop(running)


async def start(
    paths: Paths, name: str, settings: ServerSettings, on_progress: OnProgress = lambda _: None
) -> server.Running:
    """Start the server of a graph's copy and give the copy its own name."""
    running = await server.up(paths, copy_name(name), settings, on_progress)
    async with Graph.open(running.address) as graph:
        await graph.run("schema/rename", graph=copy_name(name))
    return running
