"""What fetched pages have taught, and what it says of a waiting one: each piece of evidence."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from graphcrawl.scoring.candidate import Candidate
from graphcrawl.scoring.evidence import LINEAGE, Address, Means, token_ids
from graphcrawl.scoring.features import ANCHOR, AROUND
from graphcrawl.scoring.pieces import NAMES
from graphcrawl.scoring.ridge import Ridge
from graphcrawl.scoring.statistics import Vectors
from graphcrawl.scoring.words import cue_id, words_of

MANY_IN_LINKS = math.log1p(1000)
MAX_REWARD = 1e12
MAX_PATH_DEPTH = 10  # [004.composite]
_TO_KNOW = 2.0  # pages after which a host is half known
_HOST_TRUST, _DIRECTORY_TRUST, _TOKEN_TRUST, _CUE_TRUST = 4.0, 2.0, 2.0, 2.0

Keywords = list[tuple[list[tuple[int, ...]], float]]  # ids of each word; weight of all


@dataclass(slots=True)
class Lesson:
    """A page that was learned from, for what is found by it later."""

    values: list[float]
    places: tuple[int, ...]
    cues: tuple[int, ...]
    parent: int | None  # lineage cue of the page it was found on
    target: float  # its worth, or the share that it has in the worth of what is found by it
    reward: float  # by degree

    @classmethod
    def of(
        cls, candidate: Candidate, address: Address, values: list[float], worth: float
    ) -> "Lesson":
        """Return what a page taught."""
        parent = next((cue for cue in candidate.cues if cue >> 17 == LINEAGE), None)
        places = (address.host, *address.directories, *address.tokens)
        return cls(values, places, candidate.cues, parent, worth, reward_by_degree(candidate))


class Records:
    """All that is counted; sums, so that those of several workers add up."""

    __slots__ = ("cues", "places", "reward_sum", "ridge", "worth_sum")

    def __init__(self) -> None:
        self.ridge = Ridge(len(NAMES))
        self.places = Means()  # hosts, directories, URL tokens
        self.cues = Means()
        self.worth_sum = 0.0
        self.reward_sum = 0.0  # of reward by degree

    def learn(self, lesson: Lesson) -> None:
        """Count a fetched page."""
        self.ridge.learn(lesson.values, lesson.target)
        self.places.learn(lesson.places, lesson.target)
        self.cues.learn(lesson.cues, lesson.target)
        self.worth_sum += lesson.target
        self.reward_sum += lesson.reward

    def correct(self, lesson: Lesson, more: float) -> None:
        """Let a page that was counted be worth more."""
        self.ridge.correct(lesson.values, more)
        self.places.correct(lesson.places, more)
        self.cues.correct(lesson.cues, more)
        self.worth_sum += more

    def add(self, other: "Records") -> None:
        """Add what another worker counted."""
        self.ridge.add(other.ridge)
        self.places.add(other.places)
        self.cues.add(other.cues)
        self.worth_sum += other.worth_sum
        self.reward_sum += other.reward_sum

    def vectors(self) -> Vectors:
        """Return all as named vectors."""
        sums = [self.worth_sum, self.reward_sum, *self.ridge.sums()]
        return {
            "sums": dict(enumerate(sums)),
            "place pages": {key: row[0] for key, row in self.places.table.items()},
            "place worths": {key: row[1] for key, row in self.places.table.items()},
            "cue pages": {key: row[0] for key, row in self.cues.table.items()},
            "cue worths": {key: row[1] for key, row in self.cues.table.items()},
        }

    @classmethod
    def of_vectors(cls, vectors: Vectors) -> "Records":
        """Return what `vectors` gave."""
        found = cls()
        sums = vectors.get("sums", {})
        size = len(found.ridge.sums())
        found.ridge = Ridge.of_sums(len(NAMES), [sums.get(2 + i, 0.0) for i in range(size)])
        found.ridge.lessons = max(found.ridge.lessons, 0.0)
        found.worth_sum = min(max(sums.get(0, 0.0), 0.0), found.ridge.lessons)
        found.reward_sum = max(sums.get(1, 0.0), 0.0)
        for means, name in ((found.places, "place"), (found.cues, "cue")):
            worths = vectors.get(f"{name} worths", {})
            for key, pages in vectors.get(f"{name} pages", {}).items():
                if pages > 0:
                    means.table[key] = [pages, worths.get(key, 0.0)]
        return found

    def evidence(
        self,
        candidate: Candidate,
        address: Address,
        foretold: float,
        quality: float,
        keywords: Keywords,
        newest: int,
    ) -> list[float]:
        """Return the value of each piece of evidence for a page, in the order of `NAMES`.

        Args:
            candidate: The page.
            address: What its URL shares with others.
            foretold: Worth that words, places and parents foretell, 0 to 1.
            quality: That is foretold, 0 to 1.
            keywords: What `keyword_shares` made of them.
            newest: Number of the page that was discovered last.
        """
        lessons = self.ridge.lessons
        mean = (self.worth_sum + 0.05) / (lessons + 1.0)
        places = self.places
        host = directory = places.mean(address.host, mean, _HOST_TRUST)
        seen_of_host = places.pages(address.host)
        for key in address.directories:
            directory = places.mean(key, directory, _DIRECTORY_TRUST)
        tokens = places.means(address.tokens, mean, _TOKEN_TRUST)
        best, sums, seen = mean, [0.0] * 8, [0] * 8
        start, table = _CUE_TRUST * mean, self.cues.table
        for cue, row in zip(candidate.cues, map(table.get, candidate.cues), strict=True):
            if row is not None:
                value = (row[1] + start) / (row[0] + _CUE_TRUST)
                kind = (cue >> 17) & 7
                sums[kind] += value
                seen[kind] += 1
                if kind == 0 and (value > best or seen[0] == 1):
                    best = value
        reward = reward_by_degree(candidate)
        usual = (self.reward_sum + 1.0) / (lessons + 1.0)
        parents = max(candidate.parent_count, 0)
        return [
            1.0,
            _share(candidate.parent_best),
            _share((candidate.parent_sum + mean) / (parents + 1.0)),
            reward / (reward + usual),
            _share(candidate.topic_hint),
            _share(candidate.feed_hint),
            _share(foretold),
            _share(quality),
            _keyword_value(candidate, address, keywords) if keywords else 0.0,
            host,
            _TO_KNOW / (_TO_KNOW + seen_of_host),
            directory,
            max(tokens) if tokens else mean,
            sum(tokens) / len(tokens) if tokens else mean,
            best,
            sums[0] / seen[0] if seen[0] else mean,
            sums[1] / seen[1] if seen[1] else mean,
            sums[2] / seen[2] if seen[2] else mean,
            sums[3] / seen[3] if seen[3] else mean,
            sums[7] / seen[7] if seen[7] else mean,
            min(math.log1p(max(candidate.in_links, 0)) / MANY_IN_LINKS, 1.0),
            1.0 - min(address.path_depth, MAX_PATH_DEPTH) / MAX_PATH_DEPTH,
            1.0 / (1.0 + max(candidate.depth, 0)),
            min(max(candidate.number, 0) / newest, 1.0),
        ]


def keyword_shares(keywords: Mapping[str, float]) -> Keywords:
    """Return for each keyword, by which ids each of its words is known, and its weight.

    A word is known in the singular and the plural by -s. The greatest weight becomes 1.
    """
    greatest = max(map(abs, keywords.values()), default=0.0) or 1.0
    shares = []
    for keyword, weight in keywords.items():
        words = [
            tuple(
                key
                for form in dict.fromkeys((word, f"{word}s", word.removesuffix("s") or word))
                for key in (*token_ids(form), cue_id(ANCHOR, form), cue_id(AROUND, form))
            )
            for word in words_of(keyword)
        ]
        if words:
            shares.append((words, weight / greatest))
    return shares


def _keyword_value(candidate: Candidate, address: Address, keywords: Keywords) -> float:
    """Return ½ for one keyword of the greatest weight, ¾ for two, and so on; below 0 alike."""
    known = {*address.tokens, *candidate.cues}
    found = sum(
        share for words, share in keywords if not any(known.isdisjoint(ids) for ids in words)
    )
    return math.copysign(1.0 - 0.5 ** abs(found), found)


def reward_by_degree(candidate: Candidate) -> float:
    """Return reward by degree: raw reward pools on hubs."""
    reward = candidate.reward
    degree = candidate.strength if candidate.strength > 1.0 else 1.0  # NaN compares as false
    return reward / degree if 0.0 < reward < MAX_REWARD else 0.0


def _share(value: float) -> float:
    """Return a value as a number from 0 to 1; what is none counts as 0."""
    return min(value, 1.0) if value > 0.0 else 0.0  # NaN compares as false
