"""Reward: how it flows through the graph, and what is too poor to keep."""

from graphcrawl.rewards.distribute import (
    DistributionReport,
    choose_engine,
    distribute,
    expected_s,
)
from graphcrawl.rewards.prune import PrunePreview, PruneReport, UndoReport, preview, prune, undo

__all__ = [
    "DistributionReport",
    "PrunePreview",
    "PruneReport",
    "UndoReport",
    "choose_engine",
    "distribute",
    "expected_s",
    "preview",
    "prune",
    "undo",
]
