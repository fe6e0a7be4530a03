"""A user's own functions in a crawl: what a page earns, and what to do with it once it is recorded.

They run in the crawl's own process and event loop, so that they need not pickle and a notebook can
define them. They stand around two parts of the loop: readers, whose pages they judge, and the
frontier, whose records they hear of.
"""

import inspect
import math
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, cast

from graphcrawl.crawl.loop import Crawl
from graphcrawl.crawl.parts import Readers
from graphcrawl.errors import UsageError
from graphcrawl.frontier import Frontier
from graphcrawl.models import Fetched, Grant, HostUpdate, JobFeed, Link, Outcome, Page
from graphcrawl.readers import TextMode
from graphcrawl.recorded import RecordReport

PLACE = "function"  # where grants of a user's function are found
_SLUG = re.compile(r"[^\w.+#-]+")


@dataclass(frozen=True, slots=True)
class Visit:
    """A page that was fetched, as a function of yours sees it."""

    url: str
    status: int
    depth: int  # links from a seed
    fetched_at: datetime  # UTC
    content_type: str  # media type, lower case
    title: str
    language: str  # primary subtag, such as "de"; "" where none is declared
    text: str  # main text, without boilerplate; "" with the setting text = "none"
    links: tuple[Link, ...]
    grants: tuple[Grant, ...]  # what it earns; for `evaluate`: by the rules
    feed: JobFeed | None  # if it is a job feed
    charset: str
    body: bytes = field(repr=False)  # content encoding undone; of a feed over 2 MiB the first MiB

    @property
    def html(self) -> str:
        """The body as text."""
        return self.body.decode(self.charset or "utf-8", errors="replace")

    @property
    def reward(self) -> float:
        """Points of all grants."""
        return sum(grant.points for grant in self.grants)


Earned = float | Mapping[str, float] | Iterable[Grant] | None
Evaluate = Callable[[Visit], Earned | Awaitable[Earned]]
OnPage = Callable[[Visit], object]
OnRecord = Callable[[Sequence[Outcome], RecordReport], object]


class Hooks:
    """Calls a user's functions. The first error in one of them ends the crawl, in good order."""

    def __init__(
        self,
        evaluate: Evaluate | None = None,
        on_page: OnPage | None = None,
        on_record: OnRecord | None = None,
    ) -> None:
        """Keep the functions; either may be a coroutine function.

        Args:
            evaluate: Says what a page earns, in place of the rules: points, points by name, or
                grants, such as the page's own `grants`; `None` is nothing.
            on_page: Called with each page once it is in the graph.
            on_record: Called with each batch that was recorded, and the report of it.
        """
        self.failure: Exception | None = None
        self._evaluate, self._on_page, self._on_record = evaluate, on_page, on_record
        self._crawl: Crawl | None = None
        self._visits: dict[str, Visit] = {}  # read and not yet recorded, by URL
        self._keep: TextMode = "useful"

    def begin(self, crawl: Crawl) -> None:
        """Take the crawl that is to stop when a function fails."""
        self._crawl = crawl

    @property
    def judges(self) -> bool:
        """Whether `evaluate` says what pages earn, which no other worker can know."""
        return self._evaluate is not None

    @property
    def _looks(self) -> bool:
        """Whether a function sees pages before they are recorded."""
        return self._evaluate is not None or self._on_page is not None

    def text_mode(self, wanted: TextMode) -> TextMode:
        """Return whose text the readers shall extract; functions see that of all pages."""
        self._keep = wanted
        return "all" if self._looks and wanted != "none" else wanted

    def readers(self, inner: Readers) -> Readers:
        """Return readers whose pages are judged by `evaluate`."""
        return _JudgingReaders(inner, self)

    def frontier(self, inner: Frontier) -> Frontier:
        """Return a frontier that tells `on_page` of what it has recorded."""
        return cast("Frontier", _ToldFrontier(inner, self))

    async def judge(self, fetched: Fetched, depth: int, page: Page) -> Page:
        """Let `evaluate` say what the page earns; keep what `on_page` will be told of it."""
        if page.unsupported or not self._looks:
            return page
        visit = _visit(fetched, depth, page)
        if self._evaluate is not None and self.failure is None:
            try:
                earned = self._evaluate(visit)
                if inspect.isawaitable(earned):
                    earned = await earned
                visit = replace(visit, grants=grants_of(earned, _name_of(self._evaluate)))
            except Exception as error:  # what a user's function may raise is not known
                self._fail(error)
        if self._on_page is not None:
            self._visits[fetched.url] = visit
        is_kept = self._keep == "all" or (self._keep == "useful" and visit.grants)
        return replace(page, grants=visit.grants, text=page.text if is_kept else None)

    async def tell(self, outcomes: Sequence[Outcome], report: RecordReport) -> None:
        """Call `on_record` with a recorded batch, and `on_page` with its pages."""
        if self._on_record is not None and self.failure is None:
            try:
                self._on_record(outcomes, report)
            except Exception as error:  # as in `judge`
                self._fail(error)
        lost = {*report.refused, *report.unrecordable}
        for outcome in outcomes:
            url = outcome.claim.url
            visit = self._visits.pop(url, None)
            if visit is None or url in lost or self._on_page is None or self.failure is not None:
                continue
            try:
                result = self._on_page(visit)
                if inspect.isawaitable(result):
                    await result
            except Exception as error:  # as above
                self._fail(error)

    def _fail(self, error: Exception) -> None:
        self.failure = self.failure or error
        if self._crawl is not None:
            self._crawl.stop("error")


