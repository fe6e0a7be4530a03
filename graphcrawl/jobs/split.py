"""Cuts a feed into its records while it streams by: memory holds one piece and one record.

Records are cut as text and parsed one by one, so that a broken one costs itself and no other: one
that is never closed ends where the next begins, and a CDATA section that is never closed does not
swallow its successors. Whatever a DOCTYPE declares stays outside.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

MAX_RECORD_CHARS = 4 * 2**20
_LONGEST_TOKEN_CHARS = 256
_TAIL_CHARS = 1024
_XMLNS = re.compile(r"\bxmlns:[\w.-]+\s*=\s*(?:\"[^\"<]*\"|'[^'<]*')")
_TAG_REST = re.compile(r"(?:[^<>\"']|\"[^\"]*\"|'[^']*')*+>")


@dataclass(slots=True)
class Cuts:
    """What the cutter met; filled while records are taken."""

    records: int = 0
    lost: int = 0  # longer than can be, or not there to their end
    tail: str = ""  # the last characters of the text
    namespaces: str = ""  # declarations that stand before the first record


def split(pieces: Iterable[str], names: frozenset[str], cuts: Cuts) -> Iterator[str]:
    """Yield each record as it is written, from `<job …>` to `</job>`.

    Args:
        pieces: The text of the feed, in pieces of any size.
        names: Local names of records, lower case.
        cuts: Counters to fill.
    """
    splitter = _Splitter(names, cuts)
    for piece in pieces:
        cuts.tail = (cuts.tail + piece[-_TAIL_CHARS:])[-_TAIL_CHARS:]
        yield from splitter.take(piece)
    yield from splitter.end()


class _Splitter:
    def __init__(self, names: frozenset[str], cuts: Cuts) -> None:
        local = "|".join(re.escape(name) for name in sorted(names))
        self._token = re.compile(
            rf"<!\[CDATA\[|<!--|<(/?)((?:[\w.-]+:)?(?:{local}))(?=[\s/>])", re.I
        )
        self._seam = re.compile(
            rf"</(?:[\w.-]+:)?(?:{local})\s*>\s*<(?:[\w.-]+:)?(?:{local})\b", re.I
        )
        self._cuts = cuts
        self._text = ""
        self._at = 0  # where to go on
        self._start = -1  # of the open record
        self._name = ""  # of the open record, as written
        self._last = False

    def take(self, piece: str) -> Iterator[str]:
        keep = self._start if self._start >= 0 else self._at
        self._text = self._text[keep:] + piece
        self._at -= keep
        self._start = 0 if self._start >= 0 else -1
        yield from self._cut()

    def end(self) -> Iterator[str]:
        self._last = True
        yield from self._cut()
        if self._start >= 0:  # what was being said last is not known to the end
            self._cuts.records += 1
            self._cuts.lost += 1

    def _cut(self) -> Iterator[str]:
        """Yield the records that are complete; stop where more text is needed to decide."""
        decided = True
        while decided and (token := self._token.search(self._text, self._at)):
            if token[2] is None:
                decided = self._skip(token)
            elif self._start < 0:
                decided = self._open(token)
            elif token[2].lower() != self._name.lower():
                self._at = token.end()
            else:
                end = self._end_of_record(token)
                decided = end >= 0
                if end > 0:
                    yield self._close(end)
        if decided:
            self._at = max(self._at, len(self._text) - _LONGEST_TOKEN_CHARS)
        if self._start >= 0 and len(self._text) - self._start > MAX_RECORD_CHARS:
            self._cuts.records += 1
            self._cuts.lost += 1
            self._at, self._start = self._start + 1, -1
            yield from self._cut()

    def _end_of_record(self, token: re.Match[str]) -> int:
        """Return where the open record ends by this tag; 0: it goes on, -1: not known yet."""
        if token[1]:
            return self._text.find(">", token.end()) + 1 or -1
        if not self._last and len(self._text) - token.end() < 2 * _LONGEST_TOKEN_CHARS:
            return -1
        end = self._end_of_field(token.end())
        if end < 0:
            return token.start()  # it was never closed
        self._at = end
        return 0

    def _skip(self, token: re.Match[str]) -> bool:
        """Go past a CDATA section or a comment; tell whether that could be decided."""
        text, ending = self._text, "]]>" if token[0] != "<!--" else "-->"
        end = text.find(ending, token.end())
        if end < 0:
            if not self._last and len(text) - token.start() <= MAX_RECORD_CHARS:
                self._at = token.start()
                return False
            self._at = token.end()
        elif ending == "]]>" and self._seam.search(text, token.end(), end):
            self._at = token.end()  # never closed: what closes it is another's
        else:
            self._at = end + 3
        return True

    def _open(self, token: re.Match[str]) -> bool:
        if token[1]:
            self._at = token.end()
            return True
        tag = _TAG_REST.match(self._text, token.end())
        if tag is None:
            if not self._last and len(self._text) - token.start() < MAX_RECORD_CHARS:
                self._at = token.start()
                return False
            self._at = token.end()
            return True
        if not self._cuts.records and not self._cuts.namespaces:
            declared = dict.fromkeys(_XMLNS.findall(self._text, 0, token.start()))
            prefixes = {one.partition("=")[0].strip(): one for one in declared}
            self._cuts.namespaces = " ".join(prefixes.values())
        self._at = tag.end()
        if tag[0].endswith("/>"):
            return True  # says nothing
        self._start, self._name = token.start(), token[2]
        return True

    def _end_of_field(self, at: int) -> int:
        """Return where a field named like its record ends; -1: it is no mere field."""
        tag = _TAG_REST.match(self._text, at)
        if tag is None:
            return -1
        if tag[0].endswith("/>"):
            return tag.end()
        following = self._text.find("<", tag.end())
        closing = f"</{self._name}"
        return following + 2 if self._text.startswith(closing, max(following, 0)) else -1

    def _close(self, end: int) -> str:
        record = self._text[self._start : end]
        self._at, self._start = end, -1
        self._cuts.records += 1
        return record
