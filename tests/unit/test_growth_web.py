"""Webs that `benchmarks/growth.py` builds are as it says; their files fit the importer."""

import csv
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from growing import report
from growing.load import url_of, write
from growing.web import FETCHED, Web, host_sizes, make

PAGES = 6000


@pytest.fixture(scope="module")
def web() -> Web:
    return make(PAGES, seed=3)


def test_a_web_has_ten_axons_a_neuron_most_on_their_host_and_heavy_tailed(web: Web) -> None:
    pairs = list(zip(web.source.tolist(), web.target.tolist(), strict=True))
    assert web.pages == PAGES
    assert 8 * PAGES < len(pairs) < 11 * PAGES
    assert len(set(pairs)) == len(pairs)
    assert all(source != target for source, target in pairs)
    assert all(web.state[source] == FETCHED for source, _ in pairs)
    near = sum(web.host[source] == web.host[target] for source, target in pairs)
    assert near / len(pairs) > 0.6
    into = Counter(target for _, target in pairs)
    assert max(into.values()) > 20 * len(pairs) / PAGES
    assert web.in_links.tolist() == [into[page] for page in range(PAGES)]


def test_strength_is_the_sum_of_all_weights_of_axons(web: Web) -> None:
    strength = [0.0] * PAGES
    rows = zip(web.source.tolist(), web.target.tolist(), web.weight.tolist(), strict=True)
    for source, target, weight in rows:
        strength[source] += weight
        strength[target] += weight
    assert web.strength.tolist() == strength  # weights are quarters: sums are exact


def test_hosts_follow_each_other_and_are_known_without_the_web(web: Web) -> None:
    sizes = host_sizes(PAGES, seed=3).tolist()
    assert [end - begin for begin, end in pairwise(web.first.tolist())] == sizes
    assert sum(sizes) == PAGES
    assert web.host.tolist() == [host for host, size in enumerate(sizes) for _ in range(size)]


def test_the_files_fit_their_headers(web: Web, tmp_path: Path) -> None:
    write(web, tmp_path, "any")
    rows = {path.stem: list(csv.reader(path.open())) for path in tmp_path.iterdir()}
    assert all(len(row) == len(table[0]) for table in rows.values() for row in table)
    ids = [row[0] for name in ("neurons", "hosts", "meta", "gates") for row in rows[name][1:]]
    assert len(set(ids)) == len(ids)
    assert len(rows["neurons"]) == PAGES + 1
    assert len(rows["axons"]) == len(web.source) + 1
    place = rows["neurons"][0].index("url")
    assert rows["neurons"][1][place] == url_of(0, 0) == "https://www.site-0.example/"
    best = {row[1]: float(row[-1]) for row in rows["hosts"][1:] if row[-1]}
    waiting: dict[str, float] = {}
    for row in (dict(zip(rows["neurons"][0], row, strict=True)) for row in rows["neurons"][1:]):
        if "Frontier" in row[":LABEL"].split(";"):
            waiting[row["host"]] = max(waiting.get(row["host"], 0), float(row["priority:double"]))
    assert best == waiting


def test_the_table_has_a_column_a_size_and_a_dash_for_what_is_unknown() -> None:
    table = report.markdown(
        [
            {"neurons": 3_000_000, "propagate1_s": 9.26, "store_bytes": 5 * 2**30},
            {"neurons": 30_000, "propagate1_s": None, "store_bytes": 2**20},
        ]
    )
    assert "| neurons | 30,000 | 3,000,000 |" in table
    assert "| reward, 1 iteration, s | – | 9.3 |" in table
    assert "| store, MiB | 1 | 5,120 |" in table
