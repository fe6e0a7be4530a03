"""The first steps as people take them: a terminal that asks, a server that is looked at."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from graphcrawl.graph import Address, Graph

GRAPHCRAWL = (sys.executable, "-m", "graphcrawl")


def typed(folder: Path, words: tuple[str, ...], answers: bytes) -> tuple[int, str]:
    """Run a command on a terminal of its own; return its exit code and all that was shown."""
    import pty

    ours, theirs = pty.openpty()
    env = os.environ | {"GRAPHCRAWL_HOME": str(folder / "home")}
    process = subprocess.Popen(
        (*GRAPHCRAWL, *words), cwd=folder, env=env, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    os.write(ours, answers)
    shown = b""
    try:
        while part := os.read(ours, 1024):
            shown += part
    except OSError:  # how a terminal says that the other end is closed
        pass
    os.close(ours)
    return process.wait(30), shown.decode()


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of POSIX")
@pytest.mark.parametrize(
    ("answer", "line"),
    [
        (b"me@a.example\n", '\ncontact = "me@a.example"\n'),
        (b"\n", '\n#contact = "you@example.org"\n'),
    ],
)
def test_init_asks_for_the_contact_once(tmp_path: Path, answer: bytes, line: str) -> None:
    code, shown = typed(tmp_path, ("init", "one"), answer)
    assert code == 0, shown
    assert shown.count("Your e-mail address") == 1
    assert line in (tmp_path / "one" / "graphcrawl.toml").read_text()


def test_init_does_not_ask_who_cannot_answer(tmp_path: Path) -> None:
    env = os.environ | {"GRAPHCRAWL_HOME": str(tmp_path / "home")}
    done = subprocess.run(
        (*GRAPHCRAWL, "init", "one"),
        cwd=tmp_path, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert "address" not in done.stderr
    assert "Put your contact into graphcrawl.toml." in done.stderr


def test_doctor_tells_a_graph_that_works_from_one_that_does_not(
    tmp_path: Path, graph: Graph, neo4j_address: Address
) -> None:
    def doctor(uri: str) -> tuple[int, dict[str, str]]:
        env = os.environ | {
            "GRAPHCRAWL_HOME": str(tmp_path / "home"),
            "NEO4J_URI": uri,
            "NEO4J_PASSWORD": neo4j_address.password,
        }
        words = (*GRAPHCRAWL, "--graph", "test", "doctor", "--json")
        done = subprocess.run(
            words, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60, check=False
        )
        assert neo4j_address.password not in done.stdout + done.stderr
        checks = json.loads(done.stdout)["checks"]
        return done.returncode, {check["name"]: check["state"] for check in checks}

    code, states = doctor(neo4j_address.uri)
    assert code == 0
    assert (states["neo4j"], states["schema"], states["reward"]) == ("ok", "ok", "ok")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # ours, but nobody listens
        code, states = doctor(f"bolt://127.0.0.1:{taken.getsockname()[1]}")
    assert code == 3
    assert states["neo4j"] == "bad"
    assert "reward" not in states
