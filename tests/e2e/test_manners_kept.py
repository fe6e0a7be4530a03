"""A real crawl on real Neo4j: a block, a slow host and a limit of pages are obeyed and kept."""

import asyncio
from collections import defaultdict
from itertools import pairwise
from typing import Any

from graphcrawl import hosts
from graphcrawl.config import load_settings
from graphcrawl.crawl.inputs import Inputs, Start
from graphcrawl.crawl.run import run_crawl
from graphcrawl.graph import Graph

LINKS = "".join(f'<a href="/{n}">{n}</a>' for n in range(1, 200))
PAGE = f"<title>t</title>{LINKS}".encode()
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n"


async def test_what_hosts_want_is_obeyed_while_a_crawl_runs_and_after_it(graph: Graph) -> None:
    times: dict[str, list[float]] = defaultdict(list)
    loop = asyncio.get_running_loop()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
                host = head.split("host: ")[1].split("\r\n")[0]
                if "/robots.txt" in head or "/.well-known/" in head:
                    writer.write(b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
                    continue
                times[host].append(loop.time())
                await asyncio.sleep(0.4 if host == "slow.example" else 0.0)
                writer.write(HEAD % len(PAGE) + PAGE)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    seeds = [f"http://{name}.example/" for name in ("blocked", "slow", "small")]
    given: dict[str, Any] = {"delay": 0.1, "max_time": 40, "scope": "host"}
    settings = load_settings(
        crawl=given | {"resolve": (f"*:80:127.0.0.1:{port}",)},
        hosts={"small.example": {"max_pages": 3}},
    )
    async with server:
        started: list[Start] = []
        inputs = Inputs.check(settings, seeds)
        running = asyncio.create_task(run_crawl(graph, inputs, on_start=started.append))
        while len(times["blocked.example"]) < 3 and not running.done():
            await asyncio.sleep(0.05)
        await hosts.block(graph, ["blocked.example"], reason="its owner asked")
        blocked_at = loop.time()
        while not running.done() and (
            len(times["slow.example"]) < 5 or loop.time() < blocked_at + 5
        ):
            await asyncio.sleep(0.05)
        started[0].crawl.stop("enough")
        await running

    late = [at for at in times["blocked.example"] if at > blocked_at + 3.5]
    assert late == []  # 10 s is what is promised
    assert len(times["small.example"]) == 3
    slow = times["slow.example"]
    gaps = [b - a for a, b in pairwise(slow[1:])]
    assert len(slow) >= 5
    assert min(gaps) > 0.4 + 0.8 - 0.15  # its latency, and twice that as its rest

    rows = {row.host: row async for row in hosts.listed(graph)}
    assert rows["blocked.example"].state == "blocked"
    assert rows["blocked.example"].block_reason == "its owner asked"
    assert rows["blocked.example"].waiting > 100
    assert (rows["small.example"].requests, rows["small.example"].waiting) == (3, 0)
    assert 0.35 < (rows["slow.example"].latency_s or 0) < 1.0
