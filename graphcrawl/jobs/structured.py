"""Structured data of HTML pages: JSON-LD and microdata, and the job postings in it.

Source: JSON-LD 1.1 §7 (data in script elements), read as data, without fetching a context; HTML
Living Standard §5 (microdata); schema.org, JobPosting.
"""

import html
import json
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from graphcrawl.jobs.normal import parse_date, plain
from graphcrawl.jobs.places import read_place
from graphcrawl.models import Posting
from graphcrawl.urls import canonical

MAX_POSTINGS = 1_000  # a page that states more is a feed in disguise
MAX_FIELD_CHARS = 2_000
MAX_DESCRIPTION_CHARS = 100_000
MAX_ITEMS = 20_000
MAX_TYPES = 100

Item = dict[str, Any]  # JSON-LD as it stands; `@type` and the properties' short names

_HINT = re.compile(r"ld\+json|itemscope", re.I)
_WRAPPING = re.compile(
    r"\A\s*(?:<!--(?!.*?-->\s*[\[{])|/[*/]\s*<!\[CDATA\[\s*(?:\*/)?|<!\[CDATA\[)"
    r"|(?:-->|(?:/[*/]\s*)?\]\]>\s*(?:\*/)?)\s*\Z",
    re.S,
)
_NOISE = re.compile(
    r"\"(?:[^\"\\]|\\.)*+\"|(//[^\n]*|/\*.*?\*/|<!--.*?-->)|,(?=\s*(?://[^\n]*\s*)*[}\]])", re.S
)
_BAD_ESCAPE = re.compile(r"\\(?:[\"\\/bfnrt]|u[0-9A-Fa-f]{4}|(.))", re.S)
_TYPE = re.compile(r"[A-Za-z]\w{0,63}", re.A)
_ADDRESSES = {  # which attribute is an element's value
    **dict.fromkeys(("a", "area", "link"), "href"),
    **dict.fromkeys("audio embed iframe img source track video".split(), "src"),
    "object": "data",
}
_UNSEEN = "script, style, template"
_PAY_UNITS = ("minValue", "maxValue")


def read_structured(
    markup: str, page: str, now: datetime
) -> tuple[tuple[str, ...], tuple[Posting, ...]]:
    """Return the schema.org types that a page states, and the postings among them.

    Args:
        markup: HTML.
        page: The page's own URL.
        now: When it was fetched.
    """
    if not _HINT.search(markup):
        return (), ()
    tree = LexborHTMLParser(markup)
    items = [*json_ld(tree), *microdata(tree)]
    nodes = list(_walk(items))
    types = sorted({t for node in nodes for t in types_of(node) if _TYPE.fullmatch(t)})[:MAX_TYPES]
    by_id = {node["@id"]: node for node in nodes if len(node) > 1 and _is_text(node.get("@id"))}
    jobs = [node for node in nodes if "JobPosting" in types_of(node)][:MAX_POSTINGS]
    postings = (_posting(node, by_id, page, now) for node in jobs)
    return tuple(types), tuple(posting for posting in postings if posting)


def json_ld(tree: LexborHTMLParser) -> list[Any]:
    """Return what the page's JSON-LD scripts hold, each as far as it can be read.

    Comments, control characters and commas too many, which JSON does not allow and pages have, are
    forgiven.
    """
    found: list[Any] = []
    for script in tree.css("script"):
        if "ld+json" in (script.attributes.get("type") or "").lower():
            found += _json_values(script.text(deep=True))
    return [value for value in found if value is not None]


def _json_values(text: str) -> list[Any]:
    text = text.strip().removeprefix("\ufeff").rstrip("; \n\t")
    if not text:
        return []
    try:
        return [json.loads(text, strict=False)]
    except (ValueError, RecursionError):
        pass
    if '"' not in text:  # escaped as if it were no script
        text = html.unescape(text)
    text = _NOISE.sub(_without_noise, _WRAPPING.sub("", text)).strip().rstrip(";")
    text = _BAD_ESCAPE.sub(_mended, text)
    values, at = [], 0
    decoder = json.JSONDecoder(strict=False)
    while at < len(text):  # some pages write several objects, one after the other
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        values.append(value)
        while at < len(text) and text[at] in " \t\r\n,;":
            at += 1
    return values


