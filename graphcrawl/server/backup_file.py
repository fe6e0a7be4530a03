"""The file of a backup: a tar through zstd, with what it is at its start and checksums at its end.

`graphcrawl-backup.json` is `{"graphcrawl": "backup", "version": 1, "graph", "product", "neo4j",
"created_at", "bytes"}`. Then come the files of the database, and `checksums.json`:
`{name: SHA-256 of each}`. zstd adds a checksum over all of it, so no byte changes unseen.
"""

import hashlib
import io
import json
import os
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

from graphcrawl.errors import UsageError
from graphcrawl.server.snapshot import PARTS

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

KIND, VERSION = "backup", 1
_HEAD, _CHECKSUMS = "graphcrawl-backup.json", "checksums.json"
_LEVEL = 3
_PIECE_BYTES = 2**20
_LONGEST_JSON_BYTES = 16 * 2**20


@dataclass(frozen=True, slots=True)
class Head:
    """What a backup says of itself."""

    graph: str
    product: str  # version of graphcrawl that wrote it
    neo4j: str  # version of the server that wrote the files
    created_at: str
    bytes: int  # of the files, unpacked


def write(part: Path, folder: Path, head: Head) -> None:
    """Write a backup.

    Args:
        part: The file to make.
        folder: Holds the database's files as a store's home does.
        head: What to say of it.
    """
    options: dict[int, int] = {
        zstd.CompressionParameter.compression_level: _LEVEL,
        zstd.CompressionParameter.checksum_flag: 1,
    }
    sums: dict[str, str] = {}
    with (
        zstd.open(part, "wb", options=options) as packed,
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT) as tar,
    ):
        _put_json(tar, _HEAD, {"graphcrawl": KIND, "version": VERSION} | asdict(head))
        for file in sorted(f for p in PARTS for f in (folder / p).rglob("*") if f.is_file()):
            name = file.relative_to(folder).as_posix()
            with file.open("rb") as opened:
                told = _Hashed(opened)
                member = tarfile.TarInfo(name)
                member.size, member.mode = os.fstat(opened.fileno()).st_size, 0o600
                tar.addfile(member, told)
            sums[name] = told.digest.hexdigest()
        _put_json(tar, _CHECKSUMS, sums)


def read_head(path: Path) -> Head:
    """Return what a backup says of itself, without looking at the rest.

    Raises:
        UsageError: There is no such file, it is no backup, or one of a newer version.
    """
    with _explained(path), _members(path) as tar:
        return _head(path, tar)


def unpack(path: Path, folder: Path) -> Head:
    """Put the files of a backup below `folder`, on the disk, and check all of them.

    Raises:
        UsageError: As `read_head`; or it is cut short or damaged.
        OSError: The files cannot be written.
    """
    found: dict[str, str] = {}
    with _explained(path), _members(path) as tar:
        head = _head(path, tar)
        while (member := tar.next()) and member.name != _CHECKSUMS:
            found[member.name] = _put_file(tar, member, folder)
        if member is None:
            raise EOFError("its end is missing")
        if _json(tar, member) != found:
            raise ValueError("a file does not match its checksum")
        while tar.fileobj is not None and tar.fileobj.read(_PIECE_BYTES):
            pass  # to the very end, where the checksum of all is compared
    return head


def _put_file(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> str:
    name = PurePosixPath(member.name)
    if not member.isreg() or ".." in name.parts or not any(name.is_relative_to(p) for p in PARTS):
        raise ValueError(f"it holds {member.name!r:.200}, which no backup does")
    source = tar.extractfile(member)
    target = folder / name
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    digest = hashlib.sha256()
    try:
        with target.open("xb") as file:
            while source is not None and (piece := source.read(_PIECE_BYTES)):
                digest.update(piece)
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise _DiskError(error) from error
    return digest.hexdigest()


class _DiskError(Exception):
    """What went wrong was the disk written to, not the file that is read."""


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise UsageError(
            f"Cannot read the file {path}: {error.strerror}.",
            "Name a file that this wrote: graphcrawl db backup FILE",
        ) from error
    except _DiskError as error:
        raise error.args[0] from error
    except (OSError, EOFError, ValueError, KeyError, tarfile.TarError, zstd.ZstdError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(
            f"The file {path} is cut short or damaged: {reason.rstrip('.')}.",
            "Take a whole copy of the file that graphcrawl db backup wrote.",
        ) from error


@contextmanager
def _members(path: Path) -> Iterator[tarfile.TarFile]:
    """Open a backup; what is none at its first byte is refused as such."""
    with path.open("rb") as raw:
        if raw.read(4) != b"\x28\xb5\x2f\xfd":  # Source: RFC 8878, 3.1.1: the magic number
            raise _not_ours(path)
    with zstd.open(path, "rb") as packed, tarfile.open(fileobj=packed, mode="r|") as tar:
        yield tar


def _head(path: Path, tar: tarfile.TarFile) -> Head:
    member = tar.next()
    if member is None or member.name != _HEAD:
        raise _not_ours(path)
    told = _json(tar, member)
    if told.pop("graphcrawl") != KIND:
        raise _not_ours(path)
    if (version := told.pop("version")) != VERSION:
        raise UsageError(
            f"The file {path} is of version {version}; this graphcrawl reads {VERSION}.",
            "pip install --upgrade graphcrawl",
        )
    return Head(**{field: told[field] for field in Head.__slots__})


def _not_ours(path: Path) -> UsageError:
    return UsageError(
        f"The file {path} is no backup of graphcrawl.",
        "Name a file that this wrote: graphcrawl db backup FILE",
    )


def _put_json(tar: tarfile.TarFile, name: str, value: Any) -> None:
    content = json.dumps(value).encode()
    member = tarfile.TarInfo(name)
    member.size = len(content)
    tar.addfile(member, io.BytesIO(content))


def _json(tar: tarfile.TarFile, member: tarfile.TarInfo) -> dict[str, Any]:
    source = tar.extractfile(member)
    if source is None or member.size > _LONGEST_JSON_BYTES:
        raise ValueError("it holds what no backup does")
    read: dict[str, Any] = json.loads(source.read())
    return read


class _Hashed(io.RawIOBase):
    """A file that is hashed while it is read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.digest = hashlib.sha256()

    def read(self, size: int = -1, /) -> bytes:
        """Return the next bytes."""
        piece = self._file.read(size)
        self.digest.update(piece)
        return piece
