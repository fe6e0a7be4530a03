"""The file of a whole graph: what is damaged, cut or somebody else's is told before it is used."""

import gzip
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from graphcrawl.errors import UsageError
from graphcrawl.export import lines
from graphcrawl.graph import read_time


def whole(path: Path, *rows: dict[str, Any], **head: Any) -> Path:
    said = {"graphcrawl": "graph", "version": 1, "schema": 12, "product": "0.1.0", "graph": "a"}
    said |= {"exported_at": "2026-01-31T12:00:00Z"} | head
    text = "".join(map(lines.dumps, [said, *rows]))
    end = {"end": True, "nodes": len(rows), "relationships": 0}
    end |= {"sha256": sha256(text.encode()).hexdigest()}
    path.write_text(text + lines.dumps(end), encoding="utf-8")
    return path


NODE = {"labels": ["Host"], "properties": {"name": "ż.example", "delayS": 1.0, "n": 2**62}}


def test_values_come_back_as_they_were() -> None:
    value = {
        "time": read_time("2026-01-31T12:00:00.123456789+00:00"),
        "bytes": b"\x00\xff",
        "texts": ["\u2028", "\x1b", '"'],
        "float": 1.0,
        "small": 5e-324,
        "none": None,
    }
    line = lines.dumps(value)
    assert line.count("\n") == 1
    back = lines.loads(line.encode())
    assert back == value
    assert back["time"].nanosecond == 123456789
    assert isinstance(back["float"], float)


@pytest.mark.parametrize("packed", [False, True])
def test_a_whole_file_is_read(tmp_path: Path, packed: bool) -> None:
    path = whole(tmp_path / "a.jsonl", NODE, NODE)
    if packed:
        path.write_bytes(gzip.compress(path.read_bytes()))
    head = lines.check(path)
    assert (head.graph, head.schema, head.nodes, head.relationships) == ("a", 12, 2, 0)
    assert [row for row, _ in lines.read(path)] == [NODE, NODE]


@pytest.mark.parametrize("packed", [False, True])
def test_every_cut_and_every_changed_byte_is_noticed(tmp_path: Path, packed: bool) -> None:
    path = whole(tmp_path / "a.jsonl", NODE)
    data = gzip.compress(path.read_bytes(), mtime=0) if packed else path.read_bytes()
    first = 10 if packed else data.index(b"\n") + 1  # gzip's header says nothing that matters
    for place in range(0, len(data) - 1, 7):
        path.write_bytes(data[:place])
        with pytest.raises(UsageError):
            lines.check(path)
        if place >= first:
            path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
            with pytest.raises(UsageError):
                lines.check(path)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"url,title\nhttp://a.example/,A\n",
        b'{"url": "http://a.example/"}\n',
        b'["graphcrawl"]\n',
        b"null\n",
        b"\x1f\x8bnot gzip",
        b"\x00" * 1000,
        b"[" * 100_000,
    ],
)
def test_files_of_others_are_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "theirs.jsonl"
    path.write_bytes(data)
    with pytest.raises(UsageError, match="no graph that graphcrawl exported"):
        lines.check(path)


def test_a_newer_version_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="version 2") as caught:
        lines.check(whole(tmp_path / "a.jsonl", version=2))
    assert "upgrade" in caught.value.hint


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        lines.check(tmp_path / "nothing.jsonl")
    with pytest.raises(UsageError, match="Is a directory"):
        lines.check(tmp_path)


def test_a_line_without_end_does_not_fill_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "LONGEST_BYTES", 1000)
    with pytest.raises(UsageError):
        lines.check(whole(tmp_path / "a.jsonl", NODE | {"text": {"text": "x" * 2000}}))
