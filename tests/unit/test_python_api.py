"""The Python API as it is imported and called, without a server."""

import subprocess
import sys

import pytest

import graphcrawl
from graphcrawl.errors import ContactError, SeedsError, SettingsError, UsageError


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_api_is_small() -> None:
    assert set(graphcrawl.__all__) == {"Crawler", "connect", "crawl", "feeds", "jobs", "pages"}
    assert set(dir(graphcrawl)) == {*graphcrawl.__all__, "__version__"}


def test_everything_in_it_says_what_it_does() -> None:
    from graphcrawl import api

    for name in [*graphcrawl.__all__, *api.__all__]:
        assert getattr(api, name).__doc__, name


def test_importing_it_loads_nothing_heavy() -> None:
    heavy = {"neo4j", "httpx", "lxml", "selectolax", "pydantic", "importlib.metadata", "asyncio"}
    assert python(f"import sys, graphcrawl; print(sorted({heavy!r} & set(sys.modules)))") == "[]"


@pytest.mark.parametrize(
    "first",
    [
        "",
        "import graphcrawl.crawl.run, graphcrawl.jobs",
        "from graphcrawl.jobs import recognise",
        "from graphcrawl import api",
        "from graphcrawl import crawl, jobs",
    ],
)
def test_functions_and_parts_of_one_name_are_both_there(first: str) -> None:
    code = f"""
{first}
import graphcrawl
from graphcrawl import Crawler, connect, crawl, feeds, jobs, pages
from graphcrawl.crawl import Crawl
from graphcrawl.jobs import recognise_tree
crawl("https://a.example/").close()
print(callable(jobs) and callable(graphcrawl.crawl) and jobs.recognise_tree is recognise_tree)
"""
    assert python(code) == "True"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'graphcrawl' has no attribute 'scrape'"):
        graphcrawl.scrape  # type: ignore[attr-defined]  # noqa: B018


def test_what_can_be_checked_is_checked_before_a_server_is_started() -> None:
    with pytest.raises(SeedsError, match="not a URL: 'junk'"):
        graphcrawl.Crawler("junk")
    with pytest.raises(ContactError):
        graphcrawl.Crawler("https://example.org/")
    with pytest.raises(SettingsError, match=r"crawl\.max_page"):
        graphcrawl.Crawler("http://127.0.0.1/", max_page=3)
    with pytest.raises(SettingsError, match="delay"):
        graphcrawl.connect(crawl={"delay": "soon"})
    with pytest.raises(UsageError, match="not open"):
        _ = graphcrawl.connect("x").graph


def test_settings_of_a_crawl_go_before_those_of_the_connection() -> None:
    graph = graphcrawl.connect("x", contact="me@a.example", crawl={"delay": "2s", "per_host": 2})
    merged = graph.settings_with(contact="you@a.example", crawl={"delay": "3s"})
    assert (merged.graph, merged.contact) == ("x", "you@a.example")
    assert (merged.crawl.delay, merged.crawl.per_host) == (3.0, 2)
