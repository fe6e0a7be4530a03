"""Writes `docs/cli.md`: every command, option, setting, JSON key and saved query, from the code.

python -m graphcrawl.cli.reference > docs/cli.md
"""

import inspect
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import typer

from graphcrawl.cli import reference_keys
from graphcrawl.cli.reference_keys import escaped
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
    yield escaped(about.strip())
    if examples:
        yield ""
        yield "```"
        yield textwrap.dedent(examples.strip("\n")).strip()
        yield "```"
    yield from _options(command)
    yield from reference_keys.tables(path)


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
        name = f"{names} {escaped(_value(parameter))}" if takes else names
    default = parameter.default
    shown = default is not None and not isinstance(default, bool) and not callable(default)
    tail = (
        f" Default: {default}."
        if shown and default not in ("", ".", 0, [], ()) and "Default" not in (parameter.help or "")
        else ""
    )
    return f"| {name.strip()} | {escaped((parameter.help or '') + tail)} |"


def _value(parameter: Any) -> str:
    """Say what an option takes."""
    kind = parameter.type_descriptor.annotation
    choices = "|".join(map(str, get_args(kind)))
    return parameter.metavar or _VALUES.get(kind) or choices or "TEXT"


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
        default = escaped(_default(field))
        meaning = escaped(field.description or "")
        yield f"| `{name}` | `{variable_of(name)}` | {default} | {meaning} |"


def _default(field: Any) -> str:
    value = field.default
    if value is None or value in ((), {}):
        return "–"
    if isinstance(value, tuple):
        return f"{len(value)} entries" if len(value) > 3 else ", ".join(map(str, value))
    return f"{value}"


def _queries() -> Iterator[str]:
    from graphcrawl import saved_queries

    yield "## Saved queries"
    yield "`graphcrawl query run NAME -P key=value` runs one, `graphcrawl query show NAME` prints"
    yield "it, and Neo4j Browser takes them as favourites."
    for saved in saved_queries.listed():
        yield ""
        yield f"### {saved.name}"
        yield f"{escaped(saved.title)}. Returns {escaped(saved.returns)}."
        if saved.parameters:
            yield ""
            yield "| parameter | type | default | meaning |"
            yield "|---|---|---|---|"
        for p in saved.parameters.values():
            default = "must be given" if p.required else f"`{p.default}`"
            yield f"| `{p.name}` | {escaped(p.type)} | {default} | {escaped(p.meaning)} |"


if __name__ == "__main__":
    print(text(), end="")
