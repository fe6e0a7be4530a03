"""The fetcher against every hostile behaviour, many at once: each has its stated outcome."""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace

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
from graphcrawl.models import Fetched, FetchOutcome, NotFetched, Reason, Redirected
from graphcrawl.robots import RobotsFile

HTTP, TLS = hostile_http.BEHAVIOURS, hostile_tls.BEHAVIOURS
MEMORY_BYTES = 150 * 2**20  # that the fetcher and the servers, in one process, may take
TOTAL_S = 3.0
NO_ANSWER = {"timeout retry", "read retry", "tls"}


@dataclass
class Played:
    """What came of all behaviours."""

    web: HostileWeb
    outcomes: dict[str, FetchOutcome] = field(default_factory=dict)  # by URL
    private: dict[str, FetchOutcome] = field(default_factory=dict)  # of the targets, by name
    robots: dict[str, RobotsFile] = field(default_factory=dict)  # by name
    most_bytes: int = 0
    open_sockets: int = 0
    idle: int = 0
    left_sockets: int = 0

    async def play(self, fetcher: Fetcher, behaviour: Behaviour, slots: asyncio.Semaphore) -> None:
        async with slots:
            for url in behaviour.urls:
                if url.endswith("/pause"):
                    await asyncio.sleep(0.2)
                    continue
                self.outcomes[url] = await fetcher.get(url)

    async def play_robots(self, fetcher: Fetcher, one: Behaviour, slots: asyncio.Semaphore) -> None:
        async with slots:
            origin = f"http://{one.host}:80"
            self.robots[one.name] = await fetcher.download_robots(origin)

    async def watch_memory(self, process: psutil.Process) -> None:
        before = process.memory_info().rss
        while True:
            self.most_bytes = max(self.most_bytes, process.memory_info().rss - before)
            await asyncio.sleep(0.02)

    def count_sockets(self, process: psutil.Process) -> int:
        """Count our ends of connections to the web."""
        ports = set(self.web.ports.values())
        return sum(bool(c.raddr) and c.raddr.port in ports for c in process.net_connections("tcp"))


async def honest(talk: Talk) -> None:
    talk.page()


@pytest.fixture(scope="module")
async def played(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Played]:
    authority, process = Authority(tmp_path_factory.mktemp("tls")), psutil.Process()
    hostile_http.pack_bombs()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(authority.pem))
        async with hostile_web([*HTTP, *TLS], {"honest.example": honest}, authority) as web:
            played = Played(web)
            watcher = asyncio.create_task(played.watch_memory(process))
            settings = FetchSettings(
                "graphcrawl/0 (+test)",
                connect_s=5.0,
                read_s=1.0,
                total_s=TOTAL_S,
                max_body_bytes=2**20,
                max_feed_bytes=2**20,
                resolve=web.resolve(),
                concurrency=64,
            )
            begun = time.monotonic()
            patient = replace(settings, connect_s=2.0, total_s=20.0)  # floods cost computing time
            floods = [one for one in HTTP if one.flood]
            many, few = asyncio.Semaphore(32), asyncio.Semaphore(3)
            async with Fetcher(patient) as fetcher:
                await asyncio.gather(*(played.play(fetcher, one, few) for one in (*TLS, *floods)))
            async with Fetcher(settings) as fetcher:
                await asyncio.gather(
                    *(played.play(fetcher, one, many) for one in HTTP if not one.flood)
                )
                for name, outcome in [(b.name, played.outcomes[b.urls[-1]]) for b in HTTP]:
                    if isinstance(outcome, Redirected) and name[3:] in hostile_http.PRIVATE:
                        played.private[name[3:]] = await fetcher.get(outcome.target)
                web.plays_robots = True
                await asyncio.gather(*(played.play_robots(fetcher, one, many) for one in HTTP))
                played.open_sockets = played.count_sockets(process)
                played.idle = fetcher._connections._idle_count
            await asyncio.sleep(0.05)
            played.left_sockets = played.count_sockets(process)
            watcher.cancel()
            seconds = time.monotonic() - begun
            print(f"{len(web.behaviours)} in {seconds:.1f} s, {played.most_bytes >> 20} MiB")
            yield played


@pytest.mark.parametrize("behaviour", [*HTTP, *TLS], ids=lambda b: b.name)
async def test_behaviour(played: Played, behaviour: Behaviour) -> None:
    outcome = played.outcomes[behaviour.urls[-1]]
    assert outcome_word(outcome) == behaviour.outcome, outcome
    if behaviour in HTTP and not behaviour.flood:
        assert outcome.elapsed_s < TOTAL_S + 1
    if isinstance(outcome, NotFetched):
        assert behaviour.detail in outcome.detail
        assert outcome.detail.isprintable()
        assert len(outcome.detail) <= 300
    if isinstance(outcome, Fetched):
        assert b"evil" not in outcome.body
        assert outcome.content_type in {"text/html", "text/xml", ""}
        assert (outcome.etag + outcome.charset).isprintable()
    if isinstance(outcome, Redirected):
        assert outcome.raw.isprintable()
        assert SECRET not in outcome.raw + outcome.target
        assert behaviour.leads_to in outcome.target


def test_there_are_enough_behaviours() -> None:
    assert len({b.name for b in [*HTTP, *TLS]}) == len([*HTTP, *TLS]) >= 60


@pytest.mark.parametrize("name", hostile_http.PRIVATE)
async def test_no_spelling_of_a_private_address_is_asked(played: Played, name: str) -> None:
    outcome = played.private[name]
    assert isinstance(outcome, NotFetched)
    assert (outcome.reason, outcome.requested) == (Reason.ADDRESS, False), outcome


@pytest.mark.parametrize("behaviour", HTTP, ids=lambda b: b.name)
async def test_the_same_done_to_robots_txt(played: Played, behaviour: Behaviour) -> None:
    file = played.robots[behaviour.name]
    if behaviour.name[3:] in hostile_http.PRIVATE:
        assert (file.status, file.cause) == (None, Reason.ADDRESS)
    elif behaviour.outcome in NO_ANSWER:
        assert (file.status, file.cause) == (None, Reason(behaviour.outcome.split()[0]))
    assert len(file.body) <= 2**20
    assert file.status is not None or not file.reachable


async def test_memory_stays_under_its_cap(played: Played) -> None:
    assert played.most_bytes < MEMORY_BYTES


async def test_connections_are_closed(played: Played) -> None:
    assert 0 < played.open_sockets <= played.idle  # servers may have closed some since
    assert played.left_sockets == 0


async def test_no_cookie_and_no_secret_is_ever_sent(played: Played) -> None:
    heads = [head.lower() for heads in played.web.heads.values() for head in heads]
    assert len(heads) > 200
    for word in (b"\ncookie:", b"\nauthorization:", SECRET.encode(), b"\nreferer:"):
        assert not [head for head in heads if word in head]


@pytest.mark.parametrize("name", ["poison-behind-a-page", "poison-behind-204", "two-framings"])
async def test_a_connection_with_more_than_its_answer_is_not_used_again(
    played: Played, name: str
) -> None:
    assert played.web.connections[f"{name}.hostile.example"] >= 2
    assert played.web.connections["cookie.hostile.example"] <= 2  # an honest one is
