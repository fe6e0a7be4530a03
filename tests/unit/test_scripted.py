"""Pages that are empty without scripts. Right values: shells of frameworks, and other pages."""

import gzip
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphcrawl.models import Fetched
from graphcrawl.parse import Document, parse
from graphcrawl.readers import ReadOptions, read_page
from graphcrawl.scoring.reward import load_rules
from graphcrawl.urls import Scope

URL = "http://h.example/"


def fetched(body: str | bytes) -> Fetched:
    data = body.encode() if isinstance(body, str) else body
    return Fetched(URL, 200, data, "text/html", "", datetime.now(UTC), 0.1)


def read(body: str | bytes) -> Document:
    return parse(fetched(body))


@pytest.mark.parametrize(
    ("markup", "needs"),
    [
        # what create-react-app, Vue, Angular and Next put out
        (
            "<noscript>You need to enable JavaScript to run it.</noscript><div id=root></div>",
            1,
        ),
        ('<title>Jobs</title><div id="app"></div>', 1),
        ("<app-root>Loading...</app-root>", 1),
        ('<div id="__next"><!-- --></div><p>ok', 1),
        ("", 1),
        ("<p>Bitte aktivieren Sie JavaScript, um fortzufahren.", 1),
        ("<p>Please wait while the page is loading …", 1),
        # short pages that say what they have to say
        ("<p>It works!", 0),
        ("<noscript><img src='https://t.example/tr?id=1'></noscript><p>Closed on Monday.", 0),
        ("<form><input name=user><input type=password></form>", 0),
        ("<iframe src=/app></iframe>", 0),
        ("<div id=root></div>" + "<a href=/{}>x</a>" * 4, 0),
        (f"<div id=root></div><p>{'We hire. ' * 40}", 0),
    ],
)
def test_empty_without_scripts(markup, needs):
    markup = "".join(f"<a href=/{i}>x</a>" for i in range(4)).join(
        markup.split("<a href=/{}>x</a>" * 4)
    )
    assert read(f"{markup}<script src=/m.js></script>").needs_script == bool(needs)
    assert not read(f"<body>{markup}</body>").needs_script  # no script, no need


def test_articles_need_none(shared: Path):
    files = sorted((shared / "peer-suites/article-extraction-benchmark/html").glob("*.gz"))
    assert len(files) == 120
    small = [file for file in files if file.stat().st_size < 15_000]
    assert small
    assert not [f.name for f in small if read(gzip.decompress(f.read_bytes())).needs_script]


def test_thin_text_earns_nothing_but_what_is_solid_does():
    rules = load_rules("jobs")
    options = ReadOptions(rules, Scope.of([URL], "any"), "all")
    shell = "<title>Taleo</title><div id=app>job loading</div><script></script>"
    page = read_page(fetched(shell), 0, options)
    assert page.needs_script
    assert {grant.place for grant in page.grants} == {"title"}
    assert (page.text, page.visible) == ("", "")
    full = read_page(fetched("<title>Taleo</title><p>A job for you"), 0, options)
    assert "text" in {grant.place for grant in full.grants}
