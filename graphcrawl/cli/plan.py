"""`graphcrawl plan`: the next pages, before anything is fetched."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType
from rich.text import Text

from graphcrawl.cli import output, session, words
from graphcrawl.cli.output import Column, CsvFlag, Format, JsonFlag, JsonlFlag
from graphcrawl.cli.session import Session

if TYPE_CHECKING:
    from graphcrawl.config import Settings
    from graphcrawl.foresee import Foresight

_COLUMNS = (
    Column("number", "no.", show=words.count, justify="right"),
    Column("start_s", "after", show=words.duration, justify="right", style="bold"),
    Column("worth", show=lambda worth: f"{worth:.2f}", justify="right"),
    Column("priority", show=words.points, justify="right", spare=1),
    Column("depth", show=words.count, justify="right", spare=2),
    Column("url", "page", wide=True),
)


def plan(
    context: typer.Context,
    *,
    pages: Annotated[
        int, typer.Option("--pages", "-n", metavar="N", min=1, max=10_000, help="How many pages.")
    ] = 25,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """Show the next pages of a crawl: when politeness lets it fetch them, what they may be worth.

    Nothing is fetched and nothing written. What the pages lead to is not foreseen.

    Examples:
        graphcrawl plan
        graphcrawl plan --pages 1000 --json
    """
    from graphcrawl.foresee import Planned

    form = Format.chosen(as_json, as_jsonl, as_csv)
    here = Session.of(context)
    found = session.run(_foresee(here.settings(), pages, quiet=here.quiet))
    if form in (Format.JSONL, Format.CSV):
        rows = output.each(asdict(page) for page in found.pages)
        keys = tuple(Planned.__dataclass_fields__)
        session.run(output.emit_rows(rows, _COLUMNS, form, keys=keys, quiet=here.quiet))
    else:
        output.emit_document(asdict(found), form, lambda: _view(found))


async def _foresee(settings: "Settings", pages: int, *, quiet: bool) -> "Foresight":
    from graphcrawl import foresee

    async with session.open_graph(settings, quiet=quiet) as graph:
        return await foresee.foresee(graph, settings, pages)


def _view(found: "Foresight") -> Iterable[RenderableType]:
    n = words.count
    yield output.pairs(
        {
            "pages": f"{n(len(found.pages))}, of {n(found.hosts)} hosts"
            + (", all that can be fetched" if found.is_all else ""),
            "time": f"{words.duration(found.duration_s)} under politeness",
            "worth": f"{found.worth:.1f} pages' worth expected, by {found.worth_by}",
            "order": found.order,
        }
    )
    if found.running:
        yield Text("A crawl runs, or was killed: the pages in its hands are not shown.", "yellow")
    if found.pages:
        yield output.table([asdict(page) for page in found.pages], _COLUMNS)
