"""Every row of docs/errors.md: what is printed is what stands there, with its exit code.

Commands run in this process, so that a test can take the network or the disk away; what signals do
is tested with real processes.
"""

import errno
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import psutil
import pytest
from servers import SMALL

from graphcrawl import cli, server
from graphcrawl.cli import session
from graphcrawl.config import Paths, Settings
from graphcrawl.crawl.noting import JUDGES
from graphcrawl.errors import QueryError
from graphcrawl.export import What, export
from graphcrawl.graph import Address, Graph
from graphcrawl.server import backup_file, jars, snapshot

DOC = Path(__file__).parents[2] / "docs" / "errors.md"
ROW = re.compile(r"\| `(?P<name>\w+)` \| .* \| (?P<said>.*) \| (?P<exit>\d+) \| (?P<hint>.*)\|")

Check = Callable[..., str]


def rows() -> dict[str, re.Match[str]]:
    """Return the rows of the document by name."""
    found = map(ROW.fullmatch, DOC.read_text(encoding="utf-8").splitlines())
    return {match["name"]: match for match in found if match}


def pattern(cell: str) -> str:
    """Turn the code at the start of a cell into a regular expression; `…` stands for anything."""
    code = re.match(r"`([^`]*)`", cell)
    return ".*".join(map(re.escape, code[1].split("…"))) if code else ""


@pytest.fixture
def check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Check:
    """Run a command in a home of its own and compare stderr and exit code with a row."""
    for name in list(os.environ):
        if re.match(r"NEO4J_|GRAPHCRAWL_(?!TEST_)", name):
            monkeypatch.delenv(name)
    monkeypatch.setenv("GRAPHCRAWL_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GRAPHCRAWL_CRAWL__PARSERS", "1")  # each takes a second to start
    monkeypatch.setenv("GRAPHCRAWL_SERVER__JAVA_OPTIONS", json.dumps(SMALL.java_options))
    monkeypatch.chdir(tmp_path)

    def run(row: str, *words: str) -> str:
        expected = rows()[row]
        code = cli.run(words)
        out, err = capsys.readouterr()
        assert code == int(expected["exit"]), err
        assert "Traceback" not in err
        said, hint = pattern(expected["said"]), pattern(expected["hint"])
        if code == 0:
            assert re.search(said, err), err
        else:
            assert re.search(f"^error: {said}", err, re.MULTILINE), err
            assert re.search(f"^hint: .*{hint}", err, re.MULTILINE), err
            assert out == ""
        return str(err)

    return run


@pytest.fixture
def own_neo4j(neo4j_address: Address, check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the environment name the tests' server, as a user would name theirs."""
    monkeypatch.setenv("NEO4J_URI", neo4j_address.uri)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_address.password)


@pytest.fixture
def embedded(check: Check) -> Path:
    """Make the folder of the graph `default`, as a first start does."""
    folder = Paths.locate().graph("default")
    folder.mkdir(parents=True)
    return folder


def test_rows_and_tests_agree() -> None:
    named = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    assert set(rows()) == named - {"rows_and_tests_agree"}


# --- Neo4j


@pytest.mark.parametrize("mute", [False, True])  # nobody listens, or somebody who never speaks
def test_neo4j_dead(check: Check, monkeypatch: pytest.MonkeyPatch, mute: bool) -> None:
    monkeypatch.setattr("graphcrawl.graph.ACQUIRE_TIMEOUT_S", 0.5)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        if mute:
            taken.listen()
        monkeypatch.setenv("NEO4J_URI", f"bolt://127.0.0.1:{taken.getsockname()[1]}")
        monkeypatch.setenv("NEO4J_PASSWORD", "x")
        check("neo4j_dead", "status")


@pytest.mark.parametrize("uri", ["neo4j.example", "http://127.0.0.1:7474/browser/"])
def test_neo4j_address_wrong(check: Check, monkeypatch: pytest.MonkeyPatch, uri: str) -> None:
    monkeypatch.setenv("NEO4J_URI", uri)
    monkeypatch.setenv("NEO4J_PASSWORD", "x")
    check("neo4j_address_wrong", "status")


