"""Measures how fast pages are compared with the examples of a topic, on one core.

    python benchmarks/similarity.py --json

Makes texts of a vocabulary whose words are as unevenly frequent as those of a language, takes ten
as examples and reads the others as a crawl's reader does: words counted, compared, learned from.
Prints pages a second by cosine and by Strike a Match. The aim: at least 2,000 pages of 3 kB.
"""

import argparse
import json
import platform
import random
import time

from graphcrawl.scoring.topic import Example, Measure, Topic

VOCABULARY = 20_000
EXAMPLES = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--bytes", type=int, default=3000, help="of a page's text")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print nothing but the JSON line")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    texts = make_texts(draw, options.pages + EXAMPLES, options.bytes)
    result: dict[str, object] = {
        "pages": options.pages,
        "bytes": options.bytes,
        "examples": EXAMPLES,
        "pages_per_s": round(rate(texts, "cosine")),
        "dice_pages_per_s": round(rate(texts, "dice")),
        "python": platform.python_version(),
    }
    if not options.json:
        print(f"{options.pages:,} pages of {options.bytes:,} bytes, {EXAMPLES} examples")
    print(json.dumps(result))


def make_texts(draw: random.Random, count: int, size: int) -> list[str]:
    letters = "etaoinshrdlucmfwypvbgkqjxz"
    weights = [1 / (rank + 2) for rank in range(len(letters))]
    words = [
        "".join(draw.choices(letters, weights, k=min(14, 2 + rank.bit_length() // 2 + rank % 5)))
        for rank in range(VOCABULARY)
    ]
    frequency = [1 / (rank + 3) for rank in range(VOCABULARY)]  # Zipf's law
    pool = draw.choices(words, frequency, k=max(200_000, size))
    texts = []
    for _ in range(count):
        at = draw.randrange(len(pool))
        text = " ".join((pool[at:] + pool[:at])[: size // 3])
        texts.append(text[:size])
    return texts


def rate(texts: list[str], measure: Measure) -> float:
    """Return pages a second of one core, by the time that this process had."""
    topic = Topic([Example(text) for text in texts[:EXAMPLES]], measure)
    start = time.process_time()
    for text in texts[EXAMPLES:]:
        topic.read(text)
    return (len(texts) - EXAMPLES) / (time.process_time() - start)


if __name__ == "__main__":
    main()
