"""How alike two texts are, from 0 to 1: cosine of hashed TF-IDF, and Strike a Match [002.similarity]."""

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping

from graphcrawl.scoring.words import MAX_TEXT_CHARS, slot_of, stop_words, telling_words

CORPUS_SLOTS = 2**18
_PRIOR_DOCUMENTS = 20.0  # what no page was read for counts as: a word stood in one of so many


class Corpus:
    """In how many documents each word stands, hashed: bounded, whatever is read.

    At the start nothing is known, and each word counts as if it stood in one of 20 documents, so
    that all words weigh the same. Each document that is learned moves that.
    """

    __slots__ = ("documents", "version", "_counts")

    def __init__(self) -> None:
        self.documents = 0.0  # weighed
        self.version = 0  # changes when something was learned
        self._counts = array("f", bytes(4 * CORPUS_SLOTS))

    def learn(self, words: Iterable[str], weight: float = 1.0) -> None:
        """Count a document by its distinct words.

        Args:
            words: Each word once.
            weight: How much of a document it counts for.
        """
        if not 0 < weight < math.inf:
            return
        counts = self._counts
        for word in words:
            counts[slot_of(word, CORPUS_SLOTS)] += weight
        self.documents += weight
        self.version += 1

    def weight_of(self, word: str) -> float:
        """Return the weight of a word: ln((N + 20) / (n + 1)), at least 0.

        N is the number of documents learned, n of those with the word. A slot that two words share
        has the count of both.

        Source: inverse document frequency, Spärck Jones 1972, smoothed by the documents that stand
        in for a corpus at the start.
        """
        return max(
            0.0,
            math.log(
                (self.documents + _PRIOR_DOCUMENTS)
                / (self._counts[slot_of(word, CORPUS_SLOTS)] + 1.0)
            ),
        )

    def weigh(self, counts: Mapping[str, float]) -> dict[str, float]:
        """Return the TF-IDF vector of a text, (1 + ln count) · idf, not normalised."""
        table, ln = self._counts, math.log
        top = self.documents + _PRIOR_DOCUMENTS
        vector = {}
        for word, count in counts.items():
            idf = ln(top / (table[slot_of(word, CORPUS_SLOTS)] + 1.0))
            if idf > 0:
                vector[word] = idf if count == 1 else (1.0 + ln(count)) * idf
        return vector


def cosine(one: str, other: str, corpus: Corpus | None = None, language: str = "") -> float:
    """Return the cosine of two texts' TF-IDF vectors; 0 where one has no words.

    Args:
        one: A text.
        other: Another.
        corpus: What words weigh; without it all weigh the same.
        language: Whose stop words are left out.
    """
    weights = corpus or Corpus()
    left = weights.weigh(telling_words(one, language))
    right = weights.weigh(telling_words(other, language))
    return dot(left, right) / (norm(left) * norm(right)) if left and right else 0.0


def dot(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Return the inner product of two vectors: the same both ways, to the last bit."""
    if one.keys() == other.keys() or len(one) == len(other):
        return math.fsum(value * other[word] for word, value in one.items() if word in other)
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
        [count if count < large[pair] else large[pair] for pair, count in small.items() if pair in large]
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
