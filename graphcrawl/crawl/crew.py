"""The other worker processes of `crawl --workers N`: started, watched, started anew, ended."""

import asyncio
import json
import logging
import signal
import sys
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from graphcrawl.config import Settings
from graphcrawl.crawl.alive import LEAD, PRUNE
from graphcrawl.crawl.loop import Crawl
from graphcrawl.crawl.member import Order, heard, packed
from graphcrawl.crawl.part import Part, new_id, worker_name
from graphcrawl.crawl.stats import Stats
from graphcrawl.errors import Neo4jError
from graphcrawl.graph import Graph

logger = logging.getLogger(__name__)

STARTS = 4  # of one worker: the first, and three after it died
FIRST_PAUSE_S = 0.5  # before a worker is started anew; doubles
# Before it could listen, before it had begun, or the hard way.
_TOLD_TO_END = (-signal.SIGTERM, 128 + signal.SIGTERM, -signal.SIGKILL)
_PATIENT = 2  # times that a worker is asked to end, before it is killed
_LONGEST_LINE = 2**20
_LAST_WORDS = 5  # lines of stderr that are kept


@dataclass(slots=True)
class Crew:
    """The workers of one crawl but its own process.

    `begin` starts them, `finish` waits for their end. A worker that dies gives back what it held at
    once, for it is known to be dead, and another takes its place.
    """

    graph: Graph
    workers: int  # in all
    prune: bool = False
    watch: bool = False
    out: Path | None = None
    verbosity: int = 0
    part: Part = field(init=False)  # of the crawl's own process
    processes: dict[int, asyncio.subprocess.Process] = field(default_factory=dict)  # by number
    died: int = 0  # how often one did
    stats: Stats = field(default_factory=Stats)  # of the own process; `workers` has the others'
    _crawl: Crawl | None = None
    _ends: bool = False  # nobody is started any more
    _stops: int = 0
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)
    _parts: int = 0

    def __post_init__(self) -> None:
        """Make the crawl's own part."""
        own = new_id()
        self.part = Part(own, own if self.workers > 1 else None, self.workers)

    @classmethod
    @asynccontextmanager
    async def hired(
        cls,
        graph: Graph,
        workers: int,
        *,
        prune: bool,
        watch: bool,
        out: Path | None,
        verbosity: int,
    ) -> AsyncIterator["Crew"]:
        """Make a crew that is gone at the end of the block, however that is left."""
        crew = cls(graph, workers, prune, watch, out, verbosity)
        try:
            yield crew
        finally:
            await crew._dismiss()

    def begin(self, crawl: Crawl, settings: Settings) -> None:
        """Start the other workers.

        Args:
            crawl: The crawl's own loop.
            settings: What it goes by.
        """
        self._crawl, self.stats = crawl, crawl.stats
        for number in range(2, self.workers + 1):
            self._tasks.append(asyncio.create_task(self._keep(number, settings)))

    def stop(self, reason: str) -> None:
        """Let all workers claim no more; then break off what is in flight; then kill them."""
        self._ends = True
        self._stops += 1
        if self._crawl is not None:
            if self._stops > 1:
                self._crawl.abort()
            else:
                self._crawl.stop(reason)
                self._crawl.stats.stop_reason = reason  # even if it has just ended by itself
        for process in self.processes.values():
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGKILL if self._stops > _PATIENT else signal.SIGTERM)

    def abort(self) -> None:
        """Break off."""
        self._stops = max(self._stops, 1)
        self.stop("interrupted")

    async def finish(self) -> None:
        """Wait until the other workers have ended, as the crawl's own process has."""
        self._ends = True
        if self._tasks:
            await asyncio.wait(self._tasks)
        for task in self._tasks:
            task.result()

    async def _keep(self, number: int, settings: Settings) -> None:
        """Have one worker, and another where that one dies."""
        for start in range(STARTS):
            crawl_id = new_id()
            code, pid, words = await self._run(number, self._order(crawl_id, settings))
            if code == 0:
                return
            await self._bury(crawl_id, pid)
            if self._ends and code in _TOLD_TO_END:
                return
            self.died += 1
            is_last = start == STARTS - 1
            logger.warning(
                "Worker %d (process %d) died%s%s",
                number,
                pid,
                f" of signal {-code}" if code < 0 else f": {words}" if words else "",
                "." if self._ends else "; the others go on." if is_last else "; started anew.",
            )
            if self._ends or is_last:
                return
            await asyncio.sleep(FIRST_PAUSE_S * 2**start)
            if self._ends:
                return

    async def _run(self, number: int, order: Order) -> tuple[int, int, str]:
        """Run a worker to its end; return its exit code, its process id and its last words."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "graphcrawl.crawl.member"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=_LONGEST_LINE,
            start_new_session=True,  # Ctrl-C is for the crawl's own process, which tells the others
        )
        self.processes[number] = process
        self._parts += 1
        part, words = self._parts, deque[str](maxlen=_LAST_WORDS)

        async def send(stdin: asyncio.StreamWriter | None) -> None:
            with suppress(ConnectionError):
                if stdin is not None:  # it stays open: its end would end the worker
                    stdin.write(packed(order))
                    await stdin.drain()

        async def listen(stdout: asyncio.StreamReader | None) -> None:
            async for line in _lines(stdout):
                self.stats.workers[part] = heard(json.loads(line))

        async def overhear(stderr: asyncio.StreamReader | None) -> None:
            level = logging.INFO if self.verbosity > 0 else logging.DEBUG
            async for line in _lines(stderr):
                words.append(line.decode(errors="replace").rstrip())
                logger.log(level, "%d: %s", number, words[-1])

        try:
            await asyncio.gather(
                send(process.stdin), listen(process.stdout), overhear(process.stderr)
            )
            code = await process.wait()
        finally:
            self.processes.pop(number, None)
            if process.returncode is None:
                process.terminate()
        return code, process.pid, words[-1] if words else ""

    def _order(self, crawl_id: str, settings: Settings) -> Order:
        if (limit := settings.crawl.max_time) is not None:  # they all end at the same time
            left = max(limit - (time.monotonic() - self.stats.started), 0.001)
            changed = settings.crawl.model_copy(update={"max_time": left})
            settings = settings.model_copy(update={"crawl": changed})
        part = replace(self.part, crawl_id=crawl_id, joins=True)
        return Order(settings, part, self.prune, self.watch, self.out, self.verbosity)

    async def _bury(self, crawl_id: str, pid: int) -> None:
        """Take back what a dead worker held: the time of its leases need not be waited for."""
        worker = worker_name(crawl_id, pid)
        try:
            duties = [LEAD, PRUNE]
            await self.graph.run("control/bury", worker=worker, id=crawl_id, duties=duties)
            await self.graph.run("control/return_pages", of=self.part.of, id=crawl_id)
        except Neo4jError as error:  # its leases end by themselves
            logger.debug("Could not take back what worker %s held: %s", worker, error)

    async def _dismiss(self) -> None:
        self._ends = True
        for process in list(self.processes.values()):
            with suppress(ProcessLookupError):
                process.terminate()
        for task in self._tasks:
            if not task.done():
                with suppress(TimeoutError, Exception):
                    await asyncio.wait_for(task, 10.0)
        for process in list(self.processes.values()):
            with suppress(ProcessLookupError):
                process.kill()


async def _lines(stream: asyncio.StreamReader | None) -> AsyncIterator[bytes]:
    while stream is not None and (line := await stream.readline()):
        yield line
