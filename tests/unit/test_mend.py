"""Markup made to keep parsers busy; each took a minute before, or a good part of one."""

import time
from datetime import UTC, datetime

import pytest

from graphcrawl.models import Fetched
from graphcrawl.parse import parse
from graphcrawl.parse.mend import mend

LINK = "<a href=/x>here</a>"
HOSTILE = {
    "deep": "<div>" * 100_000 + LINK,
    "deep and closed": "<div>" * 60_000 + LINK + "</div>" * 60_000,
    "ends that close nothing": "<div></x>" * 60_000 + LINK,
    "many attributes": LINK + "<p " + "\n".join(f"a{i}" for i in range(200_000)) + ">",
    "many values": LINK + "<p " + " ".join(f"a{i}='{i}'" for i in range(100_000)),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.timeout(60)
def test_hostile_markup_is_read_in_seconds(name):
    body = HOSTILE[name].encode()
    begun = time.process_time()
    document = parse(Fetched("http://h.example/", 200, body, "text/html", "", datetime.now(UTC), 0))
    assert time.process_time() - begun < 10
    assert [link.url for link in document.links] == ["http://h.example/x"]
    assert "here" in document.text


@pytest.mark.parametrize(
    "markup",
    [
        "<div><p>x</div>",
        "<ul>" + "<li><a href=/x>y</a>" * 30_000,
        ("<div>" * 400 + "x" + "</div>" * 400) * 30,
        "<img src='data:image/png;base64," + "A/b=" * 20_000 + "'><p>x",
        '<div data-state=\'{"html": "<b>' + 'x="1" ' * 9_000 + "\"}'>x</div>",
        "<script>" + "'<div>'" * 20_000 + "</script><p>x",
    ],
)
def test_honest_markup_passes_untouched(markup):
    assert mend(markup) == markup


def test_text_and_links_beyond_the_limit_stay():
    page = "<div>" * 20_000 + "".join(f"<p>text {i} <a href=/{i}>l</a>" for i in range(5))
    kept = mend(page)
    assert kept.count("<div>") == 512
    assert all(f"text {i} <a href=/{i}>l</a>" in kept for i in range(5))
