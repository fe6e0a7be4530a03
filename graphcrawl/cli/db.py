"""`graphcrawl db`: the embedded Neo4j servers of this machine."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import RenderableType
from rich.text import Text

from graphcrawl.cli import db_files, output, session, words
from graphcrawl.cli.output import Column, CsvFlag, Format, JsonFlag, JsonlFlag
from graphcrawl.cli.session import Session

if TYPE_CHECKING:
    from graphcrawl import server
    from graphcrawl.config import Settings

app = typer.Typer(
    help="Start, stop and look at the embedded Neo4j, one server a graph.", no_args_is_help=True
)

_KEYS = ("graph", "state", "bolt_uri", "browser_url", "pid", "size_bytes", "folder")
_COLUMNS = (
    Column("graph", "graph", style="bold"),
    Column("state", "state"),
    Column("bolt_uri", "bolt"),
    Column("pid", "pid", justify="right", spare=1),
    Column("size_bytes", "size", show=words.size, justify="right", spare=2),
    Column("folder", "folder", style="dim", wide=True),
)
_SCHEMA_COLUMNS = (
    Column("name", style="bold"),
    Column("type"),
    Column("unit"),
    Column("meaning", wide=True, folds=True),
)


@app.command()
def up(
    context: typer.Context,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """Start the graph's server and wait until it answers. The first start fetches Neo4j.

    Examples:
        graphcrawl db up
        graphcrawl db up --graph demo
    """
    form = Format.chosen(as_json, as_jsonl, as_csv)
    here = Session.of(context)
    settings = here.settings()
    session.refuse_own_neo4j()
    session.run(_up(settings, quiet=here.quiet))
    _print_status(settings, form)


@app.command()
def down(context: typer.Context) -> None:
    """Stop the graph's server. Its data stays.

    Examples:
        graphcrawl db down
        graphcrawl db down --graph demo
    """
    here = Session.of(context)
    settings = here.settings()
    session.refuse_own_neo4j()
    session.require_graph(settings)
    stopped = session.run(_down(settings))
    if not here.quiet:
        output.note(
            f"The server of the graph {settings.graph!r} "
            + ("has stopped." if stopped else "was not running.")
        )


@app.command()
def status(
    context: typer.Context,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """Show whether the graph's server runs, and its addresses.

    Examples:
        graphcrawl db status
        graphcrawl db status --json
    """
    form = Format.chosen(as_json, as_jsonl, as_csv)
    settings = Session.of(context).settings()
    if session.uses_own_neo4j():
        session.run(_print_own_neo4j(settings, form))
    else:
        session.require_graph(settings)
        _print_status(settings, form)


@app.command("list")
def list_graphs(
    context: typer.Context,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """List the embedded graphs of this machine.

    Examples:
        graphcrawl db list
        graphcrawl db list --csv
    """
    from graphcrawl import server

    form = Format.chosen(as_json, as_jsonl, as_csv)
    here = Session.of(context)
    rows = [_row(s) for s in server.list_graphs(session.paths(here.settings()))]
    empty = "No graph yet. Make one: graphcrawl demo, or graphcrawl crawl URL"
    session.run(
        output.emit_rows(
            output.each(rows), _COLUMNS, form, keys=_KEYS, empty=empty, quiet=here.quiet
        )
    )


@app.command()
def reset(
    context: typer.Context,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete the graph for good: its server's store, pages, rewards, everything. Asks first.

    Examples:
        graphcrawl db reset --graph demo
        graphcrawl db reset --yes
    """
    from graphcrawl import server

    here = Session.of(context)
    settings = here.settings()
    session.refuse_own_neo4j()
    session.require_graph(settings)
    found = server.status(session.paths(settings), settings.graph)
    question = (
        f"Delete the graph {settings.graph!r} ({words.size(found.size_bytes)} in {found.home})?"
    )
    if not yes and not session.confirm(question, "--yes"):
        output.note("Nothing was deleted.")
        return
    session.run(server.reset(session.paths(settings), settings.graph))
    if not here.quiet:
        output.note(f"The graph {settings.graph!r} is deleted.")


@app.command()
def logs(
    context: typer.Context,
    lines: Annotated[
        int, typer.Option("--lines", "-n", min=1, help="How many lines from the end.")
    ] = 40,
) -> None:
    """Print the end of the server's log.

    Examples:
        graphcrawl db logs
        graphcrawl db logs -n 200
    """
    from graphcrawl import server

    settings = Session.of(context).settings()
    session.refuse_own_neo4j()
    session.require_graph(settings)
    for line in server.log_tail(session.paths(settings), settings.graph, lines):
        typer.echo(line)


@app.command()
def schema(
    context: typer.Context,
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="As docs/GRAPH.md has it.")
    ] = False,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """Print the data dictionary: labels, relationships, properties, types, units, indexes.

    Examples:
        graphcrawl db schema
        graphcrawl db schema --csv
    """
    from graphcrawl import dictionary
    from graphcrawl.dictionary_elements import ELEMENTS

    form = Format.chosen(as_json, as_jsonl, as_csv)
    if as_markdown:
        typer.echo(dictionary.markdown(), nl=False)
        return
    rows = list(dictionary.rows())
    if form is Format.TABLE and output.stdout_is_terminal():
        for element in ELEMENTS:
            mine = [row for row in rows if row["element"] == element.name]
            output.console().print(Text.assemble("\n", (element.pattern, "bold cyan")))
            output.console().print(Text(f"{element.meaning}.\n" if mine[1:] else element.meaning))
            if mine[1:]:
                output.console().print(output.table(mine[1:], _SCHEMA_COLUMNS))
        return
    session.run(output.emit_rows(output.each(rows), (), form))


app.command()(db_files.backup)
app.command()(db_files.restore)
app.command()(db_files.compact)


async def _up(settings: "Settings", *, quiet: bool) -> None:
    from graphcrawl import server
    from graphcrawl.cli import progress

    with progress.server_start(quiet=quiet) as on_progress:
        await server.up(session.paths(settings), settings.graph, settings.server, on_progress)


async def _down(settings: "Settings") -> bool:
    from graphcrawl import server

    return await server.down(session.paths(settings), settings.graph)


def _print_status(settings: "Settings", form: Format) -> None:
    from graphcrawl import server

    found = server.status(session.paths(settings), settings.graph)

    def view() -> Iterable[RenderableType]:
        shown: dict[str, Any] = {"graph": found.name, "state": found.state}
        if found.running is not None:
            shown |= {
                "bolt": found.running.address.uri,
                "browser": found.running.browser_url,
                "password in": found.running.password_file,
                "pid": found.running.pid,
            }
        yield output.pairs(shown | {"size": words.size(found.size_bytes), "folder": found.home})

    output.emit_document(_row(found), form, view)


async def _print_own_neo4j(settings: "Settings", form: Format) -> None:
    """Say that the user's own server answers and holds the graph, or fail as any command would."""
    async with session.open_graph(settings) as graph:
        output.emit_document(
            {
                "graph": settings.graph,
                "state": "running",
                "bolt_uri": graph.address.shown,
                "database": graph.address.database,
                "embedded": False,
            },
            form,
        )


def _row(found: "server.Status") -> dict[str, Any]:
    running = found.running
    return {
        "graph": found.name,
        "state": found.state,  # running or stopped
        "bolt_uri": running.address.uri
        if running
        else None,  # null while it is stopped, as the next three
        "browser_url": running.browser_url if running else None,
        "password_file": str(running.password_file) if running else None,
        "pid": running.pid if running else None,
        "size_bytes": found.size_bytes,
        "folder": str(found.home),  # of the store
    }
