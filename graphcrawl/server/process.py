"""The server's process: how it is launched, recognised and stopped."""

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

import psutil

from graphcrawl.config import ServerSettings
from graphcrawl.errors import ServerError
from graphcrawl.server.store import LOOPBACK, Run, Store

MAIN_CLASS = "org.neo4j.server.Neo4jCommunity"
STOP_TIMEOUT_S = 60.0
_STILL_TIMEOUT_S = 5.0
# Ends when the pipe to it does, and that is when whoever holds its other end is killed.
_WAKER = """\
import sys, psutil
held = psutil.Process(int(sys.argv[1]))
print(flush=True)
sys.stdin.read()
held.resume()
"""
_MIB = 2**20
_JAVA_FLAGS = (
    "--enable-native-access=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
)
# Variables that slip options under every Java program; ours shall start the same everywhere.
_FOREIGN_OPTIONS = ("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH")
_CGROUP_LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


@dataclass(frozen=True, slots=True)
class Memory:
    """What the server may take."""

    heap_bytes: int
    page_cache_bytes: int


def plan_memory(settings: ServerSettings, machine_bytes: int) -> Memory:
    """Return the settings' sizes, else an eighth of the machine for each within fixed bounds.

    The heap is 512 MiB to 8 GiB, since GDS projects 10 M pages in 3 GiB; the page cache is 256 MiB
    to 8 GiB. So the crawl itself keeps three quarters of a small machine.
    """
    eighth = machine_bytes // 8 // _MIB * _MIB
    return Memory(
        settings.heap or min(max(eighth, 512 * _MIB), 8192 * _MIB),
        settings.page_cache or min(max(eighth, 256 * _MIB), 8192 * _MIB),
    )


def machine_memory_bytes() -> int:
    """Return the memory of this machine, or of the container that limits us."""
    sizes = [psutil.virtual_memory().total]
    for path in _CGROUP_LIMITS:
        try:
            sizes.append(int(path.read_text(encoding="ascii")))
        except (OSError, ValueError):  # no such file, or "max"
            continue
    return min(sizes)


def free_ports(*wished: int) -> list[int]:
    """Return a free loopback port for each wish: the wished one, else any."""
    with ExitStack() as held:  # all at once, so that no two are the same
        ports = []
        for wish in wished:
            probe = held.enter_context(socket.socket())
            if os.name == "posix":  # there it only means: a connection just closed is no hindrance
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((LOOPBACK, wish))
                probe.listen()
            except OSError:
                probe = held.enter_context(socket.socket())
                probe.bind((LOOPBACK, 0))
            ports.append(probe.getsockname()[1])
        return ports


def listens(process: psutil.Process, port: int) -> bool:
    """Whether this process accepts connections there, and not another that took the port."""
    try:
        connections = process.net_connections("tcp")
    except psutil.Error:
        return False
    return any(c.status == psutil.CONN_LISTEN and c.laddr.port == port for c in connections)


def launch(
    store: Store, java: Path, jars: Sequence[Path], heap_bytes: int, options: Sequence[str] = ()
) -> psutil.Process:
    """Start the server of a prepared store so that it outlives us; it is not ready yet.

    Args:
        store: Of the graph.
        java: The runtime's program.
        jars: The class path.
        heap_bytes: Of Java's heap, from the start.
        options: More of Java's, such as `-XX:+UseSerialGC`.

    Raises:
        ServerError: Java cannot be run here.
    """
    # An argument file, since some systems take no command line as long as this class path.
    class_path = os.pathsep.join(str(jar) for jar in jars)
    memory = (f"-Xms{heap_bytes}", f"-Xmx{heap_bytes}")
    arguments = (*memory, *_JAVA_FLAGS, *options, "-cp", class_path)
    argument_file = store.conf / "java.args"
    argument_file.write_text("".join(_quoted(a) + "\n" for a in arguments), encoding="utf-8")
    ours = (f"--config-dir={store.conf}", "--console-mode")  # console: its log goes to ours
    with store.log_file.open("wb") as log:
        try:
            started = subprocess.Popen(  # noqa: S603
                [str(java), f"@{argument_file}", *_identity(store), *ours],
                cwd=store.home,
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        except OSError as error:
            raise ServerError(
                f"Cannot run Java at {java}: {error.strerror}.",
                "Delete that folder and type the command again; if it persists, "
                'pip install "graphcrawl[java]"',
            ) from error
    return psutil.Process(started.pid)


def find(store: Store, run: Run) -> psutil.Process | None:
    """Return the live process that serves this store.

    It is known by its command line and not only by the number in the state file, which may be
    stale and belong to another program by now. A server whose start was killed before it noted the
    number is found as well.
    """
    if run.pid is not None:
        with suppress(psutil.NoSuchProcess):
            noted = psutil.Process(run.pid)
            if _serves(noted, store):
                return noted
    return next((p for p in psutil.process_iter() if _serves(p, store)), None)


def is_alive(process: psutil.Process) -> bool:
    """Whether the process runs; one that ended and was not waited for does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def wake(process: psutil.Process) -> None:
    """Let a suspended server go on."""
    with suppress(psutil.NoSuchProcess):
        process.resume()


@contextmanager
def held_still(process: psutil.Process) -> Iterator[None]:
    """Hold a process still, with nothing half written; it goes on at the end.

    It also goes on at once if we are killed meanwhile, since a second process watches over us.
    """
    with subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", _WAKER, str(process.pid)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # so that no Ctrl-C meant for us ends it
    ) as waker:
        cast("IO[bytes]", waker.stdout).readline()  # it is ready
        process.suspend()
        try:
            _await_stillness(process)
            yield
        finally:
            wake(process)  # the end of `with` closes the pipe


def _await_stillness(process: psutil.Process) -> None:
    """Wait until no thread is within a call of the system that was under way, such as a write."""
    tasks = Path(f"/proc/{process.pid}/task")
    deadline = time.monotonic() + _STILL_TIMEOUT_S
    while time.monotonic() < deadline:
        states = set()
        for stat in tasks.glob("*/stat"):
            with suppress(OSError):
                states.add(stat.read_text().rpartition(") ")[2][0])
        if states <= {"T", "t", "Z"}:  # Source: proc_pid_stat(5); elsewhere there is no /proc
            return
        time.sleep(0.001)


async def stop(process: psutil.Process, patience_s: float = STOP_TIMEOUT_S) -> None:
    """Ask the server to end; kill it when it does not. What it acknowledged survives either."""
    wake(process)
    for ask in (process.terminate, process.kill):
        try:
            ask()
        except psutil.NoSuchProcess:
            return
        try:
            await asyncio.to_thread(process.wait, patience_s)
            return
        except psutil.TimeoutExpired:
            continue
    raise ServerError(f"Process {process.pid} of Neo4j does not end.", f"kill -9 {process.pid}")


def _environment() -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k not in _FOREIGN_OPTIONS}
    return kept | {"LC_ALL": "C.UTF-8"}  # so that Java reads our paths as we wrote them


def _identity(store: Store) -> tuple[str, str]:
    return MAIN_CLASS, f"--home-dir={store.home}"


def _serves(process: psutil.Process, store: Store) -> bool:
    try:  # one that has ended, and was not waited for, has no command line any more
        return set(_identity(store)) <= set(process.cmdline())
    except psutil.Error:
        return False


def _quoted(argument: str) -> str:
    """Quote a line of a Java argument file. Source: the java command's manual, @argfiles."""
    escaped = argument.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
