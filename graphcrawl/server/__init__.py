"""The embedded Neo4j: one server a graph, each with a store, ports and a password of its own.

What has to wait is async (`up`, `down`, `reset`); what only looks is not (`status`, `list_graphs`,
`log_tail`). A lock file a graph lets one command at a time start, stop or delete it.
"""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Literal

import psutil

from graphcrawl.config import Paths, ServerSettings
from graphcrawl.errors import Neo4jPanicError, Neo4jUnreachableError, ServerError
from graphcrawl.graph import Address, Graph
from graphcrawl.server import draft, jars, java, process, snapshot
from graphcrawl.server.exclusive import exclusive
from graphcrawl.server.jars import OnProgress, Progress
from graphcrawl.server.store import LOOPBACK, USER, Run, Store

__all__ = [
    "OnProgress",
    "Progress",
    "Running",
    "Status",
    "crashed",
    "down",
    "find",
    "list_graphs",
    "log_tail",
    "require_browser",
    "reset",
    "status",
    "up",
]

_POLL_S = 0.25
_START_ATTEMPTS = 3  # each with other ports, when somebody takes ours between choice and start
_PANIC_STOP_S = 5.0
_PORT_TAKEN = "already in use"
_READ_LINES = 500
_WEB_TIMEOUT_S = 10.0
_TOLD_LINES = 12


@dataclass(frozen=True, slots=True)
class Running:
    """A server that runs."""

    name: str
    bolt_port: int
    http_port: int
    process: psutil.Process
    home: Path
    password_file: Path

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self.process.pid

    @property
    def address(self) -> Address:
        """Where to connect, with the password as its file has it now.

        Raises:
            ServerError: The password file is gone.
        """
        try:
            password = self.password_file.read_text(encoding="utf-8").strip()
        except FileNotFoundError as error:
            raise ServerError(
                f"The password of the graph {self.name!r} is gone: {self.password_file}.",
                f"graphcrawl db reset --graph {self.name}",
            ) from error
        uri = f"bolt://{LOOPBACK}:{self.bolt_port}"
        return Address(uri, USER, password, graph=self.name)

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

    The first start fetches Java and Neo4j. Of several starts at once one works and the others wait
    for it.

    Args:
        paths: Where stores and jars are kept.
        name: The graph.
        settings: Wished ports, memory, and how long a start may take.
        on_progress: Called after each jar and while the server starts.

    A server that could not write, as on a full disk, is started again.

    Raises:
        ServerError: Java or the jars cannot be had, the disk is full, or the server does not start.
        Neo4jAuthError: The store does not accept the password that lies beside it.
    """
    store = Store.of(paths, name)
    with _explained(store):
        async with exclusive(store.lock_file, lambda: on_progress(Progress("wait"))):
            if running := _look(store):
                process.wake(running.process)
                try:
                    return await _answer(store, running, settings.start_timeout, on_progress)
                except _EndedError:  # it was on its way down
                    pass
                except Neo4jPanicError:  # nothing but a restart helps, and it may not end by itself
                    await process.stop(running.process, _PANIC_STOP_S)
            return await _start(paths, store, settings, on_progress)


async def down(paths: Paths, name: str) -> bool:
    """Stop a graph's server; its data stays. Return whether there was one to stop.

    Raises:
        ServerError: It does not end, or its files cannot be written.
    """
    return await _end(paths, Store.of(paths, name), remove=False)


async def reset(paths: Paths, name: str) -> bool:
    """Stop a graph's server and delete its store for good. Return whether there was a store.

    Raises:
        ServerError: It does not end, or its files cannot be deleted.
    """
    return await _end(paths, Store.of(paths, name), remove=True)


def find(paths: Paths, name: str) -> Running | None:
    """Return the graph's server if it runs, without starting it."""
    return _look(Store.of(paths, name))


def crashed(paths: Paths, name: str) -> bool:
    """Tell whether the graph's server ended without `down`."""
    store = Store.of(paths, name)
    return store.read_run() is not None and _look(store) is None


def status(paths: Paths, name: str) -> Status:
    """Look at a graph's server."""
    store = Store.of(paths, name)
    running = _look(store)
    state: Literal["absent", "stopped", "crashed", "starting", "running"]
    if running is not None:
        listens = process.listens(running.process, running.bolt_port)
        state = "running" if listens else "starting"
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


