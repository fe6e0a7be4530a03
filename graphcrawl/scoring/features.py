"""What a link shows before anybody has fetched it, as numbers: the features of the quality scorer.

A feature is a slot (below 2^18) and a value within −1 and 1. Few have a slot of their own; words,
tag paths and URL tokens are hashed into the rest, so that memory is bounded.

Source: [004.features]; the cues, URL tokens and the host's record are ours.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache

from graphcrawl.scoring.candidate import Candidate
from graphcrawl.scoring.words import cue_id

SLOTS = 2**18
# Namespaces of cues, as in `parse.cues` (importing it would load the parsers). Tokens of URLs and
# names of query parameters are no cues; they share the last namespace, each behind its kind.
ANCHOR, AROUND, PLACE, FACT = range(4)
OTHER = 7
MAX_URL_TOKENS = 12
_RESERVED = 64

EXTENSIONS = ("html", "htm", "php")
SECTIONS = ("article", "post", "blog", "docs", "wiki", "news", "product", "category")
BIAS = 0
NAMED = (
    "bias",
    "url depth",
    "url parameters",
    "url length",
    "url digits",
    "url ends in /",
    *(f"url .{name}" for name in EXTENSIONS),
    *(f"url has {name}" for name in SECTIONS),
    "parents' mean",
    "best parent",
    "parents",
    "depth",
    "links to it",
    "looks like a feed",
    "looks like the topic",
    "host's record",
    "host is new",
)
_SLOT = {name: slot for slot, name in enumerate(NAMED)}
_PARENT_MEAN, _PARENT_BEST, _PARENTS = (
    _SLOT[name] for name in ("parents' mean", "best parent", "parents")
)
_DEPTH, _IN_LINKS = _SLOT["depth"], _SLOT["links to it"]
_FEED_HINT, _TOPIC_HINT = _SLOT["looks like a feed"], _SLOT["looks like the topic"]
_HOST_RECORD, _HOST_NEW = _SLOT["host's record"], _SLOT["host is new"]

Feature = tuple[int, float]
_PLACES = (
    (OTHER, "query ", "parameter"),
    (AROUND, "", "near"),
    (OTHER, "url ", "url"),
    (ANCHOR, "", "anchor"),
)
_WORD = re.compile(r"[^\W\d_]+")


def slot_of(cue: int) -> int:
    """Return the slot of a cue; the first ones are kept for named features."""
    return _RESERVED + cue % (SLOTS - _RESERVED)


def relation_cue(page_url: str, page_host: str, url: str, host: str) -> int:
    """Return as a cue where a link's target lies: below its page, beside it, on another host.

    It is the source's "same domain", in finer steps; made where the link is read, since a waiting
    page does not know its parents.

    Args:
        page_url: Canonical URL of the page that links.
        page_host: Its host key.
        url: Canonical URL of the target.
        host: Its host key.
    """
    if host == page_host:
        folder = page_url.partition("?")[0].rpartition("/")[0]
        below = url.startswith(f"{folder}/")
        return cue_id(FACT, "below" if below else "same host")
    ours, theirs = page_host.split(".")[-2:], host.split(".")[-2:]
    return cue_id(FACT, "same domain" if ours == theirs else "other domain")


def features_of(candidate: Candidate, record: float | None = None) -> Sequence[Feature]:
    """Return the features of a waiting page; values are finite and within −1 and 1.

    Args:
        candidate: The page.
        record: Mean quality of its host's pages so far, 0 to 1; None: none is known.
    """
    return [*shown_features(candidate), host_feature(record)]


def host_feature(record: float | None) -> Feature:
    """Return what is known of a page's host as a feature."""
    return (_HOST_NEW, 1.0) if record is None else (_HOST_RECORD, _bounded(2 * record - 1))


