"""Markup that would keep a parser busy for minutes, made harmless; other markup passes untouched.

HTML parsers need time that grows with the square of how deep elements nest and of how many
attributes one element has. No page that is meant to be read comes near the limits here.
"""

import re
from collections import Counter

MAX_DEPTH = 512  # what is deeper stands beside, not inside: so do browsers (Blink's limit)
MAX_ATTRIBUTES = 1000  # of one element
_MANY_TAGS = 10_000  # fewer cannot nest deep enough to matter
_LONG_TAG_CHARS = 20_000
_STRIDE = _LONG_TAG_CHARS // 2  # a long tag fills at least one whole stride

_LONG_TAG = re.compile(rf"<[a-z][^<>]{{{_LONG_TAG_CHARS},}}>?", re.I)
_NAME = re.compile(r"<[^\s/>]*[\s/]*")
_ATTRIBUTE = re.compile(r"[^\s\"'=/]*(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"']*))?[\s/]*")
_TAG = re.compile(
    r"<(?:(!--.*?(?:-->|\Z))"
    r"|((?:script|style|textarea|title|iframe|noembed|noframes|xmp)\b[^>]*>.*?(?:</|\Z))"
    r"|(/?)([a-z][^\s/>]*)(?:[^>\"']|\"[^\"]*\"|'[^']*')*+>?)",
    re.I | re.S,
)
_NEVER_DEEP = frozenset(  # void, or closed by the next of its kind
    "area base br col embed hr img input link meta source track wbr p li dt dd tr td th option "
    "optgroup tbody thead tfoot colgroup rp rt html body head".split()
)


def mend(markup: str) -> str:
    """Return the markup without what makes parsing slow: too deep nesting, thousands of attributes.

    A limit on depth drops the tags beyond it; all text and links stay.
    """
    strides = range(0, len(markup) - _STRIDE + 1, _STRIDE)
    if any(markup.find("<", at, at + _STRIDE) < 0 for at in strides):  # faster than a regex
        markup = _LONG_TAG.sub(_shortened, markup)
    return _flattened(markup) if markup.count("<") >= _MANY_TAGS else markup


def _shortened(match: re.Match[str]) -> str:
    tag = match[0]
    name = _NAME.match(tag)
    at = name.end() if name else 0
    for _ in range(MAX_ATTRIBUTES):
        found = _ATTRIBUTE.match(tag, at)
        if found is None or found.end() == at:
            return tag  # few attributes, of which one is long: a picture, say
        at = found.end()
    return tag[:at].rstrip("<>") + ">"


def _flattened(markup: str) -> str:
    depth, dropped = 0, 0
    open_names: Counter[str] = Counter()
    pieces: list[str] = []
    kept_to = 0
    for tag in _TAG.finditer(markup):
        name = tag[4]
        if name is None:
            continue
        name = name.lower()
        if name in _NEVER_DEEP:
            continue
        if not tag[3]:
            if depth < MAX_DEPTH:
                depth += 1
                open_names[name] += 1
                continue
            if name == "a":  # links stay
                continue
            dropped += 1
        elif dropped and name != "a":
            dropped -= 1
        else:
            if open_names[name] > 0:  # an end without a beginning closes nothing
                open_names[name] -= 1
                depth -= 1
            continue
        pieces.append(markup[kept_to : tag.start()])
        kept_to = tag.end()
    if not pieces:
        return markup
    pieces.append(markup[kept_to:])
    return "".join(pieces)
