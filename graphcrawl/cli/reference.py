"""Writes `docs/cli.md`: every command, option, setting, JSON key and saved query, from the code.

python -m graphcrawl.cli.reference > docs/cli.md
"""

import ast
import inspect
import textwrap
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import typer

from graphcrawl.errors import Exit

_EXITS = {
    Exit.DONE: "done; pages that failed are no error",
    Exit.UNEXPECTED: "something unexpected; the traceback is in the log",
    Exit.USAGE: "the command line, a setting or an input file is wrong",
    Exit.NEO4J: "Neo4j: unreachable, refuses us, lacks something, holds something else",
    Exit.NOTHING_FETCHED: "nothing could be fetched",
    Exit.INTERRUPTED: "stopped by Ctrl-C; nothing is lost",
    Exit.TERMINATED: "stopped by SIGTERM; nothing is lost",
}
_VALUES = {int: "N", float: "NUMBER", str: "TEXT", Path: "FILE", bool: ""}
_HEAD = """\
# Commands, settings and queries

Written from the code by `python -m graphcrawl.cli.reference`; a test compares. Begin with the
[README](../README.md), or with [ten things people do first](HOWTO.md).

Data goes to stdout; progress, hints and errors go to stderr. A terminal gets a table, a pipe
gets tab-separated lines; `--json`, `--jsonl` and `--csv` choose. `--log-json` makes stderr one JSON
object a line: `at`, `level`, `logger`, `message`, and `hint`, `traceback` or the numbers of a
crawl's progress. `NO_COLOR` switches colours off; where stderr is no terminal there is no bar, but
a line every 10 s. `graphcrawl --install-completion` teaches your shell the names of queries, hosts,
states, orders, rules and graphs.

## Exit codes
| code | meaning |
|---|---|"""
_SETTINGS = """\
Each may stand in `graphcrawl.toml` of the folder, in the user's `config.toml`, or in the
environment; a flag wins over the environment, that over the folder's file, that over the user's.
`graphcrawl config show` says what holds and why, `graphcrawl config path` where the files are.
`NEO4J_URI`, `NEO4J_USERNAME`, `NEO4J_PASSWORD` and `NEO4J_DATABASE` name a Neo4j of your own;
`GRAPHCRAWL_HOME` moves all files.
"""


def text() -> str:
    """Return the whole page."""
    root = typer.main.get_command(_app())
    commands = list(_commands(root))
    lines = [_HEAD, *(f"| {code.value} | {meaning} |" for code, meaning in _EXITS.items())]
    lines += ["", "## Options of every command", *_options(root), "", "## Commands"]
    for path, command in commands:
        lines += ["", *_command(path, command)]
    lines += ["", *_settings(), "", *_queries(), ""]
    return "\n".join(lines)


def _app() -> typer.Typer:
    from graphcrawl.cli import app

    return app


def _commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if command.hidden:
            continue
        if hasattr(command, "commands"):
            yield from _commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


def _command(path: str, command: Any) -> Iterator[str]:
    help_text = inspect.cleandoc(command.help or "").replace("\f", "")
    about, _, examples = help_text.partition("Examples:")
    yield f"### graphcrawl {path}"
    arguments = [
        p.metavar or p.name.upper() for p in command.params if p.param_type_name == "argument"
    ]
    yield f"`graphcrawl {' '.join([path, '[OPTIONS]', *arguments])}`"
    yield ""
    yield _escaped(about.strip())
    if examples:
        yield ""
        yield "```"
        yield textwrap.dedent(examples.strip("\n")).strip()
        yield "```"
    yield from _options(command)
    if keys := _json_keys().get(path):
        yield ""
        yield f"Keys of `--json` ({keys[0]}):"
        yield ""
        yield from _fields(keys[1])


def _options(command: Any) -> Iterator[str]:
    rows = [row for p in command.params if not getattr(p, "hidden", False) if (row := _option(p))]
    if rows:
        yield ""
        yield "| option | what it does |"
        yield "|---|---|"
        yield from rows


def _option(parameter: Any) -> str:
    if parameter.name in ("help", "install_completion", "show_completion"):
        return ""
    if parameter.param_type_name == "argument":
        name = f"`{parameter.metavar or parameter.name.upper()}`"
    else:
        names = ", ".join(f"`{o}`" for o in sorted(parameter.opts, key=len, reverse=True))
        takes = not parameter.is_flag and not getattr(parameter, "count", False)
        name = f"{names} {_escaped(_value(parameter))}" if takes else names
    default = parameter.default
    shown = default is not None and not isinstance(default, bool) and not callable(default)
    tail = (
        f" Default: {default}."
        if shown and default not in ("", ".", 0, [], ()) and "Default" not in (parameter.help or "")
        else ""
    )
    return f"| {name.strip()} | {_escaped((parameter.help or '') + tail)} |"