def shown_features(candidate: Candidate) -> list[Feature]:
    """Return the features of a waiting page that are the same whatever was learned of its host."""
    c = candidate
    mean = c.parent_sum / c.parent_count if c.parent_count > 0 else 0.0
    found = [
        *_url_features(c.url),
        (_PARENT_MEAN, _bounded(mean)),
        (_PARENT_BEST, _bounded(c.parent_best)),
        (_PARENTS, _logarithm(c.parent_count)),
        (_DEPTH, _bounded(c.depth / 10)),
        (_IN_LINKS, _logarithm(c.in_links)),
    ]
    if c.feed_hint:
        found.append((_FEED_HINT, _bounded(c.feed_hint)))
    if c.topic_hint:
        found.append((_TOPIC_HINT, _bounded(c.topic_hint)))
    found += [(_RESERVED + cue % (SLOTS - _RESERVED), 1.0) for cue in c.cues]
    return found


@lru_cache(maxsize=16_384)
def _url_features(url: str) -> tuple[Feature, ...]:
    """Return what the URL alone shows. Kept, since waiting pages are scored again and again."""
    rest = url.partition("://")[2].partition("#")[0]
    place, _, query = rest.partition("?")
    host, _, path = place.partition("/")
    host = host.partition(":")[0]
    lower = path.lower()
    segments = [segment for segment in lower.split("/") if segment]
    parameters = [part.partition("=")[0] for part in query.split("&") if part]
    letters = len(path)
    found: list[Feature] = [
        (BIAS, 1.0),
        (_SLOT["url depth"], min(len(segments) / 10, 1.0)),
        (_SLOT["url parameters"], min(len(parameters) / 10, 1.0)),
        (_SLOT["url length"], min(len(rest) / 200, 1.0)),
        (_SLOT["url digits"], sum(map(str.isdigit, path)) / letters if letters else 0.0),
        (_SLOT["url ends in /"], float(place.endswith("/"))),
    ]
    ending = lower.rpartition("/")[2].rpartition(".")[2]
    if ending in EXTENSIONS:
        found.append((_SLOT[f"url .{ending}"], 1.0))
    found += [(_SLOT[f"url has {name}"], 1.0) for name in SECTIONS if name in lower]
    found += [(slot_of(cue_id(OTHER, f"url {token}")), 1.0) for token in url_tokens(url)]
    found += [
        (slot_of(cue_id(OTHER, f"query {name.lower()}")), 1.0)
        for name in sorted(set(parameters))[:4]
    ]
    return tuple(feature for feature in found if feature[1])


def url_tokens(url: str) -> tuple[str, ...]:
    """Return the words of a URL's path, and its host as one: at most 12, without repetition."""
    place = url.partition("://")[2].partition("?")[0].partition("#")[0]
    host, _, path = place.partition("/")
    words = (w for w in _WORD.findall(path.lower()) if len(w) > 1 and w not in EXTENSIONS)
    return tuple(dict.fromkeys([host, *words]))[:MAX_URL_TOKENS]


def names_of(words: Iterable[str]) -> dict[int, str]:
    """Return readable names of the slots that these words have, wherever they may stand."""
    names = {}
    for word in words:
        for namespace, kind, place in _PLACES:
            names[slot_of(cue_id(namespace, kind + word))] = f"{place} {word}"
    return names


def name_of(slot: int, names: Mapping[int, str]) -> str:
    """Return what a slot is called; of a hashed one as far as `names` knows it."""
    if slot < len(NAMED):
        return NAMED[slot]
    return names.get(slot) or _fixed_names().get(slot) or f"hashed {slot}"


@cache
def _fixed_names() -> dict[int, str]:
    """Return names of the hashed features of which there are few."""
    facts = [f"chars {n}" for n in range(8)] + [f"words {n}" for n in range(7)]
    facts += ["numbers", "navigational"]
    regions = ("body", "nav", "header", "footer", "aside", "head")
    relations = ("below", "same host", "same domain", "other domain")
    named = [(FACT, word, f"anchor: {word}") for word in facts]
    named += [(PLACE, word, f"in {word}") for word in regions]
    named += [(FACT, word, f"target: {word}") for word in relations]
    return {slot_of(cue_id(namespace, word)): name for namespace, word, name in named}


def _bounded(value: float) -> float:
    """Return a number within −1 and 1; what is none counts as 0."""
    return max(-1.0, min(1.0, value)) if math.isfinite(value) else 0.0


def _logarithm(count: int) -> float:
    """Return a count on a scale on which 0 is 0, 10 a third and 1,000 is 1."""
    return min(1.0, math.log1p(max(count, 0)) / math.log(1001))
