"""Rules → grants [000.evaluate]. Right values: the source's own figures and Unicode's borders."""

import pickle
from pathlib import Path

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from graphcrawl.errors import RulesError
from graphcrawl.models import Grant
from graphcrawl.parse import Document
from graphcrawl.scoring.reward import Evidence, Rules, contains_whole, evaluate, load_rules


@pytest.fixture(scope="module")
def jobs() -> Rules:
    return load_rules("jobs")


def write(folder: Path, text: str) -> Path:
    file = folder / "mine.toml"
    file.write_text(text, encoding="utf-8")
    return file


def earned(rules: Rules, **parts: str) -> tuple[Grant, ...]:
    return evaluate(Evidence.of(Document("html", **parts)), rules).grants


# --- the source's rules -------------------------------------------------------------------------


def test_shipped_rules_are_the_source_s(jobs):
    assert {rule.name: rule.points for rule in jobs.rules} == {
        "job": 1, "jobs": 1, "career": 1, "hr": 1,
        "hrms": 10, "taleo": 10, "jobvite": 10, "icims": 10,
    }  # fmt: skip
    assert (jobs.feed_new, jobs.feed_known) == (1000, 20)
    assert {rule.name for rule in jobs.rules if "links" in rule.places} == {
        "hrms", "taleo", "jobvite", "icims",
    }  # fmt: skip


def test_a_rule_pays_once_at_its_first_place(jobs):
    grants = earned(jobs, title="Jobs", text="jobs jobs JOBS career", anchors="jobs")
    assert grants == (Grant("jobs", 1, "title"), Grant("career", 1, "text"))


def test_a_link_to_a_taleo_host_earns_ten(jobs):
    assert earned(jobs, targets="http://acme.taleo.net/x") == (Grant("taleo", 10, "links"),)


def test_links_do_not_pay_for_plain_words(jobs):
    assert earned(jobs, targets="http://a.example/jobs/career/hr") == ()


@pytest.mark.parametrize("text", ["Jobson", "Hobjob jobx", "ahr HRX", "job_title", "jobs2", "Jöb"])
def test_parts_of_words_earn_nothing(jobs, text):
    assert earned(jobs, text=text) == ()


# --- borders ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "word", "found"),
    [
        ("a job.", "job", True),
        ("job", "job", True),
        ("job-board", "job", True),
        ("the job's", "job", True),
        ("jobs job", "job", True),  # a later occurrence counts
        ("jobe\u0301", "job", False),
        ("job\u0301", "job", False),  # a mark makes another letter
        ("jobjob", "job", False),
        ("эработа", "работа", False),
        ("работа!", "работа", True),
        ("c++ and c#", "c++", True),
        ("abc++", "c++", False),
        ("東京の求人情報", "求人", True),  # no spaces, so borders everywhere
        ("x求人", "求人", False),
        ("strasse", "straße".casefold(), True),
        ("", "job", False),
    ],
)
def test_words_are_found_whole(text, word, found):
    assert contains_whole(text, word) is found


@given(st.text(alphabet="ab _-é\u0301", max_size=12), st.sampled_from(["a", "ab", "a-b", "aé"]))
def test_borders_are_those_of_a_regex(text, word):
    # `regex` counts marks as part of words, as UTS #18 has it.
    pattern = rf"(?<![\w\p{{M}}]){regex.escape(word)}(?![\w\p{{M}}])"
    assert contains_whole(text, word) == (regex.search(pattern, text) is not None)


# --- one's own rules ----------------------------------------------------------------------------

MINE = """
[feed]
new = 5
[[rule]]
phrase = "Human  Resources"
points = 2.5
[[rule]]
name = "ats"
regex = 'boards\\.greenhouse\\.io/\\w+'
points = 7
places = ["links", "html"]
[[rule]]
word = "Büro"
points = 1
places = ["title"]
"""


def test_phrases_regexes_and_places(tmp_path):
    rules = load_rules(write(tmp_path, MINE))
    assert (rules.name, rules.feed_new, rules.feed_known) == ("mine", 5, 0)
    assert earned(
        rules,
        title="BÜRO",
        text="our human resources team",
        markup="<script src='https://boards.greenhouse.io/acme/x.js'>",
    ) == (Grant("human-resources", 2.5, "text"), Grant("ats", 7, "html"), Grant("büro", 1, "title"))
    assert earned(rules, text="human\nresources BOARDS.greenhouse.io/a büro") == ()


def test_a_regex_out_of_time_earns_nothing_and_is_reported(tmp_path):
    slow = "[[rule]]\nname='slow'\nregex='(a|aa|b?a)+$'\npoints=1\n[[rule]]\nword='job'\npoints=1"
    rules = load_rules(write(tmp_path, slow))
    outcome = evaluate(Evidence(text="a" * 500 + "! job"), rules)
    assert outcome.grants == (Grant("job", 1, "text"),)
    assert outcome.slow_rules == ("slow",)


