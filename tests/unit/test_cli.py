"""The command line as a whole: global options, help, errors of every kind, progress."""

import json
import logging
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from graphcrawl import __version__, cli
from graphcrawl.cli import problems, progress, session
from graphcrawl.cli.session import Session
from graphcrawl.errors import Exit, NothingFetchedError, UsageError
from graphcrawl.server import Progress, jars


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRAPHCRAWL_HOME", str(tmp_path))
    monkeypatch.delenv("NEO4J_URI", raising=False)
    monkeypatch.delenv("GRAPHCRAWL_GRAPH", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every command with the words that name it."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


ALL = dict(commands(typer.main.get_command(cli.app)))
each_command = pytest.mark.parametrize("path", ALL, ids=" ".join)


@pytest.mark.parametrize(
    ("typed", "hoisted"),
    [
        ("status --graph demo", "--graph demo status"),
        ("status --graph=demo -q", "--graph=demo -q status"),
        ("query run x -P a=--graph -v", "-v query run x -P a=--graph"),
        ("crawl -- --graph", "crawl -- --graph"),
        ("status --graph", "--graph status"),
        ("-vv db up", "-vv db up"),
    ],
)
def test_global_options_may_stand_anywhere(typed: str, hoisted: str) -> None:
    assert cli.hoist(typed.split()) == hoisted.split()


def test_version(capsys: Any) -> None:
    assert cli.run(["--version"]) == Exit.DONE
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"graphcrawl {__version__}"
    versions = dict(line.split(" ") for line in lines)
    assert set(versions) == {"graphcrawl", "Neo4j", "GDS", "Browser", "Java"}
    roots = {root.rpartition(":")[0]: root.rpartition(":")[2] for root in jars.ROOTS}
    assert versions["Neo4j"] == roots["org.neo4j:neo4j"]
    assert versions["GDS"] == roots["org.neo4j.gds:proc"]
    assert int(versions["Java"].split(".")[0]) >= 25


def test_no_command_shows_the_help_and_is_a_mistake(capsys: Any) -> None:
    assert cli.run([]) == Exit.USAGE
    streams = capsys.readouterr()
    assert "status" in streams.out
    assert "error" not in streams.err


@each_command
def test_every_command_helps(path: tuple[str, ...], capsys: Any) -> None:
    assert cli.run([*path, "-h"]) == Exit.DONE
    assert " ".join(path) in capsys.readouterr().out


@each_command
def test_every_example_can_be_typed(path: tuple[str, ...]) -> None:
    _, mark, below = (ALL[path].help or "").partition("Examples:\n")
    assert mark, "the help has no examples that stand as such"
    lines = [line.strip() for line in below.splitlines()]
    examples = [line for line in lines if line.startswith("graphcrawl ")]
    assert len(examples) >= 2, "the help shows fewer than two examples"
    for example in examples:
        words = cli.hoist(shlex.split(example)[1:])
        while words[0].startswith("-"):  # global options
            del words[: 2 if words[0] == "--graph" else 1]
        assert tuple(words[: len(path)]) == path
        ALL[path].make_context(" ".join(path), words[len(path) :])


@each_command
def test_the_quick_way_to_help_tells_the_same(path: tuple[str, ...], capsys: Any) -> None:
    assert cli.run([*path, "--help"]) == Exit.DONE
    quick = capsys.readouterr().out
    typer.main.get_command(cli.app).main(
        [*path, "--help"], prog_name="graphcrawl", standalone_mode=False
    )
    assert quick == capsys.readouterr().out


def test_help_of_what_is_no_command_is_a_mistake(capsys: Any) -> None:
    assert cli.run(["statsu", "--help"]) == Exit.USAGE
    assert "Did you mean 'status'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("hosts blok a.example", "block"),
        ("export pgaes -o x.csv", "pages"),
        ("export pages --format cvs -o x.csv", "csv"),
        ("model show qualty", "quality"),
        ("plan --simulate bsf", "bfs"),
        ("crawl --scope hots http://a.example/", "host"),
        ("crawl --order rewrad http://a.example/", "reward"),
        ("crawl --rules jbos http://a.example/", "jobs"),
        ("pages --sort rewrd", "reward"),
        ("crawl --max-page 3", "--max-pages"),
    ],
)
def test_typing_mistakes_are_understood(typed: str, meant: str, capsys: Any) -> None:
    assert cli.run(typed.split()) == Exit.USAGE
    assert f"Did you mean {meant}?" in capsys.readouterr().err


@each_command
def test_every_option_is_explained(path: tuple[str, ...]) -> None:
    for parameter in ALL[path].params:
        assert parameter.help, f"{parameter.name} has no help"


def test_what_reads_has_all_formats() -> None:
    for words in ("status", "pages", "query list", "query show", "query run", "db status"):
        names = {name for p in ALL[tuple(words.split())].params for name in p.opts}
        assert {"--json", "--jsonl", "--csv"} <= names, words


