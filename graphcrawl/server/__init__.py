"""The embedded Neo4j: one server a graph, each with a store, ports and a password of its own.

What has to wait is async (`up`, `down`, `reset`); what only looks is not (`status`, `list_graphs`,
`log_tail`). A lock file a graph lets one command at a time start, stop or delete it.
"""

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import psutil

from graphcrawl.config import Paths, ServerSettings
from graphcrawl.errors import Neo4jUnreachableError, ServerError
from graphcrawl.graph import Address, Graph
from graphcrawl.server import jars, process
from graphcrawl.server.exclusive import exclusive
from graphcrawl.server.jars import OnProgress, Progress
from graphcrawl.server.store import LOOPBACK, USER, Run, Store

__all__ = [
    "OnProgress",
    "Progress",
    "Running",
    "Status",
    "down",
    "find",
    "list_graphs",
    "log_tail",
    "reset",
    "status",
    "up",
]

_POLL_S = 0.25
_START_ATTEMPTS = 3  # each with other ports, when somebody takes ours between choice and start
_PORT_TAKEN = "address already in use"
_READ_LINES = 500
_TOLD_LINES = 12


@dataclass(frozen=True, slots=True)
class Running:
    """A server that runs."""

    name: str
    address: Address
    bolt_port: int
    http_port: int
    pid: int
    home: Path
    password_file: Path

    @property
    def browser_url(self) -> str:
        """Where Neo4j Browser is; it asks for the password."""
        target = f"bolt://{USER}@{LOOPBACK}:{self.bolt_port}"
        return f"http://{LOOPBACK}:{self.http_port}/browser/?dbms={target}"


@dataclass(frozen=True, slots=True)
class Status:
    """How a graph's server is. `crashed`: it ended without `down`; `up` mends that."""

    name: str
    state: Literal["absent", "stopped", "crashed", "starting", "running"]
    running: Running | None  # also while it is starting
    home: Path
    size_bytes: int


class _EndedError(Exception):
    """The process ended before it answered."""


async def up(
    paths: Paths,
    name: str,
    settings: ServerSettings,
    on_progress: OnProgress = lambda _: None,
) -> Running:
    """Start a graph's server, unless it runs already, and return when it answers.

    The first start fetches Neo4j. Of several starts at once one works and the others wait for it.

    Args:
        paths: Where stores and jars are kept.
        name: The graph.
        settings: Wished ports, memory, and how long a start may take.
        on_progress: Called after each jar and while the server starts.

    Raises:
        ServerError: The jars cannot be had, the disk is full, or the server does not start.
        Neo4jAuthError: The store does not accept the password that lies beside it.
    """
    store = Store.of(paths, name)
    try:
        async with exclusive(store.lock_file):
            found = process.find(store)
            if found is not None:
                try:
                    return await _answer(store, found, settings.start_timeout, on_progress)
                except _EndedError:  # it was on its way down
                    pass
            return await _start(paths, store, settings, on_progress)
    except OSError as error:
        raise ServerError(
            f"Cannot keep the graph {name!r} in {store.home}: {error.strerror or error}.",
            "Free some space or mend the folder's rights, or set GRAPHCRAWL_HOME to another one.",
        ) from error


async def down(paths: Paths, name: str) -> bool:
    """Stop a graph's server; its data stays. Return whether there was one to stop."""
    store = Store.of(paths, name)
    if not store.exists:
        return False
    async with exclusive(store.lock_file):
        return await _stop(store)


async def reset(paths: Paths, name: str) -> bool:
    """Stop a graph's server and delete its store for good. Return whether there was one."""
    store = Store.of(paths, name)
    if not store.exists:
        return False
    async with exclusive(store.lock_file):
        await _stop(store)
        store.remove()
    return True


def find(paths: Paths, name: str) -> Running | None:
    """Return the graph's server if it runs, without starting it."""
    store = Store.of(paths, name)
    found = process.find(store)
    return None if found is None else _running(store, found)


