"""`graphcrawl status --watch`: a crawl as it goes, from any terminal."""

import asyncio
import sys
import time
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from graphcrawl.cli import output, session, words

if TYPE_CHECKING:
    from graphcrawl.config import Settings
    from graphcrawl.hosts import HostRow
    from graphcrawl.look import SlowHost, Status

KEPT = 60  # looks that the curves show
LINE_EVERY_S = 10.0  # where stdout is no terminal
_REST = 5  # a look that took long is followed by a rest so many times as long
_OTHER_LINES = 13  # of the picture, without hosts, at 80 columns
_BARS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True, slots=True)
class Look:
    """The graph at one moment."""

    at_s: float  # by a clock that only goes forward
    status: "Status"
    slow: tuple["SlowHost", ...]
    troubled: tuple["HostRow", ...]  # parked, paused or blocked


async def watch(
    settings: "Settings", *, every_s: float, as_lines: bool, looks: int | None, quiet: bool
) -> None:
    """Show the graph again and again, until Ctrl-C.

    Args:
        settings: Which graph.
        every_s: Seconds between two looks; more where a look takes long.
        as_lines: A JSON object a line instead of a picture.
        looks: How many; none: without end.
        quiet: Without hints.
    """
    history: deque[Look] = deque(maxlen=KEPT)
    async with session.open_graph(settings, quiet=quiet) as graph:
        if as_lines:
            show = _print_json
        elif output.stdout_is_terminal():
            with Live(console=output.console(), auto_refresh=False) as live:
                await _repeat(
                    graph, settings, history, every_s, looks,
                    lambda: live.update(
                        view(settings.graph, history, output.console().height), refresh=True
                    ),
                )  # fmt: skip
            return
        else:
            every_s, show = max(every_s, LINE_EVERY_S) if looks is None else every_s, _print_line
        await _repeat(graph, settings, history, every_s, looks, lambda: show(history))


async def _repeat(
    graph: Any,
    settings: "Settings",
    history: deque[Look],
    every_s: float,
    looks: int | None,
    show: Any,
) -> None:
    from graphcrawl import hosts, look

    while looks is None or looks > 0:
        begun = time.monotonic()
        found = await look.status(graph, head=0, command=settings.command("crawl"))
        slow = await look.slow_hosts(graph)
        listed = [h async for h in hosts.listed(graph, limit=5)]
        troubled = tuple(h for h in listed if h.state in ("parked", "paused", "blocked"))
        history.append(Look(begun, found, tuple(slow), troubled))
        show()
        took_s = time.monotonic() - begun
        looks = None if looks is None else looks - 1
        if looks != 0:
            await asyncio.sleep(max(every_s - took_s, _REST * took_s, 0.05))


def pages_per_s(history: Sequence[Look]) -> list[float]:
    """Return the pages recorded a second between each two looks."""
    rates = []
    for before, after in zip(history, list(history)[1:], strict=False):
        seconds = after.at_s - before.at_s
        pages = after.status.counts.fetched - before.status.counts.fetched
        rates.append(max(pages, 0) / seconds if seconds > 0 else 0.0)
    return rates


def curve(values: Iterable[float]) -> str:
    """Draw values as a line of bars, the greatest full height; zero is the lowest."""
    numbers = list(values)
    top = max(numbers, default=0.0)
    if top <= 0:
        return _BARS[0] * len(numbers)
    return "".join(_BARS[min(int(8 * max(n, 0.0) / top), 7)] for n in numbers)


def document(history: Sequence[Look]) -> dict[str, Any]:
    """Return the newest look as the JSON object of a line."""
    now, rates = history[-1], pages_per_s(history)
    counts, rewards = now.status.counts, now.status.rewards
    return {
        "runs": len(now.status.runs),  # crawls that are alive
        "pages_per_s": round(rates[-1], 2)
        if rates
        else None,  # since the look before; null at the first
        "fetched": counts.fetched,
        "frontier": counts.frontier,  # pages that wait
        "leased": counts.leased,  # in the hands of crawls
        "failed": counts.failed,
        "excluded": counts.excluded,
        "pruned": counts.pruned,
        "feeds": counts.feeds,
        "neurons": counts.neurons,
        "axons": counts.axons,
        "reward_total": rewards.total,
        "hosts_due": now.status.hosts.due,  # may be asked now
        "hosts_waiting": now.status.hosts.waiting,
        "hosts_parked": now.status.hosts.parked,
        "cause": now.status.limit.cause,  # what limits the crawl, in one word
        "sentence": now.status.limit.sentence,  # the same in a sentence
    }


