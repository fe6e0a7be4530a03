"""Curves of a report: the share of targets found by the share of pages fetched.

All pages that are targets count, those that cannot be reached and each alias of a feed too; in the
figures of `measure` only what can be reached, and each feed once.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

SHOWN = {  # colours that people who are colour-blind can tell apart (Okabe and Ito, 2008)
    "composite": "#D55E00",
    "reward": "#0072B2",
    "topic": "#56B4E9",
    "batch-linear": "#009E73",
    "best-first": "#CC79A7",
    "shark": "#E69F00",
    "opic": "#999999",
    "bfs": "#666666",
    "oracle": "#000000",
}
_DASHED = frozenset({"oracle", "opic", "bfs"})


def plot(report: Mapping[str, Any], lengths: Mapping[str, float], file: Path) -> None:
    """Draw one panel for each kind of webs.

    Args:
        report: What `order.py --json` prints.
        lengths: Of kinds of webs, the share of the pages that was fetched; else a fifth.
        file: What to write, by its suffix.
    """
    import matplotlib  # noqa: PLC0415 - of the extra "analysis"

    matplotlib.use("Agg")
    from matplotlib import pyplot  # noqa: PLC0415
    from matplotlib.ticker import MultipleLocator, PercentFormatter  # noqa: PLC0415

    figure, panels = pyplot.subplots(
        1, len(report), figsize=(4.8 * len(report), 4.2), squeeze=False, layout="constrained"
    )
    for panel, (web, told) in zip(panels[0], report.items(), strict=True):
        for order, colour in SHOWN.items():
            if order not in told["orders"]:
                continue
            curve = [0.0, *told["orders"][order]["curve"]]
            last = lengths.get(web, 0.2)
            steps = [last * step / (len(curve) - 1) for step in range(len(curve))]
            panel.plot(
                steps,
                curve,
                color=colour,
                label=order,
                linewidth=2.6 if order == "composite" else 1.3,
                linestyle="--" if order in _DASHED else "-",
                zorder=3 if order == "composite" else 2,
            )
        panel.set_title(f"{web}, mean of {told['tasks']} tasks", fontsize=11)
        panel.set_xlabel("pages fetched, of all pages of the web")
        panel.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        panel.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        panel.xaxis.set_major_locator(MultipleLocator(lengths.get(web, 0.2) / 5))
        panel.set_xlim(0, lengths.get(web, 0.2))
        panel.set_ylim(0, 1.02)
        panel.grid(color="#dddddd", linewidth=0.6)
    panels[0][0].set_ylabel("pages that are targets, found of all")
    handles, labels = max(
        (panel.get_legend_handles_labels() for panel in panels[0]), key=lambda both: len(both[1])
    )
    figure.legend(handles, labels, loc="outside lower center", ncols=5, frameon=False)
    figure.savefig(file, dpi=110)
    pyplot.close(figure)
