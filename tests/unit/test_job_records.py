"""Records of feeds → postings. Right values: the formats' documents, the bug report, by hand."""

import gzip
import random
import re
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest

from graphcrawl.demo.feeds import _WRITERS, Ad
from graphcrawl.jobs import records
from graphcrawl.jobs.identity import digest_of, said_of
from graphcrawl.jobs.records import Feed, open_feed
from graphcrawl.jobs.resolve import Rows, resolve
from graphcrawl.jobs.split import MAX_RECORD_CHARS, Cuts, split
from graphcrawl.models import Posting

NOW = datetime(2026, 11, 30, 14, tzinfo=UTC)
JOB = "<job><title>Cook</title><company>Acme</company><url>http://a.example/1</url></job>"


def read(body: str | bytes, charset: str = "") -> tuple[Feed, list[Posting]]:
    data = body.encode() if isinstance(body, str) else body
    feed = open_feed(data, url="http://a.example/feed", charset=charset, now=NOW)
    return feed, list(feed.postings)


# --- the dirty feed of the bug report -------------------------------------------------------------


def test_dirty_feed_keeps_its_jobs(shared: Path) -> None:
    feed, postings = read((shared / "cases/35-jobfeed-dirty-xml/jobs.xml").read_bytes())
    titles = {p.own_id: p.title for p in postings}
    assert titles == {
        "J-1": "R&D Engineer",
        "J-2": "Koch & Beikoch",
        "J-3": "Caféleitung m/w/d",
        "J-4": "Fahrer",
        "J-5": "Kaputt offen",
        "J-6": "Bote Süd",
    }
    by_id = {p.own_id: p for p in reversed(postings)}
    assert by_id["J-1"].url == "http://jobs.example/j/1?a=1&b=2"
    assert by_id["J-2"].description == "Wir suchen dich.\nKochen"
    assert by_id["J-4"].url == "http://jobs.example/j/4"
    assert by_id["J-4"].description == "Fahren & Laden"
    assert by_id["J-6"].salary == "<2500 EUR"
    assert (feed.cuts.records, feed.cuts.lost, feed.repaired, feed.whole) == (7, 0, 1, True)
    decisions = resolve([said_of("f", posting) for posting in postings], Rows(), 1, 0)
    assert sum(decision.is_repeat for decision in decisions) == 1
    assert not any(decision.is_clash for decision in decisions)


# --- forms ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", sorted(_WRITERS))
def test_all_forms_say_the_same(form: str) -> None:
    ads = [
        Ad(
            number=n, role=f"Cook & baker {n}", firm="Acme", city="Graz", hours="full-time",
            salary="2,000 EUR", posted=datetime(2026, 3, n).date(),
            closes=datetime(2026, 5, 1).date(), text="Bake & cook.\nDaily.", path=f"/jobs/{n}",
            url=f"http://a.example/jobs/{n}",
        )
        for n in (1, 2, 3)
    ]  # fmt: skip
    feed, postings = read(_WRITERS[form]("Acme", "http://a.example", ads))  # type: ignore[operator]
    assert feed.whole and feed.found and feed.found.form == form
    said = [(p.title, p.company, p.city, p.url, p.posted and p.posted.date()) for p in postings]
    assert said == [(a.role, a.firm, a.city, a.url, a.posted) for a in ads]
    for posting in postings:
        assert posting.description.split() == ["Bake", "&", "cook.", "Daily."]
        assert posting.salary == "2,000 EUR"
        assert posting.own_id


def test_examples_of_job_boards(shared: Path) -> None:
    found = {}
    for name in ("indeed", "linkedin"):
        text = (shared / f"peer-suites/job-feeds/{name}.md").read_text()
        for example in re.findall(r"```\w*\n(<\?xml.*?)```", text, re.S):
            for p in read(example)[1]:
                found[name] = (p.own_id, p.title, p.company, p.city, p.region, p.country)
                found[name + " url"] = p.url
    assert found["indeed"] == (
        "unique123131", "Sales Executive", "ABC Hospital", "Phoenix", "AZ", "US",
    )  # fmt: skip
    assert found["linkedin"] == (
        "12345", "Staff Software Engineer - Applications", "LinkedIn", "Sunnyvale", "CA", "US",
    )  # fmt: skip
    assert found["linkedin url"] == "https://www.linkedin.com/jobs/view/1234?trk=linkedin"


def test_parts_and_nested_fields() -> None:
    """Personio's form, and a place with parts."""
    _, [posting] = read(
        "<workzag-jobs><position><id>7</id><subcompany>Acme</subcompany><office>Berlin</office>"
        "<name>Cook</name><jobDescriptions><jobDescription><name>Tasks</name><value>"
        "<![CDATA[<p>Cook</p>]]></value></jobDescription><jobDescription><name>We offer</name>"
        "<value>Tea</value></jobDescription></jobDescriptions>"
        "<employmentType>permanent</employmentType><createdAt>2026-01-02T03:04:05+01:00</createdAt>"
        "</position></workzag-jobs>"
    )
    assert (posting.title, posting.company, posting.place) == ("Cook", "Acme", "Berlin")
    assert posting.description == "Tasks\nCook\nWe offer\nTea"
    assert posting.posted == datetime(2026, 1, 2, 2, 4, 5, tzinfo=UTC)
    _, [posting] = read(
        "<jobs><job id='9'><title>Cook</title><image><url>http://a.example/x.png</url></image>"
        "<link>/jobs/9</link><location><city>Graz</city><country>Austria</country></location>"
        "<salary_min>10</salary_min><salary_max>20</salary_max></job></jobs>"
    )
    assert (posting.own_id, posting.url) == ("9", "http://a.example/jobs/9")
    assert (posting.city, posting.country, posting.place_raw) == ("Graz", "AT", "Graz, Austria")
    assert posting.salary == "10 20"


