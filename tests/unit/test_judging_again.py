"""What an evaluation reports about rules, apart from any graph."""

from dataclasses import replace

import pytest

from graphcrawl.evaluate import EvaluationReport, RuleTally, _evidence, _grant
from graphcrawl.models import Grant

REPORT = EvaluationReport(
    rules="mine", digest="d", applied=True, pages=3, earning=3, changed=0, without_text=0,
    kept_grants=0, skipped=0, base_moved=0.0, reward_moved=0.0, slow_rules={}, seconds=0.1,
    by_rule=(
        RuleTally("all", 1.0, 3, 0, 0), RuleTally("some", 1.0, 2, 0, 0),
        RuleTally("none", 1.0, 0, 0, 0), RuleTally("gone", None, 0, 0, 3),
    ),
)  # fmt: skip


def test_rules_that_are_of_no_use_are_named():
    assert REPORT.idle_rules == ("none",)
    assert REPORT.blunt_rules == ("all",)


def test_a_feed_among_the_pages_hides_no_rule_that_all_others_earn():
    tallies = (RuleTally("most", 1.0, 24, 0, 0), RuleTally("many", 1.0, 18, 0, 0))
    assert replace(REPORT, pages=25, by_rule=tallies).blunt_rules == ("most",)


def test_one_page_says_nothing_about_a_rule():
    one = replace(REPORT, pages=1, by_rule=(RuleTally("all", 1.0, 1, 0, 0),))
    assert one.blunt_rules == ()


@pytest.mark.parametrize(
    "grant", [Grant("c++", 10.0, "links"), Grant("求人", 2.5, "text"), Grant("x", 1e-7, "types")]
)
def test_grants_are_read_as_they_were_written(grant):
    from graphcrawl.settle import grant_text

    assert _grant(grant_text(grant.points, grant.rule, grant.place)) == grant


LINK = ["http://b.example/", None, "anchor", None]
ROW = {
    "url": "http://a.example/", "title": "T", "visible": "words", "types": [], "outLinks": 1,
    "links": [LINK],
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "partial"),
    [
        ({}, set()),
        ({"visible": None}, {"text"}),
        ({"visible": ""}, set()),
        ({"visible": "x" * 1_000_000}, {"text"}),  # it may have been cut
        ({"outLinks": 2}, {"anchors", "links"}),
        ({"outLinks": None}, set()),  # of an older graph
        ({"links": [LINK, LINK]}, set()),  # links of earlier visits stay
        ({"links": [["u", None, "a", ["b", "c", "d", "e"]]]}, {"anchors"}),  # a sixth is not kept
    ],
)
def test_missing_evidence_is_known(change, partial):
    assert _evidence(ROW | change, ()).partial == partial | {"html"}


def test_evidence_is_written_as_a_crawl_reads_it():
    links = [
        ["http://b.example/x", "/x", "one", ["two", "three"]],
        ["http://c.example/", None, None, None],
    ]
    found = _evidence(ROW | {"links": links, "types": ["JobPosting", "Thing"]}, ())
    assert found.links == "http://b.example/x\n/x\nhttp://c.example/"
    assert found.anchors == "one\ntwo\nthree"
    assert (found.title, found.text, found.types) == ("T", "words", "JobPosting Thing")
