"""What graphcrawl makes of one URL or one page, told without a graph: nothing is written."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import ada_url

from graphcrawl.config import Settings
from graphcrawl.crawl.fetching import fetch_settings
from graphcrawl.crawl.inputs import Inputs
from graphcrawl.crawl.outcomes import heeded
from graphcrawl.errors import NothingFetchedError, UsageError
from graphcrawl.fetch import Fetcher, public_hosts, robots_agent
from graphcrawl.fetch.bodies import split_content_type
from graphcrawl.models import Fetched, NotFetched, Page, Reason, Redirected
from graphcrawl.parse import Document, parse
from graphcrawl.readers import ReadOptions, read_page
from graphcrawl.robots import MAX_REDIRECTS, Robots, RobotsFile
from graphcrawl.seeds import with_scheme
from graphcrawl.tdmrep import Reservations
from graphcrawl.urls import (
    MAX_URL_CHARS,
    Scope,
    canonical,
    host_key,
    neuron_id,
    origin,
    registered_domain,
)

FILE_BASE = "http://file.invalid/"  # of a file whose address nobody named; RFC 2606

_WHY = {
    "too-long": f"it has more than {MAX_URL_CHARS:,} characters",
    "type": "its file name ends like something that is never HTML or XML",
    "trap": "its path goes round in circles, or is too deep",
    "filter": "the settings' include and exclude patterns keep it out",
}


@dataclass(frozen=True, slots=True)
class UrlCheck:
    """One URL as somebody wrote it, and what becomes of it."""

    raw: str
    canonical: str  # "" where it is no http(s) URL
    host: str  # host key: name, and port where it is not the scheme's own
    origin: str  # scheme, host and port: the unit of robots.txt
    domain: str  # that somebody registered
    neuron_id: int | None
    refused: bool
    reason: str  # "" where it is not refused: invalid, relative, scheme, or one of the graph's
    detail: str


def check_url(
    raw: str,
    base: str = "",
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    allow_private: bool = False,
) -> UrlCheck:
    """Return the canonical form of a URL and whether any crawl would refuse it, and why.

    Robots.txt and the scope of a crawl are other questions; a name is not looked up, so only
    addresses that are written out are known for private.

    Args:
        raw: As written; without a scheme it is taken for a host, as seeds are.
        base: The URL that it is relative to.
        include: Regexes of the settings.
        exclude: Regexes of the settings.
        allow_private: Whether private addresses may be fetched from.
    """
    if not base and raw.lstrip()[:1] in ("/", "?", "#", "."):
        detail = "it has no host: name the page that it stands on by --base"
        return UrlCheck(raw, "", "", "", "", None, True, "relative", detail)
    url = canonical(raw if base else with_scheme(raw.strip()), base)
    if url is None:
        reason, detail = _why_no_url(raw.strip(), base)
        return UrlCheck(raw, "", "", "", "", None, True, reason, detail)
    verdict = Scope.of([url], "any", include, exclude).verdict(url, 0)
    reason = str(verdict) if verdict else ""
    detail = _WHY.get(reason, "")
    if not reason and not allow_private and not public_hosts([url]):
        reason = "address"
        detail = "it leads to a private or loopback address; --allow-private lets a crawl go there"
    host = host_key(url)
    return UrlCheck(
        raw, url, host, origin(url), registered_domain(host), neuron_id(url), bool(reason), reason,
        detail,
    )  # fmt: skip


def _why_no_url(raw: str, base: str) -> tuple[str, str]:
    try:
        url = ada_url.URL(raw, base=base or None)
    except ValueError:
        return "invalid", "no URL by the WHATWG standard: host, port or form is wrong"
    return "scheme", f"{url.protocol} is neither http: nor https:"


@dataclass(frozen=True, slots=True)
class PageCheck:
    """One page, and all that reading it finds."""

    fetched: Fetched
    document: Document
    page: Page
    refused: dict[str, str]  # why links would not be followed, by URL

    @property
    def feeds(self) -> list[str]:
        """URLs that look like job feeds or announce themselves as feeds, best first."""
        likely = [link for link in self.page.links if link.feed_hint > 0]
        return [link.url for link in sorted(likely, key=lambda link: -link.feed_hint)]

    @property
    def reward(self) -> float:
        """Points that rules pay for it."""
        return sum(grant.points for grant in self.page.grants)


def fetched_from_file(body: bytes, base: str, content_type: str) -> Fetched:
    """Return a file's content as if it had come from `base`."""
    media_type, charset = split_content_type(content_type)
    return Fetched(base, 200, body, media_type, charset, datetime.now(UTC), 0.0)


async def fetch(url: str, settings: Settings) -> Fetched:
    """Fetch one page as a crawl would: robots.txt, addresses and limits as in the settings.

    Up to five redirects are followed, each asked about anew.

    Raises:
        UsageError: It is no URL that any crawl would fetch.
        ContactError: Its host is public and there is no contact.
        NothingFetchedError: It cannot be had, or may not.
    """
    checked = check_url(url, allow_private=True)
    if checked.refused:
        raise UsageError(f"{url!r} would be refused: {checked.detail}.", "Give another URL.")
    page_url = checked.canonical
    inputs = Inputs.check(settings, [page_url])
    agent = robots_agent(settings.crawl.user_agent)
    async with Fetcher(fetch_settings(settings, inputs.resolve)) as fetcher:
        robots = Robots(
            fetcher.download_robots,
            _nothing_known,
            _kept_nowhere,
            agent=agent,
            own_hosts=settings.own_hosts.ignore_robots,
        )

        async def allowed(url: str) -> bool:
            return (await robots.check(url)).allowed

        own = settings.own_hosts.ignore_robots
        reservations = Reservations(fetcher.download_robots, allowed, own_hosts=own)
        for _ in range(MAX_REDIRECTS + 1):
            inputs.require_contact([page_url])
            verdict = await robots.check(page_url)
            if not verdict.allowed:
                raise _not_had(page_url, verdict.reason or Reason.ROBOTS, verdict.detail)
            outcome = await fetcher.get(page_url)
            if isinstance(outcome, Redirected):
                outcome = heeded(outcome, agent.lower())
            match outcome:
                case Fetched() as fetched:
                    lines = verdict.signals + (await reservations.check(page_url))[0]
                    return replace(fetched, wish_lines=fetched.wish_lines + lines)
                case Redirected(target=target) if target:
                    page_url = target
                case Redirected(raw=raw):
                    raise _not_had(page_url, Reason.PROTOCOL, f"redirects to {raw[:200]!r}")
                case NotFetched(reason=reason, detail=detail):
                    raise _not_had(page_url, reason, detail)
    raise _not_had(page_url, Reason.REDIRECT_LOOP, f"more than {MAX_REDIRECTS} redirects")


def _not_had(url: str, reason: Reason, detail: str) -> NothingFetchedError:
    hints = {
        Reason.ADDRESS: "Add --allow-private for sites of yours.",
        Reason.ROBOTS: f"See by which rule: graphcrawl check robots {url}",
    }
    return NothingFetchedError(
        f"{url} cannot be had: {reason}: {detail}.",
        hints.get(reason, "Save the page and check the file: graphcrawl check page FILE"),
    )


async def _nothing_known(_: str) -> RobotsFile | None:
    return None


async def _kept_nowhere(_: RobotsFile) -> None:
    return None


def check_page(fetched: Fetched, options: ReadOptions) -> PageCheck:
    """Read a page as a crawl would."""
    document = parse(fetched, options.max_links, options.agent)
    page = read_page(fetched, 0, options)
    return PageCheck(fetched, document, page, {url: str(why) for url, why in page.excluded})
