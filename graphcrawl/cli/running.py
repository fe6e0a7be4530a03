"""A crawl from the command line, from its start to its last word: `crawl`, and `work` likewise."""

import shlex
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from graphcrawl.cli import live, output, session
from graphcrawl.cli.measure import measuring
from graphcrawl.cli.stops import EXIT_CODES, stopping

if TYPE_CHECKING:
    from graphcrawl.config import Settings
    from graphcrawl.crawl import Stats
    from graphcrawl.crawl.inputs import Inputs, Start


@dataclass(frozen=True, slots=True)
class How:
    """What was typed that is no setting."""

    out: Path | None = None  # a file for a line a page
    metrics: int | None = None  # a port
    prune: bool = False
    watch: bool = False
    read_feeds: bool = False
    workers: int = 1


def crawl_and_tell(
    of: session.Session,
    given: "Inputs | Settings",
    how: How,
    command: str,
    more: Sequence[str],
    *,
    as_json: bool,
) -> None:
    """Crawl, print what came of it, and leave with the exit code for why it ended.

    Args:
        of: The global options.
        given: What to crawl by; settings alone: join what others crawl.
        how: What else was typed.
        command: Its name.
        more: Flags that were typed and are no settings, to type again.
        as_json: Print a document.
    """
    stats, summary, inputs = session.run(_crawl(of, given, how))
    form = output.Format.JSON if as_json else output.Format.TABLE
    output.emit_document(summary, form, lambda: [live.result(stats, summary)])
    settings = inputs.settings
    if not of.quiet:
        for line in live.judgement(stats, inputs):
            output.note(line)
        flags = [*more, "-o", shlex.quote(str(how.out))] if how.out else more
        left, joins = summary["frontier"], command != "crawl"
        plain = settings if joins else of.settings()  # a worker has next to no flags of its own
        output.note(live.farewell(stats, settings, plain, flags, waiting=left, command=command))
        if stats.stop_reason == "done" and summary["feeds"]:
            output.note(
                "Job feeds are read again when they are due, see: "
                f"{settings.command('feeds')}; now: {settings.command('crawl --read-feeds')}"
            )
    if code := EXIT_CODES.get(stats.stop_reason):
        raise typer.Exit(code)


async def _crawl(
    of: session.Session, given: "Inputs | Settings", how: How
) -> tuple["Stats", dict[str, Any], "Inputs"]:
    from graphcrawl import look
    from graphcrawl.crawl.crew import Crew
    from graphcrawl.crawl.hooks import Hooks
    from graphcrawl.crawl.inputs import Inputs
    from graphcrawl.crawl.joining import joined
    from graphcrawl.crawl.pagelog import PageLog
    from graphcrawl.crawl.part import Part
    from graphcrawl.crawl.pruning import come_to_size, keeper_of
    from graphcrawl.crawl.run import require_pages, run_crawl

    joins = not isinstance(given, Inputs)
    settings = given.settings if isinstance(given, Inputs) else given
    async with session.open_graph(settings, quiet=of.quiet, create=not joins) as graph:
        inputs = given if isinstance(given, Inputs) else await joined(graph, given)
        async with AsyncExitStack() as stack:
            stop_by = stack.enter_context(stopping(quiet=of.quiet))
            show = stack.enter_context(live.watching(quiet=of.quiet))
            measure = await stack.enter_async_context(measuring(how.metrics, quiet=of.quiet))
            log = stack.enter_context(PageLog.open(how.out))
            hooks = Hooks(on_record=log.tell) if log else None
            hired = Crew.hired(
                graph,
                how.workers,
                prune=how.prune,
                watch=how.watch,
                out=how.out,
                verbosity=of.verbosity,
            )
            crew = await stack.enter_async_context(hired)

            def begin(start: "Start") -> None:
                nonlocal inputs
                inputs = start.inputs or inputs
                crew.begin(start.crawl, inputs.settings)
                stop_by(crew if how.workers > 1 else start.crawl)
                measure(start.crawl.stats)
                show(inputs, start)

            stats = await run_crawl(
                graph,
                inputs,
                prune=how.prune,
                watch=how.watch,
                read_feeds=how.read_feeds,
                on_start=begin,
                hooks=hooks,
                part=Part(joins=True) if joins else crew.part if how.workers > 1 else None,
            )
            await crew.finish()
            stats = stats.total
            if how.workers > 1:
                keeper = keeper_of(graph, inputs.settings, prune=how.prune)
                await come_to_size(keeper, stats)
                require_pages(stats, inputs.settings)
        if hooks and hooks.failure:
            raise hooks.failure
        summary = live.summary(stats, await look.status(graph))
        if how.workers > 1:
            summary |= {"workers": how.workers, "workers_died": crew.died}
        return stats, summary, inputs
