"""Starts workers, kills them and their server at moments that a seed decides, and looks."""

import asyncio
import contextlib
import os
import random
import signal
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field

from crashing import looks
from crashing.worker import Job, opened, work
from graphcrawl import server, soundness
from graphcrawl.config import ServerSettings
from graphcrawl.frontier import Neo4jFrontier
from graphcrawl.graph import Graph
from graphcrawl.server import Running

SMALL = ServerSettings(heap=384 * 2**20, page_cache=48 * 2**20)
RECORDS = 12  # at most that are acknowledged between two kills
LATER_S = 0.3  # at most, from the last of them to the kill
PATIENCE_S = 20.0  # with workers that get nothing done


@dataclass(slots=True)
class Havoc:
    """Workers on one graph, and what happens to them."""

    job: Job
    workers: int
    rng: random.Random
    pids: dict[int, int] = field(default_factory=dict)  # number of the worker by process
    started: int = 0
    worker_kills: int = 0
    server_kills: int = 0
    broken: list[str] = field(default_factory=list)  # promises, acknowledged records
    restart_s: list[float] = field(default_factory=list)

    def start(self) -> None:
        """Start a worker: a fork, so that all modules are there."""
        self.started += 1
        pid = os.fork()
        if pid:
            self.pids[pid] = self.started
            return
        code = 1
        try:
            asyncio.run(work(self.job, self.started))
            code = 0
        except BaseException:
            traceback.print_exc()  # the status alone says nothing
        finally:
            os._exit(code)

    def kill_worker(self) -> None:
        """Kill one with -9, and start another."""
        if not self.pids:
            return
        pid = self.rng.choice(sorted(self.pids))
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        del self.pids[pid]
        self.worker_kills += 1
        self.start()

    def kill_server(self) -> None:
        """Kill Neo4j with -9, start it anew, and look whether all is as it was promised.

        Every other time the workers go with it, so that nobody writes while we look.
        """
        running = server.find(self.job.paths, self.job.graph)
        assert running
        running.process.kill()
        running.process.wait()
        is_quiet = self.server_kills % 2 == 0
        number = len(self.pids)
        if is_quiet:
            self.end()
        begun = time.monotonic()
        asyncio.run(start_server(self.job))
        self.restart_s.append(round(time.monotonic() - begun, 1))
        self.server_kills += 1
        self.look(f"after server kill {self.server_kills}", strict=is_quiet)
        if is_quiet:
            for _ in range(number):
                self.start()

    def end(self) -> None:
        """Kill all workers."""
        for pid in list(self.pids):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            del self.pids[pid]
            self.worker_kills += 1

    def records(self) -> int:
        """Return how many were acknowledged."""
        file = self.job.acknowledged
        return file.read_bytes().count(b"\n") if file.exists() else 0

    def await_records(self, number: int) -> None:
        """Wait for so many more, but not for ever: a slow machine kills no less."""
        wanted, end = self.records() + number, time.monotonic() + PATIENCE_S
        while self.records() < wanted and time.monotonic() < end and self.reap():
            time.sleep(0.01)

    def reap(self) -> bool:
        """Notice workers that have ended; return whether any runs."""
        for pid in list(self.pids):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                del self.pids[pid]
                if status:
                    self.broken.append(f"a worker ended with status {status}")
        return bool(self.pids)

    def finish(self) -> None:
        """Let the workers come to an end by themselves."""
        while self.reap():
            time.sleep(0.05)

    def look(self, when: str, *, strict: bool = True) -> None:
        """Note what is broken.

        Args:
            when: In words.
            strict: Nobody writes: what is derived is looked at once a start has mended it.
        """
        for line in asyncio.run(self._look(strict=strict)):
            self.broken.append(f"{when}: {line}")

    async def _look(self, *, strict: bool) -> list[str]:
        async with opened(self.job) as graph:
            return await self._found(graph, strict=strict)

    async def _found(self, graph: Graph, *, strict: bool) -> list[str]:
        found = await soundness.breaches(graph)
        said = [str(b) for b in found if b.check != "hosts"]  # which a start of a crawl derives
        if strict:
            frontier = Neo4jFrontier(graph, "look", "look", self.job.options)
            await frontier.reap()
            await frontier.refresh_hosts()
            said += [str(b) for b in await soundness.breaches(graph) if b.check == "hosts"]
        if self.job.acknowledged.exists():
            told = looks.lost(graph.address, self.job.acknowledged)
            said += told[:5]
        return said


async def start_server(job: Job) -> Running:
    """Start the graph's server, small."""
    return await server.up(job.paths, job.graph, SMALL)


async def empty(job: Job) -> None:
    """Empty the graph."""
    with contextlib.suppress(FileNotFoundError):
        job.acknowledged.unlink()
    async with opened(job) as graph:
        await graph.run("demo/wipe")


def torment(havoc: Havoc, worker_kills: int, server_kills: int, again: Callable[[], None]) -> None:
    """Kill so often; a graph that has come to its end is emptied, and crawled again.

    Args:
        havoc: The workers.
        worker_kills: Kills of workers at least.
        server_kills: Kills of the server.
        again: Empties the graph.
    """
    for _ in range(havoc.workers):
        havoc.start()
    rng = havoc.rng
    while havoc.worker_kills < worker_kills or havoc.server_kills < server_kills:
        havoc.await_records(rng.randint(0, RECORDS))
        time.sleep(rng.uniform(0.0, LATER_S))
        if not havoc.reap():
            havoc.look("at the end of a crawl")
            again()
            for _ in range(havoc.workers):
                havoc.start()
            continue
        share = havoc.worker_kills / max(worker_kills, 1)
        if havoc.server_kills < server_kills and havoc.server_kills <= share * server_kills:
            havoc.kill_server()
        else:
            havoc.kill_worker()
