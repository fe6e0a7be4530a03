"""The texts of a crawl as a corpus: each once, and only those that their owners let go.

Left out are aliases (another page stands for them), pages whose owners wish their text not to be
kept, repeated texts, and, unless they are asked for, pages whose owners reserve text and data
mining or AI training.
"""

import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from graphcrawl import __version__
from graphcrawl.export.columns import TABLES, What
from graphcrawl.graph import Graph
from graphcrawl.where import Term

_CACHE_KIB = 16 * 1024  # of the hashes of texts; more go to a file that nobody sees


@dataclass(slots=True)
class Corpus:
    """What an export of texts met."""

    pages: int = 0  # with a text, that pass the filter
    texts: int = 0  # written
    characters: int = 0
    languages: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)  # why not: how many


async def texts(
    graph: Graph, terms: Sequence[Term], corpus: Corpus, *, reserved: bool
) -> AsyncIterator[Mapping[str, Any]]:
    """Yield the rows of a corpus and count what is left out.

    Args:
        graph: An open graph.
        terms: Which pages.
        corpus: Is told of each page.
        reserved: Also of pages whose owners reserve data mining or AI training.
    """
    rows = graph.stream(
        "export/texts", terms=[term.as_parameter() for term in terms], reserved=reserved
    )
    with closing(_Seen()) as seen:
        async for row in rows:
            corpus.pages += 1
            text, left_out = row.pop("text"), row.pop("leftOut")
            digest = hashlib.sha256((text or "").encode())
            if left_out is None and not seen.add(digest.digest()[:16]):
                left_out = "repeated"
            if left_out:
                corpus.left_out[left_out] += 1
                continue
            corpus.texts += 1
            corpus.characters += len(text)
            corpus.languages[row["language"] or "unknown"] += 1
            yield row | {"text": text, "digest": digest.hexdigest()}


class _Seen:
    """Hashes met so far: a table in memory that goes to a temporary file when it grows."""

    def __init__(self) -> None:
        self._table = sqlite3.connect("", isolation_level=None)
        self._table.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        self._table.execute("PRAGMA synchronous = OFF")
        self._table.execute("PRAGMA journal_mode = OFF")
        self._table.execute("CREATE TABLE seen (hash BLOB PRIMARY KEY) WITHOUT ROWID")
        self._table.execute("BEGIN")

    def add(self, value: bytes) -> bool:
        """Tell whether it is new."""
        found = self._table.execute("INSERT OR IGNORE INTO seen VALUES (?)", (value,))
        return found.rowcount == 1

    def close(self) -> None:
        """Drop it all."""
        self._table.close()


def manifest_file(path: Path) -> Path:
    """Return where the manifest of a corpus lies."""
    return path.with_name(path.name + ".manifest.json")


def manifest(
    corpus: Corpus, part: Path, *, name: str, graph: str, where: Sequence[str], reserved: bool
) -> str:
    """Return what a corpus is, as JSON: where from, what of, what was left out, its checksum."""
    with part.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    document = {
        "file": name,
        "bytes": part.stat().st_size,
        "sha256": digest,
        "made_by": f"graphcrawl {__version__}",
        "made_at": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "graph": graph,
        "where": list(where),
        "reserved": reserved,
        "pages": corpus.pages,
        "texts": corpus.texts,
        "characters": corpus.characters,
        "languages": dict(corpus.languages.most_common()),
        "left_out": {
            why: corpus.left_out[why]
            for why in ("reserved", "wished", "repeated", "alias", "empty")
        },
        "columns": {column.name: column.meaning for column in TABLES[What.TEXTS]},
        "rights": "The texts are their authors'. Pages that reserve text and data mining or AI "
        + ("training are among them." if reserved else "training were left out.")
        + " Pages whose owners do not want their text kept are not among them.",
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
