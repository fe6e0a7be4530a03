"""Commands as people run them: each in a process of its own, far from the checkout."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
OF_ORIGINS = {"/robots.txt", "/.well-known/tdmrep.json"}  # asked for beside the pages of each
Start = Callable[..., "subprocess.Popen[str]"]
CRAWL = ("crawl", "--allow-private", "--delay", "0", "--max-pages", "0", "--json")


def environment(home: Path, **more: str) -> dict[str, str]:
    """Return this process's environment with other settings: those given alone."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("NEO4J_", "GRAPHCRAWL_"))}
    return kept | {"GRAPHCRAWL_HOME": str(home), "PYTHONPATH": str(ROOT)} | more


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "graphcrawl", *words]


def document(
    process: "subprocess.Popen[str]", *, code: int = 0, stdin: str | None = None
) -> dict[str, Any]:
    """Wait for a command and return the JSON that it printed."""
    out, err = process.communicate(stdin, timeout=120)
    assert process.returncode == code, err
    assert "Traceback" not in err
    found: dict[str, Any] = json.loads(out)
    return found
