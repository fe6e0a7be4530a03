"""A job feed of any form → postings, one record after the other, in flat memory.

The forms have much the same fields under many names; `_NAMES` says which name means what, best
first. What a record says besides is not kept.

Source: feed formats of Indeed, LinkedIn, Adzuna, Google Base, Personio and WP Job Manager; RSS 2.0;
RFC 4287 (Atom); HR-XML 2.x.
"""

import codecs
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from io import BytesIO
from typing import BinaryIO

from lxml import etree

from graphcrawl.jobs.normal import parse_date, plain
from graphcrawl.jobs.places import read_place
from graphcrawl.jobs.recognise import RECOGNISE_BYTES, field_name, recognise_tree, record_names
from graphcrawl.jobs.split import Cuts, split
from graphcrawl.models import JobFeed, Posting
from graphcrawl.parse.charset import decode
from graphcrawl.parse.xml import GZIP, local_name, parse_lenient, parse_xml, root_name
from graphcrawl.urls import canonical

PIECE_BYTES = 2**18
MAX_FIELD_CHARS = 2_000
MAX_DESCRIPTION_CHARS = 100_000

_NAMES = {
    "title": "title jobtitle positiontitle jobpositiontitle name",
    "company": "company companyname hiringorganization hiringcompany hiringorgname employer "
    "organization organisation organizationname advertiser advertisername subcompany",
    "own_id": "referencenumber partnerjobid jobid id requisitionid reference jobreference jobcode "
    "vacancyid jobpositionpostingid idvalue guid identifier",
    "url": "url link joburl detailurl deeplink applyurl internetwebaddress guid",
    "description": "description encoded content jobdescription jobdescriptions summary body "
    "jobpositionpurpose",
    "posted": "dateposted postdate listdate published pubdate publicationdate publishdate "
    "posteddate posted date created createdat createdate updated lastmodified",
    "closes": "expirationdate expires expirydate closingdate validthrough applicationdeadline "
    "jobdeadline enddate",
    "location": "location joblocation locations jobpositionlocation place office "
    "candidaterequiredlocation address",
    "city": "city town addresslocality locality municipality",
    "region": "state region addressregion province stateprovince",
    "country": "country countrycode addresscountry",
    "employment": "jobtype employmenttype contracttime contracttype schedule jobschedule",
    "salary": "salary basesalary salaryrange salarydescription compensation pay "
    "compensationdescription salaries",
}
_MEANINGS = {
    name: [meaning for meaning, names in _NAMES.items() if name in names.split()]
    for names in _NAMES.values()
    for name in names.split()
}
_RANKS = {
    (meaning, name): rank
    for meaning, names in _NAMES.items()
    for rank, name in enumerate(names.split())
}
# HTML inside a field: the field ends where it ends, not at its first paragraph.
_INLINE = frozenset(
    "a abbr b big blockquote br center code dd div dl dt em font h1 h2 h3 h4 h5 h6 hr i img li ol "
    "p pre s small span strong sub sup table tbody td th thead tr u ul".split()
)
_AMOUNTS = ("salarymin", "salarymax", "salarycurrency", "salaryfrequency")
_JOINED = frozenset({"jobdescription", "salary"})  # one field, whatever parts it has
_GENERAL = frozenset({"date", "summarytext", "name", "value", "idvalue"})
_XML_END = re.compile(r"\s*(?:<!--.*?-->\s*)*\Z", re.S)


@dataclass(slots=True)
class Feed:
    """A feed that is being read. What is counted is right once all postings were taken."""

    postings: Iterator[Posting]
    found: JobFeed | None = None  # None: no job feed, and no postings
    cuts: Cuts = field(default_factory=Cuts)
    repaired: int = 0
    whole: bool = False  # read to the end of its root element


def open_feed(
    source: BinaryIO | bytes,
    *,
    url: str = "",
    charset: str = "",
    now: datetime,
    root: etree._Element | None = None,
) -> Feed:
    """Begin to read a job feed, packed by gzip or not; postings come as they are taken.

    Args:
        source: A file, or a body in memory.
        url: Where it is from: relative addresses start there.
        charset: By the Content-Type header, "" where it names none.
        now: When it was fetched: what `2 days ago` counts from.
        root: Its first MiB, where that was parsed before.
    """
    stream = BytesIO(source) if isinstance(source, bytes) else source
    pieces = _inflated(stream)
    head = b""
    for piece in pieces:
        head += piece
        if len(head) >= RECOGNISE_BYTES:
            break
    text, encoding = decode(head, charset)
    root = parse_xml(text) if root is None else root
    found = recognise_tree(root)
    feed = Feed(iter(()), found)
    if root is not None and found is not None:
        names = record_names(root, found.form)
        texts = _decoded(head, pieces, encoding)
        feed.postings = _postings(feed, texts, names, root_name(text), url, now)
    return feed


def _inflated(stream: BinaryIO) -> Iterator[bytes]:
    """Yield a stream in pieces, gzip undone; a damaged packing ends it. Source: RFC 1952 §2.2."""
    data = stream.read(PIECE_BYTES)
    if not data.startswith(GZIP):
        while data:
            yield data
            data = stream.read(PIECE_BYTES)
        return
    unpacker = zlib.decompressobj(31)
    try:
        while data:
            yield unpacker.decompress(data, PIECE_BYTES)
            data = unpacker.unconsumed_tail
            if unpacker.eof:
                data = unpacker.unused_data or stream.read(PIECE_BYTES)
                if not data.startswith(GZIP):
                    return
                unpacker = zlib.decompressobj(31)
            data = data or stream.read(PIECE_BYTES)
    except zlib.error:
        return


