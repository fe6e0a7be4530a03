"""Bodies as they arrive: encodings undone piece by piece, so that no limit can be overshot by far.

A kilobyte can unpack to a gigabyte: what is unpacked is counted while it is unpacked.
"""

import re
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import brotli

from graphcrawl.fetch.zstandard import Zstd, ZstdError
from graphcrawl.models import Reason

MAX_SITEMAP_BYTES = 50 * 2**20  # of one file, says sitemaps.org
_PIECE_BYTES = 64 * 1024
PROBE_BYTES = 1024  # enough to tell XML from HTML
_GZIP_MAGIC = b"\x1f\x8b"
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_MAGIC_BYTES = 4
_MARKUP = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<[!?a-zA-Z]|\Z)")
# Real codings that we do not speak. Any other unknown word (utf-8, none) is no coding at all.
_FOREIGN = frozenset("compress x-compress dcb dcz exi pack200-gzip lzma xz bzip2 x-bzip2".split())

_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_NEVER_TOP = ("image/", "video/", "audio/", "font/", "model/", "multipart/", "message/")
_NEVER_TYPES = frozenset(
    {
        "application/pdf",
        "application/zip",
        "application/x-tar",
        "application/x-bzip2",
        "application/x-7z-compressed",
        "application/x-rar-compressed",
        "application/vnd.rar",
        "application/java-archive",
        "application/msword",
        "application/rtf",
        "application/postscript",
        "application/epub+zip",
        "application/javascript",
        "application/x-javascript",
        "application/wasm",
        "application/x-shockwave-flash",
        "text/css",
        "text/javascript",
        "text/csv",
        "text/calendar",
        "text/vcard",
    }
)
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([^\s\"';,]+)", re.I)
_XML_ROOT = re.compile(rb"<(?:\?xml|rss|feed|rdf:RDF|urlset|sitemapindex|source|jobs)[\s>]", re.I)
_SITEMAP_ROOT = re.compile(rb"<(?:[\w.-]+:)?(?:urlset|sitemapindex)[\s>]", re.I)
_HTML_ROOT = re.compile(rb"<(?:!doctype\s+html|html)[\s>]", re.I)


MAX_ENCODINGS = 5  # honest servers use one


class BodyError(Exception):
    """A body that is of no use."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Body:
    """What arrived, content encoding undone."""

    data: bytes  # the beginning, where the whole is in a file
    truncated: bool = False
    ended: str = ""  # why it was not read to its end: size, time, connection, disk or damaged
    file: str = ""  # with the whole
    file_bytes: int = 0
    digest: str = ""  # hex of the file's hash


@dataclass(frozen=True, slots=True)
class SizeLimits:
    """Bytes of a body after unpacking: pages beyond are refused, XML is cut."""

    page_bytes: int
    feed_bytes: int


def split_content_type(value: str) -> tuple[str, str]:
    """Return media type and charset of a Content-Type header, both in lower case."""
    media_type, _, parameters = value.partition(";")
    charset = _CHARSET.search(parameters)
    return media_type.strip().lower(), charset[1].lower() if charset else ""


def is_hopeless(media_type: str) -> bool:
    """Tell whether a body of this type is never HTML or XML, whatever it holds."""
    return media_type.startswith(_NEVER_TOP) or media_type in _NEVER_TYPES


async def read_start(chunks: AsyncIterator[bytes], encoding: str, max_bytes: int) -> bytes:
    """Read at most `max_bytes` of a body and leave the rest.

    Raises:
        BodyError: PROTOCOL for an encoding that cannot be undone, READ for one that is cut short.
    """
    unpack = Unpack(encoding)
    data = bytearray()
    async for chunk in chunks:
        for piece in unpack.feed(chunk):
            data += piece
            if len(data) >= max_bytes:
                return bytes(data[:max_bytes])
    data += b"".join(unpack.rest())
    if not unpack.complete:
        raise BodyError(Reason.READ, "the compressed body is cut short")
    return bytes(data)


@dataclass(frozen=True, slots=True)
class Limit:
    """How much of a body is taken."""

    size_bytes: int
    cuts: bool  # else what is longer is refused
    spools: bool = False  # may be a feed: what is long goes to a file, what is broken off is kept


def limit_of(media_type: str, data: bytearray, limits: SizeLimits) -> Limit:
    """Return how much is taken of a body that begins like this.

    Raises:
        BodyError: TYPE: it is neither HTML nor XML, and its type is no text.
    """
    head = _plain_head(bytes(data[:PROBE_BYTES]))
    says_xml = media_type.endswith(("/xml", "+xml")) and media_type not in _HTML_TYPES
    is_known = says_xml or media_type.startswith("text/") or media_type in _HTML_TYPES
    if data and not is_known and not head.startswith(b"<"):
        raise BodyError(Reason.TYPE, f"{media_type or 'no type'}, and no markup inside")
    if (says_xml or _XML_ROOT.match(head)) and not _HTML_ROOT.search(head):
        if _SITEMAP_ROOT.search(head):
            return Limit(min(limits.feed_bytes, MAX_SITEMAP_BYTES), cuts=True)
        return Limit(limits.feed_bytes, cuts=True, spools=True)
    return Limit(limits.page_bytes, cuts=False)


def _plain_head(head: bytes) -> bytes:
    """Return the beginning of a text in ASCII, without byte order mark and blanks."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        head = head.decode("utf-16", "ignore").encode("ascii", "ignore")
    return head.removeprefix(b"\xef\xbb\xbf").lstrip()


class _Decoder(Protocol):
    """Undoes one encoding. Yields pieces no larger than what came in, or than 64 KiB."""

    @property
    def complete(self) -> bool: ...

    def feed(self, data: bytes) -> Iterator[bytes]: ...


class Unpack:
    """Undoes all encodings of a body, and gzip once more where a file in gzip is inside.

    All of it may raise BodyError, PROTOCOL for an encoding that cannot be undone.
    """

    def __init__(self, encoding: str) -> None:
        names = [name for part in encoding.lower().split(",") if (name := part.strip())]
        if len(names) > MAX_ENCODINGS:
            raise BodyError(Reason.PROTOCOL, f"{len(names)} encodings, one in the other")
        self._stages = [_Stage(_choice(name)) for name in reversed(names) if name != "identity"]
        self._stages.append(_Stage(_gzip_or_plain))

    @property
    def complete(self) -> bool:
        """Whether nothing is missing at the end, as far as the encodings tell."""
        return all(stage.complete for stage in self._stages)

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield what a part of the body unpacks to."""
        return self._through(self._stages, data)

    def _through(self, stages: list["_Stage"], data: bytes) -> Iterator[bytes]:
        if not stages:
            yield data
            return
        for piece in stages[0].feed(data):
            yield from self._through(stages[1:], piece)

    def rest(self) -> Iterator[bytes]:
        """Yield what a body too short to be looked at leaves behind."""
        for n, stage in enumerate(self._stages, start=1):
            for piece in stage.rest():
                yield from self._through(self._stages[n:], piece)


class _Stage:
    """One encoding, chosen by the first bytes: headers do not always tell the truth."""

    def __init__(self, choose: Callable[[bytes], _Decoder]) -> None:
        self._choose = choose
        self._head = b""
        self._decoder: _Decoder | None = None

    @property
    def complete(self) -> bool:
        return self._decoder is None or self._decoder.complete

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._decoder is None:
            data = self._head + data
            if len(data) < _MAGIC_BYTES:
                self._head = data
                return
            self._decoder = self._choose(data)
        yield from self._decoder.feed(data)

    def rest(self) -> Iterator[bytes]:
        if self._decoder is None and self._head:
            self._decoder = self._choose(self._head)
            yield from self._decoder.feed(self._head)


def _choice(encoding: str) -> Callable[[bytes], _Decoder]:
    match encoding:
        case "gzip" | "x-gzip":
            return _gzip_or_plain
        case "deflate":
            return _deflate
        case "br":  # no brotli stream begins with `<`: bit 4 of its first byte is reserved there
            return lambda head: _Plain() if _MARKUP.match(head) else _Brotli()
        case "zstd":
            return lambda head: _Zstd() if head.startswith(_ZSTD_MAGIC) else _Plain()
    if encoding in _FOREIGN:
        raise BodyError(Reason.PROTOCOL, f"content encoding {encoding!r}, which was not asked for")
    return lambda _: _Plain()  # as browsers do


def _gzip_or_plain(head: bytes) -> _Decoder:
    return _Zlib(31) if head.startswith(_GZIP_MAGIC) else _Plain()


def _deflate(head: bytes) -> _Decoder:
    """Some servers send zlib's frame, as RFC 9110 §8.4.1.2 has it; some the bare stream."""
    if _MARKUP.match(head):
        return _Plain()
    is_framed = head[0] & 0x0F == 8 and int.from_bytes(head[:2], "big") % 31 == 0
    return _Zlib(15 if is_framed else -15)


class _Plain:
    complete = True

    def feed(self, data: bytes) -> Iterator[bytes]:
        yield data


class _Zlib:
    """zlib and gzip; further gzip members are read, other trailing bytes ignored."""

    def __init__(self, wbits: int) -> None:
        self._wbits = wbits
        self._inflate = zlib.decompressobj(wbits)
        self._ended = False

    @property
    def complete(self) -> bool:
        return self._ended or self._inflate.eof

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data and not self._ended:
            if self._inflate.eof:
                if self._wbits != 31 or not data.startswith(_GZIP_MAGIC):
                    self._ended = True
                    return
                self._inflate = zlib.decompressobj(self._wbits)
            try:
                piece = self._inflate.decompress(data, _PIECE_BYTES)
            except zlib.error as error:
                raise BodyError(Reason.PROTOCOL, f"broken compression: {error}") from error
            data = self._inflate.unused_data or self._inflate.unconsumed_tail
            yield piece


class _Brotli:
    """Brotli, RFC 7932."""

    def __init__(self) -> None:
        self._decoder = brotli.Decompressor()

    @property
    def complete(self) -> bool:
        return bool(self._decoder.is_finished())

    def feed(self, data: bytes) -> Iterator[bytes]:
        try:
            yield self._decoder.process(data, output_buffer_limit=_PIECE_BYTES)
            while not self._decoder.can_accept_more_data():
                yield self._decoder.process(b"", output_buffer_limit=_PIECE_BYTES)
        except brotli.error as error:
            raise BodyError(Reason.PROTOCOL, f"broken compression: {error}") from error


class _Zstd:
    """Zstandard, RFC 8878; the window is at most the 8 MiB that RFC 9659 allows on the web."""

    def __init__(self) -> None:
        self._frame = Zstd()

    @property
    def complete(self) -> bool:
        return self._frame.complete

    def feed(self, data: bytes) -> Iterator[bytes]:
        try:
            yield from self._frame.feed(data, _PIECE_BYTES)
        except ZstdError as error:
            raise BodyError(Reason.PROTOCOL, f"broken compression: {error}") from error
