"""`graphcrawl browse`: the crawl in Neo4j Browser."""

import sys
import threading
import webbrowser
from collections.abc import Iterable
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import RenderableType

from graphcrawl.cli import output, progress, session
from graphcrawl.cli.output import CsvFlag, Format, JsonFlag, JsonlFlag
from graphcrawl.cli.session import Session
from graphcrawl.errors import UsageError

if TYPE_CHECKING:
    from graphcrawl import server
    from graphcrawl.config import Settings


def browse(
    context: typer.Context,
    *,
    copy: Annotated[
        bool,
        typer.Option(
            "--copy", help="Open a fresh copy on a second server: the crawl cannot be hurt there."
        ),
    ] = False,
    export: Annotated[
        Path | None,
        typer.Option(metavar="FILE.zip", help="Only pack favourites, style and guide, no server."),
    ] = None,
    guide: Annotated[
        bool,
        typer.Option("--guide", help="Serve the guide to Browser's sidebar, until Ctrl-C."),
    ] = False,
    show_password: Annotated[
        bool, typer.Option("--show-password", help="Print the password, on a terminal only.")
    ] = False,
    opens: Annotated[
        bool | None,
        typer.Option(
            "--open/--no-open",
            help="Whether to open the web browser. Default: where there is a terminal.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """Open Neo4j Browser on the graph, with favourites, a style and a guide to drop into it.

    Browser can write. For people who must not hurt the crawl, --copy opens a copy of the store,
    with a password of its own; the crawl pauses while the files are copied.

    Examples:
        graphcrawl browse
        graphcrawl browse --guide
        graphcrawl browse --copy --graph demo
        graphcrawl browse --export graphcrawl-browser.zip
    """
    from graphcrawl import browse as browser
    from graphcrawl import server
    from graphcrawl.browse import serving

    form = Format.chosen(as_json, as_jsonl, as_csv)
    here = Session.of(context)
    if show_password and (form is not Format.TABLE or not output.stdout_is_terminal()):
        raise UsageError(
            "--show-password prints on a terminal only.", "Read the password's file instead."
        )
    if export is not None:
        if copy or guide:
            other = "--copy" if copy else "--guide"
            raise UsageError(f"--export and {other} exclude each other.", "Leave one of them out.")
        browser.export(export)
        packed = _packed(export, len(browser.favourites()))
        output.emit_document(packed, form, lambda: [output.pairs(packed)])
        return
    if session.uses_own_neo4j():
        raise UsageError(
            "NEO4J_URI names a Neo4j of your own; open its Browser as you always do.",
            "Give it the queries and the style: graphcrawl browse --export graphcrawl-browser.zip",
        )
    settings = here.settings()
    session.require_graph(settings)
    running = session.run(_start(settings, copy=copy, quiet=here.quiet))
    server.require_browser(running)
    favourites, style, page = browser.lay_out(running.home / "browser")
    document = {
        "graph": running.name,
        "browser_url": running.browser_url,
        "bolt_uri": running.address.uri,
        "user": running.address.user,
        "password_file": str(running.password_file),  # a file that holds nothing else
        "favourites_file": str(favourites),  # to drop into Browser
        "style_file": str(style),
        "guide_file": str(page),
        "copy_of": settings.graph if copy else None,  # the copied graph; null without --copy
    }
    password = running.address.password if show_password else None
    with serving.serving(browser.guide()) if guide else nullcontext() as guide_url:
        if guide_url:
            document["browser_url"] = serving.opening(running.browser_url, guide_url)
        output.emit_document(document, form, lambda: _view(document, password))
        sys.stdout.flush()
        _open(here, document, copy=copy, opens=opens)
        if guide_url:
            _wait(guide_url, quiet=here.quiet)


def _open(here: Session, document: dict[str, Any], *, copy: bool, opens: bool | None) -> None:
    if not here.quiet and output.stderr_is_terminal():
        for line in _hints(document["graph"], copy=copy):
            output.note(line)
    if output.stderr_is_terminal() if opens is None else opens:
        webbrowser.open(document["browser_url"])


def _wait(guide_url: str, *, quiet: bool) -> None:
    if not quiet:
        output.note(f"In Browser, :guide {guide_url} shows the guide again. Ctrl-C ends this.")
    with suppress(KeyboardInterrupt):
        threading.Event().wait()


async def _start(settings: "Settings", *, copy: bool, quiet: bool) -> "server.Running":
    from graphcrawl import server
    from graphcrawl.config import Paths
    from graphcrawl.server import copies

    paths = Paths.locate(settings.home)
    if not copy:
        with progress.server_start(quiet=quiet) as on_progress:
            return await server.up(paths, settings.graph, settings.server, on_progress)
    if not quiet:
        output.note(f"Copying the graph {settings.graph!r}; its server pauses meanwhile …")
    await copies.copy(paths, settings.graph)
    with progress.server_start(quiet=quiet) as on_progress:
        return await copies.start(paths, settings.graph, settings.server, on_progress)


def _packed(file: Path, favourites: int) -> dict[str, Any]:
    return {
        "file": str(file),
        "favourites": favourites,  # how many queries are in it
    }


def _view(document: dict[str, Any], password: str | None) -> Iterable[RenderableType]:
    shown = {
        "browser": document["browser_url"],
        "user": document["user"],
        "password in": document["password_file"],
    }
    if password is not None:
        shown["password"] = password
    shown |= {
        "favourites": document["favourites_file"],
        "style": document["style_file"],
        "guide": document["guide_file"],
    }
    if document["copy_of"]:
        shown["copy of"] = document["copy_of"]
    yield output.pairs(shown)


def _hints(name: str, *, copy: bool) -> list[str]:
    from graphcrawl.errors import command_on

    lines = ["Drag favourites and style from your file manager into Browser's window."]
    if copy:
        lines.append(
            f"This is a copy: change what you like. Done: {command_on(name, 'db down')}, "
            f"and to delete it: {command_on(name, 'db reset')}"
        )
    else:
        lines.append("Browser can write into the crawl; graphcrawl browse --copy is safe.")
    return lines
