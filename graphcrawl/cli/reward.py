"""`graphcrawl propagate` and `graphcrawl prune`."""

import shlex
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.console import RenderableType
from rich.text import Text

from graphcrawl.cli import output, session, words
from graphcrawl.cli.output import Column, CsvFlag, Format, JsonFlag, JsonlFlag
from graphcrawl.cli.session import Session
from graphcrawl.errors import UsageError
from graphcrawl.where import parse as parse_where

if TYPE_CHECKING:
    from graphcrawl.config import Settings
    from graphcrawl.rewards import (
        DistributionReport,
        Mode,
        ModeChange,
        PrunePreview,
        PruneReport,
        UndoReport,
    )
    from graphcrawl.where import Term

_SAMPLE = 5  # pages shown from either end of what would be pruned
_BY_STRENGTH = Column("by_strength", "by strength", show=words.points, justify="right")
_SAMPLE_COLUMNS = (
    Column("reward", show=words.points, justify="right", style="bold"),
    Column("url", "page", wide=True),
)


def propagate(
    context: typer.Context,
    *,
    iterations: Annotated[
        int, typer.Option("--iterations", "-k", min=1, help="How many times reward flows on.")
    ] = 1,
    distribute: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="What a page passes on. Default: 0.10."),
    ] = None,
    forget: Annotated[
        float | None, typer.Option(metavar="SHARE", help="What a page loses. Default: 0.10.")
    ] = None,
    engine: Annotated[
        Literal["auto", "gds", "cypher"] | None,
        typer.Option(help="Who computes. Default: auto, which is GDS where the server has it."),
    ] = None,
    mode: Annotated[
        Literal["neural", "steady"] | None,
        typer.Option(
            help="Change how reward flows in this graph, and compute all of it anew; shown only, "
            "unless --apply is given."
        ),
    ] = None,
    apply: Annotated[bool, typer.Option("--apply", help="Do change the mode.")] = False,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """Let reward flow along the axons, in both directions.

    In neural mode every page passes a share of its reward to the pages it is linked with, split by
    axon weight, and loses a share. With equal shares the total stays, but for pages without axons.
    In steady mode reward is brought to where it rests while what was granted is held against it.

    Examples:
        graphcrawl propagate
        graphcrawl propagate --iterations 5 --engine cypher --json
        graphcrawl propagate --mode steady --apply
    """
    form = Format.chosen(as_json, as_jsonl, as_csv)
    here = Session.of(context)
    if apply and mode is None:
        raise UsageError("--apply goes with --mode.", "graphcrawl propagate --mode steady --apply")
    settings = here.settings(
        reward={"distribute": distribute, "forget": forget, "engine": engine},
    )
    if mode is not None and not apply:
        change = session.run(_foresee_change(settings, mode, quiet=here.quiet))
        output.emit_document(asdict(change), form, lambda: [_change_view(change)])
        if form is Format.TABLE and not here.quiet:
            output.note("Nothing was changed. Do it: the same command with --apply")
        return
    report = session.run(_propagate(settings, iterations, mode, quiet=here.quiet))
    output.emit_document(asdict(report), form, lambda: [_distribution_view(report)])


def prune(
    context: typer.Context,
    *,
    below: Annotated[
        float | None,
        typer.Option(
            metavar="REWARD",
            min=0.0,
            help="Prune poorer pages. Default: 0.01; 0.02 in steady mode.",
        ),
    ] = None,
    keep: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Keep the N richest pages instead.")
    ] = None,
    apply: Annotated[bool, typer.Option("--apply", help="Do it; else only show it.")] = False,
    undo: Annotated[
        Path | None,
        typer.Option(metavar="ARCHIVE", help="Bring back what an archive holds."),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(metavar="FILTER", help="With --undo: only these, as in: pages --where."),
    ] = None,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """Show which poor pages would be deleted; delete them with --apply.

    What is deleted goes into a Parquet archive first, and --undo brings it back. Seeds, job feeds,
    pages being fetched and newborns are spared. A small tombstone stays of each page; the oldest go
    when there are many. In steady mode it is reward by strength that counts, with --keep too: what
    flows along one axon. The settings prune.keep and prune.below say what goes without options,
    here and in: graphcrawl crawl --prune

    Examples:
        graphcrawl prune --below 0.05
        graphcrawl prune --keep 100000 --apply
        graphcrawl prune --undo ARCHIVE.parquet --where "host=example.org"
    """
    form = Format.chosen(as_json, as_jsonl, as_csv)
    here = Session.of(context)
    if below is not None and keep is not None:
        raise UsageError("--below and --keep exclude each other.", "Leave one of them out.")
    if undo is not None and (apply or below is not None or keep is not None):
        raise UsageError("--undo stands alone.", "Leave --apply, --below and --keep out.")
    if where and undo is None:
        raise UsageError(
            "--where goes with --undo.",
            'graphcrawl prune --undo ARCHIVE.parquet --where "reward>1"',
        )
    terms = parse_where(where or ())
    settings = here.settings(prune={"below": below, "keep": keep})
    keep = None if below is not None else settings.prune.keep
    if undo is not None:
        restored = session.run(_undo(settings, undo, terms, quiet=here.quiet))
        output.emit_document(asdict(restored), form, lambda: [_undo_view(restored)])
    elif apply:
        report = session.run(_prune(settings, keep, quiet=here.quiet))
        output.emit_document(asdict(report), form, lambda: _prune_view(report, settings))
    else:
        found = session.run(_preview(settings, keep, quiet=here.quiet))
        output.emit_document(asdict(found), form, lambda: _preview_view(found))
        if form is Format.TABLE and found.neurons and not here.quiet:
            output.note("Nothing was deleted. Do it: the same command with --apply")


