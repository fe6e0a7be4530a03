"""One link scored without a graph: the prior, and what is known of the link itself."""

import pytest

from graphcrawl.config import Settings
from graphcrawl.errors import UsageError
from graphcrawl.foretell import foretell
from graphcrawl.parse.cues import cues_of
from graphcrawl.scoring.features import relation_cue

SETTINGS = Settings()


async def test_without_a_graph_the_prior_stands() -> None:
    found = await foretell("example.org/jobs", SETTINGS, anchors=["Job feed (RSS)", "Jobs"])
    candidate = found.candidate
    assert (candidate.url, candidate.host) == ("https://example.org/jobs", "example.org")
    assert (found.prediction.value, found.prediction.standing) == (
        0.5, "not trusted yet, 0 of 5",
    )  # fmt: skip
    assert found.shares == ()
    assert candidate.feed_hint == 1.0
    expected = {*cues_of("Job feed (RSS)", "", "", "body"), *cues_of("Jobs", "", "", "body")}
    assert set(candidate.cues) == expected


async def test_a_parent_that_nobody_knows_has_no_worth() -> None:
    link = {"url": "http://a.example/x", "parent_url": "http://a.example/y"}
    found = await foretell(settings=SETTINGS, **link)  # type: ignore[arg-type]
    assert found.parent is not None
    assert not found.parent.known
    assert (found.candidate.parent_count, found.candidate.depth) == (0, 1)
    where = relation_cue(link["parent_url"], "a.example", link["url"], "a.example")
    assert where in found.candidate.cues


@pytest.mark.parametrize("where", ["url", "parent_url"])
async def test_what_is_no_page_is_refused(where: str) -> None:
    link = {"url": "http://a.example/", where: "ftp://x.example/"}
    with pytest.raises(UsageError, match="no URL of a page"):
        await foretell(settings=SETTINGS, **link)  # type: ignore[arg-type]
