"""`graphcrawl work`, and `pause`, `resume`, `stop`: workers of one graph, wherever they run."""

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphcrawl.cli import output, running, session
from graphcrawl.cli.session import Session
from graphcrawl.errors import UsageError

if TYPE_CHECKING:
    from graphcrawl.config import Settings
    from graphcrawl.control import Heard
    from graphcrawl.graph import Graph

STOPS_WITHIN_S = 60.0  # that `--wait` waits at most


def work(
    context: typer.Context,
    concurrency: Annotated[
        int | None, typer.Option(help="Requests in flight of this worker. Default: 16.")
    ] = None,
    max_pages: Annotated[int, typer.Option(min=0, help="Pages that it asks for; 0: no limit.")] = 0,
    max_time: Annotated[
        str | None, typer.Option(metavar="TIME", help="Such as 10m or 2h. Default: none.")
    ] = None,
    prune: Annotated[
        bool, typer.Option("--prune", help="Prune poor pages, if no other worker does.")
    ] = False,
    out: output.PageLogFlag = None,
    metrics: output.MetricsFlag = None,
    as_json: output.JsonFlag = False,
) -> None:
    """Join the crawl of a graph as one more worker, on this machine or another.

    Goes by the order, topic, rules, scope and manners of the graph's last crawl, and waits for the
    next page that is due until it is stopped. NEO4J_URI names the graph's server where that runs
    elsewhere. Limits over all hosts are this worker's own: max_rate, max_bandwidth, per_address.

    Examples:
        graphcrawl work
        graphcrawl work --concurrency 8 --max-time 8h
    """
    of = Session.of(context)
    limits = {"concurrency": concurrency, "max_pages": max_pages, "max_time": max_time}
    settings = of.settings(crawl=limits)
    from graphcrawl.crawl import pagelog

    if out:
        pagelog.check(out)
    session.require_graph(settings)
    more = [f"--concurrency {concurrency}"] if concurrency else []
    more += [f"--max-pages {max_pages}"] if max_pages else []
    more += [f"--max-time {max_time}"] if max_time else []
    how = running.How(out=out, metrics=metrics, prune=prune, watch=True)
    running.crawl_and_tell(of, settings, how, "work", more + ["--prune"] * prune, as_json=as_json)


def pause(context: typer.Context, as_json: output.JsonFlag = False) -> None:
    """Let all workers of a graph pause, wherever they run, until `resume`.

    They hear it within two seconds, finish the pages in flight and keep the others in hand. A crawl
    that is started meanwhile waits too. The time of --max-time goes on.

    Examples:
        graphcrawl pause
        graphcrawl pause --graph jobs --json
    """
    from graphcrawl import control

    def told(settings: "Settings", heard: "Heard") -> str:
        if heard.already:
            return f"It is paused already. Go on: {settings.command('resume')}"
        return f"{_workers(heard)} pause. Go on: {settings.command('resume')}"

    _say(context, control.pause, told, as_json=as_json)


def resume(context: typer.Context, as_json: output.JsonFlag = False) -> None:
    """Let all workers of a graph go on after `pause`.

    Examples:
        graphcrawl resume
        graphcrawl resume --graph jobs --json
    """
    from graphcrawl import control

    def told(settings: "Settings", heard: "Heard") -> str:
        if heard.already:
            return "It was not paused."
        if not heard.workers:
            return f"No crawl runs. Start one: {settings.command('crawl')}"
        return f"{_workers(heard)} go on."

    _say(context, control.resume, told, as_json=as_json)


def stop(
    context: typer.Context,
    now: Annotated[
        bool,
        typer.Option("--now", help="Break off the pages in flight; they go back to the frontier."),
    ] = False,
    wait: Annotated[
        bool, typer.Option("--wait", help="Return when they have ended, a minute at most.")
    ] = False,
    as_json: output.JsonFlag = False,
) -> None:
    """Let all workers of a graph end, wherever they run; nothing is lost.

    They hear it within two seconds, and finish the pages in flight. Crawls that are started later
    are not meant.

    Examples:
        graphcrawl stop
        graphcrawl stop --now --wait
    """
    from graphcrawl import control

    async def work(graph: "Graph") -> "Heard":
        heard = await control.stop(graph, break_off=now)
        if wait and (left := await control.ended(graph, STOPS_WITHIN_S)):
            raise UsageError(
                f"{left} of them still finish what is in flight.", "Add --now to break that off."
            )
        return heard

    def told(settings: "Settings", heard: "Heard") -> str:
        if not heard.workers:
            return "No crawl runs."
        done = "have ended" if wait else "end"
        return f"{_workers(heard)} {done}. Go on later: {settings.command('crawl')}"

    _say(context, work, told, as_json=as_json)


def _say(
    context: typer.Context,
    word: Callable[["Graph"], Awaitable["Heard"]],
    told: Callable[["Settings", "Heard"], str],
    *,
    as_json: bool,
) -> None:
    of = Session.of(context)
    settings = of.settings()
    heard = session.run(_say_to(of, settings, word))
    document: dict[str, Any] = {"graph": settings.graph, **asdict(heard)}
    form = output.Format.JSON if as_json else output.Format.TABLE
    if as_json:
        output.emit_document(document, form, list)
    elif not of.quiet:
        output.note(told(settings, heard))


async def _say_to(
    of: Session, settings: "Settings", word: Callable[["Graph"], Awaitable["Heard"]]
) -> "Heard":
    async with session.open_graph(settings, quiet=of.quiet) as graph:
        return await word(graph)


def _workers(heard: "Heard") -> str:
    return f"{heard.workers} workers" if heard.workers != 1 else "The one worker"