class _JudgingReaders:
    def __init__(self, inner: Readers, hooks: Hooks) -> None:
        self._inner, self._hooks = inner, hooks

    @property
    def capacity(self) -> int:
        return self._inner.capacity

    async def read(self, fetched: Fetched, depth: int) -> Page:
        return await self._hooks.judge(fetched, depth, await self._inner.read(fetched, depth))


class _ToldFrontier:
    def __init__(self, inner: Frontier, hooks: Hooks) -> None:
        self._inner, self._hooks = inner, hooks

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def record(
        self, outcomes: Sequence[Outcome], hosts: Sequence[HostUpdate] = ()
    ) -> RecordReport:
        report = await self._inner.record(outcomes, hosts)
        await self._hooks.tell(outcomes, report)
        return report


def grants_of(earned: Earned, name: str) -> tuple[Grant, ...]:
    """Turn what an `evaluate` function returned into grants.

    Args:
        earned: Points, points by name, grants, or `None`.
        name: Of the function; the rule's name where only points are given.

    Raises:
        UsageError: It is something else, or its points are no finite number from 0 up.
    """
    match earned:
        case None:
            found: list[Any] = []
        case bool() | int() | float():
            found = [Grant(name, float(earned), PLACE)]
        case Mapping():
            found = [Grant(_slug(str(key)), points, PLACE) for key, points in earned.items()]
        case str() | bytes():
            found = [earned]
        case _:
            found = list(earned) if isinstance(earned, Iterable) else [earned]
    for grant in found:
        points = grant.points if isinstance(grant, Grant) else None
        is_number = isinstance(points, int | float) and math.isfinite(points) and points >= 0
        if not is_number:
            raise UsageError(
                f"evaluate returned {earned!r:.80}, which is no reward.",
                "Return points from 0 up, a dict of names and points, page.grants, or None.",
            )
    return tuple(replace(g, points=float(g.points)) for g in found if g.points)


def _name_of(function: Evaluate) -> str:
    name = getattr(function, "__name__", "")
    return _slug(name if name.isidentifier() else "evaluate")


def _slug(name: str) -> str:
    return _SLUG.sub("-", name).strip("-") or "evaluate"


def _visit(fetched: Fetched, depth: int, page: Page) -> Visit:
    return Visit(
        url=fetched.url,
        status=fetched.status,
        depth=depth,
        fetched_at=fetched.fetched_at,
        content_type=fetched.content_type,
        title=page.title,
        language=page.language,
        text=page.text or "",
        links=page.links,
        grants=page.grants,
        feed=page.feed,
        charset=page.charset,
        body=fetched.body,
    )
