"""Workers and Neo4j are killed with -9 at random moments: nothing is lost, nothing doubled.

Both run `benchmarks/crashes.py`, which says how; it has more kills where it is run by hand.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from processes import ROOT, environment

from graphcrawl.config import Paths


def crashes(home: Path, *words: str) -> dict[str, Any]:
    program = [sys.executable, str(ROOT / "benchmarks" / "crashes.py"), "--json", "--pages", "300"]
    done = subprocess.run(
        [*program, *words], env=environment(home), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder of its own, with the user's cache of jars."""

    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "cache").symlink_to(Paths.locate(None).cache)
    return folder


@pytest.mark.long
@pytest.mark.timeout(900)
def test_nothing_is_lost_or_doubled_by_24_kills_of_workers_and_6_of_the_server(home: Path) -> None:
    found = crashes(home, "--worker-kills", "24", "--server-kills", "6")
    assert found["broken"] == []
    assert found["worker_kills"] >= 24
    assert found["server_kills"] == 6
    assert found["acknowledged"] > 100


@pytest.mark.long
@pytest.mark.timeout(900)
def test_one_web_gives_one_graph_whoever_crawls_it(home: Path) -> None:
    found = crashes(home, "--equal", "--worker-kills", "5")
    first, *others = found["runs"]
    assert first["pages"] > 250
    for run in (first, *others):
        assert run["broken"] == run["differences"] == []
        assert run["digest"] == first["digest"]
        assert run["reward_error"] < 1e-5
        assert run["cypher_gds_error"] < 1e-5
    assert others[-1]["worker_kills"] >= 5
