"""What `check url` and `check page` tell. Right values: WHATWG URL, the rules as documented."""

import json
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from graphcrawl import cli
from graphcrawl.checks import check_url


@pytest.mark.parametrize(
    ("raw", "canonical", "host", "reason"),
    [
        ("HTTP://Example.org:80/a/../b#x", "http://example.org/b", "example.org", ""),
        ("example.org:8080/x", "https://example.org:8080/x", "example.org:8080", ""),
        ("mailto:a@b.example", "", "", "scheme"),
        ("data:text/html,x", "", "", "scheme"),
        ("http://[::1", "", "", "invalid"),
        ("http://a.example:99999/", "", "", "invalid"),
        ("", "", "", "invalid"),
        ("/rel", "", "", "relative"),
        ("//h.example/x", "", "", "relative"),
        ("../x", "", "", "relative"),
        ("?page=2", "", "", "relative"),
        ("http://h.example/cv.pdf", "http://h.example/cv.pdf", "h.example", "type"),
        ("http://h.example/" + "a/x/a/x/a/x", "http://h.example/a/x/a/x/a/x", "h.example", "trap"),
        (
            "http://h.example/" + "x" * 2100,
            "http://h.example/" + "x" * 2100,
            "h.example",
            "too-long",
        ),
        # every spelling of an address that must not be asked
        ("http://2130706433/", "http://127.0.0.1/", "127.0.0.1", "address"),
        ("http://0x7f.1/", "http://127.0.0.1/", "127.0.0.1", "address"),
        ("http://[::ffff:10.0.0.1]/", "http://[::ffff:a00:1]/", "[::ffff:a00:1]", "address"),
        ("http://localhost/", "http://localhost/", "localhost", "address"),
    ],
)
def test_check_url(raw, canonical, host, reason):
    found = check_url(raw)
    assert (found.canonical, found.host, found.reason) == (canonical, host, reason)
    assert found.refused == bool(reason) == bool(found.detail)


def test_check_url_by_base_and_patterns():
    assert check_url("?page=2", "http://h.example/jobs?page=1").canonical.endswith("/jobs?page=2")
    assert check_url("http://h.example/a", exclude=["/a"]).reason == "filter"
    assert not check_url("http://127.0.0.1/", allow_private=True).refused


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("GRAPHCRAWL_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_check_url_reads_lines(bare, monkeypatch, capsys):
    lines = TextIOWrapper(BytesIO(b"http://h.example/a\n\n  http://h.example/b.zip \n"))
    monkeypatch.setattr(sys, "stdin", lines)
    assert cli.run(["check", "url", "-", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["raw"], row["refused"]) for row in rows] == [
        ("http://h.example/a", False),
        ("http://h.example/b.zip", True),
    ]


def test_check_page_shows_all_that_parsing_sees(bare, capsys):
    body = (
        "<html lang=de><meta charset=latin1><title>Größe</title>"
        "<a href='../jobs.xml'>Job feed</a><a href=/bild.png>B</a><p>Ein taleo job"
    )
    (bare / "page.html").write_bytes(body.encode("cp1252"))
    base = "http://h.example/a/b"
    assert cli.run(["check", "page", "page.html", "--base", base, "--json"]) == 0
    seen = json.loads(capsys.readouterr().out)
    assert (seen["charset"], seen["charset_from"]) == ("cp1252", "meta")
    assert (seen["title"], seen["language"], seen["kind"]) == ("Größe", "de", "html")
    assert seen["text"] == "Job feedB\nEin taleo job"
    assert [(x["url"], x["raw"], x["anchor"], x["refused"]) for x in seen["links"]] == [
        ("http://h.example/jobs.xml", "../jobs.xml", "Job feed", ""),
        ("http://h.example/bild.png", "/bild.png", "B", "type"),
    ]
    assert seen["feeds"] == ["http://h.example/jobs.xml"]
    assert {rule["rule"] for rule in seen["rules"]} >= {"taleo", "job"}
    assert seen["reward"] == sum(rule["points"] for rule in seen["rules"])
    assert (seen["needs_script"], seen["refresh"], seen["jobs"]) == (False, "", 0)
    assert not (bare / "home" / "graphs").exists()  # nothing is written


def test_check_robots_judges_for_the_name_that_the_crawl_bears(bare, tmp_path, monkeypatch, capsys):
    file = tmp_path / "robots.txt"
    file.write_text("User-agent: mybot\nDisallow: /a\n")
    words = ("check", "robots", "http://h.example/a", "--file", str(file), "--json")

    def allowed(*more: str) -> bool:
        assert cli.run([*words, *more]) == 0
        return json.loads(capsys.readouterr().out)["allowed"]

    assert allowed()
    monkeypatch.setenv("GRAPHCRAWL_CRAWL__USER_AGENT", "MyBot/2.0")
    assert not allowed()
    assert allowed("--agent", "graphcrawl")
