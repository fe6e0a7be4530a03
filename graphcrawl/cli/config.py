"""`graphcrawl config`: what is set, and where that comes from."""

from typing import TYPE_CHECKING, Any

import typer

from graphcrawl.cli import output, session, words
from graphcrawl.cli.output import Column, CsvFlag, Format, JsonFlag, JsonlFlag
from graphcrawl.cli.session import Session

if TYPE_CHECKING:
    from graphcrawl.provenance import Setting

app = typer.Typer(
    help="Show what is set and where it comes from: flag, environment, project file, user file, "
    "default; the first that says something wins.",
    no_args_is_help=True,
)

_SETTING_COLUMNS = (
    Column("name", "setting", style="bold"),
    Column("shown", "value", wide=True),
    Column("source", "comes from", style="cyan"),
    Column("where", style="dim", wide=True, spare=2),
    Column("meaning", style="dim", wide=True, spare=1),
)
_PATH_COLUMNS = (
    Column("what", style="bold"),
    Column("path"),
    Column("exists", show=lambda there: "" if there else "not there", style="dim"),
    Column("holds", "what it holds", style="dim", wide=True, spare=1),
)


@app.command()
def show(
    context: typer.Context,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """Show every setting, its value and where it comes from. Secrets are masked.

    Times are in seconds and sizes in bytes, except in the table.

    Examples:
        graphcrawl config show
        graphcrawl config show --json
    """
    from graphcrawl.provenance import explain_settings

    form = Format.chosen(as_json, as_jsonl, as_csv)
    here = Session.of(context)
    found = explain_settings(**here.given())
    rows = [_row(setting) for setting in found]
    if form is Format.TABLE and output.stdout_is_terminal():
        rows = [row | {"shown": _shown(s)} for row, s in zip(rows, found, strict=True)]
    session.run(output.emit_rows(output.each(rows), _SETTING_COLUMNS, form))


@app.command()
def path(
    context: typer.Context,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """Show which settings files are read and where everything is kept.

    Examples:
        graphcrawl config path
        graphcrawl config path --json
    """
    from graphcrawl.config import PROJECT_FILE, Paths, user_file

    form = Format.chosen(as_json, as_jsonl, as_csv)
    settings = Session.of(context).settings()
    paths = Paths.locate(settings.home)
    kept = (
        ("project file", PROJECT_FILE.absolute(), "settings of this folder"),
        ("user file", user_file(), "settings of yours for all projects"),
        ("graph", paths.graph(settings.graph), "the store of the embedded graph"),
        ("archives", paths.archives, "what prune deleted"),
        ("cache", paths.cache, "Neo4j's jars and its Java; may be deleted"),
        ("state", paths.state, "the log of unexpected errors"),
    )
    rows = [
        {
            "what": what,
            "path": str(place),
            "exists": place.exists(),
            "holds": holds,  # in words
        }
        for what, place, holds in kept
    ]
    session.run(output.emit_rows(output.each(rows), _PATH_COLUMNS, form))


def _row(setting: "Setting") -> dict[str, Any]:
    return {
        "name": setting.name,
        "value": setting.value,  # secrets are masked
        "unit": setting.unit,  # s, bytes, or empty
        "source": setting.origin,  # flag, environment, project file, user file or default
        "where": setting.where,  # the variable, or the file
        "meaning": setting.meaning,
    }


def _shown(setting: "Setting") -> str:
    if setting.value is None or setting.value == ():
        return "–"
    if setting.unit == "bytes":
        return words.size(setting.value)
    return f"{setting.value:g} s" if setting.unit == "s" else words.cell(setting.value)