def _mended(match: re.Match[str]) -> str:
    r"""Leave pairs alone; `\'` means an apostrophe, as in JavaScript, and `\d` both characters."""
    return match[0] if match[1] is None else match[1] if match[1] == "'" else rf"\\{match[1]}"


def _without_noise(match: re.Match[str]) -> str:
    return match[0] if match[0].startswith('"') else ""


def microdata(tree: LexborHTMLParser) -> list[Item]:
    """Return the page's top-level microdata items, in the form of JSON-LD."""
    items: list[Item] = []
    for node in tree.css("[itemscope]")[:MAX_ITEMS]:
        if "itemprop" not in node.attributes:
            items.append(_item(node, tree, {}))
    return items


def _item(scope: LexborNode, tree: LexborHTMLParser, open_items: dict[int, Item]) -> Item:
    """Return an item with its properties, those that `itemref` names included."""
    item: Item = {"@type": (scope.attributes.get("itemtype") or "").split()}
    if identity := scope.attributes.get("itemid"):
        item["@id"] = identity
    inside = open_items | {scope.mem_id: item}
    if len(inside) > 50:
        return item
    roots = list(_children(scope))
    for name in (scope.attributes.get("itemref") or "").split():
        if '"' not in name and (node := tree.css_first(f'[id="{name}"]')) is not None:
            roots.append(node)
    todo = roots[::-1]
    while todo:
        node = todo.pop()
        attributes = node.attributes
        is_item = "itemscope" in attributes
        if names := (attributes.get("itemprop") or "").split():
            if is_item:
                value: Any = "" if node.mem_id in inside else _item(node, tree, inside)
            else:
                value = _property(node)
            for name in names:
                item.setdefault(_short(name), []).append(value)
        if not is_item:
            todo.extend(list(_children(node))[::-1])
    return item


def _children(node: LexborNode) -> Iterator[LexborNode]:
    child = node.first_child
    while child is not None:
        if child.tag and not child.tag.startswith("-"):
            yield child
        child = child.next


def _property(node: LexborNode) -> str:
    """Return a property's value by its element. Source: HTML Living Standard §5.2.4."""
    attributes, tag = node.attributes, node.tag
    if tag in _ADDRESSES:
        return attributes.get(_ADDRESSES[tag]) or ""
    if tag == "time" and "datetime" in attributes:
        return attributes.get("datetime") or ""
    if tag in ("data", "meter") and "value" in attributes:
        return attributes.get("value") or ""
    if tag == "meta" or "content" in attributes:
        return attributes.get("content") or ""
    return node.html or "" if tag in ("div", "p", "ul", "section") else _text(node)


def _text(node: LexborNode) -> str:
    """Return what a reader sees of an element: its text without scripts and styles."""
    if node.css_first(_UNSEEN) is None:
        return node.text(deep=True)
    pieces, todo = [], [node]
    while todo:
        inner = todo.pop()
        if inner.tag == "-text":
            pieces.append(inner.text(deep=False))
        elif inner is node or inner.tag not in _UNSEEN.split(", "):
            children = []
            child = inner.first_child
            while child is not None:
                children.append(child)
                child = child.next
            todo.extend(reversed(children))
    return "".join(pieces)


def _walk(values: Iterable[Any]) -> Iterator[Item]:
    """Yield all objects, those inside others too."""
    todo = list(values)[::-1]
    seen = 0
    while todo and seen < MAX_ITEMS:
        value = todo.pop()
        seen += 1
        if isinstance(value, dict):
            yield value
            todo.extend(list(value.values())[::-1])
        elif isinstance(value, list):
            todo.extend(value[::-1])


def types_of(item: Item) -> list[str]:
    """Return an object's types by their short names."""
    stated = item.get("@type")
    names = stated if isinstance(stated, list) else [stated]
    return [_short(name) for name in names if isinstance(name, str) and name.strip()]


