"""Plots of the frames of `graphcrawl.analysis`, by matplotlib. Each draws into one pair of axes.

from graphcrawl import analysis, plots

plots.harvest(await analysis.harvest(graph))
"""

from typing import TYPE_CHECKING, Any

from graphcrawl.errors import UsageError
from graphcrawl.layout import spring_layout

try:
    import matplotlib.pyplot as plt
    from matplotlib.ticker import FuncFormatter, MaxNLocator, PercentFormatter
except ImportError as error:
    raise UsageError(
        "Plots need matplotlib, which is not installed.", 'pip install "graphcrawl[notebooks]"'
    ) from error

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

SIZE_INCHES = (7.5, 4.0)
# Colours that people with any sight tell apart. Source: Okabe and Ito, "Color Universal Design".
BLUE, ORANGE, GREEN, RED, GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#999999"
STATE_COLOURS = {
    "seed": ORANGE,
    "feed": GREEN,
    "fetched": BLUE,
    "waiting": "#C9DDEC",
    "other": GREY,
}
_LABELLED = 12  # pages of a neighbourhood whose names are written
_NAME_CHARS = 28
_BEST_HOSTS = 15


def harvest(frame: "pd.DataFrame", axes: "Axes | None" = None) -> "Axes":
    """Plot how much a crawl found after how many pages, from `analysis.harvest`.

    The dashed line is a crawl that finds the same, evenly.
    """
    ax = _axes(axes, "What the crawl found", "pages fetched", "worth found, in pages")
    if frame.empty:
        return _nothing(ax)
    pages, worth = [0, *frame["number"]], [0.0, *frame["worth_so_far"]]
    ax.plot(pages, worth, color=BLUE, linewidth=2, label="found")
    ax.plot([0, pages[-1]], [0, worth[-1]], color=GREY, linestyle="--", label="evenly")
    feeds = frame[frame["feed"]]
    ax.scatter(feeds["number"], feeds["worth_so_far"], color=GREEN, zorder=3, label="a job feed")
    ax.set_xlim(0, pages[-1])
    ax.set_ylim(0, 1.05 * (worth[-1] or 1.0))
    ax.legend(loc="lower right")
    return ax


def orders(frame: "pd.DataFrame", axes: "Axes | None" = None) -> "Axes":
    """Plot how soon each order finds what was found, from `analysis.orders`."""
    ax = _axes(axes, "How soon each order would have found it", "pages fetched", "worth found")
    if frame.empty:
        return _nothing(ax)
    colours = iter((BLUE, GREEN, ORANGE, RED, "#CC79A7", "#56B4E9", "#F0E442", "#000000"))
    ax.plot([0, 1], [0, 1], color=GREY, linestyle="--", linewidth=1)
    for name, curve in frame.groupby("order", sort=False):
        real = name == "as crawled"
        ax.plot(
            curve["share_of_pages"],
            curve["share_of_worth"],
            color="black" if real else next(colours, GREY),
            linewidth=2.5 if real else 1.7,
            label=f"{name} ({curve['auc'].iloc[0]:.2f})",
        )
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1.02)
    ax.xaxis.set_major_formatter(PercentFormatter(1))
    ax.yaxis.set_major_formatter(PercentFormatter(1))
    ax.legend(title="order (area below)", loc="lower right")
    return ax


def reward_by_hop(frame: "pd.DataFrame", axes: "Axes | None" = None) -> "Axes":
    """Plot the mean reward of a page by its distance from a seed, from `analysis.depths`.

    Above each bar stands how many pages it is the mean of.
    """
    ax = _axes(axes, "Reward by distance from a seed", "links from a seed", "points a page")
    if frame.empty:
        return _nothing(ax)
    bars = ax.bar(frame["depth"].astype(int), frame["mean_reward"], color=BLUE)
    labels = [
        f"{pages:,} pages" + (f"\n{feeds} feeds" if feeds else "")
        for pages, feeds in zip(frame["pages"], frame["feeds"], strict=True)
    ]
    ax.bar_label(bars, labels=labels, fontsize=8, padding=2)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.margins(y=0.2)
    return ax


