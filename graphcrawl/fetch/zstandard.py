"""Zstandard frames, unpacked piece by piece."""

import sys
from collections.abc import Iterator

if sys.version_info >= (3, 14):
    from compression.zstd import DecompressionParameter, ZstdDecompressor, ZstdError
else:
    from backports.zstd import DecompressionParameter, ZstdDecompressor, ZstdError

__all__ = ["Zstd", "ZstdError"]

_WINDOW_LOG_MAX = 23  # 8 MiB, the most that a sender may use: RFC 9659


class Zstd:
    """One stream of zstd frames; what follows the last one is ignored."""

    def __init__(self) -> None:
        self._frame = _new_frame()
        self._ended = False

    @property
    def complete(self) -> bool:
        """Whether the last frame came to its end."""
        return self._ended or self._frame.eof

    def feed(self, data: bytes, piece_bytes: int) -> Iterator[bytes]:
        """Yield what more of the stream unpacks to, at most `piece_bytes` at a time.

        Raises:
            ZstdError: The stream is damaged.
        """
        while not self._ended:
            if self._frame.eof:
                if not data:
                    return
                if not data.startswith(b"\x28\xb5\x2f\xfd"):
                    self._ended = True
                    return
                self._frame = _new_frame()
            yield self._frame.decompress(data, piece_bytes)
            data = self._frame.unused_data if self._frame.eof else b""
            if not self._frame.eof and self._frame.needs_input:
                return


def _new_frame() -> ZstdDecompressor:
    return ZstdDecompressor(options={DecompressionParameter.window_log_max: _WINDOW_LOG_MAX})
