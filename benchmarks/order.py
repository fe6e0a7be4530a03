"""Which order finds what is wanted with few fetches, on recorded webs; see docs/ORDER.md.

    python benchmarks/order.py --json                         # the tiny web, in seconds
    python benchmarks/order.py --webs wikispeedia,docs,jobs --build --json > order.json
    python benchmarks/order.py --webs docs --orders composite,best-first --group tune
    python benchmarks/order.py --webs jobs --modes            # which flow of reward orders best
    python benchmarks/order.py --read order.json --plot order.png

Needs numpy and scipy. Data lie below --data; --build makes what is missing.
"""

import argparse
import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from ordering import data
from ordering.measure import paired, summary
from ordering.plot import plot
from ordering.run import ALL, Result, crawl
from ordering.twin import TaskWeb
from ordering.web import Task, Web

CACHE = Path(os.environ.get("GRAPHCRAWL_BENCH_CACHE", "~/.cache/graphcrawl-bench")).expanduser()
SHARED = Path(os.environ.get("GRAPHCRAWL_SHARED", Path(__file__).parents[2] / "shared"))
LENGTHS = {"wikispeedia": 0.5}  # share of the web that is fetched; else a fifth
COMPARED = (
    "auc50",
    "r_at_t",
    "share_at_1%",
    "share_at_2%",
    "share_at_5%",
    "share_at_10%",
    "share_at_20%",
)
MODES = [
    ("none", 100),
    *((flow, pages) for flow in ("neural", "neural-3", "steady") for pages in (20, 100, 500)),
]
_CURVE_POINTS = 100
_open: dict[str, TaskWeb] = {}


def main() -> None:
    options = _options()
    report: dict[str, object] = {}
    for file in options.read:
        report |= json.loads(file.read_text())
    if not options.read:
        report = _measured(options)
    if options.plot:
        plot(report, LENGTHS, options.plot)
    if options.json:
        print(json.dumps(report, indent=1))
    else:
        for name, told in report.items():
            _print(name, told)


def _measured(options: argparse.Namespace) -> dict[str, object]:
    folder, report = options.data, {}
    with ProcessPoolExecutor(options.processes) as pool:
        for name in options.webs:
            if options.build or name == "tiny":
                data.build(name, folder, options.cache, options.shared)
            rows = list(pool.map(_run, *zip(*_jobs(name, options), strict=True)))
            report[name] = _tell(rows, options.versus)
    return report


def _jobs(name: str, options: argparse.Namespace) -> Iterator[tuple[object, ...]]:
    """Yield what `_run` takes: one crawl each."""
    found = False
    for web, tasks in data.load(name, options.data, options.group if name != "tiny" else "all"):
        wanted = [task for task in tasks if not options.task or task.name in options.task]
        if wanted:  # processes are forked later, and share what is loaded
            _open[web.name] = TaskWeb(web, wanted[0])
        for task in wanted[: options.tasks or None]:
            for order in options.orders:
                flows = MODES if options.modes else [(options.flow, options.flow_pages)]
                for flow, pages in flows:
                    found = True
                    yield web.name, task.name, order, flow, pages, name, options.data, options.modes
    if not found:
        raise SystemExit(f"No recorded web {name!r} below {options.data}: give --build.")


def _run(
    web: str, task: str, order: str, flow: str, pages: int, kind: str, folder: Path, modes: bool
) -> dict[str, object]:
    place = folder / web
    if web + task not in _open:
        loaded = next((open_.web for key, open_ in _open.items() if key.startswith(web)), None)
        _open.clear()
        _open[web + task] = TaskWeb(
            loaded or Web.load(place / "web.npz"), Task.load(place / "tasks" / f"{task}.npz")
        )
    tasked = _open[web + task]
    limit = int(len(tasked) * LENGTHS.get(kind, 0.2)) + 1
    result = crawl(tasked, order, limit, flow, **({"flow_pages": pages}))
    print(f"{task} {order} {flow} {pages}: {result.seconds:.1f} s", file=sys.stderr, flush=True)
    label = f"{order} {flow} {pages}" if modes else order
    return {
        "order": label,
        "task": task,
        "figures": result.figures,
        "curve": _curve(tasked, result),
        "pages_per_s": round(len(result.done) / max(result.seconds, 1e-9)),
    }


