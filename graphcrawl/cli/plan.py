"""`graphcrawl plan`: the next pages, before anything is fetched."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import RenderableType
from rich.text import Text

from graphcrawl.cli import complete, output, session, words
from graphcrawl.cli.output import Column, CsvFlag, Format, JsonFlag, JsonlFlag
from graphcrawl.cli.session import Session

if TYPE_CHECKING:
    from graphcrawl.config import Settings
    from graphcrawl.foresee import Foresight
    from graphcrawl.scoring.orders import OrderName
    from graphcrawl.simulate import Harvest

_COLUMNS = (
    Column("number", "no.", show=words.count, justify="right"),
    Column("start_s", "after", show=words.duration, justify="right", style="bold"),
    Column("worth", show=lambda worth: f"{worth:.2f}", justify="right"),
    Column("priority", show=words.points, justify="right", spare=1),
    Column("depth", show=words.count, justify="right", spare=2),
    Column("url", "page", wide=True),
)
_BARS = " ▁▂▃▄▅▆▇█"
_CURVE_CHARS = 24


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def plan(
    context: typer.Context,
    *,
    pages: Annotated[
        int, typer.Option("--pages", "-n", metavar="N", min=1, max=10_000, help="How many pages.")
    ] = 25,
    simulate: Annotated[
        str | None,
        typer.Option(
            metavar="ORDER,…",
            autocompletion=complete.order,
            help="Try other orders on what was crawled so far: composite, reward, quality, topic, "
            "bfs, dfs, random, opic, pagerank.",
        ),
    ] = None,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """Show the next pages of a crawl: when politeness lets it fetch them, what they may be worth.

    Nothing is fetched and nothing written. What the pages lead to is not foreseen. With --simulate,
    crawls by other orders are replayed in memory: how soon each would have found what was found.

    Examples:
        graphcrawl plan
        graphcrawl plan --pages 1000 --json
        graphcrawl plan --simulate bfs,reward,composite
    """
    from graphcrawl.foresee import Planned
    from graphcrawl.simulate import read_orders

    form = Format.chosen(as_json, as_jsonl, as_csv)
    here = Session.of(context)
    orders = read_orders(simulate) if simulate is not None else ()
    found, harvests = session.run(_foresee(here.settings(), pages, orders, quiet=here.quiet))
    rows: Iterable[dict[str, Any]] = (asdict(page) for page in found.pages)
    keys = tuple(Planned.__dataclass_fields__)
    if orders:
        rows, keys = _curves(harvests), ("order", "pages", "worth", "feeds")
    if form in (Format.JSONL, Format.CSV):
        session.run(output.emit_rows(output.each(rows), (), form, keys=keys, quiet=here.quiet))
        return
    document = asdict(found) | {"simulation": [asdict(h) for h in harvests] if orders else None}
    output.emit_document(document, form, lambda: [*_view(found), *_harvest_view(harvests)])


async def _foresee(
    settings: "Settings", pages: int, orders: "tuple[OrderName, ...]", *, quiet: bool
) -> "tuple[Foresight, tuple[Harvest, ...]]":
    from graphcrawl import foresee, simulate
    from graphcrawl.crawled import crawled_web
    from graphcrawl.last_run import last_run, with_words

    async with session.open_graph(settings, quiet=quiet) as graph:
        found = await foresee.foresee(graph, settings, pages)
        web = await crawled_web(graph) if orders else None
        settings = with_words(settings, await last_run(graph))
    if web is None:
        return found, ()

    def say(order: str) -> None:
        if not quiet:
            output.note(f"Crawling {words.count(len(web))} pages in memory by {order} …")

    mode = found.reward_mode
    return found, simulate.simulate(web, orders, settings, reward_mode=mode, on_order=say)


def _curves(harvests: "Iterable[Harvest]") -> Iterator[dict[str, Any]]:
    for harvest in harvests:
        for point in harvest.curve:
            yield {"order": harvest.order, **asdict(point)}


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


def _harvest_view(harvests: "Sequence[Harvest]") -> Iterable[RenderableType]:
    if not harvests:
        return
    shares = list(harvests[0].shares)
    most = max(harvest.worth for harvest in harvests) or 1.0
    size = max(harvest.pages for harvest in harvests)
    rows = [
        {"order": h.order, "auc": h.auc, "pages": h.pages}
        | {"half_feeds": h.half_feeds, "all_feeds": h.all_feeds}
        | {"curve": _bars(h, size, most)}
        | h.shares
        for h in harvests
    ]
    columns = [
        Column("order", style="cyan"),
        Column("auc", "area", show=lambda auc: f"{auc:.3f}", justify="right", style="bold"),
        *(
            Column(share, f"{100 * float(share):g} %", show=_percent, justify="right")
            for share in shares
        ),
        Column("half_feeds", "half the feeds", show=words.count, justify="right", spare=2),
        Column("all_feeds", "all", show=words.count, justify="right", spare=2),
        Column("pages", show=words.count, justify="right", spare=3),
        Column("curve", "worth by pages", spare=1),
    ]
    yield Text("\nShare of all worth after a share of the pages, by order", style="bold")
    yield output.table(rows, columns)


def _bars(harvest: "Harvest", pages: int, worth: float) -> str:
    """Draw a curve in a line: how much is found after each stretch of the pages."""
    bars, place = "", 0
    for number in range(1, _CURVE_CHARS + 1):
        until = number * pages / _CURVE_CHARS
        while place + 1 < len(harvest.curve) and harvest.curve[place + 1].pages <= until:
            place += 1
        bars += _BARS[round(harvest.curve[place].worth / worth * (len(_BARS) - 1))]
    return bars
