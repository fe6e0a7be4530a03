"""HTML → title, visible text and links, in one walk over lexbor's tree."""

import re
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from graphcrawl.parse.content import Content, Found, squeeze
from graphcrawl.parse.hints import FEED_TYPES
from graphcrawl.parse.wishes import METAS
from graphcrawl.robots_rules import AGENT, MAX_WISH_LINES

MAX_ANCHOR_CHARS = 200
MAX_ANCHOR_PIECES = 400  # a link that is never closed spans the page
NEAR_PIECES = 8  # of text and block borders, before a link and after it
NEAR_CHARS = 80  # of them
PATH_TAGS = 4

# Source: HTML Living Standard, sequential link types: hyperlinks also where `link` states them.
_TURNS_PAGES = frozenset({"next", "prev", "previous"})
_BREAK = "\0"  # between blocks; lexbor lets no NUL through, and it is no white space
_BLOCKS = frozenset(
    "address article aside blockquote body br button caption center dd details dialog dir div dl "
    "dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr img input legend "
    "li main menu nav object ol optgroup option p pre search section select summary table tbody td "
    "textarea tfoot th thead title tr ul".split()
)
_INVISIBLE = frozenset(
    "title script style template x-noscript iframe noembed noframes datalist".split()
)
_SECTIONS = frozenset({"article", "main", "section"})
_ROLES = {
    "navigation": "nav",
    "banner": "header",
    "contentinfo": "footer",
    "complementary": "aside",
}
_REGIONS = frozenset(_ROLES.values())
_CHANGING = _INVISIBLE | _SECTIONS | _REGIONS  # what may hold otherwise inside than outside
# Source: HTML Living Standard, shared declarative refresh steps; "0; url='x'", "0;x", "5 ,URL = x".
_REFRESH = re.compile(
    r"\s*(\d*)[\d.]*+(?<=[\d.])(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?(?:\"([^\"]*)|'([^']*)|([^\"'\s].*))",
    re.I | re.S,
)
MAX_REFRESH_S = 3  # a page that sends its readers on so soon is not there to be read
# A parser without scripts opens <noscript> up, and in the head moves what is in it into the page.
_NOSCRIPT = re.compile(r"(</?)noscript\b", re.I)
_HEAD_END = re.compile(r"</head\b|<body\b", re.I)


class _Where(NamedTuple):
    """What the ancestors of a node say about it."""

    visible: bool = True
    region: str = "body"
    in_section: bool = False


_Above = tuple[LexborNode, str, _Where, int]  # an open element, where it is, its first piece


class _Reading:
    """What the walk has gathered so far."""

    __slots__ = (
        *("agent", "alt", "base", "canonicals", "fields", "found", "frames", "language", "metas"),
        *("pieces", "refresh", "scripts", "spans", "title"),
    )

    def __init__(self, agent: str, *, cues: bool = False) -> None:
        self.agent = agent
        # Where links stand: number of the link, and of its first piece and of that after its last.
        self.spans: list[tuple[int, int, int]] | None = [] if cues else None
        self.pieces: list[str] = []
        self.found: list[Found] = []
        self.canonicals: list[str] = []
        self.title = ""
        self.language = ""
        self.base: str | None = None
        self.metas: list[tuple[str, str]] = []
        self.refresh = ""
        self.scripts = self.fields = self.frames = 0
        self.alt = ""  # of the first picture in the link that is open

    def anchor_since(self, start: int) -> str:
        said = "".join(self.pieces[start : start + MAX_ANCHOR_PIECES]).replace(_BREAK, " ")
        return (squeeze(said) or squeeze(self.alt))[:MAX_ANCHOR_CHARS]

    def note_place(self, above: list[_Above], name: str, start: int) -> None:
        """Note the tag path of the link found last, and where in the text it stands."""
        assert self.spans is not None  # noqa: S101 - asked before, once a link
        tags = [tag for _, tag, _, _ in above[-PATH_TAGS + 1 :]]
        words = name.split(None, 1)
        path = ">".join((*tags, f"a.{words[0][:40]}" if words else "a"))
        self.spans.append((len(self.found) - 1, start, len(self.pieces)))
        self.found[-1] = self.found[-1]._replace(path=path)

    def look_around(self) -> None:
        """Give each link the text before and after it, some of it even from other blocks."""
        pieces = self.pieces
        for number, start, end in self.spans or ():
            before = "".join(pieces[max(0, start - NEAR_PIECES) : start])[-NEAR_CHARS:]
            after = "".join(pieces[end : end + NEAR_PIECES])[:NEAR_CHARS]
            near = squeeze(f"{before} {after}".replace(_BREAK, " "))
            self.found[number] = self.found[number]._replace(around=near)


