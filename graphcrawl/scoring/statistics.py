"""What scoring has learned, as additive statistics: named sparse vectors, packed into bytes.

Each worker keeps its own totals. Totals of several workers, or of runs one after the other, are
simply added, so it does not matter in which order or how often they are looked at.

A blob is zlib over a header (JSON, in a line) and, for each vector, its indices (32 bits) and
values (64-bit floats), little-endian.
"""

import json
import math
import sys
import zlib
from array import array
from collections.abc import Iterable, Mapping

from graphcrawl.errors import ModelError

Vectors = dict[str, dict[int, float]]
MAX_BYTES = 256 * 2**20  # unpacked; more is no blob of ours
_MAGIC = "graphcrawl-statistics-1"
_HINT = "It is left aside; what pages teach from now on takes its place."


def pack(kind: str, version: int, vectors: Mapping[str, Mapping[int, float]]) -> bytes:
    """Return vectors as bytes. Zeros are left out.

    Args:
        kind: What they belong to, such as `quality`.
        version: Of their meaning; a blob of another version is refused.
        vectors: Index from 0 below 2^32 → finite number, by name.
    """
    kept = {
        name: {index: value for index, value in vector.items() if value}
        for name, vector in vectors.items()
    }
    sizes = {name: len(vector) for name, vector in kept.items()}
    header = {"magic": _MAGIC, "kind": kind, "version": version, "sizes": sizes}
    parts = [json.dumps(header).encode() + b"\n"]
    for vector in kept.values():
        parts += [_bytes(array("I", vector.keys())), _bytes(array("d", vector.values()))]
    return zlib.compress(b"".join(parts), 6)


def unpack(blob: bytes, kind: str, version: int) -> Vectors:
    """Return the vectors of a blob.

    Raises:
        ModelError: It is damaged, of another kind or version, or holds what is no finite number.
    """
    try:
        data = _inflate(blob)
        line, _, rest = data.partition(b"\n")
        header = json.loads(line)
        if not isinstance(header, dict) or header.get("magic") != _MAGIC:
            raise ValueError("it has no header")
        found = (str(header["kind"]), int(header["version"]))
        sizes = {str(name): int(size) for name, size in header["sizes"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, zlib.error) as error:
        raise ModelError(f"What was learned of {kind} is damaged: {error}.", _HINT) from error
    if found != (kind, version):
        raise ModelError(
            f"What was learned is {found[0]} of version {found[1]}, not {kind} of version "
            f"{version}.",
            _HINT,
        )
    if min(sizes.values(), default=0) < 0 or sum(sizes.values()) * 12 != len(rest):
        raise ModelError(f"What was learned of {kind} is damaged: it is cut short.", _HINT)
    vectors: Vectors = {}
    at = 0
    for name, size in sizes.items():
        indices, values = array("I"), array("d")
        indices.frombytes(rest[at : at + 4 * size])
        values.frombytes(rest[at + 4 * size : at + 12 * size])
        at += 12 * size
        if sys.byteorder == "big":
            indices.byteswap()
            values.byteswap()
        if not all(map(math.isfinite, values)):
            raise ModelError(
                f"What was learned of {kind} is damaged: not all are finite numbers.", _HINT
            )
        vectors[name] = dict(zip(indices, values, strict=True))
    return vectors


def added(blobs: Iterable[bytes], kind: str, version: int) -> bytes:
    """Return the sum of blobs as a blob.

    Raises:
        ModelError: One of them cannot be used.
    """
    total: Vectors = {}
    for blob in blobs:
        for name, vector in unpack(blob, kind, version).items():
            known = total.setdefault(name, {})
            for index, value in vector.items():
                known[index] = known.get(index, 0.0) + value
    return pack(kind, version, total)


def _inflate(blob: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    data = unpacker.decompress(blob, MAX_BYTES)
    if unpacker.unconsumed_tail or not unpacker.eof:
        raise ValueError("it is cut short, or too large")
    return data


def _bytes(values: "array[int] | array[float]") -> bytes:
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()
