"""Neo4j Browser for a crawl: the saved queries as its favourites, a style and a guide.

Nothing here needs a server. `graphcrawl browse` (cli/browse.py) opens Browser; the same files work
in the Browser of any Neo4j that holds a crawl.
"""

import html
import io
import json
import os
import re
import secrets
import zipfile
from contextlib import suppress
from importlib.resources import files
from pathlib import Path

from graphcrawl import saved_queries
from graphcrawl.errors import UsageError
from graphcrawl.queries import Statement

FOLDER = "graphcrawl"  # of the favourites, in Browser's sidebar
FAVOURITES, STYLE, GUIDE = "favourites.zip", "style.grass", "guide.html"
MOST_NODES = 300  # Browser draws no more at first (its setting initialNodeDisplay)
_TOKEN = re.compile(
    r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`|//[^\n]*|/\*.*?\*/|\$(?P<name>\w+)", re.S
)
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # the same files make the same archive


def favourites() -> dict[str, str]:
    """Return the saved queries as Browser keeps them: short name → text, ready to run."""
    return {s.name.rpartition("/")[2]: favourite(s) for s in saved_queries.listed()}


def favourite(statement: Statement) -> str:
    """Return a saved query with its defaults in place of its parameters.

    Browser knows no defaults, and draws no picture where `:param` and a query are sent together; so
    each value stands where it is used, with the parameter's name in a comment behind it. The first
    line is the title, which Browser shows as the favourite's name.
    """
    takes = [
        f"// To change: /* ${p.name} */ {json.dumps(p.default)}: {p.meaning}"
        for p in statement.parameters.values()
    ]
    lines = statement.text.rstrip().split("\n")
    while lines and lines[0].startswith("//"):
        lines.pop(0)
    head = [f"// {statement.title}", *takes, f"// Returns: {statement.returns}"]
    return "\n".join([*head, _inlined("\n".join(lines), statement)]) + "\n"


def _inlined(code: str, statement: Statement) -> str:
    def value(match: re.Match[str]) -> str:
        name = match["name"]
        if name is None:  # a string or a comment
            return match[0]
        return f"{json.dumps(statement.parameters[name].default)} /* ${name} */"

    return _TOKEN.sub(value, code)


def style() -> str:
    """Return the style in GraSS: colour and size by a page's labels, the most telling one last.

    Source: the parser of Neo4j Browser 5.24: no comments, no `:` or `;` within a value, and of all
    rules whose labels a node has, the later one wins.
    """
    return (files("graphcrawl.browse") / STYLE).read_text(encoding="utf-8")


def guide() -> str:
    """Return the guide, a page of HTML that needs nothing from elsewhere."""
    page = (files("graphcrawl.browse") / GUIDE).read_text(encoding="utf-8")
    rows = "\n".join(
        f"<tr><td>{html.escape(s.title)}</td><td><code>{s.name.rpartition('/')[2]}</code></td></tr>"
        for s in saved_queries.listed()
    )
    return page.replace("<!-- queries -->", rows)


def archive(*, whole: bool = True) -> bytes:
    """Return a zip file of the favourites, and with them, if `whole`, style and guide.

    Browser takes from it what ends in .cypher, in a folder of favourites.
    """
    entries = {f"{FOLDER}/{name}.cypher": text for name, text in favourites().items()}
    if whole:
        entries |= {STYLE: style(), GUIDE: guide()}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in entries.items():
            entry = zipfile.ZipInfo(name, _ZIP_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            file.writestr(entry, text)
    return packed.getvalue()


def export(target: Path) -> None:
    """Write the archive to a new file, whole or not at all.

    Raises:
        UsageError: The file exists, or cannot be written.
    """
    if target.exists() or target.is_symlink():
        raise UsageError(
            f"{target} exists, and is not overwritten.", "Name another file, or delete it first."
        )
    try:
        _write(target, archive())
    except OSError as error:
        raise UsageError(
            f"Cannot write {target}: {error.strerror or error}.",
            "Name a file in a folder that exists and that you may write to.",
        ) from error


def lay_out(folder: Path) -> tuple[Path, Path, Path]:
    """Write favourites, style and guide into a folder, made if need be; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = folder / FAVOURITES, folder / STYLE, folder / GUIDE
    contents = archive(whole=False), style().encode(), guide().encode()
    for path, content in zip(paths, contents, strict=True):
        _write(path, content)
    return paths


def _write(target: Path, content: bytes) -> None:
    """Write a file, all of it or nothing."""
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        with draft.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
