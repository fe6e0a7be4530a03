"""`graphcrawl feeds` and `graphcrawl jobs`."""

import sys
from collections.abc import AsyncIterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from graphcrawl.cli import output, session, words
from graphcrawl.cli.output import Column, CsvFlag, Format, JsonFlag, JsonlFlag
from graphcrawl.cli.session import Session
from graphcrawl.errors import UsageError

if TYPE_CHECKING:
    from graphcrawl.config import Settings
    from graphcrawl.joblist import JobRow, What
    from graphcrawl.look import FeedRow
    from graphcrawl.where import Term

_ON_TERMINAL = 25  # jobs shown on a terminal unless told otherwise


def _ago(time: datetime | None) -> str:
    return "–" if time is None else _when(time, "ago")


def _until(time: datetime | None) -> str:
    return "next crawl" if time is None else _when(time, "due")


def _when(time: datetime, past: str) -> str:
    """Write a time as seen from now: `3 h 2 min ago`, `in 5 min 0 s`."""
    seconds = (time - datetime.now(UTC)).total_seconds()
    if seconds >= 0:
        return f"in {words.duration(seconds)}"
    return "due" if past == "due" else f"{words.duration(-seconds)} {past}"


def _day(time: Any) -> str:
    return "–" if time is None else f"{time:%Y-%m-%d}"


_ENDS = {
    "size": "cut at the setting max_feed",
    "time": "cut at the limit of time, feed_timeout",
    "connection": "broken off by the server",
    "damaged": "packed wrongly from some place on",
    "disk": "cut since the disk is full",
    "reader": "its reading took too long, or too much memory",
    "reading": "its jobs are being written now",
    "stopped": "its reading was stopped; the next crawl begins it anew",
    "refused": "Neo4j would not store some of its jobs",
    "empty": "empty now; its jobs are gone if it is empty once more",
}


def _ended(feed: "FeedRow") -> str | None:
    """Say why the last reading of a feed was not whole."""
    if not feed.ended:
        return None
    left = f", {words.size(feed.unread_bytes)} unread" if feed.unread_bytes else ""
    return _ENDS.get(feed.ended, feed.ended) + left


_FEED_COLUMNS = (
    Column("form", style="cyan"),
    Column("jobs", show=words.count, justify="right", style="bold"),
    Column("new", show=words.count, justify="right"),
    Column("changed", show=words.count, justify="right", spare=3),
    Column("gone", show=words.count, justify="right", spare=2),
    Column("cut", show=words.count, justify="right", spare=4),
    Column("read_at", "read", show=_ago, spare=1),
    Column("next_read_at", "next", show=_until, spare=5),
    Column("url", "feed", wide=True),
    Column("error", "trouble", style="red", wide=True),
    Column("found_by", "found by", style="dim", wide=True, spare=6),
)
_JOB_COLUMNS = (
    Column("first_seen_at", "seen", show=_day, spare=2),
    Column("title", "job", style="bold", wide=True),
    Column("company", wide=True),
    Column("place", wide=True),
    Column("country", spare=1),
    Column("posted", show=_day, spare=3),
    Column("gone_at", "gone", show=lambda time: "" if time is None else _day(time)),
    Column("url", "page", style="dim", wide=True, spare=4),
)


