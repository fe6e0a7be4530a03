"""Files that are whole or not there: written beside their place, put on the disk, then renamed."""

import gzip
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast

from graphcrawl.errors import GraphcrawlError, UsageError

_LEVEL = 3  # of gzip: four times as fast as the usual one, files a tenth larger
_PIECE = 2**16  # characters that wait to be written together


def check(path: Path, *, force: bool = False) -> None:
    """Look whether a file can be made there, before anything is read.

    Args:
        path: The file to make.
        force: It may replace one.

    Raises:
        UsageError: Something lies there, or there is no such folder.
    """
    if path.is_dir() or not path.parent.is_dir():
        problem = "a folder" if path.is_dir() else "no such folder"
        raise UsageError(
            f"Cannot write the file {path}: {problem}.", "Name a file in a folder that exists."
        )
    if not force and (path.exists() or path.is_symlink()):
        raise UsageError(
            f"The file {path} exists.", "Name another one, or replace it by adding --force"
        )


@contextmanager
def beside(path: Path, *, force: bool = False) -> Iterator[Path]:
    """Yield where to write; what was written there gets the name at the end, or is removed.

    Args:
        path: The file to make.
        force: It may replace one.

    Raises:
        UsageError: Nothing can be written there.
        GraphcrawlError: The disk is full or broken.
    """
    check(path, force=force)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        try:
            yield part
            with part.open("rb") as written:
                os.fsync(written.fileno())
            check(path, force=force)  # somebody may have made one meanwhile
            part.replace(path)
        finally:
            with suppress(FileNotFoundError):
                part.unlink()
    except PermissionError as error:
        raise UsageError(
            f"Cannot write the file {path}: {error.strerror}.",
            "Name a file in a folder that you may write to.",
        ) from error
    except OSError as error:
        raise GraphcrawlError(
            f"Cannot write the file {path}: {error.strerror or error}. No half file is left.",
            "Free some space, or name another folder.",
        ) from error


class Sheet:
    """A text file that is written in large pieces, through gzip on request."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._parts: list[str] = []
        self._size = 0

    def write(self, text: str) -> None:
        """Write text; it may wait for more."""
        self._parts.append(text)
        self._size += len(text)
        if self._size >= _PIECE:
            self.flush()

    def flush(self) -> None:
        """Give what waits to the file."""
        self._file.write("".join(self._parts).encode())
        self._parts.clear()
        self._size = 0


@contextmanager
def sheet(part: Path, *, packed: bool = False) -> Iterator[Sheet]:
    """Open a file to write UTF-8. The same text makes the same file, also through gzip."""
    with part.open("wb") as raw, ExitStack() as stack:
        file = cast("BinaryIO", raw)
        if packed:
            zipped = stack.enter_context(gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0))
            file = cast("BinaryIO", zipped)
        opened = Sheet(file)
        yield opened
        opened.flush()