def test_rules_travel_to_other_processes(tmp_path):
    rules = load_rules(write(tmp_path, MINE))
    there = pickle.loads(pickle.dumps(rules))
    assert there.digest == rules.digest
    assert earned(there, targets="boards.greenhouse.io/a") == (Grant("ats", 7, "links"),)


def test_digest_follows_what_is_paid_for(tmp_path):
    first = load_rules(write(tmp_path, MINE)).digest
    assert load_rules(write(tmp_path, "# a comment\n" + MINE)).digest == first
    assert load_rules(write(tmp_path, MINE.replace("2.5", "3"))).digest != first


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("[[rule]]\nword='a'\npoint=1", "rule 1 has an unknown key 'point'", "'points'"),
        ("[[rule]]\nname='x'\nword='a'\npoints=1\nplaces=['txt']", "(x) has an unknown", "'text'"),
        ("[[rule]]\nword='a'", "has no points", ""),
        ("[[rule]]\nword='a'\npoints='1'", "points = '1'", ""),
        ("[[rule]]\nword='a'\npoints=nan", "points = nan", ""),
        ("[[rule]]\nword='a'\npoints=true", "points = True", ""),
        ("[[rule]]\nword='a'\npoints=-1", "points = -1", ""),
        ("[[rule]]\nword='a b'\npoints=1", "a word with blanks", "phrase"),
        ("[[rule]]\npoints=1", "exactly one of word, phrase and regex", ""),
        ("[[rule]]\nword='a'\nregex='a'\npoints=1", "exactly one of", ""),
        ("[[rule]]\nword=' '\npoints=1", "no text", ""),
        ("[[rule]]\nname='r'\nregex='('\npoints=1", "does not compile", ""),
        ("[[rule]]\nregex='a'\npoints=1", "no name", ""),
        ("[[rule]]\nword='a'\npoints=1\nplaces='text'", "no list", "title"),
        ("[[rule]]\nword='a'\npoints=1\n[[rule]]\nword='A'\npoints=2", "rule 'a' occurs twice", ""),
        ("[feed]\nold=1\n[[rule]]\nword='a'\npoints=1", "[feed] has an unknown key 'old'", "new"),
        ("rule=['a']", "rule 1 is no table", ""),
        ("rules=1", "unknown key 'rules'", "'rule'"),
        ("", "has no rule", "[[rule]]"),
        ("[[rule", "not valid TOML", ""),
    ],
)  # fmt: skip
def test_mistakes_are_named(tmp_path, text, message, hint):
    file = write(tmp_path, text)
    with pytest.raises(RulesError) as caught:
        load_rules(file)
    assert message in caught.value.message
    assert str(file) in caught.value.message
    assert hint in caught.value.hint and caught.value.hint


def test_unknown_rules_name_the_shipped_ones(tmp_path):
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    for name in ("jbos", str(tmp_path / "no.toml"), str(tmp_path), str(binary)):
        with pytest.raises(RulesError) as caught:
            load_rules(name)
        assert "jobs" in caught.value.hint


# --- judging again with less evidence -----------------------------------------------------------

ONE_RULE = "[[rule]]\nname='r'\n{}\npoints=3\nplaces=['title', 'html', 'links']"


@pytest.mark.parametrize("kind", ["word='job'", r"regex='\bjob\b'"])
@pytest.mark.parametrize(
    ("evidence", "had", "place", "kept"),
    [
        (Evidence(partial=frozenset({"html"})), "html", "html", ("r",)),
        (Evidence(links="job", partial=frozenset({"html"})), "html", "html", ("r",)),
        (Evidence(title="job", partial=frozenset({"html"})), "html", "title", ()),
        (Evidence(html="job", partial=frozenset({"html"})), "html", "html", ()),
        (Evidence(partial=frozenset({"html"})), "links", None, ()),  # links are known
        (Evidence(links="job", partial=frozenset({"html"})), None, "links", ()),
        (Evidence(), "html", None, ()),  # all is known
        (Evidence(partial=frozenset({"html", "text"})), "text", None, ()),  # not its place any more
    ],
)
def test_a_grant_stays_where_its_evidence_is_gone(tmp_path, kind, evidence, had, place, kept):
    rules = load_rules(write(tmp_path, ONE_RULE.format(kind)))
    found = evaluate(evidence, rules, {"r": had} if had else {})
    assert [grant.place for grant in found.grants] == ([place] if place else [])
    assert found.kept == kept


