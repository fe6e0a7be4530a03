"""Reads seeds: from the command line, a file or standard input; junk is counted, not fatal."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from graphcrawl.errors import SeedsError
from graphcrawl.urls import canonical, refusal, without_credentials

_SAMPLE_BYTES = 4096
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:(?!\d)", re.I)  # `localhost:8000` has none


@dataclass(frozen=True, slots=True)
class SeedList:
    """The seeds of a crawl and what was wrong with the other lines."""

    urls: tuple[str, ...]  # canonical, distinct, in their order
    complaints: tuple[str, ...] = ()  # one a bad line, with its number

    def __add__(self, other: "SeedList") -> "SeedList":
        urls = tuple(dict.fromkeys(self.urls + other.urls))
        return SeedList(urls, self.complaints + other.complaints)


def from_arguments(arguments: Iterable[str]) -> SeedList:
    """Read seeds typed on the command line.

    A word without a scheme is taken for a host: `example.org` means `https://example.org/`.
    """
    return _collect(arguments, "argument")


def from_file(path: Path) -> SeedList:
    """Read a file with one URL a line; blank lines and lines that begin with `#` are skipped.

    Raises:
        SeedsError: The file cannot be read, is not text, or holds no usable URL.
    """
    try:
        with path.open("rb") as file:
            return from_stream(file, str(path))
    except OSError as error:
        raise SeedsError(
            f"Cannot read the seeds file {path}: {error.strerror}.",
            "Give a text file with one URL a line: graphcrawl crawl -f seeds.txt",
        ) from error


def from_stream(stream: BinaryIO, name: str) -> SeedList:
    """Read an open file, such as standard input, with one URL a line.

    Raises:
        SeedsError: The stream is not text, or holds no usable URL.
    """
    data = stream.read()
    if b"\0" in data[:_SAMPLE_BYTES]:
        raise SeedsError(f"{name} is not a text file.", "Give a text file with one URL a line.")
    text = data.decode("utf-8-sig", errors="replace")
    seeds = _collect(text.splitlines(), f"{name}, line")
    if not seeds.urls:
        raise SeedsError(
            f"{name} holds no URL that can be crawled.",
            "Write one URL a line, such as https://example.org/",
        )
    return seeds


def with_scheme(text: str) -> str:
    """Return what was typed as a URL: a word without a scheme is taken for a host."""
    return text if _SCHEME.match(text) else f"https://{text}"


def _collect(lines: Iterable[str], where: str) -> SeedList:
    urls: dict[str, None] = {}
    complaints: list[str] = []
    for number, line in _numbered(lines):
        url = None if line[0] in "/?." else canonical(with_scheme(line))
        if url is None or " " in line or not _has_plausible_host(url):
            complaints.append(f"{where} {number}: not a URL: {_shown(line)}")
        elif reason := refusal(url):
            complaints.append(f"{where} {number}: refused ({reason}): {_shown(line)}")
        else:
            urls[url] = None
    return SeedList(tuple(urls), tuple(complaints))


def _shown(line: str) -> str:
    return repr((without_credentials(line) or "(with a password)")[:80])


def _numbered(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, 1):
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            yield number, stripped


def _has_plausible_host(url: str) -> bool:
    """A bare word is no host: `hello` is junk, `localhost` and `example.org` are not."""
    host = url.split("/", 3)[2]
    return "." in host or ":" in host or host.startswith("localhost")
