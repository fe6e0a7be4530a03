"""JSON-LD and microdata. Right values: schema.org's example, extruct's samples."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from graphcrawl.jobs.structured import json_ld, microdata, read_structured

NOW = datetime(2026, 11, 30, 14, tzinfo=UTC)
PAGE = "http://a.example/jobs/7"


def script(text: str) -> str:
    return f"<!doctype html><p>Text<script type='application/ld+json'>{text}</script>"


def test_a_microdata_value_is_what_a_reader_sees() -> None:
    page = """<div itemscope itemtype="http://schema.org/JobPosting"><h1 itemprop=title>Cook
    <script>var a = 'b';</script><style>h1 {}</style><b>(m/f)</b><template>no</template></h1>
    <div itemprop=description>Cooks.<script>track()</script></div>
    <object itemprop=url data="/apply.pdf">none</object></div>"""
    _, [posting] = read_structured(page, PAGE, NOW)
    assert (posting.title, posting.description) == ("Cook (m/f)", "Cooks.")
    assert posting.url == "http://a.example/apply.pdf"


@pytest.mark.parametrize("syntax", ["MICRODATA:", "JSON:"])
def test_the_example_of_schema_org(shared: Path, syntax: str) -> None:
    file = shared / "peer-suites/schemaorg-jobposting/jobposting-examples.txt"
    example = file.read_text().split("TYPES: #eg-0029")[0].split(syntax)[1].split("RDFA:")[0]
    types, [posting] = read_structured(example, PAGE, NOW)
    assert {"JobPosting", "Place", "PostalAddress"} <= set(types)
    assert posting.title == "Software Engineer"
    assert posting.company == ("ABC Company Inc." if syntax == "MICRODATA:" else "")
    assert (posting.city, posting.region, posting.country) == ("Kirkland", "WA", "US")
    assert posting.posted == datetime(2011, 10, 31, tzinfo=UTC)
    assert (posting.employment, posting.salary) == ("Full-time", "100000 USD")
    assert " ".join(posting.description.split()) == (
        "Description: ABC Company Inc. seeks a full-time mid-level software engineer to develop "
        "in-house tools."
    )
    assert posting.url == PAGE


def test_json_ld_of_extruct_s_samples(shared: Path) -> None:
    samples = shared / "peer-suites/structured-data/tests/samples"
    compared = 0
    for file in sorted(samples.rglob("*.jsonld")):
        page = file.with_suffix(".html")
        wanted = json.loads(file.read_text())
        if not page.is_file() or not isinstance(wanted, list):
            continue
        found = json_ld(LexborHTMLParser(page.read_text()))
        flat = [one for value in found for one in (value if isinstance(value, list) else [value])]
        if page.name.startswith("jsonld_empty"):
            flat = [one for one in flat if one]
        assert flat == wanted, page.name
        compared += 1
    assert compared >= 8


def as_extruct(item: Any) -> Any:
    """Return an item in the form of extruct's microdata: single values not in lists."""
    if not isinstance(item, dict):
        return (
            " ".join(LexborHTMLParser(item).text().split())
            if "<" in item
            else " ".join(item.split())
        )
    values = {
        name: [as_extruct(v) for v in value] for name, value in item.items() if name[0] != "@"
    }
    flat = {name: value[0] if len(value) == 1 else value for name, value in values.items()}
    types = item["@type"]
    return {"type": types[0] if len(types) == 1 else types, "properties": flat}


def squeezed(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: squeezed(v) for k, v in value.items() if k not in ("id", "textContent", "value")}
    if isinstance(value, list):
        return [squeezed(one) for one in value]
    return " ".join(value.split()) if isinstance(value, str) else value


@pytest.mark.parametrize(
    "name",
    [
        "Event.001",
        "Event.002",
        "Event.003",
        "Event.004",
        "Event.008",
        "LocalBusiness.002",
        "LocalBusiness.003",
        "MusicRecording.001",
    ],
)
def test_microdata_of_extruct_s_samples(shared: Path, name: str) -> None:
    folder = shared / "peer-suites/structured-data/tests/samples/schema.org"
    wanted = squeezed(json.loads((folder / f"{name}.json").read_text()))
    found = [
        as_extruct(i) for i in microdata(LexborHTMLParser((folder / f"{name}.html").read_text()))
    ]
    assert found == wanted


