"""Names that lead where no crawl may go, or change their mind: asked once, pinned on every hop."""

import asyncio
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from hostile_server import Authority, HostileWeb, Talk, answer, hostile_web

from graphcrawl.fetch import Fetcher, FetchSettings, addresses
from graphcrawl.fetch.addresses import AddressError, Resolver, is_metadata, is_public
from graphcrawl.models import Fetched, NotFetched, Reason, Redirected

PUBLIC, PRIVATE = "127.0.0.1", "127.0.0.9"  # what the test takes them for


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> "NameServer":
    server = NameServer()
    monkeypatch.setattr(socket, "getaddrinfo", server.getaddrinfo)
    monkeypatch.setattr(addresses, "is_public", lambda address: str(address) == PUBLIC)
    return server


@dataclass
class NameServer:
    """Answers by name, one answer after the other; the last one stays."""

    answers: dict[str, list[list[str]]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def getaddrinfo(self, host: str, *_: Any, **__: Any) -> list[Any]:
        if host not in self.answers:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        self.asked.append(host)
        turns = self.answers[host]
        found = turns.pop(0) if len(turns) > 1 else turns[0]
        return [(socket.AF_INET, 0, 0, "", (address, 0)) for address in found]


async def honest(talk: Talk) -> None:
    if talk.target == "/away":
        talk.write(answer(b"", "Location: http://inner.example/", status="302 Found"))
    else:
        talk.page()


@pytest.fixture
async def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[HostileWeb]:
    """A web on whose port 80 all names meet, whichever address of loopback they have."""
    hosts = ("flip.example", "inner.example", "mixed.example", "moved.example")
    async with hostile_web([], dict.fromkeys(hosts, honest), Authority(tmp_path)) as web:
        loop = asyncio.get_running_loop()
        connect = loop.create_connection

        async def create_connection(protocol: Any, host: str, port: int, **more: Any) -> Any:
            web.connections[host] += 1
            ip_address(host)  # a name would be resolved once more
            return await connect(protocol, host, web.ports["http"], **more)

        monkeypatch.setattr(loop, "create_connection", create_connection)
        yield web


def fetcher() -> Fetcher:
    return Fetcher(FetchSettings("graphcrawl/0 (+test)", connect_s=5, read_s=5, total_s=9))


async def test_a_name_that_changes_its_mind_is_pinned_and_then_refused(
    names: NameServer, web: HostileWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    names.answers = {"flip.example": [[PUBLIC], [PRIVATE]]}
    async with fetcher() as one:
        for _ in range(3):
            assert isinstance(await one.get("http://flip.example/"), Fetched)
        assert names.asked == ["flip.example"]
        one._resolver._cache.clear()  # as after five minutes
        await one._connections.aclose()
        outcome = await one.get("http://flip.example/")
    assert isinstance(outcome, NotFetched)
    assert (outcome.reason, outcome.requested) == (Reason.ADDRESS, False)
    assert outcome.detail == f"flip.example has the private address {PRIVATE}"
    assert web.connections[PRIVATE] == 0


async def test_of_several_answers_only_public_ones_are_used(
    names: NameServer, web: HostileWeb
) -> None:
    names.answers = {"mixed.example": [[PRIVATE, "::1", "169.254.169.254", PUBLIC]]}
    async with fetcher() as one:
        assert isinstance(await one.get("http://mixed.example/"), Fetched)
    assert web.connections == {PUBLIC: 1, "mixed.example": 1}


async def test_robots_txt_and_redirects_are_checked_on_every_hop(
    names: NameServer, web: HostileWeb
) -> None:
    async def away(talk: Talk) -> None:
        talk.write(answer(b"", "Location: http://inner.example/robots.txt", status="301 Moved"))

    web.extra["moved.example"] = away
    web.plays_robots = True
    web.behaviours = {}
    names.answers = {name: [[PUBLIC]] for name in ("moved.example", "flip.example")}
    names.answers["inner.example"] = [[PRIVATE]]
    async with fetcher() as one:
        redirect = await one.get("http://flip.example/away")
        assert isinstance(redirect, Redirected)
        inner = await one.get(redirect.target)
        file = await one.download_robots("http://inner.example:80")
    assert isinstance(inner, NotFetched)
    assert inner.reason is Reason.ADDRESS
    assert (file.status, file.cause) == (None, Reason.ADDRESS)
    assert web.connections[PRIVATE] == 0


METADATA = [
    "169.254.169.254",
    "fd00:ec2::254",
    "fd00:ec2::254%eth0",
    "100.100.100.200",
    "168.63.129.16",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "2002:a9fe:a9fe::1",
    "::ffff:168.63.129.16",
]


@pytest.mark.parametrize("address", METADATA)
async def test_metadata_services_need_more_than_private_addresses_allowed(address: str) -> None:
    assert is_metadata(ip_address(address))
    assert not is_public(ip_address(address))
    resolver = Resolver([], allow_private=True, threads=1)
    with pytest.raises(AddressError, match="metadata address") as caught:
        await resolver.addresses(address, 80)
    assert caught.value.reason is Reason.ADDRESS
    resolver.close()


@pytest.mark.parametrize("address", ["10.0.0.1", "127.0.0.1", "fe80::1", "169.254.1.1", "8.8.8.8"])
async def test_other_private_addresses_can_be_allowed(address: str) -> None:
    resolver = Resolver([], allow_private=True, threads=1)
    assert await resolver.addresses(address, 80) == ([address], 80)
    resolver.close()
