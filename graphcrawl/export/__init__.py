"""Exports: tables of pages, axons, hosts and texts, drawings, and copies of whole graphs.

All are streamed with flat memory into files that are whole or not there.
"""

import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphcrawl import outfile, where
from graphcrawl.errors import UsageError, did_you_mean
from graphcrawl.export import drawings, tables, texts, whole
from graphcrawl.export.columns import TABLES, What
from graphcrawl.graph import Graph

__all__ = ["FORMS", "Exported", "What", "check", "export", "form_of"]

OnRow = Callable[[int], None]

CSV, JSONL, PARQUET, MARKDOWN = "csv", "jsonl", "parquet", "markdown"
GRAPHML, GEXF = "graphml", "gexf"
_TABLES = (CSV, JSONL, PARQUET, MARKDOWN)
FORMS: Mapping[What, tuple[str, ...]] = {
    What.PAGES: _TABLES,
    What.AXONS: _TABLES,
    What.HOSTS: _TABLES,
    What.TEXTS: _TABLES,
    What.GRAPH: (JSONL, GRAPHML, GEXF),
}
_ENDINGS = {
    ".csv": CSV,
    ".jsonl": JSONL,
    ".ndjson": JSONL,
    ".parquet": PARQUET,
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".graphml": GRAPHML,
    ".gexf": GEXF,
}
_WRITERS = {
    CSV: tables.write_csv,
    JSONL: tables.write_jsonl,
    PARQUET: tables.write_parquet,
    MARKDOWN: tables.write_markdown,
}


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export wrote."""

    what: What
    form: str
    file: Path
    rows: int  # of a graph: pages, other nodes and relationships; of a drawing: nodes and edges
    bytes: int
    seconds: float
    manifest: Path | None = None  # of texts
    left_out: Mapping[str, int] = field(default_factory=Counter)  # of texts: why, how many


def form_of(what: What, path: Path, form: str | None = None) -> str:
    """Return the form of a file: the one that was asked for, else that of its name's ending.

    `.gz` after the ending packs it. A copy of a whole graph is JSON lines.

    Raises:
        UsageError: It is none, or not one for what is to be exported.
    """
    ending = path.suffixes[-2] if is_packed(path) and len(path.suffixes) > 1 else path.suffix
    found = form.lower() if form else _ENDINGS.get(ending.lower())
    forms = FORMS[what]
    if found is None:
        raise UsageError(
            f"Cannot tell the form of {str(path)!r} from its ending.",
            f"Add --format {'|'.join(forms)}",
        )
    if found not in forms:
        raise UsageError(
            f"{what.capitalize()} cannot be exported as {found!r}.",
            f"{did_you_mean(found, forms)}There is: {', '.join(forms)}",
        )
    if found == PARQUET and is_packed(path):
        raise UsageError("Parquet packs by itself.", f"Name it {path.with_suffix('')}")
    return found


def is_packed(path: Path) -> bool:
    """Tell whether a file's name asks for gzip."""
    return path.suffix.lower() == ".gz"


def check(
    what: What,
    path: Path,
    form: str,
    expressions: Sequence[str] = (),
    *,
    reserved: bool = False,
    force: bool = False,
) -> tuple[where.Term, ...]:
    """Look at all that can be wrong before a server is started; return the filter.

    Raises:
        UsageError: Something is.
    """
    if reserved and what is not What.TEXTS:
        raise UsageError("--reserved goes with texts.", "graphcrawl export texts --reserved …")
    if expressions and (what, form) == (What.GRAPH, JSONL):
        raise UsageError(
            "A copy of the graph is whole: it takes no filter.",
            "Leave --where out, or draw a part of it: --format graphml",
        )
    terms = where.parse(expressions, where.HOST_FIELDS if what is What.HOSTS else where.FIELDS)
    outfile.check(path, force=force)
    if what is What.TEXTS:
        outfile.check(texts.manifest_file(path), force=force)
    return terms


async def export(
    graph: Graph,
    what: What,
    path: Path,
    *,
    name: str,
    form: str | None = None,
    expressions: Sequence[str] = (),
    reserved: bool = False,
    force: bool = False,
    on_row: OnRow = lambda _: None,
) -> Exported:
    """Write a part of a graph, or all of it, to a file.

    Args:
        graph: An open graph.
        what: What to write.
        path: The file to make.
        name: The graph's name.
        form: One of `FORMS`; None: by the ending of the file.
        expressions: Filters, see `where`; a page, a host, or both ends of an axon must pass.
        reserved: Texts of pages, too, whose owners reserve data mining or AI training.
        force: Replace a file that is there.
        on_row: Told of each row how many there are.

    Raises:
        UsageError: The form, the filter or the place does not fit, or the graph changes meanwhile.
        GraphcrawlError: The disk is full or broken; what was there before stays.
    """
    form = form_of(what, path, form)
    terms = check(what, path, form, expressions, reserved=reserved, force=force)
    started = time.monotonic()
    corpus = texts.Corpus()
    counted = _Counted(on_row)
    with outfile.beside(path, force=force) as part:
        packed = is_packed(path)
        if what is What.GRAPH and form == JSONL:
            rows = await whole.write(graph, part, name, packed=packed, counted=counted.each)
        elif what is What.GRAPH:
            rows = await _draw(graph, part, form, terms, counted, packed=packed)
        else:
            if what is What.TEXTS:
                found = texts.texts(graph, terms, corpus, reserved=reserved)
            else:
                found = graph.stream(f"{_STATEMENTS[what]}", terms=_parameters(terms))
            rows = await _WRITERS[form](part, TABLES[what], counted.each(found), packed=packed)
        size = part.stat().st_size
        beside = None
        if what is What.TEXTS:
            beside = texts.manifest_file(path)
            document = texts.manifest(
                corpus, part, name=path.name, graph=name, where=expressions, reserved=reserved
            )
            with outfile.beside(beside, force=force) as note:
                note.write_text(document, encoding="utf-8")
    return Exported(
        what, form, path, rows, size, time.monotonic() - started, beside, corpus.left_out
    )


_STATEMENTS = {
    What.PAGES: "export/pages",
    What.AXONS: "export/axons",
    What.HOSTS: "export/hosts",
}


class _Counted:
    """Counts rows of several streams on their way."""

    def __init__(self, on_row: OnRow) -> None:
        self._on_row = on_row
        self._rows = 0

    async def each(self, rows: AsyncIterator[Any]) -> AsyncIterator[Any]:
        async for row in rows:
            self._rows += 1
            self._on_row(self._rows)
            yield row


async def _draw(
    graph: Graph,
    part: Path,
    form: str,
    terms: Sequence[where.Term],
    counted: _Counted,
    *,
    packed: bool,
) -> int:
    """Draw the pages that pass and the axons between them; tombstones are left out.

    Pages that a crawl discovers meanwhile would be ends of axons without a node: such axons are
    left out.
    """
    writer = drawings.write_graphml if form == GRAPHML else drawings.write_gexf
    living = where.parse(["state!=pruned"])
    before_ms = int(time.time() * 1000)
    parameters = _parameters([*terms, *living])
    pages = graph.stream("export/pages", terms=parameters)
    axons = graph.stream("export/axons", terms=parameters, beforeMs=before_ms)
    return await writer(part, counted.each(pages), counted.each(axons), packed=packed)


def _parameters(terms: Sequence[where.Term]) -> list[dict[str, Any]]:
    return [term.as_parameter() for term in terms]
