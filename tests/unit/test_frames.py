"""Frames and their columns, places of nodes, plots and the notebooks' files, without a server."""

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

from graphcrawl import analysis, columns, notebook_files
from graphcrawl.errors import UsageError
from graphcrawl.frames import chosen, described, frame, gather
from graphcrawl.layout import spring_layout

mpl.use("Agg")

from graphcrawl import plots  # after the backend was chosen

ROOT = Path(__file__).parents[2]
ALL = described(
    "word | text | | a",
    "share | number | 0 to 1 | b",
    "pages | count | pages | c",
    "seen_at | time | UTC | d",
    "ok | flag | | e",
    "parts | list | | f",
)
NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
ROWS = [
    {"word": "a", "share": 0.5, "pages": 2**60 + 1, "seen_at": NOON, "ok": True, "parts": ("x",)},
    dict.fromkeys(("word", "share", "pages", "seen_at", "ok", "parts")),
]


async def test_values_keep_their_types_and_may_be_missing() -> None:
    async def rows() -> AsyncIterator[dict[str, Any]]:
        for row in ROWS:
            yield row

    for found in (frame(ALL, ROWS), await gather(ALL, rows())):
        assert {name: str(kind) for name, kind in found.dtypes.items()} == {
            "word": "str",
            "share": "float64",
            "pages": "Int64",
            "seen_at": "datetime64[us, UTC]",
            "ok": "boolean",
            "parts": "object",
        }
        first = found.iloc[0]
        assert (first["word"], first["pages"], first["parts"]) == ("a", 2**60 + 1, ("x",))
        assert first["seen_at"] == NOON
        assert found.iloc[1].isna().all()


def test_times_of_other_zones_are_told_in_utc() -> None:
    east = NOON.astimezone(timezone(timedelta(hours=5)))
    row = ROWS[0] | {"seen_at": east}
    found = frame(ALL, [row, ROWS[0]])
    assert [str(time) for time in found["seen_at"]] == ["2026-01-31 12:00:00+00:00"] * 2


def test_an_empty_frame_has_all_columns_and_types() -> None:
    found = frame(ALL, [])
    assert list(found.columns) == [column.name for column in ALL]
    assert str(found["seen_at"].dtype) == "datetime64[us, UTC]"


def test_columns_come_in_the_order_in_which_they_are_wanted() -> None:
    assert [column.name for column in chosen(ALL, ["ok", "word", "ok"])] == ["ok", "word"]
    assert chosen(ALL, None) == ALL
    assert [column.name for column in chosen(ALL, "word")] == ["word"]
    with pytest.raises(UsageError, match="no column 'pags'") as caught:
        chosen(ALL, ["pags"])
    assert caught.value.hint.startswith("Did you mean 'pages'?")
    with pytest.raises(UsageError, match="No column is named"):
        chosen(ALL, [])


def test_the_document_is_that_of_the_columns() -> None:
    """Made by `python -m graphcrawl.columns > docs/ANALYSIS.md`."""
    written = (ROOT / "docs" / "ANALYSIS.md").read_text(encoding="utf-8")
    assert written == "\n".join(columns.markdown()) + "\n"
    for name in columns.FRAMES:
        assert getattr(analysis, name).__doc__, name


