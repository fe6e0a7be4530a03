"""The one grammar of filters: `host=a.example reward>10 title~nurse`, terms joined by "and".

A term is a field, an operator and a value; quote a value that has blanks. Terms become parameters
of fixed statements (`look/pages`, `look/jobs`), never Cypher text, so a filter cannot inject
anything. Pages and jobs have fields of their own.
"""

import difflib
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, cast

from graphcrawl.errors import UsageError
from graphcrawl.states import State


class Kind(StrEnum):
    """What a field holds, which decides on its operators and on how a value is read."""

    TEXT = "text"
    NUMBER = "number"
    COUNT = "whole number"
    BYTES = "size"
    TIME = "time"
    LABEL = "label"
    FLAG = "yes or no"
    GRANT = "rule"
    MEMBER = "one of several"
    PRESENT = "yes, or no where it has none"


@dataclass(frozen=True, slots=True)
class Field:
    """One thing to filter by."""

    kind: Kind
    property: str  # on the neuron; the label itself where the kind is FLAG
    meaning: str


@dataclass(frozen=True, slots=True)
class Term:
    """One condition, as `look/pages` and `look/jobs` take it."""

    op: str
    property: str
    value: str | float | int | datetime

    def as_parameter(self) -> dict[str, Any]:
        """Return the map that goes to Neo4j."""
        return {"op": self.op, "property": self.property, "value": self.value}


FIELDS: dict[str, Field] = {
    "url": Field(Kind.TEXT, "url", "canonical URL"),
    "host": Field(Kind.TEXT, "host", "name, and port where it is not the scheme's own"),
    "title": Field(Kind.TEXT, "title", "title of the page"),
    "language": Field(Kind.TEXT, "language", "language code"),
    "content_type": Field(Kind.TEXT, "contentType", "media type"),
    "reason": Field(Kind.TEXT, "reason", "why a page failed or was left out"),
    "error": Field(Kind.TEXT, "error", "what went wrong, in words"),
    "reward": Field(Kind.NUMBER, "reward", "neural reward"),
    "base_reward": Field(Kind.NUMBER, "baseReward", "sum of the page's grants"),
    "priority": Field(Kind.NUMBER, "priority", "place in the frontier"),
    "strength": Field(Kind.NUMBER, "strength", "weight of all axons"),
    "depth": Field(Kind.COUNT, "depth", "links from a seed"),
    "in_links": Field(Kind.COUNT, "inLinks", "pages that link here"),
    "status": Field(Kind.COUNT, "status", "HTTP status"),
    "tries": Field(Kind.COUNT, "tries", "requests so far"),
    "bytes": Field(Kind.BYTES, "bytes", "size of the body, as in 20KiB"),
    "fetched_at": Field(Kind.TIME, "fetchedAt", "ISO date or time, UTC"),
    "discovered_at": Field(Kind.TIME, "discoveredAt", "ISO date or time, UTC"),
    "state": Field(Kind.LABEL, "", ", ".join(State)),
    "seed": Field(Kind.FLAG, "Seed", "a seed"),
    "feed": Field(Kind.FLAG, "JobFeed", "a recognised job feed"),
    "needs_script": Field(Kind.FLAG, "NeedsScript", "a page that is empty without scripts"),
    "rewarded": Field(Kind.FLAG, "Rewarded", "a rule paid for it"),
    "wish": Field(Kind.MEMBER, "wishes", "of the page's owner, such as noindex or noai"),
    "reserved": Field(Kind.PRESENT, "reserved", "its owner reserves data mining or AI training"),
    "rule": Field(Kind.GRANT, "grants", "name of a rule that paid for it"),
}
JOB_FIELDS: dict[str, Field] = {
    "id": Field(Kind.TEXT, "key", "stable id"),
    "title": Field(Kind.TEXT, "title", "what the job is called"),
    "company": Field(Kind.TEXT, "company", "who offers it"),
    "place": Field(Kind.TEXT, "place", "where it is, normalised"),
    "country": Field(Kind.TEXT, "country", "country, normalised"),
    "region": Field(Kind.TEXT, "region", "state or province"),
    "city": Field(Kind.TEXT, "city", "town"),
    "url": Field(Kind.TEXT, "url", "page of the job"),
    "feed": Field(Kind.TEXT, "feed", "URL of the feed that lists it"),
    "description": Field(Kind.TEXT, "description", "its text"),
    "posted": Field(Kind.TIME, "posted", "ISO date or time, UTC"),
    "first_seen_at": Field(Kind.TIME, "firstSeenAt", "ISO date or time, UTC"),
    "last_seen_at": Field(Kind.TIME, "lastSeenAt", "ISO date or time, UTC"),
    "changed_at": Field(Kind.TIME, "changedAt", "ISO date or time, UTC"),
    "employment": Field(Kind.TEXT, "employment", "full-time and the like, as written"),
    "salary": Field(Kind.TEXT, "salary", "as written"),
    "closes": Field(Kind.TIME, "closes", "ISO date or time, UTC"),
    "gone_at": Field(Kind.TIME, "goneAt", "ISO date or time, UTC"),
    "gone": Field(Kind.PRESENT, "goneAt", "a whole reading did not list it any more"),
}
HOST_FIELDS: dict[str, Field] = {
    "host": Field(Kind.TEXT, "name", "name, and port where it is not the scheme's own"),
    "requests": Field(Kind.COUNT, "requests", "for pages that were not known"),
    "delay_s": Field(Kind.NUMBER, "delayS", "seconds between two requests"),
    "latency_s": Field(Kind.NUMBER, "latencyS", "seconds that it takes to answer"),
    "failures": Field(Kind.COUNT, "failures", "in a row"),
    "refusals": Field(Kind.COUNT, "refusals", "429 and 503 that it is not forgiven yet"),
    "trouble": Field(Kind.TEXT, "trouble", "what was wrong with its last answer"),
    "parked_until": Field(Kind.TIME, "parkedUntil", "ISO date or time, UTC"),
    "blocked": Field(Kind.PRESENT, "blockedAt", "not to be asked, by hand"),
}
OPERATORS = ("!=", ">=", "<=", "=", ">", "<", "~")

