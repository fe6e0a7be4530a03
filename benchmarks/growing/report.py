"""The figures of several sizes as a table and as a plot."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

Row = dict[str, Any]

KEYS = {  # what is measured: how a table names it
    "axons": "axons",
    "record_pages_per_s": "recording, pages/s of 50 links",
    "claim_ms_median": "claim of 64 pages, ms, median",
    "claim_ms_p95": "… 95 % of them within",
    "claim_loaded_ms_p95": "… beside a recorder without rest",
    "propagate1_s": "reward, 1 iteration, s",
    "propagate10_s": "reward, 10 iterations, s",
    "local_update_ms": "reward of 100 pages' grants, ms",
    "prune_per_s": "pruning, neurons/s",
    "restart_s": "first claim after kill -9, s",
    "python_rss_mib": "memory of Python, MiB",
    "server_rss_mib": "memory of the server, MiB",
    "store_bytes": "store, MiB",
    "store_bytes_after_prune": "… after half was pruned",
}
_PLOTTED = (
    (("record_pages_per_s", "prune_per_s"), "per second"),
    (("claim_ms_median", "claim_ms_p95", "claim_loaded_ms_p95", "local_update_ms"), "ms"),
    (("propagate1_s", "propagate10_s", "restart_s"), "s"),
    (("python_rss_mib", "server_rss_mib", "store_bytes", "store_bytes_after_prune"), "MiB"),
)
_MIB = 2**20


def markdown(rows: Sequence[Row]) -> str:
    """Return a table: one column a size, a dash where nothing was measured."""
    rows = sorted(rows, key=lambda row: row["neurons"])
    lines = ["| neurons | " + " | ".join(f"{row['neurons']:,}" for row in rows) + " |"]
    lines.append("|---" * (len(rows) + 1) + "|")
    for key, name in KEYS.items():
        lines.append(f"| {name} | " + " | ".join(_shown(value(row, key)) for row in rows) + " |")
    return "\n".join(lines)


def plot(rows: Sequence[Row], path: Path) -> None:
    """Draw each figure against the number of neurons, both on scales of powers of ten."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - only to plot

    rows = sorted(rows, key=lambda row: row["neurons"])
    figure = Figure(figsize=(11, 7), layout="constrained")
    for axes, (keys, unit) in zip(figure.subplots(2, 2).flat, _PLOTTED, strict=True):
        for key in keys:
            points = [(row["neurons"], value(row, key)) for row in rows]
            points = [point for point in points if point[1] is not None]
            if points:
                axes.plot(*zip(*points, strict=True), marker="o", label=KEYS[key].strip("… "))
        axes.set(xscale="log", yscale="log", xlabel="neurons", ylabel=unit)
        axes.grid(visible=True, alpha=0.3)
        axes.legend(fontsize=8)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=100)


def value(row: Row, key: str) -> float | None:
    """Return a figure in the unit of the table; None where it was not measured."""
    found = row.get(key)
    return found / _MIB if found is not None and key.startswith("store_bytes") else found


def _shown(found: float | None) -> str:
    if found is None:
        return "–"
    return f"{found:,.0f}" if found >= 100 or float(found).is_integer() else f"{found:.1f}"
