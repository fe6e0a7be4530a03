"""Reward: how it flows through the graph, and what is too poor to keep."""

from graphcrawl.rewards.change import ModeChange, change_mode, foresee_change
from graphcrawl.rewards.distribute import (
    DistributionReport,
    Forecast,
    choose_engine,
    distribute,
    expected_s,
    forecast,
)
from graphcrawl.rewards.keeping import Keeper, KeepReport
from graphcrawl.rewards.keeping import Limits as KeepLimits
from graphcrawl.rewards.mode import Mode, Standing, fix, grant_share, record_options, standing
from graphcrawl.rewards.prune import PrunePreview, PruneReport, UndoReport, preview, prune, undo
from graphcrawl.rewards.push import EPSILON, PushReport, push
from graphcrawl.rewards.steady import BESIDE_A_CRAWL
from graphcrawl.rewards.tombstones import Rule as TombstoneRule

__all__ = [
    "BESIDE_A_CRAWL",
    "EPSILON",
    "DistributionReport",
    "Forecast",
    "KeepLimits",
    "KeepReport",
    "Keeper",
    "Mode",
    "ModeChange",
    "PrunePreview",
    "PruneReport",
    "PushReport",
    "Standing",
    "TombstoneRule",
    "UndoReport",
    "change_mode",
    "choose_engine",
    "distribute",
    "expected_s",
    "fix",
    "forecast",
    "foresee_change",
    "grant_share",
    "preview",
    "prune",
    "push",
    "record_options",
    "standing",
    "undo",
]
