"""What is wrong with a setting: which one, where it is set, and what it takes."""

import difflib
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from graphcrawl.errors import SettingsError, did_you_mean
from graphcrawl.sources import Layer, place_of

_WORDS = {  # where pydantic speaks of Python
    "tuple_type": "It takes a list, such as ['a', 'b']",
    "dict_type": "It takes a table",
    "model_type": "It takes a table",
    "model_attributes_type": "It takes a table",
}
_BOM = b"\xef\xbb\xbf"


def explain(
    error: ValidationError, layers: Sequence[Layer], settings: type[BaseModel]
) -> SettingsError:
    """Return the first of the mistakes that were found, as an error for people.

    Args:
        error: What reading the settings raised.
        layers: What each source says.
        settings: The model of all settings.
    """
    first = error.errors()[0]
    path = [str(part) for part in first["loc"] if not isinstance(part, int) and part != "[key]"]
    key = ".".join(path)
    place = place_of(path, layers)
    if first["type"] == "extra_forbidden":
        where = f" in {place}" if place else ""
        return SettingsError(f"Unknown setting {key!r}{where}.", _nearest(path, settings))
    message = _WORDS.get(first["type"]) or first["msg"].removeprefix("Value error, ")
    where = f" ({place})" if place else ""
    choices = re.findall("'([^']+)'", str(first.get("ctx", {}).get("expected", "")))
    meant = did_you_mean(str(first.get("input")), choices)
    return SettingsError(f"Setting {key!r}{where}: {message}.", meant + _meaning(path, settings))


def file_problem(error: Exception, files: Sequence[Path]) -> SettingsError:
    """Return what is wrong with the first settings file that cannot be read.

    Args:
        error: What reading the settings raised.
        files: The settings files.
    """
    for file in files:
        try:
            data = file.read_bytes() if file.exists() else b""
            tomllib.loads(data.decode())
        except OSError as unreadable:
            return SettingsError(
                f"Cannot read the settings file {file}: {unreadable.strerror}.",
                "Let yourself read it, or move it away.",
            )
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as broken:
            hint = "Save it as UTF-8 without a byte order mark." if data[:3] == _BOM else ""
            if isinstance(broken, UnicodeDecodeError):
                hint = "Save it as UTF-8."
            return SettingsError(
                f"{file} is not valid TOML: {broken}.",
                hint or "Mend that line; text stands in quotes, a list in [ ].",
            )
    return SettingsError(f"Cannot read the settings: {error}.", "Mend the settings files.")


def names_of(settings: type[BaseModel]) -> list[str]:
    """Return every setting of a model as a dotted name."""
    names: list[str] = []
    for key, info in settings.model_fields.items():
        section = _section(info)
        names += [f"{key}.{inner}" for inner in section.model_fields] if section else [key]
    return names


def _nearest(path: Sequence[str], settings: type[BaseModel]) -> str:
    known = names_of(settings)
    if path[0] == "hosts" and (of_host := _of_host(settings)):
        known = [".".join([*path[:-1], name]) for name in of_host.model_fields]
    if len(path) == 1:  # maybe a section, which is likelier than one of its keys
        sections = sorted({name.partition(".")[0] for name in known})
        if section := difflib.get_close_matches(path[0], sections, n=1, cutoff=0.6):
            return f"Did you mean {section[0]!r}?"
    near = difflib.get_close_matches(".".join(path), known, n=1, cutoff=0.5)
    return f"Did you mean {near[0]!r}?" if near else "Known: " + ", ".join(known)


def _meaning(path: Sequence[str], settings: type[BaseModel]) -> str:
    """Say what a setting is, and its default."""
    info, section = settings.model_fields.get(path[0]), None
    name = path[0]
    if info is not None and (section := _section(info)) and len(path) > 1:
        name, info = ".".join(path[:2]), section.model_fields.get(path[1])
    elif path[0] == "hosts" and len(path) > 2 and (of_host := _of_host(settings)):
        name, info = path[2], of_host.model_fields.get(path[2])
    if info is None or not info.description:
        return "See what there is: graphcrawl config show"
    default = info.default
    is_plain = default not in (None, {}) and not isinstance(default, tuple)
    usual = f"; default: {str(default).lower()}" if is_plain else ""
    return f"{name}: {info.description}{usual}."


def _section(info: FieldInfo) -> type[BaseModel] | None:
    kind = info.annotation
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None


def _of_host(settings: type[BaseModel]) -> type[BaseModel] | None:
    """Return the model of what can be set for one host."""
    kinds = getattr(settings.model_fields["hosts"].annotation, "__args__", ())
    return next((k for k in kinds if isinstance(k, type) and issubclass(k, BaseModel)), None)
