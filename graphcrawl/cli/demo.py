"""`graphcrawl demo`: a whole crawl on this machine, in a minute."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import RenderableType
from rich.text import Text

from graphcrawl.cli import live, output, session, words
from graphcrawl.cli.stops import EXIT_CODES, stopping

if TYPE_CHECKING:
    from graphcrawl.config import Settings
    from graphcrawl.crawl.inputs import Inputs, Start
    from graphcrawl.demo.run import DemoReport
    from graphcrawl.demo.web import Web


def demo(
    context: typer.Context,
    seed: Annotated[int, typer.Option(help="Another number generates another web.")] = 1,
    pages: Annotated[int, typer.Option(help="Size of the web, 300 to 20,000 pages.")] = 400,
    as_json: output.JsonFlag = False,
) -> None:
    """Serve a generated web on loopback and find its job feeds in at most half of its pages.

    Everything goes into the graph `demo`, which is emptied first; no other graph is touched.

    Examples:
        graphcrawl demo
        graphcrawl demo --seed 7 --pages 1000 --json
    """
    from graphcrawl.demo.run import GRAPH
    from graphcrawl.demo.web import check_size

    check_size(pages)  # a wrong one is told before a server is started
    of = session.Session(graph=GRAPH, verbosity=session.Session.of(context).verbosity)
    settings = of.settings()
    report = session.run(_demo(of, settings, seed, pages))
    document = summary(report, _browser_url(settings))
    form = output.Format.JSON if as_json else output.Format.TABLE
    output.emit_document(document, form, lambda: _view(report, document))
    if code := EXIT_CODES.get(report.stats.stop_reason):
        raise typer.Exit(code)


async def _demo(of: session.Session, settings: "Settings", seed: int, pages: int) -> "DemoReport":
    from graphcrawl.demo.run import run_demo

    def announce(web: "Web") -> None:
        if not of.quiet:
            output.note(f"Serving on loopback: {web.describe()}")

    async with session.open_graph(settings, quiet=of.quiet, create=True) as graph:
        with stopping(quiet=of.quiet) as stop_by, live.watching(quiet=of.quiet) as watch:

            def begin(inputs: "Inputs", start: "Start") -> None:
                stop_by(start.crawl)
                watch(inputs, start)

            return await run_demo(
                graph, settings, seed=seed, pages=pages, on_web=announce, on_start=begin
            )


def summary(report: "DemoReport", browser_url: str | None) -> dict[str, Any]:
    """Return the JSON document of a demo."""
    counts = report.status.counts
    return {
        "pages_fetched": report.stats.requests,  # requests for pages
        "pages_total": report.web.pages_total,  # of the generated web
        "feeds_found": report.feeds_found,  # true job feeds
        "feeds_total": len(report.web.feeds),
        "pages_until_last_feed": report.stats.last_feed_at,  # null: none was found
        "false_feeds": len(report.feeds) - report.feeds_found,  # decoys that were taken for feeds
        "neurons": counts.neurons,
        "axons": counts.axons,
        "reward_total": report.status.rewards.total,
        "pruned": report.pruned,
        "seconds": round(report.seconds, 2),
        "browser_url": browser_url,  # null with a Neo4j of your own
    }


def _browser_url(settings: "Settings") -> str | None:
    """Return where Neo4j Browser is; None where the user named a Neo4j of their own."""
    from graphcrawl import server
    from graphcrawl.config import Paths

    if session.uses_own_neo4j():
        return None
    running = server.find(Paths.locate(settings.home), settings.graph)
    return running.browser_url if running else None


def _view(report: "DemoReport", document: dict[str, Any]) -> Iterable[RenderableType]:
    yield Text("\nJob feeds found", style="bold")
    yield output.table(
        [{"url": f.url, "form": f.form, "jobs": f.jobs, "by": f.found_by} for f in report.feeds],
        [
            output.Column("url", "feed", wide=True),
            output.Column("form"),
            output.Column("jobs", justify="right"),
            output.Column("by", "first linked from", wide=True),
        ],
    )
    yield Text("\nBest pages", style="bold")
    yield output.table(
        [{"reward": p.reward, "url": p.url, "title": p.title} for p in report.best],
        [
            output.Column("reward", show=words.points, justify="right"),
            output.Column("url", wide=True),
            output.Column("title", wide=True),
        ],
    )
    share = 100 * report.stats.requests / report.web.pages_total
    yield Text()
    yield output.pairs(
        {
            "job feeds": f"{report.feeds_found} of {len(report.web.feeds)}, "
            f"the last after {report.stats.last_feed_at} pages",
            "pages fetched": f"{report.stats.requests} of {report.web.pages_total} ({share:.0f} %)",
            "graph": f"{document['neurons']:,} neurons, {document['axons']:,} axons, "
            f"reward {words.points(document['reward_total'])}",
            "pruned": words.count(report.pruned),
            "time": words.duration(report.seconds),
        }
    )
    if document["browser_url"]:
        yield Text()
        yield Text(f"Neo4j Browser: {document['browser_url']}")
        yield Text("Its password's file: graphcrawl --graph demo db status", style="dim")
    yield Text("Look further: graphcrawl --graph demo query list", style="dim")