def test_a_posting_in_a_graph_with_references() -> None:
    types, [posting] = read_structured(
        script(
            """{"@context": "https://schema.org", "@graph": [
            {"@type": "Organization", "@id": "#org", "name": "Acme"},
            {"@type": ["JobPosting", "schema:Thing"], "title": "Cook &amp; Baker",
             "hiringOrganization": {"@id": "#org"}, "url": "/apply/7",
             "identifier": {"@type": "PropertyValue", "name": "Acme", "value": 77},
             "jobLocation": [{"@type": "Place", "address": {"addressLocality": "Graz",
               "addressCountry": {"@type": "Country", "name": "Austria"}}}],
             "baseSalary": {"@type": "MonetaryAmount", "currency": "EUR",
               "value": {"minValue": 10, "maxValue": 20, "unitText": "HOUR"}},
             "employmentType": ["FULL_TIME", "PART_TIME"], "validThrough": "2026-12-31",
             "description": "&lt;p&gt;Bake.&lt;/p&gt;<ul><li>Daily</ul>"}]}"""
        ),
        PAGE,
        NOW,
    )
    assert types == ("Country", "JobPosting", "MonetaryAmount", "Organization", "Place",
                     "PropertyValue", "Thing")  # fmt: skip
    assert (posting.title, posting.company, posting.own_id) == ("Cook & Baker", "Acme", "77")
    assert (posting.city, posting.country, posting.place_raw) == ("Graz", "AT", "Graz, Austria")
    assert (posting.salary, posting.employment) == ("10–20 EUR HOUR", "FULL_TIME, PART_TIME")
    assert posting.description == "Bake.\nDaily"
    assert posting.url == "http://a.example/apply/7"
    assert posting.closes == datetime(2026, 12, 31, tzinfo=UTC)


def test_a_remote_job_and_several_places() -> None:
    _, [far, two] = read_structured(
        script(
            """[{"@type": "JobPosting", "title": "A", "jobLocationType": "TELECOMMUTE"},
            {"@type": "http://schema.org/JobPosting", "title": "B", "jobLocation":
             [{"address": "Graz, Austria"}, {"address": "Linz, Austria"}]}]"""
        ),
        PAGE,
        NOW,
    )
    assert (far.place, far.city, far.place_raw) == ("Remote", "", "TELECOMMUTE")
    assert (two.city, two.place_raw) == ("Graz", "Graz, Austria; Linz, Austria")


@pytest.mark.parametrize(
    "text",
    [
        '{"@type": "JobPosting", "title": "A",}',
        '// made by\n{"@type": "JobPosting", /* x */ "title": "A"};',
        '<!-- {"@type": "JobPosting", "title": "A"} -->',
        '//<![CDATA[\n{"@type": "JobPosting", "title": "A"}\n//]]>',
        '{"@type": "JobPosting",\n"description": "a\nb", "title": "A"}',
        '{"@type": "Thing"}{"@type": "JobPosting", "title": "A"}',
        "{&quot;@type&quot;: &quot;JobPosting&quot;, &quot;url&quot;: &quot;http://x.example/&quot;,"
        "&quot;title&quot;: &quot;A&quot;}",
        r'{"@type": "JobPosting", "title": "A", "description": "it\'s \d \x"}',
    ],
)
def test_dirty_json(text: str) -> None:
    _, postings = read_structured(script(text), PAGE, NOW)
    assert [posting.title for posting in postings] == ["A"]


def test_escapes_that_json_does_not_know_stay_what_they_look_like() -> None:
    text = r'{"@type": "JobPosting", "title": "it\'s \d \\ \"b\" \u00e9 \u00zz"}'
    _, [posting] = read_structured(script(text), PAGE, NOW)
    assert posting.title == r"""it's \d \ "b" é \u00zz"""


@pytest.mark.parametrize(
    "text",
    ["", "null", "{", "[" * 5000, '{"@type": 7}', '{"@type": "JobPosting"}', '"JobPosting"',
     '{"@type": "JobPosting", "title": null, "jobLocation": 5}'],
)  # fmt: skip
def test_what_states_no_posting(text: str) -> None:
    assert read_structured(script(text), PAGE, NOW)[1] == ()


def test_microdata_that_refers_to_itself_ends() -> None:
    page = "<div itemscope itemtype='http://schema.org/JobPosting' id=a itemref='a b'>"
    page += "<b itemprop=title>A</b></div><div id=b itemprop=x itemscope itemref=a></div>"
    _, postings = read_structured(page, PAGE, NOW)
    assert "A" in {posting.title for posting in postings}


def test_a_page_without_structured_data() -> None:
    assert read_structured("<p>JobPosting", PAGE, NOW) == ((), ())
