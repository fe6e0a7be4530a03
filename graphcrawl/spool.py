"""Files for bodies that are too large for memory: a folder for each run, which goes with it.

A run that is killed leaves its folder behind. The next one tells it by its lock, which the system
has freed, and deletes it.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from graphcrawl.server.exclusive import try_lock

_LOCK = "lock"


@contextmanager
def spool_folder(state: Path) -> Iterator[Path]:
    """Make a folder for the files of one run; at the end it is deleted with all that is in it.

    Args:
        state: Folder of what graphcrawl keeps between commands; folders of runs that were killed
            are deleted from it.
    """
    parent = state / "spool"
    parent.mkdir(parents=True, exist_ok=True)
    own = Path(tempfile.mkdtemp(dir=parent))  # for this user alone
    with (own / _LOCK).open("ab") as lock:
        try_lock(lock)
        _sweep(parent, own)
        try:
            yield own
        finally:
            shutil.rmtree(own, ignore_errors=True)


def discard(path: str) -> None:
    """Delete a file of a spool folder, if it is there; "" is none."""
    if path:
        Path(path).unlink(missing_ok=True)


def _sweep(parent: Path, own: Path) -> None:
    for folder in parent.iterdir():
        lock = folder / _LOCK
        # Without a lock file it is being made now, or deleted.
        if folder == own or not lock.is_file():
            continue
        try:
            with lock.open("ab") as file:
                if not try_lock(file):
                    continue
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue  # another run deletes it at the same time
