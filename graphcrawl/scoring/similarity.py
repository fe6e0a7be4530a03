"""How alike two texts are, 0 to 1: cosine of hashed TF-IDF; Strike a Match [002.similarity]."""

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping

from graphcrawl.scoring.words import (
    MAX_TEXT_CHARS,
    frequent_words,
    slot_of,
    stop_words,
    telling_words,
)

CORPUS_SLOTS = 2**18
_PRIOR_DOCUMENTS = 100.0  # that stand in for a corpus at the start
_PRIOR_SHARE = 0.3  # of them have each common word; one has each other word


class Corpus:
    """In how many documents each word stands, hashed: bounded, whatever is read.

    At the start 100 documents stand in for a corpus: of the frequent words of a language each is in
    30 of them, any other word in one. What is learned adds to that.

    Source of the frequent words: jusText's lists, made of the Wikipedia of each language.

    Args:
        languages: ISO 639-1 codes of the languages that documents may be in.
    """

    __slots__ = ("_counts", "documents")

    def __init__(self, languages: Iterable[str] = ("en",)) -> None:
        self.documents = _PRIOR_DOCUMENTS  # those that stood in included
        self._counts = array("f", bytes(4 * CORPUS_SLOTS))
        for word in frozenset[str]().union(*map(frequent_words, languages)):
            self._counts[slot_of(word, CORPUS_SLOTS)] = _PRIOR_SHARE * _PRIOR_DOCUMENTS

    def learn(self, words: Iterable[str], weight: float = 1.0) -> None:
        """Count a document by its distinct words.

        Args:
            words: Each word once.
            weight: How much of a document it counts for; what is no number above 0 teaches nothing.
        """
        self.count([slot_of(word, CORPUS_SLOTS) for word in words], weight)

    def count(self, slots: Iterable[int], weight: float = 1.0) -> None:
        """Count a document by the slots of its words, see `learn`."""
        if not 0 < weight < math.inf:
            return
        counts = self._counts
        for slot in slots:
            counts[slot] += weight
        self.documents += weight

    def weight_of(self, word: str) -> float:
        """Return the weight of a word: ln(N / (n + 1)), at least 0.

        N is the number of documents, n that of those with the word. Two words that share a slot
        share its count.

        Source: inverse document frequency, Spärck Jones 1972, smoothed.
        """
        count = self._counts[slot_of(word, CORPUS_SLOTS)]
        return max(0.0, math.log(self.documents / (count + 1.0)))

    def weigh(self, counts: Mapping[str, int]) -> dict[str, float]:
        """Return the TF-IDF vector of a text, (1 + ln count) · weight of the word; not normalised.

        Source: Salton and Buckley 1988, logarithmic term frequency.
        """
        table, ln, top = self._counts, math.log, self.documents
        vector = {}
        for word, count in counts.items():
            weight = ln(top / (table[slot_of(word, CORPUS_SLOTS)] + 1.0))
            if weight > 0:
                vector[word] = weight if count == 1 else (1.0 + ln(count)) * weight
        return vector


def cosine(one: str, other: str, corpus: Corpus | None = None, language: str = "") -> float:
    """Return the cosine of two texts' TF-IDF vectors; 0 where one has no words.

    Args:
        one: A text.
        other: Another.
        corpus: What words weigh; without it, what they weigh at the start.
        language: Whose stop words are left out.
    """
    weights = corpus or Corpus()
    left = weights.weigh(telling_words(one, language))
    right = weights.weigh(telling_words(other, language))
    return min(1.0, dot(left, right) / (norm(left) * norm(right))) if left and right else 0.0


def dot(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Return the inner product of two vectors: the same both ways, to the last bit."""
    small, large = (one, other) if len(one) < len(other) else (other, one)
    return math.fsum(value * large[word] for word, value in small.items() if word in large)


def norm(vector: Mapping[str, float]) -> float:
    """Return the length of a vector."""
    return math.sqrt(math.fsum(value * value for value in vector.values()))


def letter_pairs(text: str) -> Counter[str]:
    """Return the multiset of adjacent letter pairs of each word. Words end at white space.

    Source: Simon White, "How to Strike a Match", 1992.
    """
    pairs: Counter[str] = Counter()
    for word, count in Counter(text.split()).items():
        for at in range(len(word) - 1):
            pairs[word[at : at + 2]] += count
    return pairs


def strike_a_match(one: str, other: str) -> float:
    """Return how alike two texts are by their letter pairs: 2·|A∩B| / (|A|+|B|), case-blind.

    Where neither has a pair, which the published method leaves open, it is 0.

    Source: Simon White, "How to Strike a Match", 1992 [002.similarity].
    """
    return dice(letter_pairs(one.lower()), letter_pairs(other.lower()))


def dice(one: Counter[str], other: Counter[str]) -> float:
    """Return the Dice coefficient of two multisets; 0 where both are empty."""
    total = one.total() + other.total()
    if not total:
        return 0.0
    small, large = (one, other) if len(one) < len(other) else (other, one)
    shared = sum(
        [
            count if count < large[pair] else large[pair]
            for pair, count in small.items()
            if pair in large
        ]
    )
    return 2.0 * shared / total


def pairs_of_text(text: str, language: str = "") -> Counter[str]:
    """Return the letter pairs of a text in lower case, without its stop words [002.similarity]."""
    stops = stop_words(language or "en")
    words = text[:MAX_TEXT_CHARS].lower().split()
    return letter_pairs(" ".join([word for word in words if word not in stops]))


def similarity(text: str, texts: Iterable[str], language: str = "") -> float:
    """Return the mean Strike a Match of a text with each of a collection's; of none 0.0.

    Text is lower-cased, and stop words are removed. Source: [002.similarity].
    """
    own = pairs_of_text(text, language)
    found = [dice(own, pairs_of_text(other, language)) for other in texts]
    return sum(found) / len(found) if found else 0.0