def line(history: Sequence[Look]) -> str:
    """Return the newest look in one line, for those who read a log."""
    now = document(history)
    rate = "" if now["pages_per_s"] is None else f", {now['pages_per_s']:.1f}/s"
    return (
        f"{words.count(now['fetched'])} fetched{rate}, {words.count(now['frontier'])} waiting, "
        f"{words.count(now['feeds'])} feeds, reward {words.points(now['reward_total'])} · "
        f"{now['sentence']}"
    )


def view(graph: str, history: Sequence[Look], height: int = 40) -> RenderableType:
    """Return the picture of the newest look, with curves over those before it.

    Args:
        graph: Its name.
        history: The looks so far.
        height: Lines of the terminal; where it is low, fewer hosts are named.
    """
    now, rates = history[-1], pages_per_s(history)
    counts, hosts, rewards = now.status.counts, now.status.hosts, now.status.rewards
    n = words.count
    runs = len(now.status.runs)
    over = words.duration(now.at_s - history[0].at_s)
    facts = {
        "graph": f"{graph}: {n(counts.neurons)} neurons, {n(counts.axons)} axons; "
        + {0: "no crawl runs", 1: "1 crawl runs"}.get(runs, f"{runs} crawls run"),
        "pages/s": f"{rates[-1]:.1f}  {curve(rates)}  over {over}" if rates else "…",
        "states": f"{n(counts.fetched)} fetched, {n(counts.frontier)} waiting, "
        f"{n(counts.leased)} in flight, {n(counts.failed)} failed, {n(counts.excluded)} excluded, "
        f"{n(counts.pruned)} pruned",
        "waiting": curve(look.status.counts.frontier for look in history),
        "reward": f"{words.points(rewards.total)}  "
        f"{curve(look.status.rewards.total for look in history)}",
        "found": f"{n(counts.rewarded)} pages earned, {n(counts.feeds)} job feeds",
        "hosts": f"{n(hosts.waiting)} with waiting pages, {n(hosts.due)} due now, "
        f"{n(hosts.parked)} parked or blocked",
    }
    parts: list[RenderableType] = [output.pairs(facts)]
    lists = bool(now.slow) + bool(now.troubled)
    room = (height - _OTHER_LINES) // max(lists, 1) - 2
    if now.slow and room > 0:
        parts += [Text("\nSlowest hosts", style="bold"), _slow(now.slow[:room])]
    if now.troubled and room > 0:
        parts += [Text("\nParked and blocked", style="bold"), _troubled(now.troubled[:room])]
    limit = now.status.limit
    parts.append(Text.assemble("\n", (limit.sentence, "bold"), f" {limit.remedy}"))
    return Group(*parts)


def _slow(hosts: Sequence["SlowHost"]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for host in hosts:
        delay = "" if host.delay_s is None else f"asked every {_short(host.delay_s)}"
        answers = f"answers in {_short(host.latency_s)}"
        table.add_row(words.printable(host.host), answers, delay)
    return table


def _short(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms" if seconds < 1 else words.duration(seconds)


def _troubled(hosts: Sequence["HostRow"]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for host in hosts:
        why = host.block_reason or host.trouble or ""
        until = f"until {host.parked_until:%H:%M:%S} UTC" if host.parked_until else ""
        table.add_row(words.printable(host.host), host.state, until, words.printable(why))
    return table


def _print_json(history: Sequence[Look]) -> None:
    print(words.to_json(document(history)))
    sys.stdout.flush()


def _print_line(history: Sequence[Look]) -> None:
    print(words.printable(line(history)))
    with suppress(BrokenPipeError):
        sys.stdout.flush()
