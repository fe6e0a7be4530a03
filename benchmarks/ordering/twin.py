"""A recorded web and a task as the twin wants them."""

from collections.abc import Sequence

import numpy as np

from graphcrawl.recorded_web import Found, ReplayLink
from graphcrawl.scoring.worth import GOOD_CHARS
from ordering.web import REDIRECT, Floats, Task, Web

CHARS_OF_WORD = 6.0
POINTS_OF_WORTH = 10.0  # a page that rules grant nothing has these times its worth


def qualities(web: Web, paid: Floats) -> Floats:
    """Return pages' quality by `scoring.worth.quality_of`, as far as a record tells it.

    Density and language of texts are not recorded, and count as not known.

    Args:
        web: Its pages.
        paid: Their worth by rules, 0 to 1.
    """
    length = 1.0 - np.exp(-CHARS_OF_WORD * web.words / GOOD_CHARS)
    has_text = web.words > 0
    found = 0.4 * paid + 0.3 * length + 0.2 * 0.5 * has_text + 0.1 * 0.5 * has_text
    return np.where(web.feed, 0.95, found)


class TaskWeb:
    """What a crawl sees that does a task."""

    def __init__(self, web: Web, task: Task) -> None:
        """Read nothing yet: links are made when their page is fetched."""
        self.web, self.task = web, task
        self._host = web.host.tolist()
        self._first = web.first.tolist()
        self._worth = task.worth.tolist()
        rules = bool(web.points.any() or web.feed.any())
        self._points = (web.points if rules else task.worth * POINTS_OF_WORTH).tolist()
        self._quality = qualities(web, task.worth if rules else np.zeros(len(web))).tolist()
        self._same = task.same.tolist() if web.feed.any() else []
        self._kind = web.kind.tolist()
        self._links: dict[int, list[ReplayLink]] = {}

    def __len__(self) -> int:
        return len(self.web)

    def url(self, page: int) -> str:
        return self.web.urls[page]

    def host(self, page: int) -> str:
        return self.web.hosts[self._host[page]]

    def fetch(self, page: int) -> Found:
        feed = self._same[page] if self._same else -1
        redirects = self._kind[page] == REDIRECT
        return Found(
            self.links(page),
            self._worth[page],
            self._points[page],
            feed,
            redirects,
            self._quality[page],
        )

    def links(self, page: int) -> Sequence[ReplayLink]:
        """Return the links of a page; they are kept, since several orders ask for them."""
        known = self._links.get(page)
        if known is None:
            known = self._links[page] = self._read(page)
        return known

    def _read(self, page: int) -> list[ReplayLink]:
        web = self.web
        start, end = self._first[page], self._first[page + 1]
        cue_first = web.cue_first[start : end + 1].tolist()
        cues = web.cues[cue_first[0] : cue_first[-1]].tolist()
        base = cue_first[0]
        columns = (
            web.targets[start:end].tolist(),
            web.weight[start:end].tolist(),
            web.feed_hint[start:end].tolist(),
            self.task.topic_hint[start:end].tolist(),
            cue_first[:-1],
            cue_first[1:],
        )
        return [
            ReplayLink(target, weight, hint, topic, tuple(cues[a - base : b - base]))
            for target, weight, hint, topic, a, b in zip(*columns, strict=True)
        ]
