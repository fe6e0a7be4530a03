"""XML: job feeds in every form and way of delivery, and the feeds that are none (decoys)."""

import gzip
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from email.utils import format_datetime
from html import escape
from typing import get_args

from graphcrawl.demo.model import Ad, Delivery, Feed, Form, Pages, Resource
from graphcrawl.demo.page import redirect

FORMS: tuple[Form, ...] = get_args(Form)
DELIVERIES: tuple[Delivery, ...] = get_args(Delivery)
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_MEDIA_TYPES: dict[Form, str] = {"rss": "application/rss+xml", "atom": "application/atom+xml"}
_ENDINGS: dict[Form, str] = {"rss": "rss", "atom": "atom"}


@dataclass(frozen=True, slots=True)
class Published:
    """A job feed on its host."""

    pages: Pages
    feed: Feed
    hrefs: tuple[str, ...]  # paths that pages link to; the second leads to the same feed
    media_type: str

    @property
    def alternates(self) -> tuple[tuple[str, str, str], ...]:
        """What the head of a page says about the feed: only RSS and Atom are named there."""
        named = self.feed.form in _MEDIA_TYPES and self.feed.delivery != "mislabelled"
        return ((self.hrefs[0], self.media_type, "Open jobs"),) if named else ()


def publish(
    form: Form, delivery: Delivery, publisher: str, base: str, ads: Sequence[Ad]
) -> Published:
    """Write the ads as a job feed and put it on a host.

    Args:
        form: The XML vocabulary.
        delivery: How it is served.
        publisher: Name of the site.
        base: The site's URL without the slash at its end.
        ads: What it offers.
    """
    body = (_DECLARATION + _WRITERS[form](publisher, base, ads)).encode()
    media_type = _MEDIA_TYPES.get(form, "application/xml")
    path = f"/feeds/jobs.{_ENDINGS.get(form, 'xml')}"
    plain = Resource(body, f"{media_type}; charset=utf-8")
    hrefs: tuple[str, ...] = (path,)
    match delivery:
        case "plain":
            pages = {path: plain}
        case "duplicated":
            hrefs = (path, f"{path}?for=partners")
            pages = dict.fromkeys(hrefs, plain)
        case "redirected":
            hrefs = ("/jobs/feed",)
            pages = {hrefs[0]: redirect(path), path: plain}
        case "gz":
            path = f"{path}.gz"
            hrefs = (path,)
            pages = {path: Resource(gzip.compress(body, mtime=0), "application/gzip")}
        case "bom":
            pages = {path: Resource(b"\xef\xbb\xbf" + body, plain.content_type)}
        case "mislabelled":
            path = "/jobs/export.php?format=xml"
            hrefs = (path,)
            pages = {path: Resource(body, "text/html; charset=utf-8")}
    aliases = tuple(base + other for other in pages if other != path)
    feed = Feed(base + path, form, delivery, len(ads), aliases)
    return Published(pages, feed, hrefs, media_type)


def _rss(publisher: str, base: str, ads: Sequence[Ad]) -> str:
    items = "".join(
        f"<item>\n<title>{escape(ad.role)}</title>\n<link>{escape(ad.url)}</link>\n"
        f"<guid>{escape(ad.url)}</guid>\n<pubDate>{_rfc822(ad.posted)}</pubDate>\n"
        f"<description>{escape(ad.text)}</description>\n"
        f"<job:company>{escape(ad.firm)}</job:company>\n"
        f"<job:location>{escape(ad.city)}</job:location>\n"
        f"<job:jobtype>{escape(ad.hours)}</job:jobtype>\n"
        f"<job:salary>{escape(ad.salary)}</job:salary>\n"
        f"<job:expirationdate>{ad.closes}</job:expirationdate>\n</item>\n"
        for ad in ads
    )
    return (
        '<rss version="2.0" xmlns:job="http://jobs.example/ns/rss/1.0/">\n<channel>\n'
        f"<title>Open jobs at {escape(publisher)}</title>\n<link>{base}/</link>\n"
        f"<description>All open positions</description>\n{items}</channel>\n</rss>\n"
    )


