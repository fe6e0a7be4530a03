"""Reads pages in worker processes: parse, recognise feeds, evaluate rules, judge links."""

import asyncio
import hashlib
import logging
from collections import Counter
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import TracebackType
from typing import Literal, Self

from graphcrawl import tracking
from graphcrawl.collector import collect_rarely
from graphcrawl.echoes import likeness
from graphcrawl.errors import GraphcrawlError, ReadError
from graphcrawl.models import Fetched, Link, Page, Reason
from graphcrawl.processes import Spawned
from graphcrawl.robots_rules import AGENT
from graphcrawl.scoring.reward import MAX_VISIBLE_CHARS, Rules
from graphcrawl.scoring.topic import Topic, keyword_worth
from graphcrawl.scoring.worth import quality_of
from graphcrawl.tracking import TRACKING
from graphcrawl.urls import Scope, host_key

PAGE_TIMEOUT_S = 30.0
MAX_MAIN_TEXT_CHARS = 2 * 2**20  # extraction takes seconds a MiB; of more, all visible text is kept
PAGES_PER_READER = 3  # in flight: one is read, the others travel

logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # a page without main text is no error

TextMode = Literal["useful", "all", "none"]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What readers need to know; pickled once for each of them."""

    rules: Rules
    scope: Scope
    text: TextMode = "useful"  # whose main text is kept
    max_links: int = 5000  # distinct targets a page
    nofollow: Literal["lower", "skip"] = "lower"  # links that their page does not vouch for
    tracking: tuple[str, ...] = TRACKING  # parameters that name no page
    agent: str = AGENT  # product token to which wishes may be addressed, in lower case
    cues: bool = False  # whether links shall have their cues, which an order may go by
    topic: Topic | None = None  # what pages should be about; each reader learns with its own
    languages: tuple[str, ...] = ()  # wanted ones, by which quality is told; none: any
    keywords: tuple[tuple[str, float], ...] = ()  # words that speak for a page, and their weights


def read_page(fetched: Fetched, depth: int, options: ReadOptions) -> Page:
    """Make a page of a body: its links, what it earns and, where it is wanted, its main text.

    Links that the scope keeps out stay links, so that the graph is whole, but are listed in
    `excluded`; those whose URL is too long for the graph, and those beyond `max_links`, are only
    counted. What the page's owner wishes is obeyed: links of a `nofollow` page are only counted;
    where the text is not to be kept it is not, nor are jobs that a `noindex` page states (a job
    feed is made to be read by programs: there the wish concerns the page itself).

    Args:
        fetched: The body and where it came from.
        depth: Links between a seed and this page; its own links are one further.
        options: Rules, scope and limits.
    """
    from graphcrawl.jobs.pages import read_jobs  # noqa: PLC0415 - parsers load in the readers only
    from graphcrawl.parse import is_vouched, parse  # noqa: PLC0415
    from graphcrawl.scoring.reward import Evidence, evaluate  # noqa: PLC0415

    topic = options.topic
    document = parse(
        fetched,
        options.max_links,
        options.agent,
        cues=options.cues,
        hint=topic.hint if topic else None,
    )
    jobs = read_jobs(document, fetched)
    wishes = document.wishes
    evidence = Evidence.of(document if wishes.follow else replace(document, targets=""), jobs.types)
    shown = document.text
    if document.needs_script:  # "Loading …" is not what the page is about
        shown = ""
        evidence = replace(evidence, text="")
    found = evaluate(evidence, options.rules)
    followed = document.links if wishes.follow else ()
    if options.nofollow == "skip":
        followed = tuple(link for link in followed if is_vouched(link.rel))
    named = canonical_link(document.canonical, followed)
    links = (*followed, named) if named else followed
    verdicts = [
        (link, options.scope.verdict(link.url, depth + (link is not named))) for link in links
    ]
    refused = Counter({Reason.TOO_MANY.value: document.links_over_limit})
    refused[Reason.TOO_LONG.value] = sum(why is Reason.TOO_LONG for _, why in verdicts)
    refused[Reason.NOFOLLOW.value] = len(document.links) - len(followed)
    text = visible = None
    keeps_text = not wishes.all or wishes.keeps_text(datetime.now(UTC))
    if keeps_text and (options.text == "all" or (options.text == "useful" and found.grants)):
        text = main_text(document.markup) if document.kind == "html" else ""
        text = "" if document.needs_script else text or shown
        visible = shown[:MAX_VISIBLE_CHARS]
    page = Page(
        title=jobs.feed.title if jobs.feed else document.title,  # not that of its first job
        language=document.language,
        text=text,
        visible=visible,
        links=tuple(link for link, why in verdicts if why is not Reason.TOO_LONG),
        refused=dict(+refused),
        grants=found.grants,
        feed=jobs.feed,
        digest=fetched.digest or hashlib.blake2b(fetched.body, digest_size=16).hexdigest(),
        charset=document.charset,
        unsupported=document.kind in ("text", "none"),
        excluded=tuple(
            (link.url, why) for link, why in verdicts if why and why is not Reason.TOO_LONG
        ),
        slow_rules=found.slow_rules,
        refresh=document.refresh,
        needs_script=document.needs_script,
        postings=jobs.postings if wishes.index or jobs.feed else (),
        reading=jobs.reading,
        types=jobs.types,
        wishes=wishes.all,
        reserved=wishes.reserved,
        text_refused=not keeps_text,
        unavailable_after=wishes.unavailable_after,
        canonical=document.canonical,
        likeness=likeness(fetched.url, document.title, shown, (link.url for link in links))
        if document.kind == "html" and not document.needs_script
        else "",
        topic=topic.read(f"{document.title}\n{shown}", document.language) if topic else None,
        keywords=keyword_worth(document.title, shown, options.keywords),
    )
    chars = len(shown)
    quality = quality_of(
        page,
        text_chars=chars,
        markup_chars=len(document.markup),
        languages=options.languages,
    )
    return replace(page, quality=quality)


def canonical_link(target: str, links: Sequence[Link]) -> Link | None:
    """Return the link to a page's canonical form where no other link of the page leads there."""
    if not target or any(link.url == target for link in links):
        return None
    return Link(target, host_key(target), rel="canonical", position="head")