def status(paths: Paths, name: str) -> Status:
    """Look at a graph's server."""
    store = Store.of(paths, name)
    running = find(paths, name)
    state: Literal["absent", "stopped", "crashed", "starting", "running"]
    if running is not None:
        state = "running" if process.answers(running.bolt_port) else "starting"
    elif not store.exists:
        state = "absent"
    else:
        state = "stopped" if store.read_run() is None else "crashed"
    return Status(name, state, running, store.home, store.size_bytes())


def list_graphs(paths: Paths) -> list[Status]:
    """Look at every graph that has a store, by name."""
    return [status(paths, store.name) for store in Store.all(paths)]


def log_tail(paths: Paths, name: str, lines: int = 40) -> list[str]:
    """Return the last lines that a graph's server printed; none where it never ran."""
    return Store.of(paths, name).log_tail(lines)


async def _start(
    paths: Paths, store: Store, settings: ServerSettings, on_progress: OnProgress
) -> Running:
    locked = jars.locked_jars()
    files = await jars.ensure(paths.cache / "jars", locked, on_progress)
    plugins = [file for file, jar in zip(files, locked, strict=True) if jar.has_procedures]
    memory = process.plan_memory(settings, process.machine_memory_bytes())
    for attempt in range(_START_ATTEMPTS):
        run = Run(*process.free_ports(settings.bolt_port, settings.http_port))
        store.prepare(run, memory.page_cache_bytes, plugins)
        store.write_run(run)  # before the launch: a kill between the two leaves no lost server
        launched = process.launch(store, files, memory.heap_bytes)
        store.write_run(Run(run.bolt_port, run.http_port, launched.pid))
        try:
            return await _answer(store, launched, settings.start_timeout, on_progress)
        except _EndedError:
            store.write_run(None)
            log = "\n".join(store.log_tail(_READ_LINES)).lower()
            if _PORT_TAKEN in log and attempt + 1 < _START_ATTEMPTS:
                continue
            raise _not_started(store, "ended while it started") from None
        except BaseException:  # too slow, or somebody typed Ctrl-C: leave nothing half started
            if process.is_alive(launched):
                launched.terminate()
            raise
    raise AssertionError("unreachable")


async def _answer(
    store: Store, found: psutil.Process, timeout_s: float, on_progress: OnProgress
) -> Running:
    """Wait until the server takes our password; `_EndedError` when it ends instead."""
    running = _running(store, found)
    deadline = time.monotonic() + timeout_s
    while process.is_alive(found):
        try:
            if process.answers(running.bolt_port):
                async with Graph.open(running.address):
                    return running
        except Neo4jUnreachableError:
            pass
        if time.monotonic() > deadline:
            raise _not_started(store, f"does not answer after {timeout_s:g} s")
        on_progress(Progress("start"))
        await asyncio.sleep(_POLL_S)
    raise _EndedError


def _running(store: Store, found: psutil.Process) -> Running:
    run = store.read_run()
    if run is None:
        raise ServerError(
            f"A server serves {store.home}, but its state file is gone.", f"kill {found.pid}"
        )
    try:
        password = store.password()
    except FileNotFoundError as error:
        raise ServerError(
            f"The password of the graph {store.name!r} is gone: {store.password_file}.",
            f"graphcrawl db reset --graph {store.name}",
        ) from error
    address = Address(f"bolt://{LOOPBACK}:{run.bolt_port}", USER, password)
    return Running(
        store.name,
        address,
        run.bolt_port,
        run.http_port,
        found.pid,
        store.home,
        store.password_file,
    )


async def _stop(store: Store) -> bool:
    found = process.find(store)
    if found is not None:
        await process.stop(found)
    store.write_run(None)
    return found is not None


def _not_started(store: Store, what: str) -> ServerError:
    lines = [line for line in store.log_tail(_READ_LINES) if not line.startswith("\t")]  # no traces
    tail = "".join(f"\n  {line[:300]}" for line in lines[-_TOLD_LINES:])
    return ServerError(
        f"The embedded Neo4j of the graph {store.name!r} {what}. Its log ends:{tail or ' empty.'}",
        f"graphcrawl db logs --graph {store.name}",
    )
