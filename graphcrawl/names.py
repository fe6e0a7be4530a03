"""Many hosts by one name: `example.org:*` at any port, `*.example.org` with all below it as well.

Owners speak of a name; graphcrawl's unit is the host key, one port of one name. All pure.
"""

from functools import lru_cache
from ipaddress import ip_address

from graphcrawl.errors import UsageError
from graphcrawl.urls import canonical, host_key, host_name

_BELOW, _ANY_PORT = "*.", ":*"
_HINT = (
    "Type it as example.org or example.org:8080; example.org:* is all its ports, "
    "*.example.org all below it too."
)


def read_host(text: str) -> str:
    """Return what was typed as a host key or as a name for many: a host, or a URL of it.

    Raises:
        UsageError: It is nothing of the kind.
    """
    word = text.strip()
    bare = word.removeprefix(_BELOW).removesuffix(_ANY_PORT)
    url = canonical(bare if "://" in bare else f"http://{bare}/") if bare else None
    junk = set(bare) & set(" /?#@*") and "://" not in bare
    if not url or junk or "*" in host_key(url):
        raise UsageError(f"{text[:200]!r} is not a host.", _HINT)
    host = host_key(url)
    if bare == word:
        return host
    if host != host_name(host) or "://" in bare:
        raise UsageError(f"{text[:200]!r} is not a host.", _HINT)
    return f"{_BELOW}{host}" if word.startswith(_BELOW) else f"{host}{_ANY_PORT}"


def is_many(name: str) -> bool:
    """Whether a name is for many hosts, not for one host key."""
    return name.startswith(_BELOW) or name.endswith(_ANY_PORT)


def bare_name(name: str) -> str:
    """Return the host name in a name for many."""
    return name.removeprefix(_BELOW).removesuffix(_ANY_PORT)


def is_below(name: str) -> bool:
    """Whether a name for many is also for the hosts below it."""
    return name.startswith(_BELOW)


@lru_cache(maxsize=4096)
def names_for(host: str) -> tuple[str, ...]:
    """Return the names for many that hold for a host key, narrowest first."""
    name = host_name(host)
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        labels = name.split(".")
        above = [".".join(labels[first:]) for first in range(len(labels))]
    else:
        above = [name]
    return (f"{name}{_ANY_PORT}", *(f"{_BELOW}{one}" for one in above))


def holds(name: str, host: str) -> bool:
    """Whether a name, for one host key or for many, is for this host key."""
    return name == host or (is_many(name) and name in names_for(host))