def read_html(markup: str, agent: str = AGENT, *, cues: bool = False) -> Content:
    """Return title, language, all visible text and all links of a page.

    Visible text has a line for each block; what stands in script, style, template, noscript,
    comments and `hidden` elements is not in it. Links are those of `a`, `area`, `iframe`, `frame`,
    a meta refresh, `link rel=next` and `prev`, and feeds announced by `link rel=alternate`.

    Args:
        markup: The page.
        agent: Product token to which wishes may be addressed, in lower case.
        cues: Whether links shall tell their tag path and what stands around them.
    """
    if "noscript" in markup or "NOSCRIPT" in markup:
        markup = _without_noscript(markup)
    tree = LexborHTMLParser(markup)
    reading = _Reading(agent, cues=cues)
    if tree.root is not None:
        _walk(tree.root, _marked(tree), reading)
    reading.look_around()
    if not reading.title and (heading := tree.css_first("h1")) is not None:
        reading.title = squeeze(heading.text())
    flat = squeeze("".join(reading.pieces))
    lines = (line.strip() for line in flat.split(_BREAK))
    return Content(
        title=reading.title,
        language=reading.language,
        text="\n".join(line for line in lines if line),
        base=reading.base or "",
        found=reading.found,
        metas=tuple(reading.metas),
        canonicals=reading.canonicals,
        refresh=reading.refresh,
        scripts=reading.scripts,
        fields=reading.fields,
        frames=reading.frames,
    )


def _without_noscript(markup: str) -> str:
    """Rename `noscript`: in the body to what nobody sees, in the head to what may stand there.

    An element unknown in a head would end it, and move all that follows into the body.
    """
    end = _HEAD_END.search(markup)
    place = end.start() if end else 0
    head, body = markup[:place], markup[place:]
    return _NOSCRIPT.sub(r"\1template", head) + _NOSCRIPT.sub(r"\1x-noscript", body)


def _marked(tree: LexborHTMLParser) -> dict[int, str]:
    """Return the elements that an attribute hides or makes a region, by the tree's own ids."""
    marked = {
        node.mem_id: _ROLES.get(node.attributes.get("role") or "", "")
        for node in tree.css("[role]")
    }
    marked |= {node.mem_id: "hidden" for node in tree.css("[hidden]")}
    return {key: mark for key, mark in marked.items() if mark}


def _walk(root: LexborNode, marked: dict[int, str], reading: _Reading) -> None:
    """Visit all nodes in page order: without recursion, since pages nest as deep as they like."""
    pieces = reading.pieces
    above: list[_Above] = []
    where = _Where()
    node: LexborNode | None = root
    while node is not None:
        tag = node.tag or ""
        if tag == "-text":
            if where.visible:
                pieces.append(node.text_content or "")
        else:
            if tag in _BLOCKS:
                pieces.append(_BREAK)
            take = _TAKE.get(tag)
            if take is not None:
                take(reading, node, where)
            child = node.first_child
            if child is not None:
                above.append((node, tag, where, len(pieces)))
                if tag in _CHANGING or marked:
                    where = _inside(node, tag, where, marked)
                node = child
                continue
            if tag == "a":
                _take_a(reading, node, where, len(pieces), above)
        following = node.next
        while following is None and above:
            node, tag, where, start = above.pop()
            if tag in _BLOCKS:
                pieces.append(_BREAK)
            elif tag == "a":
                _take_a(reading, node, where, start, above)
            following = node.next
        node = following


def _inside(node: LexborNode, tag: str, where: _Where, marked: dict[int, str]) -> _Where:
    """Return what holds for the children of a node.

    A header or footer of an article or section belongs to it; only the page's own are boilerplate.
    Source: HTML Accessibility API Mappings, header and footer.
    """
    mark = marked.get(node.mem_id) if marked else None
    if tag in _INVISIBLE or mark == "hidden":
        return where._replace(visible=False)
    region = mark or (tag if tag in _REGIONS else "")
    if region in ("nav", "aside") or (region and not where.in_section):
        return where._replace(region=region)
    if tag in _SECTIONS:
        return where._replace(in_section=True)
    return where


