"""One page through parse, rules and scope. The pool of processes is tested in tests/e2e."""

import gzip
import hashlib
import json
import pickle
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphcrawl.models import Fetched, Grant, Page, Reason
from graphcrawl.readers import ReadOptions, main_text, read_page
from graphcrawl.scoring.reward import load_rules
from graphcrawl.urls import Scope

URL = "http://www.acme.example/about"
OPTIONS = ReadOptions(load_rules("jobs"), Scope.of([URL], "domain", max_depth=3))
ARTICLE = (
    "<p>" + "The harbour of the old town was rebuilt after the great flood of that year. " * 12
)


def read(
    body: str | bytes, options: ReadOptions = OPTIONS, depth: int = 1, media_type: str = "text/html"
) -> Page:
    data = body.encode() if isinstance(body, str) else body
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return read_page(Fetched(URL, 200, data, media_type, "utf-8", now, 0.1), depth, options)


# --- grants [000.evaluate] ----------------------------------------------------------------------


def test_a_link_to_a_taleo_host_is_enough():
    assert read("<a href='https://acme.taleo.net/x'>apply</a>").grants == (
        Grant("taleo", 10, "links"),
    )


@pytest.mark.parametrize(
    "body",
    [
        "<script>var job = 'career hr taleo'</script>",
        "<style>.job {}</style><!-- job --><template>job</template><noscript>job</noscript>",
        "Jobson and <b>Job</b>son, a Hobjob",
        "<img alt=job><input value=job placeholder=hr><meta name=description content=job>",
        "<a href=/jobs/career/hr>x</a>",
    ],
)
def test_what_nobody_reads_earns_nothing(body):
    assert read(body).grants == ()


def test_visible_words_earn_wherever_they_stand():
    page = read("<title>HR</title><footer><select><option>Career</select></footer><p>a\nJOB")
    assert page.grants == (
        Grant("job", 1, "text"),
        Grant("career", 1, "text"),
        Grant("hr", 1, "title"),
    )


# --- links --------------------------------------------------------------------------------------


def test_links_outside_the_scope_stay_links_and_are_listed():
    page = read("<a href=/in><a href=http://other.example/><a href=/x.pdf><a href=/a/a/a/a/>")
    assert [link.url for link in page.links] == [
        "http://www.acme.example/in",
        "http://other.example/",
        "http://www.acme.example/x.pdf",
        "http://www.acme.example/a/a/a/a/",
    ]
    assert page.excluded == (
        ("http://other.example/", Reason.SCOPE),
        ("http://www.acme.example/x.pdf", Reason.TYPE),
        ("http://www.acme.example/a/a/a/a/", Reason.TRAP),
    )
    assert page.refused == {}


def test_links_are_one_deeper_than_their_page():
    assert read("<a href=/x>", depth=2).excluded == ()
    assert read("<a href=/x>", depth=3).excluded == (("http://www.acme.example/x", Reason.DEPTH),)


def test_what_the_graph_cannot_hold_is_only_counted():
    options = replace(OPTIONS, max_links=3)
    page = read(f"<a href=/1><a href=/{'x' * 3000}><a href=/2><a href=/3><a href=/4>", options)
    assert [link.url[-2:] for link in page.links] == ["/1", "/2"]
    assert page.refused == {"too-long": 1, "too-many": 2}
    assert page.excluded == ()


# --- feeds, digest, text ------------------------------------------------------------------------


def test_a_job_feed_is_recognised_under_a_wrong_content_type():
    body = b"<source><publisher>P</publisher><job><title>Cook</title><url>/1</url></job></source>"
    for data in (body, gzip.compress(body)):
        page = read(data, media_type="text/html")
        assert page.feed is not None and page.feed.form == "source-job"
        assert page.title == "P"  # not that of its first job
        assert [link.anchor for link in page.links] == ["Cook"]
        assert page.digest == hashlib.blake2b(data, digest_size=16).hexdigest()


