"""Which Neo4j a command uses, without asking any."""

from pathlib import Path

import pytest

from graphcrawl.config import load_settings
from graphcrawl.connection import connect, external_address
from graphcrawl.errors import Neo4jAuthError, Neo4jUnreachableError
from graphcrawl.graph import Address


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("URI", "USERNAME", "PASSWORD", "DATABASE"):
        monkeypatch.delenv(f"NEO4J_{name}", raising=False)
    monkeypatch.setenv("GRAPHCRAWL_HOME", str(tmp_path))


def test_without_a_uri_there_is_no_external_server(monkeypatch: pytest.MonkeyPatch) -> None:
    assert external_address() is None
    monkeypatch.setenv("NEO4J_URI", "")
    assert external_address() is None


def test_the_usual_variables_name_the_external_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://graph.example:7687")
    monkeypatch.setenv("NEO4J_USERNAME", "ann")
    monkeypatch.setenv("NEO4J_PASSWORD", "secret")
    monkeypatch.setenv("NEO4J_DATABASE", "web")
    expected = Address("bolt://graph.example:7687", "ann", "secret", "web", embedded=False)
    assert external_address() == expected
    assert "secret" not in repr(external_address())


def test_a_missing_password_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://graph.example:7687")
    with pytest.raises(Neo4jAuthError) as caught:
        external_address()
    assert "NEO4J_PASSWORD" in caught.value.hint


async def test_an_embedded_server_that_is_down_is_not_started_unasked() -> None:
    with pytest.raises(Neo4jUnreachableError) as caught:
        async with connect(load_settings(graph="mine"), start=False):
            pass
    assert caught.value.hint == "graphcrawl db up --graph mine"


async def test_an_external_server_that_is_dead_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    monkeypatch.setenv("NEO4J_PASSWORD", "x")
    with pytest.raises(Neo4jUnreachableError, match=r"127\.0\.0\.1:1"):
        async with connect(load_settings()):
            pass


def test_a_password_in_the_address_is_not_shown() -> None:
    address = Address("bolt://u:se@kret@db.example:7687", "u", "p")
    assert address.shown == "bolt://***@db.example:7687"
    assert Address("bolt://db.example:7687", "u", "p").shown == "bolt://db.example:7687"
