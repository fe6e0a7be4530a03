"""What `--json` prints, key by key, for `docs/cli.md`: read from the code that makes it.

A document is a dataclass, or a dict that a function writes down; the comment beside a field or a
key is its meaning.
"""

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

NOTE = "  # "
Row = tuple[str, str, str]  # key, type where it is known, meaning


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a document, or the whole."""

    made_by: Any  # a dataclass, or a function with a dict of it
    below: str = ""  # the key that it stands below, with a dot at its end


@dataclass(frozen=True, slots=True)
class Shape:
    """What a command prints with --json."""

    parts: tuple[Part | Any, ...]
    is_list: bool = False
    when: str = ""  # with which options, where there are several


def shapes() -> Mapping[str, tuple[Shape, ...]]:
    """Return the documents of each command by the words that name it."""
    from graphcrawl import (
        checks,
        control,
        dictionary,
        evaluate,
        explain,
        foresee,
        forget,
        hosts,
        joblist,
        look,
        robots_check,
        saved_queries,
        simulate,
    )
    from graphcrawl.cli import (
        browse,
        check_page,
        check_score,
        config,
        db,
        db_files,
        demo,
        export,
        live,
        model,
        query,
        seed,
        start,
        watch,
        workers,
    )
    from graphcrawl.cli import evaluate as evaluate_cli
    from graphcrawl.cli import hosts as hosts_cli
    from graphcrawl.cli import look as look_cli
    from graphcrawl.doctor.check import Check
    from graphcrawl.judging import Piece
    from graphcrawl.rewards.change import ModeChange
    from graphcrawl.rewards.distribute import DistributionReport, Forecast
    from graphcrawl.rewards.prune import PrunePreview, PruneReport, UndoReport
    from graphcrawl.scoring.quality import QualityStats

    return {
        "demo": (Shape((demo.summary,)),),
        "doctor": (Shape((start.doctor, Part(Check, "checks[]."), Part(Forecast, "reward."))),),
        "db up": (Shape((db._row,)),),
        "db status": (Shape((db._row,)),),
        "db backup": (Shape((db_files.backup,)),),
        "db restore": (Shape((db_files.restore,)),),
        "db compact": (Shape((db_files.compact,)),),
        "db list": (Shape((db._row,), is_list=True),),
        "db schema": (Shape((dictionary._row,), is_list=True),),
        "config show": (Shape((config._row,), is_list=True),),
        "config path": (Shape((config.path,), is_list=True),),
        "seed": (Shape((seed.seed,)),),
        "crawl": (Shape((live.summary,)),),
        "work": (Shape((live.summary,)),),
        **{word: (Shape((workers._say, control.Heard)),) for word in ("pause", "resume", "stop")},
        "plan": (
            Shape(
                (foresee.Foresight, Part(simulate.Harvest, "simulation[].")),
            ),
        ),
        "retry": (Shape((hosts_cli.retry,)),),
        "evaluate": (Shape((evaluate.EvaluationReport, evaluate_cli._document)),),
        "propagate": (
            Shape((DistributionReport,)),
            Shape((ModeChange,), when="`--mode` without `--apply`"),
        ),
        "prune": (
            Shape((PrunePreview,)),
            Shape((PruneReport,), when="`--apply`"),
            Shape((UndoReport,), when="`--undo`"),
        ),
        "forget": (Shape((forget.ForgetReport,)),),
        "status": (
            Shape((look_cli.status, look.Status)),
            Shape((watch.document,), when="`--watch --jsonl`, a line a look"),
        ),
        "pages": (Shape((look.PageRow,), is_list=True),),
        "hosts list": (Shape((hosts.HostRow,), is_list=True),),
        "hosts block": (Shape((hosts_cli._document,)),),
        "hosts unblock": (Shape((hosts_cli._document,)),),
        "feeds": (Shape((look.FeedRow,), is_list=True),),
        "jobs": (Shape((joblist.JobRow,), is_list=True),),
        "explain": (Shape((explain.Explanation,)),),
        "check robots": (Shape((robots_check.Explanation,)),),
        "check url": (Shape((checks.UrlCheck,), is_list=True),),
        "check page": (Shape((check_page._document,)),),
        "check score": (Shape((check_score._document, Part(Piece, "pieces[]."))),),
        "query list": (Shape((query.list_queries,), is_list=True),),
        "query show": (Shape((query.show, Part(saved_queries.parameters_of, "parameters[]."))),),
        "browse": (Shape((browse.browse,)), Shape((browse._packed,), when="`--export`")),
        "model show": (Shape((model._document, QualityStats)),),
        "export": (Shape((export._document,)),),
        "import": (Shape((export.import_,)),),
    }


# Commands whose keys are those of what they are asked to run.
FREE = {"query run": "The keys are the columns that the query returns, a list of one object a row."}


def tables(path: str) -> Iterator[str]:
    """Yield the lines of `docs/cli.md` that describe what a command prints with --json."""
    if path in FREE:
        yield ""
        yield FREE[path]
    for shape in shapes().get(path, ()):
        told = ", ".join(filter(None, [shape.when, "a list of" * shape.is_list]))
        yield ""
        yield f"Keys of `--json`{f' ({told})' if told else ''}:"
        yield ""
        found = list(rows(shape))
        typed = any(kind for _, kind, _ in found)
        yield "| key | type | meaning |" if typed else "| key | meaning |"
        yield "|---|---|---|" if typed else "|---|---|"
        for key, kind, note in found:
            meaning = re.sub(r"\bNone\b", "null", escaped(note))
            yield f"| `{key}` |{f' {kind} |' * typed} {meaning} |"


def rows(shape: Shape) -> Iterator[Row]:
    """Yield each key with its type and its meaning."""
    for part in shape.parts:
        made = part if isinstance(part, Part) else Part(part)
        if is_dataclass(made.made_by):
            yield from _field_rows(made.made_by, made.below)
        else:
            yield from _dict_rows(made.made_by, made.below)


def _field_rows(kind: Any, prefix: str) -> Iterator[Row]:
    types, notes = get_type_hints(kind), _comments(kind)
    for field in fields(kind):
        inner = next((t for t in _parts(types[field.name]) if is_dataclass(t)), None)
        many = get_origin(types[field.name]) is tuple
        name = f"{prefix}{field.name}{'[]' if many and inner else ''}"
        yield name, _type_name(types[field.name]), notes.get(field.name, "")
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
        "object"
        if is_dataclass(part) or get_origin(part) is dict
        else names.get(part.__name__, "text")
        for part in _parts(kind)
        if part is not Ellipsis
    ]
    return " or ".join(dict.fromkeys(found))


def _comments(kind: Any) -> dict[str, str]:
    """Return the comment beside each field of a dataclass, continued on lines of their own."""
    lines, tree = _source(kind)
    return {
        node.target.id: _note(lines, node)
        for node in tree.body  # type: ignore[attr-defined]
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }


def _dict_rows(function: Any, prefix: str) -> Iterator[Row]:
    """Yield the keys of the dicts that a function returns, prints or calls its document."""
    lines, tree = _source(function)
    for node in ast.walk(tree):
        if _makes_document(node):
            for found in _outermost(node):
                yield from _key_rows(found, prefix, lines)


def _makes_document(node: ast.AST) -> bool:
    if isinstance(node, ast.Assign):
        return any(isinstance(t, ast.Name) and t.id in ("document", "rows") for t in node.targets)
    return isinstance(node, ast.Return)


def _outermost(node: ast.AST) -> Iterator[ast.Dict]:
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.Dict):
            yield inner
        else:
            yield from _outermost(inner)


def _key_rows(made: ast.Dict, prefix: str, lines: list[str]) -> Iterator[Row]:
    for key, value in zip(made.keys, made.values, strict=True):
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            inner = [value] if isinstance(value, ast.Dict) else list(_outermost(value))
            inner = [found for found in inner if found.keys]
            many = "[]" if inner and isinstance(value, ast.ListComp) else ""
            yield f"{prefix}{key.value}{many}", "", _note(lines, key) or _note(lines, value)
            for found in inner:
                yield from _key_rows(found, f"{prefix}{key.value}{many}.", lines)


def _source(made_by: Any) -> tuple[list[str], ast.AST]:
    source = textwrap.dedent(inspect.getsource(made_by))
    return source.splitlines(), ast.parse(source).body[0]


def _note(lines: list[str], node: Any) -> str:
    """Return the comment at the end of a node's last line."""
    line: str = lines[node.end_lineno - 1]
    return line.partition(NOTE)[2].strip()


def escaped(text: str) -> str:
    """Write text so that no table breaks and no word is taken for markup."""
    one_line = text if "\n\n" in text else " ".join(text.split())
    return one_line.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
