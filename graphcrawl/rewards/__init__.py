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
from graphcrawl.rewards.mode import Mode, Standing, fix, grant_share, record_options, standing
from graphcrawl.rewards.prune import PrunePreview, PruneReport, UndoReport, preview, prune, undo
from graphcrawl.rewards.push import EPSILON, PushReport, push
from graphcrawl.rewards.steady import BESIDE_A_CRAWL

__all__ = [
    "BESIDE_A_CRAWL",
    "EPSILON",
    "DistributionReport",
    "Forecast",
    "Mode",
    "ModeChange",
    "PrunePreview",
    "PruneReport",
    "PushReport",
    "Standing",
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
