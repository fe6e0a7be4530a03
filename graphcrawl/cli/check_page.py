"""`graphcrawl check page`: all that parsing sees in one page."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import RenderableType
from rich.text import Text

from graphcrawl.cli import output, session, words
from graphcrawl.cli.output import Column, CsvFlag, Format, JsonFlag, JsonlFlag
from graphcrawl.cli.session import Session
from graphcrawl.errors import UsageError

if TYPE_CHECKING:
    from graphcrawl.checks import PageCheck

_SHOWN_LINKS = 20
_SHOWN_CHARS = 400
_LINKS = (
    Column("weight", show=words.points, justify="right"),
    Column("refused", style="red"),
    Column("url", "link", wide=True),
    Column("anchor", style="dim", wide=True),
)
_FOUND_BY = {
    "mark": "its byte-order mark",
    "header": "the header",
    "meta": "a declaration inside",
    "utf-8": "being valid UTF-8",
    "detector": "a guess",
}


def page(
    context: typer.Context,
    what: Annotated[
        str, typer.Argument(metavar="FILE|URL", help="A file, - for stdin, or a URL to fetch.")
    ],
    base: Annotated[
        str, typer.Option(metavar="URL", help="Where a file comes from: its links start there.")
    ] = "",
    content_type: Annotated[
        str,
        typer.Option(
            metavar="TYPE",
            help="A file's Content-Type header, such as 'text/html; charset=latin1'.",
        ),
    ] = "",
    rules: Annotated[
        str | None,
        typer.Option(metavar="NAME|FILE", help="What earns reward. Default: the settings'."),
    ] = None,
    contact: Annotated[
        str | None, typer.Option(metavar="URL|MAIL", help="Who asks; public hosts are told.")
    ] = None,
    allow_private: Annotated[
        bool | None,
        typer.Option("--allow-private", help="Fetch from private and loopback addresses too."),
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
    """Show all that a crawl would read in one page: text, links, feeds, wishes, reward by rule.

    A URL is fetched once, if its robots.txt allows it. Nothing is written.

    Examples:
        graphcrawl check page saved.html --base https://example.org/jobs/
        graphcrawl check page https://example.org/ --contact me@example.org --json
    """
    from graphcrawl import checks
    from graphcrawl.fetch import robots_agent
    from graphcrawl.readers import ReadOptions
    from graphcrawl.scoring.reward import load_rules
    from graphcrawl.urls import Scope, canonical

    form = Format.chosen(as_json, as_jsonl, as_csv)
    here = Session.of(context)
    settings = here.settings(
        contact=contact,
        crawl={
            "rules": rules,
            "allow_private": allow_private,
            "resolve": tuple(resolve) if resolve else None,
        },
    )
    found_rules = load_rules(settings.crawl.rules)
    address = canonical(base) if base else None
    if base and address is None:
        raise UsageError(
            f"The base {base!r} is no URL of a page.", "Write --base https://example.org/page"
        )
    if (body := _file(what)) is not None:
        fetched = checks.fetched_from_file(body, address or checks.FILE_BASE, content_type)
    else:
        fetched = session.run(checks.fetch(what, settings))
    scope = Scope.of(
        [fetched.url], settings.crawl.scope, settings.crawl.include, settings.crawl.exclude
    )
    options = ReadOptions(
        found_rules,
        scope,
        "all",
        tracking=settings.crawl.tracking,
        agent=robots_agent(settings.crawl.user_agent).lower(),
    )
    seen = checks.check_page(fetched, options)
    document = _document(seen)
    output.emit_document(document, form, lambda: _view(seen, document))


def _file(what: str) -> bytes | None:
    """Return the content of a file or of stdin; None where it is a URL."""
    from graphcrawl.urls import canonical

    if what == "-":
        return sys.stdin.buffer.read()
    path = Path(what)
    if canonical(what) is not None and not path.is_file():
        return None
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise UsageError(
            f"Cannot read the page {what!r}: {why}.",
            "Give a file, or a URL such as https://example.org/",
        ) from error


def _document(seen: "PageCheck") -> dict[str, Any]:
    fetched, document, page = seen.fetched, seen.document, seen.page
    return {
        "url": fetched.url,
        "status": fetched.status,
        "content_type": fetched.content_type,
        "bytes": len(fetched.body),
        "truncated": fetched.truncated,  # cut at a limit of size or time
        "kind": document.kind,  # how it was read: html, xml, text or none
        "charset": document.charset,
        "charset_from": document.charset_from,  # what told the charset
        "title": document.title,
        "language": document.language,
        "text": document.text,  # all that is visible
        "main_text": page.text or "",  # without navigation
        "needs_script": document.needs_script,  # empty without scripts
        "refresh": document.refresh,  # where a meta refresh leads
        "links": [
            {
                "url": link.url,
                "raw": link.raw or link.url,  # as it is written
                "anchor": link.anchor,
                "rel": link.rel,
                "position": link.position,  # 1: the first link
                "weight": link.weight,
                "feed_hint": link.feed_hint,  # how much it looks like one to a job feed
                "refused": seen.refused.get(
                    link.url, ""
                ),  # why it would not be followed; empty: it would
            }
            for link in page.links
        ],
        "links_dropped": page.refused,  # why → links that are not listed
        "feeds": seen.feeds,  # that the page names
        "job_feed": page.feed and {"form": page.feed.form, "jobs": page.feed.jobs},
        "jobs": len(page.postings),
        "types": list(page.types),  # of its structured data
        "wishes": list(getattr(page, "wishes", ())),  # of its owner: noindex, nofollow, noai …
        "reward": seen.reward,
        "rules": [
            {"rule": grant.rule, "points": grant.points, "place": grant.place}
            for grant in page.grants
        ],
    }


def _view(seen: "PageCheck", document: dict[str, Any]) -> Iterable[RenderableType]:
    found_by = _FOUND_BY.get(document["charset_from"], "")
    lines = {
        "page": document["url"],
        "answer": f"{document['status']}, {document['content_type'] or 'no type'}, "
        f"{words.size(document['bytes'])}{', cut short' if document['truncated'] else ''}",
        "read as": document["kind"] if document["kind"] != "none" else "no page: excluded as type",
        "charset": f"{document['charset']}, by {found_by}" if found_by else "",
        "title": document["title"],
        "language": document["language"],
        "sends on to": document["refresh"],
        "needs scripts": "yes: its text is not evaluated" if document["needs_script"] else "",
        "text": _cut(document["text"]),
        "job feed": f"{seen.page.feed.form}, {seen.page.feed.jobs} jobs" if seen.page.feed else "",
        "jobs": words.count(document["jobs"]) if document["jobs"] else "",
        "types": " ".join(document["types"]),
        "wishes": "; ".join(document["wishes"]),
        "feeds": "; ".join(document["feeds"]),
        "reward": words.points(seen.reward)
        + "".join(f"; {words.points(g.points)} {g.rule} in {g.place}" for g in seen.page.grants),
        "links": words.count(len(document["links"])),
    }
    yield output.pairs({key: value for key, value in lines.items() if value})
    if links := document["links"][:_SHOWN_LINKS]:
        yield Text()
        yield output.table(links, _LINKS)
    if (more := len(document["links"]) - _SHOWN_LINKS) > 0:
        yield Text(f"and {words.count(more)} more; all with --json", style="dim")


def _cut(text: str) -> str:
    line = " · ".join(text.splitlines())
    return (
        line if len(line) <= _SHOWN_CHARS else f"{line[:_SHOWN_CHARS]} … ({len(text):,} characters)"
    )