def rewards(frame: "pd.DataFrame", axes: "Axes | None" = None) -> "Axes":
    """Plot how many pages have how much reward, from `analysis.reward_bins`."""
    ax = _axes(axes, "How reward is distributed", "reward of a page, points", "pages")
    binned = frame.dropna(subset=["from_reward"])
    if binned.empty:
        return _nothing(ax)
    counts = binned.pivot_table(
        index=["from_reward", "to_reward"], columns="state", values="pages", aggfunc="sum"
    ).fillna(0.0)
    least = counts.index.get_level_values("from_reward").to_numpy(dtype=float)
    width = counts.index.get_level_values("to_reward").to_numpy(dtype=float) - least
    below = 0.0 * least
    for state in ("waiting", "other", "fetched", "feed"):
        if state in counts:
            here = counts[state].to_numpy(dtype=float)
            colour = STATE_COLOURS[state]
            ax.bar(
                least, here, width, bottom=below, align="edge", color=colour, label=state,
                edgecolor="white", linewidth=0.5,
            )  # fmt: skip
            below = below + here
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.legend()
    return ax


def degrees(frame: "pd.DataFrame", axes: "Axes | None" = None) -> "Axes":
    """Plot the share of pages with at least so many axons, in and out, from `analysis.degrees`."""
    ax = _axes(axes, "How many axons pages have", "axons of a page, at least", "share of pages")
    if frame.empty:
        return _nothing(ax)
    for direction, colour, name in (("in", BLUE, "arriving"), ("out", ORANGE, "leaving")):
        side = frame[frame["direction"] == direction].sort_values("degree", ascending=False)
        share = side["pages"].cumsum() / max(1, side["pages"].sum())
        degree = side["degree"].astype(float)
        shown = degree > 0
        ax.plot(degree[shown], share[shown], "o-", markersize=3, color=colour, label=name)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g} %"))
    ax.legend()
    return ax


def hosts(frame: "pd.DataFrame", axes: "Axes | None" = None) -> "Axes":
    """Plot what the best hosts gave against what they cost, from `analysis.hosts`."""
    ax = _axes(axes, "What hosts gave and cost", "points granted", "")
    best = frame[frame["fetched"] > 0].head(_BEST_HOSTS).iloc[::-1]
    if best.empty:
        return _nothing(ax)
    bars = ax.barh(range(len(best)), best["granted"], color=BLUE)
    ax.set_yticks(range(len(best)), [_short(host) for host in best["host"]], fontsize=8)
    ax.bar_label(bars, labels=[f" {n} pages" for n in best["fetched"]], fontsize=8)
    ax.margins(x=0.15)
    return ax


def pruning(frame: "pd.DataFrame", axes: "Axes | None" = None) -> "Axes":
    """Plot what would go at which threshold, from `analysis.prune_previews`."""
    ax = _axes(axes, "What pruning would do", "pages with less reward than … points go", "pages")
    if frame.empty:
        return _nothing(ax)
    places = range(len(frame))
    kept = frame["stays"] - frame["spared"]
    ax.bar(places, kept, color=BLUE, label="rich enough")
    ax.bar(places, frame["spared"], bottom=kept, color="#C9DDEC", label="poor, but spared")
    ax.bar(places, frame["goes"], bottom=frame["stays"], color=RED, label="would go")
    ax.set_xticks(places, [f"{below:g}" for below in frame["below"]])
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=3, frameon=False)
    return ax


