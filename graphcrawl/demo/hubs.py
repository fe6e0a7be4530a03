"""The two seeds: a guide to working life, and a general catalogue of links."""

from graphcrawl.demo.employers import prose
from graphcrawl.demo.model import Pages, origin
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
from graphcrawl.demo.plan import World
from graphcrawl.demo.words import slug

_EMPLOYERS_A_PAGE = 25
_SHELVES = {"blog": "Diaries", "shop": "Shops", "manual": "Knowledge", "club": "Clubs"}


def portal(world: World) -> Pages:
    """Build the guide to working life, which leads to boards and employers."""
    site, rng = world.portal, world.rng(world.portal.host)
    trade = world.client.trade
    magazines = [magazine for magazine, _ in world.bystanders[:2]]
    pages: Pages = {"/style.css": style(site), "/robots.txt": robots()}
    guides = ("The first week", "Writing less in a letter", "What HR reads first")
    paths = [(f"/guides/{slug(name)}", name) for name in guides]
    pages["/"] = page(
        site,
        site.name,
        "<h2>Employers of the month</h2>"
        + rows(
            ((c.site.url(), c.site.name, c.site.motto) for c in world.companies if c.near), "cards"
        )
        + f"<p>{link('/employers/', 'All employers')}</p><h2>Job boards</h2>"
        + rows((b.site.url(), b.site.name, b.site.motto) for b in world.boards),
        aside="<h2>Guides</h2>"
        + links(paths)
        + "<h2>We read</h2>"
        + links((m.url(), m.name) for m in magazines),
        hero=banner(rng, site, site.name, site.motto),
    )
    far = [c for c in world.companies if not c.near]
    shelves = [far[i : i + _EMPLOYERS_A_PAGE] for i in range(0, len(far), _EMPLOYERS_A_PAGE)]
    shelf_paths = ["/employers/", *(f"/employers/?page={n + 2}" for n in range(len(shelves) - 1))]
    pager = links((path, f"Page {n}") for n, path in enumerate(shelf_paths, 1))
    for path, shelf in zip(shelf_paths, shelves, strict=True):
        pages[path] = page(
            site,
            "Employers",
            "<h1>Employers</h1>"
            + rows((c.site.url(), c.site.name, f"{c.trade.name}. {c.site.motto}") for c in shelf)
            + (pager if len(shelves) > 1 else ""),
        )
    system = world.staffing.site
    pages["/boards/"] = page(
        site,
        "Job boards",
        "<h1>Job boards</h1>"
        + rows((b.site.url(), b.site.name, b.site.motto) for b in world.boards)
        + f"<h2>Recruiting systems</h2><p>{link(system.url(), system.name)}</p>",
    )
    pages["/guides/"] = page(site, "Guides", f"<h1>Guides</h1>{links(paths)}")
    for path, name in paths:
        advice = "Every career has a first job. Ask what the last person in it did next."
        pages[path] = page(site, name, f"<h1>{name}</h1>{paragraphs(advice)}{prose(rng, trade, 2)}")
    pages["/about"] = page(site, "About", f"<h1>About</h1>{prose(rng, trade, 1)}")
    return pages


def catalogue(world: World) -> dict[str, Pages]:
    """Build the catalogue and, by host, the moved site that it still names."""
    site, rng = world.catalogue, world.rng(world.catalogue.host)
    shelves = "".join(
        f"<h2>{shelf}</h2>"
        + rows(((s.url(), s.name, s.motto) for s, _ in world.bystanders if s.kind == kind), "cards")
        for kind, shelf in _SHELVES.items()
    )
    listed = [firm.site for firm in rng.sample(world.companies, min(len(world.companies), 8))]
    moved = f"www.{listed[0].host}"
    first = f"{origin(moved, world.port)}/"
    companies = [(first if s is listed[0] else s.url(), s.name, s.motto) for s in listed]
    pages = {
        "/style.css": style(site),
        "/": page(
            site,
            site.name,
            shelves + f"<p>{link('/business', 'Business and trade')}</p>",
            hero=banner(rng, site, site.name, site.motto),
        ),
        "/business": page(site, "Business", f"<h1>Business and trade</h1>{rows(companies)}"),
        "/add": page(
            site, "Add a site", "<h1>Add a site</h1><p>Write us a postcard with its address.</p>"
        ),
    }
    return {site.host: pages, moved: {"/": redirect(listed[0].url(), 301)}}
