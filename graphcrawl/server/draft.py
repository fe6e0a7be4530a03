"""A second store beside a graph's: filled and verified there, before it takes the graph's place.

The caller holds the graph's lock all the time, so nobody starts the graph meanwhile. Whatever ends
the work, a kill too, the graph's own store stays as it was until the exchange, which is done or not
done (`Store.exchange`); what is left of a draft goes with the next start of the graph.
"""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from graphcrawl.config import Paths
from graphcrawl.server import process
from graphcrawl.server.store import Store, sync_folder


def of(paths: Paths, name: str) -> Store:
    """Return the draft of a graph, whether it exists or not; no list of graphs shows it."""
    return Store.of(paths, f".{name}.new")


@asynccontextmanager
async def opened(paths: Paths, store: Store) -> AsyncIterator[Store]:
    """Yield an empty draft with the password of the graph's store; remove what is left of it."""
    made = of(paths, store.name)
    await clear(paths, store.name)
    try:
        made.home.mkdir(mode=0o700, parents=True)
        with suppress(FileNotFoundError):  # the graph is new
            made.set_password(store.password_file.read_text(encoding="utf-8").strip())
        yield made
    finally:
        await clear(paths, store.name)


def take_place(made: Store, store: Store) -> None:
    """Put a draft in the place of the graph's store, which is deleted. Both servers are down."""
    if store.exists:
        store.exchange(made.data)
    else:
        made.home.rename(store.home)
        sync_folder(store.home.parent)


async def halt(store: Store) -> None:
    """Stop a store's server, whoever started it."""
    if (run := store.read_run()) and (running := process.find(store, run)):
        await process.stop(running)
    if store.exists:
        store.write_run(None)


async def clear(paths: Paths, name: str) -> None:
    """Remove a graph's draft and its server; a draft has none of its own."""
    if name.startswith("."):
        return
    made = of(paths, name)
    if made.exists:
        await halt(made)
        shutil.rmtree(made.home, ignore_errors=True)
    made.lock_file.unlink(missing_ok=True)
