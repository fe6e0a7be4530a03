"""What would change what becomes of a page, with the command or setting that does it."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphcrawl.config import Settings
from graphcrawl.hosts import HostState
from graphcrawl.models import Reason
from graphcrawl.urls import Scope


@dataclass(frozen=True, slots=True)
class Remedy:
    """One thing that can be done, or has to happen."""

    what: str
    command: str | None = None  # to type next


# By reason: what has to change, and words of a command with the page's {url}, {host} and {name}.
_BY_REASON: dict[str, tuple[str, str | None]] = {
    Reason.SCOPE: ("a wider scope; or make it a seed, which widens it", "crawl --scope any"),
    Reason.FILTER: ("other --include and --exclude patterns let it wait", "check url {url}"),
    Reason.DEPTH: ("a greater --max-depth, or a shorter way from a seed, lets it wait", None),
    Reason.ROBOTS: ("its owner forbids it in robots.txt", "check robots {url}"),
    Reason.ROBOTS_UNREACHABLE: ("its robots.txt has to be readable first", "check robots {url}"),
    Reason.BLOCKED: ("its host is blocked by hand", "hosts unblock {host}"),
    Reason.HOST_LIMIT: ("a greater --max-pages-per-host lets it wait", None),
    Reason.ADDRESS: ("it lies on a private address; for sites of yours", "crawl --allow-private"),
    Reason.CONTACT: ("public hosts are asked with a contact", "crawl --contact you@example.org"),
    Reason.TYPE: ("nothing: what lies there is neither HTML nor XML", None),
    Reason.TRAP: ("a page nearer to a seed that links there; its address looks endless", None),
    Reason.TOO_LONG: ("nothing: its URL is too long to be kept", None),
    Reason.REDIRECT: ("nothing: it leads elsewhere, and that page is fetched instead", None),
    Reason.REDIRECT_LOOP: ("its owner has to mend it: it redirects in circles, or too often", None),
    Reason.DNS: ("its host's name has to lead somewhere", "hosts {host}"),
    Reason.CONNECT: ("its host has to take connections", "hosts {host}"),
    Reason.TLS: ("its host has to show a valid certificate", "hosts {host}"),
    Reason.TIMEOUT: ("a greater crawl.read_timeout or crawl.total_timeout", None),
    Reason.TOO_BIG: ("a greater crawl.max_body, or crawl.max_feed for a feed", None),
    Reason.HTTP_CLIENT: ("its server says that there is nothing for us", None),
    Reason.HTTP_SERVER: ("its server has to recover", "hosts {host}"),
    Reason.TOO_MANY_REQUESTS: ("a longer crawl.delay for its host", "hosts {host}"),
}  # fmt: skip


def remedies_of(
    page: Mapping[str, Any],
    labels: frozenset[str],
    host: HostState | None,
    settings: Settings,
) -> tuple[Remedy, ...]:
    """Return what would change what becomes of a page that the graph has.

    Args:
        page: Its properties, in snake case.
        labels: Of the neuron.
        host: What its host is to the crawl, where it waits.
        settings: For commands on the same graph.
    """
    say = _Saying(page["url"], page["host"], settings)
    if "Pruned" in labels:
        return tuple(_of_tombstone(page, say))
    found: list[Remedy] = []
    if page.get("alias_of"):
        found.append(
            say(
                f"{page['alias_of']} stands for it: reward and links gather there",
                f"explain {shlex.quote(page['alias_of'])}",
            )
        )
    if "Leased" in labels:
        found.append(say("a worker fetches it now; should that end early, it waits again"))
    elif "Frontier" in labels:
        found += _of_waiting(page, host, say)
    elif "Failed" in labels:
        found.append(say("it waits again", f"retry --where {shlex.quote('url=' + page['url'])}"))
        found += say.by_reason(page.get("reason"))
    elif "Excluded" in labels:
        found += say.by_reason(page.get("reason"))
    elif "Fetched" in labels:
        found += _of_fetched(page, labels, say)
    return tuple(found)


def remedies_of_unknown(
    url: str, host: str, settings: Settings, *, forgotten: bool
) -> tuple[Remedy, ...]:
    """Return what would bring a URL into the graph."""
    say = _Saying(url, host, settings)
    if forgotten:
        return (say("nothing: it was forgotten on request, and is never fetched again"),)
    scope = Scope.of([url], "any", settings.crawl.include, settings.crawl.exclude)
    if reason := scope.verdict(url, 0):
        return (say(f"any crawl with these settings refuses it: {reason}", "check url {url}"),)
    return (say("a page that is read links to it; or as a seed it waits at once", "seed {url}"),)


@dataclass(frozen=True, slots=True)
class _Saying:
    """Writes remedies of one page; commands name its graph."""

    url: str
    host: str
    settings: Settings

    def __call__(self, what: str, command: str | None = None) -> Remedy:
        if command is None:
            return Remedy(what)
        words = command.replace("{url}", shlex.quote(self.url)).replace("{host}", self.host)
        return Remedy(what, self.settings.command(words))

    def by_reason(self, reason: str | None) -> list[Remedy]:
        if reason not in _BY_REASON:
            return []
        return [self(*_BY_REASON[reason])]


def _of_tombstone(page: Mapping[str, Any], say: _Saying) -> list[Remedy]:
    below = page.get("pruned_below") or 0.0
    found = []
    if page.get("fetched_at") is None:
        found.append(say(f"links that are worth {below:g} points to it let it live again"))
    found.append(say("the archive of that pruning brings it back", "prune --undo ARCHIVE.parquet"))
    found.append(say("as a seed it waits at once", "seed {url}"))
    return found


def _of_waiting(page: Mapping[str, Any], host: HostState | None, say: _Saying) -> list[Remedy]:
    found = []
    if page.get("ready_at") is not None:
        found.append(say(f"it was put off: {page.get('error') or 'its host asked for it'}"))
    if host is HostState.BLOCKED:
        found += say.by_reason(Reason.BLOCKED)
    elif host in (HostState.PARKED, HostState.PAUSED):
        found.append(say(f"its host is {host}; it has to answer again", "hosts {host}"))
    return found


def _of_fetched(page: Mapping[str, Any], labels: frozenset[str], say: _Saying) -> list[Remedy]:
    found = []
    if "NeedsScript" in labels:
        found.append(say("nothing is paid for its text: it is empty until scripts have run"))
    if page.get("next_visit_at") is not None:
        found.append(say(f"it is read again on {page['next_visit_at']:%Y-%m-%d %H:%M} UTC"))
    found.append(say("other rules grant it more or less", "evaluate --dry-run"))
    found.append(say("its neighbours' reward changes; it flows with", "propagate"))
    return found