def neighbourhood(
    pages: "pd.DataFrame", axons: "pd.DataFrame", axes: "Axes | None" = None
) -> "Axes":
    """Draw pages and the axons between them, from `analysis.neighbourhood`.

    The area of a page grows with its reward; the names of the richest are written.
    """
    ax = _axes(axes, "", "", "", inches=(7.5, 6.5))
    if pages.empty:
        return _nothing(ax)
    place = {url: number for number, url in enumerate(pages["url"])}
    pairs = [(place[s], place[t]) for s, t in zip(axons["source"], axons["target"], strict=True)]
    spots = spring_layout(len(place), pairs)
    for source, target in pairs:
        ax.annotate(
            "", xy=spots[target], xytext=spots[source], zorder=1,
            arrowprops={"arrowstyle": "-|>", "color": "#BBBBBB", "linewidth": 0.7, "shrinkB": 6},
        )  # fmt: skip
    reward = pages["reward"].fillna(0.0).clip(lower=0.0)
    areas = 40 + 500 * (reward / (reward.max() or 1.0)) ** 0.5
    kinds = [_kind(row) for row in pages.to_dict("records")]
    for kind, colour in STATE_COLOURS.items():
        here = [number for number, k in enumerate(kinds) if k == kind]
        if here:
            ax.scatter(
                spots[here, 0], spots[here, 1], s=areas.iloc[here], c=colour, label=kind,
                edgecolors="white", linewidths=1, zorder=2,
            )  # fmt: skip
    named = reward.sort_values(ascending=False).index[:_LABELLED].union([pages.index[0]])
    for number in named:
        ax.annotate(
            _short(_name(pages.loc[number])), spots[pages.index.get_loc(number)],
            xytext=(0, 9), textcoords="offset points", ha="center", fontsize=7, zorder=4,
            bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "alpha": 0.7, "linewidth": 0},
        )  # fmt: skip
    ax.set_title(f"{len(pages)} pages around {_short(_name(pages.iloc[0]))}")
    ax.set_axis_off()
    ax.margins(0.12)
    legend = ax.legend(loc="upper left", fontsize=8, frameon=False)
    for handle in legend.legend_handles:
        if handle is not None:
            handle.set_sizes([50])  # type: ignore[attr-defined]
    return ax


def network(pages: "pd.DataFrame", axons: "pd.DataFrame") -> Any:
    """Show a neighbourhood to zoom and drag, by neo4j-viz; without it, draw it by matplotlib.

    `pip install "graphcrawl[viz]"` brings neo4j-viz, which has a licence of its own.
    """
    try:
        from neo4j_viz import Node, Relationship, VisualizationGraph  # noqa: PLC0415 - optional
    except ImportError:
        return neighbourhood(pages, axons)
    reward = pages["reward"].fillna(0.0).clip(lower=0.0)
    sizes = 10 + 40 * (reward / (reward.max() or 1.0)) ** 0.5
    nodes = [
        Node(
            id=row["url"], caption=_short(_name(row)), size=float(size),
            color=STATE_COLOURS[_kind(row)],
            properties={"url": row["url"], "reward": float(points)},
        )
        for row, size, points in zip(pages.to_dict("records"), sizes, reward, strict=True)
    ]  # fmt: skip
    links = [
        Relationship(id=str(number), source=row["source"], target=row["target"])
        for number, row in enumerate(axons.to_dict("records"))
    ]
    return VisualizationGraph(nodes=nodes, relationships=links).render()


def _axes(
    axes: "Axes | None",
    title: str,
    x: str,
    y: str,
    inches: tuple[float, float] = SIZE_INCHES,
) -> "Axes":
    ax = axes if axes is not None else plt.subplots(figsize=inches, layout="constrained")[1]
    ax.set_title(title)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _nothing(ax: "Axes") -> "Axes":
    ax.text(0.5, 0.5, "nothing to show yet", ha="center", transform=ax.transAxes, color=GREY)
    return ax


def _kind(row: Any) -> str:
    if row["seed"]:
        return "seed"
    if row["feed"]:
        return "feed"
    state = row["state"]
    return (
        state if state == "fetched" else "waiting" if state in ("frontier", "leased") else "other"
    )


def _name(row: Any) -> str:
    title, url = row["title"], str(row["url"])
    return title if isinstance(title, str) and title else url.partition("://")[2]


def _short(text: str) -> str:
    text = text.replace("$", r"\$")  # matplotlib would read mathematics
    return text if len(text) <= _NAME_CHARS else text[: _NAME_CHARS - 1] + "…"
