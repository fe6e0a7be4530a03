"""The five notebooks, run top to bottom on one fresh crawl of the demo."""

import subprocess
import sys
from pathlib import Path

from processes import ROOT, environment

from graphcrawl.config import load_settings
from graphcrawl.demo.run import run_demo
from graphcrawl.graph import Address, Graph

RENDER = [sys.executable, str(ROOT / "docs" / "render_notebooks.py")]


async def test_notebooks_run_and_are_rendered(
    graph: Graph, neo4j_address: Address, tmp_path: Path
) -> None:
    settings = load_settings(
        graph="test", home=tmp_path / "home", crawl={"parsers": 1}, reward={"engine": "cypher"}
    )
    await run_demo(graph, settings, seed=1, pages=300)
    where = environment(
        tmp_path / "home",
        NEO4J_URI=neo4j_address.uri,
        NEO4J_USERNAME=neo4j_address.user,
        NEO4J_PASSWORD=neo4j_address.password,
        GRAPHCRAWL_GRAPH="test",
    )
    done = subprocess.run(
        [*RENDER, "--html", "--png", "-o", "out"],
        cwd=tmp_path, env=where, capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    pages = sorted((tmp_path / "out").glob("*.html"))
    assert [page.stem for page in pages] == done.stdout.replace(".ipynb", "").split()
    assert len(pages) == 5
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert "This is the graph 'test': " in text
        assert 'data-mime-type="application/vnd.jupyter.stderr"' not in text  # no warning
        assert list((tmp_path / "out").glob(f"{page.stem}-*.png"))


def test_a_notebook_without_a_graph_says_what_to_type(tmp_path: Path) -> None:
    done = subprocess.run(
        RENDER, cwd=tmp_path, env=environment(tmp_path / "home", GRAPHCRAWL_GRAPH="nowhere"),
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "There is no graph 'nowhere' yet." in done.stderr
    assert "hint: Make it in a terminal: graphcrawl --graph nowhere crawl URL" in done.stderr
