"""Metrics: read by Prometheus's own parser, served on loopback alone."""

import asyncio
import socket

import pytest
from prometheus_client.parser import text_string_to_metric_families

from graphcrawl import metrics
from graphcrawl.crawl.stats import Stats
from graphcrawl.errors import UsageError
from graphcrawl.limits import Cause, Limit


def stats() -> Stats:
    filled = Stats(requests=12, pages=7, bytes=4096, reward=1.5, waiting=30, feeds=2, new_jobs=4)
    filled.failures.update(dns=2, robots=1)
    filled.beside_s['odd "name"\\\n'] = 0.25
    filled.limit = Limit(Cause.SERVERS, "the servers")
    return filled


def test_prometheus_reads_what_is_told() -> None:
    families = list(text_string_to_metric_families(metrics.render(stats())))
    samples = {(s.name, *sorted(s.labels.values())): s.value for f in families for s in f.samples}
    assert samples["graphcrawl_pages_total",] == 7
    assert samples["graphcrawl_requests_total",] == 12
    assert samples["graphcrawl_body_bytes_total",] == 4096
    assert samples["graphcrawl_reward_granted_total",] == 1.5
    assert samples["graphcrawl_frontier_pages",] == 30
    assert samples["graphcrawl_failures_total", "dns"] == 2
    assert samples["graphcrawl_jobs_total", "new"] == 4
    assert samples["graphcrawl_beside_seconds_total", 'odd "name"\\\n'] == 0.25
    told = {cause: samples["graphcrawl_limited_by", cause] for cause in Cause}
    assert [cause for cause, value in told.items() if value] == [Cause.SERVERS]
    kinds = {family.name: family.type for family in families}
    assert kinds["graphcrawl_pages"] == "counter"
    assert kinds["graphcrawl_frontier_pages"] == "gauge"
    assert all(family.documentation for family in families)


async def ask(port: int, request: str) -> str:
    reader, writer = await asyncio.open_connection(metrics.ADDRESS, port)
    writer.write(request.encode())
    try:
        return (await reader.read()).decode()
    except ConnectionResetError:  # without an answer
        return ""
    finally:
        writer.close()


async def test_only_metrics_are_served_and_only_to_this_machine() -> None:
    calls = []

    def text() -> str:
        calls.append(1)
        return "a 1\n"

    async with metrics.serving(0, text) as port:
        good = await ask(port, "GET /metrics HTTP/1.1\r\nHost: localhost:1\r\n\r\n")
        assert good.startswith("HTTP/1.1 200 OK\r\n")
        assert good.endswith("\r\n\r\na 1\n")
        assert "version=0.0.4" in good
        head = await ask(port, "HEAD /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert head.endswith("\r\n\r\n")
        asked = len(calls)
        for request, status in (
            ("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
            ("POST /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
            ("GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421),
        ):
            assert (await ask(port, request)).startswith(f"HTTP/1.1 {status} ")
        assert await ask(port, "x" * 2**17) == ""
        assert len(calls) == asked
    with pytest.raises(OSError):
        await asyncio.open_connection(metrics.ADDRESS, port)


async def test_a_port_that_is_taken_is_a_clear_error() -> None:
    with socket.socket() as taken:
        taken.bind((metrics.ADDRESS, 0))
        taken.listen()
        with pytest.raises(UsageError) as caught:
            async with metrics.serving(taken.getsockname()[1], str):
                pass
    assert "in use" in caught.value.message
    assert "--metrics" in caught.value.hint
