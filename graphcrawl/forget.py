"""Deletion on request: removes a page or a whole host from the graph and its archives.

Only a hash stays, by which it is never crawled again, and a receipt that says what was done and
names nothing. What other pages say of it in their own text stays theirs.
"""

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from graphcrawl import __version__, names
from graphcrawl.config import Paths
from graphcrawl.errors import GraphcrawlError, UsageError
from graphcrawl.fold_rows import GraphStore
from graphcrawl.folding import fold
from graphcrawl.forgotten import name_key, url_key
from graphcrawl.graph import Graph, Row, Transaction
from graphcrawl.names import bare_name, is_below, is_many, read_host
from graphcrawl.rewards import archive as archives
from graphcrawl.uncancelled import uncancelled
from graphcrawl.urls import canonical, host_key, origin

PAGES_AT_ONCE = 200
SAMPLE = 20
FREED_AFTER_S = 3.0  # the server holds freed records back for a second or two
FILL_ROUNDS = 8  # each leaves 5.6 MB in the log
FILL_NODES = 1000
FILL_CHARS = 2000
_HINT_POINTS = 100.0
_HINT = "graphcrawl forget https://example.org/page, or a whole host: graphcrawl forget example.org"


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be forgotten: one page, or one host with all its pages, or many by their name."""

    url: str | None  # canonical; None: the whole host
    host: str  # host key, or a name for many, see `names`
    hosts: tuple[str, ...] = ()  # that such a name stands for, as far as the graph names them

    @classmethod
    def of(cls, word: str) -> "Target":
        """Read what somebody typed: a word with a scheme is a page, any other a host.

        Raises:
            UsageError: It is neither.
        """
        word = word.strip()
        if "://" not in word and is_many(word):
            return cls(None, read_host(word))
        if "://" in word:
            if (url := canonical(word)) is None:
                raise UsageError(f"{word[:200]!r} is no URL that a crawl could know.", _HINT)
            return cls(url, host_key(url))
        url = canonical(f"https://{word}") if word else None
        if url is None or url != f"https://{host_key(url)}/" or word.endswith("/"):
            raise UsageError(f"{word[:200]!r} is neither a URL nor a host.", _HINT)
        return cls(None, host_key(url))

    @property
    def prefixes(self) -> list[str]:
        """How the URLs of the hosts begin; none where one page is meant."""
        schemes = () if self.url else ("http", "https")
        return [f"{scheme}://{host}/" for host in self.keys_of_hosts for scheme in schemes]

    @property
    def keys_of_hosts(self) -> tuple[str, ...]:
        """The host keys that are meant; none where one page is."""
        if self.url:
            return ()
        return self.hosts if is_many(self.host) else (self.host,)

    @property
    def origins(self) -> list[str]:
        """Keys of the hosts' rules of robots."""
        return [origin(prefix) for prefix in self.prefixes]

    @property
    def key(self) -> str:
        """The hash that is kept."""
        return url_key(self.url) if self.url else name_key(self.host)

    def holds(self, url: object) -> bool:
        """Whether a URL is meant."""
        if not isinstance(url, str):
            return False
        if self.url:
            return url == self.url
        return url.startswith(("http://", "https://")) and names.holds(self.host, host_key(url))


@dataclass(frozen=True, slots=True)
class ForgetReport:
    """What is there to be forgotten, or what was."""

    pages: int
    states: dict[str, int]  # of the pages, by label
    texts: int
    axons: int
    jobs: int
    hosts: int
    origins: int
    archives: int  # Parquet files that hold some of it
    archived: int  # rows of them
    urls: tuple[str, ...]  # a sample
    applied: bool = False
    receipt: str = ""  # where it lies


async def found(graph: Graph, target: Target) -> Target:
    """Return a target that knows the hosts that it stands for: those that the graph names."""
    if target.url or not is_many(target.host):
        return target
    bare, below = bare_name(target.host), is_below(target.host)
    rows = await graph.run("forget/names", bare=bare, below=below)
    return replace(target, hosts=tuple(sorted(row["host"] for row in rows)))