@pytest.mark.parametrize(
    ("mode", "useful", "useless"),
    [("useful", True, False), ("all", True, True), ("none", False, False)],
)
def test_text_is_kept_for_whom_it_is_wanted(mode, useful, useless):
    options = replace(OPTIONS, text=mode)
    assert (read(f"<nav>Menu</nav>{ARTICLE} job", options).text is not None) is useful
    assert (read(f"<nav>Menu</nav>{ARTICLE}", options).text is not None) is useless


def test_main_text_leaves_the_menu_out():
    page = read(f"<nav><a href=/1>Menu</a></nav><article>{ARTICLE} job</article>")
    assert page.text is not None
    assert "harbour" in page.text and "Menu" not in page.text


def test_all_that_rules_read_is_kept_beside_the_main_text(monkeypatch):
    """Judging again needs the menu too; what is longer than the limit is cut."""
    page = read(f"<nav><a href=/1>Menu</a></nav><article>{ARTICLE} job</article>")
    assert page.visible is not None
    assert "harbour" in page.visible and "Menu" in page.visible
    assert read("<p>nothing</p>").visible is None
    monkeypatch.setattr("graphcrawl.readers.MAX_VISIBLE_CHARS", 6)
    assert read("<p>one job</p>").visible == "one jo"


def test_visible_text_stands_in_where_the_extractor_fails(monkeypatch):
    monkeypatch.setattr("trafilatura.extract", lambda *_, **__: 1 / 0)
    assert read("<p>one job</p><p>two</p>").text == "one job\ntwo"


def test_a_page_in_no_wanted_language_is_less_good():
    page = f"<html lang=de><p>{ARTICLE}</html>"
    any_language, german, french = (
        read(page, replace(OPTIONS, languages=wanted)).quality
        for wanted in ((), ("en", "de"), ("fr",))
    )
    assert any_language == german == pytest.approx(french + 0.1)


def test_binary_bodies_are_unsupported_not_errors():
    page = read(b"\x89PNG\r\n\x1a\n\0\0job", replace(OPTIONS, text="all"))
    assert page.unsupported and page.grants == () and page.links == ()


def test_options_and_pages_travel_between_processes():
    page = read("<title>T</title><a href=/x rel=nofollow>job</a>")
    assert pickle.loads(pickle.dumps(page)) == page
    assert read_page(
        Fetched(URL, 200, b"job", "text/html", "", datetime(2026, 1, 1, tzinfo=UTC), 0.1),
        1,
        pickle.loads(pickle.dumps(OPTIONS)),
    ).grants == (Grant("job", 1, "text"),)


def test_main_text_is_as_good_as_published(shared: Path):
    """F1 over runs of four words, as the benchmark counts it; trafilatura's own figure: 0.958."""
    suite = shared / "peer-suites/article-extraction-benchmark"
    truth = json.loads((suite / "ground-truth.json").read_text(encoding="utf-8"))
    precisions, recalls = [], []
    for key in sorted(truth)[::6]:
        markup = gzip.decompress((suite / "html" / f"{key}.html.gz").read_bytes()).decode()
        wanted, found = _shingles(truth[key]["articleBody"]), _shingles(main_text(markup))
        both = (wanted & found).total()
        precisions.append(both / found.total() if found else float(not wanted))
        recalls.append(both / wanted.total() if wanted else float(not found))
    precision, recall = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    assert 2 * precision * recall / (precision + recall) > 0.90


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    words = re.findall(r"\w+", text)
    return (
        Counter(tuple(words[i : i + 4]) for i in range(max(1, len(words) - 3)))
        if words
        else Counter()
    )


def test_parsers_load_in_the_readers_only():
    code = """import sys, graphcrawl.readers
assert not {"lxml", "selectolax", "trafilatura", "charset_normalizer"} & set(sys.modules)"""
    subprocess.run([sys.executable, "-c", code], check=True)
