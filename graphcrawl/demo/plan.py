"""Which hosts there are, before any page is written: they link to each other."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import get_args

from graphcrawl.demo.bystanders import Kind
from graphcrawl.demo.employers import Employer, Route, write_ads
from graphcrawl.demo.feeds import DELIVERIES, FORMS, publish
from graphcrawl.demo.model import Site, origin
from graphcrawl.demo.words import CITIES, TOPICS, TRADES, Topic, names, slug

_PAGES_A_COMPANY = 80  # pages of the whole web for each company in it
_COMPANIES_A_BOARD = 15
_SMALL_WEB = 350  # pages; with fewer, no company is large
_NAV: dict[str, tuple[tuple[str, str], ...]] = {
    "portal": (("/employers/", "Employers"), ("/boards/", "Boards"), ("/guides/", "Guides")),
    "catalogue": (("/", "Catalogue"), ("/business", "Business"), ("/add", "Add a site")),
    "board": (("/jobs/", "Find jobs"), ("/employers", "Employers")),
    "aggregator": (("/jobs/", "Find jobs"), ("/employers", "Employers")),
    "staffing": (("/apply/", "Openings"),),
    "company": (("/careers/", "Careers"), ("/contact", "Contact")),
    "blog": (("/", "Home"), ("/about", "About")),
    "shop": (("/", "Shop"), ("/about", "About us"), ("/cart", "Cart")),
    "manual": (("/", "Start"), ("/guide", "Guide"), ("/about", "About")),
    "club": (("/", "Club"), ("/calendar/", "Calendar"), ("/gallery", "Gallery")),
}
_FOOT: dict[str, tuple[tuple[str, str], ...]] = {
    "portal": (("/about", "About"),),
    "board": (("/publishers", "For publishers"), ("/about", "About")),
    "aggregator": (("/publishers", "For publishers"), ("/about", "About")),
    "staffing": (("/privacy", "Privacy"),),
    "company": (("/imprint", "Imprint"), ("/intranet/", "Staff")),
    "blog": (("/feed.xml", "RSS"), ("/guestbook", "Guestbook"), ("/login", "Sign in")),
    "shop": (
        ("/sale", "Sale"),
        ("/configurator", "Configurator"),
        ("/export/products.xml", "Product feed"),
        ("/sitemap.xml", "Sitemap"),
    ),
    "manual": (("/search", "Search"), ("/sitemap.xml", "Sitemap")),
    "club": (("/about", "About"), ("/news.atom", "News feed"), ("/members/", "Members")),
}


@dataclass(frozen=True, slots=True)
class World:
    """All hosts that are to be built."""

    seed: int
    port: int
    portal: Site
    catalogue: Site
    boards: tuple[Employer, ...]  # the aggregator among them
    staffing: Employer  # has the applications of `client` on a host of its own
    client: Employer
    companies: tuple[Employer, ...]
    bystanders: tuple[tuple[Site, Topic], ...]  # the largest first

    @property
    def employers(self) -> tuple[Employer, ...]:
        """All hosts with open positions."""
        return (*self.boards, self.staffing, *self.companies)

    def rng(self, key: str) -> Random:
        """Return a source of choices of its own for each key: one host leaves the others alone."""
        return Random(f"{self.seed}/{key}")


def plan(seed: int, pages: int, port: int) -> World:
    """Choose hosts, names, open positions and job feeds for a web of `pages` pages."""
    rng = Random(f"{seed}/plan")
    company_count = max(3, round(pages / _PAGES_A_COMPANY))
    board_count = 2 + company_count // _COMPANIES_A_BOARD
    labels = iter(names(rng, company_count + board_count + 1))

    near_count = min(6, company_count // 3 + 1)
    companies = [
        _company(
            rng,
            next(labels),
            port,
            number,
            near=number < near_count,
            small=number % 2 == 1 or pages < _SMALL_WEB,
        )
        for number in range(company_count)
    ]
    firms = [(firm.site.name, firm.trade) for firm in companies]
    client = companies[2]  # the first that publishes no feed itself
    host = f"{slug(client.site.name)}.taleo.example"
    site = _site(rng, "staffing", f"{client.site.name} on Taleo", "Apply once.", port, host=host)
    staffing = Employer(site, client.trade, write_ads(rng, site, "/apply/", [firms[2]], 4))
    boards = []
    for kind in (*["board"] * board_count, "aggregator"):
        motto = rng.choice(("Work near you.", "New every morning.", "One list, all trades."))
        site = _site(rng, kind, f"{next(labels)} Jobs", motto, port)
        folder = "/go/" if kind == "aggregator" else "/jobs/"
        ads = write_ads(rng, site, folder, firms, rng.randint(5, 7))
        boards.append(Employer(site, client.trade, ads))

    speaking = [firm for number, firm in enumerate(companies) if not _silent(number)]
    published = _publish([*boards[:-1], staffing, boards[-1], *speaking])
    portal = ("Workatlas", "The Trade Compass", "Good Hours", "Lunch at Noon")
    catalogue = ("Linkgarden", "The Signpost", "Slow Web Index", "Known Places")
    return World(
        seed,
        port,
        _site(rng, "portal", rng.choice(portal), "A guide to working life.", port),
        _site(rng, "catalogue", rng.choice(catalogue), "Picked by hand since 2004.", port),
        tuple(published[firm.site.host] for firm in boards),
        published[staffing.site.host],
        client,
        tuple(published.get(firm.site.host, firm) for firm in companies),
        tuple(_bystanders(rng, max(4, round(7 * (pages / 400) ** 0.5)), port)),
    )


def _company(
    rng: Random, name: str, port: int, number: int, *, near: bool, small: bool
) -> Employer:
    """Plan a company; its feed, if it gets one, is found by way of its route."""
    trade = rng.choice(TRADES)
    route: Route = "openings" if near else ("careers", "partners")[number % 2]
    site = _site(rng, "company", name, trade.motto, port)
    if not small:
        nav = (("/services", "Services"), ("/news/", "News"), *site.nav)
        site = replace(site, nav=nav, foot=(("/about", "About"), *site.foot))
    if route == "partners" and not _silent(number):
        site = replace(site, foot=(*site.foot, ("/partners", "For partners")))
    firm = [(name, trade)]
    ads = write_ads(rng, site, "/careers/openings/", firm, rng.choice((2, 2, 3, 3, 4, 5)))
    return Employer(site, trade, ads, route=route, near=near, small=small)


def _silent(number: int) -> bool:
    """Tell whether a company publishes no feed: every third one."""
    return number % 3 == 2


def _publish(firms: list[Employer]) -> dict[str, Employer]:
    """Give each a feed. Forms and deliveries are cycles of 5 and 6: 30 firms see every pair."""
    return {
        firm.site.host: replace(
            firm,
            published=publish(
                FORMS[number % len(FORMS)],
                DELIVERIES[number % len(DELIVERIES)],
                firm.site.name,
                firm.site.base,
                firm.ads,
            ),
        )
        for number, firm in enumerate(firms)
    }


def _bystanders(rng: Random, number: int, port: int) -> Iterator[tuple[Site, Topic]]:
    kinds = get_args(Kind)
    hosts: set[str] = set()
    for place in range(number):
        kind, topic = kinds[place % len(kinds)], rng.choice(TOPICS)
        look, thing, city = rng.choice(topic.looks), rng.choice(topic.things), rng.choice(CITIES)
        name, motto = {
            "blog": (
                f"The {look} {thing}",
                f"Notes on {topic.name}, kept since {2009 + place % 9}.",
            ),
            "shop": (f"{thing} & {rng.choice(('Sons', 'Daughters', 'Friends'))}", "Sent tomorrow."),
            "manual": (f"{topic.name} handbook", f"All about {topic.name}, in order."),
            "club": (f"{city} {topic.name} club", "Guests are welcome."),
        }[kind]
        host = slug(name)
        while host in hosts:
            host += f"-{place}"
        hosts.add(host)
        yield _site(rng, kind, name.title(), motto, port, host=f"{host}.example"), topic


def _site(rng: Random, kind: str, name: str, motto: str, port: int, *, host: str = "") -> Site:
    host = host or f"{slug(name)}.example"
    return Site(
        host=host,
        base=origin(host, port),
        name=name,
        kind=kind,
        motto=motto,
        hue=rng.randrange(360),
        nav=_NAV[kind],
        foot=_FOOT.get(kind, ()),
    )
