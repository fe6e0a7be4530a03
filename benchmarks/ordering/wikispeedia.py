"""The Wikispeedia web as a recorded web: ten topics, three sets of seeds each."""

import json
import random
import re
from pathlib import Path

import numpy as np

from ordering.see import see
from ordering.topics import (
    calibrated,
    nearness,
    promises,
    table_vectors,
    tfidf,
    topic_of,
)
from ordering.web import Task, Web, record

TUNE = ("Music", "Religion", "IT", "Science.Physics", "Geography.Geography_of_Asia")
REPORT = (
    "Art",
    "Mathematics",
    "Science.Chemistry",
    "History.Military_History_and_War",
    "Everyday_life.Sports",
)
SEED_SETS = (7, 8, 9)


def build(folder: Path) -> Web:
    """Read the HTML that `build_wikiweb.py` wrote."""
    meta = json.loads((folder / "pages.json").read_text())
    roots = dict(
        re.findall(r"listen ([\d.]+:\d+); root (\S+);", (folder / "nginx-vhosts.conf").read_text())
    )
    pages = []
    for url in meta:
        host, name = url.split("/")[2:4]
        pages.append(see(url, (Path(roots[host]) / name).read_bytes()))
    return record("wikispeedia", pages)


def tasks(web: Web, folder: Path) -> list[Task]:
    """Make the tasks by the same rules and random numbers as `order_sim.py`."""
    meta = json.loads((folder / "pages.json").read_text())
    labels = [meta[url]["topics"] for url in web.urls]
    degree = [len(set(meta[url]["links"])) for url in web.urls]
    vectors, idf = tfidf(web)
    anchors = table_vectors(web.anchors, idf)
    pairs = np.stack([web.anchor, web.around], 1)
    both, which = np.unique(pairs, axis=0, return_inverse=True)
    texts = [f"{web.anchors[a]} {web.anchors[a]} {web.arounds[b]}" for a, b in both]
    wider = table_vectors(texts, idf)
    made = []
    for topic in (*TUNE, *REPORT):
        relevant = np.array([any(c.startswith(topic) for c in row) for row in labels])
        for seed_set in SEED_SETS:
            rng = random.Random(seed_set)
            found = list(np.flatnonzero(relevant))
            examples = np.array(rng.sample(found, min(5, len(found) // 4)))
            off = [n for n in range(len(web)) if not relevant[n] and degree[n] > 5]
            seeds = np.array(rng.sample(off, 3))
            query = topic_of(vectors, examples)
            sim = vectors @ query
            typical = nearness(vectors, examples)
            target = relevant.copy()
            target[examples] = False
            made.append(
                Task(
                    name=f"{topic}-{seed_set}",
                    group="tune" if topic in TUNE else "report",
                    seeds=seeds,
                    examples=examples,
                    target=target,
                    worth=calibrated(sim, typical),
                    topic_hint=promises(wider @ query, typical)[which.ravel()],
                    anchor_sim=(anchors @ query)[web.anchor],
                    sim=sim,
                )
            )
    return made
