"""What goes to stderr: lines for people, or with `--log-json` one JSON object a line for programs.

Each object has `at` (ISO 8601, UTC), `level` (info, warning, error), `logger` and `message`;
errors of commands have a `hint`, progress of a crawl has its numbers, tracebacks are `traceback`.
"""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any

from graphcrawl.cli.words import harmless, to_json

_LEVELS = {-1: logging.ERROR, 0: logging.WARNING, 1: logging.INFO}
_state = {"json": False}


def configure(verbosity: int, *, as_json: bool = False) -> None:
    """Send log records of graphcrawl to stderr: warnings, with -v information, with -vv all."""
    _state["json"] = as_json
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Json() if as_json else _Harmless("%(levelname)s %(name)s: %(message)s"))
    logger = logging.getLogger("graphcrawl")
    logger.handlers[:] = [handler]
    logger.setLevel(_LEVELS.get(verbosity, logging.DEBUG))


def as_json() -> bool:
    """Tell whether programs read stderr."""
    return _state["json"]


def write(level: str, message: str, **more: Any) -> None:
    """Write one JSON line to stderr."""
    print(_line(datetime.now(UTC), level, "graphcrawl", message, more), file=sys.stderr, flush=True)


def _line(at: datetime, level: str, logger: str, message: str, more: dict[str, Any]) -> str:
    stamp = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    entry = {"at": stamp, "level": level, "logger": logger, "message": harmless(message), **more}
    try:
        return to_json(entry)
    except (TypeError, ValueError):  # a log line is never lost for what stands in it
        return json.dumps({key: str(value) for key, value in entry.items()})


class _Harmless(logging.Formatter):
    """Writes records, and the tracebacks below them, without what a terminal would obey."""

    def format(self, record: logging.LogRecord) -> str:
        return harmless(super().format(record))


class _Json(logging.Formatter):
    """Writes records as JSON objects."""

    def format(self, record: logging.LogRecord) -> str:
        more = (
            {"traceback": harmless(self.formatException(record.exc_info))}
            if record.exc_info
            else {}
        )
        at = datetime.fromtimestamp(record.created, UTC)
        return _line(at, record.levelname.lower(), record.name, record.getMessage(), more)
