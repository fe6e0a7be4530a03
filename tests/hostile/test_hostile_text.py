"""Text of strangers on its way to a terminal, a log or a file name: nothing in it is obeyed."""

import json
import logging
import re
from typing import Any

import pytest
from hostile_server import ESCAPE, SECRET

from graphcrawl.cli import logs, output, problems, words
from graphcrawl.cli.output import Format, each, emit_document, emit_rows
from graphcrawl.parse import _link
from graphcrawl.parse.content import Found
from graphcrawl.seeds import from_arguments
from graphcrawl.setting_values import GRAPH_NAME
from graphcrawl.urls import canonical, without_credentials

NASTY = f"a{ESCAPE}\x9b31m\x90q\x9c\x7f\u202eexe.txt\u2066\x08\x00b"
_OBEYED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.mark.parametrize("form", list(Format))
async def test_no_format_of_rows_carries_escape_sequences(form: Format, capsys: Any) -> None:
    row = {"url": "http://a.example/", "title": NASTY, "list": [NASTY], NASTY: 1}
    await emit_rows(each([row]), [], form)
    emit_document(row, form)
    written = capsys.readouterr()
    assert not _OBEYED.search(written.out + written.err)
    assert "http://a.example/" in written.out


def test_json_keeps_what_it_escapes() -> None:
    document = {"title": NASTY, "ü": ["\u2028", "\n"]}
    for indent in (None, 2):
        text = words.to_json(document, indent)
        assert not _OBEYED.search(text)
        assert json.loads(text) == document


def test_notes_errors_and_logs(capsys: Any, monkeypatch: Any, tmp_path: Any) -> None:
    monkeypatch.setenv("GRAPHCRAWL_HOME", str(tmp_path))
    output.note(NASTY)
    logs.configure(0)
    try:
        raise ValueError(NASTY)
    except ValueError as error:
        logging.getLogger("graphcrawl.test").exception("fetching %s", NASTY)
        problems.report(error, verbose=True)
    written = capsys.readouterr().err
    assert written.count("ValueError") >= 2
    assert not _OBEYED.search(written)
    (log,) = tmp_path.rglob("graphcrawl.log")
    assert "ValueError" in log.read_text()
    assert not _OBEYED.search(log.read_text())


@pytest.mark.parametrize(
    ("raw", "bare"),
    [
        (f"http://user:{SECRET}@a.example/x@y", "http://a.example/x@y"),
        (f"HTTPS://{SECRET}@a.example", "HTTPS://a.example"),
        (f"//user:{SECRET}@a.example/", "//a.example/"),
        (f"http:\\\\user:{SECRET}@a.example/", "http:\\\\a.example/"),
        (f"http://a@b:{SECRET}@a.example/?q=@", "http://a.example/?q=@"),
        (f"ftp://user:{SECRET}@a.example/", "ftp://a.example/"),
        (f"http:user:{SECRET}@a.example/", ""),  # browsers take it for the same
        (f"ht\ntp://user:{SECRET}@a.example/", "ht\ntp://a.example/"),
        (f"http:/\t/user:{SECRET}@a.example/", ""),
        (f"http://user:{SECRET}@[broken/", "http://[broken/"),
        ("mailto:a@b.example", "mailto:a@b.example"),
        ("/@user/status?to=a@b.example#@", "/@user/status?to=a@b.example#@"),
        ("user@host", "user@host"),
        ("http://a.example/@me", "http://a.example/@me"),
    ],
)
def test_user_and_password_are_taken_from_raw_urls(raw: str, bare: str) -> None:
    assert without_credentials(raw) == bare
    assert SECRET not in bare
    url = canonical(raw, "https://base.example/")
    if url is not None:
        assert SECRET not in url
        link = _link(url, url, [Found(raw, "", "", "body", "")], cues=False, hint=None)
        assert link.raw in {bare, ""}


@pytest.mark.parametrize(
    "name", ["../x", "a/b", ".", "..", "con:x", "a\0b", "-rf", ESCAPE, "x" * 64]
)
def test_no_name_of_a_graph_leaves_its_folder(name: str) -> None:
    assert not re.match(GRAPH_NAME, name)


def test_complaints_about_seeds_show_no_password() -> None:
    lines = [f"http://user:{SECRET}@[broken/", f"http://user:{SECRET}@a.example/x.png", "a b@c d"]
    seeds = from_arguments(lines)
    assert len(seeds.complaints) == 3
    assert SECRET not in "".join(seeds.complaints)
    assert "a.example/x.png" in seeds.complaints[1]