def require_browser(running: Running) -> None:
    """Check that the server has Neo4j Browser.

    Raises:
        ServerError: It has none, or its web address does not answer.
    """
    connection = HTTPConnection(LOOPBACK, running.http_port, timeout=_WEB_TIMEOUT_S)
    try:
        connection.request("GET", "/browser/")
        if connection.getresponse().status == HTTPStatus.OK:
            return
    except (OSError, HTTPException):
        pass
    finally:
        connection.close()
    raise ServerError(
        f"The server of the graph {running.name!r} has no Neo4j Browser at "
        f"http://{LOOPBACK}:{running.http_port}/browser/.",
        f"Connect a Browser of your own to {running.address.uri}; for favourites and style: "
        "graphcrawl browse --export graphcrawl-browser.zip",
    )


async def _start(
    paths: Paths, store: Store, settings: ServerSettings, on_progress: OnProgress
) -> Running:
    await draft.clear(paths, store.name)  # a kill may have left it
    snapshot.clear(store)
    locked = jars.locked_jars()
    runtime = await java.ensure(paths.cache / "java", on_progress)
    files = await jars.ensure(paths.cache / "jars", locked, on_progress)
    plugins = [file for file, jar in zip(files, locked, strict=True) if jar.has_procedures]
    memory = process.plan_memory(settings, process.machine_memory_bytes())
    for attempts_left in reversed(range(_START_ATTEMPTS)):
        run = Run(*process.free_ports(settings.bolt_port, settings.http_port))
        store.prepare(run, memory.page_cache_bytes, plugins)
        store.write_run(run)  # before the launch: a kill between the two leaves no lost server
        try:
            launched = process.launch(
                store, runtime, files, memory.heap_bytes, settings.java_options
            )
        except ServerError:
            store.write_run(None)
            raise
        store.write_run(replace(run, pid=launched.pid))
        running = _running(store, run, launched)
        try:
            return await _answer(store, running, settings.start_timeout, on_progress)
        except _EndedError:
            store.write_run(None)
            if attempts_left and any(_PORT_TAKEN in x for x in store.log_tail(_READ_LINES)):
                continue
            raise _not_started(store, "ended while it started") from None
        except BaseException:  # too slow, or somebody typed Ctrl-C: leave nothing half started
            with suppress(psutil.NoSuchProcess):
                launched.terminate()
            raise
    raise AssertionError("unreachable")


async def _answer(
    store: Store, running: Running, timeout_s: float, on_progress: OnProgress
) -> Running:
    """Wait until the server takes a statement; `_EndedError` when it ends instead."""
    deadline = time.monotonic() + timeout_s
    while process.is_alive(running.process):
        if process.listens(running.process, running.bolt_port):
            with suppress(Neo4jUnreachableError):
                async with Graph.open(running.address) as graph:
                    await graph.run("schema/meta")  # one that could not write serves no statement
                    return running
        if time.monotonic() > deadline:
            raise _not_started(store, f"does not answer after {timeout_s:g} s")
        on_progress(Progress("start"))
        await asyncio.sleep(_POLL_S)
    raise _EndedError


async def _end(paths: Paths, store: Store, *, remove: bool) -> bool:
    """Stop the server, delete the store where asked; return whether there was one."""
    if not store.exists:
        return False
    with _explained(store):
        async with exclusive(store.lock_file):
            await draft.clear(paths, store.name)
            snapshot.clear(store)
            running = _look(store)
            if running is not None:
                await process.stop(running.process)
            store.write_run(None)
            if remove:
                store.remove()
    return remove or running is not None


def _look(store: Store) -> Running | None:
    run = store.read_run()
    if run is None:
        return None
    found = process.find(store, run)
    return None if found is None else _running(store, run, found)


def _running(store: Store, run: Run, found: psutil.Process) -> Running:
    return Running(store.name, run.bolt_port, run.http_port, found, store.home, store.password_file)


def _not_started(store: Store, what: str) -> ServerError:
    lines = [line for line in store.log_tail(_READ_LINES) if not line.startswith("\t")]  # no traces
    telling = [line for line in lines if " INFO " not in line] or lines
    tail = "".join(f"\n  {line[:300]}" for line in telling[-_TOLD_LINES:])
    return ServerError(
        f"The embedded Neo4j of the graph {store.name!r} {what}. Its log ends:{tail or ' empty.'}",
        f"graphcrawl db logs --graph {store.name}",
    )


@contextmanager
def _explained(store: Store) -> Iterator[None]:
    """Turn the file system's errors into ours."""
    try:
        yield
    except OSError as error:
        raise ServerError(
            f"Cannot keep the graph {store.name!r} in {store.home}: {error}.",
            "Free some space or mend the folder's rights, or set GRAPHCRAWL_HOME to another one.",
        ) from error
