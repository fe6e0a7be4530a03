"""Deletion on request by its command, and what the server's own files still hold after it."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from servers import SMALL

from graphcrawl import schema, server
from graphcrawl.config import Paths
from graphcrawl.frontier import add_seeds
from graphcrawl.graph import Graph

JANE = "http://people.example/jane"
SECRET = "Frau Winterfeldt wohnt hier. "


async def test_neither_the_graph_nor_its_files_keep_what_is_forgotten(tmp_path: Path) -> None:
    """After a checkpoint, which an embedded server makes each minute and when it stops."""
    (tmp_path / "cache").symlink_to(Paths.locate().cache)
    paths = replace(Paths.locate(tmp_path), cache=Paths.locate().cache)
    running = await server.up(paths, "a", SMALL)
    try:
        async with Graph.open(running.address) as graph:
            await schema.prepare(graph, "a")
            await add_seeds(graph, [JANE, "http://other.example/"], 100.0)
            text = {"url": JANE, "title": SECRET, "text": SECRET * 100, "visible": SECRET * 300}
            await graph.run("write/texts", texts=[text])
        preview = forget(tmp_path, "people.example")
        assert (preview["pages"], preview["texts"], preview["applied"]) == (1, 1, False)
        assert preview["urls"] == [JANE]
        done = forget(tmp_path, "people.example", "--apply")
        assert (done["pages"], done["texts"], done["hosts"], done["applied"]) == (1, 1, 1, True)
        assert json.loads(Path(done["receipt"]).read_text())["removed"]["pages"] == 1
    finally:
        await server.down(paths, "a")
    assert found_in(paths.graph("a"), SECRET) == []
    assert found_in(paths.state, "people.example") == []


def forget(home: Path, *words: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "graphcrawl", "forget", "--graph", "a", "--json", *words],
        capture_output=True,
        text=True,
        env=os.environ | {"GRAPHCRAWL_HOME": str(home)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def found_in(folder: Path, word: str) -> list[str]:
    """Return the files that hold a word, as UTF-8 or UTF-16."""
    spellings = [word.encode(), word.encode("utf-16-le")]
    return [
        str(path.relative_to(folder))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and any(spelling in path.read_bytes() for spelling in spellings)
    ]
