"""No public host is asked anonymously: its owner must be able to reach who crawls it."""

import logging
from collections.abc import Collection, Sequence

from graphcrawl.crawl.parts import Robots
from graphcrawl.errors import ContactError
from graphcrawl.fetch import Resolve, public_hosts
from graphcrawl.models import Reason
from graphcrawl.robots import Verdict
from graphcrawl.urls import host_key, host_name

logger = logging.getLogger(__name__)

_HINT = "Add --contact you@example.org, or set GRAPHCRAWL_CONTACT."


def require_contact(
    urls: Sequence[str], contact: str | None, resolve: Sequence[Resolve] = (), hint: str = _HINT
) -> None:
    """Refuse to crawl public hosts without a contact.

    Args:
        urls: Canonical URLs to start from.
        contact: What the User-Agent says about it, if anything.
        resolve: Where the user says hosts are; one that is on a private address is not public.
        hint: What to type next.

    Raises:
        ContactError: There are public hosts among the URLs and no contact.
    """
    public = () if contact else public_hosts(urls, resolve)
    if public:
        raise ContactError(
            f"A crawl of public hosts ({public[0]}) needs a contact for their owners.", hint
        )


def warn_of_plain_http(urls: Sequence[str], credentials: Collection[str]) -> None:
    """Say which seeds will not get the credentials of their host, since they are not encrypted.

    Args:
        urls: Canonical URLs of seeds.
        credentials: Names that have credentials, see `fetch.access.keys_of`.
    """
    plain = {host_key(url) for url in urls if url.startswith("http:")}
    for host in sorted(plain & set(credentials)):
        if host == host_name(host) and f"{host}:80" not in credentials:
            logger.warning(
                '%s gets its credentials over https alone; if plain http may do: [hosts."%s:80"]',
                host,
                host,
            )


class Anonymous:
    """Asks robots.txt of private hosts alone: for a crawl without a contact.

    Seeds are checked before a crawl begins. This keeps it from the public hosts that it comes to
    later: by links, by redirects, and by seeds that are added meanwhile.
    """

    def __init__(self, robots: Robots, resolve: Sequence[Resolve]) -> None:
        """Wrap what knows the rules of robots.txt.

        Args:
            robots: Asked about private hosts.
            resolve: As for `require_contact`.
        """
        self._robots, self._resolve = robots, resolve
        self._warned: set[str] = set()
        self._public: dict[str, list[str]] = {}  # by origin: a private web has few

    async def check(self, url: str) -> Verdict:
        """Say whether the URL may be fetched now."""
        start = url[: url.index("/", 8)]
        if start not in self._public:
            self._public[start] = public_hosts([url], self._resolve)
        public = self._public[start]
        if not public:
            return await self._robots.check(url)
        if public[0] not in self._warned:
            self._warned.add(public[0])
            logger.warning("%s is public and is left out: this crawl has no contact", public[0])
        return Verdict(False, Reason.CONTACT, "a public host, and this crawl had no contact")
