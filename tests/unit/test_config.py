"""Settings: where they come from, what they take, and what a slip of the pen leads to."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphcrawl.config import (
    Paths,
    load_settings,
    setting_names,
)
from graphcrawl.errors import SettingsError
from graphcrawl.setting_values import parse_duration_s, parse_size_bytes


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run in an empty folder with an empty home."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHCRAWL_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1.5s", 1.5),
        ("200ms", 0.2),
        ("10m", 600),
        ("2h", 7200),
        ("1d", 86400),
        ("3", 3),
        (" 4 S ", 4),
    ],
)
def test_durations_take_units(text: str, seconds: float) -> None:
    assert parse_duration_s(text) == seconds


@pytest.mark.parametrize(
    ("text", "size"), [("5MiB", 5 * 2**20), ("2GB", 2 * 10**9), ("1.5kib", 1536), ("77", 77)]
)
def test_sizes_take_units(text: str, size: int) -> None:
    assert parse_size_bytes(text) == size


@pytest.mark.parametrize("text", ["soon", "3 apples", "", "-1s", "1s 2s"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(SettingsError, match="not a duration"):
        load_settings(crawl={"delay": text})


@pytest.mark.parametrize("parse", [parse_duration_s, parse_size_bytes])
def test_true_is_no_number_with_a_unit(parse: Callable[[object], object]) -> None:
    with pytest.raises(ValueError, match="True is not a"):
        parse(True)


def test_flag_before_environment_before_project_before_user(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (nowhere / "home" / "config.toml").write_text(
        "[crawl]\ndelay = '4s'\nper_host = 4\nconcurrency = 4\nmax_depth = 4\n"
    )
    (nowhere / "graphcrawl.toml").write_text(
        "[crawl]\ndelay = '3s'\nper_host = 3\nconcurrency = 3\n"
    )
    monkeypatch.setenv("GRAPHCRAWL_CRAWL__DELAY", "2s")
    monkeypatch.setenv("GRAPHCRAWL_CRAWL__PER_HOST", "2")
    crawl = load_settings(crawl={"delay": "1s", "max_pages": None}).crawl
    assert (crawl.delay, crawl.per_host, crawl.concurrency, crawl.max_depth) == (1, 2, 3, 4)
    assert crawl.max_pages == 1000


@pytest.mark.parametrize(
    ("variable", "near"),
    [
        ("GRAPHCRAWL_CRAWL_DELAY", "GRAPHCRAWL_CRAWL__DELAY"),
        ("GRAPHCRAWL_CONTCT", "GRAPHCRAWL_CONTACT"),
        ("GRAPHCRAWL_CRAWL__PERHOST", "GRAPHCRAWL_CRAWL__PER_HOST"),
    ],
)
def test_a_misspelt_variable_is_an_error(
    monkeypatch: pytest.MonkeyPatch, variable: str, near: str
) -> None:
    monkeypatch.setenv(variable, "5")
    with pytest.raises(SettingsError, match=variable) as caught:
        load_settings()
    assert near in caught.value.hint


def test_every_setting_can_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHCRAWL_CONTACT", "me@a.example")
    monkeypatch.setenv("GRAPHCRAWL_REWARD__DISTRIBUTE", "0.2")
    settings = load_settings()
    assert settings.contact == "me@a.example"
    assert settings.reward.distribute == 0.2
    assert "reward.distribute" in setting_names()


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ("[crwal]\ndelay = 1\n", "Did you mean 'crawl'?"),
        ("[host.'a.example']\ndelay = 1\n", "Did you mean 'hosts'?"),
        ("delay = '1s'\n", "Did you mean 'crawl.delay'?"),
        ("[crawl]\ninclude = '/jobs/'\n", "takes a list, such as"),
        ("crawl = 3\n", "'crawl' (graphcrawl.toml, line 1): It takes a table"),
        ("[hosts]\na = 3\n", "It takes a table"),
    ],
)
def test_mistakes_of_form_are_told_in_words_of_the_file(
    nowhere: Path, toml: str, said: str
) -> None:
    (nowhere / "graphcrawl.toml").write_text(toml)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert said in f"{caught.value.message} {caught.value.hint}"


@pytest.mark.parametrize("toml", ["[crawl]\nmax_page = 3\n", "colour = 'red'\n"])
def test_an_unknown_key_in_a_file_is_an_error(nowhere: Path, toml: str) -> None:
    (nowhere / "graphcrawl.toml").write_text(toml)
    with pytest.raises(SettingsError, match="Unknown setting"):
        load_settings()


def test_home_moves_all_state(nowhere: Path) -> None:
    paths = Paths.locate()
    home = nowhere / "home"
    for folder in (paths.config, paths.data, paths.cache, paths.state, paths.graph("x")):
        assert folder.is_relative_to(home)


def test_commands_name_their_graph() -> None:
    assert load_settings().command("pages") == "graphcrawl pages"
    assert load_settings(graph="demo").command("pages") == "graphcrawl --graph demo pages"


def test_hosts_are_known_by_their_names_in_urls(nowhere: Path) -> None:
    (nowhere / "graphcrawl.toml").write_text(
        '[hosts."Example.org"]\ndelay = "3s"\n[hosts."bücher.example:8080"]\nper_host = 2\n',
        encoding="utf-8",
    )
    hosts = load_settings().hosts
    assert hosts["example.org"].delay == 3
    assert hosts["xn--bcher-kva.example:8080"].per_host == 2  # by RFC 3492, as IDNA has it


@pytest.mark.parametrize(
    ("toml", "message", "hint"),
    [
        (
            '[hosts."http://a.example/"]\ndelay = 1\n',
            "is not a host such as example.org",
            "a.example",
        ),
        ("[hosts.a]\ndely = 1\n", "Unknown setting 'hosts.a.dely'", "'hosts.a.delay'"),
        ("[hosts.a]\nper_host = 0\n", "'hosts.a.per_host'", "requests in flight to it"),
        ("[hosts]\na = 3\n", "'hosts.a'", "a.example"),
    ],
)
def test_a_wrong_override_is_an_error(nowhere: Path, toml: str, message: str, hint: str) -> None:
    (nowhere / "graphcrawl.toml").write_text(toml)
    with pytest.raises(SettingsError, match=message) as caught:
        load_settings()
    assert hint in caught.value.hint


def test_overrides_of_several_files_are_joined(nowhere: Path) -> None:
    (nowhere / "home" / "config.toml").write_text(
        "[hosts.a]\ndelay = 9\n[hosts.b]\ndelay = 9\nper_host = 9\n"
    )
    (nowhere / "graphcrawl.toml").write_text("[hosts.b]\ndelay = 2\n")
    hosts = load_settings().hosts
    assert (hosts["a"].delay, hosts["b"].delay, hosts["b"].per_host) == (9, 2, 9)


def test_a_list_in_the_environment_is_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHCRAWL_CRAWL__INCLUDE", '["/jobs/"]')
    assert load_settings().crawl.include == ("/jobs/",)
    monkeypatch.setenv("GRAPHCRAWL_CRAWL__INCLUDE", "/jobs/")
    with pytest.raises(SettingsError, match="not valid JSON"):
        load_settings()


def test_a_file_that_is_no_text_is_an_error(nowhere: Path) -> None:
    (nowhere / "graphcrawl.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match=r"graphcrawl\.toml is not valid TOML") as caught:
        load_settings()
    assert "UTF-8" in caught.value.hint


@pytest.mark.parametrize(
    ("toml", "place"),
    [
        ("read_timeout = '0s'", ""),
        ("max_time = 0", ""),
        ("read_timeout = true", "true"),
        ("max_pages = true", "true"),
        ("max_depth = true", "true"),
        ("allow_private = 'perhaps'", ""),
        ("delay = inf", ""),
        ("delay = nan", ""),
        ("delay = '3651d'", ""),
        ("delay = -1", ""),
        ("max_body = '0B'", ""),
        ("max_body = 'inf'", "size"),
        ("include = ['/jobs/', '[']", "regular expression"),
        ("exclude = ['(']", "regular expression"),
        ("exclude = ['/ok/', '(a|aa)+$']", "explodes"),
        ("resolve = ['a.example:80']", "HOST:PORT:ADDRESS"),
        ("resolve = ['a.example:80:b.example']", "HOST:PORT:ADDRESS"),
        ("rules = ''", ""),
        ("scope = 'galaxy'", "'host', 'domain' or 'any'"),
    ],
)
def test_a_wrong_value_is_refused_when_it_is_read(nowhere: Path, toml: str, place: str) -> None:
    (nowhere / "graphcrawl.toml").write_text(f"# mine\n\n[crawl]\n{toml}\n")
    name = toml.partition(" ")[0]
    with pytest.raises(SettingsError, match=f"'crawl.{name}'") as caught:
        load_settings()
    assert "(graphcrawl.toml, line 4)" in caught.value.message
    assert place in caught.value.message
    assert f"crawl.{name}: " in caught.value.hint


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"reward": {"seed": float("inf")}}, "reward.seed"),
        ({"reward": {"seed": float("nan")}}, "reward.seed"),
        ({"reward": {"distribute": 1}}, "reward.distribute"),
        ({"prune": {"below": -1}}, "prune.below"),
        ({"prune": {"below": float("nan")}}, "prune.below"),
        ({"server": {"start_timeout": "0s"}}, "server.start_timeout"),
        ({"contact": "me (at) home"}, "contact"),
        ({"contact": "me"}, "contact"),
        ({"contact": "me@a.example\r\nX: y"}, "contact"),
        ({"graph": "Mine"}, "graph"),
        ({"graph": ""}, "graph"),
        ({"order": {"weights": {"luck": 1.0}}}, "order.weights"),
        ({"order": {"weights": {"host": float("nan")}}}, "order.weights.host"),
        ({"hosts": {"a.example": {"max_pages": -1}}}, "hosts.a.example.max_pages"),
    ],
)
def test_a_flag_with_a_wrong_value_is_named(given: dict[str, Any], name: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings(**given)
    flag = "--" + name.rpartition(".")[2].replace("_", "-")
    assert f"Setting {name!r} ({flag}): " in caught.value.message


def test_the_bounds_of_a_duration_are_allowed() -> None:
    crawl = load_settings(crawl={"delay": 0, "max_time": "1ms", "read_timeout": "3650d"}).crawl
    assert (crawl.delay, crawl.max_time, crawl.read_timeout) == (0, 0.001, 3650 * 86400)


def test_the_strongest_source_that_says_it_is_named(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (nowhere / "home" / "config.toml").write_text("[crawl]\ninclude = [\n  '/ok/',\n  '(',\n]\n")
    with pytest.raises(SettingsError, match=r"config\.toml, line 2\)"):
        load_settings()
    monkeypatch.setenv("GRAPHCRAWL_CRAWL__INCLUDE", '["["]')
    with pytest.raises(SettingsError, match=r"\(GRAPHCRAWL_CRAWL__INCLUDE\)"):
        load_settings()
    monkeypatch.setenv("GRAPHCRAWL_CRAWL__INCLUDE", '["/"]')
    assert load_settings().crawl.include == ("/",)


def test_a_byte_order_mark_is_named(nowhere: Path) -> None:
    (nowhere / "graphcrawl.toml").write_bytes(b"\xef\xbb\xbfcontact = 'me@a.example'\n")
    with pytest.raises(SettingsError, match="not valid TOML") as caught:
        load_settings()
    assert "byte order mark" in caught.value.hint


def test_a_flag_is_named_as_it_is_typed() -> None:
    with pytest.raises(SettingsError, match=r"--order\)"):
        load_settings(order={"by": "best"})


def test_keywords_are_words_and_languages_languages(tmp_path: Path) -> None:
    (tmp_path / "graphcrawl.toml").write_text('[order.keywords]\n" -" = 1\n')
    with pytest.raises(SettingsError, match=r"line 1.* is no word"):
        load_settings()
    (tmp_path / "graphcrawl.toml").write_text('[quality]\nlanguages = ["DE ", "english"]\n')
    with pytest.raises(SettingsError, match="'english' is no language"):
        load_settings()
    (tmp_path / "graphcrawl.toml").write_text('[quality]\nlanguages = ["DE ", "en"]\n')
    assert load_settings().quality.languages == ("de", "en")


@pytest.mark.parametrize("weight", ["1e308", "-1e7", "nan", "inf"])
@pytest.mark.parametrize("table", ["weights = { host", "keywords = { nurse"])
def test_weights_that_would_add_up_to_infinity_are_refused(
    tmp_path: Path, table: str, weight: str
) -> None:
    (tmp_path / "graphcrawl.toml").write_text(f"[order]\n{table} = {weight} }}\n")
    with pytest.raises(SettingsError, match=r"graphcrawl.toml, line 2"):
        load_settings()
