"""A web of documentation: Debian packages as hosts, and terms as what is looked for."""

import re
from collections.abc import Iterator
from multiprocessing import Pool
from pathlib import Path

import numpy as np

from graphcrawl.parse import parse  # noqa: F401 - loaded before processes are forked
from ordering.see import see
from ordering.web import Floats, Ints, SeenPage, Task, Web, record, words_of

# Package → folder of its pages, front page.
PACKAGES = {
    "apache2-doc": ("usr/share/doc/apache2-doc/manual", "index.html"),
    "cmake-doc": ("usr/share/doc/cmake-data/html", "index.html"),
    "cppreference-doc-en-html": ("usr/share/cppreference/doc/html", "en/index.html"),
    "erlang-doc": ("usr/share/doc/erlang-doc", "doc/index.html"),
    "ghc-doc": ("usr/share/doc/ghc-doc", "index.html"),
    "gimp-help-en": ("usr/share/gimp/2.0/help/en", "index.html"),
    "git-doc": ("usr/share/doc/git-doc", "index.html"),
    "grass-doc": ("usr/share/doc/grass-doc/html", "index.html"),
    "libgtk-3-doc": ("usr/share/gtk-doc/html", "gtk3/index.html"),
    "lilypond-doc-html": ("usr/share/doc/lilypond/html", "index.html"),
    "linux-doc-6.1": ("usr/share/doc/linux-doc-6.1/html", "index.html"),
    "octave-doc": ("usr/share/doc/octave", "octave.html/index.html"),
    "openjdk-17-doc": ("usr/share/doc/openjdk-17-jre-headless", "api/index.html"),
    "postgresql-doc-15": ("usr/share/doc/postgresql-doc-15/html", "index.html"),
    "python-django-doc": ("usr/share/doc/python-django-doc/html", "index.html"),
    "python-scipy-doc": ("usr/share/doc/python-scipy-doc/html", "index.html"),
    "python-sqlalchemy-doc": ("usr/share/doc/python-sqlalchemy-doc/html", "index.html"),
    "python3.11-doc": ("usr/share/doc/python3.11/html", "index.html"),
    "sqlite3-doc": ("usr/share/doc/sqlite3", "index.html"),
}
TERMS = (
    "unicode locale firewall kerberos authentication encryption regex timezone recursion "
    "replication deadlock raster polynomial fourier gradient histogram bluetooth mutex semaphore "
    "checksum certificate quaternion eigenvalue interpolation transparency tempo chord proxy "
    "cookie xml latency sandbox calendar keyboard spline hash compression thread cluster barcode"
).split()
TARGET_COUNT = 3  # so often a page uses a term that it is a target


def host_of(package: str) -> str:
    """Return the host that stands for a package."""
    return f"{package.replace('.', '-')}.example"


def _files(folder: Path) -> Iterator[tuple[Path, str]]:
    for package, (root, _) in PACKAGES.items():
        base = folder / package / root
        for file in sorted(base.rglob("*.htm*")):
            if file.suffix in (".html", ".htm") and file.is_file() and not file.is_symlink():
                yield file, f"http://{host_of(package)}/{file.relative_to(base)}"


def _see(job: tuple[Path, str]) -> tuple[SeenPage, list[int]]:
    file, url = job
    body = file.read_bytes()
    page = see(url, body)
    words = words_of(re.sub(rb"<[^>]*>", b" ", body).decode("utf-8", "replace"))
    counts = dict.fromkeys(TERMS, 0)
    for word in words:
        if word in counts:
            counts[word] += 1
    return page, list(counts.values())


def build(folder: Path, processes: int = 2) -> tuple[Web, Ints]:
    """Read unpacked packages.

    Args:
        folder: With a folder for each package, as `dpkg -x` makes them.
        processes: How many read.

    Returns:
        The web, and how often each page uses each of `TERMS`.
    """
    with Pool(processes) as pool:
        found = pool.map(_see, _files(folder), chunksize=50)
    return record("docs", [page for page, _ in found]), np.array([row for _, row in found])


def tasks(web: Web, counts: Ints, share: tuple[float, float] = (0.003, 0.02)) -> list[Task]:
    """Make a task of each term that is neither too rare nor too common, every other to tune on."""
    place = {url: n for n, url in enumerate(web.urls)}
    fronts = [f"http://{host_of(name)}/{front}" for name, (_, front) in PACKAGES.items()]
    seeds = np.array([place[url] for url in fronts if url in place])
    made: list[Task] = []
    for term, count in zip(TERMS, counts.T, strict=True):
        target = count >= TARGET_COUNT
        if not share[0] <= target.mean() <= share[1]:
            continue
        made.append(
            Task(
                name=term,
                group=("tune", "report")[len(made) % 2],
                seeds=seeds,
                examples=np.zeros(0, np.int64),
                target=target,
                worth=1 - np.exp(-count / TARGET_COUNT),
                topic_hint=hints(web, term),
            )
        )
    return made


def hints(web: Web, term: str) -> Floats:
    """Return how much each link speaks of a term: its own words 1, those around it or its URL ½."""
    said = np.array([term in words_of(text) for text in web.anchors], float)
    near = np.array([term in words_of(text) for text in web.arounds], float)
    named = np.array([term in words_of(url) for url in web.urls], float)
    return np.maximum(said[web.anchor], 0.5 * np.maximum(near[web.around], named[web.targets]))
