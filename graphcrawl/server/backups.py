"""Backups of embedded graphs: one file a graph, made while it is crawled; graphs made of them."""

import asyncio
import shutil
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from graphcrawl import __version__, outfile, schema, server
from graphcrawl.config import Paths, ServerSettings
from graphcrawl.errors import SchemaError, ServerError, UsageError, command_on
from graphcrawl.graph import Graph
from graphcrawl.server import backup_file, draft, jars, snapshot
from graphcrawl.server.exclusive import exclusive
from graphcrawl.server.store import Store

_NEO4J = ("org.neo4j", "neo4j")


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that was made."""

    file: Path
    bytes: int
    store_bytes: int  # of what is in it
    held_s: float  # how long the server stood still
    seconds: float


@dataclass(frozen=True, slots=True)
class Restored:
    """A graph that was made of a backup."""

    head: backup_file.Head
    neurons: int
    axons: int
    seconds: float


async def backup(paths: Paths, name: str, file: Path, *, force: bool = False) -> Backup:
    """Write all of a graph to a file, as it is at one moment; a crawl of it goes on.

    Its server, if it runs, is suspended while its files are copied beside it, and not while they
    are packed.

    Args:
        paths: Where stores are kept.
        name: The graph.
        file: The file to make.
        force: It may replace one.

    Raises:
        UsageError: The file cannot be made.
        ServerError: The disk has no room, or files cannot be read or written.
    """
    outfile.check(file, force=force)
    store = Store.of(paths, name)
    taken = snapshot.folder(store)
    started_s = time.monotonic()
    async with AsyncExitStack() as held:
        await held.enter_async_context(exclusive(snapshot.lock_file(store)))
        try:
            shutil.rmtree(taken, ignore_errors=True)
            async with exclusive(store.lock_file):
                size = snapshot.size_bytes(store)
                snapshot.require_space(store, size, f"A backup of the graph {name!r}")
                now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
                held_s = snapshot.take(store, taken)  # blocks: a cancelled thread would copy on
            size = sum(f.stat().st_size for f in taken.rglob("*") if f.is_file())
            head = backup_file.Head(name, __version__, neo4j_version(), now, size)
            with outfile.beside(file, force=force) as part:
                await asyncio.to_thread(backup_file.write, part, taken, head)
                packed = part.stat().st_size
        except OSError as error:
            raise _disk(name, "back up", error) from error
        finally:
            shutil.rmtree(taken, ignore_errors=True)
    seconds = time.monotonic() - started_s
    return Backup(file, packed, size, held_s, seconds)


async def restore(
    paths: Paths,
    name: str,
    file: Path,
    settings: ServerSettings,
    *,
    overwrite: bool = False,
    on_progress: server.OnProgress = lambda _: None,
) -> Restored:
    """Make a graph of a backup.

    The file is unpacked and checked beside the graph, and a server started on it, before anything
    that is there is replaced.

    Args:
        paths: Where stores are kept.
        name: The graph to make; it takes this name whatever its name was.
        file: What `backup` wrote.
        settings: Memory of the server.
        overwrite: It may replace a graph.
        on_progress: Told of the download and the start of the server.

    Raises:
        UsageError: The file is no whole backup, or there is a graph of that name, or it is crawled.
        SchemaError: The backup is of a newer graphcrawl.
        ServerError: The disk has no room, or the server does not start on these files.
    """
    started_s = time.monotonic()
    head = backup_file.read_head(file)
    _require_known(file, head)
    store = Store.of(paths, name)
    try:
        async with exclusive(store.lock_file, lambda: on_progress(server.Progress("wait"))):
            await refuse_taken(paths, store, overwrite=overwrite)
            snapshot.require_space(store, head.bytes, f"The backup {file}")
            async with draft.opened(paths, store) as made:
                await asyncio.to_thread(backup_file.unpack, file, made.home)
                neurons, axons = await _verify(paths, made, file, name, settings, on_progress)
                await draft.halt(store)
                draft.take_place(made, store)
    except OSError as error:
        raise _disk(name, "restore", error) from error
    return Restored(head, neurons, axons, time.monotonic() - started_s)


async def refuse_taken(paths: Paths, store: Store, *, overwrite: bool) -> None:
    """Refuse to replace a graph without consent, or one that is crawled.

    Raises:
        UsageError: So it is.
    """
    if not store.exists:
        return
    if not overwrite:
        raise UsageError(
            f"There is a graph {store.name!r} already; it is not overwritten.",
            "Restore into another one with --graph NAME, or replace it by adding --overwrite",
        )
    if running := server.find(paths, store.name):
        async with Graph.open(running.address) as graph:
            await refuse_crawled(graph, store.name)


async def refuse_crawled(graph: Graph, name: str) -> None:
    """Refuse to replace the store of a graph that is being crawled.

    Raises:
        UsageError: A run is alive.
    """
    if runs := await graph.run("look/runs"):
        raise UsageError(
            f"A crawl of the graph {name!r} is running, with {runs[0]['fetched']:,} pages so far.",
            "Stop it with Ctrl-C where it runs, then type the command again.",
        )


def neo4j_version() -> str:
    """Return the version of the embedded Neo4j."""
    return next(j.version for j in jars.locked_jars() if (j.group, j.artifact) == _NEO4J)


def _require_known(file: Path, head: backup_file.Head) -> None:
    def numbers(version: str) -> list[int]:
        return [int(n) for n in version.split("-", maxsplit=1)[0].split(".") if n.isdigit()]

    if numbers(head.neo4j) > numbers(neo4j_version()):
        raise SchemaError(
            f"The backup {file} is of Neo4j {head.neo4j}; graphcrawl {__version__} has "
            f"{neo4j_version()}.",
            "pip install --upgrade graphcrawl",
        )


async def _verify(
    paths: Paths,
    made: Store,
    file: Path,
    name: str,
    settings: ServerSettings,
    on_progress: server.OnProgress,
) -> tuple[int, int]:
    """Start a server on unpacked files; return how many neurons and axons are in them."""
    running = await server.up(paths, made.name, settings, on_progress)
    async with Graph.open(running.address) as graph:
        meta = (await graph.run("schema/meta"))[0]
        newest = max(schema.migrations())
        if meta["graph"] is None:
            raise UsageError(
                f"The backup {file} holds no graph of graphcrawl.",
                "Name a file that this wrote: graphcrawl db backup FILE",
            )
        if meta["schemaVersion"] > newest:
            raise SchemaError(
                f"The backup {file} has schema {meta['schemaVersion']}; graphcrawl {__version__} "
                f"knows up to {newest}.",
                "pip install --upgrade graphcrawl",
            )
        counts = (await graph.run("look/counts"))[0]
        if meta["graph"] != name:
            await graph.run("schema/rename", graph=name)
    await draft.halt(made)
    return counts["neurons"] + counts["pruned"], counts["axons"]


def _disk(name: str, what: str, error: OSError) -> ServerError:
    return ServerError(
        f"Cannot {what} the graph {name!r}: {error.strerror or error}.",
        f"Free some space or mend the folder's rights; the graph is as it was: "
        f"{command_on(name, 'db status')}",
    )
