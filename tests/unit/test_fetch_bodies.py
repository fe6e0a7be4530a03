"""Encodings undone piece by piece, types judged, limits kept."""

import gzip
import hashlib
import tracemalloc
import zlib
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path

import brotli
import pytest
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st

from graphcrawl.fetch.arrival import HEAD_BYTES, SPOOL_BYTES, Arrival
from graphcrawl.fetch.bodies import (
    Body,
    BodyError,
    SizeLimits,
    is_hopeless,
    read_start,
    split_content_type,
)
from graphcrawl.models import Reason

LIMITS = SizeLimits(page_bytes=3 * 2**20, feed_bytes=50 * 2**20)
PAGE = b"<!doctype html><title>Page</title>" + b"<p>text</p>" * 500


async def arriving(chunks: Iterable[bytes]) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


async def read(
    data: bytes | Iterable[bytes],
    encoding: str = "",
    media_type: str = "text/html",
    limits: SizeLimits = LIMITS,
) -> Body:
    arrival = Arrival(encoding, media_type, limits)
    for chunk in [data] if isinstance(data, bytes) else data:
        if not arrival.take(chunk):
            break
    return arrival.end()


def raw_deflate(data: bytes) -> bytes:
    return zlib.compress(data, wbits=-15)


ENCODERS: dict[str, Callable[[bytes], bytes]] = {
    "": lambda data: data,
    "identity": lambda data: data,
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "Deflate": raw_deflate,
    "br": lambda data: brotli.compress(data, quality=4),
    "zstd": zstd.compress,
    "x-gzip, zstd": lambda data: zstd.compress(gzip.compress(data)),
    "gzip, br": lambda data: brotli.compress(gzip.compress(data), quality=4),
}


@pytest.mark.parametrize("encoding", ENCODERS)
@given(text=st.text(), cuts=st.lists(st.integers(1, 400), max_size=30))
async def test_encodings_are_undone_however_the_bytes_arrive(
    encoding: str, text: str, cuts: list[int]
) -> None:
    page = b"<p>" + text.encode() * 20
    sent = ENCODERS[encoding](page)
    chunks = []
    for cut in cuts:
        chunks.append(sent[:cut])
        sent = sent[cut:]
    assert await read([*chunks, sent], encoding) == Body(page)


@pytest.mark.parametrize("size", [0, 1, 2])
@pytest.mark.parametrize("encoding", ["", "gzip", "deflate", "br"])
async def test_tiny_bodies(size: int, encoding: str) -> None:
    page = b"<p>"[:size]
    assert (await read(ENCODERS[encoding](page), encoding)).data == page


async def test_a_header_that_promises_gzip_over_a_plain_body() -> None:
    assert await read(PAGE, "gzip") == Body(PAGE)


async def test_gzip_files_are_unpacked_whatever_they_are_called() -> None:
    sitemap = b"<?xml version='1.0'?><urlset></urlset>"
    packed = gzip.compress(sitemap)
    for media_type in ("application/gzip", "application/octet-stream", "text/xml", "text/html", ""):
        assert await read(packed, "", media_type) == Body(sitemap)
    assert await read(gzip.compress(packed), "gzip", "application/x-gzip") == Body(sitemap)


async def test_garbage_behind_gzip_is_ignored_and_further_members_are_read() -> None:
    packed = gzip.compress(b"<a>") + gzip.compress(b"<b>")
    for rest in (b"", b"\0" * 700, b"\r\n", b"garbage"):
        assert await read(packed + rest, "", "application/gzip") == Body(b"<a><b>")
        assert await read([packed, rest], "gzip") == Body(b"<a><b>")


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br"])
async def test_what_is_cut_off_is_kept_and_said_to_be(encoding: str) -> None:
    body = await read(ENCODERS[encoding](PAGE)[:-9], encoding)
    assert (body.truncated, body.ended) == (True, "connection")
    assert PAGE.startswith(body.data)


async def test_broken_and_unknown_encodings_are_named() -> None:
    packed = bytearray(gzip.compress(PAGE, mtime=0))
    packed[20:30] = b"\xff" * 10
    for data, encoding in ((bytes(packed), "gzip"), (b"\xff" * 99, "br"), (PAGE, "compress")):
        with pytest.raises(BodyError, match=r"compression|'compress'") as caught:
            await read(data, encoding)
        assert caught.value.reason is Reason.PROTOCOL


