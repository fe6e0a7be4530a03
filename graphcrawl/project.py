"""Begins a project: a folder with commented settings, a list of seeds and rules to change."""

import json
import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from importlib.resources import files
from itertools import count
from pathlib import Path

from graphcrawl.config import PROJECT_FILE
from graphcrawl.errors import RulesError, UsageError
from graphcrawl.scoring.reward import rules_root
from graphcrawl.setting_values import GRAPH_NAME

SEEDS_FILE = Path("seeds.txt")
RULES_FILE = Path("rules.toml")
_SHOWN_CHARS = 80  # of a folder in an error
_OTHERS = ("default", "demo")  # graphs that are used without a project
_RULES_HEAD = """\
# What earns reward in this project: a copy of the shipped rules {rules!r}, to be changed at will.

"""


def make_project(
    folder: Path, *, contact: str | None, graph: str, rules: str = "jobs"
) -> tuple[Path, ...]:
    """Write the files of a new project and return their paths.

    All of them or none: what was written is taken back when another file cannot be.

    Args:
        folder: Where; made if it is not there.
        contact: What is sent in the User-Agent; None leaves the line for the user to fill in.
        graph: The graph that the project uses.
        rules: Name of the shipped rules to begin with.

    Raises:
        UsageError: One of the files is there already, or the folder cannot be written.
        RulesError: There are no such shipped rules.
    """
    texts = _texts(contact, graph, rules)
    refuse_existing(folder)
    written: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            with (folder / name).open("x", encoding="utf-8") as file:
                written.append(folder / name)
                file.write(text)
    except OSError as error:
        for path in written:
            with suppress(OSError):
                path.unlink()
        raise _unwritable(folder, error) from error
    return tuple(written)


def _unwritable(folder: Path, error: OSError) -> UsageError:
    shown = str(folder)
    if len(shown) > _SHOWN_CHARS:
        shown = shown[:_SHOWN_CHARS] + "…"
    return UsageError(
        f"Cannot write a project into {shown}: {error.strerror}.",
        "Name a folder that you may write: graphcrawl init FOLDER",
    )


def refuse_existing(folder: Path) -> None:
    """Check that a new project would overwrite nothing.

    Raises:
        UsageError: One of its files is there, or it can be no folder.
    """
    try:
        present = [str(n) for n in (PROJECT_FILE, SEEDS_FILE, RULES_FILE) if (folder / n).exists()]
    except OSError as error:  # a name that is too long, a folder that may not be entered
        raise _unwritable(folder, error) from error
    if present:
        raise UsageError(
            f"{folder.absolute()} has {' and '.join(present)} already; nothing was written.",
            "Name another folder: graphcrawl init FOLDER",
        )


def graph_name(folder: Path, taken: Collection[str]) -> str:
    """Return a name for the graph of a new project: the folder's, with a number where it is taken.

    Args:
        folder: The project.
        taken: Graphs that there are.
    """
    word = re.sub(r"[^a-z0-9_-]+", "-", folder.absolute().name.lower()).strip("-_")[:56]
    base = word if re.match(GRAPH_NAME, word) else "project"
    names = (base if n == 1 else f"{base}-{n}" for n in count(1))
    return next(name for name in names if name not in taken and name not in _OTHERS)


def _texts(contact: str | None, graph: str, rules: str) -> Mapping[Path, str]:
    settings = _template(str(PROJECT_FILE))
    if contact:
        settings = _set(settings, "contact", contact)
    return {
        PROJECT_FILE: _set(settings, "graph", graph),
        SEEDS_FILE: _template(str(SEEDS_FILE)),
        RULES_FILE: _RULES_HEAD.format(rules=rules) + _shipped_rules(rules),
    }


def _template(name: str) -> str:
    return (files("graphcrawl") / "templates" / name).read_text(encoding="utf-8")


def _set(settings: str, key: str, value: str) -> str:
    """Turn the line of a setting that shows its default into one that sets it."""
    line = f"{key} = {json.dumps(value)}"  # an ASCII string is written in TOML as in JSON
    return re.sub(rf"^#{key} = .*$", lambda _: line, settings, count=1, flags=re.MULTILINE)


def _shipped_rules(name: str) -> str:
    shipped = {file.name.removesuffix(".toml"): file for file in rules_root().iterdir()}
    if name not in shipped:
        raise RulesError(
            f"There are no shipped rules {name!r}.", f"There are: {', '.join(sorted(shipped))}."
        )
    return shipped[name].read_text(encoding="utf-8")
