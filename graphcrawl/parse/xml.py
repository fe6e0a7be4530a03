"""Forgiving XML: feeds, sitemaps and job feeds as people really serve them.

Text is mended first, then parsed: a bare `&`, an HTML entity or a control character costs nothing,
and broken markup costs the record it stands in. A DOCTYPE is dropped with all that it declares, so
no document can make the parser fetch or multiply anything.
"""

import contextlib
import html
import re
import zlib
from functools import cache
from html.entities import html5
from urllib.parse import urljoin

from lxml import etree

from graphcrawl.parse.content import Content, Found, squeeze
from graphcrawl.parse.html import read_html

GZIP = b"\x1f\x8b"
MAX_INFLATED_BYTES = 50 * 2**20

_ROOT = re.compile(
    r"(?:\s++|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>)*+<([A-Za-z_][\w.:-]*)",
    re.I | re.S,
)
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_REFERENCE = re.compile(
    r"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|&(?:#(\d{1,7}|[xX][0-9a-fA-F]{1,6});|(\w+);)?",
    re.S,
)
_MARKUP = re.compile(
    r"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)"
    r"|<(/?)([A-Za-z_][\w.:-]*)((?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*+)(>?)|<",
    re.S,
)
_XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_ADDRESSES = ("link", "loc", "url", "uri", "guid", "internetwebaddress")
_PLAIN = frozenset({"link", "loc", "url"})  # may hold relative addresses
_SPACED = frozenset({"link", "loc"})  # hold nothing else, so a blank is one of the address
_FOLLOWED = frozenset({"", "alternate", "related", "via", "next"})  # rel of Atom and sitemap links
_TITLES = frozenset({"title", "jobtitle", "positiontitle", "name"})
_PICTURE = re.compile("image|logo|thumb|icon|avatar|photo|video")


def inflate(body: bytes) -> bytes:
    """Return a gzip body unpacked, other bodies as they are.

    What follows the last packed part is ignored, a part that is cut short or damaged gives what
    could be read, and a bomb gives its first 50 MiB.

    Source: RFC 1952 §2.2.
    """
    if not body.startswith(GZIP):
        return body
    pieces: list[bytes] = []
    left = MAX_INFLATED_BYTES
    with contextlib.suppress(zlib.error):
        while body.startswith(GZIP):
            unpacker = zlib.decompressobj(31)
            while body and left > 0:
                pieces.append(unpacker.decompress(body, min(left, 2**16)))
                left -= len(pieces[-1])
                body = unpacker.unconsumed_tail
            body = unpacker.unused_data
    return b"".join(pieces)


def root_name(text: str) -> str:
    """Return the name of the first element, prefix included, or "" where there is no markup."""
    match = _ROOT.match(text)
    return match[1] if match else ""


def local_name(element: etree._Element) -> str:
    """Return an element's name in lower case, without namespace or prefix."""
    tag = element.tag
    if not isinstance(tag, str):  # comments and the like
        return ""
    return tag.rpartition("}")[2].rpartition(":")[2].lower()


def parse_xml(text: str) -> etree._Element | None:
    """Parse XML, well formed or not; None where there is no element at all."""
    return parse_lenient(text)[0]


def parse_lenient(text: str) -> tuple[etree._Element | None, bool]:
    """Parse XML, and tell whether its markup was well formed once characters were mended."""
    text = _mend(text)
    try:
        return etree.fromstring(text.encode(), _parser(recover=False)), True
    except etree.XMLSyntaxError:
        pass
    try:
        return etree.fromstring(_balance(text).encode(), _parser(recover=True)), False
    except etree.XMLSyntaxError:
        return None, False


