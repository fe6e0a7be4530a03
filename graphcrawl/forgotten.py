"""What was forgotten on request never comes back: by no link, redirect, seed, canonical or job.

Of a URL or a host only a hash is kept. All pure.
"""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from graphcrawl.models import HostUpdate, Link, NotFetched, Outcome, Page, Reason, Redirected
from graphcrawl.urls import canonical, host_key


def url_key(url: str) -> str:
    """Return the hash under which a canonical URL is forgotten."""
    return _hash(f"url {url}")


def name_key(host: str) -> str:
    """Return the hash under which a host key is forgotten, with all its pages."""
    return _hash(f"host {host}")


def is_forgotten(url: str, host: str, keys: Collection[str]) -> bool:
    """Whether a page or its host is among what was forgotten."""
    return bool(keys) and (url_key(url) in keys or name_key(host) in keys)


def keys_of_urls(urls: Iterable[str]) -> set[str]:
    """Return the hashes of URLs and of their hosts; they may be as somebody wrote them."""
    known = {url for raw in urls if (url := canonical(raw))}
    return {key for url in known for key in (url_key(url), name_key(host_key(url)))}


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
    return {url_key(url) for url in urls} | {name_key(host) for host in hosts}


def without(
    keys: Collection[str], outcomes: Sequence[Outcome], updates: Sequence[HostUpdate]
) -> tuple[Sequence[Outcome], Sequence[HostUpdate]]:
    """Return outcomes and updates that name nothing of what was forgotten.

    A page whose own host was forgotten meanwhile needs no care: its neuron is gone, and with it the
    lease without which nothing is recorded. A page that redirects there is left out.
    """
    if not keys:
        return outcomes, updates
    kept = [update for update in updates if name_key(update.name) not in keys]
    return [
        _without(keys, outcome) for outcome in outcomes if name_key(outcome.claim.host) not in keys
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


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16, person=b"forgotten").hexdigest()
