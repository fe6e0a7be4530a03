"""Where each setting comes from, and that no secret is shown."""

import json
from pathlib import Path
from typing import Any

import pytest

from graphcrawl import cli
from graphcrawl.config import setting_names
from graphcrawl.provenance import Setting, explain_settings


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run in an empty folder with an empty home and no settings in the environment."""
    monkeypatch.chdir(tmp_path)
    for name in ("URI", "USERNAME", "PASSWORD", "DATABASE"):
        monkeypatch.delenv(f"NEO4J_{name}", raising=False)
    for name in ("HEAP", "PAGE_CACHE"):
        monkeypatch.delenv(f"GRAPHCRAWL_SERVER__{name}", raising=False)
    monkeypatch.setenv("GRAPHCRAWL_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    return tmp_path


def by_name(**given: Any) -> dict[str, Setting]:
    return {setting.name: setting for setting in explain_settings(**given)}


def test_each_value_names_the_strongest_source_that_says_it(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user, project = nowhere / "home" / "config.toml", nowhere / "graphcrawl.toml"
    user.write_text(
        "[crawl]\ndelay = 4\nper_host = 4\nconcurrency = 4\nmax_depth = 4\nmax_pages = 4\n"
    )
    project.write_text("[crawl]\ndelay = 3\nper_host = 3\nconcurrency = 3\nmax_depth = 3\n")
    monkeypatch.setenv("GRAPHCRAWL_CRAWL__DELAY", "2m")
    monkeypatch.setenv("GRAPHCRAWL_CRAWL", '{"per_host": 2, "concurrency": 2}')
    found = by_name(graph=None, crawl={"concurrency": 1, "scope": None})
    told = {
        name.removeprefix("crawl."): (s.value, s.origin, s.where)
        for name, s in found.items()
        if name.startswith("crawl.")
    }
    assert told["concurrency"] == (1, "flag", "--concurrency")
    assert told["delay"] == (120, "environment", "GRAPHCRAWL_CRAWL__DELAY")
    assert told["per_host"] == (2, "environment", "GRAPHCRAWL_CRAWL")
    assert told["max_depth"] == (3, "project file", str(project))
    assert told["max_pages"] == (4, "user file", str(user))
    assert told["scope"] == ("domain", "default", "")


def test_every_setting_is_there_with_its_meaning_and_unit() -> None:
    found = by_name()
    assert set(setting_names()) - {"hosts"} <= set(found)
    silent = [n for n, s in found.items() if not s.meaning and not n.startswith("neo4j.")]
    assert silent == []
    units = {name for name, s in found.items() if s.unit == "s"}
    assert units == {
        *(
            f"crawl.{n}"
            for n in ("max_time", "delay", "connect_timeout", "read_timeout", "retry_wait")
        ),
        *("crawl.total_timeout", "crawl.feed_timeout", "server.start_timeout"),
        "crawl.server_wait",
        *("prune.spare_time", "prune.tombstone_time"),
    }
    sizes = {name for name, s in found.items() if s.unit == "bytes"}
    assert sizes == {
        "crawl.max_body",
        "crawl.max_feed",
        "crawl.max_bandwidth",
        "crawl.min_free_disk",
        "server.heap",
        "server.page_cache",
    }


def test_overrides_of_a_host_are_told_however_it_is_spelt(nowhere: Path) -> None:
    (nowhere / "graphcrawl.toml").write_text(
        '[hosts."BÜCHER.example"]\ndelay = "3s"\n', encoding="utf-8"
    )
    found = by_name()
    setting = found["hosts.xn--bcher-kva.example.delay"]
    assert (setting.value, setting.unit, setting.origin) == (3, "s", "project file")
    assert "hosts.xn--bcher-kva.example.per_host" not in found


@pytest.mark.parametrize("form", ["--json", "--jsonl", "--csv", ""])
def test_no_secret_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: Any, form: str) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", "hush-1")
    monkeypatch.setenv("NEO4J_URI", "bolt://me:hush-2@db.example:7687")
    monkeypatch.setenv("GRAPHCRAWL_CONTACT", "https://me:hush-3@a.example/")
    assert cli.run(["config", "show", *([form] if form else [])]) == 0
    out = capsys.readouterr().out
    assert "hush" not in out
    assert "bolt://me:********@db.example:7687" in out


def test_config_show_and_path_print_json(nowhere: Path, capsys: Any) -> None:
    assert cli.run(["--graph", "mine", "config", "show", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["graph"]["value"] == "mine"
    assert rows["graph"]["source"] == "flag"
    assert rows["crawl.max_body"]["value"] == 5 * 2**20
    assert cli.run(["config", "path", "--json"]) == 0
    paths = {row["what"]: row for row in json.loads(capsys.readouterr().out)}
    assert paths["project file"] == {
        "what": "project file",
        "path": str(nowhere / "graphcrawl.toml"),
        "exists": False,
        "holds": "settings of this folder",
    }
    assert Path(paths["user file"]["path"]).parent == nowhere / "home"