def main_text(markup: str) -> str:
    """Return the main text of a page, without its boilerplate; "" where none is found in time."""
    import trafilatura  # noqa: PLC0415 - slow to import, and not always needed

    if len(markup) > MAX_MAIN_TEXT_CHARS:
        return ""

    try:
        return trafilatura.extract(markup, fast=True, include_comments=False) or ""
    except Exception:  # whatever a page does to the extractor: main text is a bonus
        return ""


class ReaderPool:
    """Reader processes, each with an executor of its own, so that a death names its suspects.

    Use as an async context manager. Reading more pages at once than the readers can hold waits.
    """

    def __init__(
        self, options: ReadOptions, readers: int = 1, *, page_timeout_s: float = PAGE_TIMEOUT_S
    ) -> None:
        self._options = options
        self._page_timeout_s = page_timeout_s
        self._count = readers
        self._readers: list[_Reader] = []
        self._free: asyncio.Queue[_Reader] = asyncio.Queue()

    @property
    def capacity(self) -> int:
        """How many pages the readers can hold at once."""
        return len(self._readers) * PAGES_PER_READER

    async def __aenter__(self) -> Self:
        self._readers = [_Reader(self._options) for _ in range(self._count)]
        await asyncio.gather(*(reader.ready() for reader in self._readers))
        try:
            await asyncio.gather(*(reader.check() for reader in self._readers))
        except GraphcrawlError:
            for reader in self._readers:
                reader.stop()
            raise
        for reader in self._readers * PAGES_PER_READER:
            self._free.put_nowait(reader)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for reader in self._readers:
            reader.stop()

    async def read(self, fetched: Fetched, depth: int) -> Page:
        """Read one page.

        When a reader dies or hangs, each page it held is tried once more, alone in a process.

        Raises:
            ReadError: The page cannot be read: it kills its reader, takes too long, or is more than
                the parsers can bear.
        """
        reader = await self._free.get()
        try:
            return await reader.read(fetched, depth, self._page_timeout_s)
        except (BrokenProcessPool, TimeoutError):
            pass
        finally:
            self._free.put_nowait(reader)
        alone = _Reader(self._options)
        try:
            return await alone.read(fetched, depth, self._page_timeout_s)
        except BrokenProcessPool as error:
            raise ReadError(f"{fetched.url} kills the process that reads it.") from error
        except TimeoutError as error:
            limit_s = self._page_timeout_s
            raise ReadError(f"{fetched.url} takes longer than {limit_s:g} s to read.") from error
        finally:
            alone.stop()


class _Reader:
    """One process behind an executor; both are replaced when the process dies or hangs."""

    def __init__(self, options: ReadOptions) -> None:
        self._options = options
        self._begin()

    def _begin(self) -> None:
        self._process = Spawned.start(_set_up_reader, self._options)

    async def ready(self) -> None:
        pid = self._process.pid
        if not pid.done():
            await asyncio.shield(asyncio.wrap_future(pid))

    async def check(self) -> None:
        """Load all that reading needs, so that a broken installation is no fault of pages."""
        try:
            await asyncio.wrap_future(self._process.executor.submit(_load_parsers))
        except ImportError as error:
            raise GraphcrawlError(
                f"A parser cannot be loaded: {error}", "pip install --force-reinstall graphcrawl"
            ) from error

    async def read(self, fetched: Fetched, depth: int, timeout_s: float) -> Page:
        process = self._process
        try:
            await self.ready()  # a start does not count
            async with asyncio.timeout(timeout_s):
                return await asyncio.wrap_future(process.executor.submit(_read, fetched, depth))
        except (BrokenProcessPool, TimeoutError):
            if process is self._process:  # the first of its pages to hear of it
                self.stop()
                self._begin()
            raise
        except Exception as error:
            raise ReadError(
                f"{fetched.url} cannot be read: {type(error).__name__}: {error}"
            ) from error

    def stop(self) -> None:
        self._process.stop()


def _load_parsers() -> None:
    assert _options is not None  # noqa: S101 - set by the initializer
    from graphcrawl import parse  # noqa: F401, PLC0415
    from graphcrawl.jobs import pages  # noqa: F401, PLC0415

    if _options.text != "none":
        import trafilatura  # noqa: F401, PLC0415
    collect_rarely()


_options: ReadOptions | None = None  # of this process, when it is a reader


def _set_up_reader(options: ReadOptions) -> None:
    global _options  # noqa: PLW0603 - a worker process has no other place for it
    _options = options
    tracking.use(options.tracking)


def _read(fetched: Fetched, depth: int) -> Page:
    assert _options is not None  # noqa: S101 - set before the first page
    return read_page(fetched, depth, _options)