async def look(graph: Graph, target: Target, paths: Paths) -> ForgetReport:
    """Say what `forget` would remove, and change nothing.

    Raises:
        UsageError: An archive of this graph is damaged.
        Neo4jError: The server cannot be reached or refuses.
    """
    target = await found(graph, target)
    states: Counter[str] = Counter()
    sums: Counter[str] = Counter()
    urls: list[str] = []
    async for row in graph.stream("forget/pages", url=target.url, prefixes=target.prefixes):
        sums["pages"] += 1
        states.update(row["state"])
        sums.update({key: row[key] for key in ("texts", "axons")})
        if len(urls) < SAMPLE:
            urls.append(row["url"])
    kept = (await graph.run("forget/hosts", hosts=_hosts(target), origins=target.origins))[0]
    jobs = await graph.run("forget/jobs", url=target.url, prefixes=target.prefixes)
    rows = [_count(path, target) for path in await _archives(graph, paths)]
    return ForgetReport(
        sums["pages"],
        dict(sorted(states.items())),
        sums["texts"],
        sums["axons"],
        len(jobs),
        kept["hosts"],
        kept["origins"],
        sum(n > 0 for n in rows),
        sum(rows),
        tuple(urls),
    )


async def forget(graph: Graph, target: Target, paths: Paths) -> ForgetReport:
    """Remove what `look` lists, and see to it that it never comes back.

    The hash is kept first, so that no crawl that runs meanwhile brings anything back. Cut short, it
    is done again to the end by the same command.

    Raises:
        UsageError: An archive of this graph is damaged.
        GraphcrawlError: An archive or the receipt cannot be written.
        Neo4jError: The server cannot be reached or refuses.
    """
    name = (await graph.run("schema/meta"))[0]["graph"]
    seen = await look(graph, target, paths)

    async def note(tx: Transaction) -> None:
        await tx.run("write/gate")
        await tx.run("jobs/gate")  # neither recorders nor writers of jobs miss it from now on
        await tx.run("forget/note", key=target.key)

    await uncancelled(graph.transact(note))
    target = await found(graph, target)  # what was recorded meanwhile too
    keys = [
        row["key"]
        for row in await graph.run("forget/jobs", url=target.url, prefixes=target.prefixes)
    ]
    sums: Counter[str] = Counter()
    for start in range(0, len(keys), PAGES_AT_ONCE):
        some = keys[start : start + PAGES_AT_ONCE]
        sums["jobs"] += (await graph.run("forget/delete_jobs", keys=some))[0]["jobs"]
    while urls := await _some(graph, target):
        done = await uncancelled(graph.transact(lambda tx, urls=urls: _delete(tx, urls)))  # type: ignore[misc]
        sums.update({key: done[key] for key in ("pages", "texts", "axons")})

    async def unname(tx: Transaction) -> None:
        await tx.run("write/gate")
        await tx.run("forget/unname", url=target.url, prefixes=target.prefixes)

    await uncancelled(graph.transact(unname))
    await graph.run("forget/delete_host", hosts=_hosts(target), origins=target.origins)
    await graph.run("frontier/refresh_hosts")
    files = []
    for path in await _archives(graph, paths):
        if rows := _count(path, target):
            files.append(await _rewrite(path, name, target, rows))
    await _overwrite(graph, sums["pages"] + sums["texts"] + sums["jobs"])
    report = ForgetReport(
        sums["pages"],
        seen.states,
        sums["texts"],
        sums["axons"],
        sums["jobs"],
        seen.hosts,
        seen.origins,
        len(files),
        sum(int(str(file["rows"])) for file in files),
        (),
        applied=True,
    )
    receipt = _write_receipt(paths, name, target, report, files)
    values = asdict(report) | {"receipt": str(receipt)}
    return ForgetReport(**values)


async def _some(graph: Graph, target: Target) -> list[str]:
    """Return the next pages to delete."""
    urls: list[str] = []
    async for row in graph.stream("forget/pages", url=target.url, prefixes=target.prefixes):
        urls.append(row["url"])
        if len(urls) == PAGES_AT_ONCE:
            break
    return urls


async def _delete(tx: Transaction, urls: Sequence[str]) -> Row:
    """Delete pages; what they stood for stands for itself again, and has its reward back."""
    await tx.run("write/gate")
    store = GraphStore(tx, _HINT_POINTS)
    claimants = [url for url, _ in await store.claimants(urls)]
    followers = await store.followers(urls)
    await tx.run("forget/unpoint", urls=urls)
    await fold(store, {*urls, *claimants, *followers})
    return (await tx.run("forget/delete_pages", urls=urls))[0]


