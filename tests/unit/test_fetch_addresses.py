"""Which addresses a crawl may connect to. Values: IANA registries, RFC 4291, 3056, 6052, curl."""

import socket
from ipaddress import ip_address
from typing import Any

import pytest

from graphcrawl.errors import ContactError, UsageError
from graphcrawl.fetch import Resolve, parse_resolve, public_hosts, user_agent
from graphcrawl.fetch.addresses import AddressError, Resolver, is_public
from graphcrawl.models import Reason


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("0.0.0.0", False),
        ("10.0.0.1", False),
        ("100.64.0.1", False),  # shared between providers and customers
        ("100.100.100.200", False),  # a cloud's metadata
        ("127.0.0.1", False),
        ("168.63.129.16", False),  # another's
        ("169.254.169.254", False),  # and most others'
        ("172.16.0.1", False),
        ("172.32.0.1", True),
        ("192.0.0.192", False),
        ("192.0.2.1", False),
        ("192.168.1.1", False),
        ("198.18.0.1", False),
        ("203.0.113.1", False),
        ("224.0.0.1", False),
        ("240.0.0.1", False),
        ("255.255.255.255", False),
        ("2606:4700::1111", True),
        ("::", False),
        ("::1", False),
        ("::7f00:1", False),  # IPv4-compatible, deprecated
        ("::ffff:127.0.0.1", False),
        ("::ffff:8.8.8.8", True),
        ("64:ff9b::7f00:1", False),  # NAT64 of 127.0.0.1
        ("64:ff9b::808:808", True),
        ("64:ff9b:1::1", False),
        ("2002:7f00:1::", False),  # 6to4 of 127.0.0.1
        ("2002:a9fe:a9fe::1", False),
        ("2001::1", False),  # Teredo
        ("2001:db8::1", False),
        ("3fff::1", False),
        ("fd00:ec2::254", False),
        ("fe80::1", False),
        ("fec0::1", False),
        ("ff02::1", False),
    ],
)
def test_public_addresses(address: str, public: bool) -> None:
    assert is_public(ip_address(address)) is public


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("docs.example:8080:127.0.0.1", Resolve("docs.example", 8080, "127.0.0.1")),
        ("Docs.EXAMPLE:80:[::1]", Resolve("docs.example", 80, "::1")),
        ("bücher.example:80:10.0.0.1", Resolve("xn--bcher-kva.example", 80, "10.0.0.1")),
        ("*:443:[::1]", Resolve("*", 443, "::1")),
        ("[2001:DB8::1]:80:127.0.0.1", Resolve("[2001:db8::1]", 80, "127.0.0.1")),
    ],
)
def test_resolve_option(text: str, expected: Resolve) -> None:
    assert parse_resolve(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "docs.example",
        "docs.example:80",
        "docs.example:80:",
        "docs.example:0:127.0.0.1",
        "docs.example:65536:127.0.0.1",
        "docs.example:x:127.0.0.1",
        ":80:127.0.0.1",
        "docs.example:80:other.example",
        "a b:80:127.0.0.1",
        "docs.example:80:127.0.0.1:0",
        "docs.example:80:127.0.0.1:x",
    ],
)
def test_a_wrong_resolve_option_is_named(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_resolve(text)
    assert repr(text) in caught.value.message
    assert "--resolve docs.example:8080:127.0.0.1" in caught.value.hint


def test_public_hosts() -> None:
    urls = [
        "http://www.example.com/",
        "http://www.example.com/again",
        "http://localhost:8080/",
        "http://api.localhost/",
        "http://127.0.0.1/",
        "http://[::1]:80/",
        "http://192.168.0.1/",
        "http://8.8.8.8/",
        "http://mapped.example/",
        "http://mapped.example:81/",
        "https://outward.example/",
    ]
    resolve = [parse_resolve("mapped.example:80:127.0.0.1")]
    resolve.append(parse_resolve("outward.example:443:8.8.4.4"))
    assert public_hosts(urls, resolve) == [
        "www.example.com",
        "8.8.8.8",
        "mapped.example",  # on port 81
        "outward.example",
    ]
    assert public_hosts(urls[:2], [parse_resolve("*:80:127.0.0.1")]) == []


def test_user_agent_names_product_version_and_contact() -> None:
    assert user_agent(None).startswith("graphcrawl/")
    assert user_agent("https://x.example/bot").endswith(" (+https://x.example/bot)")
    for contact in ("a b", "x\r\nHost: y", "ü@x.example", "a)b"):
        with pytest.raises(ContactError):
            user_agent(contact)


def names(monkeypatch: pytest.MonkeyPatch, **hosts: list[str]) -> list[str]:
    """Make a name server of `hosts` (underscores for dots) and return what it gets asked."""
    asked: list[str] = []

    def getaddrinfo(host: str, *_: Any, **__: Any) -> list[Any]:
        asked.append(host)
        if (found := hosts.get(host.replace(".", "_"))) is None:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [(0, 0, 0, "", (address, 0)) for address in found]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


async def test_only_public_addresses_are_given_out(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = names(
        monkeypatch,
        mixed_example=["10.0.0.1", "8.8.8.8", "8.8.8.8", "9.9.9.9", "2606:4700::1111"],
        private_example=["10.0.0.1", "::1"],
    )
    resolver = Resolver([], allow_private=False, threads=1)
    expected = (["2606:4700::1111", "8.8.8.8", "9.9.9.9"], 80)
    assert await resolver.addresses("mixed.example", 80) == expected
    with pytest.raises(AddressError, match=r"private\.example .* 10\.0\.0\.1") as caught:
        await resolver.addresses("private.example", 80)
    assert caught.value.reason is Reason.ADDRESS
    with pytest.raises(AddressError, match="not known") as caught:
        await resolver.addresses("none.example", 80)
    assert caught.value.reason is Reason.DNS
    with pytest.raises(AddressError):
        await resolver.addresses("127.0.0.1", 80)
    await resolver.addresses("mixed.example", 443)
    assert asked == ["mixed.example", "private.example", "none.example"]  # asked once, kept
    resolver.close()


async def test_the_users_word_goes_before_the_name_server(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = names(monkeypatch, a_example=["8.8.8.8"])
    entries = [parse_resolve("a.example:80:127.0.0.1"), parse_resolve("*:80:127.0.0.2:8080")]
    resolver = Resolver(entries, allow_private=False, threads=1)
    assert await resolver.addresses("a.example", 80) == (["127.0.0.1"], 80)
    assert await resolver.addresses("b.example", 80) == (["127.0.0.2"], 8080)
    assert asked == []
    assert await resolver.addresses("a.example", 443) == (["8.8.8.8"], 443)
    resolver.close()
