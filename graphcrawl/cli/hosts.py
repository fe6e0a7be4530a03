"""`graphcrawl hosts`, `hosts block`, `hosts unblock` and `retry`."""

from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
import typer.core

from graphcrawl.cli import complete, output, session, words
from graphcrawl.cli.output import Column, CsvFlag, Format, JsonFlag, JsonlFlag
from graphcrawl.cli.session import Session
from graphcrawl.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from graphcrawl import hosts
    from graphcrawl.config import Settings


class _HostOrCommand(typer.core.TyperGroup):
    """`hosts` and `hosts HOST` list; only `block` and `unblock` are commands below it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args or args[0] not in {*self.commands, *ctx.help_option_names}:
            if len(args) > 1 and (hint := did_you_mean(args[0], self.commands)):
                raise UsageError(f"There is no command {args[0]!r} below hosts.", hint.strip())
            args = ["list", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=_HostOrCommand,
    help="Show how hosts are doing and why; block and unblock them. Without a command: list.",
)


def _seconds(value: Any) -> str:
    return "–" if value is None else words.duration(value)


def _why(row: dict[str, Any]) -> str:
    return row["block_reason"] or row["trouble"] or ""


_COLUMNS = (
    Column("state", style="cyan"),
    Column("waiting", show=words.count, justify="right"),
    Column("requests", "asked", show=words.count, justify="right"),
    Column("delay_s", "delay", show=_seconds, justify="right"),
    Column("latency_s", "latency", show=_seconds, justify="right"),
    Column("next", "next"),
    Column("host", style="bold", wide=True),
    Column("why", style="red", wide=True),
)


@app.command("list")
def list_hosts(
    context: typer.Context,
    *,
    host: Annotated[
        str | None,
        typer.Argument(
            metavar="[HOST]",
            help="Only this one: a name, or a URL of it.",
            autocompletion=complete.host,
        ),
    ] = None,
    state: Annotated[
        str | None,
        typer.Option(
            metavar="STATE",
            help="Only blocked, parked, paused, 'in work', resting, due or idle ones.",
            autocompletion=complete.host_state,
        ),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=0, help="How many hosts; 0 means all.")
    ] = 25,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """List hosts, those with trouble first: state, reason, delay, latency, when they are asked.

    The word list may be left out: graphcrawl hosts example.org

    Examples:
        graphcrawl hosts list
        graphcrawl hosts list example.org --json
    """
    from graphcrawl.hosts import HostState
    from graphcrawl.names import read_host

    form = Format.chosen(as_json, as_jsonl, as_csv)
    here = Session.of(context)
    if state is not None and state not in list(HostState):
        raise UsageError(f"No host is ever {state!r}.", "States: " + ", ".join(HostState))
    wanted = None if state is None else HostState(state)
    name = None if host is None else read_host(host)
    session.run(_list(here.settings(), name, wanted, limit, form, quiet=here.quiet))


async def _list(
    settings: "Settings",
    host: str | None,
    state: "hosts.HostState | None",
    limit: int,
    form: Format,
    *,
    quiet: bool,
) -> None:
    from graphcrawl import hosts

    async with session.open_graph(settings, quiet=quiet) as graph:
        rows = hosts.listed(graph, host=host, state=state, limit=limit)
        shown = await output.emit_rows(
            _as_rows(rows, on_terminal=form is Format.TABLE and output.stdout_is_terminal()),
            _COLUMNS,
            form,
            keys=tuple(hosts.HostRow.__dataclass_fields__),
            empty=f"The graph has no host {host!r}." if host else "The graph has no such host.",
            quiet=quiet,
        )
    listing = form is Format.TABLE and host is None and output.stdout_is_terminal()
    if listing and shown == limit and not quiet:
        output.note(f"The first {limit}; more with --limit N, all with --limit 0.")


async def _as_rows(
    found: AsyncIterator["hosts.HostRow"], *, on_terminal: bool
) -> AsyncIterator[dict[str, Any]]:
    from datetime import UTC, datetime

    async for host in found:
        row = asdict(host)
        if on_terminal:
            later_s = (
                (host.next_fetch_at - datetime.now(UTC)).total_seconds()
                if host.next_fetch_at
                else 0.0
            )
            row["next"] = f"in {words.duration(later_s)}" if later_s > 0 else "–"
            row["why"] = _why(row)
        yield row


_Hosts = Annotated[
    list[str],
    typer.Argument(
        metavar="HOST…",
        help="Names, with a port or :* for all; *.name with all below.",
        autocompletion=complete.host,
    ),
]


@app.command()
def block(
    context: typer.Context,
    hosts: _Hosts,
    reason: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Why; shown by graphcrawl hosts.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Ask these hosts for nothing any more; running crawls obey within 10 seconds.

    example.org is meant exactly: neither www.example.org nor example.org:8080. Write example.org:*
    for all its ports, *.example.org for all hosts below it too, also those yet to be found.

    Examples:
        graphcrawl hosts block '*.example.org' --reason "its owner asked us to stop"
        graphcrawl hosts block a.example b.example --json
    """
    _change(context, hosts, blocked=True, reason=reason, as_json=as_json)


