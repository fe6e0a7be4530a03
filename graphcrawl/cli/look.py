"""`graphcrawl status` and `graphcrawl pages`."""

from collections.abc import AsyncIterator, Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import RenderableType
from rich.text import Text

from graphcrawl.cli import complete, output, session, words
from graphcrawl.cli.output import Column, CsvFlag, Format, JsonFlag, JsonlFlag
from graphcrawl.cli.session import Session
from graphcrawl.errors import UsageError
from graphcrawl.where import FIELDS, SORTABLE

if TYPE_CHECKING:
    from graphcrawl import look
    from graphcrawl.config import Settings
    from graphcrawl.where import Term

_PAGE_COLUMNS = (
    Column("reward", show=words.points, justify="right", style="bold"),
    Column("state", style="cyan"),
    Column("depth", show=words.count, justify="right", spare=2),
    Column("in_links", "in", show=words.count, justify="right", spare=3),
    Column("url", "page", wide=True),
    Column("title", "title", style="dim", wide=True, spare=1),
)
_HEAD_COLUMNS = (
    Column("priority", show=words.points, justify="right", style="bold"),
    Column("depth", show=words.count, justify="right"),
    Column("url", "page", wide=True),
)


def status(
    context: typer.Context,
    watch: Annotated[
        bool,
        typer.Option("--watch", help="Look again and again, until Ctrl-C; --jsonl: a line a look."),
    ] = False,
    every: Annotated[
        str, typer.Option(metavar="TIME", help="Between two looks of --watch, such as 2s or 1m.")
    ] = "2s",
    looks: Annotated[
        int | None, typer.Option(min=1, help="End --watch after so many. Default: never.")
    ] = None,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """Show the graph at a glance: pages by state, hosts, rewards, and what limits the crawl now.

    Examples:
        graphcrawl status
        graphcrawl status --watch
        graphcrawl status --graph demo --json
    """
    form = Format.chosen(as_json, as_jsonl, as_csv)
    here = Session.of(context)
    settings = here.settings()
    if watch:
        _watch(settings, form, every=every, looks=looks, quiet=here.quiet)
        return
    found = session.run(_status(settings, quiet=here.quiet))
    document = {
        "graph": settings.graph,  # its name
        **asdict(found),
    }
    output.emit_document(document, form, lambda: _status_view(settings.graph, found))


def pages(
    context: typer.Context,
    *,
    state: Annotated[
        str | None,
        typer.Option(
            metavar="STATE",
            help="frontier, leased, fetched, failed, excluded or pruned.",
            autocompletion=complete.state,
        ),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            "--where",
            "-w",
            metavar="FILTER",
            help="Terms that must all hold, such as 'host=a.example reward>10 title~nurse'. "
            f"Fields: {', '.join(FIELDS)}.",
        ),
    ] = None,
    sort: Annotated[
        str,
        typer.Option(
            metavar="FIELD",
            help="Sort by a field of --where that has an order.",
            autocompletion=complete.one_of(*SORTABLE),
        ),
    ] = "reward",
    reverse: Annotated[bool, typer.Option("--reverse", help="Turn the order.")] = False,
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=0, help="How many pages; 0 means all.")
    ] = 25,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """List pages, the richest first.

    A filter has terms FIELD OPERATOR VALUE; operators are = != > >= < <= and ~ (contains).

    Examples:
        graphcrawl pages --state frontier --sort priority
        graphcrawl pages --where 'rule=taleo depth<3' --jsonl
    """
    from graphcrawl import where as filters

    form = Format.chosen(as_json, as_jsonl, as_csv)
    here = Session.of(context)
    terms = filters.parse([*([f"state={state}"] if state is not None else []), *(where or [])])
    filters.sort_property(sort)  # a wrong field is told before a server is started
    settings = here.settings()
    session.run(
        _pages(
            settings, terms, sort=sort, reverse=reverse, limit=limit, form=form, quiet=here.quiet
        )
    )


async def _status(settings: "Settings", *, quiet: bool) -> "look.Status":
    from graphcrawl import look

    async with session.open_graph(settings, quiet=quiet) as graph:
        return await look.status(graph, command=settings.command("crawl"))


