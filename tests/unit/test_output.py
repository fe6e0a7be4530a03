"""What commands print, in each format."""

import csv
import io
import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphcrawl.cli import live, output, words
from graphcrawl.cli.forget import what_apply_does
from graphcrawl.cli.output import Column, Format
from graphcrawl.config import load_settings
from graphcrawl.crawl import Stats
from graphcrawl.errors import UsageError
from graphcrawl.forget import ForgetReport

ROWS = [
    {"url": "http://a.example/", "reward": 1.5, "grants": ["1 job text"], "feed": False},
    {"url": "http://b.example/", "reward": None, "grants": [], "feed": True},
]


async def printed(form: Format, rows: list[dict[str, Any]], capsys: Any, **more: Any) -> str:
    await output.emit_rows(output.each(rows), (), form, **more)
    return str(capsys.readouterr().out)


async def test_json_is_one_document(capsys: Any) -> None:
    assert json.loads(await printed(Format.JSON, ROWS, capsys)) == ROWS
    assert json.loads(await printed(Format.JSON, [], capsys)) == []


async def test_jsonl_is_one_object_a_line(capsys: Any) -> None:
    lines = (await printed(Format.JSONL, ROWS, capsys)).splitlines()
    assert [json.loads(line) for line in lines] == ROWS
    assert await printed(Format.JSONL, [], capsys) == ""


async def test_csv_has_a_header_even_without_rows(capsys: Any) -> None:
    read = list(csv.DictReader(io.StringIO(await printed(Format.CSV, ROWS, capsys))))
    assert read[0] == {
        "url": "http://a.example/",
        "reward": "1.5",
        "grants": "1 job text",
        "feed": "false",
    }
    assert read[1]["reward"] == ""
    assert await printed(Format.CSV, [], capsys, keys=("url", "reward")) == "url,reward\n"


async def test_a_pipe_gets_tab_separated_lines(capsys: Any) -> None:
    out = await printed(Format.TABLE, [{"title": "one\ttwo\nthree", "n": 3}], capsys)
    assert out == "title\tn\none two three\t3\n"


async def test_a_terminal_gets_a_table(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", "1")  # rich takes stdout for a terminal
    monkeypatch.setenv("TERM", "dumb")  # … of the plainest kind, without codes for bold
    monkeypatch.setattr(output, "stdout_is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "60")
    rows = [{"url": "http://a.example/" + "x" * 99, "pages": 12345}]
    lines = (await printed(Format.TABLE, rows, capsys)).splitlines()
    assert "12,345" in lines[1]
    assert "…" in lines[1]
    assert len(lines) == 2


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (Format.JSONL, '{"a": {"b": 1}, "c": [1, 2]}\n'),
        (Format.CSV, 'a.b,c\n1,"[1, 2]"\n'),
        (Format.TABLE, "a.b\t1\nc\t[1, 2]\n"),
    ],
)
def test_documents(form: Format, expected: str, capsys: Any) -> None:
    output.emit_document({"a": {"b": 1}, "c": [1, 2]}, form)
    assert capsys.readouterr().out == expected


def test_formats_exclude_each_other() -> None:
    assert Format.chosen(False, False, False) is Format.TABLE
    assert Format.chosen(False, True, False) is Format.JSONL
    with pytest.raises(UsageError, match="--json and --csv"):
        Format.chosen(True, False, True)


def test_json_is_strict() -> None:
    away = timezone(timedelta(hours=2))
    document = {"nan": float("nan"), "at": datetime(2026, 1, 31, 14, tzinfo=away), "who": object}
    read = json.loads(words.to_json(document))
    assert read["nan"] == "nan"
    assert read["at"] == "2026-01-31T12:00:00Z"
    assert isinstance(read["who"], str)


def test_native_times_of_the_driver_are_turned_into_ours() -> None:
    class DriverTime:
        def to_native(self) -> datetime:
            return datetime(2026, 1, 31, tzinfo=UTC)

    assert words.plain([DriverTime()]) == ["2026-01-31T00:00:00Z"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "true"),
        ([], ""),
        (["a", "b"], "a; b"),
        ([{"url": "x"}, "LINK_AXON", {"url": "y"}], "x → y"),
        ([{"url": "x"}, {"url": "y"}], '[{"url": "x"}, {"url": "y"}]'),
        ({"url": "x", "reward": 1}, "x"),
        ({"n": 1}, '{"n": 1}'),
    ],
)
def test_cells(value: Any, text: str) -> None:
    assert words.cell(value) == text


@given(st.text())
def test_no_text_of_strangers_steers_the_terminal(text: str) -> None:
    safe = words.printable(text)
    assert not any(c < " " or "\x7f" <= c <= "\x9f" or "\u202a" <= c <= "\u202e" for c in safe)


