"""What pages should be about, told by examples [002.similarity]."""

import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from graphcrawl.errors import TopicError
from graphcrawl.scoring.similarity import CORPUS_SLOTS, Corpus, dice, dot, norm, pairs_of_text
from graphcrawl.scoring.words import slot_of, telling_words, words_of

Measure = Literal["cosine", "dice"]

SAMPLE_PAGES = 32  # of those read, by which the level of any page is told
MAX_SAMPLE_WORDS = 1000
_FIRST_LEVEL_PAGES = 8  # levels are told anew after 8, 16, 32 … pages
_LOW_QUANTILE = 0.3  # most pages that a crawl meets may be on topic
_STEEPNESS = 6.0  # worth 0.05 at the low level, 0.95 at the high one
_LOW_AT_START = 0.6  # of the high level
_LOW_AT_MOST = {"cosine": 0.75, "dice": 0.97}  # of the high level: letter pairs tell less
_LOW_AT_LEAST = 0.2
_LONE_HIGH = {"cosine": 2.0, "dice": 1.05}  # of a single example, in low levels
_LONE_LOW = {"cosine": 0.12, "dice": 0.65}  # what any page has, before one was read
_HIGH = {"cosine": 1.1, "dice": 1.0}  # of the examples' similarity with each other
_NEAR, _SAID = 0.5, 2.0  # weights of words around a link and in it; of those in its URL 1
_MAX_KNOWN_WORDS = 50_000
_LOGARITHMS = (0.0, *(1.0 + math.log(count) for count in range(1, 1000)))
_URL_HEAD = re.compile(r"[a-z]+://[^/]*/?")


class Example(NamedTuple):
    """A text that is on topic."""

    text: str
    language: str = ""  # ISO 639-1


class _Word(NamedTuple):
    """What a word is to a topic."""

    slot: int  # where the corpus counts it
    weight: float
    mean: float  # its part of the examples' mean vector


