"""`graphcrawl explain`: why a page is where it is, and what would change that."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType
from rich.text import Text

from graphcrawl.cli import output, session, words
from graphcrawl.cli.output import Column, CsvFlag, Format, JsonFlag, JsonlFlag
from graphcrawl.cli.session import Session

if TYPE_CHECKING:
    from graphcrawl.config import Settings
    from graphcrawl.explain import Explanation
    from graphcrawl.judging import Score

_STEP_COLUMNS = (
    Column("by", style="cyan"),
    Column("depth", show=words.count, justify="right"),
    Column("url", "page", wide=True),
    Column("anchor", "text of the link", style="dim", wide=True, spare=1),
)
_GRANT_COLUMNS = (
    Column("points", show=words.points, justify="right", style="bold"),
    Column("rule", style="cyan"),
    Column("place", wide=True),
)
_NEIGHBOUR_COLUMNS = (
    Column("points", show=words.points, justify="right", style="bold"),
    Column("share", show=lambda share: f"{100 * share:.0f} %", justify="right"),
    Column("direction", "link", style="cyan"),
    Column("reward", "of its", show=words.points, justify="right", spare=1),
    Column("url", "neighbour", wide=True),
)
_PIECE_COLUMNS = (
    Column("part", show=words.points, justify="right", style="bold"),
    Column("value", show=words.points, justify="right"),
    Column("weight", show=words.points, justify="right"),
    Column("name", "evidence", style="cyan", wide=True),
)
_CHANGE_COLUMNS = (
    Column("difference", "changes it by", show=lambda d: f"{d:+.4g}", justify="right"),
    Column("score", "to", show=words.points, justify="right"),
    Column("what", "if there were", wide=True),
)
_REMEDY_COLUMNS = (
    Column("what", "what would change it", wide=True, folds=True),
    Column("command", "type", style="cyan", wide=True, folds=True),
)


def explain(
    context: typer.Context,
    url: Annotated[str, typer.Argument(metavar="URL", help="A page; the graph need not know it.")],
    *,
    neighbours: Annotated[
        int,
        typer.Option("--neighbours", "-n", min=0, help="How many that pass on reward are named."),
    ] = 10,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """Explain a page: its way from a seed, its reward, its score, and what would change it.

    Nothing is fetched and nothing written.

    Examples:
        graphcrawl explain https://example.org/jobs
        graphcrawl explain https://example.org/jobs --json
    """
    from graphcrawl.explain import read_url

    form = Format.chosen(as_json, as_jsonl, as_csv)
    here = Session.of(context)
    settings = here.settings()
    page_url = read_url(url)  # a wrong one is told before a server is started
    found = session.run(_explain(settings, page_url, neighbours, quiet=here.quiet))
    for warning in found.warnings:
        output.note(warning)
    output.emit_document(asdict(found), form, lambda: _view(found))


async def _explain(
    settings: "Settings", url: str, neighbours: int, *, quiet: bool
) -> "Explanation":
    from graphcrawl import explain

    async with session.open_graph(settings, quiet=quiet) as graph:
        return await explain.explain(graph, url, settings, neighbours=neighbours)


def _view(found: "Explanation") -> Iterable[RenderableType]:
    yield output.pairs({key: value for key, value in _summary(found) if value})
    if found.path:
        yield Text("\nHow the crawl came to it", style="bold")
        yield output.table([asdict(step) for step in found.path], _STEP_COLUMNS)
    if found.reward and found.reward.grants:
        yield Text("\nGranted", style="bold")
        yield output.table([asdict(grant) for grant in found.reward.grants], _GRANT_COLUMNS)
    if found.reward and found.reward.flow.named:
        yield Text("\nPassed on by neighbours, were reward to flow now", style="bold")
        rows = [asdict(neighbour) for neighbour in found.reward.flow.named]
        yield output.table(rows, _NEIGHBOUR_COLUMNS)
    if found.score and found.score.pieces:
        yield Text(f"\nEvidence, by the order {found.score.order}", style="bold")
        telling = [asdict(piece) for piece in found.score.pieces if piece.part]
        yield output.table(telling or [asdict(found.score.pieces[0])], _PIECE_COLUMNS)
    if found.score and found.score.changes:
        yield Text("\nThe score would be another one", style="bold")
        yield output.table([asdict(change) for change in found.score.changes], _CHANGE_COLUMNS)
    if found.remedies:
        yield Text("")
        yield output.table([asdict(remedy) for remedy in found.remedies], _REMEDY_COLUMNS)
    if found.similar:
        yield Text("\nKnown pages that begin alike", style="bold")
        for url in found.similar:
            yield Text(words.printable(url))


def _summary(found: "Explanation") -> Iterator[tuple[str, str | None]]:
    yield "page", found.url
    yield "state", _state_line(found)
    yield "why", found.error or found.reason
    yield "title", found.title
    yield "stands for it", found.alias_of
    if found.reward is not None:
        yield from _reward_lines(found)
    if found.score is not None:
        yield "score", _score_line(found.score)
    if found.place is not None:
        yield "queue", _place_line(found)


def _state_line(found: "Explanation") -> str:
    if not found.known:
        return "the graph does not know it"
    marks = [name for name in ("seed", "feed") if getattr(found, name)]
    at = found.fetched_at or found.discovered_at
    when = f", {'fetched' if found.fetched_at else 'found'} {at:%Y-%m-%d %H:%M} UTC" if at else ""
    return ", ".join([str(found.state or "known"), *marks]) + when


def _reward_lines(found: "Explanation") -> Iterator[tuple[str, str]]:
    reward = found.reward
    if reward is None:
        return
    n, flow = words.points, reward.flow
    parts = [f"{n(reward.granted)} granted", f"{n(reward.flowed)} by flow and birth"]
    if reward.handed_over:
        parts.insert(1, f"{n(reward.handed_over)} of aliases")
    yield "reward", f"{n(reward.now)} = {' + '.join(parts)}"
    others = f"; {n(flow.others)} from others" if flow.neighbours > len(flow.named) else ""
    yield (
        "after a flow",
        f"{n(flow.after)} = {n(flow.kept)} kept + {n(flow.received)} from "
        f"{words.count(flow.neighbours)} {'neighbour' if flow.neighbours == 1 else 'neighbours'}"
        f"{others}",
    )
    if reward.alias_urls:
        yield "stands for", "; ".join(reward.alias_urls)


def _score_line(score: "Score") -> str:
    line = f"{words.points(score.now)} by the order {score.order}"
    if score.kept is None:
        line += ", as if it waited"
    elif abs(score.kept - score.now) > 1e-9:
        line += f"; it waits by {words.points(score.kept)}"
    if score.lessons:
        line += f"; {words.count(score.lessons)} pages taught its weights"
    return line + (f"; quality: {score.quality}" if score.quality else "")


def _place_line(found: "Explanation") -> str | None:
    place = found.place
    if place is None:
        return None
    n = words.count
    delay = f", {words.duration(place.delay_s)} between two pages" if place.delay_s else ""
    return (
        f"{n(place.ahead)} pages of its host go before it, {n(place.hosts_ahead)} other hosts have "
        f"better ones; its host is {place.host_state or 'unknown'}{delay}"
    )
