"""`graphcrawl model …`: what scorers have learned."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import RenderableType
from rich.text import Text

from graphcrawl.cli import output, session, words
from graphcrawl.cli.output import Column, CsvFlag, Format, JsonFlag, JsonlFlag
from graphcrawl.cli.session import Session
from graphcrawl.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from graphcrawl.config import Settings
    from graphcrawl.foretell import Learned

app = typer.Typer(help="What scorers have learned from fetched pages.", no_args_is_help=True)

_MODELS = ("quality",)


def share(value: float | None) -> str:
    """Write a number from 0 to 1."""
    return "–" if value is None else f"{value:.3f}"


def signed(value: float) -> str:
    """Write what is added to log odds."""
    return f"{value:+.3f}".replace("-", "−")


_CALIBRATION = (
    Column("predicted", "foretold", show=share, justify="right"),
    Column("found", show=share, justify="right", style="bold"),
    Column("pages", show=words.count, justify="right"),
)
_WEIGHTS = (
    Column("weight", show=signed, justify="right", style="bold"),
    Column("feature", wide=True),
)


@app.command()
def show(
    context: typer.Context,
    name: Annotated[
        str,
        typer.Argument(
            metavar="MODEL", help="Which: quality.", autocompletion=lambda: list(_MODELS)
        ),
    ] = "quality",
    *,
    top: Annotated[
        int, typer.Option(min=0, max=10_000, help="How many features with the greatest weights.")
    ] = 20,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """Show what a scorer has learned: lessons, how well it foretells, what speaks for a page.

    Features are hashed: words are told from links that the graph knows, others have a number.

    Examples:
        graphcrawl model show quality
        graphcrawl model show quality --top 100 --json
    """
    form = Format.chosen(as_json, as_jsonl, as_csv)
    if name not in _MODELS:
        hint = f"{did_you_mean(name, _MODELS)}There is: {', '.join(_MODELS)}."
        raise UsageError(f"There is no model {name!r}.", hint)
    here = Session.of(context)
    settings = here.settings()
    found = session.run(_learned(settings, top, quiet=here.quiet))
    document = _document(name, settings, found)
    output.emit_document(document, form, lambda: _view(document))
    if not here.quiet:
        for warning in found.warnings:
            output.note(f"Warning: {warning}")
        if not found.stats.observations:
            crawl = settings.command("crawl --order composite URL")
            output.note(f"It has learned nothing yet. Crawl by an order that learns: {crawl}")


async def _learned(settings: "Settings", top: int, *, quiet: bool) -> "Learned":
    from graphcrawl.foretell import learned

    async with session.open_graph(settings, quiet=quiet) as graph:
        return await learned(graph, settings.quality, top=top)


def _document(name: str, settings: "Settings", found: "Learned") -> dict[str, Any]:
    return {
        "model": name,
        "graph": settings.graph,
        "rule": settings.quality.rule,  # how it learns
        "trusted": found.prediction_standing
        == "trusted",  # whether it has learned enough to be used
        "standing": found.prediction_standing,  # the same in words
        **asdict(found.stats),
        "top": [
            {"feature": feature, "weight": weight} for feature, weight in found.top
        ],  # features with the greatest weights
        "parts": [  # in which it is kept
            {
                "part": row["part"],
                "lessons": row["lessons"],
                "version": row["version"],
                "updated_at": row["updatedAt"],
            }
            for row in found.parts
        ],
        "warnings": list(found.warnings),
    }


def _view(document: dict[str, Any]) -> Iterable[RenderableType]:
    yield output.pairs(
        {
            "model": f"{document['model']}, rule {document['rule']}",
            "observations": f"{words.count(document['observations'])}, {document['standing']}",
            "average quality": share(document["average_quality"]),
            "average error": share(document["average_error"]),
            "calibration error": share(document["calibration_error"]),
            "weights": words.count(document["weights"]),
            "parts": words.count(len(document["parts"])),
        }
    )
    if document["calibration"]:
        yield Text()
        yield output.table(document["calibration"], _CALIBRATION)
    if document["top"]:
        yield Text()
        yield output.table(document["top"], _WEIGHTS)
