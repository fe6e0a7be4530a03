"""Deletes neurons whose reward is too low, after archiving them, and brings them back.

A pruned neuron stays as a tombstone that knows its URL and when it was fetched, so that it is not
fetched again at once when a link to it turns up. Seeds, leased pages, feeds, aliases of what stays,
and waiting newborns are spared. Tombstones go in time (`tombstones`). Source: [000.prune].

In steady mode it is reward by strength that counts, where the strength is more than 1. Raw reward
gathers where axons do; by strength it is what flows along one axon, and no push leaves it wrong by
more than ε / (1 - δ), whatever the neuron. With less strength than 1 it is reward itself: else a
page that nothing but a weak link leads to would be worth as much as one with a good link.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from graphcrawl.errors import UsageError
from graphcrawl.forgotten import keys_of_urls, leads_there
from graphcrawl.graph import Graph, Row, Transaction
from graphcrawl.passes import passes
from graphcrawl.rewards import archive as archives
from graphcrawl.rewards import tombstones
from graphcrawl.rewards.archiving import archive_poor
from graphcrawl.rewards.mode import Mode, standing
from graphcrawl.rewards.spread import richest_but
from graphcrawl.steady_rows import granted
from graphcrawl.uncancelled import uncancelled
from graphcrawl.where import Term

BELOW: Final[dict[Mode, float]] = {  # the reward under which neurons go, unless another is wished
    "neural": 0.01,
    "steady": 0.02,  # by strength; what a push may be wrong by: ε / (1 - δ) as they are by default
}
REFRESH_HOSTS = "frontier/refresh_hosts"
_AXON = "LINK_AXON"


@dataclass(frozen=True, slots=True)
class Poor:
    """One neuron that would go."""

    url: str
    reward: float
    by_strength: float | None = None  # reward by strength, which counts in steady mode


@dataclass(frozen=True, slots=True)
class PrunePreview:
    """What pruning would do now."""

    below: float | None  # the reward under which neurons go; None: fewer than are to be kept
    by_strength: bool  # in steady mode that is reward by strength
    neurons: int
    axons: int
    spared_by_reason: dict[str, int]  # poor neurons that stay: seed, leased, feed, alias, newborn
    poorest: tuple[Poor, ...]  # a sample of those that would go, the poorest first
    richest: tuple[Poor, ...]  # and of those that would just go, the richest first


@dataclass(frozen=True, slots=True)
class PruneReport:
    """What pruning did."""

    below: float | None
    neurons: int  # turned into tombstones
    axons: int
    changed: int  # archived, but kept: they changed meanwhile
    archive: Path | None  # None where nothing was to go
    tombstones: int  # old ones that went
    seconds: float


@dataclass(frozen=True, slots=True)
class UndoReport:
    """What undoing brought back."""

    neurons: int
    axons: int
    present: int  # archived neurons that are in the graph already
    left_out: int  # archived neurons that the filter does not let pass
    seconds: float


async def preview(
    graph: Graph,
    *,
    below: float | None = None,
    keep: int | None = None,
    spare_distributions: int = 3,
    spare_s: float = 86400.0,
) -> PrunePreview:
    """Say what `prune` with the same arguments would do now, and change nothing.

    Args:
        graph: An open connection to a prepared graph.
        below: Neurons with less reward go, in steady mode with less reward by strength. None: what
            `BELOW` says of the mode.
        keep: Instead of `below`: how many of the richest stay, at least 1. More where rewards tie.
        spare_distributions: A waiting newborn stays until it has lived through so many.
        spare_s: And at most this long, in seconds.

    Raises:
        UsageError: An argument is out of range.
        Neo4jError: The server cannot be reached or refuses.
    """
    limits = await _limits(graph, below, keep, spare_distributions, spare_s)
    rows = await graph.run("prune/preview", **limits) if limits else []
    spared = {row["spared"]: row["neurons"] for row in rows if row["spared"]}
    goes = next((row for row in rows if row["spared"] is None), None)
    return PrunePreview(
        below=limits.get("below"),
        by_strength=await by_strength(graph),
        neurons=goes["neurons"] if goes else 0,
        axons=goes["axons"] if goes else 0,
        spared_by_reason=spared,
        poorest=_sample(goes, "poorest"),
        richest=_sample(goes, "richest"),
    )


async def prune(
    graph: Graph,
    *,
    archive_dir: Path,
    below: float | None = None,
    keep: int | None = None,
    spare_distributions: int = 3,
    spare_s: float = 86400.0,
    tombstone_rule: tombstones.Rule = tombstones.DEFAULT,
) -> PruneReport:
    """Archive poor neurons, then delete what the archive holds, in batches beside a running crawl.

    A neuron that was leased, granted reward, fetched or linked to after it was archived is kept.
    Cut short at any point, the graph is whole and the archive holds all that was deleted.

    Args:
        graph: An open connection to a prepared graph.
        archive_dir: Folder for the archive; made when missing.
        below: As for `preview`.
        keep: As for `preview`.
        spare_distributions: As for `preview`.
        spare_s: As for `preview`.
        tombstone_rule: Which tombstones go, when all is done.

    Raises:
        UsageError: An argument is out of range.
        GraphcrawlError: The archive cannot be written; nothing was deleted.
        Neo4jError: The server cannot be reached or refuses.
    """
    started = time.perf_counter()
    limits = await _limits(graph, below, keep, spare_distributions, spare_s)
    ids = await poor(graph, limits) if limits else []
    archived = await archive_poor(graph, archive_dir, ids, limits)
    neurons = axons = 0
    for batch in archived.batches() if archived else ():
        done = await delete(graph, batch, limits["below"], limits["byStrength"])
        neurons += done["neurons"]
        axons += done["axons"]
    if archived:
        await graph.run(REFRESH_HOSTS)
    removed = 0
    while some := await tombstones.remove_some(graph, tombstone_rule, keep=keep):
        removed += some
    return PruneReport(
        below=limits.get("below"),
        neurons=neurons,
        axons=axons,
        changed=(archived.neurons if archived else 0) - neurons,
        archive=archived.path if archived else None,
        tombstones=removed,
        seconds=time.perf_counter() - started,
    )


async def by_strength(graph: Graph) -> bool:
    """Tell whether reward by strength counts in a graph."""
    return (await standing(graph)).mode == "steady"


async def poor(graph: Graph, limits: Row) -> list[int]:
    """Return the nodes that would go.

    Args:
        graph: An open connection.
        limits: Parameters of `prune/poor`.
    """
    ids: list[int] = (await graph.run("prune/poor", **limits))[0]["ids"]
    return ids


async def delete(
    graph: Graph,
    known: list[list[Any]],
    below: float,
    by_strength: bool,
    *,
    least: int = 0,
    now_ms: int | None = None,
) -> Row:
    """Turn archived neurons into tombstones that are still as they were archived.

    Args:
        graph: An open connection.
        known: A batch of `Archived.batches`.
        below: The reward under which they go.
        by_strength: Whether that is reward by strength.
        least: How many neurons are to be left alive, whoever else prunes meanwhile.
        now_ms: Milliseconds since 1970; None: now.

    Returns:
        `neurons` and `axons` that are gone.
    """
    limits = {"below": below, "byStrength": by_strength, "least": least, "nowMs": now_ms}
    return (await uncancelled(graph.run("prune/delete", rows=known, **limits)))[0]


async def undo(graph: Graph, archive: Path, where: Sequence[Term] = ()) -> UndoReport:
    """Bring back the neurons, texts and axons of an archive; once more changes nothing.

    A neuron that was born again meanwhile stays as it is. An axon whose other end is still pruned
    comes with the archive of that end, or when this archive is brought back once more.

    Args:
        graph: An open connection to the graph that the archive was taken from.
        archive: A file that `prune` wrote.
        where: Which of its neurons come back: those for which, as they were, all terms hold.

    Raises:
        UsageError: The archive is missing, damaged, of a newer version or of another graph.
        Neo4jError: The server cannot be reached or refuses.
    """
    started = time.perf_counter()
    source = archives.check(archive)
    name = (await graph.run("schema/meta"))[0]["graph"]
    if source != name:
        raise UsageError(
            f"{archive} was taken from the graph {source!r}, not {name!r}.",
            f"graphcrawl prune --graph {source} --undo {archive}",
        )
    rows = neurons = axons = left_out = 0
    for batch in archives.read(archive):
        chosen = [row for row in batch if passes(where, row["labels"], row["properties"])]
        left_out += len(batch) - len(chosen)
        restored = await uncancelled(_restore(graph, chosen)) if chosen else (0, 0)
        rows += len(chosen)
        neurons += restored[0]
        axons += restored[1]
    await graph.run(REFRESH_HOSTS)
    took_s = time.perf_counter() - started
    return UndoReport(neurons, axons, rows - neurons, left_out, took_s)


def _sample(goes: Row | None, which: str) -> tuple[Poor, ...]:
    rows = goes[which] if goes else ()
    return tuple(Poor(row["url"], row["reward"], row["byStrength"]) for row in rows)


async def _restore(graph: Graph, batch: list[Row]) -> tuple[int, int]:
    async def work(tx: Transaction) -> tuple[int, int]:
        gate = (await tx.run("write/gate"))[0]
        archived = await _without_forgotten(tx, batch) if gate["forgets"] else batch
        rows = [
            {key: row[key] for key in ("url", "labels", "properties", "text")} for row in archived
        ]
        found = {
            (_type(axon), axon["source"], axon["target"]): axon
            for row in archived
            for axon in row["axons"]
        }
        axons = [axon for axon in found.values() if _type(axon) == _AXON]
        others = [axon for axon in found.values() if _type(axon) != _AXON]
        neurons = await tx.run("prune/restore_neurons", rows=rows)
        await granted(tx, gate["damping"], {row["url"] for row in rows})
        restored = await tx.run("prune/restore_axons", axons=axons)
        if others:
            await tx.run("prune/restore_alias_axons", axons=others)
        return neurons[0]["neurons"], restored[0]["axons"]

    return await graph.transact(work)


async def _without_forgotten(tx: Transaction, batch: list[Row]) -> list[Row]:
    """Leave out pages that were forgotten on request: a copy of an archive may hold them still."""
    found = await tx.run("write/forgotten", keys=list(keys_of_urls(row["url"] for row in batch)))
    keys = {row["key"] for row in found}
    return [row for row in batch if not leads_there(row["url"], keys)]


def _type(axon: Row) -> str:
    """Return the type of an archived relationship; older archives hold axons alone."""
    kind: str = axon.get("type", _AXON)
    return kind


async def _limits(
    graph: Graph, below: float | None, keep: int | None, spare_distributions: int, spare_s: float
) -> Row:
    """Return the parameters that say what goes; empty where fewer neurons exist than are kept."""
    if (
        (below is not None and math.isnan(below))
        or (keep is not None and keep < 1)
        or min(spare_distributions, spare_s) < 0
    ):
        raise UsageError(
            "Cannot tell what to prune from these limits.",
            "Give --below REWARD or --keep N with N at least 1; times and counts are not negative.",
        )
    mode = (await standing(graph)).mode
    if below is None:
        below = BELOW[mode]
    if keep is not None:
        found = await richest_but(graph, keep, by_strength=mode == "steady")
        if found is None:
            return {}
        below = found
    return {
        "below": below,
        "byStrength": mode == "steady",
        "spareDistributions": spare_distributions,
        "spareMs": round(spare_s * 1000),
    }
