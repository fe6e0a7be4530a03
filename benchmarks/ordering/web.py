"""A recorded web: pages, hosts and links with all that a crawler could see, in one npz file.

Everything is numbered: a page is its place in `urls`, a link its place in `targets`. The links of
page p are `first[p]:first[p + 1]`, in page order. Texts that links carry stand in tables and are
named by their places there.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from graphcrawl.parse.cues import cues_of

FORMAT = 1
POSITIONS = ("body", "nav", "header", "footer", "aside")
TERM_BITS = 18
PAGE, REDIRECT, MISSING = 0, 1, 2  # kinds of pages
_WORD = re.compile(r"[^\W_]{2,40}")

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class SeenLink(NamedTuple):
    """A link as its page shows it."""

    url: str
    anchor: str = ""
    around: str = ""  # words before and after it
    path: str = ""  # tags from the body down to it
    position: str = "body"
    weight: float = 1.0
    feed_hint: float = 0.0


class SeenPage(NamedTuple):
    """What a fetch of a page would give."""

    url: str
    links: list[SeenLink]
    terms: tuple[Ints, Ints]  # hashed terms, and how often each occurs
    words: int = 0
    kind: int = 0  # PAGE, REDIRECT or MISSING
    points: float = 0.0  # that rules grant it
    feed: bool = False


@dataclass(frozen=True, slots=True)
class Web:
    """A recorded web."""

    name: str
    urls: list[str]
    hosts: list[str]
    host: Ints  # of each page, its place in hosts
    first: Ints  # of each page, its first link; one more at the end
    targets: Ints
    anchor: Ints
    around: Ints
    path: Ints
    anchors: list[str]
    arounds: list[str]
    paths: list[str]
    position: Ints  # places in POSITIONS
    weight: Floats
    feed_hint: Floats
    cue_first: Ints
    cues: Ints  # of the links
    term_first: Ints
    terms: Ints  # of the pages' texts, hashed to 2^18
    counts: Ints
    words: Ints  # of each page
    kind: Ints
    points: Floats
    feed: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.urls)

    def save(self, file: Path) -> None:
        """Write it, in the smallest types that hold it."""
        arrays = {}
        for name in self.__slots__:
            value = getattr(self, name)
            if isinstance(value, str):
                arrays[name] = _blob([value])
            elif isinstance(value, list):
                arrays[name] = _blob(value)
            elif value.dtype == np.float64:
                arrays[name] = value.astype(np.float32)
            elif value.dtype == np.int64:
                arrays[name] = value.astype(np.int32)
            else:
                arrays[name] = value
        np.savez_compressed(file, format=np.array([FORMAT]), **arrays)

    @classmethod
    def load(cls, file: Path) -> "Web":
        """Read what `save` wrote."""
        with np.load(file) as data:
            if int(data["format"][0]) != FORMAT:
                raise ValueError(f"{file} is of another format; build it again")
            values = {}
            for name in cls.__slots__:
                array = data[name]
                if array.dtype == np.uint8:
                    values[name] = _lines(array)
                elif array.dtype == np.float32:
                    values[name] = array.astype(np.float64)
                elif array.dtype == np.int32:
                    values[name] = array.astype(np.int64)
                else:
                    values[name] = array
        values["name"] = values["name"][0]
        return cls(**values)


@dataclass(frozen=True, slots=True)
class Task:
    """What is looked for in a web, and from where."""

    name: str
    group: str  # tune: settings may be chosen on it; report: they must not
    seeds: Ints
    examples: Ints  # pages given as examples; they are no targets
    target: npt.NDArray[np.bool_]
    worth: Floats  # of each page once it is fetched, 0…1
    topic_hint: Floats  # of each link, 0…1
    anchor_sim: Floats = field(default_factory=lambda: np.zeros(0))  # of each link: its text alone
    sim: Floats = field(default_factory=lambda: np.zeros(0))  # of each page: plain cosine
    same: Ints = field(default_factory=lambda: np.zeros(0, np.int64))  # pages of one number are one

    def save(self, file: Path) -> None:
        """Write it."""
        arrays = {
            name: getattr(self, name).astype(np.float32)
            for name in ("worth", "topic_hint", "anchor_sim", "sim")
        }
        np.savez_compressed(
            file,
            name=_blob([self.name]),
            group=_blob([self.group]),
            seeds=self.seeds,
            examples=self.examples,
            target=self.target,
            same=self.same,
            **arrays,
        )

    @classmethod
    def load(cls, file: Path) -> "Task":
        """Read what `save` wrote."""
        with np.load(file) as data:
            values = {name: data[name] for name in cls.__slots__ if name in data}
        for name in ("name", "group"):
            values[name] = _lines(values[name])[0]
        for name in ("worth", "topic_hint", "anchor_sim", "sim"):
            values[name] = values[name].astype(np.float64)
        return cls(**values)


def record(name: str, pages: Sequence[SeenPage]) -> Web:
    """Make a web of pages; links to what is not among them are left out."""
    place = {page.url: n for n, page in enumerate(pages)}
    hosts: dict[str, int] = {}
    tables: tuple[dict[str, int], ...] = ({}, {}, {})
    host, first, targets, position, weight, hint = [], [0], [], [], [], []
    named: tuple[list[int], ...] = ([], [], [])
    cues: list[int] = []
    cue_first = [0]
    known: dict[tuple[str, str, str, str], tuple[int, ...]] = {}
    for page in pages:
        host.append(hosts.setdefault(page.url.split("/")[2], len(hosts)))
        for link in page.links:
            if link.url not in place or link.url == page.url:
                continue
            targets.append(place[link.url])
            texts = link.anchor, link.around, link.path
            for table, ids, text in zip(tables, named, texts, strict=True):
                ids.append(table.setdefault(" ".join(text.split()), len(table)))
            position.append(POSITIONS.index(link.position))
            weight.append(link.weight)
            hint.append(link.feed_hint)
            key = (*texts, link.position)
            if key not in known:
                known[key] = cues_of(*key)
            cues += known[key]
            cue_first.append(len(cues))
        first.append(len(targets))
    term_first = np.cumsum([0, *(len(page.terms[0]) for page in pages)])
    return Web(
        name=name,
        urls=[page.url for page in pages],
        hosts=list(hosts),
        host=_ints(host),
        first=_ints(first),
        targets=_ints(targets),
        anchor=_ints(named[0]),
        around=_ints(named[1]),
        path=_ints(named[2]),
        anchors=list(tables[0]),
        arounds=list(tables[1]),
        paths=list(tables[2]),
        position=_ints(position),
        weight=np.array(weight, float),
        feed_hint=np.array(hint, float),
        cue_first=_ints(cue_first),
        cues=_ints(cues),
        term_first=_ints(term_first),
        terms=np.concatenate([page.terms[0] for page in pages]).astype(np.int64),
        counts=np.concatenate([page.terms[1] for page in pages]).astype(np.int64),
        words=_ints([page.words for page in pages]),
        kind=_ints([page.kind for page in pages]),
        points=np.array([page.points for page in pages], float),
        feed=np.array([page.feed for page in pages], bool),
    )


def record_links(name: str, first: Ints, targets: Ints) -> Web:
    """Make a web of links that nothing else is known of."""
    size = len(first) - 1
    some, none = np.zeros(len(targets), np.int64), np.zeros(size + 1, np.int64)
    return Web(
        name=name,
        urls=[f"http://{name}.example/{page}" for page in range(size)],
        hosts=[f"{name}.example"],
        host=np.zeros(size, np.int64),
        first=first,
        targets=targets,
        anchor=some,
        around=some,
        path=some,
        anchors=[""],
        arounds=[""],
        paths=[""],
        position=some,
        weight=np.ones(len(targets)),
        feed_hint=np.zeros(len(targets)),
        cue_first=np.zeros(len(targets) + 1, np.int64),
        cues=np.zeros(0, np.int64),
        term_first=none,
        terms=np.zeros(0, np.int64),
        counts=np.zeros(0, np.int64),
        words=np.zeros(size, np.int64),
        kind=np.zeros(size, np.int64),
        points=np.zeros(size),
        feed=np.zeros(size, bool),
    )


def with_cues(web: Web) -> Web:
    """Make the cues of all links anew."""
    known: dict[tuple[int, ...], tuple[int, ...]] = {}
    cues: list[int] = []
    first = [0]
    columns = (web.anchor, web.around, web.path, web.position)
    for key in zip(*(column.tolist() for column in columns), strict=True):
        if key not in known:
            anchor, around, path, position = key
            path_text = web.paths[path].replace("/", ">")
            texts = web.anchors[anchor], web.arounds[around], path_text
            known[key] = cues_of(*texts, POSITIONS[position])
        cues += known[key]
        first.append(len(cues))
    return replace(web, cues=_ints(cues), cue_first=_ints(first))


def reachable(web: Web, seeds: Iterable[int]) -> npt.NDArray[np.bool_]:
    """Tell which pages can be reached from some."""
    seen = np.zeros(len(web), bool)
    todo = list(seeds)
    seen[todo] = True
    while todo:
        page = todo.pop()
        new = web.targets[web.first[page] : web.first[page + 1]]
        for target in new[~seen[new]].tolist():
            if not seen[target]:
                seen[target] = True
                todo.append(target)
    return seen


def words_of(text: str) -> list[str]:
    """Return the words of a text, in lower case."""
    return _WORD.findall(text.lower())


_hashes: dict[str, int] = {}


def hashed(word: str) -> int:
    """Return a word's hash, 32 bits."""
    known = _hashes.get(word)
    if known is None:
        digest = blake2b(word.encode(), digest_size=4).digest()
        known = _hashes[word] = int.from_bytes(digest, "big")
    return known


def _ints(values: Iterable[int]) -> Ints:
    return np.array(list(values), np.int64)


def _blob(lines: Sequence[str]) -> npt.NDArray[np.uint8]:
    return np.frombuffer(json.dumps(list(lines), ensure_ascii=False).encode(), np.uint8)


def _lines(blob: npt.NDArray[np.uint8]) -> list[str]:
    found: list[str] = json.loads(blob.tobytes())
    return found
