"""Hostile behaviours over plain HTTP/1.1, each with what must come of it."""

import asyncio
import gzip
import zlib
from functools import lru_cache

import brotli
from hostile_server import DOMAIN, ESCAPE, SECRET, Behaviour, Send, Talk, answer, page

_CHUNKED = ("Content-Length:", "Transfer-Encoding: chunked")
_EVIL = answer(page("evil"))
BEHAVIOURS: list[Behaviour] = []


def _raw(data: bytes, *, close: bool = False) -> Send:
    """Return a behaviour that sends these bytes, and closes or waits."""

    async def send(talk: Talk) -> None:
        talk.write(data)
        if close:
            talk.writer.close()

    return send


def _forever(head: bytes, piece: bytes, every_s: float = 0.0) -> Send:
    async def send(talk: Talk) -> None:
        talk.write(head)
        await talk.forever(piece, every_s)

    return send


def _add(name: str, send: Send, outcome: str, *targets: str, **more: str | bool) -> None:
    BEHAVIOURS.append(Behaviour(name, send, outcome, targets or ("/",), **more))  # type: ignore[arg-type]


def _head(*headers: str, status: str = "200 OK") -> bytes:
    """Return a head without a length unless `headers` say one."""
    return "\r\n".join([f"HTTP/1.1 {status}", "Content-Type: text/html", *headers, "", ""]).encode()


def _chunks(*pieces: bytes) -> bytes:
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces)


# --- slow -----------------------------------------------------------------------------------------

