"""`graphcrawl check score`: how good the page behind a link will be, and why."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import RenderableType
from rich.text import Text

from graphcrawl.cli import output, session, words
from graphcrawl.cli.model import share, signed
from graphcrawl.cli.output import Column, CsvFlag, Format, JsonFlag, JsonlFlag
from graphcrawl.cli.session import Session

if TYPE_CHECKING:
    from graphcrawl.config import Settings
    from graphcrawl.foretell import Foretold

_SHOWN = 20
_PIECES = (
    Column("part", show=signed, justify="right", style="bold"),
    Column("name", "evidence for the order", wide=True),
    Column("value", show=share, justify="right"),
    Column("weight", show=signed, justify="right"),
)
_SHARES = (
    Column("part", show=signed, justify="right", style="bold"),
    Column("name", "feature of the quality", wide=True),
    Column("value", show=share, justify="right"),
    Column("weight", show=signed, justify="right"),
)


def score(
    context: typer.Context,
    url: Annotated[str, typer.Argument(metavar="URL", help="Where the link leads.")],
    *,
    anchor: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="Text of the link; give it once for each link."),
    ] = None,
    around: Annotated[
        str, typer.Option(metavar="TEXT", help="Text before and after the link.")
    ] = "",
    parent: Annotated[str, typer.Option(metavar="URL", help="The page with the link.")] = "",
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """Foretell how good the page behind a link is, 0 to 1; nothing is fetched or written.

    What crawls have taught and what is known of the parent is read from the graph, where there is
    one; then the score by which the page would wait in its order is told too, part by part.

    Examples:
        graphcrawl check score https://example.org/jobs/nurse --anchor 'Nurse, full-time'
        graphcrawl check score https://example.org/a --parent https://example.org/ --json
    """
    form = Format.chosen(as_json, as_jsonl, as_csv)
    here = Session.of(context)
    settings = here.settings()
    found = session.run(_foretold(settings, url, anchor or [], around, parent, quiet=here.quiet))
    document = _document(found, anchor or [])
    output.emit_document(document, form, lambda: _view(found, document))
    if not here.quiet:
        for warning in found.warnings:
            output.note(f"Warning: {warning}")


async def _foretold(
    settings: "Settings", url: str, anchors: list[str], around: str, parent: str, *, quiet: bool
) -> "Foretold":
    from graphcrawl.foretell import foretell

    link = {"anchors": anchors, "around": around, "parent_url": parent}
    if not session.uses_own_neo4j() and settings.graph not in session.graph_names(settings):
        return await foretell(url, settings, **link)  # type: ignore[arg-type]
    async with session.open_graph(settings, quiet=quiet) as graph:
        return await foretell(url, settings, graph=graph, **link)  # type: ignore[arg-type]


def _document(found: "Foretold", anchors: list[str]) -> dict[str, Any]:
    candidate, prediction, parent = found.candidate, found.prediction, found.parent
    return {
        "url": candidate.url,
        "host": candidate.host,
        "anchors": anchors,  # texts of the links to it
        "parent": parent  # null: none was named
        and {
            "url": parent.url,
            "known": parent.known,
            "worth": parent.worth if parent.known else None,  # that it turned out to have
            "depth": parent.depth,
        },
        "quality": prediction.value,  # foretold, 0 to 1
        "prediction": prediction.raw,  # of the model alone
        "trusted": prediction.is_trusted,  # whether the model has learned enough
        "standing": prediction.standing,  # the same in words
        "observations": prediction.observations,
        "min_observations": prediction.needed,
        "log_odds": sum(share.part for share in found.shares),  # sum of all parts
        "features": [
            {"name": s.name, "value": s.value, "weight": s.weight, "part": s.part}
            for s in found.shares
        ],
        "order": found.score and found.score.order,  # null where there is no graph
        "score": found.score and found.score.now,  # by which it would wait
        "pieces": [asdict(piece) for piece in found.score.pieces] if found.score else [],
        "lessons": found.score.lessons if found.score else 0,  # pages that taught the order
        "warnings": list(found.warnings),
    }


def _view(found: "Foretold", document: dict[str, Any]) -> Iterable[RenderableType]:
    parent = found.parent
    lines = {
        "page": document["url"],
        "quality": share(document["quality"]),
        "standing": document["standing"],
        "prediction": share(document["prediction"])
        + ("" if document["trusted"] else "; the prior stands in for it"),
        "parent": "" if parent is None else parent.url,
        "its worth": "" if parent is None else share(parent.worth) if parent.known else "not known",
        "features": words.count(len(document["features"])),
    }
    score = found.score
    if score is not None:
        taught = f", taught by {words.count(score.lessons)} pages" if score.lessons else ""
        lines |= {"order": score.order, "score": f"{score.now:.3f}{taught}"}
    yield output.pairs({key: value for key, value in lines.items() if value})
    if score is not None and len(score.pieces) > 1:
        yield Text()
        yield output.table([piece for piece in document["pieces"] if piece["part"]], _PIECES)
    if features := document["features"][:_SHOWN]:
        yield Text()
        yield output.table(features, _SHARES)
    if (more := len(document["features"]) - _SHOWN) > 0:
        yield Text(f"and {words.count(more)} more; all with --json", style="dim")
