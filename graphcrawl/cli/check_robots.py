"""`graphcrawl check robots`: may a URL be fetched, by which rule of which file, until when."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphcrawl.cli import output, session, words
from graphcrawl.cli.output import CsvFlag, Format, JsonFlag, JsonlFlag
from graphcrawl.cli.session import Session
from graphcrawl.errors import UsageError

if TYPE_CHECKING:
    from graphcrawl.robots_check import Explanation


def robots(
    context: typer.Context,
    url: Annotated[str, typer.Argument(metavar="URL", help="The page that is to be fetched.")],
    agent: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Product token or User-Agent. Default: the crawl's own."),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            metavar="ROBOTS_TXT",
            help="Judge by this file, - for stdin, in place of the host's own.",
        ),
    ] = None,
    allow_private: Annotated[
        bool | None,
        typer.Option("--allow-private", help="Ask private and loopback addresses too."),
    ] = None,
    resolve: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HOST:PORT:ADDRESS",
            help="Connect to this address for that host; * for any host.",
        ),
    ] = None,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """Tell whether a page may be fetched, by which file, group and rule, and until when.

    The file is the one that the graph goes by, where its server runs and knows it, else it is
    fetched. Nothing is written.

    Examples:
        graphcrawl check robots https://example.org/private/
        graphcrawl check robots https://example.org/a --agent otherbot --file robots.txt
    """
    from graphcrawl.robots_check import explain

    form = Format.chosen(as_json, as_jsonl, as_csv)
    here = Session.of(context)
    addresses = tuple(resolve) if resolve else None
    settings = here.settings(crawl={"allow_private": allow_private, "resolve": addresses})
    body = None if file is None else _read(file)
    found = session.run(explain(settings, url, agent, body))
    output.emit_document(asdict(found), form, lambda: [output.pairs(_view(found))])


def _read(file: Path) -> bytes:
    try:
        return sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise UsageError(
            f"Cannot read the robots.txt {str(file)!r}: {error.strerror}.",
            "Give a file: graphcrawl check robots URL --file robots.txt",
        ) from error


def _view(found: "Explanation") -> dict[str, object]:
    """Return what a terminal shows, most important first; what there is not is left out."""
    fetched = f", fetched {found.fetched_at:%Y-%m-%d %H:%M} UTC" if found.fetched_at else ""
    status = f", status {found.status}" if found.status else ""
    place = {
        "file": "the file that was given",
        "graph": f"{found.robots_url} as kept in the graph",
        "web": found.robots_url,
        "settings": "not asked for",
    }
    delay = None
    if found.asked_delay_s is not None:
        delay = f"{found.asked_delay_s:g} s"
        if found.crawl_delay_s != found.asked_delay_s:
            delay += f" asked for, {found.crawl_delay_s:g} s are kept"
    rule = f"line {found.line}: {found.rule}" if found.rule else None
    lines = ", ".join(map(str, found.group_lines))
    shown = {
        "page": found.url,
        "agent": found.agent,
        "verdict": "allowed" if found.allowed else "forbidden",
        "why": found.why,
        "file": place[found.source] + status + fetched,
        "holds until": f"{found.expires_at:%Y-%m-%d %H:%M} UTC" if found.expires_at else None,
        "group": f"{', '.join(found.group)} (line {lines})" if found.group else None,
        "rule": rule,
        "crawl delay": delay,
        "wishes": ", ".join(found.wishes),
        "sitemaps": "\n".join(found.sitemaps[:10]),
        "lines ignored": words.count(len(found.ignored_lines)) if found.ignored_lines else None,
    }
    return {name: value for name, value in shown.items() if value}
