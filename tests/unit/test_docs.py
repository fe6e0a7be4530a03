"""The docs cannot go stale: they are compared with the code."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer

from graphcrawl import cli, saved_queries
from graphcrawl.cli import reference, reference_keys
from graphcrawl.config import setting_names

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def page() -> str:
    return (DOCS / "cli.md").read_text(encoding="utf-8")


def test_the_reference_is_what_the_code_says(page: str) -> None:
    assert page == reference.text(), (
        "write it anew: python -m graphcrawl.cli.reference > docs/cli.md"
    )


def test_every_command_setting_and_query_is_described(page: str) -> None:
    for path, command in reference._commands(typer.main.get_command(cli.app)):
        assert f"### graphcrawl {path}\n" in page
        for parameter in command.params:
            options = [o for o in parameter.opts if o.startswith("--") and o != "--help"]
            assert all(f"`{option}`" in page for option in options), path
    rows = dict(re.findall(r"^\| `([a-z_.]+)` \| `GRAPHCRAWL_\w+` \|.*\| (.*) \|$", page, re.M))
    for name in setting_names():
        assert rows.get(name), f"the setting {name} has no description"
    for query in saved_queries.listed():
        assert f"### {query.name}\n{query.title}" in page
        assert query.returns, query.name
        assert all(parameter.meaning for parameter in query.parameters.values())


def test_the_json_of_every_command_is_described() -> None:
    shapes = reference_keys.shapes()
    for path, command in reference._commands(typer.main.get_command(cli.app)):
        options = {option for parameter in command.params for option in parameter.opts}
        if "--json" in options:
            assert path in shapes or path in reference_keys.FREE, path
    for path, told in shapes.items():
        for shape in told:
            keys = [key for key, _, _ in reference_keys.rows(shape)]
            assert keys, path
            assert len(keys) == len(set(keys)), path


@pytest.mark.parametrize(
    "typed",
    [
        "check url http://a.example/",
        "config path",
        "config show",
        "db schema",
        "query list",
        "query show best_pages",
        "check score http://a.example/",
    ],
)
def test_described_keys_are_those_that_are_printed(
    typed: str, capsys: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHCRAWL_HOME", str(tmp_path))
    monkeypatch.delenv("NEO4J_URI", raising=False)
    assert cli.run([*typed.split(), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    [shape] = reference_keys.shapes()[" ".join(typed.split()[:2])]
    assert shape.is_list == isinstance(printed, list)
    row = printed[0] if shape.is_list else printed
    described = [key.partition("[")[0] for key, _, _ in reference_keys.rows(shape)]
    assert list(row) == [key for key in dict.fromkeys(described) if "." not in key]


def test_nothing_of_this_machine_stands_in_the_reference(page: str) -> None:
    assert str(Path.home()) not in page
    assert str(ROOT) not in page


def test_every_module_stands_in_the_architecture() -> None:
    text = (DOCS / "ARCHITECTURE.md").read_text(encoding="utf-8")
    package = ROOT / "graphcrawl"
    missing = [
        path.name
        for path in sorted(package.iterdir())
        if ((path.is_dir() and (path / "__init__.py").exists()) or path.suffix == ".py")
        and not path.name.startswith("__")
        and not re.search(rf"graphcrawl/{re.escape(path.name)}[)/]", text)
    ]
    assert not missing, "these modules are not described in docs/ARCHITECTURE.md"


@pytest.mark.parametrize("name", ["ARCHITECTURE.md", "HOWTO.md", "cli.md", "errors.md"])
def test_every_link_leads_somewhere(name: str) -> None:
    text = (DOCS / name).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        if "://" not in target:
            assert (DOCS / target).exists(), target
