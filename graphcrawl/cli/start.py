"""`graphcrawl init`: begins a project."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from graphcrawl.cli import output, session
from graphcrawl.cli.session import Session


def init(
    context: typer.Context,
    folder: Annotated[
        Path, typer.Argument(metavar="[DIR]", help="Where; made if it is not there.")
    ] = Path(),
    contact: Annotated[
        str | None,
        typer.Option(metavar="URL|MAIL", help="Who runs the crawls; public hosts are told."),
    ] = None,
    rules: Annotated[
        str, typer.Option(metavar="NAME", help="The shipped rules to begin with.")
    ] = "jobs",
) -> None:
    """Begin a project: commented settings, a list of seeds and rules that you can change.

    Overwrites nothing. The project has a graph of its own, named as its folder.

    Examples:
        graphcrawl init my-jobs
        graphcrawl init --contact you@example.org
    """
    from graphcrawl import project
    from graphcrawl.fetch import user_agent

    here = Session.of(context)
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


def _ask_contact() -> str | None:
    """Ask once, where somebody is there to answer; an empty answer leaves it open."""
    if not (sys.stdin.isatty() and output.stderr_is_terminal()):
        return None
    output.note("The owners of the hosts that you crawl are told how to reach you.")
    answer: str = typer.prompt(
        "Your e-mail address or a URL (empty: later)", default="", show_default=False, err=True
    )
    return answer.strip() or None


def _next_steps(folder: Path, contact: str | None) -> list[str]:
    enter = [] if folder.absolute() == Path.cwd() else [f"cd {folder}"]
    fill = [] if contact else ["Put your contact into graphcrawl.toml."]
    return [
        *fill,
        "Write URLs into seeds.txt, then: "
        + " && ".join([*enter, "graphcrawl crawl -f seeds.txt"]),
    ]