def test_errors_with_escape_sequences_are_harmless(capsys: Any) -> None:
    output.error("bad title \x1b]0;owned\x07", "next")
    assert capsys.readouterr().err == "error: bad title \ufffd]0;owned\ufffd\nhint: next\n"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0, "0"),
        (0.00001234, "1.2e-05"),
        (0.0123, "0.0123"),
        (2.5, "2.50"),
        (1234567.8, "1,234,568"),
    ],
)
def test_points(value: float | None, text: str) -> None:
    assert words.points(value) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.25, "0.2 s"), (61, "1 min 1 s"), (7260, "2 h 1 min"), (200_000, "2 d 7 h")],
)
def test_durations(seconds: float, text: str) -> None:
    assert words.duration(seconds) == text


def test_sizes() -> None:
    assert [words.size(n) for n in (0, 1023, 1536, 5 * 2**20, 3 * 2**30)] == [
        "0 B",
        "1023 B",
        "1.5 KiB",
        "5.0 MiB",
        "3.0 GiB",
    ]


def test_wide_columns_are_cut_from_the_last_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    columns = (Column("n"), Column("url", wide=True), Column("title", wide=True))
    row = {"n": 1, "url": "u" * 60, "title": "t" * 60}
    made = output.table([row], columns)
    assert [column.width for column in made.columns] == [1, 80 - 1 - 20 - 4, 20]


def test_the_command_to_go_on_repeats_what_was_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHCRAWL_CRAWL__SCOPE", "host")  # holds for the next command anyway
    plain = load_settings()
    typed = {
        "delay": "0.1s",
        "include": ("/jobs/.*",),
        "resolve": ("*:80:127.0.0.1", "b.example:80:127.0.0.2"),
        "allow_private": True,
        "proxy": "http://me:hun@ter2@p.example:3128",
        "headers": ("Authorization: Bearer hunter3",),
    }
    settings = load_settings(contact="me@x.example", crawl=typed)
    stats = Stats(stop_reason="time")
    assert live.farewell(stats, settings, plain) == (
        "Stopped at the limit of time. Go on: graphcrawl crawl --contact me@x.example"
        " --include '/jobs/.*' --delay 0.1 --header 'Authorization: VALUE'"
        " --proxy http://me:PASSWORD@p.example:3128 --resolve '*:80:127.0.0.1'"
        " --resolve b.example:80:127.0.0.2 --allow-private"
    )


@pytest.mark.parametrize(
    ("typed", "flags"),
    [
        ({"order": {"by": "bfs"}}, " --order bfs"),
        ({"order": {"by": "composite"}}, " --order composite"),
        (
            {"order": {"by": "composite", "keywords": {"bike tour": 1.5}}},
            " --keyword 'bike tour=1.5'",
        ),
        (
            {"order": {"by": "topic"}, "topic": {"examples": ("ex",)}},
            " --topic ex --order topic",
        ),
    ],
)
def test_the_command_to_go_on_keeps_the_order(typed: dict[str, Any], flags: str) -> None:
    said = live.farewell(Stats(stop_reason="time"), load_settings(**typed), load_settings())
    assert said == f"Stopped at the limit of time. Go on: graphcrawl crawl{flags}"


@pytest.mark.parametrize(
    ("proxy", "shown"),
    [
        ("http://me:s3cret@proxy.example:8080", "http://me:PASSWORD@proxy.example:8080"),
        ("me:s3@cret@proxy.example:8080", "me:PASSWORD@proxy.example:8080"),
        ("socks5://proxy.example:1080", "socks5://proxy.example:1080"),
    ],
)
def test_the_command_to_go_on_shows_no_secret(proxy: str, shown: str) -> None:
    typed = {"proxy": proxy, "headers": ("X-Key: s3cret",)}
    settings = load_settings(crawl=typed)
    said = live.farewell(Stats(stop_reason="time"), settings, load_settings())
    assert "s3" not in said
    assert said.endswith(f"--proxy {shown} --header 'X-Key: VALUE'") or said.endswith(
        f"--header 'X-Key: VALUE' --proxy {shown}"
    )


@pytest.mark.parametrize(
    ("waiting", "said"),
    [
        (0, "Nothing is left to fetch. Look at it: graphcrawl pages"),
        (
            8,
            "Nothing else may be fetched: 8 pages left, at blocked hosts. "
            "See why: graphcrawl hosts",
        ),
    ],
)
def test_pages_at_blocked_hosts_are_not_called_nothing(waiting: int, said: str) -> None:
    plain = load_settings()
    assert live.farewell(Stats(stop_reason="done"), plain, plain, waiting=waiting) == said


async def test_csv_is_safe_in_spreadsheets(capsys: Any) -> None:
    rows = [{"title": "=cmd()", "depth": -1, "reward": -0.5, "text": "\tx", "plain": "a=b"}]
    printed_rows = list(csv.reader(io.StringIO(await printed(Format.CSV, rows, capsys))))
    assert printed_rows[1] == ["'=cmd()", "-1", "-0.5", "'\tx", "a=b"]


@pytest.mark.parametrize(
    ("kept", "said"), [(0, "Nothing of it is kept."), (3, "Nothing was removed.")]
)
def test_forget_says_whether_there_is_anything_to_remove(kept: int, said: str) -> None:
    report = ForgetReport(0, {}, 0, 0, 0, 0, 0, archives=kept, archived=kept, urls=())
    assert what_apply_does(report).startswith(said)
