"""Metrics of a run for Prometheus, on loopback alone.

Source: the text format 0.0.4 of Prometheus ("Exposition formats"): HELP and TYPE lines, counters
that end in `_total`, base units in names.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress

from graphcrawl import __version__
from graphcrawl.crawl.stats import Stats
from graphcrawl.errors import UsageError
from graphcrawl.limits import Cause

ADDRESS = "127.0.0.1"
_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_HEAD_S = 5.0  # how long a request's head may take
_LOCAL = re.compile(rb"(?im)^host:[ \t]*(localhost|127\.0\.0\.1|\[::1\])(:\d+)?[ \t]*\r?$")

Samples = Iterable[tuple[Mapping[str, str], float]]


def render(stats: Stats) -> str:
    """Return all metrics of a run as text."""
    return "".join(f"{line}\n" for line in _lines(stats))


def _lines(stats: Stats) -> Iterator[str]:
    yield from _one("build_info", "gauge", "1; the version is a label", 1, version=__version__)
    yield from _one("run_seconds", "gauge", "seconds since the run began", stats.seconds)
    for name, meaning, value in (
        ("requests_total", "requests for pages, without robots.txt", stats.requests),
        ("pages_total", "pages recorded with content", stats.pages),
        ("redirects_total", "pages that redirect", stats.redirects),
        ("body_bytes_total", "bytes of bodies, unpacked", stats.bytes),
        ("neurons_total", "new neurons", stats.neurons),
        ("axons_total", "new axons", stats.axons),
        ("reward_granted_total", "points of reward granted", stats.reward),
        ("earning_pages_total", "pages that rules paid for", stats.earning),
        ("feeds_total", "job feeds found", stats.feeds),
        ("jobs_read_total", "jobs listed by what was read", stats.jobs),
    ):
        yield from _one(name, "counter", meaning, value)
    yield from _many(
        "failures_total",
        "counter",
        "pages that could not be had, by reason",
        [({"reason": reason}, number) for reason, number in sorted(stats.failures.items())],
    )
    yield from _many(
        "jobs_total",
        "counter",
        "jobs by what became of them",
        [
            ({"change": "new"}, stats.new_jobs),
            ({"change": "changed"}, stats.changed_jobs),
            ({"change": "gone"}, stats.gone_jobs),
        ],
    )
    yield from _many(
        "beside_seconds_total",
        "counter",
        "seconds of work beside the crawl, by kind",
        [({"work": work}, seconds) for work, seconds in sorted(stats.beside_s.items())],
    )
    yield from _one("frontier_pages", "gauge", "pages that wait, as last seen", stats.waiting)
    yield from _many(
        "limited_by",
        "gauge",
        "1 for what limits the crawl now",
        [({"cause": cause}, float(cause == stats.limit.cause)) for cause in Cause],
    )


def _one(name: str, kind: str, meaning: str, value: float, **labels: str) -> Iterator[str]:
    yield from _many(name, kind, meaning, [(labels, value)])


def _many(name: str, kind: str, meaning: str, samples: Samples) -> Iterator[str]:
    full = f"graphcrawl_{name}"
    yield f"# HELP {full} {meaning}"
    yield f"# TYPE {full} {kind}"
    for labels, value in samples:
        inside = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels.items())
        yield f"{full}{{{inside}}} {value!r}" if inside else f"{full} {value!r}"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


@asynccontextmanager
async def serving(port: int, text: Callable[[], str]) -> AsyncIterator[int]:
    """Answer `GET /metrics` on loopback until the end of the block.

    Args:
        port: Which; 0 takes any that is free.
        text: Returns what is answered.

    Yields:
        The port.

    Raises:
        UsageError: The port is taken, or may not be used.
    """

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(
            OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError
        ):
            async with asyncio.timeout(_HEAD_S):
                head = await reader.readuntil(b"\r\n\r\n")
                writer.write(_response(head, text))
                await writer.drain()
        writer.close()

    try:
        server = await asyncio.start_server(answer, ADDRESS, port, limit=2**14)
    except OSError as error:
        raise UsageError(
            f"Metrics cannot be served on port {port}: {error.strerror}.",
            "Choose another: --metrics 9464, or --metrics 0 for any that is free.",
        ) from error
    async with server:
        yield server.sockets[0].getsockname()[1]


def _response(head: bytes, text: Callable[[], str]) -> bytes:
    method, _, rest = head.partition(b" ")
    path = rest.partition(b" ")[0].partition(b"?")[0]
    if not _LOCAL.search(head):  # a name of somebody's that leads here
        status, body = "421 Misdirected Request", "Ask by localhost or 127.0.0.1.\n"
    elif path != b"/metrics":
        status, body = "404 Not Found", "Metrics are at /metrics\n"
    elif method not in (b"GET", b"HEAD"):
        status, body = "405 Method Not Allowed", "GET it.\n"
    else:
        status, body = "200 OK", text()
    data = body.encode()
    lines = (
        f"HTTP/1.1 {status}",
        f"Content-Type: {_CONTENT_TYPE}",
        f"Content-Length: {len(data)}",
        "Connection: close",
    )
    return "\r\n".join((*lines, "", "")).encode() + (b"" if method == b"HEAD" else data)
