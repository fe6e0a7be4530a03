"""Turns whatever goes wrong into one line, a hint and an exit code. No traceback reaches users."""

import difflib
import errno
import logging
import sys
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import typer
from typer.exceptions import Abort, TyperException

from graphcrawl.cli import output
from graphcrawl.cli.words import harmless
from graphcrawl.errors import Exit, GraphcrawlError

_FULL = (errno.ENOSPC, errno.EDQUOT)
LOG_NAME = "graphcrawl.log"
_log = logging.getLogger(__name__)


def report(error: BaseException, *, verbose: bool = False) -> int:
    """Print what went wrong on stderr and return the exit code.

    Args:
        error: What a command raised; groups of a TaskGroup are looked into.
        verbose: Print the traceback of an unexpected error too.
    """
    known = next((e for e in _flat(error) if isinstance(e, GraphcrawlError)), None)
    if known is not None:
        output.error(known.message, known.hint)
        return known.exit_code
    if isinstance(error, TyperException):
        return _report_usage(error)
    if isinstance(error, Abort):  # Ctrl-C, or end of input at a question
        if not isinstance(error.__cause__, KeyboardInterrupt):
            output.error("Stopped at the question; nothing was changed.")
        return Exit.INTERRUPTED
    if was_cancelled(error):
        return Exit.TERMINATED
    if isinstance(error, BrokenPipeError):
        return Exit.UNEXPECTED
    return _report_unexpected(next(iter(_flat(error))), error, verbose)


def was_cancelled(error: BaseException) -> bool:
    """Tell whether SIGTERM cancelled the command, see `session.run`."""
    asyncio = sys.modules.get("asyncio")  # slow to import, and not needed for `--help`
    return asyncio is not None and isinstance(error, asyncio.CancelledError)


def _flat(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _flat(inner)
    else:
        yield error


def _report_usage(error: TyperException) -> int:
    """Print a mistake on the command line, with the nearest name instead of the usage text."""
    context = getattr(error, "ctx", None)
    message = error.format_message().replace(": Value error, ", ": ")  # pydantic's word
    hint = "See what there is: graphcrawl --help"
    if context is not None:
        hint = f"See what it takes: {context.command_path} --help"
        typo = getattr(error, "option_name", None)
        if typo is not None and message.startswith("No such option"):
            message = f"No such option: {typo}"
            near = difflib.get_close_matches(typo, sorted(_options(context)), n=1, cutoff=0.5)
            hint = f"Did you mean {near[0]}?  {hint}" if near else hint
    if message:  # empty when the help was printed because no command was given
        output.error(message if message.endswith((".", "?")) else f"{message}.", hint)
    return Exit.USAGE


def _options(context: typer.Context) -> set[str]:
    """Return all long options of a command and of the commands above it."""
    names: set[str] = set()
    level: typer.Context | None = context
    while level is not None:
        for parameter in level.command.params:
            names.update(o for o in parameter.opts if o.startswith("--"))
        level = level.parent  # type: ignore[assignment]
    return names


def _report_unexpected(first: BaseException, whole: BaseException, verbose: bool) -> int:
    if isinstance(first, OSError) and first.errno in _FULL:
        what = f" {first.filename}" if first.filename else ""
        output.error(f"Cannot write{what}: {first.strerror}.", "Make room, then repeat it.")
        return Exit.UNEXPECTED
    text = harmless("".join(traceback.format_exception(whole)))
    log = _write_log(text)
    if verbose:
        output.note(text.rstrip())
    summary = str(first).splitlines()
    what = f"{type(first).__name__}: {summary[0]}" if summary else type(first).__name__
    where = f"The traceback is in {log}" if log else "See the traceback: repeat it with -v"
    output.error(f"Unexpected: {what}", where)
    return Exit.UNEXPECTED


def _write_log(text: str) -> Path | None:
    """Append to the log and return its path; None when the folder cannot be written."""
    from graphcrawl.config import Paths

    path = Paths.locate().state / LOG_NAME
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as log:
            log.write(f"--- {datetime.now(UTC).isoformat(timespec='seconds')}\n{text}\n")
    except OSError:
        return None
    return path
