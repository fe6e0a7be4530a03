"""What each source of settings says, the strongest first, and where exactly it says it.

Sources: flag > environment > project file > user file.
"""

import os
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

Origin = Literal["flag", "environment", "project file", "user file", "default"]

# Flags that are not called as the last part of their setting is.
_FLAGS = {"order.by": "order", "order.keywords": "keyword", "topic.examples": "topic"}
_MAX_LINES = 2000  # of a file that is searched for a setting


@dataclass(frozen=True, slots=True)
class Layer:
    """One source."""

    origin: Origin
    file: Path | None  # none: no file
    said: Mapping[str, Any]


def read_layers(
    flags: Mapping[str, Any], environment: Mapping[str, Any], project: Path, user: Path
) -> tuple[Layer, ...]:
    """Return what each source says, the strongest first; a file that cannot be read says nothing.

    Args:
        flags: Settings that were typed.
        environment: Settings of the environment.
        project: The settings file of the folder.
        user: The settings file for all projects.
    """
    return (
        Layer("flag", None, flags),
        Layer("environment", None, environment),
        Layer("project file", project, _toml(project)),
        Layer("user file", user, _toml(user)),
    )


def layer_of(path: Sequence[str], layers: Sequence[Layer]) -> Layer | None:
    """Return the strongest source that says something about a setting.

    Args:
        path: The parts of its dotted name.
        layers: What `read_layers` returned.
    """
    return next((layer for layer in layers if _says(layer.said, path)), None)


def name_in(path: Sequence[str], layer: Layer) -> str:
    """Return the flag, the variable or the file by which a source sets a setting."""
    if layer.origin == "flag":
        return "--" + _FLAGS.get(".".join(path[:2]), path[-1].replace("_", "-"))
    if layer.origin == "environment":
        names = [variable_of(".".join(path[:n])) for n in range(len(path), 0, -1)]
        present = {name.upper() for name in os.environ}
        return next((name for name in names if name in present), names[0])
    return str(layer.file.absolute()) if layer.file else ""


def place_of(path: Sequence[str], layers: Sequence[Layer]) -> str:
    """Return where a setting is set: `--delay`, a variable, or `graphcrawl.toml, line 3`.

    Empty where no source says anything about it.
    """
    layer = layer_of(path, layers)
    if layer is None:
        return ""
    if layer.file is None:
        return name_in(path, layer)
    line = _line_of(layer.file.read_text(encoding="utf-8"), path)
    return f"{layer.file}, line {line}" if line else str(layer.file)


def variable_of(name: str) -> str:
    """Return the variable of the environment that sets a setting, given as a dotted name."""
    return "GRAPHCRAWL_" + name.upper().replace(".", "__")


def _toml(path: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        return tomllib.loads(path.read_text(encoding="utf-8"))
    return {}


def _line_of(text: str, path: Sequence[str]) -> int | None:
    """Return the line where a setting begins.

    It is the first line after a beginning of the text that is whole TOML and lacks the setting,
    such that the text up to the end of the setting's value is whole and has it.
    """
    lines = text.splitlines(keepends=True)[:_MAX_LINES]
    begins = 1
    for number in range(1, len(lines) + 1):
        try:
            found = tomllib.loads("".join(lines[:number]))
        except tomllib.TOMLDecodeError:
            continue  # in the middle of a value of several lines
        if _says(found, path):
            return begins
        begins = number + 1
    return None


def _says(said: Any, path: Sequence[str]) -> bool:
    """Whether a source says something about a setting; hosts may be spelt in other ways there."""
    for step in path:
        if not isinstance(said, Mapping):
            return False
        said = {_plain(key): value for key, value in said.items()}.get(_plain(step))
        if said is None:
            return False
    return True


def _plain(key: str) -> str:
    """Return a key as settings have it: IDNA and lower case."""
    known = key.strip().lower()
    with suppress(UnicodeError):
        return known.encode("ascii" if known.isascii() else "idna").decode()
    return known
