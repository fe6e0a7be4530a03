"""Where each setting's value comes from: flag, environment, project file, user file or default."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, SecretStr
from pydantic.fields import FieldInfo
from pydantic_settings import EnvSettingsSource

from graphcrawl.config import (
    PROJECT_FILE,
    HostSettings,
    Neo4jSettings,
    Settings,
    load_settings,
    user_file,
)
from graphcrawl.setting_values import parse_duration_s, parse_size_bytes
from graphcrawl.sources import Layer, Origin, layer_of, name_in, read_layers

MASK = "********"
_PASSWORD = re.compile(r"(://[^/@:]*:)[^/@]*@")  # in an address


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as it is in force."""

    name: str  # dotted
    value: Any  # seconds, bytes, or plain; secrets are masked
    unit: Literal["s", "bytes", ""]
    origin: Origin
    where: str  # the flag, the variable or the file; empty for a default
    meaning: str


def explain_settings(**given: Any) -> list[Setting]:
    """Return every setting with its value and where that comes from, in the order of the README.

    Args:
        given: The flags that were typed, as for `load_settings`.

    Raises:
        SettingsError: A setting is unknown or wrong.
    """
    settings = load_settings(**given)
    layers = read_layers(given, EnvSettingsSource(Settings)(), PROJECT_FILE, user_file())
    found = []
    for key, info in Settings.model_fields.items():
        value = getattr(settings, key)
        if isinstance(value, BaseModel):
            for name, inner in type(value).model_fields.items():
                found.append(_setting((key, name), getattr(value, name), inner, layers))
        elif isinstance(value, Mapping):
            for host, own in value.items():
                for name, inner in HostSettings.model_fields.items():
                    if (override := getattr(own, name)) is not None:
                        found.append(_setting((key, host, name), override, inner, layers))
        else:
            found.append(_setting((key,), value, info, layers))
    return found + list(_neo4j_settings())


def _setting(
    path: tuple[str, ...], value: Any, info: FieldInfo, layers: Sequence[Layer]
) -> Setting:
    layer = layer_of(path, layers)
    if isinstance(value, Path | str):
        value = _masked(str(value))
    if path == ("crawl", "proxy") and "@" in str(value):
        value = f"{MASK}@{str(value).rpartition('@')[2]}"
    if path == ("crawl", "headers"):  # a value may be a key to something
        value = tuple(f"{header.partition(':')[0]}: {MASK}" for header in value)
    return Setting(
        ".".join(path),
        value,
        _unit(info),
        layer.origin if layer else "default",
        name_in(path, layer) if layer else "",
        info.description or "",
    )


def _unit(info: FieldInfo) -> Literal["s", "bytes", ""]:
    """Tell durations and sizes by how they are read, also where none is allowed."""
    marks = [*info.metadata, *(m for part in get_args(info.annotation) for m in get_args(part))]
    readers = {mark.func for mark in marks if isinstance(mark, BeforeValidator)}
    return "s" if parse_duration_s in readers else "bytes" if parse_size_bytes in readers else ""


def _masked(text: str) -> str:
    return _PASSWORD.sub(rf"\1{MASK}@", text)


def _neo4j_settings() -> Iterator[Setting]:
    """Yield the settings of a Neo4j of one's own; only the environment has them."""
    own = Neo4jSettings()
    for name, info in Neo4jSettings.model_fields.items():
        value = getattr(own, name)
        if isinstance(value, SecretStr):
            value = MASK
        elif value:
            value = _masked(value)
        variable = f"NEO4J_{name.upper()}"
        is_set = name in own.model_fields_set
        yield Setting(
            f"neo4j.{name}",
            value,
            "",
            "environment" if is_set else "default",
            variable if is_set else "",
            info.description or "",
        )
