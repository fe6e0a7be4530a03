"""From settings to how pages are asked for."""

from collections.abc import Mapping
from pathlib import Path

from graphcrawl.config import HostSettings, Settings
from graphcrawl.errors import SettingsError
from graphcrawl.fetch import FetchSettings, Resolve, user_agent
from graphcrawl.fetch.access import (
    Access,
    basic,
    bearer,
    read_cookies,
    read_headers,
    read_secret,
)
from graphcrawl.fetch.proxy import Proxies


def fetch_settings(settings: Settings, resolve: tuple[Resolve, ...] = ()) -> FetchSettings:
    """Return what the fetcher is to go by; reads cookies and secrets from where they are kept.

    Raises:
        UsageError: A contact, proxy, header, cookie file or secret cannot be used.
    """
    crawl = settings.crawl
    return FetchSettings(
        user_agent=user_agent(settings.contact, crawl.user_agent),
        connect_s=crawl.connect_timeout,
        read_s=crawl.read_timeout,
        total_s=crawl.total_timeout,
        max_body_bytes=crawl.max_body,
        max_feed_bytes=crawl.max_feed,
        allow_private=crawl.allow_private,
        resolve=resolve,
        concurrency=crawl.concurrency,
        access=Access(
            read_headers(crawl.headers),
            credentials(settings.hosts),
            read_cookies(Path(crawl.cookies).expanduser()) if crawl.cookies else None,
        ),
        proxies=Proxies.choose(crawl.proxy),
        max_rate=crawl.max_rate,
        max_bandwidth_bytes=crawl.max_bandwidth,
        per_address=crawl.per_address,
        anonymous=settings.contact is None,
    )


def credentials(hosts: Mapping[str, HostSettings]) -> dict[str, bytes]:
    """Return the Authorization header of each host that has one.

    Raises:
        SettingsError: Half of it is missing, both kinds are there, or a secret is not.
    """
    found: dict[str, bytes] = {}
    for name, own in hosts.items():
        key = f"hosts.{name}"
        if own.token and (own.username or own.password):
            raise SettingsError(
                f"Setting {key!r} has a token and a password.", "Leave one of them out."
            )
        if bool(own.username) != bool(own.password):
            raise SettingsError(
                f"Setting {key!r} has a username without a password, or the reverse.",
                'Write both: username = "me", password = "env:NAME"',
            )
        if own.token:
            found[name] = bearer(read_secret(own.token, f"{key}.token"))
        elif own.username and own.password:
            found[name] = basic(own.username, read_secret(own.password, f"{key}.password"))
    return found
