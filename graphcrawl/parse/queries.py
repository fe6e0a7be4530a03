"""Queries of links in the encoding of their page, as browsers send them.

A form or link of a windows-1251 page asks its server in windows-1251; the same characters in UTF-8
are another question to it. Paths are always UTF-8.
"""

import re

# Source: URL Standard, special-query percent-encode set.
_ESCAPED = frozenset(b"\"#'<> ") | frozenset(range(0x20)) | frozenset(range(0x7F, 0x100))
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")


def in_charset(raw: str, charset: str) -> str:
    """Return a link as written, what is not ASCII in its query being escaped in an encoding.

    What the encoding does not have becomes a numeric character reference, escaped.

    Source: URL Standard, "percent-encode after encoding".

    Args:
        raw: The link.
        charset: Python's name of the page's encoding.
    """
    before, mark, query = raw.partition("?")
    if not mark or "#" in before:
        return raw
    query, sharp, fragment = query.partition("#")
    return f"{before}?{_NOT_ASCII.sub(lambda m: _escaped(m[0], charset), query)}{sharp}{fragment}"


def _escaped(text: str, charset: str) -> str:
    try:
        encoded = text.encode(charset)
    except UnicodeEncodeError:
        if len(text) == 1:
            return f"%26%23{ord(text)}%3B"
        return "".join(_escaped(char, charset) for char in text)
    return "".join(f"%{byte:02X}" if byte in _ESCAPED else chr(byte) for byte in encoded)