def _atom(publisher: str, base: str, ads: Sequence[Ad]) -> str:
    entries = "".join(
        f'<entry>\n<title>{escape(ad.role)}</title>\n<link href="{escape(ad.url)}"/>\n'
        f"<id>{escape(ad.url)}</id>\n<updated>{ad.posted}T08:00:00Z</updated>\n"
        f"<summary>{escape(ad.text)}</summary>\n<g:employer>{escape(ad.firm)}</g:employer>\n"
        f"<g:job_type>{escape(ad.hours)}</g:job_type>\n<g:location>{escape(ad.city)}</g:location>\n"
        f"<g:salary>{escape(ad.salary)}</g:salary>\n"
        f"<g:expiration_date>{ad.closes}</g:expiration_date>\n</entry>\n"
        for ad in ads
    )
    return (
        '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0">\n'
        f'<title>Open jobs at {escape(publisher)}</title>\n<link href="{base}/"/>\n'
        f"<id>{base}/</id>\n<updated>{_newest(ads)}T08:00:00Z</updated>\n{entries}</feed>\n"
    )


def _source_job(publisher: str, base: str, ads: Sequence[Ad]) -> str:
    fields = (
        f"<job>\n<title><![CDATA[{ad.role}]]></title>\n<date><![CDATA[{_rfc822(ad.posted)}]]></date>\n"
        f"<referencenumber><![CDATA[{ad.number}]]></referencenumber>\n"
        f"<url><![CDATA[{ad.url}]]></url>\n<company><![CDATA[{ad.firm}]]></company>\n"
        f"<city><![CDATA[{ad.city}]]></city>\n<salary><![CDATA[{ad.salary}]]></salary>\n"
        f"<jobtype><![CDATA[{ad.hours}]]></jobtype>\n"
        f"<description><![CDATA[<p>{escape(ad.text)}</p>]]></description>\n"
        f"<expirationdate><![CDATA[{ad.closes}]]></expirationdate>\n</job>\n"
        for ad in ads
    )
    return (
        f"<source>\n<publisher>{escape(publisher)}</publisher>\n<publisherurl>{base}/</publisherurl>\n"
        f"<lastBuildDate>{_rfc822(_newest(ads))}</lastBuildDate>\n{''.join(fields)}</source>\n"
    )


def _jobs_job(publisher: str, base: str, ads: Sequence[Ad]) -> str:
    del publisher, base  # this form names the firm in each record
    fields = (
        f'<job id="{ad.number}">\n<title>{escape(ad.role)}</title>\n<id>{ad.number}</id>\n'
        f"<company>{escape(ad.firm)}</company>\n<location>{escape(ad.city)}</location>\n"
        f"<salary>{escape(ad.salary)}</salary>\n<contract_time>{escape(ad.hours)}</contract_time>\n"
        f"<url>{escape(ad.url)}</url>\n<description>{escape(ad.text)}</description>\n"
        f"<date>{ad.posted}</date>\n<expires>{ad.closes}</expires>\n</job>\n"
        for ad in ads
    )
    return f"<jobs>\n{''.join(fields)}</jobs>\n"


def _hr_xml(publisher: str, base: str, ads: Sequence[Ad]) -> str:
    openings = (
        f'<JobPositionPosting status="active">\n<JobPositionPostingId>{ad.number}'
        f"</JobPositionPostingId>\n<HiringOrg>\n<HiringOrgName>{escape(ad.firm)}</HiringOrgName>\n"
        f"<WebSite>{base}/</WebSite>\n</HiringOrg>\n<PostDetail>\n<StartDate><Date>{ad.posted}</Date>"
        f"</StartDate>\n<EndDate><Date>{ad.closes}</Date></EndDate>\n</PostDetail>\n"
        f"<JobPositionInformation>\n<JobPositionTitle>{escape(ad.role)}</JobPositionTitle>\n"
        f"<JobPositionDescription>\n<JobPositionPurpose>{escape(ad.text)}</JobPositionPurpose>\n"
        f"<JobPositionLocation><SummaryText>{escape(ad.city)}</SummaryText></JobPositionLocation>\n"
        f"<CompensationDescription><Pay><SummaryText>{escape(ad.salary)}</SummaryText></Pay>"
        f"</CompensationDescription>\n</JobPositionDescription>\n</JobPositionInformation>\n"
        f"<HowToApply><ApplicationMethods><ByWeb><URL>{escape(ad.url)}</URL></ByWeb>"
        f"</ApplicationMethods></HowToApply>\n</JobPositionPosting>\n"
        for ad in ads
    )
    return (
        '<JobPositionPostings xmlns="http://ns.hr-xml.org/RecruitingAndStaffing/SEP-2_0">\n'
        f"<!-- {escape(publisher)} -->\n{''.join(openings)}</JobPositionPostings>\n"
    )