@app.command()
def unblock(
    context: typer.Context,
    hosts: _Hosts,
    as_json: JsonFlag = False,
) -> None:
    """Let these hosts be asked again.

    '*.example.org' frees all that it had blocked; a single host is an exception, the rest stays.

    Examples:
        graphcrawl hosts unblock example.org
        graphcrawl hosts unblock a.example b.example --json
    """
    _change(context, hosts, blocked=False, reason=None, as_json=as_json)


def _change(
    context: typer.Context,
    typed: list[str],
    *,
    blocked: bool,
    reason: str | None,
    as_json: bool,
) -> None:
    from graphcrawl.names import read_host

    here = Session.of(context)
    names = list(dict.fromkeys(read_host(text) for text in typed))
    done = session.run(_set(here.settings(), names, blocked, reason, quiet=here.quiet))
    known = {row.host for row in done}
    missing = [name for name in names if name not in known]
    if as_json:
        print(words.to_json(_document(done, missing, blocked=blocked), indent=2))
    elif not here.quiet:
        for row in done:
            output.note(_told(row, blocked=blocked))
    for name in missing:
        output.note(f"The graph has no host {name!r}.")


def _document(done: "list[hosts.Blocked]", missing: list[str], *, blocked: bool) -> dict[str, Any]:
    return {
        "hosts": [
            {
                "host": row.host,  # or a name for many
                "blocked": blocked,  # now
                "before": row.before,  # whether it was
                "hosts": row.hosts,  # how many the name stands for; null: a single host
            }
            for row in done
        ],
        "unknown": missing,  # names of which the graph knows no host
    }


def _told(row: "hosts.Blocked", *, blocked: bool) -> str:
    """Say what became of one host or name, and of how many hosts."""
    if blocked:
        what = "Blocked as before" if row.before else "Blocked"
    else:
        what = "Unblocked" if row.before else "Was not blocked"
    if row.hosts is not None:
        known = f"{words.count(row.hosts)} known host{'' if row.hosts == 1 else 's'}"
        more = f", {known} of it, and those to come" if blocked else f", {known} of it"
    else:
        more = "" if row.known else ", which the graph did not know yet"
    return f"{what}: {row.host}{more}"


async def _set(
    settings: "Settings", names: list[str], blocked: bool, reason: str | None, *, quiet: bool
) -> "list[hosts.Blocked]":
    from graphcrawl import hosts

    async with session.open_graph(settings, quiet=quiet) as graph:
        if blocked:
            return await hosts.block(graph, names, reason)
        return await hosts.unblock(graph, names)


def retry(
    context: typer.Context,
    where: Annotated[
        list[str] | None,
        typer.Option(
            "--where",
            "-w",
            metavar="FILTER",
            help="Only pages for which all terms hold, such as 'reason=timeout host=a.example'.",
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Let pages that were given up wait again; the next crawl asks for them.

    Filters are those of graphcrawl pages. Robots rules and all other manners hold as ever.

    Examples:
        graphcrawl retry --where 'reason=timeout'
        graphcrawl retry --where 'status>=500 host=example.org' --json
    """
    from graphcrawl import where as filters

    here = Session.of(context)
    filters.parse(where or [])  # a wrong filter is told before a server is started
    settings = here.settings()
    pages = session.run(_retry(settings, where or [], quiet=here.quiet))
    document = {"pages": pages}  # that wait again
    if as_json:
        print(words.to_json(document, indent=2))
    elif not here.quiet:
        count = "1 page waits" if pages == 1 else f"{words.count(pages)} pages wait"
        more = f" Go on: {settings.command('crawl')}" if pages else ""
        output.note(f"{count} again.{more}")


async def _retry(settings: "Settings", where: list[str], *, quiet: bool) -> int:
    from graphcrawl import hosts

    async with session.open_graph(settings, quiet=quiet) as graph:
        return await hosts.retry(graph, where)