class Topic:
    """What some example texts are about, and how near other texts come to it. Pickles.

    `similarity` is the mean over the examples: of the cosines, each divided by the length of the
    examples' mean vector, so that 1 can be reached; or of Strike a Match (`dice`). `worth` makes
    of it what an order can go by:

        worth = 1 / (1 + exp(-6 · (similarity - (high + low) / 2) / (high - low))); 0 of 0

    `high` is what a page on topic has: 1.1 times the mean similarity of each example with the
    others (dice: 1.0). `low` is what any page has: the 30 % quantile of 32 pages drawn from all
    that were read; before eight were read 0.6 · high, never less than 0.2 · high, and never more
    than 0.75 · high (dice: 0.97). Both are told anew when 8, 16, 32 … pages were read. Of a single
    example `high` is twice the low level (dice: 1.05 times), which starts at 0.12 (dice: 0.65).

    Document frequencies start as `Corpus` says, by the languages of the examples, and each page
    that is read counts as 1 - worth documents, so that a crawl that keeps to its topic does not
    take the topic's words for common ones. Each reader process learns from the pages it reads; a
    new run starts anew.

    Args:
        examples: Texts that are on topic.
        measure: How texts are compared.

    Raises:
        TopicError: No example has two words that say something.
    """

    def __init__(self, examples: Sequence[Example], measure: Measure = "cosine") -> None:
        kept = [example for example in examples if len(telling_words(*example)) > 1]
        if not kept:
            raise TopicError(
                "The topic is empty: its examples have no words that say something.",
                "Give pages or files with text: --topic examples/ --topic https://example.org/page",
            )
        self.examples = tuple(kept)
        self.measure: Measure = measure
        languages = {example.language or "en" for example in kept} | {"en"}
        self._corpus = Corpus(sorted(languages))
        count = telling_words if measure == "cosine" else pairs_of_text
        self._count: Callable[[str, str], Counter[str]] = count
        self._counts = [count(*example) for example in kept]
        self._read = 0
        self._sample: list[Counter[str]] = []
        self._draw = random.Random(0)
        self._words = {word for example in kept for word in telling_words(*example)}
        self._known: dict[str, _Word] = {}
        self._set_levels()

    def __reduce__(self) -> tuple[type["Topic"], tuple[tuple[Example, ...], Measure]]:
        """Pickle what it is made of; what it learned stays."""
        return Topic, (self.examples, self.measure)

    def similarity(self, text: str, language: str = "") -> float:
        """Return how near a text comes to the examples, from 0 to 1; 0 of a text without words."""
        return self._similarity(self._count(text, language))

    def worth(self, text: str, language: str = "") -> float:
        """Return what a page with that text is worth, from 0 to 1."""
        return self._worth(self.similarity(text, language))

    def read(self, text: str, language: str = "") -> float:
        """Return what a page with that text is worth, and learn from it what pages are like."""
        counts = self._count(text, language)
        worth = self._worth(self._similarity(counts))
        if not counts:
            return worth
        if self.measure == "cosine":
            self._corpus.count([self._known_word(word).slot for word in counts], 1.0 - worth)
        self._read += 1
        place = (
            len(self._sample) if self._read <= SAMPLE_PAGES else self._draw.randrange(self._read)
        )
        if place < SAMPLE_PAGES:
            kept = Counter(dict(counts.most_common(MAX_SAMPLE_WORDS)))
            self._sample[place : place + 1] = [kept]
        if self._read >= _FIRST_LEVEL_PAGES and self._read.bit_count() == 1:
            self._set_levels()
        return worth

    def hint(self, anchor: str, around: str, url: str) -> float:
        """Return how much a link promises a page on topic, from 0 to 1.

        The cosine of its words and the examples' mean vector, whatever the measure, by the
        similarity of a page on topic; at most 1. A word of the anchor counts 2, one of the URL's
        path and query 1, one around the link 0.5; each once.
        """
        weights = dict.fromkeys(words_of(around), _NEAR)
        weights.update(dict.fromkeys(words_of(_URL_HEAD.sub("", url, count=1)), 1.0))
        weights.update(dict.fromkeys(words_of(anchor), _SAID))
        if self._words.isdisjoint(weights):
            return 0.0
        return min(1.0, self._cosine(weights) / self._page_level)

    def _cosine(self, weights: Mapping[str, float]) -> float:
        """Return the cosine of words by their weights and the examples' mean vector."""
        product = squares = 0.0
        known = self._known
        for word, weight in weights.items():
            _, idf, mean = known.get(word) or self._known_word(word)
            own = weight * idf
            squares += own * own
            if mean:
                product += own * mean
        return min(1.0, product / math.sqrt(squares)) if product > 0 else 0.0

    def _known_word(self, word: str) -> "_Word":
        """Return what a word is to the topic, by what was known when levels were told last."""
        known = self._known.get(word)
        if known is None:
            if len(self._known) >= _MAX_KNOWN_WORDS:
                self._known.clear()
            slot = slot_of(word, CORPUS_SLOTS)
            known = _Word(slot, self._corpus.weight_of(word), self._mean.get(word, 0.0))
            self._known[word] = known
        return known

    def _similarity(self, counts: Counter[str]) -> float:
        if not counts:
            return 0.0
        if self.measure == "dice":
            return sum(dice(counts, example) for example in self._counts) / len(self._counts)
        ln = _LOGARITHMS
        top = len(ln) - 1
        return self._cosine({word: ln[min(count, top)] for word, count in counts.items()})

    def _worth(self, similarity: float) -> float:
        if similarity <= 0:
            return 0.0
        span = self._high - self._low
        return 1.0 / (1.0 + math.exp(-_STEEPNESS * (similarity - self._low - span / 2) / span))

    def _set_levels(self) -> None:
        """Tell from what was read so far what words weigh and what similarities mean."""
        self._known.clear()
        counts = [telling_words(*example) for example in self.examples]
        vectors = [_unit(self._corpus.weigh(each)) for each in counts]
        total = _sum(vectors)
        self._mean = _unit(total)
        others = [_unit(_minus(total, vector)) for vector in vectors]
        alike = [dot(vector, rest) for vector, rest in zip(vectors, others, strict=True)]
        self._page_level = max(0.02, sum(alike) / len(alike)) if len(alike) > 1 else 0.2
        lows = sorted(map(self._similarity, self._sample))
        met = lows[int(_LOW_QUANTILE * len(lows))] if len(lows) >= _FIRST_LEVEL_PAGES else None
        if len(self.examples) == 1:
            start = _LONE_LOW[self.measure]
            low = start if met is None else max(met, start / 4)
            self._low, self._high = low, max(low * _LONE_HIGH[self.measure], 1e-6)
            return
        if self.measure == "dice":
            alike = [
                dice(one, other)
                for at, one in enumerate(self._counts)
                for other in self._counts[at + 1 :]
            ]
        self._high = max(0.02, _HIGH[self.measure] * sum(alike) / len(alike))
        low = _LOW_AT_START * self._high if met is None else met
        most = _LOW_AT_MOST[self.measure]
        self._low = self._high * min(max(low / self._high, _LOW_AT_LEAST), most)


def keyword_worth(title: str, text: str, keywords: Sequence[tuple[str, float]]) -> float:
    """Return what keywords say of a page, from 0 to 1.

    The sum of weight times presence, by the sum of the weights above 0. A keyword is present by 1
    where the title has it, else by a third for each time that the text has it, up to three. A
    keyword with a weight below 0 speaks against the page. Whole words, case-blind; phrases too.

    Source: [004.composite].
    """
    total = sum(weight for _, weight in keywords if weight > 0)
    if total <= 0:
        return 0.0
    head, body = _spaced(title), _spaced(text)
    found = 0.0
    for keyword, weight in keywords:
        said = _spaced(keyword)
        if said.strip():
            found += weight * (1.0 if said in head else min(3, body.count(said)) / 3)
    return min(1.0, max(0.0, found / total))


def _spaced(text: str) -> str:
    """Return the words of a text, each between two spaces of its own."""
    return "".join([f" {word} " for word in words_of(text)])


def _unit(vector: dict[str, float]) -> dict[str, float]:
    length = norm(vector)
    return {word: value / length for word, value in vector.items()} if length > 0 else {}


def _sum(vectors: Iterable[dict[str, float]]) -> dict[str, float]:
    total: dict[str, float] = {}
    for vector in vectors:
        for word, value in vector.items():
            total[word] = total.get(word, 0.0) + value
    return total


def _minus(total: dict[str, float], vector: dict[str, float]) -> dict[str, float]:
    return {word: max(0.0, value - vector.get(word, 0.0)) for word, value in total.items()}
