"""Runs the commands of docs/HOWTO.md in order, and compares what they print with what stands there.

    python tests/e2e/howto.py     writes the output of every command anew; NEO4J_URI names a server

Numbers, blanks and the rows of pages may differ; `…` stands for any lines.
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
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
# A row of a table that names a page, or a head whose columns depend on the room that there is.
_ROW = re.compile(r"\w\.?\w*…\S|\.example:|^(form|seen) ")
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


def run(
    command: str, folder: Path, port: int, settings: dict[str, str]
) -> tuple[list[str], list[str]]:
    """Run one command in a shell of its own, and return the lines of its stdout and its stderr.

    Its stdout is a terminal of 100 columns; its stderr is a file, so there is no bar.
    """
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
        "TERM": "xterm",
        "COLUMNS": "100",
    }
    ours, theirs = pty.openpty()
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
    out, err = (_lines(text, port) for text in (shown.decode(), log.read_text(encoding="utf-8")))
    assert code == 0, "\n".join([f"$ {command}", *out, *err])
    return out, [line for line in err if " · limited by " not in line]  # every 10 s


def _lines(text: str, port: int) -> list[str]:
    plain = _ESCAPES.sub("", text).replace(f":{port}", f":{PORT_SHOWN}")
    return [line.rstrip() for line in plain.splitlines() if line.strip()]


def same(line: str) -> str:
    """Return a line without what may differ: numbers, how long it took, which pages are listed."""
    if _ROW.search(line) and "graphcrawl" not in line:
        return "rows"
    bare = " ".join(re.sub(r"[-+−]?\d[\d,.:]*", "#", line).split()).replace("# min # s", "# s")
    return re.sub(r"^(errors #|spared) .*", r"\1", bare)


def _comparable(lines: list[str]) -> list[str]:
    """Return what of some lines must be the same; rows of a table count as one."""
    kept = [same(line) for line in lines if line.strip() and not line.startswith("no room for")]
    return [line for i, line in enumerate(kept) if line != "rows" or kept[i - 1 : i] != ["rows"]]


def difference(expected: list[str], out: list[str], err: list[str]) -> str | None:
    """Say which expected line is missing; None: all is there, in order, and nothing else.

    Lines of the two streams may come in any order among each other.
    """
    streams, at, skips = [_comparable(lines) for lines in (out, err)], [0, 0], False
    for want in _comparable(expected):
        if want == "…":
            skips = True
            continue
        places = [
            (number, place)
            for number, lines in enumerate(streams)
            for place in range(at[number], len(lines) if skips else min(at[number] + 1, len(lines)))
            if lines[place] == want
        ]
        if not places:
            return "\n".join([f"expected {want!r}, and it printed", *out, *err])
        number, place = places[0]
        at[number], skips = place + 1, False
    left = [line for lines, start in zip(streams, at, strict=True) for line in lines[start:]]
    return None if skips or not left else f"more than expected: {left}"


def write(folder: Path, settings: dict[str, str]) -> None:
    """Write the output of every command into the page."""
    text = HOWTO.read_text(encoding="utf-8")
    with served() as port:
        for block in _BLOCK.findall(text):
            parts = []
            for command, _ in steps(f"```console\n{block}```"):
                out, err = run(command, folder, port, settings)
                last = [
                    line for line in err if line.startswith(("Stopped", "Nothing", "The first"))
                ]
                lines = [*(line for line in err if line not in last), *out, *last]
                if len(lines) > MOST_LINES:
                    lines = [*lines[: MOST_LINES - 4], "…", *lines[-3:]]
                parts += [f"$ {command}", *lines]
            text = text.replace(block, "".join(f"{line}\n" for line in parts), 1)
    HOWTO.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]), dict(os.environ))