_SLOW = "timeout retry"
_add(
    "drip-body", _forever(_head("Content-Length: 99999"), b"<", 0.02), _SLOW, detail="not complete"
)
_add("drip-head", _forever(b"HTTP/1.1 200 OK\r\nX: ", b"x", 0.02), _SLOW)
_add("drip-header-lines", _forever(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n", 0.02), _SLOW)
_add("drip-chunks", _forever(_head("Transfer-Encoding: chunked"), b"1\r\n<\r\n", 0.02), _SLOW)
_add("drip-interim", _forever(b"", b"HTTP/1.1 102 Processing\r\n\r\n", 0.02), _SLOW)
_add("http-3-0", _raw(b"HTTP/3.0 200 OK\r\n\r\n"), _SLOW)  # h11 takes any version
_add("silence", lambda talk: talk.until_gone(), _SLOW, detail="nothing arrived")
_add("head-without-body", _raw(_head("Content-Length: 100")), _SLOW)
_add("huge-length", _raw(_head("Content-Length: 99999999999999999999") + page("x")), _SLOW)

# --- without end ----------------------------------------------------------------------------------

_add("endless-page", _forever(_head(), b"<p>x" * 10_000), "too-big")
_FEED = b"<?xml version='1.0'?><rss>"
_ENDLESS_FEED = _head().replace(b"text/html", b"text/xml") + _FEED
_add("endless-feed", _forever(_ENDLESS_FEED, b"<item/>" * 5_000), "fetched truncated")
_add("endless-film", _forever(_head().replace(b"text/html", b"video/mp4"), bytes(65536)), "type")
_add("endless-error", _forever(_head(status="404 Not Found"), bytes(65536)), "http-4xx")
_add(
    "endless-redirect",
    _forever(_head("Location: /x", status="302 Found"), bytes(65536)),
    "redirected",
)
_add("endless-header", _forever(b"HTTP/1.1 200 OK\r\nX: ", b"x" * 65536), "protocol")
_add("endless-headers", _forever(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n" * 10_000), "protocol")
_add("endless-status-line", _forever(b"HTTP/1.1 200 ", b"x" * 65536), "protocol")
_add(
    "endless-interim",
    _forever(b"", b"HTTP/1.1 103 Early\r\n\r\n" * 1000),
    "protocol",
    detail="too many bytes",
)
_add(
    "endless-trailer",
    _forever(_head("Transfer-Encoding: chunked") + b"0\r\n", b"X: y\r\n" * 10_000),
    "protocol",
)
_add(
    "endless-chunk-extension",
    _forever(_head("Transfer-Encoding: chunked") + b"5;", b"x" * 65536),
    "protocol",
)
_add(
    "chunk-extensions",
    _forever(_head("Transfer-Encoding: chunked"), b"1;%b\r\n<\r\n" % (b"x" * 16_000)),
    "protocol",
    detail="too many bytes",
)
_add(
    "tiny-chunks",
    _forever(_head("Transfer-Encoding: chunked"), b"1\r\n<\r\n" * 10_000),
    "protocol",
    detail="too many bytes",
    flood=True,
)
_add("header-of-10-mb", _raw(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 10**7 + b"\r\n\r\n"), "protocol")
_add(
    "cookie-of-90-kb",
    _raw(answer(page("cookie-of-90-kb /"), "Set-Cookie: a=" + "x" * 90_000)),
    "fetched",
)


# --- not HTTP -------------------------------------------------------------------------------------

for _name, _data in {
    "ssh": b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
    "http-0-9": page("evil") + b"\r\n\r\n",
    "http-2-in-clear": b"\x00\x00\x00\x04\x00\x00\x00\x00\x00" * 4 + b"\r\n\r\n",
    "icy": b"ICY 200 OK\r\n\r\n",
    "status-of-letters": b"HTTP/1.1 abc OK\r\n\r\n",
    "status-99": b"HTTP/1.1 099 Low\r\n\r\n",
    "status-999": answer(b"", status="999 High"),
    "status-of-ten-digits": b"HTTP/1.1 2000000000 OK\r\n\r\n",
    "escapes-in-status": f"HTTP/1.1 {ESCAPE} OK\r\n\r\n".encode(),
    "switching-protocols": b"HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\n\r\n\x81\x05hello",
    "header-without-colon": b"HTTP/1.1 200 OK\r\nbroken\r\n\r\n",
    "header-without-name": b"HTTP/1.1 200 OK\r\n: x\r\n\r\n",
    "blank-before-colon": b"HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\nhello",
    "nul-in-header": b"HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n",
    "continued-first-header": b"HTTP/1.1 200 OK\r\n x: y\r\n\r\n",
    "two-lengths": _head("Content-Length: 5", "Content-Length: 6") + b"hello!",
    "negative-length": _head("Content-Length: -5"),
    "length-of-letters": _head("Content-Length: five"),
    "length-of-forty-digits": _head("Content-Length: " + "9" * 40),
    "length-with-plus": _head("Content-Length: +5") + b"hello",
    "unknown-transfer-encoding": _head("Transfer-Encoding: gzip, chunked"),
    "chunk-of-letters": _head("Transfer-Encoding: chunked") + b"zz\r\n<p>\r\n",
    "negative-chunk": _head("Transfer-Encoding: chunked") + b"-5\r\n<p>\r\n",
    "chunk-of-thirty-digits": _head("Transfer-Encoding: chunked") + b"F" * 30 + b"\r\n<p>\r\n",
    "chunk-longer-than-said": _head("Transfer-Encoding: chunked") + b"3\r\n<p>xx\r\n0\r\n\r\n",
}.items():
    _add(_name, _raw(_data), "protocol")

# --- broken off -----------------------------------------------------------------------------------

_BROKEN = "read retry"


async def _reset(talk: Talk) -> None:
    talk.reset()


async def _reset_in_body(talk: Talk) -> None:
    talk.write(_head("Content-Length: 100000") + page("evil"))
    await talk.writer.drain()
    await asyncio.sleep(0.05)
    talk.reset()


_add("close", _raw(b"", close=True), _BROKEN)
_add("close-in-head", _raw(b"HTTP/1.1 200 OK\r\nX: ", close=True), _BROKEN)
_add("reset", _reset, _BROKEN)
_add("reset-in-body", _reset_in_body, _BROKEN)
_add("short-body", _raw(_head("Content-Length: 100") + page("evil"), close=True), _BROKEN)
_add(
    "unfinished-chunks",
    _raw(_head("Transfer-Encoding: chunked") + _chunks(b"<p>"), close=True),
    _BROKEN,
)
_add(
    "huge-chunk",
    _raw(_head("Transfer-Encoding: chunked") + b"F" * 16 + b"\r\n<p>", close=True),
    _BROKEN,
)


# --- odd, and of use all the same -----------------------------------------------------------------

_OWN = page("odd /")
for _name, _data in {
    "bare-line-feeds": b"HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: %d\n\n%b"
    % (len(_OWN), _OWN),
    "folded-header": answer(_OWN, "X: a\r\n b"),
    "interim": b"HTTP/1.1 103 Early\r\nLink: </x>\r\n\r\n" * 3 + answer(_OWN),
    "length-twice": answer(_OWN, f"Content-Length: {len(_OWN)}, {len(_OWN)}"),
    "upper-case": answer(_OWN).replace(b"Content-Type: text/html", b"CONTENT-TYPE: TEXT/HTML"),
    "five-hundred-headers": answer(_OWN, *(f"X-{n}: {n}" for n in range(500))),
    "chunk-extension": answer(
        b"7;a=b\r\n" + _OWN[:7] + b"\r\n" + _chunks(_OWN[7:], b""), *_CHUNKED
    ),
    "trailer": answer(
        _chunks(_OWN) + b"0\r\nSet-Cookie: a=b\r\nLocation: /evil\r\n\r\n", *_CHUNKED
    ),
    "http-1-0": answer(_OWN).replace(b"HTTP/1.1", b"HTTP/1.0"),
    "gzip-that-is-none": answer(_OWN, "Content-Encoding: gzip"),
    "escape-in-etag": answer(_OWN, f"ETag: {ESCAPE}"),
    "escape-in-charset": answer(_OWN, f"Content-Type: text/html; charset={ESCAPE}"),
    "escape-in-title": answer(page(f"odd /{ESCAPE}")),
    "nuls": answer(_OWN + bytes(9000) + b"<p>\0"),
    "mixed-charsets": answer(_OWN + "ü€".encode() + "ü".encode("latin-1") + b"\xff\xfe\x00<\x00p"),
    "deep": answer(_OWN + b"<div>" * 5_000),
    "one-long-attribute": answer(_OWN + b"<a href='" + b"x" * 500_000 + b"'>x</a>"),
}.items():
    if b"chunked" in _data:
        _data = _data.replace(b"Content-Length:\r\n", b"")
    _add(_name, _raw(_data, close=_name == "http-1-0"), "fetched")
_add("no-length", _raw(_head() + _OWN, close=True), "fetched")
_add("escape-in-type", _raw(answer(b"\x00x", f"Content-Type: {ESCAPE}")), "type", detail="no type")
_add("part", _raw(answer(_OWN, status="206 Partial Content")), "fetched truncated")

# --- an answer too many ---------------------------------------------------------------------------


def _first_poisoned(first: bytes) -> Send:
    """Answer `/1` by this, and all else by an honest page."""

    async def send(talk: Talk) -> None:
        if talk.target == "/1":
            talk.write(first)
        else:
            talk.page()

    return send


_add("poison-behind-a-page", _first_poisoned(answer(page("first")) + _EVIL), "fetched", "/1", "/2")
_add(
    "poison-behind-204", _first_poisoned(b"HTTP/1.1 204 No\r\n\r\n" + _EVIL), "fetched", "/1", "/2"
)
_add(
    "poison-behind-304", _first_poisoned(b"HTTP/1.1 304 No\r\n\r\n" + _EVIL), "fetched", "/1", "/2"
)
_add(
    "poison-behind-chunks",
    _first_poisoned(_head("Transfer-Encoding: chunked") + b"0\r\n\r\n" + _EVIL),
    "fetched",
    "/1",
    "/2",
)
_TWO_FRAMINGS = b"0\r\n\r\n"
_add(
    "two-framings",
    _first_poisoned(_head("Transfer-Encoding: chunked", "Content-Length: 5") + _TWO_FRAMINGS),
    "fetched",
    "/1",
    "/2",
)


async def _late_poison(talk: Talk) -> None:
    talk.page()
    await talk.writer.drain()
    if talk.target == "/1":
        await asyncio.sleep(0.05)
        talk.write(_EVIL)


_add("poison-that-comes-late", _late_poison, "fetched", "/1", "/pause", "/2")

# --- secrets and cookies --------------------------------------------------------------------------


async def _cookie(talk: Talk) -> None:
    talk.page(f"Set-Cookie: session={SECRET}; Domain={DOMAIN}; Path=/")


_add("cookie", _cookie, "fetched", "/1", "/2")
_add(
    "wants-password",
    _raw(answer(b"", 'WWW-Authenticate: Basic realm="x"', status="401 No")),
    "http-4xx",
    "/1",
    "/2",
)
_add(
    "wants-proxy-password",
    _raw(answer(b"", "Proxy-Authenticate: Basic", status="407 No")),
    "http-4xx",
)

# --- redirects ------------------------------------------------------------------------------------


def _to(location: str, status: str = "302 Found") -> Send:
    return _raw(answer(b"", f"Location: {location}", status=status))


for _name, _location in {
    "to-a-file": "file:///etc/passwd",
    "to-a-script": "javascript:alert(1)",
    "to-ftp": f"ftp://user:{SECRET}@{DOMAIN}/",
    "to-data": "data:text/html,<title>evil</title>",
    "to-gopher": "gopher://127.0.0.1:7687/_x",
    "to-bad-host": "http://[broken/",
    "to-bad-port": "http://host.example:99999/",
    "to-zone": "http://[fe80::1%25eth0]/",
}.items():
    _add(_name, _to(_location), "redirected nowhere")
_add("to-long-url", _to("/" + "x" * 50_000), "too-long", detail="50,0")
_add(
    "to-secret",
    _to(f"http://user:{SECRET}@honest.example/0"),
    "redirected",
    leads_to="http://honest.example/0",
)
_add("to-escape", _to(f"/{ESCAPE}"), "redirected")
_add("to-itself", _to("/"), "redirected")
_add("three-hundred", _raw(answer(b"", status="300 Choices")), "protocol")

# addresses that no crawl may ask, as links and redirects spell them
PRIVATE = {
    "metadata": "http://169.254.169.254/latest/meta-data/",
    "metadata-6": "http://[fd00:ec2::254]/latest/meta-data/",
    "decimal": "http://2130706433/",
    "octal": "http://0177.0.0.01/",
    "hex": "http://0x7f000001/",
    "hex-parts": "http://0x7f.0x0.0x0.0x1/",
    "short": "http://127.1/",
    "dotted-end": "http://127.0.0.1./",
    "wide-digits": "http://１２７.０.０.１/",
    "circled-dots": "http://127。0。0。1/",
    "escaped": "http://%31%32%37.0.0.1/",
    "zero": "http://0/",
    "mapped": "http://[::ffff:127.0.0.1]/",
    "mapped-hex": "http://[::ffff:7f00:1]/",
    "compatible": "http://[::7f00:1]/",
    "translated": "http://[64:ff9b::7f00:1]/",
    "locally-translated": "http://[64:ff9b:1::7f00:1]/",
    "six-to-four": "http://[2002:7f00:1::]/",
    "teredo": "http://[2001:0:7f00:1::]/",
    "loopback-6": "http://[::1]/",
    "unspecified-6": "http://[::]/",
    "unique-local": "http://[fc00::1]/",
    "link-local": "http://[fe80::1]/",
    "site-local": "http://[fec0::1]/",
    "multicast": "http://224.0.0.1/",
    "multicast-6": "http://[ff02::1]/",
    "broadcast": "http://255.255.255.255/",
    "reserved": "http://240.0.0.1/",
    "shared": "http://100.64.0.1/",
    "user-and-host": "http://honest.example@127.0.0.1/",
    "backslash": "http:\\\\127.0.0.1\\",
}
for _name, _location in PRIVATE.items():
    _add(
        f"to-{_name}",
        _raw(
            b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: "
            + _location.encode()
            + b"\r\n\r\n"
        ),
        "redirected",
    )

# --- packed ---------------------------------------------------------------------------------------


@lru_cache
def _bomb(packing: str) -> bytes:
    """Return 100 MiB of markup, packed."""
    text = b"<p>x" * (25 * 2**20)
    match packing:
        case "br":
            packer = brotli.Compressor(quality=1)
            return bytes(packer.process(text) + packer.finish())
        case "deflate":
            return zlib.compress(text, 1)
        case "gzip":
            return gzip.compress(text, 1)
    return gzip.compress(_bomb("gzip"), 1)


def _packed(packing: str, label: str, kind: str = "text/html") -> Send:
    async def send(talk: Talk) -> None:
        headers = [f"Content-Type: {kind}", *([f"Content-Encoding: {label}"] if label else [])]
        talk.write(answer(_bomb(packing), *headers))

    return send


_add("gzip-bomb", _packed("gzip", "gzip"), "too-big")
_add("deflate-bomb", _packed("deflate", "deflate"), "too-big")
_add("br-bomb", _packed("br", "br"), "too-big")
_add("bomb-in-a-bomb", _packed("twice", "gzip, gzip"), "too-big")
_add("file-bomb", _packed("gzip", "", "application/gzip"), "too-big")
_add(
    "twenty-encodings",
    _raw(answer(page("evil"), "Content-Encoding: " + "gzip, " * 20 + "gzip")),
    "protocol",
)
# What is markup as it stands was not encoded, whatever the label says.
_add("unknown-encoding", _raw(answer(page("plain"), "Content-Encoding: rot13")), "fetched")
_add(
    "escape-in-encoding",
    _raw(answer(page("plain"), f"Content-Encoding: {ESCAPE}" + "x" * 9000)),
    "fetched",
)
_add(
    "broken-gzip", _raw(answer(b"\x1f\x8b\x08\x00broken" * 9, "Content-Encoding: gzip")), "protocol"
)
_add("broken-br", _raw(answer(b"\xff\xff\xffbroken" * 9, "Content-Encoding: br")), "protocol")
_add(
    "cut-gzip",
    _raw(answer(gzip.compress(_OWN * 99)[:-30], "Content-Encoding: gzip")),
    "fetched truncated",
)

# --- dates ----------------------------------------------------------------------------------------

for _n, _value in enumerate(
    (
        "Mon, 01 Jan 99999999999999999999 12:00:04 GMT",
        "Mon, 01 Jan 2024 12:00:04 +" + "9" * 30,
        ESCAPE,
        "9" * 5000,
        "-1",
    )
):
    _add(
        f"retry-after-{_n}",
        _raw(answer(b"", f"Retry-After: {_value}", f"Date: {_value}", status="503 Busy")),
        "http-5xx retry",
    )


def pack_bombs() -> None:
    """Pack all bombs once, so that the memory it takes is not the fetcher's."""
    for packing in ("gzip", "deflate", "br", "twice"):
        _bomb(packing)
