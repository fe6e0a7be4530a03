"""Where to connect to instead of asking a name server, as the user says it: `--resolve`."""

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address

from graphcrawl.errors import UsageError
from graphcrawl.urls import canonical, host_key, host_name

_RESOLVE = re.compile(r"(\*|\[[^\]]+\]|[^:\[\]]+):(\d{1,5}):(\[[^\]]+\]|[^:\[\]]+)(?::(\d{1,5}))?")


@dataclass(frozen=True, slots=True)
class Resolve:
    """Where to find a host, said by the user instead of a name server."""

    host: str  # as in a URL, or `*` for every host
    port: int
    address: str  # an IP address without brackets
    to_port: int | None = None  # None: the same port


def parse_resolve(text: str) -> Resolve:
    """Read `HOST:PORT:ADDRESS` as curl has it, or `HOST:PORT:ADDRESS:PORT` to change the port.

    HOST may be `*`, IPv6 stands in brackets.

    Raises:
        UsageError: It is something else.
    """
    match = _RESOLVE.fullmatch(text.strip())
    if match:
        host, port, address = match[1], int(match[2]), match[3].strip("[]")
        url = "http://*/" if host == "*" else canonical(f"http://{host}/")
        to_port = int(match[4]) if match[4] else None
        ports = {port, port if to_port is None else to_port}
        if url and min(ports) > 0 and max(ports) < 65536 and parse_address(address):
            return Resolve(host_name(host_key(url)), port, address, to_port)
    raise UsageError(
        f"--resolve {text!r} is not HOST:PORT:ADDRESS.",
        "Type for example --resolve docs.example:8080:127.0.0.1 (HOST may be *).",
    )


def parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """Return the IP address that is written there, or None."""
    try:
        return ip_address(text)
    except ValueError:
        return None
