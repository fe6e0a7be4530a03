"""Similarity of texts: worked examples, and what holds for any text [002.similarity]."""

import math
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphcrawl.scoring.similarity import Corpus, cosine, letter_pairs, similarity, strike_a_match
from graphcrawl.scoring.words import cue_id, stop_words, telling_words, words_of

texts = st.text(st.sampled_from(string.ascii_letters[:20] + " .éß語の"), max_size=80)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [  # the worked examples of Simon White's article
        ("FRANCE", "FRENCH", 0.4),
        ("HEALED", "SEALED", 0.8),
        ("HEALED", "HEALTHY", 6 / 11),
        ("HEALED", "HEARD", 4 / 9),
        ("HEALED", "HERDED", 0.4),
        ("HEALED", "HELP", 0.25),
        ("HEALED", "SOLD", 0.0),
        ("GGGGG", "GG", 0.4),  # multisets, as published: each pair counts once
        ("REPUBLIC OF FRANCE", "FRANCE", 10 / 18),
        ("france", "FRENCH", 0.4),
        ("", "", 0.0),
        ("a b c", "a b c", 0.0),  # words of one letter have no pairs
        ("", "FRANCE", 0.0),
    ],
)
def test_strike_a_match_as_published(one: str, other: str, expected: float) -> None:
    assert strike_a_match(one, other) == pytest.approx(expected)


def test_pairs_never_span_words() -> None:
    assert letter_pairs("ab cd") == {"ab": 1, "cd": 1}


def test_an_empty_collection_is_like_nothing() -> None:
    assert similarity("any text", []) == 0.0


def test_similarity_is_the_mean_without_stop_words() -> None:
    assert similarity("The FRANCE", ["the french", "and france"]) == pytest.approx((0.4 + 1) / 2)


@given(texts, texts)
def test_similarities_are_symmetric_and_within_bounds(one: str, other: str) -> None:
    for measure in (strike_a_match, cosine):
        value = measure(one, other)
        assert value == measure(other, one)
        assert 0.0 <= value <= 1.0


@given(texts)
def test_a_text_is_like_itself(text: str) -> None:
    assert cosine(text, text) == pytest.approx(1.0 if telling_words(text) else 0.0)
    assert strike_a_match(text, text) == (1.0 if letter_pairs(text.lower()) else 0.0)


def test_cosine_by_hand() -> None:
    """Both words weigh ln(100 / 1): vectors (1, 1) and (1 + ln 2, 0), so 1 / √2."""
    assert cosine("zebra quagga", "zebra zebra") == pytest.approx(1 / math.sqrt(2))


def test_a_corpus_starts_with_frequent_words_and_learns() -> None:
    corpus = Corpus()
    assert corpus.weight_of("quagga") == pytest.approx(math.log(100 / 1))
    assert corpus.weight_of("known") == pytest.approx(math.log(100 / 31))
    for _ in range(50):
        corpus.learn(["quagga"])
    assert corpus.weight_of("quagga") == pytest.approx(math.log(150 / 51))
    for nothing in (math.nan, math.inf, -1.0, 0.0):
        corpus.learn(["quagga"], nothing)
    assert corpus.documents == 150


def test_words_of_any_script() -> None:
    assert words_of("L'été: C-3PO, 東京都") == ["l", "été", "c", "3po", "東京", "京都"]
    assert telling_words("the house and the garden", "en") == {"house": 1, "garden": 1}
    assert telling_words("das Haus und der Garten", "de") == {"haus": 1, "garten": 1}
    assert stop_words("xx") == frozenset()
    assert telling_words("the house", "xx") == {"the": 1, "house": 1}
    assert {"und", "nicht"} <= stop_words("de")
    assert {"and", "doesn", "t"} <= stop_words("en")


def test_cues_fit_into_20_bits() -> None:
    numbers = {cue_id(space, word) for space in range(8) for word in ("a", "b", "語", "\udc80")}
    assert len(numbers) == 32
    assert all(0 <= number < 2**20 for number in numbers)
    assert {number >> 17 for number in numbers} == set(range(8))