def _take_a(
    reading: _Reading, node: LexborNode, where: _Where, start: int, above: list[_Above]
) -> None:
    """Take a link when it closes, and its text is known."""
    attributes = node.attributes
    href = attributes.get("href", attributes.get("xlink:href"))
    if href is None:
        return
    anchor = reading.anchor_since(start)
    rel = (attributes.get("rel") or "").lower()
    reading.found.append(Found(href, anchor, rel, where.region, attributes.get("type") or ""))
    if reading.spans is not None:
        reading.note_place(above, attributes.get("class") or "", start)


def _open_a(reading: _Reading, node: LexborNode, where: _Where) -> None:
    reading.alt = ""


def _take_img(reading: _Reading, node: LexborNode, where: _Where) -> None:
    reading.alt = reading.alt or node.attributes.get("alt") or ""


def _take_area(reading: _Reading, node: LexborNode, where: _Where) -> None:
    attributes = node.attributes
    if href := attributes.get("href"):
        rel = (attributes.get("rel") or "").lower()
        reading.found.append(Found(href, squeeze(attributes.get("alt") or ""), rel, where.region))


def _take_frame(reading: _Reading, node: LexborNode, where: _Where) -> None:
    attributes = node.attributes
    if src := attributes.get("src"):
        reading.frames += where.visible
        anchor = squeeze(attributes.get("title") or "")
        reading.found.append(Found(src, anchor, "", where.region))


def _take_noframes(reading: _Reading, node: LexborNode, where: _Where) -> None:
    """Take the links of what stands there instead of frames; a parser takes it for plain text."""
    reading.found += read_html(node.text_content or node.text() or "").found


def _take_script(reading: _Reading, node: LexborNode, where: _Where) -> None:
    reading.scripts += 1


def _take_field(reading: _Reading, node: LexborNode, where: _Where) -> None:
    reading.fields += where.visible and node.attributes.get("type") != "hidden"


def _take_link(reading: _Reading, node: LexborNode, where: _Where) -> None:
    attributes = node.attributes
    rel = (attributes.get("rel") or "").lower()
    media_type = (attributes.get("type") or "").partition(";")[0].strip().lower()
    href = attributes.get("href")
    if href and "canonical" in rel.split() and _stands_in_head(node):
        reading.canonicals.append(href)
    if href and not _TURNS_PAGES.isdisjoint(rel.split()):
        reading.found.append(Found(href, squeeze(attributes.get("title") or ""), rel, "body"))
    elif href and media_type in FEED_TYPES and "alternate" in rel.split():
        anchor = squeeze(attributes.get("title") or "")
        reading.found.append(Found(href, anchor, rel, "body", media_type))


def _stands_in_head(node: LexborNode) -> bool:
    parent = node.parent
    return parent is not None and parent.tag == "head"


def read_refresh(content: str) -> tuple[str, bool]:
    """Return where a meta refresh or a Refresh header leads, and whether at once."""
    match = _REFRESH.match(content)
    target = (match[2] or match[3] or match[4] or "").strip() if match else ""
    return target, bool(match and int(match[1][:9] or 0) <= MAX_REFRESH_S)


def _take_meta(reading: _Reading, node: LexborNode, where: _Where) -> None:
    attributes = node.attributes
    content = attributes.get("content") or ""
    name = (attributes.get("name") or "").strip().lower()
    if (name in METAS or name == reading.agent) and len(reading.metas) < MAX_WISH_LINES:
        reading.metas.append((name, content))
    match (attributes.get("http-equiv") or "").lower():
        case "refresh":
            target, is_soon = read_refresh(content)
            if target:
                reading.found.append(Found(target, ""))
                if is_soon and where.visible:  # in <noscript>: not for readers with scripts
                    reading.refresh = reading.refresh or target
        case "content-language":
            reading.language = reading.language or content


def _take_base(reading: _Reading, node: LexborNode, where: _Where) -> None:
    if reading.base is None:  # the first with an address, even an empty one
        reading.base = node.attributes.get("href", None)


def _take_title(reading: _Reading, node: LexborNode, where: _Where) -> None:
    parent = node.parent
    if not reading.title and parent is not None and parent.tag != "svg":
        reading.title = squeeze(node.text())


def _take_html(reading: _Reading, node: LexborNode, where: _Where) -> None:
    attributes = node.attributes
    reading.language = attributes.get("lang") or attributes.get("xml:lang") or ""


_TAKE = {
    "a": _open_a,
    "area": _take_area,
    "base": _take_base,
    "frame": _take_frame,
    "html": _take_html,
    "iframe": _take_frame,
    "img": _take_img,
    "input": _take_field,
    "link": _take_link,
    "meta": _take_meta,
    "noframes": _take_noframes,
    "script": _take_script,
    "textarea": _take_field,
    "title": _take_title,
}