def _value(parameter: Any) -> str:
    """Say what an option takes."""
    kind = parameter.type_descriptor.annotation
    choices = "|".join(map(str, get_args(kind)))
    return parameter.metavar or _VALUES.get(kind) or choices or "TEXT"


def _json_keys() -> dict[str, tuple[str, Any]]:
    from graphcrawl import hosts, joblist, look

    return {
        "status": ("`graph`, and", look.Status),
        "pages": ("a list of", look.PageRow),
        "feeds": ("a list of", look.FeedRow),
        "jobs": ("a list of", joblist.JobRow),
        "hosts list": ("a list of", hosts.HostRow),
    }


def _fields(kind: Any) -> Iterator[str]:
    yield "| key | type | meaning |"
    yield "|---|---|---|"
    yield from _field_rows(kind, "")


def _field_rows(kind: Any, prefix: str) -> Iterator[str]:
    types, notes = get_type_hints(kind), _comments(kind)
    for field in fields(kind):
        inner = next((t for t in _parts(types[field.name]) if is_dataclass(t)), None)
        many = get_origin(types[field.name]) is tuple
        name = f"{prefix}{field.name}{'[]' if many and inner else ''}"
        note = _escaped(notes.get(field.name, ""))
        yield f"| `{name}` | {_type_name(types[field.name])} | {note} |"
        if inner is not None:
            yield from _field_rows(inner, f"{name}.")


def _parts(kind: Any) -> Iterator[Any]:
    if get_origin(kind) in (Union, UnionType, tuple):
        for part in get_args(kind):
            yield from _parts(part)
    else:
        yield kind


def _type_name(kind: Any) -> str:
    names = {"str": "text", "int": "whole number", "float": "number", "bool": "true or false",
             "datetime": "time, UTC", "NoneType": "null"}  # fmt: skip
    if get_origin(kind) is tuple:
        inner = next(iter(_parts(kind)))
        return "list" if is_dataclass(inner) else f"list of {_type_name(inner)}"
    found = [
        "object" if is_dataclass(part) else names.get(part.__name__, "text")
        for part in _parts(kind)
        if part is not Ellipsis
    ]
    return " or ".join(dict.fromkeys(found))


def _comments(kind: Any) -> dict[str, str]:
    """Return the comment beside each field of a dataclass, continued on lines of their own."""
    source = textwrap.dedent(inspect.getsource(kind))
    lines = source.splitlines()
    notes = {}
    for node in ast.parse(source).body[0].body:  # type: ignore[attr-defined]
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            _, mark, note = lines[(node.end_lineno or 1) - 1].partition("  # ")
            if mark:
                notes[node.target.id] = note.strip()
    return notes


def _settings() -> Iterator[str]:
    from graphcrawl.config import Settings
    from graphcrawl.misset import names_of
    from graphcrawl.sources import variable_of

    yield "## Settings"
    yield _SETTINGS
    yield "| setting | variable | default | meaning |"
    yield "|---|---|---|---|"
    for name in names_of(Settings):
        field: Any = None
        model: Any = Settings
        for part in name.split("."):
            field = model.model_fields[part]
            model = field.annotation
        default = _escaped(_default(field))
        meaning = _escaped(field.description or "")
        yield f"| `{name}` | `{variable_of(name)}` | {default} | {meaning} |"


def _default(field: Any) -> str:
    value = field.default
    if value is None or value in ((), {}):
        return "–"
    if isinstance(value, tuple):
        return f"{len(value)} entries" if len(value) > 3 else ", ".join(map(str, value))
    return f"{value}"


def _queries() -> Iterator[str]:
    from graphcrawl import look

    yield "## Saved queries"
    yield "`graphcrawl query run NAME -P key=value` runs one, `graphcrawl query show NAME` prints"
    yield "it, and Neo4j Browser takes them as favourites."
    for saved in look.saved_queries():
        yield ""
        yield f"### {saved.name}"
        yield f"{_escaped(saved.title)}. Returns {_escaped(saved.returns)}."
        if saved.parameters:
            yield ""
            yield "| parameter | type | default | meaning |"
            yield "|---|---|---|---|"
        for p in saved.parameters.values():
            default = "must be given" if p.required else f"`{p.default}`"
            yield f"| `{p.name}` | {_escaped(p.type)} | {default} | {_escaped(p.meaning)} |"


def _escaped(text: str) -> str:
    """Write text so that no table breaks and no word is taken for markup."""
    one_line = text if "\n\n" in text else " ".join(text.split())
    return one_line.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


if __name__ == "__main__":
    print(text(), end="")
