"""A generated web: the same seed and size give the same hosts, pages and feeds, byte for byte.

Like the real one, most of it is of no use to someone who looks for work: diaries, shops, manuals
and clubs hold most of the pages and lie near the seeds; a club has an endless calendar.
The job feeds lie three to five clicks deep, on many small hosts, behind pages that speak of work.
"""

from collections import Counter
from dataclasses import dataclass

from graphcrawl.demo.boards import board, staffing
from graphcrawl.demo.bystanders import Ground, bystander, calendar
from graphcrawl.demo.employers import company
from graphcrawl.demo.hubs import catalogue, portal
from graphcrawl.demo.model import Feed, Pages, Resource, Site, origin
from graphcrawl.demo.plan import World, plan
from graphcrawl.errors import UsageError

MIN_PAGES, MAX_PAGES = 300, 20_000
_NOT_FOUND = Resource(b"<!DOCTYPE html><title>Not found</title><h1>Not found</h1>", status=404)


@dataclass(frozen=True, slots=True)
class Web:
    """All that the demo's server answers, and what a crawl can be measured against."""

    seed: int
    port: int
    resources: dict[tuple[str, str], Resource]  # by host (without port) and path with query
    seeds: tuple[str, ...]
    feeds: tuple[Feed, ...]  # each once, however many URLs lead to it

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names of all hosts, without the port."""
        return tuple(dict.fromkeys(host for host, _ in self.resources))

    @property
    def pages_total(self) -> int:
        """How many URLs a polite crawl of everything requests; of the calendar, its entrance."""
        return sum(resource.role == "page" for resource in self.resources.values())

    @property
    def decoys(self) -> tuple[str, ...]:
        """URLs of the XML documents that are no job feeds: news, products, sitemaps."""
        known = {url for feed in self.feeds for url in (feed.url, *feed.aliases)}
        found = (
            self.url(host, path)
            for (host, path), resource in self.resources.items()
            if resource.body.startswith(b"<?xml")
        )
        return tuple(url for url in found if url not in known)

    def url(self, host: str, path: str = "/") -> str:
        """Return the URL of a resource."""
        return origin(host, self.port) + path

    def answer(self, host: str, path: str) -> Resource:
        """Return what the server answers: a resource, a page of the calendar, or a 404."""
        known = self.resources.get((host, path))
        if known is None and (host, "/calendar/") in self.resources:
            entrance = Site(host, self.url(host, ""), "The calendar", "club", "", 210, ())
            known = calendar(entrance, path)
        return known or _NOT_FOUND

    def describe(self) -> str:
        """Say in one line what there is."""
        forms = Counter(feed.form for feed in self.feeds)
        kinds = ", ".join(f"{count} {form}" for form, count in sorted(forms.items()))
        return (
            f"web {self.seed}: {self.pages_total} pages on {len(self.hosts)} hosts, "
            f"{len(self.feeds)} job feeds ({kinds}), {len(self.decoys)} decoys"
        )


def check_size(pages: int) -> None:
    """Check that a web of so many pages can be generated.

    Raises:
        UsageError: `pages` is not between 300 and 20,000.
    """
    if not MIN_PAGES <= pages <= MAX_PAGES:
        raise UsageError(
            f"The demo cannot generate a web of {pages} pages.",
            f"Choose --pages from {MIN_PAGES} to {MAX_PAGES}.",
        )


def generate(seed: int = 1, pages: int = 400, port: int = 80) -> Web:
    """Generate a web.

    Args:
        seed: Another seed gives another web of the same kind.
        pages: How many a polite crawl of everything requests, exactly.
        port: Where it will be served; it stands in the URLs.

    Raises:
        UsageError: `pages` is not between 300 and 20,000.
    """
    check_size(pages)
    world = plan(seed, pages, port)
    built = {world.portal.host: portal(world)} | catalogue(world) | _employers(world)
    rest = pages - sum(_count(site) for site in built.values())
    sizes = _shares(rest, len(world.bystanders))
    for (site, topic), size in zip(world.bystanders, sizes, strict=True):
        rng = world.rng(site.host)
        others = [other for other, _ in world.bystanders if other is not site]
        friends = rng.sample(others, min(3, len(others)))
        built[site.host] = bystander(Ground(rng, site, topic, friends, world.companies), size)
    return Web(
        seed,
        port,
        {(host, path): r for host, site in built.items() for path, r in site.items()},
        (world.portal.url(), world.catalogue.url()),
        tuple(firm.published.feed for firm in world.employers if firm.published),
    )


def _employers(world: World) -> dict[str, Pages]:
    """Build all hosts with open positions."""
    built = {}
    for firm in world.employers:
        site, rng = firm.site, world.rng(firm.site.host)
        match site.kind:
            case "company":
                others = [other.site for other in world.companies if other is not firm]
                hosted = world.staffing if firm is world.client else None
                built[site.host] = company(rng, firm, hosted, rng.sample(others, 2))
            case "staffing":
                built[site.host] = staffing(rng, firm, world.client.site)
            case _:
                built[site.host] = board(rng, firm, world.companies)
    return built


def _count(pages: Pages) -> int:
    return sum(resource.role == "page" for resource in pages.values())


def _shares(total: int, count: int) -> list[int]:
    """Divide the pages among the sites: a few are large, many are small."""
    weights = [1 / (n + 1) ** 0.7 for n in range(count)]
    sizes = [int(total * weight / sum(weights)) for weight in weights]
    sizes[0] += total - sum(sizes)
    return sizes
