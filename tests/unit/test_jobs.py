"""Job feeds: what is one and what is none. Right values: the formats' documents, peer suites."""

import gzip
import re
from pathlib import Path

import pytest

from graphcrawl.jobs import RECOGNISE_BYTES, feed_hint, recognise

JOB = "<job><title>Cook</title><company>Acme</company><url>http://a.example/1</url></job>"
NS_GOOGLE = 'xmlns:g="http://base.google.com/ns/1.0"'
NS_WP = 'xmlns:job_listing="http://a.example/?feed=job_feed"'


def rss(item: str, namespaces: str = "") -> str:
    head = f"<rss version='2.0' {namespaces}><channel><title>Feed</title>"
    return f"{head}<item><title>T</title>{item}</item></channel></rss>"


def atom(entry: str) -> str:
    head = "<feed xmlns='http://www.w3.org/2005/Atom'><title>Feed</title>"
    return f"{head}<entry><title>T</title>{entry}</entry></feed>"


@pytest.mark.parametrize(
    ("body", "form", "jobs"),
    [
        (f"<source><publisher>P</publisher>{JOB}{JOB}</source>", "source-job", 2),
        (f"<jobs>{JOB}</jobs>", "jobs-job", 1),
        (f"<response><jobs>{JOB}</jobs></response>", "jobs-job", 1),
        ("<jobs><job><title>T</title><url>http://a.example/1</url></job></jobs>", "jobs-job", 1),
        # fields that are named like records
        (
            "<jobs><job><title>T</title><city>C</city><position>1</position><vacancy>2</vacancy>"
            "</job></jobs>",
            "jobs-job",
            1,
        ),
        # Personio's form: the title is a name
        (
            "<workzag-jobs><position><id>1</id><office>Berlin</office><name>Cook</name>"
            "<employmentType>permanent</employmentType></position></workzag-jobs>",
            "jobs-job",
            1,
        ),
        # HR-XML 2.x: a requisition that holds its posting
        (
            "<JobPositionRequisition><JobPositionPostings><JobPositionPosting><JobPositionTitle>Cook"
            "</JobPositionTitle></JobPositionPosting><JobPositionPosting><HowToApply/>"
            "</JobPositionPosting></JobPositionPostings></JobPositionRequisition>",
            "hr-xml",
            2,
        ),
        (
            "<Envelope xmlns='http://ns.hr-xml.org/2007-04-15'><PositionOpening><PositionRecordInfo/>"
            "</PositionOpening></Envelope>",
            "hr-xml",
            1,
        ),
        (
            "<PositionOpening xmlns='http://ns.hr-xml.org/2007-04-15'><PositionRecordInfo/>"
            "<PositionProfile><PositionTitle>Engineer</PositionTitle></PositionProfile>"
            "</PositionOpening>",
            "hr-xml",
            1,
        ),
        (rss("<g:job_type>full-time</g:job_type>", NS_GOOGLE), "rss", 1),
        (rss("<g:salary>1</g:salary><g:price>1</g:price>", NS_GOOGLE), "rss", 1),
        (rss("<job_listing:location>Graz</job_listing:location>", NS_WP), "rss", 1),
        (rss("<location xmlns='http://a.example/jobs/'>Graz</location>"), "rss", 1),
        (rss("<company>Acme</company><city>Graz</city>"), "rss", 1),
        (rss("<employmentType>full</employmentType>"), "rss", 1),
        (atom("<company>Acme</company><location>Graz</location>"), "atom", 1),
        (
            "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'"
            " xmlns='http://purl.org/rss/1.0/'><channel/><item><title>T</title>"
            "<employer>Acme</employer></item></rdf:RDF>",
            "rss",
            1,
        ),
        # dirty: a bare ampersand, an unbound prefix, an open element, cut short
        ("<source><job><title>R&D</title><x:company>A</x:company></job>", "source-job", 1),
        (f"<source>{JOB}<job><title>Broken <b>open</title></job>{JOB}", "source-job", 2),
        (f"<source>{JOB}{JOB}<job><tit", "source-job", 2),
    ],
)
def test_each_form_is_recognised(body, form, jobs):
    feed = recognise(body.encode())
    assert feed is not None
    assert (feed.form, feed.jobs) == (form, jobs)


@pytest.mark.parametrize(
    "body",
    [
        rss("<description>We have a job and a career for you</description>"),  # words are no fields
        rss("<category>jobs</category><link>http://a.example/jobs/1</link>"),
        rss("<g:price>10 EUR</g:price><g:brand>Acme</g:brand>", NS_GOOGLE),
        rss("<g:location>Graz</g:location><g:price>1</g:price>", NS_GOOGLE),
        rss("<company>Acme</company><city>Graz</city><price>1</price>"),  # something for sale
        rss("<location>Graz</location><startTime>20:00</startTime>"),  # an event
        rss("<company>Acme</company>"),
        rss(
            "<description>d</description>", "xmlns='http://jobs.example/rss'"
        ),  # not the item's own
        atom("<author><name>A</name></author>"),
        "<hudson><job><name>build</name><url>http://ci.example/</url><color>blue</color></job></hudson>",
        "<jobs><job><name>nightly</name><schedule>0 0 * * *</schedule></job></jobs>",
        "<jobs><job>1</job><job>2</job></jobs>",
        "<jobs><job><id>1</id><department>IT</department><date>2026-11-30</date></job></jobs>",
        "<jobs/>",
        "<source><publisher>P</publisher></source>",
        "<urlset><url><loc>http://a.example/jobs/1</loc></url></urlset>",
        "<sitemapindex><sitemap><loc>http://a.example/jobs.xml</loc></sitemap></sitemapindex>",
        f"<html><body>{JOB}{JOB}</body></html>",
        f"<!DOCTYPE html><p>{JOB}",
        "source job title company",
        "",
    ],
)
def test_other_documents_are_not(body):
    assert recognise(body.encode()) is None