def _short(name: str) -> str:
    return re.split(r"[/#:]", name.strip().rstrip("/"))[-1]


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _posting(item: Item, by_id: dict[str, Item], page: str, now: datetime) -> Posting | None:
    def get(node: Any, *names: str) -> Any:
        """Return the first value of the first of these properties that says something."""
        for name in names:
            value = node.get(name) if isinstance(node, dict) else None
            while isinstance(value, list):
                value = next((one for one in value if one), None)
            if isinstance(value, dict) and value.keys() == {"@id"}:
                value = by_id.get(str(value["@id"]), value)
            if value:
                return value
        return None

    def text(node: Any, *names: str) -> str:
        value = get(node, *names)
        if isinstance(value, dict):
            value = get(value, "name", "@value", "value")
        return plain(str(value))[:MAX_FIELD_CHARS] if isinstance(value, str | int | float) else ""

    places = item.get("jobLocation")
    wheres = [_where(one, get, text) for one in (places if isinstance(places, list) else [places])]
    location, city, region, country = next((where for where in wheres if any(where)), ("",) * 4)
    raws = [", ".join(part for part in where if part) for where in wheres]
    if not any(raws) and "TELECOMMUTE" in text(item, "jobLocationType").upper():
        location = "Remote"
        country = text(item, "applicantLocationRequirements")
        raws = [text(item, "jobLocationType")]
    place = read_place(location, city, region, country)
    posted, closes = text(item, "datePosted"), text(item, "validThrough")
    month_first = place.country == "US"
    description = get(item, "description", "responsibilities")
    url = text(item, "url", "mainEntityOfPage", "sameAs")
    posting = Posting(
        title=text(item, "title", "name"),
        company=text(item, "hiringOrganization"),
        place=place.text,
        city=place.city,
        region=place.region,
        country=place.country,
        posted=parse_date(posted, now, month_first=month_first),
        closes=parse_date(closes, now, month_first=month_first),
        url=(canonical(url, page) if url else None) or page,
        description=plain(description, lines=True)[:MAX_DESCRIPTION_CHARS]
        if isinstance(description, str)
        else "",
        employment=_listed(item.get("employmentType")),
        salary=_salary(get(item, "baseSalary", "estimatedSalary"), item, get, text),
        posted_raw=posted,
        place_raw="; ".join(dict.fromkeys(raw for raw in raws if raw))[:MAX_FIELD_CHARS],
        own_id=text(item, "identifier") if not isinstance(get(item, "identifier"), dict)
        else text(get(item, "identifier"), "value", "@value", "name"),
    )  # fmt: skip
    return posting if posting.title or posting.description or posting.company else None


def _where(place: Any, get: Any, text: Any) -> tuple[str, str, str, str]:
    """Return location, city, region and country of a Place, an address or a mere text."""
    if isinstance(place, str):
        return plain(place)[:MAX_FIELD_CHARS], "", "", ""
    place = get({"place": place}, "place")
    address = get(place, "address") or place
    if isinstance(address, str):
        return plain(address)[:MAX_FIELD_CHARS], "", "", ""
    city, region = text(address, "addressLocality"), text(address, "addressRegion")
    country = text(address, "addressCountry")
    location = "" if city or region or country else text(place, "name")
    return location, city, region, country


def _salary(pay: Any, item: Item, get: Any, text: Any) -> str:
    if not isinstance(pay, dict):
        amount = text({"pay": pay}, "pay")
        return " ".join(part for part in (amount, text(item, "salaryCurrency")) if part)
    value = get(pay, "value")
    inner = value if isinstance(value, dict) else pay
    bounds = [text(inner, name) for name in _PAY_UNITS]
    amount = "–".join(part for part in bounds if part) or text(inner, "value")
    currency = text(pay, "currency") or text(item, "salaryCurrency")
    return " ".join(part for part in (amount, currency, text(inner, "unitText")) if part)


def _listed(value: Any) -> str:
    values = value if isinstance(value, list) else [value]
    return ", ".join(plain(one) for one in values if _is_text(one) and one)[:MAX_FIELD_CHARS]
