"""Where a host name leads, and whether a crawl may go there.

A name is resolved once for each connection, the addresses are checked, and the connection goes to
one that passed: a second answer of the name server can lead nowhere else.
"""

import asyncio
import socket
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

from graphcrawl.models import Reason
from graphcrawl.resolve import Resolve, parse_address
from graphcrawl.urls import host_key, host_name, origin

MAX_ADDRESSES = 4  # tried for one connection
_CACHE_S = 300.0
_CACHED_NAMES = 10_000
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_NEVER_PUBLIC = (
    ip_network("168.63.129.16/32"),  # a cloud's metadata, on an otherwise public address
    ip_network("192.0.0.0/24"),  # protocol assignments; Python versions differ about the rest
    ip_network("192.88.99.0/24"),  # 6to4 relays, withdrawn by RFC 7526
    ip_network("3fff::/20"),  # documentation, RFC 9637
)
# Where machines in clouds get their secrets. `allow_private` is not meant for them.
_METADATA = frozenset(
    ip_address(text)
    for text in (
        "169.254.169.254",  # most clouds
        "169.254.170.2",  # containers
        "168.63.129.16",
        "100.100.100.200",
        "192.0.0.192",
        "fd00:ec2::254",
        "fd20:ce::254",
    )
)


class AddressError(Exception):
    """A name leads nowhere, or to where a crawl must not go."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


def public_hosts(urls: Iterable[str], resolve: Iterable[Resolve] = ()) -> list[str]:
    """Return the hosts among canonical `urls` that belong to the public, by what is written alone.

    Left out are private and loopback addresses, `localhost`, and hosts that `resolve` maps to such.
    """
    mapped = {(entry.host, entry.port): entry.address for entry in resolve}
    found: dict[str, None] = {}
    for url in urls:
        name = host_name(host_key(url))
        port = int(origin(url).rpartition(":")[2])
        written = mapped.get((name, port)) or mapped.get(("*", port)) or name.strip("[]")
        address = parse_address(written)
        is_local = written.rpartition(".")[2] == "localhost"
        if not is_local and (address is None or is_public(address)):
            found[name] = None
    return list(found)


@lru_cache(maxsize=4096)
def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Tell whether an address belongs to the public internet.

    IPv6 addresses that carry an IPv4 address inside (mapped, 6to4, NAT64) are judged by that.

    Source: IANA special-purpose address registries (RFC 6890), RFC 4291, RFC 3056, RFC 6052.
    """
    if any(address in network for network in _NEVER_PUBLIC):
        return False
    address = _inner(address)
    if isinstance(address, IPv4Address):
        if any(address in network for network in _NEVER_PUBLIC):
            return False
        return address.is_global and not (address.is_multicast or address.is_reserved)
    return address.is_global and address in _GLOBAL_UNICAST


_address = lru_cache(maxsize=4096)(ip_address)  # the same few, at every request


@lru_cache(maxsize=4096)
def is_metadata(address: IPv4Address | IPv6Address) -> bool:
    """Tell whether a cloud's metadata service answers there, however the address is dressed."""
    bare = address if isinstance(address, IPv4Address) else IPv6Address(int(address))  # no zone
    return _inner(bare) in _METADATA


def _inner(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Return the IPv4 address that an IPv6 address carries (mapped, 6to4, NAT64), else itself."""
    if isinstance(address, IPv4Address):
        return address
    if address in _NAT64:
        return IPv4Address(address.packed[-4:])
    return address.ipv4_mapped or address.sixtofour or address


class Resolver:
    """Finds the addresses that may be connected to.

    Args:
        resolve: What the user says; such addresses need not be public.
        allow_private: Whether private addresses may be used too, apart from metadata services.
        threads: Name server questions at the same time; each blocks a thread.
    """

    def __init__(self, resolve: Iterable[Resolve], allow_private: bool, threads: int) -> None:
        self._mapped = {(entry.host, entry.port): entry for entry in resolve}
        self._allow_private = allow_private
        self._threads = ThreadPoolExecutor(min(threads, 32), thread_name_prefix="resolve")
        self._cache: dict[str, tuple[float, list[str]]] = {}

    async def addresses(self, host: str, port: int) -> tuple[list[str], int]:
        """Return at most four addresses of `host`, best first, both families early, and the port.

        Raises:
            AddressError: DNS: the name has no address; ADDRESS: none that may be used.
        """
        mapped = self._mapped.get((host, port)) or self._mapped.get(("*", port))
        if mapped:
            return [mapped.address], mapped.to_port or port
        found = [host] if parse_address(host) else await self._look_up(host)
        usable = [text for text in found if self._may_use(_address(text))]
        if not usable:
            kind = "private" if not self._allow_private else "metadata"
            raise AddressError(Reason.ADDRESS, f"{host} has the {kind} address {found[0]}")
        return usable[:MAX_ADDRESSES], port

    def _may_use(self, address: IPv4Address | IPv6Address) -> bool:
        return not is_metadata(address) if self._allow_private else is_public(address)

    def is_mapped(self, url: str) -> bool:
        """Tell whether the user named the address of this URL's host."""
        if not self._mapped:
            return False
        name, port = host_name(host_key(url)), int(origin(url).rpartition(":")[2])
        return (name, port) in self._mapped or ("*", port) in self._mapped

    def refuse_private(self, host: str) -> None:
        """Refuse what is a private address by what is written; a proxy looks up the rest.

        Raises:
            AddressError: ADDRESS: it is one, and those are refused.
        """
        address = parse_address(host)
        is_local = host.rpartition(".")[2] == "localhost"
        if (is_local and not self._allow_private) or (address and not self._may_use(address)):
            raise AddressError(Reason.ADDRESS, f"{host} is a private address")

    async def _look_up(self, host: str) -> list[str]:
        loop = asyncio.get_running_loop()
        expires_at, found = self._cache.get(host, (0.0, []))
        if loop.time() < expires_at:
            return found
        try:
            answers = await loop.run_in_executor(
                self._threads, lambda: socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
            )
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise AddressError(Reason.DNS, f"{host}: {reason}") from error
        found = _mixed([str(answer[4][0]) for answer in answers])
        if len(self._cache) >= _CACHED_NAMES:
            del self._cache[next(iter(self._cache))]
        self._cache[host] = (loop.time() + _CACHE_S, found)
        return found

    def close(self) -> None:
        """Drop the questions that wait; those under way end by themselves."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _mixed(addresses: list[str]) -> list[str]:
    """Put the first of the other family second, so that a broken IPv6 costs one attempt."""
    distinct = list(dict.fromkeys(addresses))
    other = next((a for a in distinct if (":" in a) != (":" in distinct[0])), None)
    if other is not None:
        distinct.remove(other)
        distinct.insert(1, other)
    return distinct