def test_jobs_without_titles_are_jobs():
    job = "<job><id>1</id><url>http://a.example/1</url><company>A</company><city>B</city></job>"
    feed = recognise(f"<jobs>{JOB}{job}{job}</jobs>".encode())
    assert feed is not None and feed.jobs == 3


def test_half_of_the_records_must_be_jobs():
    job, post = "<item><salary>1</salary></item>", "<item><title>T</title></item>"
    assert recognise(f"<rss><channel>{job}{post}</channel></rss>".encode()) is not None
    assert recognise(f"<rss><channel>{job}{post}{post}</channel></rss>".encode()) is None


@pytest.mark.parametrize(
    ("body", "title"),
    [
        (rss("<salary>1</salary>"), "Feed"),
        (atom("<salary>1</salary>"), "Feed"),
        (f"<source><publisher>P</publisher>{JOB}</source>", "P"),
        (f"<source>{JOB}</source>", ""),  # not the job's
    ],
)
def test_title_is_the_feed_s(body, title):
    feed = recognise(body.encode())
    assert feed is not None and feed.title == title


@pytest.mark.parametrize("content_type", ["text/html", "application/octet-stream", "", "image/png"])
def test_packing_mark_and_label_do_not_matter(content_type):
    body = f"<?xml version='1.0' encoding='utf-8'?>\n<source>{JOB}</source>".encode()
    for form in (
        body,
        gzip.compress(body),
        b"\xef\xbb\xbf" + body,
        body.decode().encode("utf-16"),
        b"\n\n" + body,
    ):
        assert recognise(form, content_type) is not None


def test_the_first_mebibyte_suffices():
    body = b"<source>" + JOB.encode() * (3 * RECOGNISE_BYTES // len(JOB)) + b"</source>"
    feed = recognise(body)
    assert feed is not None
    assert feed.jobs == pytest.approx(RECOGNISE_BYTES / len(JOB), abs=1)


def test_formats_of_job_boards(shared: Path):
    recognised = {}
    for file in sorted((shared / "peer-suites/job-feeds").glob("*.md")):
        for example in re.findall(r"```\w*\n(<\?xml.*?)```", file.read_text(), re.S):
            feed = recognise(example.encode())
            if feed is not None:
                recognised[file.stem] = (feed.form, feed.jobs)
    assert recognised == {"indeed": ("source-job", 1), "linkedin": ("source-job", 1)}
    # Adzuna's page shows its records empty; this one has the fields of its table.
    fields = "<id>1</id><title>T</title><geo_lat>1</geo_lat><location>L</location>"
    feed = recognise(f"<jobs><job>{fields}</job></jobs>".encode())
    assert feed is not None and feed.form == "jobs-job"


def test_dirty_feed_of_the_bug_report(shared: Path):
    feed = recognise((shared / "cases/35-jobfeed-dirty-xml/jobs.xml").read_bytes())
    assert feed is not None
    assert (feed.form, feed.jobs, feed.title) == ("source-job", 7, "Stellenwerk")


def test_no_blog_product_or_news_feed_is_taken_for_one(shared: Path):
    files = list((shared / "peer-suites/feedparser/tests").rglob("*.xml"))
    files += list((shared / "cases").glob("*/*.xml"))
    wrong = [file.name for file in files if recognise(file.read_bytes()) is not None]
    assert len(files) > 1800
    assert wrong == ["jobs.xml"]


def test_search_descriptions_are_no_feeds():
    assert feed_hint("http://a.example/jobs/opensearch.xml", "", "search") == 0.0


@pytest.mark.parametrize(
    ("url", "anchor", "link_type", "hint"),
    [
        ("http://a.example/jobs.xml", "", "", 1.0),
        ("http://a.example/feeds/jobs/all.rss", "", "", 1.0),
        ("http://a.example/jobfeed", "", "", 1.0),
        ("http://jobs.a.example/rss", "", "", 1.0),
        ("http://a.example/rss?type=vacancies", "", "", 1.0),
        ("http://a.example/export?id=7", "XML feed of all vacancies", "", 1.0),
        ("http://a.example/x", "Stellenangebote", "application/rss+xml", 1.0),
        ("http://a.example/indeedJobFeed.xml", "", "", 1.0),
        ("http://a.example/feed", "", "", 0.5),
        ("http://a.example/x.xml.gz", "", "", 0.5),
        ("http://a.example/", "RSS", "", 0.5),
        ("http://a.example/sitemap-jobs.xml", "", "", 0.5),
        ("http://a.example/blog/feed/", "", "", 0.1),
        ("http://a.example/sitemap.xml", "", "", 0.1),
        ("http://a.example/x", "Blog", "application/atom+xml", 0.1),
        ("http://a.example/jobs", "All jobs", "", 0.0),
        ("http://a.example/feedback", "Your feedback", "", 0.0),
        ("http://rss.example/about", "About", "", 0.0),
        ("http://a.example/atomic", "Cross", "", 0.0),
        ("http://a.example/", "", "", 0.0),
    ],
)
def test_hint(url, anchor, link_type, hint):
    assert feed_hint(url, anchor, "", link_type) == hint