_HAS_ORDER = (Kind.TEXT, Kind.NUMBER, Kind.COUNT, Kind.BYTES, Kind.TIME)
SORTABLE = tuple(name for name, field in FIELDS.items() if field.kind in _HAS_ORDER)

_MAX_INTEGER = 2**63  # of Neo4j, and above
_ORDERED = ("=", "!=", ">", ">=", "<", "<=")
_ALLOWED: dict[Kind, tuple[str, ...]] = {
    Kind.TEXT: ("=", "!=", "~"),
    Kind.NUMBER: _ORDERED,
    Kind.COUNT: _ORDERED,
    Kind.BYTES: _ORDERED,
    Kind.TIME: _ORDERED,
    Kind.LABEL: ("=", "!="),
    Kind.FLAG: ("=", "!="),
    Kind.GRANT: ("=", "!="),
    Kind.MEMBER: ("=", "!="),
    Kind.PRESENT: ("=", "!="),
}
_FLAGS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
_TERM = re.compile(
    r"""\s* (?P<field>[A-Za-z_]+) \s* (?P<op>!=|>=|<=|=|>|<|~) \s*
        (?: "(?P<double>[^"]*)" | '(?P<single>[^']*)' | (?P<bare>[^\s"']\S*) ) (?= \s | $ )""",
    re.VERBOSE,
)


def parse(expressions: Iterable[str], fields: Mapping[str, Field] = FIELDS) -> tuple[Term, ...]:
    """Read filters; all their terms must hold.

    Args:
        expressions: What `--where` was given, each with one or more terms.
        fields: What may be filtered by: `FIELDS` of pages, or `JOB_FIELDS`.

    Raises:
        UsageError: An unknown field, an operator or value that does not fit it, or no term at all.
    """
    return tuple(term for text in expressions for term in _terms(text, fields))


