"""`graphcrawl check url`: canonical form, host key, and whether and why a URL would be refused."""

import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated

import typer

from graphcrawl.cli import output, session
from graphcrawl.cli.output import Column, CsvFlag, Format, JsonFlag, JsonlFlag
from graphcrawl.cli.session import Session
from graphcrawl.errors import UsageError

_COLUMNS = (
    Column("reason", "refused", style="red"),
    Column("host", style="cyan"),
    Column("canonical", "canonical form", wide=True),
    Column("raw", "as written", style="dim", wide=True),
)


def url(
    context: typer.Context,
    urls: Annotated[
        list[str],
        typer.Argument(metavar="URL…", help="As they are written; - reads one a line from stdin."),
    ],
    base: Annotated[
        str, typer.Option(metavar="URL", help="The page that they stand on, for relative ones.")
    ] = "",
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """Show under which form URLs are known, their host key, and why any crawl would refuse them.

    Examples:
        graphcrawl check url 'HTTP://Example.org:80/a/../b?utm_source=x#top'
        graphcrawl check url --base https://example.org/jobs/ ../about '?page=2'
    """
    from graphcrawl.checks import check_url
    from graphcrawl.urls import canonical

    form = Format.chosen(as_json, as_jsonl, as_csv)
    here = Session.of(context)
    crawl = here.settings().crawl
    if base and canonical(base) is None:
        raise UsageError(
            f"The base {base!r} is no URL of a page.", "Write --base https://example.org/page"
        )
    rows = (
        asdict(
            check_url(
                raw,
                base,
                include=crawl.include,
                exclude=crawl.exclude,
                allow_private=crawl.allow_private,
            )
        )
        for raw in _written(urls)
    )
    session.run(output.emit_rows(output.each(rows), _COLUMNS, form, quiet=here.quiet))


def _written(urls: list[str]) -> Iterator[str]:
    for text in urls:
        if text != "-":
            yield text
            continue
        for line in sys.stdin.buffer:
            if stripped := line.decode("utf-8", "replace").strip():
                yield stripped