async def _overwrite(graph: Graph, deleted: int) -> None:
    """Use the records again that were freed, and fill the transaction log.

    Neo4j leaves the bytes of what was deleted in its files. An embedded server lets go of a log of
    32 MiB at its next checkpoint, a minute later at most.
    """
    await graph.run("forget/unfill")  # of one that was cut short
    await asyncio.sleep(FREED_AFTER_S)
    for _ in range(FILL_ROUNDS + deleted // FILL_NODES):
        await graph.run("forget/fill", nodes=FILL_NODES, text="x" * FILL_CHARS)
        await uncancelled(graph.run("forget/unfill"))


def _hosts(target: Target) -> list[str]:
    """Return the names of rows that go: the hosts, and what is blocked by such a name."""
    return [] if target.url else sorted({target.host, *target.keys_of_hosts})


async def _archives(graph: Graph, paths: Paths) -> list[Path]:
    """Return the archives of this graph, each looked through."""
    name = (await graph.run("schema/meta"))[0]["graph"]
    found = sorted(paths.archives.glob("prune-*.parquet")) if paths.archives.is_dir() else []
    return [path for path in found if archives.check(path) == name]


def _count(path: Path, target: Target) -> int:
    return sum(_concerns(row, target) for batch in archives.read(path) for row in batch)


def _concerns(row: Row, target: Target) -> bool:
    return _without(row, target) != row


def _without(row: Row, target: Target) -> Row | None:
    """Return an archived page without what is forgotten; None where it is forgotten itself."""
    if target.holds(row["url"]):
        return None
    axons = [
        axon
        for axon in row["axons"]
        if not (target.holds(axon["source"]) or target.holds(axon["target"]))
    ]
    properties = {k: v for k, v in row["properties"].items() if not target.holds(v)}
    if grants := properties.get("grants"):
        properties["grants"] = [_anonymous(grant, target) for grant in grants]
    if any(target.holds(word) for word in str(properties.get("error", "")).split()):
        properties["error"] = "redirect: redirects to what was forgotten on request"
    return row | {"axons": axons, "properties": properties}


def _anonymous(grant: str, target: Target) -> str:
    head, _, place = grant.rpartition(" ")
    return f"{head} forgotten" if target.holds(place) else grant


async def _rewrite(path: Path, name: str, target: Target, rows: int) -> dict[str, object]:
    """Write an archive anew without what is forgotten; return what the receipt says of it."""
    before = _sha256(path)

    def stay() -> Iterator[Row]:
        for batch in archives.read(path):
            yield from (kept for row in batch if (kept := _without(row, target)) is not None)

    async def stream() -> AsyncIterator[Row]:
        for row in stay():
            yield row

    empty = next(stay(), None) is None
    if empty:
        archives.remove(path)
    else:
        await archives.write(path, name, stream())
    return {
        "file": path.name,
        "rows": rows,
        "sha256Before": before,
        "sha256After": None if empty else _sha256(path),
    }


def _write_receipt(
    paths: Paths,
    name: str,
    target: Target,
    report: ForgetReport,
    files: list[dict[str, object]],
) -> Path:
    """Keep what was done, without naming what was forgotten."""
    at = datetime.now(UTC)
    path = paths.state / "receipts" / f"forget-{name}-{at:%Y%m%dT%H%M%S.%fZ}.json"
    counts = {k: v for k, v in asdict(report).items() if k not in ("urls", "applied", "receipt")}
    document = {
        "graph": name,
        "forgottenAt": at.isoformat(),
        "what": "page" if target.url else "hosts" if is_many(target.host) else "host",
        "hash": target.key,
        "hashOf": "BLAKE2b, 16 bytes, person 'forgotten', of 'url URL' or 'host HOST'",
        "removed": counts,
        "archives": files,
        "version": __version__,
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise GraphcrawlError(
            f"It is forgotten, but the receipt cannot be written: {path}: "
            f"{error.strerror or error}.",
            "Free some space, then type the command again.",
        ) from error
    return path


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
