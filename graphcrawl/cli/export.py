"""`graphcrawl export` and `graphcrawl import`."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphcrawl.cli import output, progress, session, words
from graphcrawl.cli.output import Format, JsonFlag
from graphcrawl.cli.session import Session
from graphcrawl.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from graphcrawl.config import Settings
    from graphcrawl.export import Exported, What
    from graphcrawl.export.lines import Head

_WHAT = ("pages", "axons", "hosts", "texts", "graph")
_FORMATS = ("csv", "jsonl", "parquet", "graphml", "gexf", "markdown")
_LEFT_OUT = {
    "reserved": "owner reserves data mining or AI training (--reserved takes them)",
    "wished": "owner does not want the text kept",
    "repeated": "same text as another page",
    "alias": "another page stands for it",
    "empty": "no main text",
}


def _complete_what(incomplete: str) -> list[str]:
    return [what for what in _WHAT if what.startswith(incomplete)]


def _complete_format(incomplete: str) -> list[str]:
    return [name for name in _FORMATS if name.startswith(incomplete)]


def export(
    context: typer.Context,
    what: Annotated[
        str,
        typer.Argument(
            metavar="pages|axons|hosts|texts|graph",
            help="What to write. graph as JSON lines is a whole copy, for graphcrawl import.",
            autocompletion=_complete_what,
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The file to make; .gz at its end packs it."
        ),
    ],
    *,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="|".join(_FORMATS),
            help="Default: by the ending of the file.",
            autocompletion=_complete_format,
        ),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            "--where",
            "-w",
            metavar="FILTER",
            help="Which pages, as in graphcrawl pages (of an axon both ends); or which hosts.",
        ),
    ] = None,
    reserved: Annotated[
        bool,
        typer.Option(
            "--reserved",
            help="Texts of pages, too, whose owners reserve data mining or AI training.",
        ),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Write pages, axons, hosts, texts or the whole graph to a file.

    Examples:
        graphcrawl export pages --where 'reward>10' -o pages.csv
        graphcrawl export graph -o copy.jsonl.gz
    """
    from graphcrawl import export as exports

    if what not in _WHAT:
        raise UsageError(
            f"Cannot export {what!r}.", f"{did_you_mean(what, _WHAT)}There is: {', '.join(_WHAT)}"
        )
    kind = exports.What(what)
    found = exports.form_of(kind, out, form)
    exports.check(kind, out, found, where or [], reserved=reserved, force=force)
    here = Session.of(context)
    done = session.run(
        _export(here.settings(), kind, out, found, where or [], reserved, force, quiet=here.quiet)
    )
    if as_json:
        output.emit_document(_document(done), Format.JSON)
    elif not here.quiet:
        for line in _told(done):
            output.note(line)


def import_(
    context: typer.Context,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="What graphcrawl export graph wrote.")
    ],
    as_json: JsonFlag = False,
) -> None:
    """Put an exported graph into an empty one, which goes on where that one stopped.

    Examples:
        graphcrawl import copy.jsonl.gz
        graphcrawl --graph copy import copy.jsonl.gz
    """
    from graphcrawl.export import lines

    here = Session.of(context)
    settings = here.settings()
    head = lines.check(file)
    session.run(_import(settings, file, head, quiet=here.quiet))
    document = {
        "graph": settings.graph,
        "file": str(file),
        "exported_from": head.graph,  # the graph's name then
        "exported_at": head.exported_at,
        "nodes": head.nodes,
        "relationships": head.relationships,
    }
    if as_json:
        output.emit_document(document, Format.JSON)
    elif not here.quiet:
        output.note(
            f"{words.count(head.nodes)} nodes and {words.count(head.relationships)} relationships "
            f"of the graph {head.graph!r}, as it was at {head.exported_at}."
        )
        output.note(f"Go on with it: {settings.command('crawl')}")


async def _export(
    settings: "Settings",
    what: "What",
    out: Path,
    form: str,
    where: list[str],
    reserved: bool,
    force: bool,
    *,
    quiet: bool,
) -> "Exported":
    from graphcrawl.export import export as write

    async with session.open_graph(settings, quiet=quiet) as graph:
        with _counting("rows written", quiet=quiet) as on_row:
            return await write(
                graph,
                what,
                out,
                name=settings.graph,
                form=form,
                expressions=where,
                reserved=reserved,
                force=force,
                on_row=on_row,
            )


async def _import(settings: "Settings", file: Path, head: "Head", *, quiet: bool) -> None:
    from graphcrawl.export import restore

    async with session.open_graph(settings, quiet=quiet, create=True, importing=True) as graph:
        with _counting("nodes and relationships", quiet=quiet) as on_row:
            await restore.read(graph, file, settings.graph, head, on_row)


@contextmanager
def _counting(what: str, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Say now and then how many there are."""
    if quiet:
        yield lambda _: None
        return
    with progress.counting(what) as on_row:
        yield on_row


def _document(done: "Exported") -> dict[str, Any]:
    return {
        "what": str(done.what),
        "format": done.form,
        "file": str(done.file),
        "rows": done.rows,
        "bytes": done.bytes,
        "seconds": round(done.seconds, 3),
        "manifest": str(done.manifest) if done.manifest else None,  # of `texts`; else null
        "left_out": dict(done.left_out),  # why → rows
    }


def _told(done: "Exported") -> Iterator[str]:
    noun = {"graph": "nodes and relationships"}.get(done.what, str(done.what))
    yield (
        f"{words.count(done.rows)} {noun} in {done.file} ({words.size(done.bytes)}, "
        f"{words.duration(done.seconds)})"
    )
    for why, number in done.left_out.items():
        yield f"Left out: {words.count(number)} – {_LEFT_OUT[why]}."