def test_errors_inside_a_task_group_are_found(capsys: Any) -> None:
    inner = NothingFetchedError("No page could be fetched.", "Check the network.")
    group = BaseExceptionGroup("tasks", [ValueError("x"), BaseExceptionGroup("more", [inner])])
    assert problems.report(group) == Exit.NOTHING_FETCHED
    assert capsys.readouterr().err == (
        "error: No page could be fetched.\nhint: Check the network.\n"
    )


def test_a_defect_leaves_its_traceback_in_the_log(home: Path, capsys: Any) -> None:
    assert problems.report(RuntimeError("broken\ninside")) == Exit.UNEXPECTED
    err = capsys.readouterr().err
    log = home / "state" / "graphcrawl.log"
    assert err == f"error: Unexpected: RuntimeError: broken\nhint: The traceback is in {log}\n"
    assert "RuntimeError: broken" in log.read_text(encoding="utf-8")


def test_a_defect_without_a_log_and_with_v(home: Path, capsys: Any) -> None:
    (home / "state").write_text("a file where the folder should be")
    assert problems.report(RuntimeError("broken"), verbose=True) == Exit.UNEXPECTED
    err = capsys.readouterr().err
    assert "hint: See the traceback: repeat it with -v" in err
    assert err.startswith("RuntimeError: broken")


def test_flags_win_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHCRAWL_GRAPH", "one")
    monkeypatch.setenv("GRAPHCRAWL_REWARD__FORGET", "0.3")
    assert Session().settings().graph == "one"
    settings = Session(graph="two").settings(reward={"distribute": 0.2, "forget": None})
    assert settings.graph == "two"
    assert (settings.reward.distribute, settings.reward.forget) == (0.2, 0.3)


def test_a_missing_graph_names_those_that_are_there(home: Path) -> None:
    (home / "graphs" / "demo").mkdir(parents=True)
    (home / "graphs" / ".demo.lock").touch()
    settings = Session(graph="dmo").settings()
    with pytest.raises(UsageError) as caught:
        session.require_graph(settings)
    assert caught.value.hint == "Graphs here: demo. Make it: graphcrawl --graph dmo crawl URL"
    session.require_graph(Session(graph="demo").settings())


def test_db_list_without_any_graph(capsys: Any) -> None:
    assert cli.run(["db", "list", "--json"]) == Exit.DONE
    assert capsys.readouterr().out == "[]\n"
    assert cli.run(["db", "list", "--csv"]) == Exit.DONE
    assert capsys.readouterr().out.startswith("graph,state,bolt_uri,")


def test_query_list_and_show(capsys: Any) -> None:
    assert cli.run(["query", "list"]) == Exit.DONE
    assert "explore/best_pages\tBest pages" in capsys.readouterr().out
    assert cli.run(["query", "show", "best_pages"]) == Exit.DONE
    assert capsys.readouterr().out.startswith("// Best pages")


def test_progress_without_a_terminal_is_a_line_a_stage(
    capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now_s)
    with progress.server_start(quiet=False) as tell:
        for done in range(1, 30):  # a second each
            now_s += 1
            tell(Progress("download", done * 2**20, 30 * 2**20))
        tell(Progress("start"))
        tell(Progress("start"))
    assert capsys.readouterr().err.splitlines() == [
        "Fetching Neo4j: 3.0 MiB of 30.0 MiB",
        "Fetching Neo4j: 13.0 MiB of 30.0 MiB",
        "Fetching Neo4j: 23.0 MiB of 30.0 MiB",
        "Starting Neo4j …",
    ]


def test_jars_that_are_here_already_are_not_worth_a_line(capsys: Any) -> None:
    with progress.server_start(quiet=False) as tell:
        for done in range(10):
            tell(Progress("download", done, 10))
    assert capsys.readouterr().err == ""