def sort_property(name: str) -> tuple[str, bool]:
    """Return the property behind a field to sort by, and whether its greatest come first.

    Raises:
        UsageError: There is no such field, or it has no order.
    """
    if name not in SORTABLE:
        raise UsageError(f"Cannot sort by {name!r}.", _nearest(name, SORTABLE))
    field = FIELDS[name]
    return field.property, field.kind is not Kind.TEXT and name != "depth"


def _terms(text: str, fields: Mapping[str, Field]) -> list[Term]:
    terms: list[Term] = []
    rest = text.strip()
    while rest:
        match = _TERM.match(rest)
        if match is None:
            raise UsageError(
                f"Cannot read the filter at {rest!r}.",
                f"Write FIELD OPERATOR VALUE, such as {_example(fields)}; "
                f"operators: {' '.join(OPERATORS)}",
            )
        value = next(v for v in match.group("double", "single", "bare") if v is not None)
        terms.append(_term(match["field"], match["op"], value, fields))
        rest = rest[match.end() :].strip()
    if not terms:
        raise UsageError("The filter is empty.", f"Write a term such as {_example(fields)}")
    return terms


def _example(fields: Mapping[str, Field]) -> str:
    return "reward>10" if "reward" in fields else "country=DE"


def _term(name: str, op: str, value: str, fields: Mapping[str, Field]) -> Term:
    field = fields.get(name)
    if field is None:
        raise UsageError(f"There is no field {name!r} to filter by.", _nearest(name, fields))
    allowed = _ALLOWED[field.kind]
    if op not in allowed:
        raise UsageError(
            f"The field {name!r} ({field.kind}) cannot be compared by {op!r}.",
            f"It takes: {' '.join(allowed)}",
        )
    try:
        return _compiled(field, op, value)
    except ValueError as error:
        raise UsageError(
            f"The field {name!r} does not take {value!r}: {error}.", f"{name}: {field.meaning}"
        ) from error


def _compiled(field: Field, op: str, value: str) -> Term:
    """Turn a term into one that the statement knows; labels and grants have ops of their own."""
    if field.kind is Kind.GRANT:
        return Term("grant" if op == "=" else "no grant", field.property, value)
    if field.kind is Kind.MEMBER:
        return Term("has" if op == "=" else "has not", field.property, value.lower())
    if field.kind is Kind.LABEL:
        if value.lower() not in set(State):
            raise ValueError("it is a state")
        label = value.capitalize()
        return Term("label" if op == "=" else "no label", "", label)
    if field.kind in (Kind.FLAG, Kind.PRESENT):
        if value.lower() not in _FLAGS:
            raise ValueError("it is yes or no")
        wanted = _FLAGS[value.lower()] == (op == "=")
        if field.kind is Kind.PRESENT:
            return Term("present" if wanted else "absent", field.property, "")
        return Term("label" if wanted else "no label", "", field.property)
    return Term(op, field.property, _READERS[field.kind](value))


def _read_number(value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError("it is a number")
    return number


def _read_count(value: str) -> int:
    try:
        number = _read_number(value)
    except ValueError:
        number = math.nan
    if not (number.is_integer() and abs(number) < _MAX_INTEGER):
        raise ValueError("it is a whole number")
    return int(number)


def _read_bytes(value: str) -> int:
    from graphcrawl.setting_values import parse_size_bytes  # noqa: PLC0415 - slow to import, for --help

    return cast("int", parse_size_bytes(value))  # of a string it makes an integer or a ValueError


def _read_time(value: str) -> datetime:
    try:
        time = datetime.fromisoformat(value)
    except ValueError:
        raise ValueError("it is a date such as 2026-01-31 or 2026-01-31T12:00") from None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


_READERS: dict[Kind, Callable[[str], str | float | int | datetime]] = {
    Kind.TEXT: str,
    Kind.NUMBER: _read_number,
    Kind.COUNT: _read_count,
    Kind.BYTES: _read_bytes,
    Kind.TIME: _read_time,
}


def _nearest(name: str, known: Iterable[str]) -> str:
    names = list(known)
    near = difflib.get_close_matches(name.lower(), names, n=1, cutoff=0.6)
    guess = f"Did you mean {near[0]}?  " if near else ""
    return f"{guess}Fields: {', '.join(names)}"
