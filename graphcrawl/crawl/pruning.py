"""Pruning beside a crawl, as the settings wish it."""

from collections.abc import Awaitable, Callable

from graphcrawl.config import Paths, Settings
from graphcrawl.crawl.plan import Beside
from graphcrawl.crawl.run_order import RunOrder
from graphcrawl.crawl.stats import Stats
from graphcrawl.graph import Graph
from graphcrawl.rewards.keeping import Keeper, Limits
from graphcrawl.rewards.tombstones import Rule

# Of wall time, for pruning and for distributions beside it: together a tenth.
SHARE, REST_SHARE = 0.04, 0.06
_EVERY_S = 0.1  # a call that has nothing to do takes microseconds


def limits_of(settings: Settings) -> Limits:
    """Return what the settings keep."""
    prune = settings.prune
    rule = Rule(prune.tombstones, prune.tombstone_time)
    return Limits(prune.below, prune.keep, prune.spare_distributions, prune.spare_time, rule)


def keeper_of(graph: Graph, settings: Settings, *, prune: bool) -> Keeper | None:
    """Return who prunes beside the crawl, if anybody."""
    if not prune:
        return None
    folder = Paths.locate(settings.home).archives
    return Keeper(graph, limits_of(settings), folder, share=SHARE)


def beside(keeper: Keeper | None) -> list[Beside]:
    """Return the work beside the crawl; the keeper itself sees to its share of time."""
    if keeper is None:
        return []
    return [Beside("prune", keeper.work, _EVERY_S, every_pages=0, expected_s=0.0, share=1.0)]


async def finish_all(
    order: RunOrder,
    revisit: Callable[[], Awaitable[object]],
    keeper: Keeper | None,
    stats: Stats,
) -> None:
    """End a run: keep what its order learned and its last readings teach, come to the size."""
    await order.finish()
    await revisit()
    await come_to_size(keeper, stats)


async def come_to_size(keeper: Keeper | None, stats: Stats) -> None:
    """Once nobody records any more: bring the graph near its size, unless the crawl was stopped."""
    if keeper and not stats.was_stopped:
        await keeper.finish()
