import signal
import subprocess
from pathlib import Path

import pytest
from processes import Start, command, environment

from graphcrawl.graph import Address, Graph


@pytest.fixture
def start(neo4j_address: Address, graph: Graph, tmp_path: Path) -> Start:
    """Start `graphcrawl … ` on the tests' server, with an empty graph."""
    settings = environment(
        tmp_path / "home",
        NEO4J_URI=neo4j_address.uri,
        NEO4J_USERNAME=neo4j_address.user,
        NEO4J_PASSWORD=neo4j_address.password,
        GRAPHCRAWL_CONTACT="me@a.example",
        GRAPHCRAWL_CRAWL__PARSERS="1",  # each takes a second of processor to start
    )

    def run(*words: str, stdin: int = subprocess.DEVNULL) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            command("--graph", "test", *words),
            cwd=tmp_path,
            env=settings,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
        )

    return run