@pytest.mark.parametrize(("missing", "module"), [("pandas", "analysis"), ("matplotlib", "plots")])
def test_what_is_not_installed_is_named(missing: str, module: str) -> None:
    code = (
        f"import sys; sys.modules['{missing}'] = None\n"
        "from graphcrawl.errors import UsageError\n"
        f"try:\n    import graphcrawl.{module}\n"
        "except UsageError as error: print(error.message, error.hint)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert f"needs {missing}" in done.stdout.replace("need ", "needs ")
    assert 'pip install "graphcrawl[notebooks]"' in done.stdout


# --- plots


def test_joined_nodes_lie_near_each_other() -> None:
    two_rings = [(i, (i + 1) % 5) for i in range(5)] + [(5 + i, 5 + (i + 1) % 5) for i in range(5)]
    places = spring_layout(10, two_rings)
    assert np.array_equal(places, spring_layout(10, two_rings))

    def distance(a: int, b: int) -> float:
        return float(np.linalg.norm(places[a] - places[b]))

    near = np.mean([distance(a, b) for a, b in two_rings])
    far = np.mean([distance(a, b) for a in range(5) for b in range(5, 10)])
    assert near < far
    assert min(distance(a, b) for a in range(10) for b in range(a)) > 0.05
    assert spring_layout(1, []).shape == (1, 2)


EMPTY = {
    "harvest": (columns.HARVEST,),
    "orders": (columns.ORDERS,),
    "reward_by_hop": (columns.DEPTHS,),
    "rewards": (columns.REWARD_BINS,),
    "degrees": (columns.DEGREES,),
    "hosts": (columns.HOSTS,),
    "pruning": (columns.PREVIEWS,),
    "neighbourhood": (columns.AROUND, columns.AXONS),
}


@pytest.mark.parametrize("name", EMPTY)
def test_a_plot_of_nothing_says_so(name: str) -> None:
    ax = getattr(plots, name)(*(frame(kind, []) for kind in EMPTY[name]))
    assert [text.get_text() for text in ax.texts] == ["nothing to show yet"]
    plots.plt.close(ax.figure)


def test_a_harvest_is_drawn_as_it_is() -> None:
    rows = pd.DataFrame(
        {"number": [1, 2, 3], "worth_so_far": [0.0, 1.0, 1.5], "feed": [False, True, False]}
    )
    ax = plots.harvest(rows)
    found, evenly = ax.lines
    assert list(found.get_xdata()) == [0, 1, 2, 3]
    assert list(found.get_ydata()) == [0.0, 0.0, 1.0, 1.5]
    assert list(evenly.get_ydata()) == [0.0, 1.5]
    assert ax.collections[0].get_offsets().tolist() == [[2.0, 1.0]]
    plots.plt.close(ax.figure)


def test_pages_of_a_neighbourhood_are_drawn_with_what_joins_them() -> None:
    pages = frame(
        columns.AROUND,
        [
            dict.fromkeys(column.name for column in columns.AROUND)
            | {"url": f"http://a.example/{n}", "title": title, "seed": n == 0, "feed": n == 2}
            | {"state": "fetched" if n else "frontier", "reward": reward}
            for n, (title, reward) in enumerate([("$1 and $2", 3.0), (None, None), ("Feed", 9.0)])
        ],
    )
    axons = pd.DataFrame({"source": [pages["url"][0]], "target": [pages["url"][1]]})
    ax = plots.neighbourhood(pages, axons)
    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["seed", "feed", "fetched"]
    assert {r"\$1 and \$2", "a.example/1", "Feed"} <= {text.get_text() for text in ax.texts}
    assert len(ax.texts) == 3 + len(axons)
    ax.figure.canvas.draw()
    plots.plt.close(ax.figure)


# --- notebooks


@pytest.mark.parametrize("path", notebook_files.shipped(), ids=lambda path: path.name)
def test_notebooks_are_thin_and_have_no_outputs(path: Path) -> None:
    book = json.loads(path.read_text(encoding="utf-8"))
    cells = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    assert len(cells) <= 15
    assert not any(cell["outputs"] or cell["execution_count"] for cell in cells)
    assert all(len(cell["source"]) <= 8 for cell in cells)
    assert "parameters" in cells[0]["metadata"]["tags"]
    assert "analysis.size(graph)).told" in "".join(cells[1]["source"])
    assert "teardown" in cells[-1]["metadata"]["tags"]


def test_notebooks_are_copied_once(tmp_path: Path) -> None:
    names = ["01_first_look", "02_reward_flow", "03_crawl_neighbourhoods"]
    names += ["04_harvest_and_order", "05_pruning"]
    copies = notebook_files.copy_notebooks(tmp_path / "new" / "books")
    assert [copy.stem for copy in copies] == names
    for copy, original in zip(copies, notebook_files.shipped(), strict=True):
        assert copy.read_bytes() == original.read_bytes()
    copies[0].unlink()
    copies[4].write_text("mine")
    with pytest.raises(UsageError, match=r"has 02_reward_flow\.ipynb already"):
        notebook_files.copy_notebooks(tmp_path / "new" / "books")
    assert not copies[0].exists()
    assert copies[4].read_text() == "mine"
