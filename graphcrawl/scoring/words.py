"""Words of texts, words that say nothing, and the numbers that stand for words."""

import functools
import hashlib
import re
import zlib
from collections import Counter
from importlib.resources import files

CUE_BITS = 17
_CUE_MASK = (1 << CUE_BITS) - 1
MAX_WORD_CHARS = 40  # longer ones are keys, hashes and data, not words
MAX_TEXT_CHARS = 2**18  # what a text is about shows in its first quarter of a million characters

_ASCII_WORD = re.compile(r"[a-z0-9]+")
_WORD = re.compile(r"[^\W_]+(?:[\u0300-\u036f\u0900-\u0dff]+[^\W_]*)*")
# Scripts written without spaces: Thai to Lao, Burmese, Khmer, kana, ideographs.
_SPACELESS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, in their order.

    Of scripts that are written without spaces each two neighbouring letters are a word. Of a text
    of more than 2^18 characters its beginning is read.
    """
    lowered = text[:MAX_TEXT_CHARS].lower()
    if lowered.isascii():
        return _ASCII_WORD.findall(lowered)
    words: list[str] = _WORD.findall(lowered)
    if _SPACELESS.search(lowered) is None:
        return words
    return [piece for word in words for piece in _pieces(word)]


def _pieces(word: str) -> list[str]:
    pieces: list[str] = []
    at = 0
    for run in _SPACELESS.finditer(word):
        if at < run.start():
            pieces.append(word[at : run.start()])
        signs = run[0]
        pieces += [signs[n : n + 2] for n in range(max(1, len(signs) - 1))]
        at = run.end()
    if at < len(word):
        pieces.append(word[at:])
    return pieces


def telling_words(text: str, language: str = "") -> Counter[str]:
    """Count the words of a text, without stop words, single letters and what is too long.

    Args:
        text: Any text.
        language: Its ISO 639-1 code; of an unknown one, stop words of English are left out, which
            hardly any other language has as words of its own.
    """
    counts = Counter(words_of(text))
    for word in stop_words(language or "en") & counts.keys():
        del counts[word]
    for word in [w for w in counts if len(w) < 2 or len(w) > MAX_WORD_CHARS]:
        if not _SPACELESS.match(word):
            del counts[word]
    return counts


@functools.cache
def stop_words(language: str) -> frozenset[str]:
    """Return the stop words of a language, by its ISO 639-1 code; none where it has no list.

    A word with an apostrophe counts by its parts too, since that is how texts are split.
    """
    listed = _lists().get({"nb": "no", "nn": "no"}.get(language, language), ())
    return frozenset(part for word in listed for part in (word, *words_of(word)))


@functools.cache
def _lists() -> dict[str, list[str]]:
    text = (files("graphcrawl.scoring") / "stop_words.txt").read_text("utf-8")
    lines = (line.split() for line in text.splitlines() if not line.startswith("#"))
    return {language: words for language, *words in lines}


_LISTED = {  # jusText's names of languages
    "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "da": "Danish",
    "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian",
    "fa": "Persian", "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi",
    "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian", "it": "Italian", "ko": "Korean",
    "lt": "Lithuanian", "lv": "Latvian", "nb": "Norwegian_Bokmal", "nl": "Dutch",
    "no": "Norwegian_Bokmal", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian",
    "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sr": "Serbian", "sv": "Swedish",
    "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese",
}  # fmt: skip


@functools.cache
def frequent_words(language: str) -> frozenset[str]:
    """Return the few hundred most frequent words of a language; none where it has no list.

    Source: the lists of jusText (BSD license), counted on Wikipedia; trafilatura brings it along.
    """
    import justext  # noqa: PLC0415 - only topics need it

    name = _LISTED.get(language)
    listed = justext.get_stoplist(name) if name else ()
    return frozenset(part for word in listed for part in words_of(word))


@functools.lru_cache(maxsize=2**16)
def cue_id(namespace: int, word: str) -> int:
    """Return the number that stands for a word in one of the namespaces 0 to 7: below 2^20."""
    digest = hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=4).digest()
    return namespace << CUE_BITS | int.from_bytes(digest, "big") & _CUE_MASK


def slot_of(word: str, slots: int) -> int:
    """Return the slot of a table that a word is counted in; `slots` is a power of two."""
    return zlib.crc32(word.encode("utf-8", "replace")) & (slots - 1)
