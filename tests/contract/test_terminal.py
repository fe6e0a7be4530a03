"""What a terminal shows of a server that runs: the live view, and hosts that a shell completes."""

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest
from worlds import Neo4jWorld

from graphcrawl.cli import complete, reference_keys
from graphcrawl.cli.session import Session
from graphcrawl.frontier import Seed
from graphcrawl.urls import host_key

URLS = ("http://north.example/", "http://north.example/a", "http://south.example:81/")


async def test_a_running_server_is_watched_and_completes_hosts(
    neo4j_world: Neo4jWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await neo4j_world.frontier("w").seed([Seed(url, host_key(url)) for url in URLS])
    address = neo4j_world.graph.address
    for name, value in {
        "GRAPHCRAWL_HOME": str(tmp_path),
        "GRAPHCRAWL_GRAPH": "test",  # as the fixture prepares it
        "NEO4J_URI": address.uri,
        "NEO4J_USERNAME": address.user,
        "NEO4J_PASSWORD": address.password,
    }.items():
        monkeypatch.setenv(name, value)

    async def run(*words: str, **more: str) -> str:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "graphcrawl", *words,
            env=os.environ | more, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        out, err = await process.communicate()
        assert (process.returncode, err) == (0, b""), err.decode()
        return out.decode()

    watch = ("status", "--watch", "--looks", "2", "--every", "0.1s")
    lines, picture = await asyncio.gather(
        run(*watch, "--jsonl"),
        run(*watch, FORCE_COLOR="1", TERM="xterm-256color", NO_COLOR="1", COLUMNS="80"),
    )
    first, second = (json.loads(line) for line in lines.splitlines())
    described = reference_keys.rows(reference_keys.shapes()["status"][1])
    assert list(second) == [key for key, _, _ in described]
    assert (first["pages_per_s"], second["pages_per_s"]) == (None, 0.0)
    assert (second["frontier"], second["hosts_waiting"], second["cause"]) == (3, 2, "no-run")
    assert "2 with waiting pages" in picture
    assert "3 pages waiting." in picture
    monkeypatch.setattr(complete, "_PATIENCE_S", 60.0)  # a busy machine is no failure here
    assert await complete._hosts(Session().settings(), "nor") == ["north.example"]
