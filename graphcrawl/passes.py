"""Filters of `where` on pages that are not in the graph: rows of an archive.

The same answers as `look/passes.part` gives on neurons, where a comparison with what is not there,
or is of another type, does not hold.
"""

import operator
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

from graphcrawl.where import Term


def passes(terms: Iterable[Term], labels: Collection[str], properties: Mapping[str, Any]) -> bool:
    """Tell whether all terms hold for a page.

    Args:
        terms: What `where.parse` made of a filter.
        labels: The page's.
        properties: The page's, times as `datetime`.
    """
    return all(_holds(term, labels, properties) for term in terms)


def _holds(term: Term, labels: Collection[str], properties: Mapping[str, Any]) -> bool:
    has, wanted = properties.get(term.property), term.value
    match term.op:
        case "label" | "no label":
            return (wanted in labels) == (term.op == "label")
        case "grant" | "no grant":
            names = {part[1] for grant in has or () if len(part := grant.split(" ")) > 1}
            return (wanted in names) == (term.op == "grant")
        case "has" | "has not":
            return (wanted in (has or ())) == (term.op == "has")
        case "present" | "absent":
            return (has is not None) == (term.op == "present")
        case _:
            return _compares(term.op, has, wanted)


def _compares(op: str, has: Any, wanted: Any) -> bool:
    if _kind(has) != _kind(wanted):
        return op == "!="  # also where there is nothing
    return bool(_COMPARE[op](has, wanted))


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "~": lambda has, wanted: wanted.lower() in has.lower(),
}


def _kind(value: object) -> str:
    """Return what Cypher compares a value with: only its like."""
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, datetime):
        return "time"
    return "text" if isinstance(value, str) else "none"
