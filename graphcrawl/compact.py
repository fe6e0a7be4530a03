"""`db compact`: the embedded store written anew, without the space of what was deleted.

Neo4j's files never shrink. So the graph is exported (`export.whole`), imported into a second store
beside it (`server.draft`, `export.restore`), and that one takes the place of the first once its
counts and its digest over all nodes and relationships (`export.digest`) are those of the first.
Only one server runs at a time, and both ways stream, so memory stays flat.
"""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from graphcrawl import schema, server
from graphcrawl.config import Paths, ServerSettings
from graphcrawl.errors import Neo4jUnreachableError, ServerError, command_on
from graphcrawl.export import digest, lines, restore, whole
from graphcrawl.graph import Graph
from graphcrawl.server import backups, draft, snapshot
from graphcrawl.server.exclusive import exclusive
from graphcrawl.server.store import Store

_FILE = "graph.jsonl.gz"
_FILE_SHARE = 0.25  # the packed file beside the new store; measured: a tenth to a fifth
OnRow = Callable[[str, int], None]


@dataclass(frozen=True, slots=True)
class Compacted:
    """A store that was written anew."""

    bytes_before: int  # of the database's files
    bytes_after: int
    nodes: int
    relationships: int
    digest: str
    seconds: float


async def compact(
    paths: Paths,
    name: str,
    settings: ServerSettings,
    on_progress: server.OnProgress = lambda _: None,
    on_row: OnRow = lambda _, __: None,
) -> Compacted:
    """Write a graph's store anew; its server is down at the end.

    Other commands wait meanwhile. Whatever goes wrong, a kill too, the old store stays.

    Args:
        paths: Where stores are kept.
        name: The graph.
        settings: Memory of the servers.
        on_progress: Told of starts.
        on_row: Told what is done ("read", "written", "compared") and how many rows are by now.

    Raises:
        UsageError: It is being crawled, something changed it, or it holds what is not graphcrawl's.
        ServerError: The disk has no room, a server does not start, or the new store is not equal.
    """
    started_s = time.monotonic()
    store = Store.of(paths, name)
    running = await server.up(paths, name, settings, on_progress)
    try:
        async with (
            exclusive(store.lock_file, lambda: on_progress(server.Progress("wait"))),
            draft.opened(paths, store) as made,
        ):
            before = snapshot.size_bytes(store)
            snapshot.require_space(
                store, int(before * (1 + _FILE_SHARE)), f"Compacting the graph {name!r}"
            )
            old = digest.Digest()
            async with Graph.open(running.address) as graph:
                await backups.refuse_crawled(graph, name)
                await schema.prepare(graph, name)
                file = made.home / _FILE
                await whole.write(
                    graph, file, name, packed=True, counted=_told(old, "read", on_row)
                )
            await draft.halt(store)
            head = lines.check(file)
            new = await _rebuild(paths, made, head, name, settings, on_progress, on_row)
            if new.value != old.value:
                raise _unequal(name, old, new)
            draft.take_place(made, store)
    except Neo4jUnreachableError as error:  # its hint would name the draft, which is gone by now
        raise ServerError(
            f"A server stopped answering while the graph {name!r} was compacted. It is as it was.",
            f"{command_on(name, 'db logs')}, then type the command again.",
        ) from error
    except OSError as error:
        raise ServerError(
            f"Cannot compact the graph {name!r}: {error.strerror or error}. It is as it was.",
            "Free some space, then type the command again.",
        ) from error
    after = snapshot.size_bytes(store)
    nodes, relationships, value = new.value
    return Compacted(before, after, nodes, relationships, value, time.monotonic() - started_s)


async def _rebuild(
    paths: Paths,
    made: Store,
    head: lines.Head,
    name: str,
    settings: ServerSettings,
    on_progress: server.OnProgress,
    on_row: OnRow,
) -> digest.Digest:
    """Import the file beside the draft into it; return the digest of what is there now."""
    file = made.home / _FILE
    running = await server.up(paths, made.name, settings, on_progress)
    async with Graph.open(running.address) as graph:
        await schema.prepare(graph, name, importing=True)
        await restore.read(graph, file, name, head, lambda n: on_row("written", n))
        with suppress(FileNotFoundError):
            file.unlink()
        found = digest.Digest()
        watch = _told(found, "compared", on_row)
        for statement in digest.STATEMENTS:
            async for _ in watch(graph.stream(statement)):
                pass
    await draft.halt(made)
    return found


def _told(found: digest.Digest, what: str, on_row: OnRow) -> whole.Counted:
    """Return what lets rows pass, adds them to a digest and tells how many there were."""

    async def watch(rows: AsyncIterator[Any]) -> AsyncIterator[Any]:
        async for row in found.watch(rows):
            yield row
            on_row(what, found.nodes + found.relationships)

    return watch


def _unequal(name: str, old: digest.Digest, new: digest.Digest) -> ServerError:
    return ServerError(
        f"The new store of the graph {name!r} is not equal to the old one, which stays: "
        f"{new.nodes:,} of {old.nodes:,} nodes, {new.relationships:,} of "
        f"{old.relationships:,} relationships, or a property that differs.",
        f"{command_on(name, 'db backup FILE')} keeps the store as it is; type the command again.",
    )
