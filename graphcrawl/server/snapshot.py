"""The files of a graph's database, taken at one moment, while its server may be at work.

Neo4j Community has no backup of a database in use. What is safe is the state that a crash leaves:
Neo4j recovers from it, losing no acknowledged transaction. So a running server is suspended for as
long as its files are copied, at the speed of the disk, and goes on; what was copied recovers when a
server starts on it.
"""

import shutil
import time
from contextlib import nullcontext
from pathlib import Path

from graphcrawl.errors import ServerError
from graphcrawl.server import process
from graphcrawl.server.exclusive import try_lock
from graphcrawl.server.store import Store

# What a server makes anew is left out, its users above all: a copy gets a password of its own.
PARTS = ("data/databases/neo4j", "data/transactions/neo4j")
_SPARE_BYTES = 64 * 2**20
_RECOVERY = "Free some space, or set GRAPHCRAWL_HOME to another folder."


def size_bytes(store: Store) -> int:
    """Return what the files of a graph's database take."""
    return sum(
        file.stat().st_size
        for part in PARTS
        for file in (store.home / part).rglob("*")
        if file.is_file()
    )


def require_space(store: Store, needed_bytes: int, what: str) -> None:
    """Check that the disk has room beside a store.

    Args:
        store: Whose disk.
        needed_bytes: How much; something is added to spare.
        what: What needs it, as a message begins.

    Raises:
        ServerError: It has none.
    """
    free = shutil.disk_usage(store.home.parent).free
    if free < needed_bytes + _SPARE_BYTES:
        raise ServerError(
            f"{what} needs {needed_bytes / 2**20:,.0f} MiB, and {free / 2**20:,.0f} MiB are free.",
            _RECOVERY,
        )


def take(store: Store, target: Path) -> float:
    """Copy the database's files into `target`; return how long the server was held, in seconds.

    The caller holds the store's lock.
    """
    store.mend()
    run = store.read_run()
    running = None if run is None else process.find(store, run)
    with nullcontext() if running is None else process.held_still(running):
        started_s = time.monotonic()
        for part in PARTS:
            if (store.home / part).is_dir():
                shutil.copytree(
                    store.home / part, target / part, ignore=shutil.ignore_patterns("*_lock")
                )
        return 0.0 if running is None else time.monotonic() - started_s


def folder(store: Store) -> Path:
    """Return where the files of a backup lie while they are packed."""
    return store.home.with_name(f".{store.name}.backup")


def lock_file(store: Store) -> Path:
    """The file whose lock a backup holds; the server may start and stop while it packs."""
    return store.home.with_name(f".{store.name}.backup.lock")


def clear(store: Store) -> None:
    """Remove the files that a killed backup left; those of one at work stay."""
    if folder(store).is_dir():
        with lock_file(store).open("ab") as held:
            if try_lock(held):
                shutil.rmtree(folder(store), ignore_errors=True)
