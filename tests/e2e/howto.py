"""Runs the commands of docs/HOWTO.md in order, and compares what they print with what stands there.

    python tests/e2e/howto.py     writes the output of every command anew; NEO4J_URI names a server

Numbers may differ and blanks too; `…` stands for any lines.
"""

import asyncio
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from graphcrawl.demo.site import DemoSite, listen
from graphcrawl.demo.web import generate

ROOT = Path(__file__).parents[2]
HOWTO = ROOT / "docs" / "HOWTO.md"
PORT_SHOWN = "8000"
MOST_LINES = 18  # of one command's output
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)


@contextmanager
def served() -> Iterator[int]:
    """Serve the demo's web in a thread; the port is its own."""
    listener = listen()
    port = listener.getsockname()[1]
    web = generate(1, 300, port)
    loop = asyncio.new_event_loop()
    ended = asyncio.Event()

    async def serve() -> None:
        async with DemoSite(web, listener):
            await ended.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),), daemon=True)
    thread.start()
    try:
        yield port
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(10)
        loop.close()


def steps(text: str) -> list[tuple[str, list[str]]]:
    """Return each command with the lines below it."""
    found: list[tuple[str, list[str]]] = []
    for block in _BLOCK.findall(text):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


def run(command: str, folder: Path, port: int, settings: dict[str, str]) -> str:
    """Run one command in a shell of its own, as on a terminal, and return what it printed."""
    import pty

    tools = folder / "bin"
    tools.mkdir(exist_ok=True)
    tool = tools / "graphcrawl"
    tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m graphcrawl "$@"\n')
    tool.chmod(0o755)
    env = settings | {
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "GRAPHCRAWL_CRAWL__RESOLVE": f'["*:{port}:127.0.0.1"]',
        "GRAPHCRAWL_CRAWL__DELAY": "0.01",
        "GRAPHCRAWL_CRAWL__PARSERS": "1",
        "NO_COLOR": "1",
        "TERM": "dumb",
        "COLUMNS": "100",
    }
    ours, theirs = pty.openpty()  # stdout is a terminal, stderr goes into a file: no bar
    log = folder / "stderr"
    with log.open("wb") as errors:
        process = subprocess.Popen(
            ("bash", "-c", command.replace(f":{PORT_SHOWN}", f":{port}")),
            cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=theirs, stderr=errors,
        )  # fmt: skip
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 4096):
                shown += part
        except OSError:  # how a terminal says that the other end is closed
            pass
        os.close(ours)
        code = process.wait(120)
    text = log.read_text(encoding="utf-8") + shown.decode().replace("\r\n", "\n")
    assert code == 0, f"$ {command}\n{text}"
    return text.replace(f":{port}", f":{PORT_SHOWN}")


def same(line: str) -> str:
    """Return a line without what may differ: numbers, blanks, how far a cell was cut."""
    bare = re.sub(r"[\u2500-\u257f]+", "-", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", line))
    return " ".join(re.sub(r"\d[\d,.:]*", "#", bare).split())


def difference(expected: list[str], printed: str) -> str | None:
    """Say which expected line is missing; None: all is there, in order and nothing else."""
    lines = [same(line) for line in printed.splitlines() if same(line)]
    at, skips = 0, False
    for want in (same(line) for line in expected if same(line)):
        if want == "…":
            skips = True
            continue
        stop = len(lines) if skips else at + 1
        place = next((i for i in range(at, min(stop, len(lines))) if lines[i] == want), None)
        if place is None:
            return f"expected {want!r}, and it printed\n{printed}"
        at, skips = place + 1, False
    return None if skips or at == len(lines) else f"more than expected: {lines[at:]}\n{printed}"


def write(folder: Path, settings: dict[str, str]) -> None:
    """Write the output of every command into the page."""
    text = HOWTO.read_text(encoding="utf-8")
    with served() as port:
        for block in _BLOCK.findall(text):
            parts = []
            for command, _ in steps(f"```console\n{block}```"):
                lines = [x.rstrip() for x in run(command, folder, port, settings).splitlines()]
                lines = [line for line in lines if line]
                if len(lines) > MOST_LINES:
                    lines = [*lines[: MOST_LINES - 4], "…", *lines[-3:]]
                parts += [f"$ {command}", *lines]
            text = text.replace(block, "".join(f"{line}\n" for line in parts), 1)
    HOWTO.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]), dict(os.environ))