def feeds(
    context: typer.Context,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """List the job feeds: form, jobs, what the last reading brought, when the next is due.

    Feeds are read again while a crawl runs, at an interval that each of them teaches: from 15
    minutes to 24 hours. crawl --watch goes on when nothing else is left; crawl --read-feeds reads
    all of them now.

    Examples:
        graphcrawl feeds
        graphcrawl feeds --json
    """
    form = Format.chosen(as_json, as_jsonl, as_csv)
    here = Session.of(context)
    session.run(_feeds(here.settings(), form, quiet=here.quiet))


def jobs(
    context: typer.Context,
    *,
    since: Annotated[
        str | None,
        typer.Option(
            metavar="TIME|DATE",
            help="Only what is new, changed or gone since then: 2d, 12h, 2026-01-31.",
        ),
    ] = None,
    new: Annotated[
        bool, typer.Option("--new", help="Jobs that the last reading added, or seen first --since.")
    ] = False,
    changed: Annotated[
        bool, typer.Option("--changed", help="Jobs that the last reading changed or brought back.")
    ] = False,
    gone: Annotated[
        bool, typer.Option("--gone", help="Jobs that the last reading did not list any more.")
    ] = False,
    where: Annotated[
        list[str] | None,
        typer.Option(
            "--where",
            "-w",
            metavar="FILTER",
            help="Terms that must all hold, such as 'country=DE title~nurse posted>2026-01-31'.",
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            "-n",
            min=0,
            help=f"How many; 0 means all. Default: {_ON_TERMINAL} on a terminal, else all.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write .csv, .jsonl or .parquet instead."
        ),
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow", help="Print new jobs as they come, until Ctrl-C.")
    ] = False,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """List the jobs of all feeds and pages, the newest first, one row a job.

    Without --since, --new, --changed and --gone mean the last reading of the job's feed or page.
    A job is one row, however many feeds and pages list it: the first that still does words it.
    CSV is safe in spreadsheets: a cell that would be a formula begins with an apostrophe.
    An unknown field of --where names the ones there are.

    Examples:
        graphcrawl jobs --new
        graphcrawl jobs --since 2d --where 'country=DE title~nurse' -o jobs.csv
        graphcrawl jobs --follow --jsonl
    """
    from graphcrawl import jobfile, joblist
    from graphcrawl import where as filters

    form = Format.chosen(as_json, as_jsonl, as_csv)
    what = _chosen(new=new, changed=changed, gone=gone)
    if out is not None:
        _exclusive("--output", {f"--{form}": form is not Format.TABLE, "--follow": follow})
        jobfile.form_of(out)
    if follow:
        given = {"--json": as_json, "--changed": changed, "--gone": gone}
        _exclusive("--follow", given | {"--limit": limit is not None})
    terms = filters.parse(where or [], filters.JOB_FIELDS)
    begin = None if since is None else joblist.parse_since(since)
    here = Session.of(context)
    settings = here.settings()
    if follow:
        session.run(_follow(settings, terms, begin, form, quiet=here.quiet))
    elif out is not None:
        session.run(_write(settings, terms, what, begin, limit or 0, out, quiet=here.quiet))
    else:
        table = form is Format.TABLE and output.stdout_is_terminal()
        shown = limit if limit is not None else _ON_TERMINAL if table else 0
        session.run(_list(settings, terms, what, begin, shown, form, quiet=here.quiet))


def _chosen(**given: bool) -> "What":
    from graphcrawl.joblist import What

    names = [name for name, typed in given.items() if typed]
    if len(names) > 1:
        _exclusive(f"--{names[0]}", {f"--{names[1]}": True})
    return What(names[0]) if names else What.ALL


def _exclusive(option: str, others: dict[str, bool]) -> None:
    for other, typed in others.items():
        if typed:
            raise UsageError(f"{option} and {other} exclude each other.", "Leave one of them out.")


async def _feeds(settings: "Settings", form: Format, *, quiet: bool) -> None:
    from graphcrawl import look

    async with session.open_graph(settings, quiet=quiet) as graph:
        found = await look.feeds(graph)
    rows = [asdict(feed) for feed in found]
    if form is Format.TABLE:
        for row, feed in zip(rows, found, strict=True):
            row["error"] = feed.error or _ended(feed)
    await output.emit_rows(
        output.each(rows),
        _FEED_COLUMNS,
        form,
        keys=tuple(look.FeedRow.__dataclass_fields__),
        empty="No job feed was found yet. Crawl on: " + settings.command("crawl"),
        quiet=quiet,
    )


async def _list(
    settings: "Settings",
    terms: tuple["Term", ...],
    what: "What",
    since: datetime | None,
    limit: int,
    form: Format,
    *,
    quiet: bool,
) -> None:
    from graphcrawl import joblist

    async with session.open_graph(settings, quiet=quiet) as graph:
        found = joblist.jobs(graph, terms, what=what, since=since, limit=limit)
        narrowed = terms or since or what is not joblist.What.ALL
        shown = await output.emit_rows(
            _as_rows(found, form),
            _JOB_COLUMNS,
            form,
            keys=joblist.COLUMNS,
            empty="No job passes."
            if narrowed
            else "The graph has no jobs yet. See its feeds: " + settings.command("feeds"),
            quiet=quiet,
        )
    if form is Format.TABLE and shown == limit and not quiet and output.stdout_is_terminal():
        output.note(f"The first {limit}; more with --limit N, all with --limit 0.")


async def _write(
    settings: "Settings",
    terms: tuple["Term", ...],
    what: "What",
    since: datetime | None,
    limit: int,
    out: Path,
    *,
    quiet: bool,
) -> None:
    from graphcrawl import jobfile, joblist

    async with session.open_graph(settings, quiet=quiet) as graph:
        found = joblist.jobs(graph, terms, what=what, since=since, limit=limit)
        written = await jobfile.write(out, found)
    if not quiet:
        output.note(f"{words.count(written)} jobs in {out}")


async def _follow(
    settings: "Settings",
    terms: tuple["Term", ...],
    since: datetime | None,
    form: Format,
    *,
    quiet: bool,
) -> None:
    from graphcrawl import joblist

    async with session.open_graph(settings, quiet=quiet) as graph:
        if not quiet:
            output.note("New jobs are printed as a crawl records them. Ctrl-C ends this.")
        rows = _as_rows(joblist.follow(graph, terms, since=since), form)
        if form is Format.TABLE and output.stdout_is_terminal():
            async for row in rows:
                output.console().print(_line(row), soft_wrap=True)
        else:
            keys = joblist.COLUMNS
            await output.emit_rows(_flushed(rows), (), form, keys=keys, quiet=quiet)


async def _as_rows(found: AsyncIterator["JobRow"], form: Format) -> AsyncIterator[dict[str, Any]]:
    from graphcrawl.joblist import as_dict

    async for job in found:
        yield as_dict(job)


async def _flushed(rows: AsyncIterator[dict[str, Any]]) -> AsyncIterator[dict[str, Any]]:
    """Let each row leave as soon as it is printed, also into a pipe."""
    async for row in rows:
        yield row
        sys.stdout.flush()


def _line(row: dict[str, Any]) -> Text:
    parts = (row["company"], row["place"], row["url"])
    rest = " · ".join(words.printable(str(part)) for part in parts if part)
    return Text.assemble(
        (_day(row["first_seen_at"]) + "  ", "dim"),
        (words.printable(row["title"] or "(no title)"), "bold"),
        f"  {rest}",
    )
