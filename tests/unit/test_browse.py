"""What Neo4j Browser is given: favourites that run as they stand, a style it reads, a guide."""

import io
import re
import zipfile
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlsplit
from urllib.request import urlopen

import pytest

from graphcrawl import browse, queries, saved_queries
from graphcrawl.browse import serving
from graphcrawl.dictionary_elements import ELEMENTS
from graphcrawl.errors import UsageError

EXPLORE = [name for name in queries.names() if name.startswith("explore/")]
RULE = re.compile(r"^(node|relationship)(?:\.(\w+))? \{\n((?:  [\w-]+: [^;:]+;\n)+)\}$")


@pytest.mark.parametrize("name", EXPLORE)
def test_queries_for_people_read_and_stay_small(name: str) -> None:
    saved = queries.load(name)
    assert saved.mode == "read"
    assert all(not p.required for p in saved.parameters.values())
    assert "LIMIT $limit" in saved.text
    assert 0 < saved.parameters["limit"].default < browse.MOST_NODES


def test_there_is_a_query_for_each_wish() -> None:
    assert {name.removeprefix("explore/") for name in EXPLORE} >= set(
        "neighbours paths_to_rewards paths_to_feeds feeders barren_hosts link_farms orphans "
        "waiting duplicates redirects changes hubs pruned".split()
    )


@pytest.mark.parametrize("name", EXPLORE)
def test_favourites_run_without_parameters(name: str) -> None:
    saved = queries.load(name)
    text = browse.favourite(saved)
    assert text.startswith(f"// {saved.title}\n")
    assert queries.used_parameters(text) == set()
    assert f"LIMIT {saved.parameters['limit'].default} /* $limit */" in text


def test_values_go_in_where_the_code_is() -> None:
    head = '// T\n// mode: read\n// params: $a STRING x = "it\'s \\"q\\""\n// returns: r\n'
    saved = queries.parse_statement(
        "x/y", head + "// source: s\nRETURN '$a // $a', \"$a\", `$a`, $a // $a\n/* $a */"
    )
    body = browse.favourite(saved).split("// Returns: r\n")[1]
    assert body == ('RETURN \'$a // $a\', "$a", `$a`, "it\'s \\"q\\"" /* $a */ // $a\n/* $a */\n')


def test_style_is_what_the_browser_reads() -> None:
    """Its parser knows no comments, and cuts values at `:` and `;`."""
    rules = re.findall(r"^[^ }].*?^\}", browse.style(), re.M | re.S)
    assert "\n".join(rules) + "\n" == browse.style()
    found = [match for rule in rules if (match := RULE.match(rule))]
    assert len(found) == len(rules)
    captions = set(re.findall(r"\{(\w+)\}", browse.style()))
    known = {p.name for element in ELEMENTS for p in element.properties}
    assert captions <= known


def test_style_knows_every_state_and_ends_with_what_tells_most() -> None:
    order = re.findall(r"^node\.(\w+)", browse.style(), re.M)
    [page] = [e for e in ELEMENTS if e.name == "PageNeuron"]
    assert {label for label, _ in page.labels} <= set(order)
    assert order.index("PageNeuron") < order.index("Fetched") < order.index("Rewarded")
    assert order.index("Rewarded") < order.index("RichlyRewarded") < order.index("JobFeed")
    assert order.index("Frontier") < order.index("Fetched")  # one that is visited again


def test_guide_names_every_query_and_warns() -> None:
    guide = browse.guide()
    for saved in saved_queries.listed():
        assert f"<code>{saved.name.rpartition('/')[2]}</code>" in guide
    assert "Browser can write" in guide
    assert "browse --copy" in guide
    assert not re.search(r"(src|href)=", guide)  # nothing from elsewhere


def test_the_docs_name_every_query() -> None:
    text = (Path(__file__).parents[2] / "docs" / "BROWSER.md").read_text(encoding="utf-8")
    for saved in saved_queries.listed():
        assert f"| `{saved.name.rpartition('/')[2]}` | {saved.title} |" in text


def test_export(tmp_path: Path) -> None:
    target = tmp_path / "browser.zip"
    browse.export(target)
    with zipfile.ZipFile(target) as packed:
        names = packed.namelist()
        assert packed.testzip() is None
    assert {"style.grass", "guide.html", "graphcrawl/neighbours.cypher"} <= set(names)
    assert sum(name.endswith(".cypher") for name in names) == len(browse.favourites())
    assert browse.archive() == target.read_bytes()  # the same each time
    assert zipfile.ZipFile(io.BytesIO(browse.archive(whole=False))).namelist() == [
        name for name in names if name.endswith(".cypher")
    ]


def test_export_overwrites_nothing(tmp_path: Path) -> None:
    target = tmp_path / "mine.zip"
    target.write_text("mine")
    with pytest.raises(UsageError, match="exists"):
        browse.export(target)
    assert target.read_text() == "mine"


def test_a_full_disk_leaves_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("graphcrawl.browse.os.fsync", full)
    with pytest.raises(UsageError, match="No space left"):
        browse.export(tmp_path / "browser.zip")
    assert list(tmp_path.iterdir()) == []


def test_export_into_no_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Cannot write"):
        browse.export(tmp_path / "nowhere" / "browser.zip")


def test_guide_is_served_to_browser_and_nothing_else_is() -> None:
    with serving.serving("<p>é</p>") as url:
        opened = serving.opening("http://127.0.0.1:7474/browser/?dbms=x", url)
        assert parse_qs(urlsplit(opened).query) == {"dbms": ["x"], "cmd": ["guide"], "arg": [url]}
        here = url.replace("localhost", "127.0.0.1")
        with urlopen(here, timeout=5) as answer:
            assert answer.read().decode() == "<p>é</p>"
            assert answer.headers["Access-Control-Allow-Origin"] == "*"
        with pytest.raises(HTTPError, match="404"):
            urlopen(here.replace("guide.html", "../password"), timeout=5)


def test_guide_styles_nothing_but_itself() -> None:
    """Browser puts the guide's HTML into its own page."""
    style = browse.guide().partition("<style>")[2].partition("</style>")[0]
    rules = re.findall(r"([^{}]+)\{[^}]*\}", style)
    assert rules
    assert all(rule.strip().startswith(".crawl-guide") for rule in rules)
