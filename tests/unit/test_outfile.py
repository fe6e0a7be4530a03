"""Files are whole or not there, and nothing that was there is lost."""

import errno
import gzip
from pathlib import Path

import pytest

from graphcrawl import outfile
from graphcrawl.errors import GraphcrawlError, UsageError


def test_a_file_has_its_name_only_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with outfile.beside(path) as part, outfile.sheet(part) as sheet:
        sheet.write("x" * 100_000)
        sheet.write("żółć")
        assert not path.exists()
    assert path.read_text(encoding="utf-8") == "x" * 100_000 + "żółć"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_nothing_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("before")

    def fail(error: Exception) -> None:
        with outfile.beside(path, force=True) as part, outfile.sheet(part) as sheet:
            sheet.write("x" * 100_000)
            raise error

    with pytest.raises(GraphcrawlError, match="No space left on device"):
        fail(OSError(errno.ENOSPC, "No space left on device"))
    with pytest.raises(KeyboardInterrupt):
        fail(KeyboardInterrupt())  # type: ignore[arg-type]
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
def test_a_disk_that_is_full_is_met_while_writing(tmp_path: Path) -> None:
    for packed in (False, True):
        with pytest.raises(OSError) as caught, outfile.sheet(Path("/dev/full"), packed=packed) as s:
            for number in range(50_000):
                s.write(f"{number} {number * number}\n")
        assert caught.value.errno == errno.ENOSPC


def test_what_exists_is_only_replaced_on_request(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("before")
    with pytest.raises(UsageError, match="exists"):
        outfile.check(path)
    outfile.check(path, force=True)
    with pytest.raises(UsageError, match="no such folder"):
        outfile.check(tmp_path / "nowhere" / "a.txt")
    with pytest.raises(UsageError, match="a folder"):
        outfile.check(tmp_path, force=True)


def test_one_that_somebody_makes_meanwhile_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with pytest.raises(UsageError, match="exists"), outfile.beside(path) as part:
        part.write_text("ours")
        path.write_text("theirs")
    assert path.read_text() == "theirs"


def test_the_same_text_makes_the_same_packed_file(tmp_path: Path) -> None:
    made = []
    for name in ("a.gz", "b.gz"):
        with outfile.beside(tmp_path / name) as part, outfile.sheet(part, packed=True) as sheet:
            sheet.write("text\n" * 1000)
        made.append((tmp_path / name).read_bytes())
    assert made[0] == made[1]
    assert gzip.decompress(made[0]) == b"text\n" * 1000
