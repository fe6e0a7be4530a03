"""Additive statistics as bytes: they add up, and what is damaged is refused."""

import json
import math
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphcrawl.errors import ModelError
from graphcrawl.scoring.statistics import Vectors, added, pack, unpack

VECTORS = st.dictionaries(
    st.sampled_from(["weights", "host pages", "ü"]),
    st.dictionaries(st.integers(0, 2**32 - 1), st.floats(-1e9, 1e9).filter(bool), max_size=20),
    max_size=3,
)


@given(VECTORS)
def test_what_is_packed_comes_out_again(vectors: Vectors) -> None:
    assert unpack(pack("quality", 1, vectors), "quality", 1) == vectors


@given(st.lists(VECTORS, max_size=4))
def test_blobs_add_up(parts: list[Vectors]) -> None:
    total = unpack(added([pack("q", 1, part) for part in parts], "q", 1), "q", 1)
    for name in ("weights", "host pages", "ü"):
        slots = {slot for part in parts for slot in part.get(name, {})}
        for slot in slots:
            expected = sum(part.get(name, {}).get(slot, 0.0) for part in parts)
            assert total.get(name, {}).get(slot, 0.0) == pytest.approx(expected)


@pytest.mark.parametrize(("kind", "version"), [("other", 1), ("quality", 2)])
def test_another_kind_or_version_is_refused(kind: str, version: int) -> None:
    with pytest.raises(ModelError, match=f"{kind} of version {version}, not quality of version 1"):
        unpack(pack(kind, version, {}), "quality", 1)


def blob_of(header: object, rest: bytes = b"") -> bytes:
    return zlib.compress(json.dumps(header).encode() + b"\n" + rest)


GOOD = {"magic": "graphcrawl-statistics-1", "kind": "q", "version": 1, "sizes": {"w": 1}}
ONE = struct.pack("<Id", 7, 0.5)


def test_the_format_is_the_one_described() -> None:
    assert unpack(blob_of(GOOD, ONE), "q", 1) == {"w": {7: 0.5}}


@pytest.mark.parametrize(
    "blob",
    [
        b"",
        b"nonsense",
        blob_of(GOOD, ONE)[:-3],
        blob_of(GOOD, ONE[:-1]),
        blob_of(GOOD, ONE + b"x"),
        blob_of([]),
        blob_of(GOOD | {"sizes": 3}, ONE),
        blob_of(GOOD | {"sizes": {"w": -1, "v": 2}}, ONE),
        blob_of(GOOD | {"magic": ""}, ONE),
        blob_of(GOOD, struct.pack("<Id", 7, math.nan)),
        blob_of(GOOD, struct.pack("<Id", 7, math.inf)),
    ],
)
def test_what_is_damaged_is_refused(blob: bytes) -> None:
    with pytest.raises(ModelError, match="damaged"):
        unpack(blob, "q", 1)


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_or_read(data: bytes) -> None:
    with pytest.raises(ModelError):
        unpack(data, "q", 1)
