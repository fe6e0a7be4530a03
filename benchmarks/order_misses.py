"""What `composite` left waiting on a recorded web, by which evidence, and what it fetched instead.

    python benchmarks/order_misses.py --web docs --task proxy --share 0.05

Targets that were never found are told apart from those that waited too long; of some of these the
parts of their score are printed, beside those of the pages that would come next.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from ordering.measure import reachable
from ordering.run import keywords_for, options_of
from ordering.twin import TaskWeb
from ordering.web import Task, Web

from graphcrawl.replay import Replay
from graphcrawl.scoring.composite import Composite
from graphcrawl.scoring.quality import Quality

_LEAST_PART = 0.015  # of a score, that is worth a word
_STEPS = 9


def main() -> None:
    """Crawl one task and print what was missed."""
    options = _options()
    place = options.data / options.web
    web, task = Web.load(place / "web.npz"), Task.load(place / "tasks" / f"{options.task}.npz")
    tasked = TaskWeb(web, task)
    order = Composite(keywords=keywords_for(tasked), quality=Quality())
    replay = Replay(tasked, order, task.seeds.tolist(), options_of("composite", options.flow))
    there = reachable(web, task.seeds.tolist())
    done = replay.run(int(there.sum() * options.share))
    waiting = replay.waiting()
    rank = {page: number for number, page in enumerate(waiting, start=1)}
    missed = set((task.target & there).nonzero()[0].tolist()) - set(done)
    late = [page for page in missed if page in rank]
    print(f"{task.name}: {len(done)} pages fetched, {len(waiting)} wait")
    print(f"targets: {int((task.target & there).sum())}, of them missed {len(missed)}:")
    print("  never found:", _folders(web, missed - set(late)))
    print("  waiting:", _folders(web, late))
    print("fetched, with targets among them:")
    step = max(1, len(done) // _STEPS)
    for start in range(0, len(done), step):
        pages = done[start : start + step]
        hits = sum(task.target[page] for page in pages)
        print(f"  from page {start}: {hits} targets;", _folders(web, pages))
    print("weights:", {name: round(weight, 2) for name, weight in order.weights.items()})
    print("targets that wait:")
    for page in random.Random(0).sample(sorted(late), min(options.show, len(late))):
        _tell(replay, order, page, rank[page], float(task.worth[page]))
    print("what comes next:")
    for page in waiting[: options.show]:
        _tell(replay, order, page, rank[page], float(task.worth[page]))


def _tell(replay: Replay, order: Composite, page: int, rank: int, worth: float) -> None:
    known = replay.candidate(page)
    parts = [part for part in order.explain(known) if abs(part.part) >= _LEAST_PART]
    score = sum(part.part for part in order.explain(known))
    print(f"  {rank}. {known.url}: waits by {replay.priority(page):.3f}, now {score:.3f}, is worth")
    said = ", ".join(f"{part.name} {part.value:.2f} gives {part.part:+.2f}" for part in parts)
    print(f"     {worth:.2f}; {known.parent_count} parents, best {known.parent_best:.2f}; {said}")


def _folders(web: Web, pages: Iterable[int], most: int = 6) -> str:
    counts = Counter(web.urls[page].partition("://")[2].rpartition("/")[0] for page in pages)
    return ", ".join(f"{folder} {count}" for folder, count in counts.most_common(most)) or "none"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--web", default="docs", help="name of its folder")
    parser.add_argument("--task", required=True)
    parser.add_argument("--share", type=float, default=0.05, help="of the pages are fetched")
    parser.add_argument("--show", type=int, default=6, help="pages of each kind")
    parser.add_argument("--flow", default="neural")
    parser.add_argument("--data", type=Path, required=True, help="folder of the recorded webs")
    return parser.parse_args()


if __name__ == "__main__":
    main()
