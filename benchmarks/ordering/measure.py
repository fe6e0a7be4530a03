"""How good an order was: what was found after how many pages."""

from collections import deque
from collections.abc import Sequence

import numpy as np
from scipy.stats import wilcoxon

from ordering.web import Floats, Ints, Task, Web, reachable

SHARES = (0.01, 0.02, 0.05, 0.10, 0.20)  # of the reachable pages
HARVESTS = (100, 500, 1000)  # pages
WORTHLESS = 0.3  # below that
TUNNEL = 3  # links


def measure(
    web: Web, task: Task, done: Sequence[int], foretold: Sequence[float]
) -> dict[str, float]:
    """Return all figures of one crawl.

    Args:
        web: What there was.
        task: What was looked for.
        done: Pages in the order of their fetches.
        foretold: The priority each had; none: not known.
    """
    there = reachable(web, task.seeds.tolist())
    wanted = task.target & there
    numbers = task.same if len(task.same) else np.arange(len(web))
    total = len(np.unique(numbers[wanted]))
    hits = np.cumsum(_new(np.array(done, np.int64), task.target, numbers))
    size = int(there.sum())
    figures = {f"share_at_{share:.0%}": at(hits, int(size * share)) / total for share in SHARES}
    figures |= {f"harvest_{pages}": at(hits, pages) / pages for pages in HARVESTS if pages <= size}
    figures["r_at_t"] = at(hits, total) / total
    if len(task.sim) and not task.worth.any():  # bare links: what is wanted is importance
        mass = np.cumsum(task.sim[list(done)])
        figures |= {f"mass_at_{share:.0%}": at(mass, int(size * share)) for share in SHARES}
    half = len(web) // 2
    if len(hits) >= half * 0.98 or len(hits) >= size:
        padded = np.concatenate([hits[:half], np.full(max(0, half - len(hits)), hits[-1])])
        figures["auc50"] = float(padded.mean()) / total
    fifth = set(done[: int(size * 0.2)])
    tunnelled = behind_worthless(web, task, there)
    if len(tunnelled):
        figures["tunnelled_at_20%"] = sum(page in fifth for page in tunnelled) / len(tunnelled)
    hosts = set(web.host[wanted].tolist())
    found = {int(web.host[page]) for page in done[: int(size * 0.05)] if task.target[page]}
    figures["hosts_at_5%"] = len(found) / len(hosts)
    if len(foretold):
        figures["priority_auc"] = auc(np.array(foretold), task.target[done])
    return figures


def behind_worthless(web: Web, task: Task, there: np.ndarray) -> list[int]:
    """Return the targets that no page of worth leads to within three links."""
    worthy = (task.worth >= WORTHLESS) & there
    near = np.full(len(web), TUNNEL + 1)
    todo = deque((int(page), 0) for page in np.flatnonzero(worthy))
    while todo:
        page, depth = todo.popleft()
        if depth >= TUNNEL:
            continue
        for target in web.targets[web.first[page] : web.first[page + 1]].tolist():
            if near[target] > depth + 1:
                near[target] = depth + 1
                todo.append((target, depth + 1))
    return [int(page) for page in np.flatnonzero(task.target & there) if near[page] > TUNNEL]


def at(hits: Ints | Floats, pages: int) -> float:
    """Return how many, or how much, was found after so many pages."""
    return float(hits[min(pages, len(hits)) - 1]) if pages and len(hits) else 0.0


def auc(values: Floats, is_target: np.ndarray) -> float:
    """Return how likely a target's value is above another page's; 0.5 where there are none."""
    positive, negative = values[is_target], values[~is_target]
    if not len(positive) or not len(negative):
        return 0.5
    ordered = np.sort(negative)
    below = np.searchsorted(ordered, positive, "left")
    equal = np.searchsorted(ordered, positive, "right") - below
    return float((below + 0.5 * equal).mean() / len(negative))


def summary(rows: Sequence[dict[str, float]]) -> dict[str, dict[str, float]]:
    """Return mean and standard error of each figure over tasks."""
    names = dict.fromkeys(name for row in rows for name in row)
    found = {name: np.array([row[name] for row in rows if name in row]) for name in names}
    return {
        name: {
            "mean": round(float(values.mean()), 4),
            "se": round(float(values.std(ddof=1) / len(values) ** 0.5), 4)
            if len(values) > 1
            else 0.0,
            "n": len(values),
        }
        for name, values in found.items()
    }


def paired(ours: Sequence[float], theirs: Sequence[float]) -> dict[str, float]:
    """Compare two orders on the same tasks: mean difference, and Wilcoxon's two-sided p."""
    differences = np.array(ours) - np.array(theirs)
    p = 1.0
    if len(differences) > 4 and np.any(differences):
        p = float(wilcoxon(differences).pvalue)
    return {
        "difference": round(float(differences.mean()), 4),
        "wins": int((differences > 0).sum()),
        "losses": int((differences < 0).sum()),
        "p": round(p, 5),
    }


def _new(done: Ints, target: np.ndarray, numbers: Ints) -> np.ndarray:
    """Tell which fetched pages are targets that were not found before."""
    new = np.zeros(len(done), bool)
    known: set[int] = set()
    for place, page in enumerate(done.tolist()):
        if target[page] and int(numbers[page]) not in known:
            known.add(int(numbers[page]))
            new[place] = True
    return new