def test_a_job_without_title_or_id_is_kept() -> None:
    feed, postings = read(f"<jobs>{JOB}<job><company>Acme</company></job><job/></jobs>")
    assert [p.title for p in postings] == ["Cook", ""]
    assert feed.cuts.lost == 0


# --- dirt -----------------------------------------------------------------------------------------


def titles(body: str) -> tuple[list[str], int, bool]:
    feed, postings = read(body)
    return [p.title for p in postings], feed.cuts.lost, feed.whole


def job(title: str, rest: str = "<city>Graz</city></job>") -> str:
    return f"<job><title>{title}</title>{rest}"


def test_a_record_that_is_never_closed_ends_where_the_next_begins() -> None:
    body = f"<source>{job('A')}{job('B', '<city>Graz')}{job('C')}</source>"
    assert titles(body) == (["A", "B", "C"], 0, True)


def test_an_open_cdata_section_swallows_no_other_record() -> None:
    body = f"<source>{job('A')}{job('B', '<description><![CDATA[text</description></job>')}"
    body += f"{job('C', '<description><![CDATA[text]]></description></job>')}{job('D')}</source>"
    assert titles(body)[0] == ["A", "B", "C", "D"]


def test_a_cut_feed_loses_its_last_record_and_says_so() -> None:
    assert titles(f"<source>{job('A')}{job('B', '<ci')}") == (["A"], 1, False)
    assert titles(f"<source>{job('A')}{job('B')}") == (["A", "B"], 0, False)
    assert titles(f"<source>{job('A')}</source><!-- made by -->\n") == (["A"], 0, True)


def test_records_inside_cdata_and_comments_are_text() -> None:
    text = "<description><![CDATA[</job>]]></description></job>"
    assert titles(f"<source><!-- {job('X')} -->{job('A', text)}</source>")[0] == ["A"]


def test_fields_named_like_the_record() -> None:
    body = "<jobs><job><job>7</job><title>A</title><job/><city>Graz</city></job></jobs>"
    assert titles(body)[0] == ["A"]


def test_a_record_without_end_is_given_up_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphcrawl.jobs.split.MAX_RECORD_CHARS", 10_000)
    monkeypatch.setattr(records, "PIECE_BYTES", 1_000)
    endless = "<job><description><![CDATA[" + "x " * 20_000
    feed, postings = read(f"<source>{job('A')}{endless}")
    assert [p.title for p in postings] == ["A"]
    assert feed.cuts.lost == 1
    assert MAX_RECORD_CHARS > 10_000


def test_no_entity_is_expanded_or_fetched() -> None:
    bomb = "<!DOCTYPE s [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>"
    bomb += "<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"
    _, [posting] = read(f"{bomb}<source>{job('A &b; &x;')}</source>")
    assert posting.title == "A &b; &x;"


@pytest.mark.parametrize("body", ["", "<html><p>Jobs</html>", "<rss><channel/></rss>", "<jobs/>"])
def test_what_is_no_feed_gives_nothing(body: str) -> None:
    feed, postings = read(body)
    assert (feed.found, postings) == (None, [])


# --- streams --------------------------------------------------------------------------------------


def test_pieces_of_any_size_give_the_same_records() -> None:
    text = f"<source>{job('A')}<!-- </job> --><job><description><![CDATA[<job>]]></description>"
    quoted = job("B", '<x a=">" /></job >')
    text += f"</job>{quoted}{job('C', '')}{job('D')}</source>"
    names = frozenset({"job"})
    whole = list(split([text], names, Cuts()))
    assert len(whole) == 5
    rng = random.Random(1)
    for _ in range(200):
        cuts = sorted(rng.choices(range(len(text)), k=rng.randrange(1, 40)))
        pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
        assert list(split(pieces, names, Cuts())) == whole


def test_records_that_are_windows_1252_in_a_feed_of_utf_8() -> None:
    odd = "<job><title>Büro für Kaffee – café</title><city>Köln</city></job>"
    cut = b"<job><title>Caf" + "é".encode()[:1] + b"</title><city>Graz</city></job>"
    good = "<job><title>Bäcker 日本</title><city>Łódź</city></job>".encode()
    feed, found = read(b"<source>" + good + odd.encode("cp1252") + cut + b"</source>", "utf-8")
    assert [p.title for p in found] == ["Bäcker 日本", "Büro für Kaffee – café", "Caf\ufffd"]
    assert feed.whole


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lambda b: gzip.compress(b) + b"rest"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
def test_packed_and_in_any_encoding(
    pack,
    encoding: str,
    monkeypatch: pytest.MonkeyPatch,  # type: ignore[no-untyped-def]
) -> None:
    monkeypatch.setattr(records, "PIECE_BYTES", 777)
    monkeypatch.setattr(records, "RECOGNISE_BYTES", 3000)
    many = "".join(job(f"Köchin {n}") for n in range(500))
    name = encoding.removesuffix("-sig")
    body = f"<?xml version='1.0' encoding='{name}'?><source>{many}</source>".encode(encoding)
    feed = open_feed(BytesIO(pack(body)), now=NOW)
    assert [p.title for p in feed.postings] == [f"Köchin {n}" for n in range(500)]
    assert feed.whole


# --- identity -------------------------------------------------------------------------------------


def test_the_time_of_day_is_no_change() -> None:
    one, two = (Posting("Cook", posted=datetime(2026, 1, 1, hour, tzinfo=UTC)) for hour in (1, 2))
    assert digest_of(one) == digest_of(two)