def test_a_grant_stays_where_its_regex_runs_out_of_time(tmp_path):
    rules = load_rules(write(tmp_path, ONE_RULE.format("regex='(a|aa)+$'")))
    bomb = Evidence(title="a" * 200 + "!", links="a")
    assert evaluate(bomb, rules) == ((), ("r",), ())
    assert evaluate(bomb, rules, {"r": "links"}) == ((Grant("r", 3, "links"),), ("r",), ("r",))
    assert evaluate(bomb, rules, {"r": "text"}) == ((), ("r",), ())
    assert evaluate(bomb, rules, {"r": "links"}, {"r"}) == ((Grant("r", 3, "links"),), (), ("r",))


def test_types_are_words_of_their_own(tmp_path):
    rules = load_rules(write(tmp_path, "[[rule]]\nword='JobPosting'\npoints=3\nplaces=['types']"))
    document = Document("html", text="JobPosting", markup="JobPosting")
    assert evaluate(Evidence.of(document), rules).grants == ()
    found = evaluate(Evidence.of(document, ("JobPosting", "Thing")), rules)
    assert found.grants == (Grant("jobposting", 3, "types"),)
    assert evaluate(Evidence.of(document, ("UserJobPosting",)), rules).grants == ()


# --- the other shipped rules --------------------------------------------------------------------


def names(rules: Rules, **parts: str) -> set[str]:
    return {grant.rule for grant in evaluate(Evidence(**parts), rules).grants}


@pytest.mark.parametrize(
    ("shipped", "parts", "rule"),
    [
        ("jobs-plus", {"types": "JobPosting WebPage"}, "jobposting"),
        ("jobs-plus", {"text": "Unsere Stellenangebote"}, "stellenangebote"),
        ("jobs-plus", {"anchors": "Offres d'emploi"}, "offres-d-emploi"),
        ("jobs-plus", {"title": "東京の求人情報"}, "求人"),
        ("jobs-plus", {"title": "Актуальные ВАКАНСИИ"}, "вакансии"),
        ("jobs-plus", {"links": "https://boards.greenhouse.io/acme"}, "greenhouse"),
        ("jobs-plus", {"links": "https://acme.wd3.myworkdayjobs.com/en-US/x"}, "workday"),
        ("jobs-plus", {"links": "https://jobs.lever.co/acme"}, "lever"),
        ("jobs-plus", {"links": "http://acme.taleo.net/"}, "taleo"),
        ("docs", {"html": '<meta name="generator" content="mkdocs-1.6.1">'}, "mkdocs"),
        ("docs", {"html": "<script src='_static/doctools.js'>"}, "sphinx"),
        ("docs", {"links": "https://docs.rs/serde/latest"}, "docs-rs"),
        ("docs", {"title": "API Reference – acme"}, "api-reference"),
        ("news", {"types": "NewsArticle"}, "newsarticle"),
        (
            "news",
            {"html": '<meta property="article:published_time" content="x">'},
            "published-time",
        ),
        ("news", {"text": "(Reuters) –"}, "reuters"),
        ("music", {"links": "https://open.spotify.com/intl-de/artist/1"}, "spotify"),
        ("music", {"types": "MusicAlbum"}, "musicalbum"),
        ("music", {"text": "Her debut album"}, "debut-album"),
    ],
)
def test_shipped_rules_find_what_they_are_for(shipped, parts, rule):
    assert rule in names(load_rules(shipped), **parts)


@pytest.mark.parametrize("shipped", ["jobs-plus", "docs", "news", "music"])
def test_shipped_rules_do_not_pay_for_an_ordinary_page(shipped):
    text = "Welcome to our garden. Opening hours: Monday to Friday, 9 to 5."
    parts = dict.fromkeys(("title", "text", "anchors"), text)
    links = "https://example.org/garden\nhttps://example.com/leverage/greenhouse.html"
    assert names(load_rules(shipped), **parts, links=links, html=f"<p>{text}</p>") == set()


def test_jobs_plus_pays_at_least_for_what_jobs_pays(jobs):
    plus = load_rules("jobs-plus")
    mine = {(r.name, r.points, r.kind, r.pattern, r.places) for r in jobs.rules}
    assert mine <= {(r.name, r.points, r.kind, r.pattern, r.places) for r in plus.rules}
    assert (plus.feed_new, plus.feed_known) == (jobs.feed_new, jobs.feed_known)


@pytest.mark.parametrize("shipped", ["jobs-plus", "docs", "news", "music"])
@pytest.mark.parametrize("piece", ["a", "<a ", 'content="', "https://x.y-z/", "jobs.", "\n"])
def test_shipped_patterns_do_not_explode(shipped, piece):
    text = piece * (200_000 // len(piece))
    parts = dict.fromkeys(("title", "text", "anchors", "links", "html"), text)
    assert evaluate(Evidence(**parts), load_rules(shipped)).slow_rules == ()