def test_quiet_is_quiet(capsys: Any) -> None:
    with progress.server_start(quiet=True) as tell:
        tell(Progress("start"))
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(sys.platform == "win32", reason="shells of POSIX")
def test_streams_that_are_closed_full_or_of_few_characters_are_no_defect() -> None:
    def shell(line: str, **more: str) -> subprocess.CompletedProcess[str]:
        command = line.replace("graphcrawl", f"{sys.executable} -m graphcrawl")
        return subprocess.run(
            command, shell=True, env=os.environ | more, capture_output=True, text=True, check=False
        )

    closed = shell("graphcrawl config path >&-")
    assert (closed.returncode, closed.stderr) == (0, "")
    few = shell("graphcrawl query list", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (few.returncode, few.stderr) == (0, "")
    if Path("/dev/full").exists():
        full = shell("graphcrawl config path > /dev/full")
        assert full.returncode == Exit.UNEXPECTED
        assert full.stderr.startswith("error: Cannot write: No space left on device.\nhint: ")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
def test_a_reader_that_leaves_early_is_no_error() -> None:
    shell = f"{sys.executable} -m graphcrawl query list --all --jsonl | head -c 1"
    done = subprocess.run(shell, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout == "{"
    assert done.stderr == ""


def test_a_terminal_gets_colours_unless_refused(
    capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("FORCE_COLOR", "1")
    cli.run(["staus"])
    assert re.search(r"\x1b\[1;31merror:", capsys.readouterr().err)
    monkeypatch.setenv("NO_COLOR", "1")
    cli.run(["staus"])
    assert "\x1b[1;31m" not in capsys.readouterr().err


@pytest.mark.parametrize("command", ["", "crawl"])
def test_help_is_fast(command: str) -> None:
    """0.3 s of processor at most, the best of some runs: the machine may be busy."""
    heavy = ("neo4j", "httpx", "pydantic", "trafilatura", "lxml", "pandas", "asyncio")
    words = [*command.split(), "--help"]
    code = (
        f"import sys, time; from graphcrawl import cli; code = cli.run({words!r}); "
        f"print([m for m in {heavy!r} if m in sys.modules], time.process_time(), file=sys.stderr)"
    )
    best_s = 9.9
    for _ in range(8):
        done = subprocess.run(
            (sys.executable, "-c", code), capture_output=True, text=True, check=True
        )
        loaded, _, spent_s = done.stderr.strip().rpartition(" ")
        assert loaded == "[]", "these make --help slow"
        best_s = min(best_s, float(spent_s))
        if best_s < 0.3:
            break
    assert best_s < 0.3


def complete(words: str, **more: str) -> list[str]:
    """Return what a shell would offer for the last word."""
    typed = words.split(" ")
    done = subprocess.run(
        (sys.executable, "-c", "from graphcrawl.cli import main; main()"),
        env=os.environ
        | {
            "_GRAPHCRAWL_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(typed) - 1),
        }
        | more,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done.stdout.split()


def test_a_shell_completes_names_of_all_kinds(home: Path) -> None:
    (home / "graphs" / "demo").mkdir(parents=True)
    assert complete("graphcrawl query run best_p") == ["best_pages"]
    assert complete("graphcrawl pages --state f") == ["frontier", "fetched", "failed"]
    assert complete("graphcrawl crawl --rules jobs") == ["jobs", "jobs-plus"]
    assert complete("graphcrawl --graph d") == ["demo"]
    assert complete("graphcrawl hosts block ") == []  # no server runs, and none is started


def test_every_choice_of_few_words_is_completed() -> None:
    wanted = {
        ("crawl",): {"scope", "rules", "measure", "mode", "text", "order"},
        ("pages",): {"state", "sort"},
        ("hosts", "list"): {"host", "state"},
        ("hosts", "block"): {"hosts"},
        ("hosts", "unblock"): {"hosts"},
        ("query", "run"): {"name"},
        ("query", "show"): {"name"},
        ("evaluate",): {"rules"},
        ("init",): {"rules"},
    }
    for path, names in wanted.items():
        have = {p.name for p in ALL[path].params if p._custom_shell_complete is not None}
        assert names <= have, path


def test_log_json_makes_stderr_a_line_of_json_each(
    capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lines() -> list[dict[str, Any]]:
        return [json.loads(line) for line in capsys.readouterr().err.splitlines()]

    assert cli.run(["statsu", "--log-json"]) == Exit.USAGE
    [mistake] = lines()
    assert (mistake["level"], mistake["message"]) == (
        "error",
        "No such command 'statsu'. Did you mean 'status'?",
    )
    assert mistake["at"].endswith("Z")
    assert mistake["hint"]
    monkeypatch.setenv("FORCE_COLOR", "1")  # a terminal, and yet no bar
    with progress.server_start(quiet=False) as tell:
        tell(Progress("start"))
    assert [entry["message"] for entry in lines()] == ["Starting Neo4j …"]
    try:
        raise RuntimeError("inside \x1b[31m")
    except RuntimeError:
        logging.getLogger("graphcrawl.x").exception("it %s", "broke")
    [defect] = lines()
    assert (defect["logger"], defect["message"]) == ("graphcrawl.x", "it broke")
    assert "RuntimeError: inside \ufffd[31m" in defect["traceback"]
    cli.run(["staus"])
    assert "error:" in capsys.readouterr().err  # no JSON any more


def test_ctrl_c_says_nothing_and_a_question_does(capsys: Any) -> None:
    stopped = typer.Abort()
    stopped.__cause__ = KeyboardInterrupt()
    assert problems.report(stopped) == Exit.INTERRUPTED
    assert capsys.readouterr().err == ""
    assert problems.report(typer.Abort()) == Exit.INTERRUPTED
    assert "nothing was changed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "level"), [("-q", "ERROR"), ("", "WARNING"), ("-v", "INFO"), ("-vv", "DEBUG")]
)
def test_how_much_is_logged(words: str, level: str) -> None:
    cli.run([*words.split(), "query", "list", "--json"])
    assert logging.getLevelName(logging.getLogger("graphcrawl").level) == level
