"""A lock between processes that the system frees by itself when its holder dies."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO

_POLL_S = 0.1

if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes]) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def try_lock(file: IO[bytes]) -> bool:
    """Lock an open file for as long as it is open; False where another process holds it."""
    try:
        _lock(file)
    except (BlockingIOError, PermissionError):
        return False
    return True


@asynccontextmanager
async def exclusive(path: Path, on_wait: Callable[[], None] = lambda: None) -> AsyncIterator[None]:
    """Hold the lock file `path` alone; wait, without blocking the loop, while another holds it.

    The file stays: to delete it would give the next two comers a lock each.

    Args:
        path: The lock file; made where it is missing.
        on_wait: Called ten times a second while another holds it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:  # closing it frees the lock
        while not try_lock(file):
            on_wait()
            await asyncio.sleep(_POLL_S)
        yield
