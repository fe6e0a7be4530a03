"""Companies with open positions, and the ads that they and others publish."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from html import escape
from random import Random
from typing import Literal

from graphcrawl.demo.feeds import Item, Published, news_rss
from graphcrawl.demo.model import Ad, Pages, Resource, Site
from graphcrawl.demo.page import (
    banner,
    link,
    links,
    page,
    paragraphs,
    redirect,
    robots,
    rows,
    style,
)
from graphcrawl.demo.words import CITIES, Trade, business, headline, slug

TODAY = date(2026, 1, 15)
_SYSTEMS = ("jobvite", "icims", "HRMS")  # what some companies run their applications on
Route = Literal["careers", "openings", "partners"]  # the page of a company that links to its feed


@dataclass(frozen=True, slots=True)
class Employer:
    """A host with open positions, and what it does with them."""

    site: Site
    trade: Trade
    ads: tuple[Ad, ...]
    published: Published | None = None
    route: Route = "careers"
    near: bool = False  # the portal names it on its first page
    small: bool = False  # a company with little to say about itself


def write_ads(
    rng: Random, site: Site, folder: str, firms: Sequence[tuple[str, Trade]], count: int
) -> tuple[Ad, ...]:
    """Write ads of some of the firms (name, trade), in a folder of the site."""
    numbers = rng.sample(range(10_000, 100_000), count)
    return tuple(_write_ad(rng, site, folder, number, rng.choice(firms)) for number in numbers)


def _write_ad(rng: Random, site: Site, folder: str, number: int, employer: tuple[str, Trade]) -> Ad:
    firm, trade = employer
    role, city = rng.choice(trade.roles), rng.choice(CITIES)
    hours = rng.choice(("full-time", "full-time", "part-time", "temporary"))
    low = rng.randrange(26, 58)
    posted = TODAY - timedelta(days=rng.randint(0, 40))
    trait = rng.choice(("a calm voice", "a driving licence", "good shoes", "curiosity"))
    text = (
        f"{firm} is looking for a {role.lower()} in {city}, {hours}, from "
        f"{rng.choice(('now on', 'spring', 'next month'))}. You bring {rng.randint(2, 6)} years of "
        f"experience, {trait} "
        f"and the wish to stay. We offer {rng.randint(25, 32)} days of leave and "
        f"{rng.choice(('a bicycle', 'lunch', 'a rail pass', 'a proper desk'))}."
    )
    path = f"{folder}{number}-{slug(role)}"
    return Ad(
        number=number,
        role=role,
        firm=firm,
        city=city,
        hours=hours,
        salary=f"€ {low},000 – {low + 8},000",
        posted=posted,
        closes=posted + timedelta(days=60),
        text=text,
        path=path,
        url=site.url(path),
    )


def company(
    rng: Random, firm: Employer, hosted: Employer | None, partners: Sequence[Site]
) -> Pages:
    """Build a company's site with its career section.

    Args:
        rng: Source of all choices.
        firm: The company.
        hosted: Where its applications run, when it has that done by others.
        partners: Sites that it names as its customers.
    """
    site = firm.site
    pages: Pages = {"/style.css": style(site), "/robots.txt": robots("/intranet/")}
    pages["/intranet/"] = page(site, "Intranet", "<h1>Staff only</h1>", role="closed")
    pages |= _careers(rng, firm, hosted)
    street = f"{rng.randint(1, 90)} Mill Lane, {rng.choice(CITIES)}"
    pages["/contact"] = page(
        site,
        "Contact",
        f"<h1>Contact</h1><p>{escape(site.name)}<br>{street}<br>"
        f"Telephone 0555 {rng.randint(1000, 9999)}</p>",
    )
    imprint = "<p>…</p>"  # nearly empty
    if rng.random() < 0.4:  # its careers section has moved twice
        imprint = f"<h1>Imprint</h1><p>{street}. {link('/jobs', 'Vacancies')}</p>"
        pages["/jobs"] = redirect("/career/", 301)
        pages["/career/"] = redirect(site.url("/careers/"), 302)
    pages["/imprint"] = page(site, "Imprint", imprint)
    news = [] if firm.small else _presence(rng, firm, partners, pages)
    offers = [
        ("/contact" if firm.small else "/services", offer, "Ask us for a quote")
        for offer in firm.trade.offers
    ]
    pages["/"] = page(
        site,
        site.name,
        "<h2>What we do</h2>"
        + rows(offers, "cards")
        + f'<p class="call">Looking for a new job? We have {len(firm.ads)} open jobs and a career '
        f"plan for each of them. {link('/careers/', 'Work with us')}</p>"
        + (f"<h2>News</h2>{rows(news)}" if news else prose(rng, firm.trade, 1)),
        hero=banner(rng, site, site.name, site.motto),
    )
    return pages | (firm.published.pages if firm.published else {})


def _careers(rng: Random, firm: Employer, hosted: Employer | None) -> Pages:
    """Build the career section: the pages that a crawl for jobs is after."""
    site = firm.site
    notes = _feed_notes(firm)
    where = link("/careers/openings", f"See all {len(firm.ads)} jobs")
    if hosted:
        where += " or apply at " + link(hosted.site.url("/apply/"), f"{site.name} on Taleo")
    system = f"<p>Applications run on {rng.choice(_SYSTEMS)}.</p>" if rng.random() < 0.4 else ""
    named = firm.published.alternates if firm.published and firm.route == "careers" else ()
    pages = {
        "/careers/": page(
            site,
            "Careers",
            "<h1>Careers</h1>"
            + paragraphs(
                f"A job at {site.name} is a job for people who like to finish things. Our HR team "
                "answers within a week, and your career is planned with you, not for you."
            )
            + f"<p>{where}.</p>{system}{notes.get('careers', '')}",
            alternates=named,
        ),
        "/careers/openings": page(
            site,
            "Open jobs",
            "<h1>Open jobs</h1>"
            + rows((ad.path, ad.role, f"{ad.city} · {ad.hours} · {ad.salary}") for ad in firm.ads)
            + notes.get("openings", ""),
        ),
    }
    if "partners" in notes:
        pages["/partners"] = page(
            site,
            "For partners",
            "<h1>For partners</h1>"
            + paragraphs("Boards and agencies may publish our jobs free of charge.")
            + notes["partners"],
        )
    return pages | {ad.path: ad_page(site, ad, "/careers/openings", firm.ads) for ad in firm.ads}


def _presence(
    rng: Random, firm: Employer, partners: Sequence[Site], pages: Pages
) -> list[tuple[str, str, str]]:
    """Add what a larger company says about itself; return the rows of its news."""
    site = firm.site
    pages["/about"] = page(
        site,
        "About us",
        "<h1>About us</h1>"
        + paragraphs(
            f"{site.name} was founded in {rng.randint(1921, 2015)} in {rng.choice(CITIES)}. Today "
            f"{rng.randint(120, 900)} people work here.",
            business(rng, firm.trade),
        )
        + "<h2>Customers</h2>"
        + links((partner.url(), partner.name) for partner in partners),
    )
    offers = [("/contact", offer, "Ask us for a quote") for offer in firm.trade.offers]
    pages["/services"] = page(
        site, "Services", f"<h1>Services</h1>{rows(offers, 'cards')}{prose(rng, firm.trade, 2)}"
    )
    return _news(rng, firm, pages)


def _feed_notes(firm: Employer) -> dict[str, str]:
    """Say which pages of a company link to its feed: one, or two when it has two URLs."""
    if firm.published is None:
        return {}
    first, *others = firm.published.hrefs
    form = {"rss": "RSS", "atom": "Atom", "hr-xml": "HR-XML"}.get(firm.published.feed.form, "XML")
    note = f'<p class="meta">{link(first, f"All jobs as {form}")}</p>'
    notes = {str(firm.route): note}
    if others:
        second = "careers" if firm.route == "openings" else "openings"
        notes[second] = f'<p class="meta">{link(others[0], "Job feed for partners")}</p>'
    return notes


def _news(rng: Random, firm: Employer, pages: Pages) -> list[tuple[str, str, str]]:
    """Add the news section and return its rows."""
    site, trade = firm.site, firm.trade
    found: list[Item] = []
    for n in range(rng.randint(1, 3)):
        head = headline(rng, trade, site.name)
        day = TODAY - timedelta(days=30 * n + rng.randint(1, 28))
        path = f"/news/{day:%Y-%m-%d}-{slug(head)}"
        text = business(rng, trade)
        pages[path] = page(
            site, head, f'<h1>{escape(head)}</h1><p class="meta">{day}</p>{paragraphs(text)}'
        )
        found.append(Item(path, head, text, day))
    listing = [(item.url, item.title, str(item.day)) for item in found]
    alternates = [("/news/rss.xml", "application/rss+xml", "News")] if len(found) > 1 else []
    pages["/news/"] = page(site, "News", f"<h1>News</h1>{rows(listing)}", alternates=alternates)
    if alternates:
        entries = [Item(site.url(i.url), i.title, i.text, i.day) for i in found]
        pages["/news/rss.xml"] = news_rss(f"{site.name} news", site.base, entries)
    return listing


def ad_page(site: Site, ad: Ad, up: str, ads: Sequence[Ad]) -> Resource:
    """Build the page of one of the ads of a site; `up` is the page that lists them."""
    facts = (
        ("Place", ad.city),
        ("Hours", ad.hours),
        ("Salary", ad.salary),
        ("Posted", str(ad.posted)),
        ("Apply by", str(ad.closes)),
    )
    table = "".join(f"<tr><th>{name}</th><td>{escape(value)}</td></tr>" for name, value in facts)
    place = ads.index(ad)
    others = [ads[(place + n) % len(ads)] for n in (1, 2)]
    return page(
        site,
        f"{ad.role} in {ad.city}",
        f"<h1>{escape(ad.role)}</h1><table>{table}</table>{paragraphs(ad.text)}"
        f'<p class="call">Job number {ad.number}. {link(up, "Back to all openings")}</p>',
        aside="<h2>More openings</h2>"
        + links((o.path, o.role) for o in others if o.path != ad.path),
    )


def prose(rng: Random, trade: Trade, count: int) -> str:
    """Return `count` paragraphs of what a company writes about itself."""
    return paragraphs(*(business(rng, trade) for _ in range(count)))
