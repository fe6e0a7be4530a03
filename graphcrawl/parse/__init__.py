"""A fetched body → title, language, visible text and links. Pure; runs in worker processes."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from heapq import nlargest
from itertools import islice
from typing import Literal

from lxml import etree

from graphcrawl.models import Fetched, Link
from graphcrawl.parse.canonical import named_canonical
from graphcrawl.parse.charset import FoundBy, decode, read_text
from graphcrawl.parse.content import Content, Found, squeeze
from graphcrawl.parse.cues import MAX_CUES, cues_of
from graphcrawl.parse.hints import feed_hint
from graphcrawl.parse.html import read_html, read_refresh
from graphcrawl.parse.mend import mend
from graphcrawl.parse.queries import in_charset
from graphcrawl.parse.scripted import needs_script
from graphcrawl.parse.sniff import is_file
from graphcrawl.parse.wishes import NO_WISHES, Wishes, read_wishes
from graphcrawl.parse.xml import inflate, local_name, parse_xml, read_xml, root_name
from graphcrawl.robots_rules import AGENT
from graphcrawl.scoring.features import relation_cue
from graphcrawl.urls import canonical, host_key, without_credentials

__all__ = ["Document", "is_vouched", "kind_of", "link_weight", "parse"]

MAX_LINKS = 5000
MAX_SCORED_LINKS = 50_000  # of a page, among which those to keep are chosen
MAX_XML_BYTES = 2**20  # of a feed's text and links; its jobs are read to the end
MAX_SITEMAP_LINKS = 50_000  # of one file, says sitemaps.org
MAX_OTHER_ANCHORS = 4
MAX_HINTS = 3  # of links to one target: the best counts
MAX_NOISE_CHARS = 4096
MAX_RAW_CHARS = 2083

Kind = Literal["html", "xml", "list", "text", "none"]  # list: of URLs, one a line

_XML_ROOTS = frozenset(  # known even where neither the header nor a declaration says XML
    "rss feed rdf urlset sitemapindex source jobs workzag-jobs positions vacancies positionopening "
    "jobpositionpostings jobpositionposting jobpositionrequisition".split()
)
_SITEMAP_ROOTS = frozenset({"urlset", "sitemapindex"})
_HTML_TAGS = frozenset(
    "html head body title meta link script style base div p a table h1 h2 h3 br b i font img form "
    "center main header nav section article span ul ol iframe frameset".split()
)
_LANGUAGE = re.compile(r"[a-z]{2,3}(?![a-z])", re.I)
_EMPTY_ELEMENT = re.compile(r"<(a|div|iframe|p|script|span|style|textarea|title)\b([^<>]*)/>", re.I)
_BOILERPLATE = frozenset({"nav", "header", "footer", "aside"})
_URL_LIST = re.compile(r"\s*+(?:https?://\S++\s*+)++", re.I)
_REL_ENDS = re.compile(r"[\s,]+")
_NOT_VOUCHED = frozenset({"nofollow", "ugc", "sponsored"})


@dataclass(frozen=True, slots=True)
class Document:
    """A body as text. What rules look into are `title`, `text`, `anchors`, `targets`, `markup`."""

    kind: Kind  # "none": neither markup nor text, whatever the header said
    title: str = ""
    language: str = ""  # primary subtag, such as "de"; "" where none is declared
    text: str = ""  # all visible text, link texts included; a line for each block
    anchors: str = ""  # link texts, one a line
    targets: str = ""  # link targets, canonical and as written, one a line
    markup: str = ""
    charset: str = ""  # Python's name of the encoding
    charset_from: FoundBy | Literal[""] = ""  # how it was found
    links: tuple[Link, ...] = ()
    links_over_limit: int = 0  # distinct targets beyond the limit, dropped
    tree: etree._Element | None = None  # of XML
    wishes: Wishes = NO_WISHES
    canonical: str = ""  # what it names as its canonical form, where that is another page
    refresh: str = ""  # another page, canonical, to which it sends its readers at once
    needs_script: bool = False  # empty, or nearly so, until scripts have run


Hint = Callable[[str, str, str], float]  # anchor, text around, URL → topic hint


def parse(
    fetched: Fetched,
    max_links: int = MAX_LINKS,
    agent: str = AGENT,
    *,
    cues: bool = False,
    hint: Hint | None = None,
) -> Document:
    """Read a body, whatever it is. Never raises for what is in it.

    Args:
        fetched: The body, its media type and charset, and the URL that links are relative to.
        max_links: Distinct targets that are kept, of a sitemap at least 50,000. Where there are
            more, those that promise most: feeds first, then by topic, by weight, in page order.
        agent: Product token to which wishes may be addressed, in lower case.
        cues: Whether links shall have their cues, see `parse.cues`.
        hint: What tells the topic hint of links by anchor, text around and URL. It gets to see
            the text around only where cues are wanted.
    """
    body = inflate(fetched.body)
    if len(body) > MAX_XML_BYTES and _is_feed(body[:MAX_XML_BYTES], fetched):
        body = body[:MAX_XML_BYTES]
    if is_file(body):
        return Document("none")
    markup, charset, charset_from = read_text(body, fetched.charset)
    markup = _past_noise(markup)
    kind = kind_of(markup, fetched.content_type)
    tree = None
    match kind:
        case "html":
            if "xml" in fetched.content_type:  # in HTML, `<script/>` would swallow the page
                markup = _EMPTY_ELEMENT.sub(r"<\1\2></\1>", markup)
            markup = mend(markup)
            content = read_html(markup, agent, cues=cues)
        case "xml":
            tree = parse_xml(markup)
            if tree is not None and local_name(tree) in _SITEMAP_ROOTS:
                max_links = max(max_links, MAX_SITEMAP_LINKS)
            content = read_xml(tree) if tree is not None else Content()
        case "text":
            content = Content(text="\n".join(map(squeeze, markup.splitlines())))
            if _URL_LIST.fullmatch(markup):  # a sitemap in its plainest form, says sitemaps.org
                kind, max_links = "list", max(max_links, MAX_SITEMAP_LINKS)
                content.found.extend(Found(raw, "") for raw in markup.split())
        case "none":
            return Document(kind, charset=charset, charset_from=charset_from)
    base = (canonical(content.base, fetched.url) if content.base else None) or fetched.url
    query_charset = charset if kind == "html" and not charset.startswith("utf") else ""
    links, targets, over = _links(
        content.found, base, fetched.url, max_links, query_charset, (cues, hint)
    )
    sent_to = content.refresh
    if not sent_to and fetched.refresh_header:
        target, is_soon = read_refresh(fetched.refresh_header)
        sent_to = target if is_soon else ""
    refresh = (sent_to and canonical(sent_to, base)) or ""
    language = _LANGUAGE.match(content.language.strip())
    return Document(
        kind=kind,
        title=content.title,
        language=language[0].lower() if language else "",
        text=content.text,
        anchors="\n".join(found.anchor for found in content.found if found.anchor),
        targets=targets,
        markup=markup,
        charset=charset,
        charset_from=charset_from,
        links=links,
        links_over_limit=over,
        tree=tree,
        wishes=read_wishes(content.metas, fetched.wish_lines, agent),
        canonical=named_canonical(content.canonicals, base, fetched.link_header, fetched.url),
        refresh=refresh if refresh != fetched.url else "",
        needs_script=kind == "html" and needs_script(markup, content),
    )


def _past_noise(markup: str) -> str:
    """Return a feed or sitemap from its declaration on: programs print warnings before it."""
    at = markup.find("<?xml", 0, MAX_NOISE_CHARS)
    if at <= 0 or root_name(markup[at:]).lower().partition(":")[0] not in _XML_ROOTS:
        return markup
    return markup[at:]


def _is_feed(head: bytes, fetched: Fetched) -> bool:
    """Whether a long body is XML of which its beginning tells enough: not so of a sitemap."""
    markup, _ = decode(head, fetched.charset)
    root = root_name(markup).lower().rpartition(":")[2]
    return root not in _SITEMAP_ROOTS and kind_of(markup, fetched.content_type) == "xml"


def link_weight(rel: str, position: str) -> float:
    """Return the weight of a link's axon: 1 for an ordinary link, never 0.

    Halved when the page does not vouch for it (nofollow, ugc, sponsored), and halved when it stands
    in the page's boilerplate (nav, header, footer, aside). How often the page repeats it is no
    matter. Source: [000.graph], weights are ours.
    """
    weight = 1.0
    if not is_vouched(rel):
        weight *= 0.5
    if position in _BOILERPLATE:
        weight *= 0.5
    return weight


def is_vouched(rel: str) -> bool:
    """Tell whether the page vouches for a link: it is neither nofollow, ugc nor sponsored."""
    return not rel or _NOT_VOUCHED.isdisjoint(_REL_ENDS.split(rel))


def kind_of(markup: str, content_type: str) -> Kind:
    """Tell HTML, XML and plain text apart: by the root element first, then by the header.

    Args:
        markup: The decoded body.
        content_type: Media type of the header, lower case.
    """
    says_html = "html" in content_type
    if root := root_name(markup).lower():
        if root == "html" or "<!doctype html" in markup[:1024].lower():
            return "html"
        says_xml = content_type.endswith(("/xml", "+xml")) and not says_html
        is_xml = root.partition(":")[0] in _XML_ROOTS or markup.lstrip().startswith("<?xml")
        is_html = says_html or root in _HTML_TAGS
        return "xml" if says_xml or is_xml or not is_html else "html"
    if "\0" in markup[:1024]:
        return "none"
    if says_html:
        return "html"
    return "text" if content_type.startswith("text/") or not content_type else "none"


def _links(
    found: Iterable[Found],
    base: str,
    page: str,
    limit: int,
    charset: str,
    wanted: tuple[bool, Hint | None],
) -> tuple[tuple[Link, ...], str, int]:
    """Make one link of all that lead to one target; return links, target lines, number dropped."""
    resolved: dict[str, str | None] = {}
    by_target: dict[str, list[Found]] = {}
    for link in found:
        raw = link.raw
        if raw in resolved:
            target = resolved[raw]
        else:
            written = in_charset(raw, charset) if charset and not raw.isascii() else raw
            target = resolved[raw] = canonical(written, base)
        if target is not None and target != page:
            by_target.setdefault(target, []).append(link)
    targets = "\n".join(
        line for raw, target in resolved.items() if target for line in dict.fromkeys((target, raw))
    )
    over = max(0, len(by_target) - limit)
    if over and limit < MAX_SCORED_LINKS:  # scored before the cap cuts them
        some = [
            _link(page, *item, cues=False, hint=wanted[1])
            for item in islice(by_target.items(), MAX_SCORED_LINKS)
        ]
        best = nlargest(
            limit, some, key=lambda link: (link.feed_hint, link.topic_hint, link.weight)
        )
        kept = {link.url for link in best}
        by_target = {url: found for url, found in by_target.items() if url in kept}
    return (
        tuple(
            _link(page, *item, cues=wanted[0], hint=wanted[1])
            for item in islice(by_target.items(), limit)
        ),
        targets,
        over,
    )


def _link(page: str, url: str, found: list[Found], *, cues: bool, hint: Hint | None) -> Link:
    raw, anchor, rel, position, media_type, around, path = found[0]
    if len(found) > 1 and not is_vouched(rel):  # one link that is vouched for vouches for all
        rel = next((link.rel for link in found if is_vouched(link.rel)), rel)
    others: tuple[str, ...] = ()
    if len(found) > 1:
        texts = dict.fromkeys(link.anchor for link in found)
        texts.pop(anchor, None)
        texts.pop("", None)
        others = tuple(texts)[:MAX_OTHER_ANCHORS]
    host = host_key(url)
    shown: tuple[int, ...] = ()
    if cues:
        where = relation_cue(page, host_key(page), url, host)
        shown = (where, *cues_of(anchor, around, path, position))[:MAX_CUES]
    return Link(
        url=url,
        host=host,
        anchor=anchor,
        anchors=others,
        rel=rel,
        position=position,
        raw=without_credentials(raw) if raw != url and len(raw) <= MAX_RAW_CHARS else "",
        links=len(found),
        weight=link_weight(rel, position),
        feed_hint=feed_hint(url, anchor, rel, media_type),
        cues=shown,
        topic_hint=max(hint(link.anchor, link.around, url) for link in found[:MAX_HINTS])
        if hint
        else 0.0,
    )
