"""Seeds from arguments, files and standard input."""

import io
from pathlib import Path

import pytest

from graphcrawl import seeds
from graphcrawl.cli.seed import what_becomes
from graphcrawl.config import load_settings
from graphcrawl.errors import SeedsError
from graphcrawl.frontier import SeedReport


def test_arguments_are_made_canonical_and_distinct() -> None:
    found = seeds.from_arguments(["HTTP://Example.ORG", "http://example.org/#top", "example.org"])
    assert found.urls == ("http://example.org/", "https://example.org/")
    assert found.complaints == ()


@pytest.mark.parametrize("junk", ["hello", "mailto:a@b.example", "http://", "two words.example"])
def test_an_argument_that_is_no_url_is_named(junk: str) -> None:
    found = seeds.from_arguments(["https://good.example/", junk])
    assert found.urls == ("https://good.example/",)
    assert len(found.complaints) == 1
    assert "argument 2" in found.complaints[0]
    assert junk in found.complaints[0]


def test_junk_lines_are_reported_with_their_numbers_and_the_good_ones_used(tmp_path: Path) -> None:
    file = tmp_path / "seeds.txt"
    file.write_text(
        "# sites\n\nhttps://a.example/\nnot a url\nhttps://b.example/\njavascript:x()\n"
    )
    found = seeds.from_file(file)
    assert found.urls == ("https://a.example/", "https://b.example/")
    assert [c.split(":")[0].rpartition(" ")[2] for c in found.complaints] == ["4", "6"]


def test_byte_order_mark_crlf_and_latin1_survive() -> None:
    data = b"\xef\xbb\xbfhttps://a.example/\r\nhttps://b.example/\xfc\r\n"
    found = seeds.from_stream(io.BytesIO(data), "stdin")
    assert found.urls[0] == "https://a.example/"
    assert found.urls[1].startswith("https://b.example/")


def test_localhost_and_ports_are_hosts() -> None:
    assert seeds.from_arguments(["localhost:8000/x"]).urls == ("https://localhost:8000/x",)


def test_a_url_that_no_crawl_takes_is_refused_with_its_reason() -> None:
    found = seeds.from_arguments(["https://a.example/logo.png", "https://a.example/" + "x" * 3000])
    assert found.urls == ()
    assert "type" in found.complaints[0]
    assert "too-long" in found.complaints[1]


@pytest.mark.parametrize("content", [b"\x89PNG\r\n\0\0\0", b"\0" * 10_000])
def test_a_binary_file_is_no_seeds_file(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "seeds.bin"
    file.write_bytes(content)
    with pytest.raises(SeedsError, match="not a text file"):
        seeds.from_file(file)


@pytest.mark.parametrize("content", [b"", b"# only a comment\n", b"nothing\nuseful\n"])
def test_a_file_without_a_usable_url_is_an_error(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "seeds.txt"
    file.write_bytes(content)
    with pytest.raises(SeedsError, match="no URL"):
        seeds.from_file(file)


def test_an_unreadable_file_is_an_error_with_its_reason(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.txt", tmp_path):
        with pytest.raises(SeedsError, match="Cannot read"):
            seeds.from_file(path)


@pytest.mark.parametrize(
    ("report", "said"),
    [
        (SeedReport(new=1, known=0, waiting=1), ["picks them up"]),
        (SeedReport(new=0, known=2, waiting=0), ["fetched before"]),
        (SeedReport(new=0, known=0, waiting=0, forgotten=2), ["2 seeds were forgotten"]),
        (SeedReport(new=0, known=1, waiting=0, forgotten=1), ["1 seed was forg", "fetched before"]),
        (SeedReport(new=1, known=0, waiting=1, forgotten=1), ["1 seed was forg", "picks them up"]),
    ],
)
def test_forgotten_seeds_are_not_said_to_be_fetched(report: SeedReport, said: list[str]) -> None:
    lines = list(what_becomes(report, 2, load_settings()))
    assert all(part in line for part, line in zip(said, lines, strict=True))