_WRITERS = {
    "rss": _rss,
    "atom": _atom,
    "hr-xml": _hr_xml,
    "source-job": _source_job,
    "jobs-job": _jobs_job,
}


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a feed that is not about jobs."""

    url: str
    title: str
    text: str
    day: date
    price: str = ""


def news_rss(name: str, base: str, items: Iterable[Item]) -> Resource:
    """Return the RSS of a blog: a decoy."""
    entries = "".join(
        f"<item>\n<title>{escape(i.title)}</title>\n<link>{escape(i.url)}</link>\n"
        f"<pubDate>{_rfc822(i.day)}</pubDate>\n<description>{escape(i.text)}</description>\n</item>\n"
        for i in items
    )
    return _xml(
        f'<rss version="2.0">\n<channel>\n<title>{escape(name)}</title>\n<link>{base}/</link>\n'
        f"<description>News</description>\n{entries}</channel>\n</rss>\n",
        "application/rss+xml",
    )


def news_atom(name: str, base: str, items: Iterable[Item]) -> Resource:
    """Return the Atom feed of a news section: a decoy."""
    entries = "".join(
        f'<entry>\n<title>{escape(i.title)}</title>\n<link href="{escape(i.url)}"/>\n'
        f"<id>{escape(i.url)}</id>\n<updated>{i.day}T09:00:00Z</updated>\n"
        f"<summary>{escape(i.text)}</summary>\n</entry>\n"
        for i in items
    )
    return _xml(
        f'<feed xmlns="http://www.w3.org/2005/Atom">\n<title>{escape(name)}</title>\n'
        f"<id>{base}/</id>\n<updated>2026-01-15T09:00:00Z</updated>\n{entries}</feed>\n",
        "application/atom+xml",
    )


def products(name: str, base: str, items: Iterable[Item]) -> Resource:
    """Return the product feed of a shop: a decoy that shares the `g:` vocabulary with job feeds."""
    entries = "".join(
        f"<item>\n<title>{escape(i.title)}</title>\n<link>{escape(i.url)}</link>\n"
        f"<description>{escape(i.text)}</description>\n<g:id>{n}</g:id>\n"
        f"<g:price>{escape(i.price)}</g:price>\n<g:availability>in stock</g:availability>\n"
        f"<g:condition>new</g:condition>\n</item>\n"
        for n, i in enumerate(items, 1)
    )
    return _xml(
        '<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">\n<channel>\n'
        f"<title>{escape(name)}</title>\n<link>{base}/</link>\n"
        f"<description>Products</description>\n{entries}</channel>\n</rss>\n",
        "application/xml",
    )


def sitemap(urls: Iterable[str]) -> Resource:
    """Return a sitemap: a decoy."""
    lines = "".join(f"<url><loc>{escape(url)}</loc></url>\n" for url in urls)
    namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return _xml(f'<urlset xmlns="{namespace}">\n{lines}</urlset>\n', "application/xml")


def _xml(text: str, media_type: str) -> Resource:
    return Resource((_DECLARATION + text).encode(), f"{media_type}; charset=utf-8")


def _rfc822(day: date) -> str:
    return format_datetime(datetime(day.year, day.month, day.day, 8, tzinfo=UTC), usegmt=True)


def _newest(ads: Sequence[Ad]) -> date:
    return max(ad.posted for ad in ads)
