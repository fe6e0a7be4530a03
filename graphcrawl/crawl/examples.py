"""The examples of a topic: files, folders and URLs → readers that know it, before a crawl."""

import asyncio
import json
import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from graphcrawl.config import Settings
from graphcrawl.crawl.parts import Fetcher, Robots
from graphcrawl.errors import TopicError
from graphcrawl.fetch import robots_agent
from graphcrawl.graph import Graph
from graphcrawl.last_run import example_names
from graphcrawl.models import Fetched, NotFetched, Redirected
from graphcrawl.readers import ReaderPool, ReadOptions
from graphcrawl.robots import MAX_REDIRECTS
from graphcrawl.scoring.topic import Example, Measure, Topic
from graphcrawl.scoring.words import telling_words
from graphcrawl.urls import canonical, host_key

logger = logging.getLogger(__name__)

MAX_FILES = 1000
MAX_FILE_BYTES = 2 * 2**20  # its beginning tells what a text is about
MAX_EXAMPLE_CHARS = 2**17
MAX_KEPT_CHARS = 2**21  # of all examples together, in the graph
_FILE_BASE = "http://file.invalid/"  # RFC 2606
_HOW = "Name pages or files with text: --topic examples/ --topic https://example.org/page"


@dataclass(frozen=True, slots=True)
class Examples:
    """What a topic is made of, as far as it can be told before anything is fetched."""

    texts: tuple[Example, ...] = ()  # of files
    urls: tuple[str, ...] = ()  # canonical, to be fetched

    @classmethod
    def of(cls, names: Sequence[str]) -> "Examples":
        """Read files and folders, and check URLs.

        Hidden files of a folder are left out, and so is, with a warning, what has no text.

        Raises:
            TopicError: A name is neither a file nor a folder nor a URL, a file cannot be read, or
                there is no text at all.
        """
        texts: list[Example] = []
        urls: list[str] = []
        for name in names:
            if not name.strip():
                raise TopicError("An example of the topic has no name.", _HOW)
            if "://" in name:
                url = canonical(name)
                if url is None:
                    raise TopicError(f"The example {name!r} is no URL of a page.", _HOW)
                urls.append(url)
                continue
            for path in _files(name):
                example = example_of(_as_fetched(path))
                if _has_words(example, str(path)):
                    texts.append(example)
        if names and not texts and not urls:
            raise TopicError(f"The topic is empty: no text in {', '.join(names)[:200]}.", _HOW)
        return cls(tuple(texts), tuple(dict.fromkeys(urls)))


def example_of(fetched: Fetched) -> Example:
    """Return the title and the visible text of a page."""
    from graphcrawl.parse import parse  # noqa: PLC0415 - parsers load where they are needed

    document = parse(fetched)
    text = "" if document.needs_script else f"{document.title}\n{document.text}"
    return Example(text[:MAX_EXAMPLE_CHARS], document.language)


def readers_of(settings: Settings, options: ReadOptions, topic: Topic | None) -> ReaderPool:
    """Return readers that know the topic, the keywords and all else that settings say of reading.

    Args:
        settings: Of the run.
        options: What is not told by them: rules, scope, texts, cues.
        topic: What `topic_of` returned.
    """
    crawl = settings.crawl
    options = replace(
        options,
        nofollow=crawl.nofollow,
        tracking=crawl.tracking,
        agent=robots_agent(crawl.user_agent).lower(),
        topic=topic,
        keywords=tuple(settings.order.keywords.items()),
        languages=settings.quality.languages,
    )
    return ReaderPool(options, crawl.parsers or os.cpu_count() or 1)


async def keep_examples(graph: Graph, settings: Settings, texts: Sequence[Example]) -> None:
    """Keep the texts of a topic in the graph, for those who join: they fetch and read nothing.

    Args:
        graph: The graph that is going to be crawled.
        settings: Which name them.
        texts: As they were read and fetched; of many long ones the beginnings are kept.
    """
    most = MAX_KEPT_CHARS // max(len(texts), 1)
    names = example_names(settings)
    kept = {"names": names, "texts": [(text[:most], language) for text, language in texts]}
    await graph.run("control/keep_examples", examples=json.dumps(kept) if names else None)


async def kept_examples(graph: Graph, settings: Settings) -> Examples | None:
    """Return the examples that a crawl has kept; None: it did not keep those that settings name.

    Args:
        graph: The graph that others crawl.
        settings: Which name examples.
    """
    names = example_names(settings)
    if not names:
        return None
    kept = (await graph.run("control/examples"))[0]["examples"]
    found = json.loads(kept) if kept else {}
    if found.get("names") != names:
        return None
    return Examples(tuple(Example(*one) for one in found["texts"]))


