"""Where recorded webs lie, and how they are built."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from ordering import docs, jobs, wikispeedia
from ordering.web import Task, Web, reachable, record_links

WEBS = ("tiny", "wikispeedia", "docs", "jobs", "cnr")


def build(name: str, folder: Path, cache: Path, shared: Path) -> None:
    """Build a kind of webs where it is not there yet.

    Args:
        name: One of `WEBS`.
        folder: Of the recorded webs.
        cache: For what they are made of.
        shared: With the peers' data sets.
    """
    if name == "wikispeedia" and not (folder / name / "web.npz").exists():
        html = cache / "wiki"
        if not (html / "pages.json").exists():
            script, source = shared / "race/build_wikiweb.py", shared / "peer-suites/wikispeedia"
            html.mkdir(parents=True, exist_ok=True)
            subprocess.run([sys.executable, script, source, html, "8099"], check=True)
        web = wikispeedia.build(html)
        _save(folder / name, web, wikispeedia.tasks(web, html))
    elif name == "docs" and not (folder / name / "web.npz").exists():
        for package in docs.PACKAGES:
            _unpack(package, cache)
        web, counts = docs.build(cache / "x")
        _save(folder / name, web, docs.tasks(web, counts))
    elif name == "jobs":
        for size in jobs.SIZES:
            for seed in (*jobs.TUNE_SEEDS, *jobs.REPORT_SEEDS):
                _jobs(folder, seed, size)
    elif name == "tiny":
        _jobs(folder, jobs.TINY_SEED, jobs.TINY_SIZE)
    elif name == "cnr" and not (folder / name / "web.npz").exists():
        arcs = cache / "cnr.npz"
        if not arcs.exists():
            base = shared / "peer-suites/cnr-2000/cnr-2000"
            subprocess.run([sys.executable, shared / "race/bv2arcs.py", base, arcs], check=True)
        _save(folder / name, *_cnr(arcs))


def load(name: str, folder: Path, group: str = "report") -> Iterator[tuple[Web, list[Task]]]:
    """Return webs of a kind with their tasks.

    Args:
        name: One of `WEBS`.
        folder: Of the recorded webs.
        group: tune, report, or all.
    """
    places = sorted(folder.glob(f"jobs-{jobs.TINY_SIZE}-*" if name == "tiny" else f"{name}*"))
    for place in places:
        if name == "jobs" and place.name.startswith(f"jobs-{jobs.TINY_SIZE}-"):
            continue
        tasks = [Task.load(file) for file in sorted((place / "tasks").glob("*.npz"))]
        wanted = [task for task in tasks if group in ("all", task.group)]
        if wanted and (place / "web.npz").exists():
            yield Web.load(place / "web.npz"), wanted


def _jobs(folder: Path, seed: int, size: int) -> None:
    place = folder / f"jobs-{size}-{seed}"
    if not (place / "web.npz").exists():
        web, task = jobs.build(seed, size)
        _save(place, web, [task])


def _save(place: Path, web: Web, tasks: list[Task]) -> None:
    (place / "tasks").mkdir(parents=True, exist_ok=True)
    for task in tasks:
        task.save(place / "tasks" / f"{task.name}.npz")
    web.save(place / "web.npz")


def _unpack(package: str, cache: Path) -> None:
    """Fetch a package by the ordinary client and unpack it; nothing is installed."""
    target, debs = cache / "x" / package, cache / "debs"
    if target.exists():
        return
    debs.mkdir(parents=True, exist_ok=True)
    subprocess.run(["apt-get", "download", "-q", package], cwd=debs, check=True)
    file = next(debs.glob(f"{package}_*.deb"))
    subprocess.run(["dpkg", "-x", file, target], check=True)
    file.unlink()


def _cnr(arcs: Path) -> tuple[Web, list[Task]]:
    """Make a web of bare links; what is wanted is the hundredth of pages with most PageRank."""
    with np.load(arcs) as data:
        first, targets = data["indptr"].astype(np.int64), data["indices"].astype(np.int64)
    web = record_links("cnr", first, targets)
    rank = pagerank(web)
    most = np.argsort(-np.diff(first))[:15]
    seed = max(most.tolist(), key=lambda page: int(reachable(web, [page]).sum()))
    target = np.zeros(len(web), bool)
    target[np.argsort(-rank)[: len(web) // 100]] = True
    task = Task(
        name="importance",
        group="report",
        seeds=np.array([seed]),
        examples=np.zeros(0, np.int64),
        target=target,
        worth=np.zeros(len(web)),
        topic_hint=np.zeros(len(targets)),
        sim=rank,
    )
    return web, [task]


def pagerank(web: Web, damping: float = 0.85, iterations: int = 30) -> np.ndarray:
    """Return the PageRank of all pages."""
    size = len(web)
    matrix = sp.csr_matrix((np.ones(len(web.targets)), web.targets, web.first), shape=(size, size))
    out = np.diff(web.first)
    turned = (sp.diags(1 / np.maximum(out, 1)) @ matrix).T.tocsr()
    rank = np.full(size, 1 / size)
    for _ in range(iterations):
        lost = rank[out == 0].sum() / size
        rank = (1 - damping) / size + damping * (turned @ rank + lost)
    return rank