def _curve(web: TaskWeb, result: Result) -> list[float]:
    """Return the share of targets found at a hundred even steps of what was fetched."""
    total = max(int(web.task.target.sum()), 1)
    hits, found = [], 0
    for page in result.done:
        found += bool(web.task.target[page])
        hits.append(found / total)
    return [
        round(hits[max(0, len(hits) * step // _CURVE_POINTS - 1)], 4)
        for step in range(1, _CURVE_POINTS + 1)
    ]


def _tell(rows: list[dict], versus: str) -> dict[str, object]:
    by_order: dict[str, list[dict]] = defaultdict(list)
    for row in rows:
        by_order[row["order"]].append(row)
    told: dict[str, object] = {"tasks": len({row["task"] for row in rows}), "orders": {}}
    ours = by_order.get(versus, [])
    for order, own in by_order.items():
        entry: dict[str, object] = {"figures": summary([row["figures"] for row in own])}
        entry["pages_per_s"] = round(sum(row["pages_per_s"] for row in own) / len(own))
        curves = [row["curve"] for row in own]
        entry["curve"] = [round(sum(step) / len(step), 4) for step in zip(*curves, strict=True)]
        entry["by_task"] = {row["task"]: row["figures"] for row in own}
        if ours and order != versus:
            entry[f"{versus}_against_it"] = {
                figure: paired(
                    [row["figures"][figure] for row in ours],
                    [row["figures"][figure] for row in own],
                )
                for figure in COMPARED
                if all(figure in row["figures"] for row in (*ours, *own))
            }
        told["orders"][order] = entry  # type: ignore[index]
    return told


def _print(name: str, told: object) -> None:
    print(f"\n{name}: {told['tasks']} tasks")  # type: ignore[index]
    for order, entry in told["orders"].items():  # type: ignore[index]
        figures = entry["figures"]
        shown = [f"{key} {figures[key]['mean']:.3f}" for key in COMPARED if key in figures]
        print(f"  {order:24s}", "  ".join(shown))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    listed = lambda known: lambda text: _known(text, known)  # noqa: E731
    parser.add_argument("--webs", type=listed(data.WEBS), default=("tiny",))
    parser.add_argument("--orders", type=listed(ALL), default=ALL)
    parser.add_argument("--group", choices=("tune", "report", "all"), default="report")
    parser.add_argument("--tasks", type=int, default=0, help="of each web at most; 0: all")
    parser.add_argument("--task", action="append", default=[], help="of this name; all: none given")
    parser.add_argument(
        "--flow", choices=("none", "neural", "neural-3", "steady"), default="neural"
    )
    parser.add_argument("--flow-pages", type=int, default=100, help="between two distributions")
    parser.add_argument("--modes", action="store_true", help="each flow at each interval")
    parser.add_argument("--versus", default="composite", help="order that is tested against others")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--data", type=Path, default=CACHE / "webs")
    parser.add_argument("--cache", type=Path, default=CACHE / "parts")
    parser.add_argument("--shared", type=Path, default=SHARED)
    parser.add_argument("--build", action="store_true", help="make the webs that are missing")
    parser.add_argument(
        "--read", type=Path, nargs="*", default=(), help="reports to show, nothing is crawled"
    )
    parser.add_argument("--plot", type=Path, help="draw the curves; needs the extra analysis")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def _known(text: str, known: tuple[str, ...]) -> tuple[str, ...]:
    wanted = tuple(text.split(","))
    if strange := [name for name in wanted if name not in known]:
        raise argparse.ArgumentTypeError(f"unknown: {strange[0]}; known: {', '.join(known)}")
    return wanted


if __name__ == "__main__":
    main()