async def _propagate(
    settings: "Settings", iterations: int, mode: "Mode | None", *, quiet: bool
) -> "DistributionReport":
    from graphcrawl import rewards

    async with session.open_graph(settings, quiet=quiet) as graph:
        flow = {"iterations": iterations, **_flow(settings)}
        if mode is not None:
            return await rewards.change_mode(graph, mode, **flow)
        return await rewards.distribute(graph, **flow)


async def _foresee_change(settings: "Settings", mode: "Mode", *, quiet: bool) -> "ModeChange":
    from graphcrawl import rewards

    async with session.open_graph(settings, quiet=quiet) as graph:
        return await rewards.foresee_change(graph, mode, **_flow(settings))


def _flow(settings: "Settings") -> dict[str, Any]:
    reward = settings.reward
    return {
        "distribute": reward.distribute,
        "forget": reward.forget,
        "damping": reward.damping,
        "engine": reward.engine,
    }


async def _preview(settings: "Settings", keep: int | None, *, quiet: bool) -> "PrunePreview":
    from graphcrawl import rewards

    async with session.open_graph(settings, quiet=quiet) as graph:
        return await rewards.preview(graph, keep=keep, **_limits(settings))


async def _prune(settings: "Settings", keep: int | None, *, quiet: bool) -> "PruneReport":
    from graphcrawl import rewards
    from graphcrawl.config import Paths

    folder = Paths.locate(settings.home).archives
    async with session.open_graph(settings, quiet=quiet) as graph:
        return await rewards.prune(
            graph,
            keep=keep,
            archive_dir=folder,
            tombstone_rule=rewards.TombstoneRule(
                settings.prune.tombstones, settings.prune.tombstone_time
            ),
            **_limits(settings),
        )


async def _undo(
    settings: "Settings", archive: Path, where: "tuple[Term, ...]", *, quiet: bool
) -> "UndoReport":
    from graphcrawl import rewards

    async with session.open_graph(settings, quiet=quiet) as graph:
        return await rewards.undo(graph, archive, where)


def _limits(settings: "Settings") -> dict[str, Any]:
    return {
        "below": settings.prune.below,
        "spare_distributions": settings.prune.spare_distributions,
        "spare_s": settings.prune.spare_time,
    }


def _distribution_view(report: "DistributionReport") -> RenderableType:
    times = f"{words.times(report.iterations)} over {words.count(report.axons)} axons"
    flow = report.mode if report.damping is None else f"{report.mode}, damping {report.damping:g}"
    return output.pairs(
        {
            "mode": flow,
            "reward flowed": f"{times}, by {report.engine} ({report.why})",
            "neurons": words.count(report.neurons),
            "reward": f"{words.points(report.reward_before)} → {words.points(report.reward_after)}",
            "greatest change": f"{words.points(report.max_change)} on one page",
            "took": f"{words.duration(report.total_s)}: projecting "
            f"{words.duration(report.project_s)}, an iteration "
            f"{words.duration(report.iteration_s)}, writing {words.duration(report.write_s)}",
        }
    )


def _change_view(change: "ModeChange") -> RenderableType:
    now = change.now if change.is_fixed else f"{change.now} (no crawl has fixed it)"
    return output.pairs(
        {
            "mode": f"{now} → {change.mode}",
            "recomputed": f"the reward of {words.count(change.neurons)} neurons over "
            f"{words.count(change.axons)} axons, by {change.engine} ({change.why})",
            "takes about": words.duration(change.seconds),
        }
    )


def _preview_view(found: "PrunePreview") -> Iterable[RenderableType]:
    n = words.count
    what = "fewer than are to be kept" if found.below is None else f"below {found.below:.4g}"
    measure = "reward by strength" if found.by_strength else "reward"
    lines = {
        "would go": f"{n(found.neurons)} neurons with {n(found.axons)} axons ({measure} {what})",
        "spared": _spared(found.spared_by_reason),
    }
    columns = (_BY_STRENGTH, *_SAMPLE_COLUMNS) if found.by_strength else _SAMPLE_COLUMNS
    yield output.pairs(lines)
    for title, sample in (("The poorest", found.poorest), ("The richest of them", found.richest)):
        if sample:
            yield Text(f"\n{title}", style="bold")
            yield output.table([asdict(poor) for poor in sample[:_SAMPLE]], columns)


def _spared(by_reason: dict[str, int]) -> str:
    plural = {"seed": "seeds", "feed": "feeds", "leased": "being fetched", "newborn": "newborns"}
    plural["alias"] = "aliases"
    counted = [f"{words.count(n)} {plural.get(reason, reason)}" for reason, n in by_reason.items()]
    return ", ".join(counted) or "none of the poor"


def _prune_view(report: "PruneReport", settings: "Settings") -> Iterable[RenderableType]:
    n = words.count
    lines = {"pruned": f"{n(report.neurons)} neurons with {n(report.axons)} axons"}
    if report.changed:
        lines["kept"] = f"{n(report.changed)} that changed meanwhile"
    if report.archive is not None:
        lines["archive"] = str(report.archive)
        archive = shlex.quote(str(report.archive))
        lines["bring back"] = settings.command(f"prune --undo {archive}")
    if report.tombstones:
        lines["old tombstones"] = f"{n(report.tombstones)} gone"
    yield output.pairs(lines | {"took": words.duration(report.seconds)})


def _undo_view(report: "UndoReport") -> RenderableType:
    n = words.count
    return output.pairs(
        {
            "brought back": f"{n(report.neurons)} neurons with {n(report.axons)} axons",
            "already there": n(report.present),
            "not asked for": n(report.left_out),
            "took": words.duration(report.seconds),
        }
    )
