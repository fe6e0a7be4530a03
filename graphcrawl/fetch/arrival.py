"""A body while it arrives: in memory, or in a file once it is XML that may be a large job feed."""

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

from graphcrawl.fetch.bodies import (
    PROBE_BYTES,
    Body,
    BodyError,
    Limit,
    SizeLimits,
    Unpack,
    limit_of,
)
from graphcrawl.models import Reason

SPOOL_BYTES = 2 * 2**20  # a feed that is larger goes to a file
HEAD_BYTES = 2**20  # of a body in a file: what a page's title, text and links are taken from


class Arrival:
    """A body while it arrives: in memory, or in a file once it is XML that may be a large feed.

    Gzip files are unpacked too, whatever they are called. Its owner calls `discard` in the end,
    unless it passed the file on.
    """

    def __init__(
        self, encoding: str, media_type: str, limits: SizeLimits, spool: Path | None = None
    ) -> None:
        """Begin a body.

        Args:
            encoding: The Content-Encoding header.
            media_type: From the header; types that say nothing are judged by the body.
            limits: HTML beyond is refused; XML is cut there.
            spool: Folder for the files of large feeds; None: all is kept in memory.

        Raises:
            BodyError: PROTOCOL for an encoding that cannot be undone.
        """
        self.received_bytes = 0  # as sent
        self._media_type, self._limits, self._spool = media_type, limits, spool
        self._unpack = Unpack(encoding)
        self._data = bytearray()
        self._limit: Limit | None = None
        self._file: _File | None = None
        self._full = ""  # why no more is taken

    @property
    def is_spooled(self) -> bool:
        """Whether it is so large a feed that it goes to a file."""
        return self._file is not None

    def take(self, chunk: bytes) -> bool:
        """Take what arrived; tell whether more is wanted.

        Raises:
            BodyError: TOO_BIG, TYPE, or PROTOCOL for an encoding that cannot be undone.
        """
        self.received_bytes += len(chunk)
        for piece in self._unpack.feed(chunk):
            self._add(piece)
            if self._full:
                return False
        return True

    def _add(self, piece: bytes) -> None:
        if self._file is not None:
            self._write(piece)
            return
        self._data += piece
        if self._limit is None and len(self._data) >= PROBE_BYTES:
            self._limit = limit_of(self._media_type, self._data, self._limits)
        limit = self._limit
        if limit is None:
            return
        if len(self._data) > limit.size_bytes:
            if not limit.cuts:
                raise BodyError(Reason.TOO_BIG, f"more than {limit.size_bytes} bytes")
            self._full = "size"
        elif self._spool is not None and limit.spools and len(self._data) > SPOOL_BYTES:
            whole = bytes(self._data)
            del self._data[HEAD_BYTES:]
            try:
                self._file = _File(self._spool)
            except OSError:
                self._full = "disk"
            else:
                self._write(whole)

    def _write(self, piece: bytes) -> None:
        if self._file is None or self._limit is None:
            return
        room = self._limit.size_bytes - self._file.size_bytes
        try:
            self._file.write(piece[:room])
        except OSError:
            self._full = "disk"
        if len(piece) > room:
            self._full = "size"

    def end(self) -> Body:
        """Return the body after its last chunk, or after enough of it.

        Raises:
            BodyError: As for `take`.
        """
        if not self._full:
            for piece in self._unpack.rest():
                self._add(piece)
        limit = self._limit or limit_of(self._media_type, self._data, self._limits)
        if len(self._data) > limit.size_bytes and not limit.cuts:
            raise BodyError(Reason.TOO_BIG, f"more than {limit.size_bytes} bytes")
        return self._body(limit, self._full or ("" if self._unpack.complete else "connection"))

    def cut(self, why: str) -> Body | None:
        """Return what arrived of a body that will not come to its end; None: it is of no use.

        Of a feed each record is of use; of a page or a sitemap another try gives more. What came
        too slowly, or is damaged, is kept only where it is much.

        Args:
            why: Such as `connection`.
        """
        limit = self._limit
        if limit is None or not limit.spools or (why != "connection" and self._file is None):
            return None
        return self._body(limit, why)

    def _body(self, limit: Limit, ended: str) -> Body:
        if self._file is None:
            return Body(bytes(self._data[: limit.size_bytes]), bool(ended), ended)
        file, self._file = self._file, None
        try:
            file.close()
        except OSError:
            ended = "disk"
        path, digest = str(file.path), file.digest
        return Body(bytes(self._data), bool(ended), ended, path, file.size_bytes, digest)

    def discard(self) -> None:
        """Delete the file, if there is one that was not passed on."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.close()
            self._file.path.unlink(missing_ok=True)
            self._file = None


class _File:
    """A file that a body is written to, with its hash."""

    def __init__(self, folder: Path) -> None:
        descriptor, name = tempfile.mkstemp(dir=folder)
        self._out = os.fdopen(descriptor, "wb")
        self._hash = hashlib.blake2b(digest_size=16)
        self.path = Path(name)
        self.size_bytes = 0

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()

    def write(self, piece: bytes) -> None:
        self._out.write(piece)
        self._hash.update(piece)
        self.size_bytes += len(piece)

    def close(self) -> None:
        self._out.close()
