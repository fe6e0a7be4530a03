"""The hosts that do not matter to someone who looks for work: most of the web."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from html import escape
from random import Random
from typing import Literal

from graphcrawl.demo import feeds
from graphcrawl.demo.employers import TODAY, Employer
from graphcrawl.demo.model import Pages, Resource, Site
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
from graphcrawl.demo.words import FOREIGN, MONTHS, Topic, foreign, paragraph, slug, title

Kind = Literal["blog", "shop", "manual", "club"]
_MAX_SECTIONS = 60  # all stand on the home page
_NEWS = {  # what the first page names in its head
    "blog": (("/feed.xml", "application/rss+xml", "Latest"),),
    "club": (("/news.atom", "application/atom+xml", "Reports"),),
}
_CALENDAR = re.compile(r"/calendar/(\d{4})/(\d\d)/(?:(\d\d)/)?")


@dataclass(frozen=True, slots=True)
class Section:
    """A month, a category, a chapter or a season."""

    path: str
    name: str
    begins: date = date(2025, 12, 1)


@dataclass(frozen=True, slots=True)
class Story:
    """A post, a product, a manual page or a match report."""

    section: Section
    path: str
    name: str
    day: date
    small: str  # the small print beside its name


@dataclass(frozen=True, slots=True)
class Ground:
    """What the pages of a bystander are written from."""

    rng: Random
    site: Site
    topic: Topic
    friends: Sequence[Site]  # other bystanders
    employers: Sequence[Employer]  # named now and then


def bystander(ground: Ground, size: int) -> Pages:
    """Build a site of exactly `size` pages that a polite crawl requests."""
    site, kind = ground.site, ground.site.kind
    pages: Pages = {"/style.css": style(site)}
    pages["/about"] = page(site, "About", f"<h1>About</h1>{_prose(ground, 2)}")
    pages |= _oddities(ground)
    decoys = {"shop": 2, "manual": 1, "club": 1, "blog": 1}[kind]
    rest = size - 1 - decoys - sum(r.role == "page" for r in pages.values())
    count = min(_MAX_SECTIONS, max(1, rest // 13))
    if rest - count < 2:
        raise ValueError(f"{size} pages are too few for a {kind}")
    sections = _sections(ground, count)
    total = rest - count
    stories = [_story(ground, sections[n * count // total], n) for n in range(total)]
    pages["/"] = _home(ground, sections, stories)
    for section in sections:
        inside = [story for story in stories if story.section is section]
        listing = rows((s.path, s.name, s.small) for s in inside)
        intro = paragraphs(paragraph(ground.rng, ground.topic, 2))
        pages[section.path] = page(
            site,
            section.name,
            f"<h1>{escape(section.name)}</h1>{intro}{listing}",
            aside=_aside(sections, section),
        )
    for n, story in enumerate(stories):
        near = [stories[(n + step) % len(stories)] for step in (1, len(sections), 5)]
        pages[story.path] = _story_page(ground, story, near, sections)
    pages |= _decoys(site, pages, stories)
    return pages


def calendar(site: Site, path: str) -> Resource | None:
    """Return a page of the endless calendar, or None when the path is none of it."""
    if path == "/calendar/":
        year, month, day = TODAY.year, TODAY.month, None
    elif match := _CALENDAR.fullmatch(path):
        year, month, day = int(match[1]), int(match[2]), match[3]
    else:
        return None
    if not (1 <= month <= 12 and 1900 <= year <= 9998):
        return None
    before, after = (
        date(year, month, 1) - timedelta(days=1),
        date(year, month, 1) + timedelta(days=31),
    )
    days = (after.replace(day=1) - date(year, month, 1)).days
    steps = links(
        (f"/calendar/{d:%Y/%m}/", f"{MONTHS[d.month - 1]} {d.year}") for d in (before, after)
    )
    grid = " ".join(
        link(f"/calendar/{year}/{month:02}/{n:02}/", str(n)) for n in range(1, days + 1)
    )
    name = f"{MONTHS[month - 1]} {year}"
    text = f"Nothing is planned for {day or 'this month'} yet."
    return page(
        site,
        f"{int(day)} {name}" if day else name,
        f"<h1>{name}</h1><p>{grid}</p>{paragraphs(text)}{steps}",
        role="page" if path == "/calendar/" else "trap",
    )


def _sections(ground: Ground, count: int) -> list[Section]:
    rng, topic = ground.rng, ground.topic
    match ground.site.kind:
        case "blog":
            months = [(TODAY.year * 12 + TODAY.month - 1 - n) for n in range(count)]
            return [
                Section(
                    f"/{m // 12}/{m % 12 + 1:02}/",
                    f"{MONTHS[m % 12]} {m // 12}",
                    date(m // 12, m % 12 + 1, 1),
                )
                for m in months
            ]
        case "shop":
            things = [f"{look} {thing}s" for thing in topic.things for look in ("", *topic.looks)]
            names = [" ".join(t.split()).capitalize() for t in things]
            first = names[:: len(topic.looks) + 1]  # the plain ones come before the fancy ones
            ordered = [*first, *(n for n in names if n not in first)]
            ordered += [f"Shelf {n}" for n in range(len(ordered), count)]
            return [Section(f"/shop/{slug(name)}/", name) for name in ordered[:count]]
        case "manual":
            names = [f"{rng.choice(topic.deeds).capitalize()} in practice" for _ in range(count)]
            return [Section(f"/guide/{n}/", f"{n}. {name}") for n, name in enumerate(names, 1)]
        case _:
            years = [TODAY.year - n for n in range(count)]
            return [Section(f"/season/{y}/", f"Season {y}", date(y, 1, 1)) for y in years]


def _story(ground: Ground, section: Section, number: int) -> Story:
    rng, kind = ground.rng, ground.site.kind
    name = title(rng, ground.topic)
    day = section.begins + timedelta(days=13 - number % 14)
    small = str(day)
    if kind == "shop":
        name = f"{rng.choice(ground.topic.looks)} {rng.choice(ground.topic.things)}".capitalize()
        small = f"€ {rng.randrange(4, 180)}.{rng.choice(('00', '50', '90'))}"
    elif kind == "manual":
        small = f"{rng.randint(2, 12)} minutes to read"
    return Story(section, f"{section.path}{slug(name)}-{number + 1}", name, day, small)


def _home(ground: Ground, sections: Sequence[Section], stories: Sequence[Story]) -> Resource:
    site = ground.site
    heading = {"shop": "In the window", "manual": "Often read", "club": "Reports", "blog": "Latest"}
    return page(
        site,
        site.name,
        f"<h2>{heading[site.kind]}</h2>"
        + rows(
            ((s.path, s.name, s.small) for s in stories[:9]),
            "cards" if site.kind == "shop" else "rows",
        ),
        aside=_aside(sections, None)
        + "<h2>Friends</h2>"
        + links((f.url(), f.name) for f in ground.friends),
        hero=banner(ground.rng, site, site.name, site.motto),
        alternates=_NEWS.get(site.kind, ()),
    )


def _story_page(
    ground: Ground, story: Story, near: Sequence[Story], sections: Sequence[Section]
) -> Resource:
    rng, site = ground.rng, ground.site
    language = rng.choice(tuple(FOREIGN)) if rng.random() < 0.12 else "en"
    texts = [
        paragraph(rng, ground.topic, rng.randint(3, 6))
        if language == "en"
        else foreign(rng, language)
        for _ in range(rng.randint(2, 5))
    ]
    if rng.random() < 0.05:  # the words of the rules stand on other pages, too
        texts.append("It was a good job that somebody had kept the receipt.")
    asides = []
    if rng.random() < 0.10:
        firm = rng.choice(ground.employers).site
        asides.append(f"Made possible by {link(firm.url(), firm.name)}.")
    if rng.random() < 0.15:
        friend = rng.choice(ground.friends)
        asides.append(f"Seen first at {link(friend.url(), friend.name, 'nofollow')}.")
    outward = "".join(f"<p>{text}</p>\n" for text in asides)
    return page(
        site,
        story.name,
        f'<h1>{escape(story.name)}</h1><p class="meta">{escape(story.small)} · '
        f"{link(story.section.path, story.section.name)}</p>{paragraphs(*texts)}{outward}"
        f"<h2>More</h2>{links((s.path, s.name) for s in near if s.path != story.path)}",
        aside=_aside(sections, story.section),
        language=language,
    )


def _aside(sections: Sequence[Section], here: Section | None) -> str:
    shown = sections if here is None else sections[:8]
    return "<h2>Browse</h2>" + links((s.path, s.name) for s in shown if s is not here)


def _oddities(ground: Ground) -> Pages:
    """Build what goes wrong or leads astray on a host; the footer links to it."""
    site = ground.site
    match site.kind:
        case "blog":
            return {
                "/guestbook": page(site, "Not found", "<h1>Not found</h1>", status=404),
                "/login": redirect("/login/"),  # two that point to each other
                "/login/": redirect("/login"),
            }
        case "shop":
            return {
                "/robots.txt": robots("/cart"),
                "/cart": page(site, "Cart", "<h1>Your cart is empty</h1>", role="closed"),
                "/sale": page(site, "Gone", "<h1>The sale is over</h1>", status=410),
                "/configurator": Resource(
                    b'<!DOCTYPE html><title>Configurator</title><div id="app">'
                ),
            }
        case "manual":
            return {
                "/search": page(site, "Error", "<h1>Something broke</h1>", status=500),
                "/guide": redirect("/guide/1/", 301),
            }
        case _:
            entrance = calendar(site, "/calendar/")
            assert entrance is not None  # noqa: S101
            return {
                "/robots.txt": robots("/members/"),
                "/members/": page(site, "Members", "<h1>Members only</h1>", role="closed"),
                "/gallery": page(
                    site, "Gallery", f"<h1>Gallery</h1>{_prose(ground, 1)}", delay_s=1.5
                ),
                "/calendar/": entrance,
            }


def _decoys(site: Site, pages: Pages, stories: Sequence[Story]) -> Pages:
    """Build the XML that is no job feed."""
    items = [
        feeds.Item(site.url(s.path), s.name, f"{s.name}. {s.small}", s.day, s.small)
        for s in stories[:30]
    ]
    urls = [site.url(path) for path, r in pages.items() if r.role == "page" and r.status == 200]
    match site.kind:
        case "blog":
            return {"/feed.xml": feeds.news_rss(site.name, site.base, items)}
        case "shop":
            return {
                "/export/products.xml": feeds.products(site.name, site.base, items),
                "/sitemap.xml": feeds.sitemap(urls),
            }
        case "manual":
            return {"/sitemap.xml": feeds.sitemap(urls)}
        case _:
            return {"/news.atom": feeds.news_atom(site.name, site.base, items)}


def _prose(ground: Ground, count: int) -> str:
    return paragraphs(*(paragraph(ground.rng, ground.topic) for _ in range(count)))
