"""`graphcrawl init` and `graphcrawl doctor`: the first steps, and what stands in their way."""

import shlex
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from graphcrawl.cli import complete, output, session, words
from graphcrawl.cli.output import CsvFlag, Format, JsonFlag, JsonlFlag
from graphcrawl.cli.session import Session
from graphcrawl.errors import Exit, SettingsError, UsageError

if TYPE_CHECKING:
    from graphcrawl.config import Settings
    from graphcrawl.doctor import Diagnosis


def init(
    context: typer.Context,
    where: Annotated[
        str | None,
        typer.Argument(metavar="[DIR]", help="Where, else here; made if it is not there."),
    ] = None,
    contact: Annotated[
        str | None,
        typer.Option(metavar="URL|MAIL", help="Who runs the crawls; public hosts are told."),
    ] = None,
    rules: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="The shipped rules to begin with.",
            autocompletion=complete.rules,
        ),
    ] = "jobs",
    notebooks: Annotated[
        bool,
        typer.Option("--notebooks", help="Copy the Jupyter notebooks into DIR, and nothing else."),
    ] = False,
) -> None:
    """Begin a project: commented settings, a list of seeds and rules that you can change.

    Overwrites nothing. The project has a graph of its own, named as its folder.

    Examples:
        graphcrawl init my-jobs
        graphcrawl init --contact you@example.org
        graphcrawl init --notebooks
    """
    from graphcrawl import project
    from graphcrawl.fetch import user_agent

    here = Session.of(context)
    if where is not None and not where.strip():  # an empty variable of a script, not this folder
        raise UsageError("'' is no folder.", "Name one: graphcrawl init FOLDER")
    if notebooks:
        _copy_notebooks(where, quiet=here.quiet)
        return
    folder = Path(where or ".")
    project.refuse_existing(folder)
    settings = here.settings(contact=contact)
    told = settings.contact or _ask_contact()
    user_agent(told)  # refuses what cannot stand in a header
    graph = here.graph or project.graph_name(folder, session.graph_names(settings))
    for path in project.make_project(folder, contact=told, graph=graph, rules=rules):
        typer.echo(path)
    if not here.quiet:
        for line in _next_steps(folder, told):
            output.note(line)


def _copy_notebooks(where: str | None, *, quiet: bool) -> None:
    from graphcrawl import notebook_files

    folder = Path(where) if where else notebook_files.FOLDER
    for path in notebook_files.copy_notebooks(folder):
        typer.echo(path)
    if not quiet:
        typed = f"./{folder}" if str(folder).startswith("-") else str(folder)
        output.note('They need: pip install "graphcrawl[notebooks]"')
        output.note(f"Then: jupyter lab {shlex.quote(typed)}")


def _ask_contact() -> str | None:
    """Ask once, where somebody is there to answer; an empty answer leaves it open."""
    if not (sys.stdin.isatty() and output.stderr_is_terminal()):
        return None
    output.note("The owners of the hosts that you crawl are told how to reach you.")
    answer: str = typer.prompt(
        "Your e-mail address or a URL (empty: later)",
        default="",
        show_default=False,
        err=True,
        value_proc=usable_contact,
    )
    return answer or None


def usable_contact(answer: str) -> str:
    """Return what was typed; what no crawl could send is asked for again."""
    from graphcrawl.config import load_settings

    try:
        load_settings(contact=answer.strip() or None)
    except SettingsError as error:
        raise typer.BadParameter(f"{error} {error.hint}") from error
    return answer.strip()


def _next_steps(folder: Path, contact: str | None) -> list[str]:
    typed = f"./{folder}" if str(folder).startswith("-") else str(folder)
    enter = [] if folder.absolute() == Path.cwd() else [f"cd {shlex.quote(typed)}"]
    fill = [] if contact else ["Put your contact into graphcrawl.toml."]
    return [
        *fill,
        "Write URLs into seeds.txt, then: "
        + " && ".join([*enter, "graphcrawl crawl -f seeds.txt"]),
    ]


def doctor(
    context: typer.Context,
    deep: Annotated[
        bool,
        typer.Option("--deep", help="Walk through the whole graph: does it keep its promises?"),
    ] = False,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """Say what is wrong, how bad that is and what to type.

    Looks at Java, jars, ports, memory, disk, Neo4j, GDS, schema and clocks, and at what reward will
    cost. A graph that exists is started; nothing is mended. The exit code is 3 when the graph
    cannot be used, else 0. With --deep, as after a crash: whether each page is in one state, sums
    and best priorities are right, and nothing was granted twice; about a minute a million pages.

    Examples:
        graphcrawl doctor
        graphcrawl doctor --deep
        graphcrawl doctor --json
    """
    form = Format.chosen(as_json, as_jsonl, as_csv)
    here = Session.of(context)
    found = session.run(_examine(here.settings(), quiet=here.quiet, deep=deep))
    if form is Format.JSON or (form is Format.TABLE and output.stdout_is_terminal()):
        document = {
            "graph": found.graph,
            "state": found.state,  # the worst of all checks: ok, warn or bad
            "checks": [asdict(check) for check in found.checks],
            "reward": asdict(found.reward) if found.reward else None,
        }
        output.emit_document(document, form, lambda: [_view(found)])
    else:
        rows = (asdict(check) for check in found.checks)
        session.run(output.emit_rows(output.each(rows), (), form))
    if found.state == "bad":
        raise typer.Exit(Exit.NEO4J)


async def _examine(settings: "Settings", *, quiet: bool, deep: bool) -> "Diagnosis":
    from graphcrawl.cli import progress
    from graphcrawl.doctor import examine

    with progress.server_start(quiet=quiet) as on_progress:
        return await examine(settings, on_progress, deep=deep)


_STYLES = {"ok": "green", "warn": "yellow", "bad": "bold red"}


def _view(found: "Diagnosis") -> RenderableType:
    view = Table.grid(padding=(0, 2, 0, 0))
    view.add_column(no_wrap=True)
    view.add_column(style="bold", no_wrap=True)
    view.add_column(overflow="fold")
    for check in found.checks:
        told = Text(words.printable(check.what))
        if check.hint and check.state != "ok":
            told.append(f"\n{words.printable(check.hint)}", style="cyan")
        view.add_row(Text(check.state, style=_STYLES[check.state]), check.name, told)
    return view