def _watch(
    settings: "Settings", form: Format, *, every: str, looks: int | None, quiet: bool
) -> None:
    from graphcrawl.cli import watch
    from graphcrawl.setting_values import parse_duration_s

    if form not in (Format.TABLE, Format.JSONL):
        raise UsageError(f"--watch and --{form} exclude each other.", "Take --jsonl: a line a look")
    try:
        every_s = float(str(parse_duration_s(every)))
    except ValueError as error:
        raise UsageError(f"--every: {error}.", "Write it as --every 2s") from error
    lines = form is Format.JSONL
    session.run(watch.watch(settings, every_s=every_s, as_lines=lines, looks=looks, quiet=quiet))


async def _pages(
    settings: "Settings",
    terms: tuple["Term", ...],
    *,
    sort: str,
    reverse: bool,
    limit: int,
    form: Format,
    quiet: bool,
) -> None:
    from graphcrawl import look

    async with session.open_graph(settings, quiet=quiet) as graph:
        found = look.pages(graph, terms, sort=sort, reverse=reverse, limit=limit)
        shown = await output.emit_rows(
            _as_rows(found),
            _with_sort_column(sort),
            form,
            keys=tuple(look.PageRow.__dataclass_fields__),
            empty="No page passes." if terms else "The graph has no pages yet.",
            quiet=quiet,
        )
    if form is Format.TABLE and shown == limit and not quiet and output.stdout_is_terminal():
        output.note(f"The first {limit}; more with --limit N, all with --limit 0.")


async def _as_rows(found: AsyncIterator["look.PageRow"]) -> AsyncIterator[dict[str, Any]]:
    async for page in found:
        yield asdict(page)


def _with_sort_column(sort: str) -> tuple[Column, ...]:
    """Show what the pages are sorted by, where the usual columns do not."""
    if any(column.key == sort for column in _PAGE_COLUMNS):
        return _PAGE_COLUMNS
    show = words.points if sort in ("priority", "base_reward", "strength") else None
    return (Column(sort, show=show, justify="right", style="bold"), *_PAGE_COLUMNS)


def _status_view(graph: str, found: "look.Status") -> Iterable[RenderableType]:
    counts, hosts, rewards = found.counts, found.hosts, found.rewards
    n = words.count
    crawl = found.last_crawl
    lines = {
        "graph": f"{graph}: {n(counts.neurons)} neurons, {n(counts.axons)} axons",
        "fetched": f"{n(counts.fetched)}, of them {n(counts.feeds)} job feeds"
        + (f"; {n(counts.needs_script)} need scripts" if counts.needs_script else ""),
        "waiting": f"{n(counts.frontier)}, and {n(counts.leased)} being fetched",
        "given up": f"{n(counts.failed)} failed, {n(counts.excluded)} excluded, "
        f"{n(counts.pruned)} pruned",
        "hosts": f"{n(hosts.hosts)}: {n(hosts.waiting)} with waiting pages, "
        f"{n(hosts.due)} of them due now, {n(hosts.parked)} parked or blocked",
        "reward": f"{words.points(rewards.total)} in all; rules and seeds granted "
        f"{words.points(rewards.granted)}; {n(counts.rewarded)} pages earned; "
        f"{n(rewards.distributions)} distributions" + (f", {rewards.mode}" if rewards.mode else ""),
        "last crawl": "none yet"
        if crawl is None
        else _crawl_line(crawl, any(run.id == crawl.id for run in found.runs)),
    }
    if ran := words.works(found.works, found.priorities_stale_s):
        lines["beside it"] = ran
    if found.expired_leases:
        lines["leases"] = f"{n(found.expired_leases)} ran out; the next crawl takes them back"
    yield output.pairs(lines)
    if found.frontier_head:
        yield Text("\nNext to be fetched", style="bold")
        yield output.table([asdict(w) for w in found.frontier_head], _HEAD_COLUMNS)
    remedy = f" {found.limit.remedy}" if found.limit.remedy else ""
    yield Text.assemble("\n", (found.limit.sentence, "bold"), remedy)


def _crawl_line(crawl: "look.LastCrawl", runs: bool) -> str:
    started = f"{crawl.started_at:%Y-%m-%d %H:%M} UTC" if crawl.started_at else "unknown"
    started += f", ordered by {crawl.order}"
    if crawl.finished_at is None:
        return f"started {started}, {'runs' if runs else 'was killed'}"
    seconds = (crawl.finished_at - crawl.started_at).total_seconds() if crawl.started_at else 0.0
    return f"started {started}, took {words.duration(seconds)}, stopped: {crawl.stop_reason}"
