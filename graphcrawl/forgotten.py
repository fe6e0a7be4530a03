"""What was forgotten on request never comes back: by no link, redirect, seed, canonical or job.

Of a URL or a host only a hash is kept. All pure.
"""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from graphcrawl.models import HostUpdate, Link, NotFetched, Outcome, Page, Reason, Redirected
from graphcrawl.names import names_for
from graphcrawl.urls import canonical, host_key


def url_key(url: str) -> str:
    """Return the hash under which a canonical URL is forgotten."""
    return _hash(f"url {url}")


def name_key(host: str) -> str:
    """Return the hash under which a host key, or a name for many, is forgotten."""
    return _hash(f"host {host}")


@lru_cache(maxsize=4096)
def host_keys(host: str) -> tuple[str, ...]:
    """Return the hashes under which a host may be forgotten: its own, and of names above it."""
    return tuple(name_key(name) for name in (host, *names_for(host)))


def is_forgotten(url: str, host: str, keys: Collection[str]) -> bool:
    """Whether a page or its host is among what was forgotten."""
    return bool(keys) and (url_key(url) in keys or _is_host_forgotten(host, keys))


def keys_of_pages(pages: Iterable[tuple[str, str]]) -> set[str]:
    """Return the hashes of canonical URLs and of their hosts."""
    return {key for url, host in pages for key in (url_key(url), *host_keys(host))}


def keys_of_urls(urls: Iterable[str]) -> set[str]:
    """Return the hashes of URLs and of their hosts; they may be as somebody wrote them."""
    known = {url for raw in urls if (url := canonical(raw))}
    return keys_of_pages((url, host_key(url)) for url in known)


def leads_there(raw: str, keys: Collection[str]) -> bool:
    """Whether a URL as somebody wrote it leads to what was forgotten."""
    return bool(keys) and not keys_of_urls([raw]).isdisjoint(keys)


def keys_of(outcomes: Sequence[Outcome], updates: Sequence[HostUpdate]) -> set[str]:
    """Return the hashes of all that recording outcomes would name."""
    hosts = {update.name for update in updates}
    urls = set()
    for outcome in outcomes:
        hosts.add(outcome.claim.host)
        for link in outcome.page.links if outcome.page else ():
            urls.add(link.url)
            hosts.add(link.host)
        if isinstance(outcome.fetch, Redirected) and outcome.fetch.target:
            urls.add(outcome.fetch.target)
            hosts.add(host_key(outcome.fetch.target))
    return {url_key(url) for url in urls} | {key for host in hosts for key in host_keys(host)}


def without(
    keys: Collection[str], outcomes: Sequence[Outcome], updates: Sequence[HostUpdate]
) -> tuple[Sequence[Outcome], Sequence[HostUpdate]]:
    """Return outcomes and updates that name nothing of what was forgotten.

    A page whose own host was forgotten meanwhile needs no care: its neuron is gone, and with it the
    lease without which nothing is recorded. A page that redirects there is left out.
    """
    if not keys:
        return outcomes, updates
    kept = [update for update in updates if not _is_host_forgotten(update.name, keys)]
    return [
        _without(keys, outcome)
        for outcome in outcomes
        if not _is_host_forgotten(outcome.claim.host, keys)
    ], kept


def _without(keys: Collection[str], outcome: Outcome) -> Outcome:
    fetch, page = outcome.fetch, outcome.page
    if (
        isinstance(fetch, Redirected)
        and fetch.target
        and is_forgotten(fetch.target, host_key(fetch.target), keys)
    ):
        detail = "redirects to what was forgotten on request"
        gone = NotFetched(
            fetch.url, Reason.FORGOTTEN, detail, fetch.fetched_at, fetch.elapsed_s, fetch.status
        )
        return replace(outcome, fetch=gone, page=None)
    return outcome if page is None else replace(outcome, page=_page_without(keys, page))


def _page_without(keys: Collection[str], page: Page) -> Page:
    def stays(link: Link) -> bool:
        return not is_forgotten(link.url, link.host, keys)

    links = tuple(link for link in page.links if stays(link))
    if len(links) == len(page.links):
        return page
    urls = {link.url for link in links}
    return replace(page, links=links, canonical=page.canonical if page.canonical in urls else "")


def _is_host_forgotten(host: str, keys: Collection[str]) -> bool:
    return any(key in keys for key in host_keys(host))


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16, person=b"forgotten").hexdigest()
