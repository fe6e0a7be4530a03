"""Reward: how it flows through the graph, and what is too poor to keep."""

from graphcrawl.rewards.distribute import (
    DistributionReport,
    Forecast,
    choose_engine,
    distribute,
    expected_s,
    forecast,
)
from graphcrawl.rewards.prune import PrunePreview, PruneReport, UndoReport, preview, prune, undo

__all__ = [
    "DistributionReport",
    "Forecast",
    "PrunePreview",
    "PruneReport",
    "UndoReport",
    "choose_engine",
    "distribute",
    "expected_s",
    "forecast",
    "preview",
    "prune",
    "undo",
]
