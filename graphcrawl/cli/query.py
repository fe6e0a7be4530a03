"""`graphcrawl query`: the saved Cypher queries."""

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from graphcrawl.cli import complete, output, session
from graphcrawl.cli.output import Column, CsvFlag, Format, JsonFlag, JsonlFlag
from graphcrawl.cli.session import Session

if TYPE_CHECKING:
    from graphcrawl.config import Settings
    from graphcrawl.queries import Statement

app = typer.Typer(
    help="List, show and run the saved queries, the same files that Neo4j Browser shows.",
    no_args_is_help=True,
)

_LIST_COLUMNS = (
    Column("name", style="bold cyan"),
    Column("parameters", style="dim", wide=True, spare=1),
    Column("title", "what it shows", wide=True, folds=True),
)


Name = Annotated[
    str,
    typer.Argument(
        help="Its name, such as explore/best_pages or best_pages.", autocompletion=complete.query
    ),
]


@app.command("list")
def list_queries(
    context: typer.Context,
    everything: Annotated[
        bool, typer.Option("--all", help="The statements that graphcrawl itself uses, too.")
    ] = False,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """List the saved queries.

    Examples:
        graphcrawl query list
        graphcrawl query list --all --csv
    """
    from graphcrawl import saved_queries

    form = Format.chosen(as_json, as_jsonl, as_csv)
    rows = [
        {
            "name": saved.name,
            "title": saved.title,
            "mode": saved.mode,  # read or write
            "parameters": [
                f"${name}" for name in saved.parameters
            ],  # names, each with a dollar sign
            "source": saved.source,  # paper, RFC or rule that it follows
        }
        for saved in saved_queries.listed(everything=everything)
    ]
    quiet = Session.of(context).quiet
    session.run(output.emit_rows(output.each(rows), _LIST_COLUMNS, form, quiet=quiet))


@app.command()
def show(
    name: Name,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """Print a saved query: what it takes, what it returns, its Cypher.

    Examples:
        graphcrawl query show best_pages
        graphcrawl query show best_pages --json
    """
    from graphcrawl import saved_queries

    saved = saved_queries.find(name)
    document = {
        "name": saved.name,
        "title": saved.title,
        "mode": saved.mode,  # read or write
        "parameters": saved_queries.parameters_of(saved),
        "returns": saved.returns,  # its columns, in words
        "source": saved.source,  # paper, RFC or rule that it follows
        "cypher": saved.text,  # the whole file
    }

    form = Format.chosen(as_json, as_jsonl, as_csv)
    text = saved.text.rstrip()
    if form is Format.TABLE and not output.stdout_is_terminal():
        print(text)
        return
    lines = [Text(line, style="dim" if line.startswith("//") else "") for line in text.split("\n")]
    output.emit_document(document, form, lambda: lines)


@app.command()
def run(
    context: typer.Context,
    name: Name,
    *,
    parameter: Annotated[
        list[str] | None,
        typer.Option(
            "--parameter", "-P", metavar="KEY=VALUE", help="A parameter; lists and maps as JSON."
        ),
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Allow a query that changes the graph.")
    ] = False,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """Run a saved query. Read-only unless --write is given.

    Examples:
        graphcrawl query run best_pages -P limit=10
        graphcrawl query run neighbours -P url=http://a.example/ --json
    """
    from graphcrawl import saved_queries
    from graphcrawl.errors import QueryError

    form = Format.chosen(as_json, as_jsonl, as_csv)
    saved = saved_queries.find(name)
    values = saved_queries.read_parameters(saved, parameter or [])
    if saved.mode != "read" and not write:
        raise QueryError(
            f"Query {saved.name!r} changes the graph.", "Add --write if that is what you want."
        )
    here = Session.of(context)
    session.run(_run(here.settings(), saved, values, form, quiet=here.quiet))


async def _run(
    settings: "Settings", saved: "Statement", values: dict[str, Any], form: Format, *, quiet: bool
) -> None:
    async with session.open_graph(settings, quiet=quiet) as graph:
        rows = await graph.run(saved.name, **values)
    await output.emit_rows(output.each(rows), (), form, empty="No rows.", quiet=quiet)