async def test_a_flood_of_encodings_costs_one_page() -> None:
    with pytest.raises(BodyError) as caught:
        await read(b"hi", ", ".join(["gzip"] * 5000))
    assert caught.value.reason is Reason.PROTOCOL


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "gzip, br"])
async def test_a_bomb_is_stopped_before_it_goes_off(encoding: str) -> None:
    bomb = ENCODERS[encoding](b"<p>" + bytes(32 * 2**20))
    tracemalloc.start()
    try:
        with pytest.raises(BodyError) as caught:
            await read(bomb, encoding)
        peak_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert caught.value.reason is Reason.TOO_BIG
    assert peak_bytes < 3 * LIMITS.page_bytes


async def test_pages_over_the_limit_are_refused_and_pages_at_the_limit_kept() -> None:
    page = PAGE.ljust(LIMITS.page_bytes)
    assert (await read(page)).data == page
    with pytest.raises(BodyError, match=str(LIMITS.page_bytes)):
        await read(page + b" ")
    with pytest.raises(BodyError):
        await read(b"<p>" * 10, limits=SizeLimits(page_bytes=20, feed_bytes=20))


@pytest.mark.parametrize(
    ("start", "media_type"),
    [
        (b"<?xml version='1.0'?><source><job>", "text/html"),
        (b"\xef\xbb\xbf \n<rss version='2.0'>", "text/plain"),
        (b"<jobs>", "application/octet-stream"),
        (b"<!-- made by --><positions>", "application/xml"),
        (b"<feed xmlns='http://www.w3.org/2005/Atom'>", "application/atom+xml"),
        ("\ufeff<?xml version='1.0'?>".encode("utf-16-le"), "text/html"),
    ],
)
async def test_xml_is_cut_at_its_own_limit(start: bytes, media_type: str) -> None:
    """A feed is read to its end, so that all of its jobs become rows."""
    body = await read(start.ljust(2 * 2**20), "", media_type)
    assert (body.truncated, len(body.data)) == (False, 2 * 2**20)
    small = SizeLimits(page_bytes=10, feed_bytes=5000)
    body = await read(start.ljust(6000), "", media_type, small)
    assert (body.truncated, body.ended, len(body.data)) == (True, "size", 5000)


async def test_xhtml_is_a_page_whatever_it_begins_with() -> None:
    page = b"<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0'><html>"
    for media_type in ("text/html", "application/xhtml+xml", "application/xml"):
        assert len((await read(page.ljust(2 * 2**20), "", media_type)).data) == 2 * 2**20


@pytest.mark.parametrize("media_type", ["", "application/octet-stream", "application/json", "x/y"])
async def test_types_that_say_nothing_are_judged_by_the_body(media_type: str) -> None:
    assert (await read(b"\xef\xbb\xbf\n " + PAGE, "", media_type)).data
    assert (await read(b"", "", media_type)).data == b""
    with pytest.raises(BodyError) as caught:
        await read(b'{"a": "<p>"}', "", media_type)
    assert caught.value.reason is Reason.TYPE


def test_types_that_never_hold_a_page() -> None:
    for media_type in ("image/svg+xml", "video/mp4", "application/pdf", "text/css", "font/woff2"):
        assert is_hopeless(media_type)
    for media_type in ("text/html", "text/plain", "application/rss+xml", "application/gzip", ""):
        assert not is_hopeless(media_type)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("", ("", "")),
        ("text/html", ("text/html", "")),
        ("Text/HTML; Charset=UTF-8", ("text/html", "utf-8")),
        ("text/html;charset='latin-1'; x=y", ("text/html", "latin-1")),
        ('text/html; x=y;charset = "a b"', ("text/html", "a")),
        ("text/html; charset=", ("text/html", "")),
    ],
)
def test_content_types(header: str, expected: tuple[str, str]) -> None:
    assert split_content_type(header) == expected


async def test_the_start_of_a_body() -> None:
    assert await read_start(arriving([b"a" * 99, b"b"]), "", 100) == b"a" * 99 + b"b"
    assert await read_start(arriving([gzip.compress(b"a" * 999)]), "gzip", 100) == b"a" * 100
    assert await read_start(arriving([b"a"]), "", 100) == b"a"


@pytest.mark.parametrize("label", ["br", "deflate", "zstd", "gzip", "utf-8", "none", "x-what"])
async def test_a_false_label_costs_nothing_where_the_body_is_markup(label: str) -> None:
    assert (await read(PAGE, label)).data == PAGE
    assert (await read(b"\xef\xbb\xbf \n" + PAGE, label)).data.endswith(PAGE)


