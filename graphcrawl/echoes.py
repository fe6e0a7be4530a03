"""Endless webs of one page: a calendar without events, a login that carries where one came from.

Such pages say the same and lead to the same, but for links to themselves with another query, or to
below themselves. The first few are crawled; what only the later ones lead to does not wait.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import replace

from graphcrawl.models import Page, Reason
from graphcrawl.urls import host_key

COPIES = 8  # of a page that may lead on; people who turn pages of pictures see fewer in a row
_KNOWN = 100_000  # pages of a run that are remembered


def likeness(url: str, title: str, text: str, targets: Iterable[str]) -> str:
    """Return a hash that two pages share where only links to themselves set them apart.

    Args:
        url: The page's canonical URL.
        title: Of the page.
        text: All that is visible; "" with an empty title: nobody can tell, and neither does this.
        targets: Canonical URLs that it links to.
    """
    if not (title or text):
        return ""
    own = url.partition("?")[0]
    folder = own.rpartition("/")[0] + "/"
    places = {
        target.removeprefix(folder) if target.startswith(folder) else target
        for target in targets
        if target.partition("?")[0] != own
    }
    said = "\0".join((host_key(url), title, text, *sorted(places)))
    return hashlib.blake2b(said.encode("utf-8", "replace"), digest_size=8).hexdigest()


class Echoes:
    """Counts the copies of each page in one run."""

    def __init__(self) -> None:
        """Begin with none."""
        self._seen: OrderedDict[str, int] = OrderedDict()

    def judge(self, page: Page) -> Page:
        """Return the page; of one that came too often, no new link waits.

        What waits already, or was fetched, stays what it is.
        """
        if not page.likeness:
            return page
        seen = self._seen[page.likeness] = self._seen.get(page.likeness, 0) + 1
        self._seen.move_to_end(page.likeness)
        if len(self._seen) > _KNOWN:
            self._seen.popitem(last=False)
        if seen <= COPIES:
            return page
        known = {url for url, _ in page.excluded}
        trapped = ((link.url, Reason.TRAP) for link in page.links if link.url not in known)
        return replace(page, excluded=(*page.excluded, *trapped))
