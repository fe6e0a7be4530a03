"""What users of other crawlers reported, in one crawl; a second one asks for nothing."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from peek import DUPLICATES, peek
from processes import OF_ORIGINS
from reported import ROBOTS, SITEMAPS, TRAPS, URLS, Answer, Case, Says, page
from reported_more import BROKEN, CANONICALS, CHARSETS, FEEDS, GRAPH, LINKS, REDIRECTS

from graphcrawl.config import load_settings
from graphcrawl.crawl.inputs import Inputs
from graphcrawl.crawl.run import run_crawl
from graphcrawl.graph import Graph

CASES = [
    *(*URLS, *TRAPS, *ROBOTS, *SITEMAPS, *REDIRECTS, *CANONICALS, *CHARSETS, *FEEDS, *LINKS),
    *(*BROKEN, *GRAPH),
]
OF_HOST = """
MATCH (p:PageNeuron {host: $host}) RETURN p.url AS url, p.title AS title, p.error AS error
"""
WAITING = "MATCH (p:Frontier|Leased) RETURN p.url AS url"


@dataclass
class Web:
    """Plays all cases on one port; what it was asked for, by host."""

    asked: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def answer(self, host: str, target: str) -> Says:
        self.asked[host].append(target)
        case = {f"{case.name}.example": case for case in CASES}.get(host)
        if case is None:
            return Says("nobody", status=404)
        times = self.asked[host].count(target)
        found: Answer | list[Answer] | None = case.pages.get(target)
        if isinstance(found, list):
            found = found[min(times, len(found)) - 1]
        if found is None and target not in OF_ORIGINS:
            found = case.catches_all or page(f"Page {target}")
        if found is None:
            return Says("no such page", status=404)
        if callable(found):
            found = found(times, target)
        return found if isinstance(found, Says) else Says(found)

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            target = head.split(" ", 2)[1]
            host = next(
                line[5:].strip() for line in head.splitlines() if line.lower().startswith("host:")
            )
            says = self.answer(host.split(":")[0], target)
            writer.write(_bytes(says))
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


def _bytes(says: Says) -> bytes:
    if says.raw is not None:
        return says.raw
    body = says.body.encode() if isinstance(says.body, str) else says.body
    length = len(body) if says.length is None else says.length
    lines = [b"HTTP/1.1 %d Said" % says.status, b"Content-Type: " + says.type.encode()]
    lines += [name.encode() + b": " + value for name, value in says.headers]
    lines += [b"Content-Length: %d" % length, b"Connection: close"]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


@asynccontextmanager
async def served() -> AsyncIterator[tuple[Web, int]]:
    web = Web()
    server = await asyncio.start_server(web.connected, "127.0.0.1", 0)
    async with server:
        yield web, server.sockets[0].getsockname()[1]


@pytest.mark.timeout(240)
async def test_reported(graph: Graph) -> None:
    async with served() as (web, port):
        crawl = {
            "delay": 0,
            "allow_private": True,
            "scope": "any",
            "max_pages": 900,
            "retry_wait": 0,
            "parsers": 1,
            "resolve": (f"*:80:127.0.0.1:{port}",),
        }
        settings = load_settings(crawl=crawl)
        seeds = [f"http://{case.name}.example/" for case in CASES]
        stats = await run_crawl(graph, Inputs.check(settings, seeds))
        faults = [fault for case in CASES for fault in await faults_of(case, web, graph)]
        assert not faults, "\n".join(faults)
        assert stats.stop_reason == "done"
        assert not await peek(graph, WAITING)
        assert not await peek(graph, DUPLICATES)
        before = sum(map(len, web.asked.values()))
        await run_crawl(graph, Inputs.check(settings, ()))
        assert sum(map(len, web.asked.values())) == before  # each URL was settled under its key


async def faults_of(case: Case, web: Web, graph: Graph) -> list[str]:
    """Return what is not as the case wants it."""
    host = f"{case.name}.example"
    asked = [target for target in web.asked[host] if "/.well-known/" not in target]
    counts = Counter(asked)
    starts = {prefix: [t for t in asked if _begins(t, prefix)] for prefix in case.never}
    rows = await peek(graph, OF_HOST, host=host)
    found = {row["title"] for row in rows}
    faults = [
        *(f"not asked: {target}" for target in sorted(case.asked - set(asked))),
        *(f"asked: {targets}" for targets in starts.values() if targets),
        *(f"{t}: {n} times" for t, n in counts.items() if t in case.once and n != 1),
        *(f"no title {title!r}" for title in sorted(case.titles - found)),
    ]
    for prefix, most in case.most.items():
        number = sum(n for t, n in counts.items() if t.startswith(prefix))
        faults += [f"{prefix}: {number} times"] if number > most else []
    if faults:
        faults.append(f"  of {sorted(counts)}, titles {sorted(map(str, found))}")
        faults += [f"  {row['url']}: {row['error']}" for row in rows if row["error"]]
    return [f"{case.name}: {fault}" for fault in faults]


def _begins(target: str, prefix: str) -> bool:
    """Whether a target begins so; where the prefix ends in NUL, whether it is that."""
    return target == prefix[:-1] if prefix.endswith("\0") else target.startswith(prefix)
