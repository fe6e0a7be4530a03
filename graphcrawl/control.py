"""Pause, resume and stop all workers of a graph, by a word in the graph that each looks for."""

import asyncio
import time
from dataclasses import dataclass
from datetime import datetime

from graphcrawl.graph import Graph

LOOK_EVERY_S = 0.2


@dataclass(frozen=True, slots=True)
class Heard:
    """What a word was said to."""

    workers: int  # that are alive
    already: bool = False  # it was so before


async def pause(graph: Graph) -> Heard:
    """Let all workers finish what is in flight, and ask for nothing more until `resume`."""
    row = (await graph.run("control/pause"))[0]
    return Heard(row["workers"], row["already"])


async def resume(graph: Graph) -> Heard:
    """Let all workers go on."""
    row = (await graph.run("control/resume"))[0]
    return Heard(row["workers"], not row["wasPaused"])


async def stop(graph: Graph, *, break_off: bool = False) -> Heard:
    """Let all workers end that have begun by now; a pause is over too.

    Args:
        graph: Whose workers.
        break_off: Do not wait for the pages in flight; they go back to the frontier.
    """
    return Heard((await graph.run("control/stop", breakOff=break_off))[0]["workers"])


async def ended(graph: Graph, within_s: float) -> int:
    """Wait until the workers that were told to stop have ended; return how many have not."""
    until = time.monotonic() + within_s
    while True:
        left = int((await graph.run("control/alive"))[0]["workers"])
        if not left or time.monotonic() >= until:
            return left
        await asyncio.sleep(LOOK_EVERY_S)


async def paused_at(graph: Graph) -> datetime | None:
    """Return since when the workers of a graph pause; None: they do not."""
    found = (await graph.run("control/alive"))[0]["pausedAt"]
    at: datetime | None = None if found is None else found.to_native()
    return at
