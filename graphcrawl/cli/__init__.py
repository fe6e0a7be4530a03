"""The command line: `graphcrawl`. Commands are thin; what they do lives in the other modules.

Nothing heavy is imported here or at the top of a command's module, so that `--help` stays fast.
"""

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from graphcrawl.cli import (
    browse,
    check,
    complete,
    config,
    crawl,
    db,
    demo,
    evaluate,
    explain,
    export,
    forget,
    hosts,
    jobs,
    logs,
    look,
    model,
    plan,
    problems,
    query,
    reward,
    seed,
    session,
    start,
    workers,
)
from graphcrawl.errors import Exit

app = typer.Typer(
    name="graphcrawl",
    help="A focused web crawler whose memory is a Neo4j graph of pages, links and rewards.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="--graph, -v, -q and --log-json may stand anywhere. "
    "NEO4J_URI names a Neo4j of your own.",
)


app.command("init", rich_help_panel="Start")(start.init)
app.command("demo", rich_help_panel="Start")(demo.demo)
app.command("doctor", rich_help_panel="Start")(start.doctor)
app.command("seed", rich_help_panel="Crawl")(seed.seed)
app.command("crawl", rich_help_panel="Crawl")(crawl.crawl)
app.command("work", rich_help_panel="Crawl")(workers.work)
app.command("pause", rich_help_panel="Crawl")(workers.pause)
app.command("resume", rich_help_panel="Crawl")(workers.resume)
app.command("stop", rich_help_panel="Crawl")(workers.stop)
app.command("plan", rich_help_panel="Crawl")(plan.plan)
app.command("retry", rich_help_panel="Crawl")(hosts.retry)
app.command("evaluate", rich_help_panel="Graph")(evaluate.evaluate)
app.command("propagate", rich_help_panel="Graph")(reward.propagate)
app.command("prune", rich_help_panel="Graph")(reward.prune)
app.command("forget", rich_help_panel="Graph")(forget.forget)
app.command("status", rich_help_panel="Look")(look.status)
app.command("pages", rich_help_panel="Look")(look.pages)
app.add_typer(hosts.app, name="hosts", rich_help_panel="Look")
app.command("feeds", rich_help_panel="Look")(jobs.feeds)
app.command("jobs", rich_help_panel="Look")(jobs.jobs)
app.command("explain", rich_help_panel="Look")(explain.explain)
app.add_typer(check.app, name="check", rich_help_panel="Look")
app.add_typer(query.app, name="query", rich_help_panel="Look")
app.command("browse", rich_help_panel="Look")(browse.browse)
app.add_typer(model.app, name="model", rich_help_panel="Look")
app.command("export", rich_help_panel="Data")(export.export)
app.command("import", rich_help_panel="Data")(export.import_)
app.add_typer(db.app, name="db", rich_help_panel="Start")
app.add_typer(config.app, name="config", rich_help_panel="Start")

# Global options and whether they take a value; `main` accepts them anywhere on the line.
_GLOBAL_OPTIONS = {
    "--graph": True,
    "-v": False,
    "-vv": False,
    "--verbose": False,
    "-q": False,
    "--quiet": False,
    "--log-json": False,
}


def _print_version(wanted: bool) -> None:
    if wanted:
        from graphcrawl.cli import versions

        for name, version in versions.all_of_them().items():
            typer.echo(f"{name} {version}")
        raise typer.Exit


@app.callback()
def root(
    context: typer.Context,
    graph: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Which graph; each embedded graph is a store of its own. Default: default.",
            autocompletion=complete.graph,
        ),
    ] = None,
    verbose: Annotated[
        int, typer.Option("--verbose", "-v", count=True, help="Say more; -vv says everything.")
    ] = 0,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No progress, no hints; errors only.")
    ] = False,
    log_json: Annotated[
        bool, typer.Option("--log-json", help="On stderr, one JSON object a line.")
    ] = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Print the versions: graphcrawl's, and those of its Neo4j, GDS and Java.",
            callback=_print_version,
            is_eager=True,
        ),
    ] = False,
) -> None:
    """Keep what was typed before the command for the command to read."""
    context.obj = session.Session(graph=graph, verbosity=-1 if quiet else verbose)
    logs.configure(context.obj.verbosity, as_json=log_json)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit code.

    Args:
        arguments: The words after the program's name; `None` takes them from the process.
    """
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; whatever goes wrong is one line on stderr."""
    _mend_streams()
    words = hoist(arguments)
    logs.configure(0, as_json="--log-json" in words)  # for mistakes that are found before `root`
    if (helped := _helped(words)) is not None:
        typer.echo(helped.get_help())
        return Exit.DONE
    try:
        result = typer.main.get_command(app).main(
            words, prog_name="graphcrawl", standalone_mode=False
        )
        sys.stdout.flush()
    except SystemExit:  # the reader of our output has gone: `graphcrawl pages | head`
        return Exit.DONE
    except BaseException as error:
        if not isinstance(error, Exception) and not problems.was_cancelled(error):
            raise
        return problems.report(error, verbose="-v" in words or "-vv" in words)
    return result if isinstance(result, int) else Exit.DONE


def _mend_streams() -> None:
    """Let output pass where stdout is closed, or knows fewer characters than we print."""
    if sys.stdout is None:  # closed: `graphcrawl crawl >&-`
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and not stream.encoding.lower().startswith("utf"):
            stream.reconfigure(errors="replace")


def _helped(words: Sequence[str]) -> typer.Context | None:
    """Return the context of a command whose help alone is wanted, `crawl --help` for instance.

    To run the command for it would load what checks options, which takes longer than the help.
    """
    *path, last = words or [""]
    if last not in ("-h", "--help"):
        return None
    command: Any = typer.main.get_command(app)
    context = typer.Context(command, info_name="graphcrawl", **command.context_settings)
    for name in path:
        command = getattr(command, "commands", {}).get(name)
        if command is None:
            return None
        context = typer.Context(command, parent=context, info_name=name, **command.context_settings)
    return context


def hoist(arguments: Sequence[str]) -> list[str]:
    """Move global options to the front, so that `graphcrawl status --graph demo` works too."""
    front: list[str] = []
    rest: list[str] = []
    words = iter(arguments)
    for word in words:
        name = word.partition("=")[0]
        if word == "--":
            rest += [word, *words]
        elif name not in _GLOBAL_OPTIONS:
            rest.append(word)
        else:
            front.append(word)
            if _GLOBAL_OPTIONS[name] and "=" not in word:
                front += [value for value in [next(words, None)] if value is not None]
    return front + rest