def _windows(error: UnicodeError) -> tuple[str, int]:
    """Read a byte that is no UTF-8 as windows-1252: records are put together from many sources.

    What looks like a character that was cut in two becomes U+FFFD.
    """
    if not isinstance(error, UnicodeDecodeError):
        raise error
    odd = error.object[error.start : error.end]
    is_cut = len(odd) > 1 or odd in (b"\xc2", b"\xc3")
    return "\ufffd" if is_cut else odd.decode("cp1252", "replace"), error.end


_WINDOWS = "graphcrawl.windows-1252"
codecs.register_error(_WINDOWS, _windows)


def _decoded(head: bytes, rest: Iterable[bytes], encoding: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(encoding)(_WINDOWS if encoding == "utf-8" else "replace")
    yield decoder.decode(head).removeprefix("\ufeff")
    for piece in rest:
        yield decoder.decode(piece)
    yield decoder.decode(b"", final=True)


def _postings(
    feed: Feed, texts: Iterator[str], names: frozenset[str], root: str, url: str, now: datetime
) -> Iterator[Posting]:
    for record in split(texts, names, feed.cuts):
        element, is_clean = parse_lenient(f"<r {feed.cuts.namespaces}>{record}</r>")
        if element is None or not len(element):
            feed.cuts.lost += 1
            continue
        posting = read_record(element[0], url, now)
        if posting is None:
            feed.cuts.lost += not is_clean
            continue
        feed.repaired += not is_clean
        yield posting
    _, ending, after = feed.cuts.tail.rpartition(f"</{root}")
    feed.whole = bool(ending) and _XML_END.match(after.lstrip().removeprefix(">")) is not None
    feed.whole = feed.whole and not feed.cuts.lost


def read_record(record: etree._Element, base: str, now: datetime) -> Posting | None:
    """Return what a record says as a posting; None where it says nothing.

    Args:
        record: The element of one job.
        base: URL that relative addresses start from.
        now: When the record was fetched.
    """
    fields = list(_fields(record))
    said: dict[str, tuple[bool, int, str]] = {}  # the least is the best
    for name, is_nested, text in fields:
        for meaning in _MEANINGS.get(name, ()):
            if meaning == "url" and name == "guid" and not text.strip().startswith("http"):
                continue
            offer = (is_nested, _RANKS[meaning, name], text)
            if meaning not in said or offer[:2] < said[meaning][:2]:
                said[meaning] = offer

    def value(meaning: str) -> str:
        return plain(said[meaning][2])[:MAX_FIELD_CHARS] if meaning in said else ""

    if not said:
        return None
    location, city, region, country = map(value, ("location", "city", "region", "country"))
    place = read_place(location, city, region, country)
    others = (part for part in (city, region, country) if part and part not in location)
    raw_place = ", ".join(dict.fromkeys(part for part in (location, *others) if part))
    posted, closes = value("posted"), value("closes")
    month_first = place.country == "US"
    return Posting(
        title=value("title"),
        company=value("company"),
        place=place.text,
        city=place.city,
        region=place.region,
        country=place.country,
        posted=parse_date(posted, now, month_first=month_first),
        closes=parse_date(closes, now, month_first=month_first),
        url=_url(value("url"), base),
        description=plain(_description(fields), lines=True)[:MAX_DESCRIPTION_CHARS],
        employment=value("employment"),
        salary=value("salary") or _amounts(fields),
        posted_raw=posted,
        place_raw=raw_place,
        own_id=value("own_id") or plain(record.get("id") or ""),
    )


def _fields(record: etree._Element) -> Iterator[tuple[str, bool, str]]:
    """Yield the name of each field, whether it stands deeper, and what it holds."""
    todo = list(record.iterchildren("*"))[::-1]
    while todo:
        element = todo.pop()
        name = field_name(element)
        children = list(element.iterchildren("*"))
        if not children or all(local_name(child) in _INLINE for child in children):
            text = _value(element, name, is_simple=not children)
        elif name in _JOINED:
            parts = (plain(str(part), lines=True) for part in element.itertext())
            text = "\n".join(part for part in parts if part)
        else:
            if name != "author":  # of an Atom entry: who wrote it down
                todo.extend(reversed(children))
            continue
        if text and not text.isspace():
            parent = element.getparent()
            yield _full_name(name, parent, record), parent is not record, text


def _value(element: etree._Element, name: str, *, is_simple: bool) -> str:
    if name == "link" and element.get("href"):  # Atom
        return (element.get("href") or "") if element.get("rel", "alternate") == "alternate" else ""
    if is_simple:
        return element.text or ""
    return "\n".join(str(text) for text in element.itertext())


def _full_name(name: str, parent: etree._Element | None, record: etree._Element) -> str:
    """Return the name that a field has from what it stands in: `<StartDate><Date>`."""
    if parent is None or parent is record or name not in _GENERAL:
        return name
    outer = field_name(parent)
    if outer in _MEANINGS:
        return outer
    return "" if name == "name" else name  # of something else in the record


def _description(fields: list[tuple[str, bool, str]]) -> str:
    """Return the longest description; the parts of one that has parts, in their order."""
    parts = [text for name, _, text in fields if name == "jobdescription"]
    whole = [text for name, _, text in fields if "description" in _MEANINGS.get(name, ())]
    joined = "\n".join(dict.fromkeys(parts))
    return max([*whole, joined], key=len, default="")


def _amounts(fields: list[tuple[str, bool, str]]) -> str:
    said = {name: plain(text) for name, _, text in fields if name in _AMOUNTS}
    return " ".join(said[name] for name in _AMOUNTS if name in said)


def _url(raw: str, base: str) -> str:
    if not raw:
        return ""
    return canonical(raw, base or raw) or raw