async def test_zstd_is_cut_at_the_limit_and_told_when_it_ends_early() -> None:
    packed = zstd.compress(bytes(range(256)) * 400)
    assert (
        await read(packed[: len(packed) // 2] if len(packed) > 2000 else packed[:-9], "zstd")
    ).truncated
    assert not (await read(packed + b"trailing bytes", "zstd")).truncated
    two = zstd.compress(PAGE) + zstd.compress(b"<p>second")
    assert (
        await read([two[i : i + 7] for i in range(0, len(two), 7)], "zstd")
    ).data == PAGE + b"<p>second"
    with pytest.raises(BodyError) as caught:
        await read(zstd.compress(b"<p>" + bytes(100 * 2**20)), "zstd")
    assert caught.value.reason is Reason.TOO_BIG
    far = zstd.compress(
        PAGE * 9000,
        options={
            zstd.CompressionParameter.window_log: 27,
            zstd.CompressionParameter.content_size_flag: 0,
        },
    )
    with pytest.raises(BodyError, match="compression"):  # wants 128 MiB to remember
        await read(far, "zstd")


# --- large feeds ----------------------------------------------------------------------------------


def test_a_large_feed_goes_to_a_file_as_it_arrives(tmp_path: Path) -> None:
    text = b"<?xml version='1.0'?><source>" + b"<job/>" * 2**20 + b"</source>"
    sent = gzip.compress(text, 1)
    tracemalloc.start()
    try:
        arrival = Arrival("gzip", "text/plain", LIMITS, tmp_path)
        for start in range(0, len(sent), 1000):
            assert arrival.take(sent[start : start + 1000])
        body = arrival.end()
        peak_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (body.file_bytes, body.truncated, body.ended) == (len(text), False, "")
    assert body.data == text[:HEAD_BYTES]
    assert Path(body.file).read_bytes() == text
    assert body.digest == hashlib.blake2b(text, digest_size=16).hexdigest()
    assert peak_bytes < 3 * SPOOL_BYTES


@pytest.mark.parametrize(
    ("start", "is_spooled"),
    [
        (b"<?xml version='1.0'?><source><job>", True),
        (b"<rss version='2.0'><channel>", True),
        (b"<?xml version='1.0'?><urlset>", False),  # each of its links counts
        (b"<!doctype html><html>", False),
    ],
)
def test_what_goes_to_a_file(start: bytes, is_spooled: bool, tmp_path: Path) -> None:
    arrival = Arrival("", "text/html", LIMITS, tmp_path)
    arrival.take(start.ljust(SPOOL_BYTES + 5))
    assert arrival.is_spooled is is_spooled
    assert (arrival.cut("connection") is not None) is is_spooled
    arrival.discard()


def test_a_large_feed_is_cut_at_its_limit_and_says_so(tmp_path: Path) -> None:
    limits = SizeLimits(page_bytes=10, feed_bytes=3 * 2**20)
    arrival = Arrival("", "application/xml", limits, tmp_path)
    assert arrival.take(b"<source>".ljust(2 * 2**20))
    assert arrival.take(bytes(2**19))
    assert not arrival.take(bytes(2**20))
    body = arrival.end()
    assert (body.ended, body.file_bytes, body.truncated) == ("size", 3 * 2**20, True)
    assert Path(body.file).stat().st_size == 3 * 2**20


def test_what_is_broken_off_is_kept_or_deleted(tmp_path: Path) -> None:
    arrival = Arrival("", "application/xml", LIMITS, tmp_path)
    arrival.take(b"<source>".ljust(3 * 2**20))
    [file] = tmp_path.iterdir()
    arrival.discard()
    assert not file.exists()
    small = Arrival("", "application/xml", LIMITS, tmp_path)
    small.take(b"<source>".ljust(2000))
    assert small.cut("time") is None  # another try gives more
    assert small.cut("connection") == Body(
        b"<source>".ljust(2000), truncated=True, ended="connection"
    )
    assert not list(tmp_path.iterdir())


def test_a_disk_that_fills_up_cuts_the_feed(tmp_path: Path) -> None:
    arrival = Arrival("", "application/xml", LIMITS, tmp_path / "missing")
    assert not arrival.take(b"<source>".ljust(3 * 2**20))
    assert arrival.end().ended == "disk"
