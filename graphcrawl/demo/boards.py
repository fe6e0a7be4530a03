"""Hosts that gather open positions: boards, an aggregator, and a recruiting system."""

from collections.abc import Sequence
from html import escape
from random import Random

from graphcrawl.demo.employers import Employer, ad_page, prose
from graphcrawl.demo.model import Pages, Site
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

_EMPLOYERS_SHOWN = 12


def board(rng: Random, firm: Employer, companies: Sequence[Employer]) -> Pages:
    """Build a job board; on an aggregator the ads are redirects to other sites.

    Args:
        rng: Source of all choices.
        firm: The board.
        companies: All there are.
    """
    site, published = firm.site, firm.published
    employers = rng.sample(companies, min(len(companies), _EMPLOYERS_SHOWN))
    owners = {company.site.name: company for company in companies}
    if published is None:
        raise ValueError("a board publishes its jobs")
    listing = [(ad.path, ad.role, f"{ad.firm} · {ad.city} · {ad.salary}") for ad in firm.ads]
    pages: Pages = {"/style.css": style(site), "/robots.txt": robots("/account/")}
    pages["/"] = page(
        site,
        site.name,
        "<h2>New jobs today</h2>"
        + rows(listing[:5], "cards")
        + f"<p>{link('/jobs/', 'All jobs')}</p>"
        + f'<p class="call">Do you run a site of your own? '
        f"{link('/publishers', 'Take our jobs as a feed')}</p>",
        aside="<h2>Employers</h2>"
        + links((e.site.url(), e.site.name) for e in employers[:4])
        + "<h2>You</h2>"
        + links([("/account/", "Your account")]),
        hero=banner(rng, site, site.name, site.motto),
    )
    pages["/account/"] = page(site, "Account", "<h1>Sign in</h1>", role="closed")
    pages["/jobs/"] = page(site, "All jobs", f"<h1>{len(listing)} jobs</h1>{rows(listing)}")
    for ad in firm.ads:
        if site.kind == "aggregator":
            pages[ad.path] = redirect(rng.choice(owners[ad.firm].ads).url)
        else:
            pages[ad.path] = ad_page(site, ad, "/jobs/", firm.ads)
    pages["/employers"] = page(
        site,
        "Employers",
        "<h1>Who hires here</h1>"
        + rows((e.site.url("/careers/"), e.site.name, e.site.motto) for e in employers),
    )
    pages["/publishers"] = page(
        site,
        "For publishers",
        "<h1>For publishers</h1>"
        + paragraphs("Show our jobs on your own pages. The data is refreshed every night.")
        + links(
            zip(published.hrefs, ("Job feed (XML)", "The same job feed for partners"), strict=False)
        ),
        alternates=published.alternates,
    )
    pages["/about"] = page(
        site, "About", f"<h1>About {escape(site.name)}</h1>{prose(rng, firm.trade, 1)}"
    )
    return pages | published.pages


def staffing(rng: Random, firm: Employer, client: Site) -> Pages:
    """Build the host where a company has its applications run by others."""
    site, published = firm.site, firm.published
    if published is None:
        raise ValueError("a staffing host publishes its jobs")
    pages: Pages = {"/style.css": style(site)}
    pages["/"] = page(
        site,
        site.name,
        f"<h1>{escape(site.name)}</h1><p>Recruiting for {link(client.url(), client.name)}. "
        f"{link('/apply/', 'Choose a job')}</p>",
    )
    pages["/apply/"] = page(
        site,
        "Apply",
        f"<h1>Jobs at {escape(client.name)}</h1>"
        + rows((ad.path, ad.role, f"{ad.city} · {ad.hours}") for ad in firm.ads)
        + f'<p class="meta">{link(published.hrefs[0], "All jobs as HR-XML")}</p>',
    )
    for ad in firm.ads:
        pages[ad.path] = ad_page(site, ad, "/apply/", firm.ads)
    pages["/privacy"] = page(site, "Privacy", f"<h1>Privacy</h1>{prose(rng, firm.trade, 1)}")
    return pages | published.pages
