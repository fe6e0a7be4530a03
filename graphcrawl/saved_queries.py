"""The saved queries: which there are, and what values they take. Prints nothing."""

import difflib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graphcrawl import queries
from graphcrawl.errors import QueryError
from graphcrawl.queries import Parameter, Statement

ANALYSTS = ("explore/", "search/")  # the folders of queries that are made for people


def listed(*, everything: bool = False) -> list[Statement]:
    """Return the saved queries: those made for people, or every statement there is."""
    return [queries.load(name) for name in queries.names() if everything or _is_public(name)]


def find(name: str) -> Statement:
    """Return a saved query by its full name, or by its last part where only one has it.

    Raises:
        QueryError: There is none.
    """
    known = queries.names()
    short = [full for full in known if full.rpartition("/")[2] == name and _is_public(full)]
    if name in known or len(short) == 1:
        return queries.load(name if name in known else short[0])
    public = [full.rpartition("/")[2] for full in known if _is_public(full)]
    among = known if "/" in name else public
    near = difflib.get_close_matches(name, among, n=1, cutoff=0.5)
    hint = f"Did you mean {near[0]}?  " if near else ""
    raise QueryError(
        f"There is no saved query {name!r}.", f"{hint}List them: graphcrawl query list"
    )


def read_parameters(statement: Statement, given: Sequence[str]) -> dict[str, Any]:
    """Turn `key=value` words into values of the types that a query declares.

    Args:
        statement: The query.
        given: Words such as `limit=10`; lists and maps are JSON.

    Raises:
        QueryError: No `=`, an unknown key, a value of the wrong type, or a parameter is missing.
    """
    values: dict[str, Any] = {}
    for word in given:
        key, equals, text = word.partition("=")
        parameter = statement.parameters.get(key.removeprefix("$"))
        if not equals:
            raise QueryError(f"Cannot read the parameter {word!r}.", "Write it as -P key=value")
        if parameter is None:
            raise QueryError(
                f"Query {statement.name!r} has no parameter {key!r}.", _takes(statement)
            )
        values[parameter.name] = _value(statement, parameter, text)
    for name, parameter in statement.parameters.items():
        if parameter.required and name not in values:
            raise QueryError(
                f"Query {statement.name!r} needs ${name} ({parameter.meaning}).",
                f"Add -P {name}={parameter.type}",
            )
    return values


def _value(statement: Statement, parameter: Parameter, text: str) -> Any:
    try:
        match parameter.type:
            case "STRING":
                return text
            case "INTEGER":
                number = int(text)
                if parameter.name == "limit" and number < 0:
                    raise ValueError
                return number
            case "FLOAT":
                return float(text)
            case "DATETIME":
                return datetime.fromisoformat(text)
            case _:
                return json.loads(text)
    except ValueError as error:
        raise QueryError(
            f"Parameter ${parameter.name} of {statement.name!r} is {parameter.type}, not {text!r}.",
            _takes(statement),
        ) from error


def _takes(statement: Statement) -> str:
    takes = ", ".join(f"${p.name} {p.type}" for p in statement.parameters.values())
    return f"It takes: {takes}" if takes else "It takes none."


def _is_public(name: str) -> bool:
    return name.startswith(ANALYSTS)


def parameters_of(statement: Statement) -> list[Mapping[str, Any]]:
    """Return a query's parameters as rows: name, type, default, meaning."""
    return [
        {
            "name": p.name,
            "type": p.type,  # of Cypher
            "required": p.required,
            "default": p.default,
            "meaning": p.meaning,
        }
        for p in statement.parameters.values()
    ]
