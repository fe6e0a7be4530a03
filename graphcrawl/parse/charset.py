"""Bytes → text, as browsers do it: byte-order mark, header, declaration, then what fits.

Source: HTML Living Standard, determining the character encoding; RFC 7303 §3 for XML, which has the
same order; Encoding Standard, names and labels.
"""

import codecs
import re
from functools import lru_cache
from typing import Literal, NamedTuple

import webencodings
import webencodings.labels

PRESCAN_BYTES = 2**14  # browsers look for <meta> in 1024, and once more when it comes later
DETECT_BYTES = 2**16  # a sample of this size decides as well as the whole body

FoundBy = Literal["mark", "header", "meta", "utf-8", "detector"]
# By a byte-order mark, by the header, by a declaration inside, since it is valid UTF-8, or guessed.

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_UNMARKED_UTF16 = ((b"<\0?\0", "utf-16-le"), (b"\0<\0?", "utf-16-be"))

# Python's codec, where it is not the one of the encoding's own name or not the whole of it.
_CODECS = {
    "big5": "big5hkscs",
    "euc-kr": "cp949",
    "gbk": "gb18030",
    "iso-8859-8-i": "iso-8859-8",
    "macintosh": "mac-roman",
    "shift_jis": "cp932",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac-cyrillic",
    "x-user-defined": "cp1252",  # what the standard makes of it in a page
}

_XML_DECLARATION = re.compile(rb"\s*<\?xml[^>]*?\sencoding\s*=\s*([\"'])\s*([\w.:-]+)\s*\1", re.I)
_ATTRIBUTES = rb"(?:[^>\"']|\"[^\"]*\"|'[^']*')*+"
_TAG = re.compile(
    rb"<!--(?:.*?-->|>)|<(meta)(?=[\s/>])(" + _ATTRIBUTES + rb")>"
    rb"|</?[a-z]" + _ATTRIBUTES + rb">|<[!/?][^>]*>",
    re.I | re.S,
)
_ATTRIBUTE = re.compile(rb"([^\s/=]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']*)))?", re.S)
_CONTENT_CHARSET = re.compile(rb"charset\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s;\"']+))", re.I)


class Decoded(NamedTuple):
    """The text of a body, and how it was read."""

    text: str
    charset: str  # Python's name of the encoding
    found_by: FoundBy


def decode(body: bytes, declared: str = "") -> tuple[str, str]:
    """Return the text of a body and the name of the encoding it was read by.

    Never fails: unknown labels are as good as none, and bytes that do not fit become U+FFFD. A
    byte-order mark is dropped.

    Args:
        body: HTML, XML or plain text.
        declared: The charset parameter of the Content-Type header.
    """
    return read_text(body, declared)[:2]


def read_text(body: bytes, declared: str = "") -> Decoded:
    """Do as `decode` does, and tell how the encoding was found."""
    for mark, name in _MARKS:
        if body.startswith(mark):
            return Decoded(body[len(mark) :].decode(name, "replace"), name, "mark")
    if name := encoding(declared):
        return Decoded(body.decode(name, "replace"), name, "header")
    if name := _declared_inside(body):
        return Decoded(body.decode(name, "replace"), name, "meta")
    try:
        return Decoded(body.decode("utf-8"), "utf-8", "utf-8")
    except UnicodeDecodeError as error:
        if len(body) - error.start < 4 and error.reason == "unexpected end of data":
            text = body.decode("utf-8", "ignore")  # cut in the middle of a character
            return Decoded(text, "utf-8", "utf-8")
    name = _guess(body[:DETECT_BYTES])
    return Decoded(body.decode(name, "replace"), name, "detector")


@lru_cache(maxsize=256)
def encoding(label: str) -> str:
    """Return Python's name of the encoding that browsers read a label as; "" for an unknown label.

    `latin1` and `ascii` mean windows-1252, `gb2312` means gb18030, `shift_jis` windows-31j; what
    only Python takes for a label (`rot13`, `utf-7`, `unicode_escape`) is none.

    Source: Encoding Standard, "get an encoding".
    """
    found = webencodings.lookup(label.strip(" \t\n\f\r\"'"))
    if found is None or found.name == "replacement":
        return ""
    return codecs.lookup(_CODECS.get(found.name, found.name)).name


def _declared_inside(body: bytes) -> str:
    """Find an XML declaration or a `<meta>`; one that can be read as ASCII cannot be UTF-16."""
    for start, name in _UNMARKED_UTF16:
        if body.startswith(start):
            return name
    head = body[:PRESCAN_BYTES]
    if match := _XML_DECLARATION.match(head):
        name = encoding(match[2].decode("ascii", "replace"))
        if name:
            return _not_utf16(name)
    if b"charset" not in head.lower():
        return ""
    for tag in _TAG.finditer(head):
        if tag[1] and (name := encoding(_meta_charset(tag[2]))):
            return _not_utf16(name)
    return ""


def _not_utf16(name: str) -> str:
    return "utf-8" if name.startswith("utf-16") else name


def _meta_charset(attributes: bytes) -> str:
    values: dict[bytes, bytes] = {}
    for name, *quoted in _ATTRIBUTE.findall(attributes):
        values.setdefault(name.lower(), b"".join(quoted))
    charset = values.get(b"charset")
    if charset is None and values.get(b"http-equiv", b"").lower() == b"content-type":
        match = _CONTENT_CHARSET.search(values.get(b"content", b""))
        charset = b"".join(group or b"" for group in match.groups()) if match else None
    return (charset or b"").decode("ascii", "replace")


def _guess(sample: bytes) -> str:
    from charset_normalizer import from_bytes  # noqa: PLC0415 - slow to import, and rarely needed

    best = from_bytes(sample, cp_isolation=list(_web_codecs())).best()
    return best.encoding if best else "cp1252"


@lru_cache(maxsize=1)
def _web_codecs() -> frozenset[str]:
    return frozenset(codec for label in webencodings.labels.LABELS if (codec := encoding(label)))
