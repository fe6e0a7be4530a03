"""The grammar of filters."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphcrawl import where
from graphcrawl.errors import UsageError
from graphcrawl.where import Term


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("reward>10", [Term(">", "reward", 10.0)]),
        ("reward >= 1e-3", [Term(">=", "reward", 0.001)]),
        ("depth<3 in_links!=0", [Term("<", "depth", 3.0), Term("!=", "inLinks", 0.0)]),
        ("status=200 depth<1e3", [Term("=", "status", 200), Term("<", "depth", 1000)]),
        ("host=a.example:8080", [Term("=", "host", "a.example:8080")]),
        ('title~"head nurse"', [Term("~", "title", "head nurse")]),
        ("title='it=is>odd'", [Term("=", "title", "it=is>odd")]),
        ('language=""', [Term("=", "language", "")]),
        ("url=http://a.example/?q=1&r>2", [Term("=", "url", "http://a.example/?q=1&r>2")]),
        ("bytes>=20KiB", [Term(">=", "bytes", 20480)]),
        ("state=frontier", [Term("label", "", "Frontier")]),
        ("state!=Excluded", [Term("no label", "", "Excluded")]),
        ("feed=yes", [Term("label", "", "JobFeed")]),
        ("feed=no", [Term("no label", "", "JobFeed")]),
        ("seed!=yes", [Term("no label", "", "Seed")]),
        ("seed!=no", [Term("label", "", "Seed")]),
        ("rule=taleo", [Term("grant", "grants", "taleo")]),
        ("wish=NoAI", [Term("has", "wishes", "noai")]),
        ("wish!=noai", [Term("has not", "wishes", "noai")]),
        ("reserved=yes", [Term("present", "reserved", "")]),
        ("reserved=no", [Term("absent", "reserved", "")]),
        ("rule!=taleo", [Term("no grant", "grants", "taleo")]),
        ("fetched_at>2026-01-31", [Term(">", "fetchedAt", datetime(2026, 1, 31, tzinfo=UTC))]),
        (
            "fetched_at<=2026-01-31T12:00+02:00",
            [Term("<=", "fetchedAt", datetime.fromisoformat("2026-01-31T12:00+02:00"))],
        ),
    ],
)
def test_terms(text: str, terms: list[Term]) -> None:
    assert where.parse([text]) == tuple(terms)


def test_all_expressions_count() -> None:
    assert len(where.parse(["reward>1 depth<2", "feed=yes"])) == 3
    assert where.parse([]) == ()


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("rewrad>10", "There is no field 'rewrad' to filter by.", "Did you mean reward?"),
        ("rewrad>10", "There is no field", "Fields: url, host, title"),
        ("qqq=1", "There is no field 'qqq' to filter by.", "Fields: url, host, title"),
        ("reward~1", "The field 'reward' (number) cannot be compared by '~'.", "= != > >= < <="),
        ("state>fetched", "The field 'state' (label) cannot be compared by '>'.", "= !="),
        ("reward>much", "does not take 'much': it is a number", "reward: neural reward"),
        ("reward>nan", "it is a number", "reward"),
        ("state=done", "does not take 'done': it is a state", "frontier, leased, fetched"),
        ("feed=maybe", "it is yes or no", "feed"),
        ("fetched_at>soon", "it is a date such as 2026-01-31", "fetched_at"),
        (
            "depth=1.5",
            "The field 'depth' does not take '1.5': it is a whole number.",
            "depth: links",
        ),
        ("status>=soon", "does not take 'soon': it is a whole number", "status: HTTP status"),
        ("tries=1e300", "it is a whole number", "tries: requests so far"),
        ("in_links=inf", "it is a whole number", "in_links"),
        ("bytes>1lightyear", "is not a size such as 5MiB", "bytes"),
        ("reward", "Cannot read the filter at 'reward'.", "reward>10"),
        ("reward>", "Cannot read the filter at 'reward>'.", "reward>10"),
        ("reward>1 and depth<2", "Cannot read the filter at 'and depth<2'.", "FIELD OPERATOR"),
        ('title="open', "Cannot read the filter at", "FIELD OPERATOR VALUE"),
        ("", "The filter is empty.", "reward>10"),
    ],
)
def test_mistakes_name_what_is_wrong(text: str, message: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        where.parse([text])
    assert message in caught.value.message
    assert hint in caught.value.hint


@given(st.text())
def test_any_text_parses_or_is_refused(text: str) -> None:
    try:
        terms = where.parse([text])
    except UsageError as error:
        assert error.message
        assert error.hint
    else:
        assert terms


@given(
    st.sampled_from(["url", "host", "title"]),
    st.sampled_from(["=", "!=", "~"]),
    st.text(st.characters(exclude_characters='"')),
)
def test_a_quoted_value_arrives_as_it_was_written(field: str, op: str, value: str) -> None:
    assert where.parse([f'{field}{op}"{value}"']) == (Term(op, field, value),)


def test_sorting() -> None:
    assert where.sort_property("reward") == ("reward", True)
    assert where.sort_property("in_links") == ("inLinks", True)
    assert where.sort_property("depth") == ("depth", False)
    assert where.sort_property("url") == ("url", False)
    for name in ("state", "rule", "feed", "nothing"):
        with pytest.raises(UsageError):
            where.sort_property(name)


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("gone=yes", Term("present", "goneAt", "")),
        ("gone=no", Term("absent", "goneAt", "")),
        ("gone!=yes", Term("absent", "goneAt", "")),
        ("id=x", Term("=", "key", "x")),
        ("posted>2026-01-31", Term(">", "posted", datetime(2026, 1, 31, tzinfo=UTC))),
    ],
)
def test_jobs_have_fields_of_their_own(text: str, term: Term) -> None:
    assert where.parse([text], where.JOB_FIELDS) == (term,)


def test_fields_of_pages_are_none_of_jobs() -> None:
    with pytest.raises(UsageError) as caught:
        where.parse(["reward>10"], where.JOB_FIELDS)
    assert "Fields: id, title, company" in caught.value.hint
    with pytest.raises(UsageError) as caught:
        where.parse([""], where.JOB_FIELDS)
    assert caught.value.hint == "Write a term such as country=DE"
