"""How values are written for people and for JSON: rewards, times, graph values, strangers' text."""

import json
import math
import re
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphcrawl.works import Work


def to_json(value: Any, indent: int | None = None) -> str:
    """Write strict JSON: times as ISO 8601 in UTC, graph values as maps, NaN as a string.

    Characters that a terminal obeys are written as escapes, which JSON leaves free.
    """
    utf = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
    text = json.dumps(plain(value), ensure_ascii=not utf, indent=indent, allow_nan=False)
    return _UNPRINTABLE.sub(lambda m: m[0] if m[0] == "\n" else f"\\u{ord(m[0]):04x}", text)


def plain(value: Any) -> Any:
    """Turn a value that came from Neo4j into what JSON knows."""
    if hasattr(value, "to_native"):  # the driver's own times
        value = value.to_native()
    if isinstance(value, datetime):
        utc = value.astimezone(UTC) if value.tzinfo else value
        return utc.isoformat().replace("+00:00", "Z")
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """Make text of strangers safe for a terminal: no escape sequences, no changed direction."""
    return _UNPRINTABLE.sub(lambda m: " " if m[0] in "\t\r\n" else "\ufffd", text)


def harmless(text: str) -> str:
    """Take from text of strangers what a terminal obeys; tabs and line ends stay, as CSV has them.

    A file that is looked at by `cat` is on a terminal too.
    """
    return _UNPRINTABLE.sub(lambda m: m[0] if m[0] in "\t\r\n" else "\ufffd", text)


def points(value: float | None) -> str:
    """Write a reward: about four digits that matter, thousands grouped."""
    if value is None:
        return "–"
    size = abs(value)
    if size == 0 or size >= 1000:
        return f"{value:,.0f}"
    return f"{value:.2f}" if size >= 1 else f"{value:.4f}" if size >= 0.001 else f"{value:.1e}"


def count(value: int | None) -> str:
    """Write a whole number with grouped thousands."""
    return "–" if value is None else f"{value:,}"


def times(number: int) -> str:
    """Write how often: once, twice, 3 times."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def duration(seconds: float) -> str:
    """Write a length of time in its two largest units, or in seconds below a minute."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, hours, days = int(seconds // 60), int(seconds // 3600), int(seconds // 86400)
    if minutes < 60:
        return f"{minutes} min {int(seconds % 60)} s"
    return f"{hours} h {minutes % 60} min" if hours < 48 else f"{days} d {hours % 24} h"


def size(value_bytes: int) -> str:
    """Write a number of bytes in the unit that keeps it short."""
    value = float(value_bytes)
    for unit in ("B", "KiB", "MiB"):
        if value < 1024:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024
    return f"{value:.1f} GiB"


def cell(value: Any) -> str:
    """Write a value for a cell: a page as its URL, a path as pages with arrows, lists as JSON."""
    value = plain(value)
    if value is None or value == []:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict) and "url" in value:
        return str(value["url"])
    if isinstance(value, list) and _is_path(value):
        return " ".join("→" if isinstance(step, str) else cell(step) for step in value)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "; ".join(value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)


def _is_path(value: list[Any]) -> bool:
    """Tell whether a list is what the driver makes of a path: node, type, node, and so on."""
    nodes, types = value[::2], value[1::2]
    return (
        len(nodes) == len(types) + 1 > 1
        and all(isinstance(node, dict) and "url" in node for node in nodes)
        and all(isinstance(kind, str) for kind in types)
    )


def forgotten(seeds: int) -> str:
    """Say why seeds are left out that were forgotten on request."""
    some = "1 seed was" if seeds == 1 else f"{seeds:,} seeds were"
    return f"{some} forgotten on request, and will not be fetched again."


def works(ran: "Sequence[Work]", stale_s: float | None) -> str:
    """Say what ran beside a crawl last, how long that took, and how stale priorities may be."""
    now = datetime.now(UTC)
    parts = []
    for work in ran:
        if work.name not in ("distribute", "push", "order", "prune"):
            continue
        ago = duration(max((now - work.begun_at).total_seconds(), 0.0))
        share = "" if work.share is None else f", {work.share:.1%} of the time"
        parts.append(f"{work.what} {ago} ago, took {duration(work.seconds)}{share}")
    if parts and stale_s is not None:
        parts.append(f"priorities may be {duration(stale_s)} old")
    return "; ".join(parts)
