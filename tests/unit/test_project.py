"""A new project: what its files say, and that nothing is overwritten."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer

from graphcrawl import cli, project
from graphcrawl.cli import start
from graphcrawl.config import Settings, load_settings, setting_names
from graphcrawl.errors import RulesError, UsageError
from graphcrawl.scoring.reward import load_rules

# Settings without a default: the file shows an example.
EXAMPLES = {
    "prune.keep",
    "prune.below",  # by the mode of the graph
    "order.weights",
    "order.keywords",
    "topic.examples",
    "reward.mode",
    "own_hosts.ignore_robots",
    "contact",
    "crawl.include",
    "crawl.tracking",
    "crawl.exclude",
    "crawl.max_time",
    "crawl.max_depth",
    "crawl.parsers",
    "crawl.max_rate",
    "crawl.max_bandwidth",
    "crawl.per_address",
    "crawl.user_agent",
    "crawl.headers",
    "crawl.cookies",
    "crawl.proxy",
    "crawl.resolve",
    "crawl.rules",  # the project's own
    "server.heap",
    "server.page_cache",
    "server.java_options",
    "hosts",
}


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run in an empty folder with an empty home."""
    monkeypatch.chdir(tmp_path)
    for name in ("HEAP", "PAGE_CACHE"):
        monkeypatch.delenv(f"GRAPHCRAWL_SERVER__{name}", raising=False)
    monkeypatch.setenv("GRAPHCRAWL_HOME", str(tmp_path / "home"))
    return tmp_path


def make(folder: Path, **more: Any) -> tuple[Path, ...]:
    return project.make_project(folder, **({"contact": None, "graph": "mine"} | more))


def values(settings: Settings) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in settings.model_dump().items():
        section = f"{key}." if isinstance(value, dict) and key != "hosts" else ""
        flat |= {section + k: v for k, v in value.items()} if section else {key: value}
    return flat


def test_the_settings_file_shows_every_setting_with_its_default(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    defaults = values(load_settings())
    make(nowhere)
    file = nowhere / "graphcrawl.toml"
    shown = re.sub(r"^#(?=\w|\[)", "", file.read_text(), flags=re.MULTILINE)
    file.write_text(shown)
    uncommented = values(load_settings())
    different = {key for key in defaults if uncommented[key] != defaults[key]}
    assert different == EXAMPLES | {"graph"}
    said = tomllib.loads(shown)
    names = {f"{k}.{n}" for k, v in said.items() if isinstance(v, dict) for n in v} | set(said)
    assert set(setting_names()) - {"home"} <= names  # a home of its own would hide the jars
    own = {name: value for name, value in uncommented["hosts"]["example.org"].items() if value}
    assert own == {"delay": 5.0, "per_host": 1, "max_pages": 100}


def test_untouched_it_changes_the_contact_the_graph_and_the_rules_alone(nowhere: Path) -> None:
    defaults = values(load_settings())
    make(nowhere, contact="https://a.example/\\bot", graph="mine")
    settings = values(load_settings())
    changed = {key: settings[key] for key in defaults if settings[key] != defaults[key]}
    assert changed == {
        "contact": "https://a.example/\\bot",
        "graph": "mine",
        "crawl.rules": "rules.toml",
    }


def test_its_rules_are_the_shipped_ones(nowhere: Path) -> None:
    make(nowhere)
    assert load_rules("rules.toml").digest == load_rules("jobs").digest


def test_unknown_rules_leave_nothing_behind(nowhere: Path) -> None:
    with pytest.raises(RulesError, match="'jbos'") as caught:
        make(nowhere / "new", rules="jbos")
    assert "jobs" in caught.value.hint
    assert not (nowhere / "new").exists()


@pytest.mark.parametrize("name", ["graphcrawl.toml", "seeds.txt", "rules.toml"])
def test_a_file_that_is_there_stays_and_nothing_is_written(nowhere: Path, name: str) -> None:
    (nowhere / name).write_text("mine")
    with pytest.raises(UsageError, match=rf"has {name} already"):
        make(nowhere)
    assert [path.name for path in nowhere.iterdir()] == [name]
    assert (nowhere / name).read_text() == "mine"


def test_a_file_that_cannot_be_written_takes_the_others_back(nowhere: Path) -> None:
    (nowhere / "rules.toml").symlink_to("nowhere")  # the last of the three
    with pytest.raises(UsageError, match="Cannot write a project"):
        make(nowhere)
    assert [path.name for path in nowhere.iterdir()] == ["rules.toml"]


@pytest.mark.parametrize(
    ("folder", "taken", "name"),
    [
        ("jobs", [], "jobs"),
        ("jobs", ["jobs", "jobs-2"], "jobs-3"),
        ("My Jobs (2026)!", [], "my-jobs-2026"),
        ("日本", [], "project"),
        ("demo", [], "demo-2"),  # `graphcrawl demo` empties that graph
        ("x" * 300, [], "x" * 56),
    ],
)
def test_the_graph_is_named_as_the_folder(folder: str, taken: list[str], name: str) -> None:
    assert project.graph_name(Path(folder), taken) == name
    assert load_settings(graph=name).graph == name


def test_init_says_what_it_wrote_and_what_comes_next(nowhere: Path, capsys: Any) -> None:
    assert cli.run(["init", "my-jobs", "--contact", "me@a.example"]) == 0
    out, err = capsys.readouterr()
    assert out.split() == [f"my-jobs/{n}" for n in ("graphcrawl.toml", "seeds.txt", "rules.toml")]
    assert "cd my-jobs && graphcrawl crawl -f seeds.txt" in err
    assert 'contact = "me@a.example"' in (nowhere / "my-jobs" / "graphcrawl.toml").read_text()


@pytest.mark.parametrize(
    ("folder", "enter"), [("my jobs", "cd 'my jobs' && "), ("./-x", "cd ./-x && ")]
)
def test_what_comes_next_can_be_pasted_into_a_shell(
    nowhere: Path, capsys: Any, folder: str, enter: str
) -> None:
    assert cli.run(["init", folder, "--contact", "me@a.example"]) == 0
    assert f"then: {enter}graphcrawl crawl" in capsys.readouterr().err


@pytest.mark.parametrize("answer", ["me", "me (at) home", "a@", "https://", "mailto:"])
def test_a_contact_under_which_nobody_can_be_reached_is_asked_for_again(
    nowhere: Path, answer: str
) -> None:
    with pytest.raises(typer.BadParameter):  # the prompt shows it and asks again
        start.usable_contact(answer)


@pytest.mark.parametrize(
    "answer", ["me@a.example", " a.example/bot ", "http://localhost/me", "mailto:me@localhost", ""]
)
def test_contacts_may_be_written_in_many_ways(nowhere: Path, answer: str) -> None:
    assert start.usable_contact(answer) == answer.strip()


def test_a_contact_that_cannot_be_sent_writes_nothing(nowhere: Path) -> None:
    assert cli.run(["init", "my-jobs", "--contact", "me (at) home"]) == 2
    assert not (nowhere / "my-jobs").exists()