def test_password_wrong(check: Check, own_neo4j: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", "not the password")
    assert "not the password" not in check("password_wrong", "status", "--graph", "test")


def test_password_missing(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:7687")
    check("password_missing", "status")


@pytest.fixture
async def linked(graph: Graph) -> None:
    """Put two linked pages into the database."""
    await graph.run_schema(
        "CREATE (:PageNeuron {url: 'http://a.example/', reward: 1.0})"
        "-[:LINK_AXON {weight: 1.0}]->(:PageNeuron {url: 'http://b.example/', reward: 1.0})"
    )


def test_gds_missing(
    check: Check, own_neo4j: None, linked: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Graph.run

    async def without_gds(self: Graph, name: str, **parameters: Any) -> Any:
        if name.startswith("reward/gds"):  # what Neo4j says where the plugin is not there
            raise QueryError("Unknown function 'gds.graph.project'")
        return await run(self, name, **parameters)

    monkeypatch.setattr(Graph, "run", without_gds)
    check("gds_missing", "propagate", "--engine", "gds", "--graph", "test")


@pytest.fixture
async def crawled(graph: Graph) -> None:
    """Let the database say that a crawl has been here, by the first mode."""
    await graph.run("reward/set_mode", mode="neural")


def test_reward_mode_other(check: Check, own_neo4j: None, crawled: None) -> None:
    seed = ("http://127.0.0.1:9/", "--allow-private")
    check("reward_mode_other", "crawl", *seed, "--mode", "steady", "--graph", "test")


def test_mode_missing(check: Check) -> None:
    check("mode_missing", "propagate", "--apply")


@pytest.fixture
async def newer_schema(graph: Graph) -> AsyncIterator[None]:
    """Let the database say that a later version of graphcrawl has been here."""
    before = (await graph.run("schema/meta"))[0]["schemaVersion"]
    await graph.run_schema("MATCH (m:Meta) SET m.schemaVersion = 99")
    yield
    await graph.run_schema(f"MATCH (m:Meta) SET m.schemaVersion = {before}")


def test_schema_newer(check: Check, own_neo4j: None, newer_schema: None) -> None:
    check("schema_newer", "status", "--graph", "test")


@pytest.fixture
async def foreign_data(graph: Graph) -> AsyncIterator[None]:
    """Let the database hold what others put there."""
    await graph.run_schema("MATCH (n) DETACH DELETE n; CREATE (:Person {name: 'Ada'})")
    yield
    await graph.run_schema("MATCH (n) DETACH DELETE n")


def test_data_foreign(check: Check, own_neo4j: None, foreign_data: None) -> None:
    check("data_foreign", "status", "--graph", "test")


def test_graph_other(check: Check, own_neo4j: None, graph: Graph) -> None:
    check("graph_other", "status", "--graph", "other")


@pytest.mark.parametrize("command", ["up", "down", "reset", "logs", "compact"])
def test_own_neo4j(check: Check, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:7687")
    check("own_neo4j", "db", command)


@pytest.mark.parametrize("words", [["status"], ["pages"], ["db", "down"], ["db", "logs"]])
def test_graph_unknown(check: Check, words: list[str]) -> None:
    check("graph_unknown", *words, "--graph", "nowhere")
    assert session.graph_names(session.Session().settings()) == []


def share_jars(cache: Path) -> None:
    """Let this test's home use jars that were fetched before."""
    own = Paths.locate().cache
    own.parent.mkdir(parents=True)
    cache.mkdir(parents=True, exist_ok=True)
    own.symlink_to(cache)


def test_port_taken(check: Check, server_paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    share_jars(server_paths.cache)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        monkeypatch.setenv("GRAPHCRAWL_SERVER__BOLT_PORT", str(port))
        monkeypatch.setenv("GRAPHCRAWL_SERVER__HEAP", "512MiB")
        try:
            check("port_taken", "db", "up")
            running = server.find(Paths.locate(), "default")
            assert running is not None
            assert running.bolt_port != port
        finally:
            assert cli.run(["db", "down"]) == 0
    assert server.find(Paths.locate(), "default") is None


def test_network_none(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jars, "_fetch", lambda jar, incoming: None)
    check("network_none", "db", "up")


def test_jar_checksum(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    def altered(jar: jars.Jar, incoming: Path) -> Path:
        incoming.mkdir(parents=True, exist_ok=True)
        file = incoming / jar.file_name
        file.write_bytes(b"x" * jar.size_bytes)
        return file

    one = jars.locked_jars()[:1]
    monkeypatch.setattr(jars, "locked_jars", lambda: one)
    monkeypatch.setattr(jars, "_fetch", altered)
    check("jar_checksum", "db", "up")


def test_disk_full(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(jar: jars.Jar, incoming: Path) -> Path:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(jars, "_fetch", full)
    check("disk_full", "db", "up")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits a process that runs")
def test_disk_full_later(
    check: Check, own_server: Paths, site: str, capsys: pytest.CaptureFixture[str]
) -> None:
    crawl = ("crawl", site, "--allow-private", "--delay", "0")
    assert cli.run(crawl) == 0
    running = server.find(own_server, "default")
    assert running is not None
    logs = (running.home / "data/transactions/neo4j").glob("neostore.transaction.db.*")
    most = max(log.stat().st_size for log in logs) + 512
    capsys.readouterr()
    running.process.rlimit(psutil.RLIMIT_FSIZE, (most, most))
    check("disk_full_later", *crawl)
    assert cli.run(("pages", "--json")) == 0  # with room again, the next command starts it anew
    assert site in capsys.readouterr().out
    assert cli.run(crawl) == 0
    healed = server.find(own_server, "default")
    assert healed is not None
    assert healed.pid != running.pid


@pytest.fixture
def own_server(
    check: Check, server_paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Paths]:
    """A small embedded server for this test alone, with the cache of jars that all share."""
    paths = Paths.locate()
    paths.data.mkdir()
    paths.cache.symlink_to(server_paths.cache)
    monkeypatch.setenv("GRAPHCRAWL_SERVER__HEAP", "512MiB")
    monkeypatch.setenv("GRAPHCRAWL_SERVER__PAGE_CACHE", "64MiB")
    yield paths
    cli.run(("db", "down"))


# --- Seeds, rules and settings


def test_seeds_unreadable(check: Check) -> None:
    check("seeds_unreadable", "crawl", "-f", "nowhere.txt")


def test_seeds_binary(check: Check, tmp_path: Path) -> None:
    (tmp_path / "seeds.bin").write_bytes(b"http://a.example/\n\0\1\2")
    check("seeds_binary", "crawl", "-f", "seeds.bin")


@pytest.fixture
def site() -> Iterator[str]:
    """Serve one page at `/` on loopback, and 404 for all else."""

    class OnePage(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/" else 404)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<title>A page</title>")

        def log_message(self, *_: object) -> None:
            """Keep stderr for the command under test."""

    with ThreadingHTTPServer(("127.0.0.1", 0), OnePage) as server_of_one:
        Thread(target=server_of_one.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server_of_one.server_port}/"
        server_of_one.shutdown()


CRAWL = ("crawl", "--allow-private", "--delay", "0", "--graph", "test")


def test_seeds_junk(check: Check, own_neo4j: None, graph: Graph, site: str, tmp_path: Path) -> None:
    (tmp_path / "seeds.txt").write_text(f"# a remark\n:junk:\n{site}\n")
    check("seeds_junk", *CRAWL, "-f", "seeds.txt")


def test_nothing_fetched(check: Check, own_neo4j: None, graph: Graph, site: str) -> None:
    check("nothing_fetched", *CRAWL, f"{site}missing")


def test_seeds_none(check: Check, own_neo4j: None, graph: Graph) -> None:
    check("seeds_none", "crawl", "--graph", "test")


def test_seed_none(check: Check) -> None:
    check("seed_none", "seed")


def test_seed_junk(check: Check) -> None:
    check("seed_junk", "seed", "junk", "mailto:a@b.example")


def test_check_robots_url(check: Check) -> None:
    check("check_robots_url", "check", "robots", "mailto:a@b.example")


def test_check_robots_agent(check: Check) -> None:
    check("check_robots_agent", "check", "robots", "http://a.example/", "--agent", " /1.0")


def test_check_robots_file(check: Check) -> None:
    check("check_robots_file", "check", "robots", "http://a.example/", "--file", "nowhere.txt")


def test_own_hosts_wrong(check: Check) -> None:
    Path("graphcrawl.toml").write_text('[own_hosts]\nignore_robots = ["https://a.example/"]\n')
    check("own_hosts_wrong", "check", "robots", "http://a.example/")


def test_seed_reward_wrong(check: Check) -> None:
    check("seed_reward_wrong", "seed", "https://example.org/", "--reward", "inf")


def test_rules_broken(check: Check, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('[[rule]]\nname = "nurse"\nword = "nurse"\npiont = 1\n')
    check("rules_broken", "crawl", "http://127.0.0.1/", "--rules", "mine.toml")


@pytest.fixture
async def fetched_pages(graph: Graph) -> None:
    """Put twelve fetched pages with their text into the database."""
    await graph.run_schema(
        "UNWIND range(1, 12) AS n CREATE (p:PageNeuron:Fetched {url: 'http://a.example/' + n,"
        " reward: 1.0, baseReward: 0.0, grants: [], fetchedAt: datetime(), title: 'page'})"
        "-[:HAS_TEXT]->(:PageText {visible: 'page '"
        " + reduce(s = '', i IN range(1, 99) | s + 'a') + '!'})"
    )


def rules(folder: Path, *kinds: str) -> str:
    text = "".join(f"[[rule]]\nname = 'r{n}'\n{kind}\npoints = 1\n" for n, kind in enumerate(kinds))
    (folder / "mine.toml").write_text(text, encoding="utf-8")
    return "mine.toml"


EVALUATE = ("evaluate", "--graph", "test", "--rules")


def test_topic_missing(check: Check) -> None:
    check("topic_missing", "crawl", "http://127.0.0.1/", "--topic", "nowhere")


def test_topic_empty(check: Check, tmp_path: Path) -> None:
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "one.html").write_text("<title>word</title>")
    (tmp_path / "examples" / "two.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(99))
    check("topic_empty", "crawl", "http://127.0.0.1/", "--topic", str(tmp_path / "examples"))


def test_topic_not_had(check: Check, own_neo4j: None, site: str) -> None:
    check("topic_not_had", *CRAWL, site, "--topic", f"{site}nothing-there")


def test_topic_measure(check: Check) -> None:
    check("topic_measure", "crawl", "http://127.0.0.1/", "--measure", "jaccard")


def test_keyword_wrong(check: Check) -> None:
    check("keyword_wrong", "crawl", "http://127.0.0.1/", "--keyword", "nurse=many")


def test_rules_match_nothing(
    check: Check, own_neo4j: None, fetched_pages: None, tmp_path: Path
) -> None:
    check("rules_match_nothing", *EVALUATE, rules(tmp_path, "word = 'absent'"))


def test_rules_match_everything(
    check: Check, own_neo4j: None, fetched_pages: None, tmp_path: Path
) -> None:
    said = check("rules_match_everything", *EVALUATE, rules(tmp_path, "word='page'", "word='b'"))
    assert "another: r0\n" in said
    assert "Earned by no page: r1" in said


def test_rules_no_use(
    check: Check, own_neo4j: None, graph: Graph, site: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr("graphcrawl.cli.live._ENOUGH_PAGES", 1)
    check("rules_no_use", *CRAWL, site, "--rules", rules(tmp_path, "word = 'page'"))


def test_rules_slow(check: Check, own_neo4j: None, fetched_pages: None, tmp_path: Path) -> None:
    said = check("rules_slow", *EVALUATE, rules(tmp_path, "regex = '(a|aa)+$'"))
    assert "nothing new there: r0 (12)" in said


def test_rules_other(
    check: Check, own_neo4j: None, graph: Graph, site: str, tmp_path: Path
) -> None:
    assert cli.run((*CRAWL, site)) == 0
    mine = rules(tmp_path, "word = 'page'")
    assert "evaluate --rules mine.toml" in check("rules_other", *CRAWL, site, "--rules", mine)
    assert cli.run((*EVALUATE, mine)) == 0
    assert cli.run((*CRAWL, site, "--rules", mine)) == 0


def test_evaluate_nothing(check: Check, own_neo4j: None, graph: Graph) -> None:
    check("evaluate_nothing", *EVALUATE, "jobs")


@pytest.fixture
async def begun(graph: Graph, request: pytest.FixtureRequest) -> None:
    """A crawl that runs, by settings with these changes below `crawl`."""
    kept = Settings().model_dump(mode="json", exclude={"home", "server"})
    changes = dict(request.param)
    kept |= {JUDGES: True} if changes.pop(JUDGES, False) else {}
    kept["crawl"] |= changes
    await graph.run("write/start_crawl", id="x", settings=json.dumps(kept), rulesDigest="other")


def test_work_nothing(check: Check, own_neo4j: None, graph: Graph) -> None:
    check("work_nothing", "--graph", "test", "work")


@pytest.mark.parametrize("begun", [{"delay": "soon"}], indirect=True)
def test_work_settings(check: Check, own_neo4j: None, begun: None) -> None:
    check("work_settings", "--graph", "test", "work")


@pytest.mark.parametrize("begun", [{}], indirect=True)
def test_work_rules(check: Check, own_neo4j: None, begun: None) -> None:
    check("work_rules", "--graph", "test", "work")


@pytest.mark.parametrize("begun", [{"headers": ["X-Key"]}], indirect=True)
def test_work_header(check: Check, own_neo4j: None, begun: None) -> None:
    check("work_header", "--graph", "test", "work")


@pytest.mark.parametrize("begun", [{"proxy": "set"}], indirect=True)
def test_work_proxy(check: Check, own_neo4j: None, begun: None) -> None:
    check("work_proxy", "--graph", "test", "work")


@pytest.mark.parametrize("begun", [{JUDGES: True}], indirect=True)
def test_work_program(check: Check, own_neo4j: None, begun: None) -> None:
    check("work_program", "--graph", "test", "work")


@pytest.mark.parametrize("begun", [{}], indirect=True)
def test_crawl_other_order(check: Check, own_neo4j: None, begun: None, site: str) -> None:
    check("crawl_other_order", *CRAWL, site, "--order", "bfs")


def test_seed_contact(check: Check) -> None:
    check("seed_contact", "seed", "http://127.0.0.1/", "https://example.org/")


def test_contact_missing(check: Check) -> None:
    check("contact_missing", "crawl", "https://example.org/")


def test_setting_unknown(check: Check, tmp_path: Path) -> None:
    (tmp_path / "graphcrawl.toml").write_text("[crawl]\nmax_page = 5\n")
    check("setting_unknown", "status")


def test_setting_wrong(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHCRAWL_CRAWL__DELAY", "soon")
    check("setting_wrong", "status")


def test_settings_no_toml(check: Check, tmp_path: Path) -> None:
    (tmp_path / "graphcrawl.toml").write_text("[crawl\n")
    check("settings_no_toml", "status")


def test_setting_no_json(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHCRAWL_CRAWL__INCLUDE", "/jobs/")
    check("setting_no_json", "status")


def test_setting_pattern(check: Check, tmp_path: Path) -> None:
    (tmp_path / "graphcrawl.toml").write_text("[crawl]\ninclude = ['[']\n")
    check("setting_pattern", "crawl", "https://example.org/")


def test_setting_host(check: Check, tmp_path: Path) -> None:
    (tmp_path / "graphcrawl.toml").write_text('[hosts."http://a.example/"]\ndelay = "2s"\n')
    check("setting_host", "status")


def test_project_there(check: Check, tmp_path: Path) -> None:
    (tmp_path / "graphcrawl.toml").write_text('contact = "me@a.example"\n')
    check("project_there", "init")
    assert not (tmp_path / "seeds.txt").exists()


def test_project_unwritable(check: Check, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    check("project_unwritable", "init", "file/folder")
    check("project_unwritable", "init", "n" * 300)


def test_project_nameless(check: Check, tmp_path: Path) -> None:
    check("project_nameless", "init", "")
    assert list(tmp_path.iterdir()) == []


def test_notebooks_there(check: Check, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["--quiet", "init", "--notebooks"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 5
    (tmp_path / "notebooks" / "01_first_look.ipynb").write_text("mine")
    (tmp_path / "notebooks" / "05_pruning.ipynb").unlink()
    check("notebooks_there", "init", "--notebooks")
    assert (tmp_path / "notebooks" / "01_first_look.ipynb").read_text() == "mine"
    assert not (tmp_path / "notebooks" / "05_pruning.ipynb").exists()


def test_notebooks_unwritable(check: Check, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    check("notebooks_unwritable", "init", "--notebooks", "file/folder")


def test_project_rules(check: Check) -> None:
    check("project_rules", "init", "new", "--rules", "jbos")


def test_contact_wrong(check: Check) -> None:
    check("contact_wrong", "init", "new", "--contact", "me (at) home")


def test_contact_nobody(check: Check) -> None:
    check("contact_nobody", "init", "new", "--contact", "me")


def test_proxy_wrong(check: Check) -> None:
    check("proxy_wrong", "crawl", "http://127.0.0.1/", "--proxy", "http://")


def test_proxy_kind(check: Check) -> None:
    check("proxy_kind", "crawl", "http://127.0.0.1/", "--proxy", "ftp://127.0.0.1:1")


def test_proxy_down(check: Check, own_neo4j: None, graph: Graph) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{nobody.getsockname()[1]}"
        words = ("--graph", "test", "crawl", "http://93.184.216.34/", "--contact", "a@b.example")
        said = check("proxy_down", *words, "--proxy", address)
    assert said.count("refused") == 1


def test_header_wrong(check: Check) -> None:
    check("header_wrong", "crawl", "http://127.0.0.1/", "--header", "no colon")


def test_header_kept(check: Check) -> None:
    check("header_kept", "crawl", "http://127.0.0.1/", "--header", "Host: a.example")


def test_cookies_wrong(check: Check) -> None:
    check("cookies_wrong", "crawl", "http://127.0.0.1/", "--cookies", "nowhere.txt")


def test_user_agent_wrong(check: Check) -> None:
    check("user_agent_wrong", "crawl", "http://127.0.0.1/", "--user-agent", "9")


def credentials(folder: Path, lines: str) -> None:
    (folder / "graphcrawl.toml").write_text(f'[hosts."a.example"]\n{lines}\n')


def test_secret_missing(check: Check, tmp_path: Path) -> None:
    credentials(tmp_path, 'token = "env:NO_SUCH_VARIABLE"')
    check("secret_missing", "crawl", "http://127.0.0.1/")


def test_secret_unreadable(check: Check, tmp_path: Path) -> None:
    credentials(tmp_path, 'token = "file:nowhere"')
    check("secret_unreadable", "crawl", "http://127.0.0.1/")


def test_credentials_half(check: Check, tmp_path: Path) -> None:
    credentials(tmp_path, 'username = "me"')
    check("credentials_half", "crawl", "http://127.0.0.1/")


def test_credentials_two(check: Check, tmp_path: Path) -> None:
    lines = 'username = "me"\npassword = "env:HOME"\ntoken = "env:HOME"'
    credentials(tmp_path, lines)
    check("credentials_two", "crawl", "http://127.0.0.1/")


def test_host_wrong(check: Check) -> None:
    check("host_wrong", "hosts", "block", "a/b")


def test_explain_url(check: Check) -> None:
    check("explain_url", "explain", "http://")


def test_simulate_order(check: Check) -> None:
    check("simulate_order", "plan", "--simulate", "bfs,best")


def test_host_state(check: Check) -> None:
    check("host_state", "hosts", "--state", "sleeping")


# --- The command line


def test_command_unknown(check: Check) -> None:
    check("command_unknown", "staus")


def test_option_unknown(check: Check) -> None:
    check("option_unknown", "pages", "--lmit", "3")


def test_value_wrong(check: Check) -> None:
    check("value_wrong", "pages", "--limit", "few")


def test_formats_two(check: Check) -> None:
    check("formats_two", "pages", "--csv", "--json")


def test_forget_target_wrong(check: Check) -> None:
    check("forget_target_wrong", "forget", "example.org/people")


def test_filter_wrong(check: Check) -> None:
    check("filter_wrong", "pages", "--where", "rewrad>10")


def test_filter_value_wrong(check: Check) -> None:
    check("filter_value_wrong", "pages", "--where", "depth=1.5")


def test_job_filter_wrong(check: Check) -> None:
    check("job_filter_wrong", "jobs", "--where", "contry=DE")


def test_since_wrong(check: Check) -> None:
    check("since_wrong", "jobs", "--since", "yesterday")


def test_check_base_wrong(check: Check) -> None:
    check("check_base_wrong", "check", "url", "x", "--base", "mailto:me")
    check("check_base_wrong", "check", "page", "x", "--base", "mailto:me")


def test_check_page_unreadable(check: Check) -> None:
    check("check_page_unreadable", "check", "page", "page.html")


def test_check_page_refused(check: Check) -> None:
    check("check_page_refused", "check", "page", "https://h.example/a.png")


def test_check_page_not_had(check: Check) -> None:
    check("check_page_not_had", "check", "page", "http://127.0.0.1:9/")


def test_check_score_url(check: Check) -> None:
    check("check_score_url", "check", "score", "mailto:me")


def test_model_unknown(check: Check) -> None:
    check("model_unknown", "model", "show", "topic")


def test_model_nothing(check: Check, own_neo4j: None, graph: Graph) -> None:
    check("model_nothing", "--graph", "test", "model", "show")


@pytest.fixture
async def bad_model(graph: Graph, request: pytest.FixtureRequest) -> str:
    row, version = request.param
    values = {"scorer": "quality", "part": "x", "lessons": 9, "data": b"nonsense"}
    await graph.run("model/begin", version=version, **values)
    return str(row)


@pytest.mark.parametrize("bad_model", [("model_damaged", 1)], indirect=True)
def test_model_damaged(check: Check, own_neo4j: None, bad_model: str) -> None:
    check(bad_model, "--graph", "test", "check", "score", "http://a.example/")


@pytest.mark.parametrize("bad_model", [("model_version", 99)], indirect=True)
def test_model_version(check: Check, own_neo4j: None, bad_model: str) -> None:
    check(bad_model, "--graph", "test", "model", "show")


def test_tracking_wrong(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHCRAWL_CRAWL__TRACKING", '["a=b"]')
    check("tracking_wrong", "config", "show")


def test_jobs_contradiction(check: Check) -> None:
    check("jobs_contradiction", "jobs", "--new", "--gone")


def test_jobs_file_unknown(check: Check) -> None:
    check("jobs_file_unknown", "jobs", "-o", "jobs.xlsx")


def test_jobs_file_unwritable(check: Check) -> None:
    check("jobs_file_unwritable", "jobs", "-o", "nowhere/jobs.csv")


def test_jobs_file_full(check: Check, own_neo4j: None, graph: Graph, tmp_path: Path) -> None:
    (tmp_path / "jobs.csv.part").symlink_to("/dev/full")
    check("jobs_file_full", "jobs", "-o", "jobs.csv", "--graph", "test")
    assert not (tmp_path / "jobs.csv").exists()


def test_export_what_unknown(check: Check) -> None:
    check("export_what_unknown", "export", "links", "-o", "links.csv")


def test_export_exists(check: Check, tmp_path: Path) -> None:
    (tmp_path / "pages.csv").write_text("mine")
    check("export_exists", "export", "pages", "-o", "pages.csv")
    assert (tmp_path / "pages.csv").read_text() == "mine"


def test_export_form_unknown(check: Check) -> None:
    check("export_form_unknown", "export", "pages", "-o", "pages.xlsx")


def test_export_form_wrong(check: Check) -> None:
    check("export_form_wrong", "export", "graph", "-o", "graph.csv")


def test_export_full(check: Check, own_neo4j: None, graph: Graph, tmp_path: Path) -> None:
    (tmp_path / "pages.csv").write_text("before")
    (tmp_path / f"pages.csv.{os.getpid()}.part").symlink_to("/dev/full")
    check("export_full", "export", "pages", "-o", "pages.csv", "--force", "--graph", "test")
    assert (tmp_path / "pages.csv").read_text() == "before"
    assert not list(tmp_path.glob("*.part"))


@pytest.fixture
async def leased(graph: Graph) -> None:
    await graph.run_schema(
        "CREATE (:PageNeuron:Leased {url: 'http://a.example/', "
        "leasedUntil: datetime() + duration('PT1H')})"
    )


def test_export_running(check: Check, own_neo4j: None, leased: None) -> None:
    check("export_running", "export", "graph", "-o", "copy.jsonl", "--graph", "test")
    assert not Path("copy.jsonl").exists()


def test_import_foreign(check: Check, tmp_path: Path) -> None:
    (tmp_path / "theirs.jsonl").write_text('{"url": "http://a.example/"}\n')
    check("import_foreign", "import", "theirs.jsonl")


def test_import_cut(check: Check, tmp_path: Path) -> None:
    (tmp_path / "cut.jsonl").write_text('{"graphcrawl": "graph", "version": 1}\n')
    check("import_cut", "import", "cut.jsonl")


@pytest.fixture
async def doubled_host(graph: Graph) -> None:
    await graph.run_schema(
        "DROP CONSTRAINT host_name; UNWIND [1, 2] AS n CREATE (:Host {name: 'a'})"
    )


def test_schema_broken(check: Check, own_neo4j: None, doubled_host: None) -> None:
    check("schema_broken", "status", "--graph", "test")


def test_backup_exists(check: Check, embedded: Path, tmp_path: Path) -> None:
    (tmp_path / "a.backup").touch()
    check("backup_exists", "db", "backup", "a.backup")


def packed(file: Path, neo4j: str = "5.26.0") -> Path:
    """Write a backup of an empty folder."""
    head = backup_file.Head("a", "0.1", neo4j, "2026-01-31T12:00:00Z", 0)
    backup_file.write(file, file.parent, head)
    return file


def test_restore_foreign(check: Check, tmp_path: Path) -> None:
    (tmp_path / "theirs.tar").write_bytes(bytes(10240))
    check("restore_foreign", "db", "restore", "theirs.tar")


def test_restore_cut(check: Check, tmp_path: Path) -> None:
    whole = packed(tmp_path / "whole").read_bytes()
    (tmp_path / "cut.backup").write_bytes(whole[:-20])
    check("restore_cut", "db", "restore", "cut.backup")
    assert server.list_graphs(Paths.locate()) == []


def test_restore_newer(check: Check, tmp_path: Path) -> None:
    packed(tmp_path / "new.backup", neo4j="2099.01.0")
    check("restore_newer", "db", "restore", "new.backup")


def test_restore_taken(check: Check, embedded: Path, tmp_path: Path) -> None:
    packed(tmp_path / "a.backup")
    check("restore_taken", "db", "restore", "a.backup")


@pytest.fixture
def up(
    neo4j_address: Address, graph: Graph, embedded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Let the tests' server be that of the graph `default`."""

    class Up:
        address = neo4j_address

    async def answer(*_: object) -> Up:
        return Up()

    monkeypatch.setattr(server, "up", answer)
    monkeypatch.setattr(server, "find", lambda *_: Up())


def test_compact_no_room(check: Check, up: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "size_bytes", lambda _: 2**60)
    check("compact_no_room", "db", "compact")


@pytest.fixture
async def alive(graph: Graph) -> None:
    await graph.run_schema(
        "CREATE (:Crawl {id: 'c', startedAt: datetime(), beatAt: datetime(), fetched: 7})"
    )


@pytest.mark.parametrize("words", [["compact"], ["restore", "a.backup", "--overwrite"]])
def test_crawl_running(
    check: Check, up: None, alive: None, tmp_path: Path, words: list[str]
) -> None:
    packed(tmp_path / "a.backup")
    check("crawl_running", "db", *words)


@pytest.fixture
async def copy(graph: Graph, tmp_path: Path) -> None:
    await graph.run_schema("CREATE (:PageNeuron {url: 'http://a.example/'})")
    await export(graph, What.GRAPH, tmp_path / "copy.jsonl", name="test")


def test_import_not_empty(check: Check, own_neo4j: None, copy: None) -> None:
    check("import_not_empty", "import", "copy.jsonl", "--graph", "test")


@pytest.fixture
async def broken_off(graph: Graph) -> None:
    await graph.run("import/begin", graph="test", digest="some file's")


def test_import_unfinished(check: Check, own_neo4j: None, broken_off: None) -> None:
    check("import_unfinished", "crawl", "--graph", "test")


def test_crawl_output_wrong(check: Check) -> None:
    check("crawl_output_wrong", "crawl", "http://127.0.0.1:1/", "-o", "pages.csv")


def test_crawl_output_exists(check: Check, tmp_path: Path) -> None:
    (tmp_path / "notes.jsonl").write_text("mine")
    check("crawl_output_exists", "crawl", "http://127.0.0.1:1/", "-o", "notes.jsonl")
    assert (tmp_path / "notes.jsonl").read_text() == "mine"


def test_query_unknown(check: Check) -> None:
    check("query_unknown", "query", "run", "best_page")


def test_query_parameter_missing(check: Check) -> None:
    check("query_parameter_missing", "query", "run", "look/host")


def test_query_parameter_unknown(check: Check) -> None:
    check("query_parameter_unknown", "query", "run", "neighbours", "-P", "page=http://a.example/")


def test_browse_export_exists(check: Check, tmp_path: Path) -> None:
    (tmp_path / "mine.zip").write_text("mine")
    check("browse_export_exists", "browse", "--export", "mine.zip")
    assert (tmp_path / "mine.zip").read_text() == "mine"


def test_browse_export_nowhere(check: Check) -> None:
    check("browse_export_nowhere", "browse", "--export", "nowhere/mine.zip")


def test_browse_password_piped(check: Check) -> None:
    check("browse_password_piped", "browse", "--show-password")


def test_browse_own_neo4j(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    check("browse_own_neo4j", "browse")


def test_browse_copy_taken(check: Check, tmp_path: Path) -> None:
    for name in ("mine", "mine-copy"):
        (tmp_path / "home" / "graphs" / name / "data").mkdir(parents=True)
    check("browse_copy_taken", "browse", "--copy", "--graph", "mine")
    assert (tmp_path / "home" / "graphs" / "mine-copy" / "data").is_dir()


def test_browser_missing(check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home" / "graphs" / "mine"
    home.mkdir(parents=True)
    (home / "password").write_text("secret\n")

    class Nothing(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_error(404)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Nothing) as web:
        running = server.Running(
            "mine", 7687, web.server_port, psutil.Process(), home, home / "password"
        )

        async def up(*_: object) -> server.Running:
            return running

        monkeypatch.setattr(server, "up", up)
        answering = Thread(target=web.serve_forever)
        answering.start()
        try:
            said = check("browser_missing", "browse", "--graph", "mine")
        finally:
            web.shutdown()
            answering.join()
    assert "secret" not in said


def test_query_writes(check: Check) -> None:
    values = [f"-P{key}" for key in ("graph=x", "schemaVersion=1", "productVersion=x")]
    check("query_writes", "query", "run", "schema/stamp", *values)


def test_prune_contradiction(check: Check) -> None:
    check("prune_contradiction", "prune", "--below", "1", "--keep", "5")


def test_where_without_undo(check: Check) -> None:
    check("where_without_undo", "prune", "--where", "reward>1")


def test_archive_unreadable(check: Check, own_neo4j: None, graph: Graph, tmp_path: Path) -> None:
    (tmp_path / "cut.parquet").write_bytes(b"PAR1")
    (tmp_path / "cut.parquet.sha256").write_text("0" * 64 + "  cut.parquet\n")
    check("archive_unreadable", "prune", "--undo", "cut.parquet", "--graph", "test")


def test_archive_alone(check: Check, own_neo4j: None, graph: Graph, tmp_path: Path) -> None:
    (tmp_path / "alone.parquet").write_bytes(b"PAR1PAR1PAR1")
    check("archive_alone", "prune", "--undo", "alone.parquet", "--graph", "test")


def test_metrics_port_taken(check: Check, graph: Graph, own_neo4j: None) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        words = ("crawl", "http://127.0.0.1:9/", "--allow-private", "--metrics", port)
        check("metrics_port_taken", "--graph", "test", *words)


def test_watch_format(check: Check) -> None:
    check("watch_format", "status", "--watch", "--json")


def test_reset_unasked(check: Check, embedded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Path(os.devnull).open() as nobody:
        monkeypatch.setattr(sys, "stdin", nobody)
        check("reset_unasked", "db", "reset")
    assert embedded.is_dir()


def test_unexpected(check: Check, embedded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def defect(*_: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(server, "status", defect)
    check("unexpected", "db", "status")
    log = Paths.locate().state / "graphcrawl.log"
    assert "in defect" in log.read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupted(check: Check, sent: signal.Signals, code: int) -> None:
    # A shell that runs a job in the background hands down SIGINT ignored, so it is set anew.
    script = (
        "import asyncio, signal, sys; from graphcrawl import cli, look, saved_queries\n"
        "from graphcrawl.cli import session\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "async def work():\n"
        "    print('at work', flush=True)\n"
        "    try: await asyncio.sleep(60)\n"
        "    finally: print('cleaned up', flush=True)\n"
        "saved_queries.listed = lambda **_: session.run(work())\n"
        "sys.exit(cli.run(['query', 'list']))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "at work\n"
    process.send_signal(sent)
    out, err = process.communicate(timeout=30)
    assert (out, err, process.returncode) == ("cleaned up\n", "", code)
