"""What a crawler sees of an HTML page: the product's links, and the words around them."""

from collections import Counter
from datetime import UTC, datetime

import numpy as np
from selectolax.lexbor import LexborHTMLParser, LexborNode

from graphcrawl.models import Fetched, Link
from graphcrawl.parse import parse
from graphcrawl.urls import canonical
from ordering.web import TERM_BITS, Ints, SeenLink, SeenPage, hashed, words_of

AROUND_WORDS = 6  # before a link, and as many after it
_UNSEEN = frozenset({"script", "style", "template", "title", "noscript"})


def fetched(url: str, body: bytes, content_type: str = "text/html", charset: str = "") -> Fetched:
    """Return a body as the fetcher would hand it on."""
    return Fetched(url, 200, body, content_type, charset, datetime.now(UTC), 0.0)


def see(url: str, body: bytes) -> SeenPage:
    """Read a page."""
    document = parse(fetched(url, body))
    terms = count_terms(f"{document.title} {document.text}")
    links = with_surroundings(url, document.markup, document.links)
    return SeenPage(url, links, terms, int(terms[1].sum()))


def count_terms(text: str) -> tuple[Ints, Ints]:
    """Return the hashed terms of a text, and how often each occurs."""
    mask = (1 << TERM_BITS) - 1
    counts = Counter(hashed(word) & mask for word in words_of(text))
    return np.array(list(counts), np.int64), np.array(list(counts.values()), np.int64)


def with_surroundings(url: str, markup: str, links: tuple[Link, ...]) -> list[SeenLink]:
    """Add to links the words around the first of its place, and the tags above it."""
    near = _surroundings(url, markup) if links else {}
    return [
        SeenLink(
            link.url,
            link.anchor,
            *near.get(link.url, ("", "")),
            link.position,
            link.weight,
            link.feed_hint,
        )
        for link in links
    ]


def _surroundings(url: str, markup: str) -> dict[str, tuple[str, str]]:
    """Return words around and tags above the first link to each target."""
    tree = LexborHTMLParser(markup)
    if tree.root is None:
        return {}
    base_node = tree.css_first("base[href]")
    base = canonical(base_node.attributes.get("href") or "", url) if base_node else None
    words: list[str] = []
    spans: dict[str, tuple[int, int, str]] = {}
    raws: dict[str, str | None] = {}
    path: list[str] = []
    todo: list[LexborNode | str | tuple[str, int, str]] = [tree.root]
    while todo:
        node = todo.pop()
        if isinstance(node, str):  # the end of an element
            path.pop()
            continue
        if isinstance(node, tuple):  # the end of a link
            target, start, tags = node
            spans.setdefault(target, (start, len(words), tags))
            continue
        tag = node.tag or ""
        if tag == "-text":
            words += words_of(node.text_content or "")
            continue
        if tag in _UNSEEN or tag.startswith("-"):
            continue
        path.append(tag)
        todo.append("end")
        href = node.attributes.get("href") if tag in ("a", "area") else None
        if href:
            if href not in raws:
                raws[href] = canonical(href, base or url)
            target = raws[href]
            if target and target not in spans:
                todo.append((target, len(words), ">".join(path[-5:-1])))
        child, children = node.child, []
        while child is not None:
            children.append(child)
            child = child.next
        todo += reversed(children)
    return {
        target: (
            " ".join(words[max(0, start - AROUND_WORDS) : start] + words[end : end + AROUND_WORDS]),
            tags,
        )
        for target, (start, end, tags) in spans.items()
    }