@cache
def _parser(*, recover: bool) -> etree.XMLParser:
    return etree.XMLParser(
        recover=recover, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip


def _mend(text: str) -> str:
    prolog = _ROOT.match(text)
    text = _ILLEGAL.sub("", text[prolog.start(1) - 1 :] if prolog else "")
    return _REFERENCE.sub(_numbered, text) if "&" in text else text


def _numbered(match: re.Match[str]) -> str:
    """Write a reference by number: after an error libxml2 loses the named ones, even `&amp;`."""
    number, name = match.groups()
    if number:
        code = int("0" + number, 16) if number[0] in "xX" else int(number)
        return match[0] if _is_xml_char(code) else ""
    if name:
        meant = html5.get(f"{name};")
        return "".join(f"&#{ord(char)};" for char in meant) if meant else f"&#38;{name};"
    return match[0] if match[0] != "&" else "&#38;"


def _is_xml_char(code: int) -> bool:
    return code in (9, 10, 13) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or (
        0x10000 <= code <= 0x10FFFF
    )  # fmt: skip


def _balance(text: str) -> str:
    """Close what was left open, and drop ends that close nothing.

    So a broken record ends where its parent ends, instead of swallowing the records after it.
    """
    open_names: list[str] = []

    def repair(match: re.Match[str]) -> str:
        slash, name, _, end = match.groups()
        if name is None:
            return match[0] if len(match[0]) > 1 else "&#60;"
        if not end:
            return ""  # a tag that never ends
        if not slash:
            if not match[0].endswith("/>"):
                open_names.append(name)
            return match[0]
        if name not in open_names:
            return ""
        closed = ""
        while True:
            last = open_names.pop()
            closed += f"</{last}>"
            if last == name:
                return closed

    repaired = _MARKUP.sub(repair, text)
    if open_names:  # cut short: what was being said last is not known to the end
        repaired = repaired[: repaired.rfind(">") + 1]
    return repaired + "".join(f"</{name}>" for name in reversed(open_names))


def read_xml(root: etree._Element) -> Content:
    """Return title, text and links of a feed, a sitemap or a job feed.

    A link is what stands in an element whose name ends in *link*, *loc*, *url* or *uri* (or in a
    permanent `guid`), and the `href` of Atom's `link`; the title beside it is its anchor. Pictures,
    and links from a feed to itself or to machines, are not followed.
    """
    title, language, texts, found = "", "", [], []
    parent, title_beside = None, ""
    has_bases = root.find(f".//*[@{_XML_BASE}]") is not None  # below the root
    for element in root.iter("*"):
        name = local_name(element)
        if address := _address(element, name):
            if element.getparent() is not parent:
                parent = element.getparent()
                title_beside = _title_in(parent)
            if _is_followed(element, name):
                anchor = squeeze(element.get("title") or "") or title_beside
                if has_bases and (base := element.base):
                    address = urljoin(base, address)
                found.append(Found(address, anchor, type=element.get("type") or ""))
        elif value := element_text(element):
            title = title or (value if name == "title" else "")
            language = language or (value if name == "language" else "")
            texts.append(value)
    return Content(
        title=title,
        language=language or root.get(_XML_LANG) or "",
        text="\n".join(texts),
        base=root.get(_XML_BASE) or "",
        found=found,
    )


def element_text(element: etree._Element) -> str:
    """Return the element's own text in one line; HTML in it is read, a second escaping undone."""
    value = element.text or ""
    if "&" in value:
        value = html.unescape(value)
    return squeeze(read_html(value).text if "<" in value else value)


def _address(element: etree._Element, name: str) -> str:
    if not name.endswith(_ADDRESSES):
        return ""
    value = (name == "link" and element.get("href")) or html.unescape(element.text or "")
    value = value.strip()
    is_absolute = value.startswith(("http://", "https://"))
    if " " in value and not (is_absolute and name in _SPACED and len(value.splitlines()) == 1):
        return ""
    return value if is_absolute or name in _PLAIN else ""


def _is_followed(element: etree._Element, name: str) -> bool:
    rel = (element.get("rel") or "").lower()
    if rel not in _FOLLOWED or (name == "guid" and element.get("isPermaLink") == "false"):
        return False
    parent = element.getparent()
    names = name if parent is None else f"{name} {local_name(parent)}"
    return _PICTURE.search(names) is None


def _title_in(parent: etree._Element | None) -> str:
    children = parent.iterchildren("*") if parent is not None else iter(())
    return next((element_text(child) for child in children if local_name(child) in _TITLES), "")
