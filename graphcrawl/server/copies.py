"""A graph's copy: another embedded server that people may hurt, with a password of its own.

Neo4j Community has no backup of a database in use. What is safe is the state that a crash leaves:
Neo4j recovers from it, losing no acknowledged transaction. So a running server is suspended for as
long as its files are copied, at the speed of the disk, and goes on; the copy recovers when it
starts.
"""

import shutil
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path

import psutil

from graphcrawl import server
from graphcrawl.config import Paths, ServerSettings
from graphcrawl.errors import ServerError, UsageError, command_on
from graphcrawl.graph import Graph
from graphcrawl.server import process
from graphcrawl.server.exclusive import exclusive
from graphcrawl.server.jars import OnProgress
from graphcrawl.server.store import Store

_ENDING = "-copy"
_MARK = "copy-of"  # the file that tells a copy from a graph that somebody named like one
# What a server makes anew is left out, its users above all: the copy gets a password of its own.
_COPIED = ("data/databases/neo4j", "data/transactions/neo4j")
_SPARE_BYTES = 64 * 2**20


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
            _require_space(source, paths)
            try:
                _copy_files(source, draft)  # blocks: a cancelled thread would copy on
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


def _require_space(source: Store, paths: Paths) -> None:
    needed = sum(
        file.stat().st_size
        for part in _COPIED
        for file in (source.home / part).rglob("*")
        if file.is_file()
    )
    free = shutil.disk_usage(paths.graph("any").parent).free
    if free < needed + _SPARE_BYTES:
        raise ServerError(
            f"The copy of the graph {source.name!r} needs {needed / 2**20:,.0f} MiB, "
            f"and {free / 2**20:,.0f} MiB are free.",
            "Free some space, or set GRAPHCRAWL_HOME to another folder.",
        )


def _copy_files(source: Store, draft: Path) -> None:
    draft.mkdir(mode=0o700, parents=True)
    (draft / _MARK).write_text(source.name + "\n", encoding="utf-8")
    run = source.read_run()
    running = None if run is None else process.find(source, run)
    with _suspended(running):
        for part in _COPIED:
            if (source.home / part).is_dir():
                shutil.copytree(
                    source.home / part, draft / part, ignore=shutil.ignore_patterns("*_lock")
                )


@contextmanager
def _suspended(running: psutil.Process | None) -> Iterator[None]:
    """Hold a process still. Should we be killed meanwhile, the next `up` lets it go on."""
    if running is None:
        yield
        return
    running.suspend()
    try:
        yield
    finally:
        process.wake(running)


async def start(
    paths: Paths, name: str, settings: ServerSettings, on_progress: OnProgress = lambda _: None
) -> server.Running:
    """Start the server of a graph's copy and give the copy its own name."""
    running = await server.up(paths, copy_name(name), settings, on_progress)
    async with Graph.open(running.address) as graph:
        await graph.run("schema/rename", graph=copy_name(name))
    return running
