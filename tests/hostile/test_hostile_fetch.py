"""The fetcher against every hostile behaviour, all at once: each has its stated outcome."""

import asyncio
import gc
import time
from collections.abc import AsyncIterator

import hostile_http
import hostile_tls
import psutil
import pytest
from hostile_server import (
    SECRET,
    Authority,
    Behaviour,
    HostileWeb,
    Talk,
    hostile_web,
    outcome_word,
)

from graphcrawl.fetch import Fetcher, FetchSettings
from graphcrawl.models import Fetched, FetchOutcome, NotFetched, Redirected

BEHAVIOURS = [*hostile_http.BEHAVIOURS, *hostile_tls.BEHAVIOURS]
MEMORY_BYTES = 200 * 2**20  # that the fetcher and the server may take together
TOTAL_S = 3.0

Played = tuple[HostileWeb, dict[str, FetchOutcome]]


async def honest(talk: Talk) -> None:
    talk.page()


@pytest.fixture(scope="module")
async def played(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Played]:
    authority = Authority(tmp_path_factory.mktemp("tls"))
    for packing in ("gzip", "deflate", "br", "twice"):
        hostile_http._bomb(packing)
    gc.collect()
    process, most = psutil.Process(), 0
    before = process.memory_info().rss

    async def watch() -> None:
        nonlocal most
        while True:
            most = max(most, process.memory_info().rss - before)
            await asyncio.sleep(0.02)

    patch = pytest.MonkeyPatch()
    patch.setenv("SSL_CERT_FILE", str(authority.pem))
    async with hostile_web(BEHAVIOURS, {"honest.example": honest}, authority) as web:
        settings = FetchSettings(
            "graphcrawl/0 (+test)",
            connect_s=1.0,
            read_s=1.0,
            total_s=TOTAL_S,
            max_body_bytes=2**20,
            max_feed_bytes=2**20,
            resolve=web.resolve(),
            concurrency=64,
        )
        outcomes: dict[str, FetchOutcome] = {}

        async def ask(fetcher: Fetcher, behaviour: Behaviour) -> None:
            for url in behaviour.urls:
                if url.endswith("/pause"):
                    await asyncio.sleep(0.2)
                    continue
                outcomes[url] = await fetcher.get(url)

        watcher = asyncio.create_task(watch())
        begun = time.monotonic()
        slots = asyncio.Semaphore(24)

        async def in_turn(fetcher: Fetcher, behaviour: Behaviour) -> None:
            async with slots:
                await ask(fetcher, behaviour)

        async with Fetcher(settings) as fetcher:
            await asyncio.gather(*(in_turn(fetcher, b) for b in BEHAVIOURS))
        print(f"{len(BEHAVIOURS)} behaviours, {time.monotonic() - begun:.1f} s, {most >> 20} MiB")
        watcher.cancel()
        web.most_bytes = most  # type: ignore[attr-defined]
        yield web, outcomes
    patch.undo()


@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=lambda b: b.name)
async def test_behaviour(played: Played, behaviour: Behaviour) -> None:
    outcome = played[1][behaviour.urls[-1]]
    assert outcome_word(outcome) == behaviour.outcome, outcome
    assert outcome.elapsed_s < TOTAL_S + 1
    if isinstance(outcome, NotFetched):
        assert behaviour.detail in outcome.detail
        assert outcome.detail.isprintable()
        assert len(outcome.detail) <= 300
    if isinstance(outcome, Fetched):
        assert b"evil" not in outcome.body
        assert outcome.content_type in {"text/html", "text/xml"}
        assert (outcome.etag + outcome.charset).isprintable()
    if isinstance(outcome, Redirected):
        assert outcome.raw.isprintable()
        assert SECRET not in outcome.raw + outcome.target
        assert behaviour.leads_to in outcome.target
