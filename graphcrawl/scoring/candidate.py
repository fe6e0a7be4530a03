"""What is known of a page that waits to be fetched: all that may speak for it or against it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Candidate:
    """A waiting page. Worths are 0 to 1; a parent is a fetched page that links to it."""

    url: str  # canonical
    host: str  # host key
    depth: int = 0  # links from a seed
    number: int = 0  # it was the so-manieth that was discovered in its graph
    in_links: int = 0  # axons that lead to it
    parent_best: float = 0.0  # worth of its best parent
    parent_sum: float = 0.0  # of the worths of all its parents
    parent_count: int = 0
    reward: float = 0.0  # by propagation, points
    strength: float = 0.0  # weights of its axons, both directions
    cash: float = 0.0  # what OPIC would have handed it by now
    feed_hint: float = 0.0  # 0…1: how much links to it look like links to an XML job feed
    topic_hint: float = 0.0  # 0…1: the greatest similarity of a link's words to the topic
    cues: tuple[int, ...] = ()  # hashed words of and around its links, and their places