async def topic_of(
    examples: Examples,
    measure: Measure,
    fetcher: Fetcher,
    robots: Robots,
    *,
    delay_s: Callable[[str], float],
    may_ask: Callable[[str], None],
) -> Topic | None:
    """Fetch the examples that are URLs, politely, and make the topic; None: there is none.

    Each is asked for once, one after the other, if its robots.txt allows it; hosts are left alone
    for their delay between two requests and after the last. An example that cannot be had is left
    out with a warning.

    Args:
        examples: What `Examples.of` returned.
        measure: How texts are compared.
        fetcher: Sends the requests.
        robots: Says which may be sent.
        delay_s: How long to wait between two requests to a host, by its key.
        may_ask: Raises where a URL must not be asked for, such as without a contact.

    Raises:
        TopicError: No example has text.
    """
    if not examples.texts and not examples.urls:
        return None
    texts = list(examples.texts)
    failures: list[str] = []
    free_at: dict[str, float] = {}
    for url in examples.urls:
        had = await _fetch(url, fetcher, robots, free_at, delay_s, may_ask)
        if isinstance(had, str):
            failures.append(f"{url}: {had}")
            logger.warning("The example %s cannot be had and is left out: %s.", url, had)
            continue
        example = await asyncio.to_thread(example_of, had)
        if _has_words(example, url):
            texts.append(example)
    await _wait(max(free_at.values(), default=0.0))
    if not texts:
        why = f": {failures[0]}" if failures else ""
        raise TopicError(f"The topic is empty: no example has text{why[:500]}.", _HOW)
    return Topic(texts, measure)


async def _fetch(
    url: str,
    fetcher: Fetcher,
    robots: Robots,
    free_at: dict[str, float],
    delay_s: Callable[[str], float],
    may_ask: Callable[[str], None],
) -> Fetched | str:
    """Fetch a page, over up to five redirects; else say why not."""
    for _ in range(MAX_REDIRECTS + 1):
        may_ask(url)
        host = host_key(url)
        await _wait(free_at.get(host, 0.0))
        verdict = await robots.check(url)
        rest_s = max(delay_s(host), verdict.crawl_delay_s or 0.0)
        if verdict.asked:
            await asyncio.sleep(rest_s)
        if not verdict.allowed:
            return f"robots.txt: {verdict.detail}" if verdict.detail else "robots.txt forbids it"
        outcome = await fetcher.get(url)
        free_at[host] = time.monotonic() + rest_s
        match outcome:
            case Fetched():
                return outcome
            case Redirected(target=target) if target:
                url = target
            case Redirected(raw=raw):
                return f"it redirects to {raw[:200]!r}"
            case NotFetched(reason=reason, detail=detail):
                return f"{reason}: {detail}"
    return f"more than {MAX_REDIRECTS} redirects"


async def _wait(until: float) -> None:
    if (wait_s := until - time.monotonic()) > 0:
        await asyncio.sleep(wait_s)


def _files(name: str) -> Iterator[Path]:
    path = Path(name).expanduser()
    if path.is_file():
        yield path
        return
    if not path.is_dir():
        raise TopicError(
            f"The example {name!r} is no file and no folder.",
            f"Name one that is there, or write a URL as https://{name.strip('/')[:80]}",
        )
    inside = (
        child
        for child in sorted(path.rglob("*"))
        if not any(part.startswith(".") for part in child.relative_to(path).parts)
    )
    for number, child in enumerate(child for child in inside if child.is_file()):
        if number == MAX_FILES:
            logger.warning("Of the examples in %s the first %d files are read.", name, MAX_FILES)
            return
        yield child


def _as_fetched(path: Path) -> Fetched:
    try:
        with path.open("rb") as file:
            body = file.read(MAX_FILE_BYTES)
    except OSError as error:
        raise TopicError(
            f"Cannot read the example {str(path)!r}: {error.strerror}.", "Check its permissions."
        ) from error
    return Fetched(_FILE_BASE, 200, body, "", "", datetime.now(UTC), 0.0)


def _has_words(example: Example, name: str) -> bool:
    if len(telling_words(*example)) > 1:
        return True
    logger.warning("The example %s has no text to speak of and is left out.", name)
    return False
