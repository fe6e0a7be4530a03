"""robots.txt: RFC 9309 §2.2 (its examples re-typed), bug reports 07 and 09, real files."""

import asyncio
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from graphcrawl.models import Reason
from graphcrawl.robots import Robots, RobotsFile, Verdict, read_rules

SHARED = Path(os.environ.get("GRAPHCRAWL_SHARED") or Path(__file__).parents[2] / "../shared")
START = datetime(2024, 1, 1, tzinfo=UTC)


class Web:
    """One origin's answers to come, a clock, and a store; notes what was asked."""

    def __init__(self, *answers: tuple[int | None, str]) -> None:
        self.answers = list(answers)
        self.now = START
        self.asked: list[str] = []
        self.saved: dict[str, RobotsFile] = {}
        self.cause: Reason | None = None
        self.wish_s = 0.0

    def robots(self, agent: str = "graphcrawl") -> Robots:
        return Robots(self.download, self.load, self.save, agent, lambda: self.now)

    async def download(self, origin: str) -> RobotsFile:
        self.asked.append(origin)
        await asyncio.sleep(0)
        status, body = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        wish = self.now + timedelta(seconds=self.wish_s)
        return RobotsFile(origin, status, body, self.now, wish, self.cause)

    async def load(self, origin: str) -> RobotsFile | None:
        return self.saved.get(origin)

    async def save(self, file: RobotsFile) -> None:
        self.saved[file.origin] = file


async def check(rules: str, path: str, agent: str = "graphcrawl") -> Verdict:
    return await Web((200, rules)).robots(agent).check(f"http://h.example{path}")


RFC_SIMPLE = """\
User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot

EOF
"""

RFC_LONGEST = """\
User-Agent: foobot
Allow: /example/page/
Disallow: /example/page/disallowed.gif
"""


@pytest.mark.parametrize(
    ("rules", "agent", "path", "allowed"),
    [
        # RFC 9309 §5.1, Simple Example
        (RFC_SIMPLE, "graphcrawl", "/a.gif", False),
        (RFC_SIMPLE, "graphcrawl", "/a.gif?x", True),
        (RFC_SIMPLE, "graphcrawl", "/example/", False),
        (RFC_SIMPLE, "graphcrawl", "/publications/x", True),
        (RFC_SIMPLE, "foobot", "/", False),
        (RFC_SIMPLE, "foobot", "/example/page.html", True),
        (RFC_SIMPLE, "foobot", "/example/allowed.gif", True),
        (RFC_SIMPLE, "barbot", "/example/page.html", False),
        (RFC_SIMPLE, "bazbot", "/example/page.html", False),
        (RFC_SIMPLE, "bazbot", "/example/", True),
        (RFC_SIMPLE, "quxbot", "/example/", True),
        # RFC 9309 §5.2, Longest Match
        (RFC_LONGEST, "foobot", "/example/page/x", True),
        (RFC_LONGEST, "foobot", "/example/page/disallowed.gif", False),
        # RFC 9309 §2.2.2: equal lengths, the least restrictive wins
        ("User-agent: *\nDisallow: /a\nAllow: /a", "graphcrawl", "/a", True),
        # RFC 9309 §2.2.2, table of escapes
        ("User-agent: *\nDisallow: /foo/bar?baz=quz", "graphcrawl", "/foo/bar?baz=quz", False),
        (
            "User-agent: *\nDisallow: /foo/bar?baz=http://foo.bar",
            "graphcrawl",
            "/foo/bar?baz=http://foo.bar",
            False,
        ),
        ("User-agent: *\nDisallow: /foo/bar/ツ", "graphcrawl", "/foo/bar/%E3%83%84", False),
        ("User-agent: *\nDisallow: /foo/bar/%E3%83%84", "graphcrawl", "/foo/bar/%E3%83%84", False),
        ("User-agent: *\nDisallow: /foo/bar/%62%61%7A", "graphcrawl", "/foo/bar/baz", False),
        # RFC 9309 §2.2.3: `#`, `$`, `*`
        ("User-agent: * # all\nDisallow: /x # not this", "graphcrawl", "/x", False),
        ("User-agent: *\nDisallow: /this/path/exactly$", "graphcrawl", "/this/path/exactly/", True),
        ("User-agent: *\nDisallow: /this/*/exactly", "graphcrawl", "/this/a/b/exactly", False),
        # byte order mark, foreign line ends, nothing at all
        ("User-agent: *\rDisallow: /x\r", "graphcrawl", "/x", False),
        ("", "graphcrawl", "/x", True),
        ("<html>Disallow: /</html>", "graphcrawl", "/x", True),
    ],
)
async def test_rules(rules: str, agent: str, path: str, allowed: bool) -> None:
    verdict = await check(rules, path, agent)
    assert verdict.allowed is allowed
    assert verdict.reason is (None if allowed else Reason.ROBOTS)


OWN_GROUP = """\
# re-typed after yacy_search_server #636 and wget2 #263
User-agent: graphcrawl   # us
User-agent: otherbot
Disallow: /drafts/  # not yet
Allow: /

User-agent: *
Disallow: /

User-agent: GraphCrawl
Disallow: /tmp/
"""


@pytest.mark.parametrize("agent", ["graphcrawl", "graphcrawl/0.1 (+http://bot.example/)"])
@pytest.mark.parametrize(
    ("path", "allowed"), [("/", True), ("/about", True), ("/drafts/x", False), ("/tmp/y", False)]
)
async def test_own_groups_are_merged_and_win(agent: str, path: str, allowed: bool) -> None:
    assert (await check(OWN_GROUP, path, agent)).allowed is allowed


async def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    rules = read_rules(b"\xef\xbb\xbfUser-agent: *\nDisallow: /\xff")
    assert not (await check(rules, "/%EF%BF%BD")).allowed


async def test_500_kib_are_parsed() -> None:
    filler = "".join(f"Disallow: /{n:08}\n" for n in range(28_000))
    assert len(filler) > 500 * 1024
    verdict = await check(f"User-agent: *\n{filler}Disallow: /last", "/last/x")
    assert not verdict.allowed


@pytest.mark.parametrize(("asked", "kept"), [("2", 2.0), ("3600", 30.0), ("-1", None), ("x", None)])
async def test_crawl_delay_is_kept_within_reason(asked: str, kept: float | None) -> None:
    verdict = await check(f"User-agent: *\nCrawl-delay: {asked}", "/")
    assert verdict.crawl_delay_s == kept


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451, 301, 304])
async def test_an_unavailable_file_allows_all(status: int) -> None:
    assert (await Web((status, "")).robots().check("http://h.example/x")).allowed


@pytest.mark.parametrize("status", [429, 500, 503, 599, None])
async def test_an_unreachable_file_forbids_all(status: int | None) -> None:
    web = Web((status, ""))
    web.cause = Reason.CONNECT if status is None else None
    verdict = await web.robots().check("http://h.example/x")
    assert not verdict.allowed
    assert verdict.reason is Reason.ROBOTS_UNREACHABLE
    assert verdict.retry_at == START + timedelta(seconds=5)
    assert ("connect" if status is None else str(status)) in verdict.detail
    assert verdict.cause is web.cause


async def test_pauses_double_up_to_an_hour_and_end_with_the_first_answer() -> None:
    web = Web(*[(503, "")] * 12, (200, "User-agent: *\nDisallow: /private/"))
    robots = web.robots()
    pauses_s = []
    while (verdict := await robots.check("http://err.example/")).retry_at is not None:
        assert await robots.check("http://err.example/x") == verdict  # no new question meanwhile
        pauses_s.append((verdict.retry_at - web.now).total_seconds())
        web.now = verdict.retry_at
    assert pauses_s == [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600]
    assert verdict.allowed
    assert not (await robots.check("http://err.example/private/x")).allowed
    assert len(web.asked) == 13


async def test_the_pause_survives_a_restart() -> None:
    web = Web((503, ""))
    await web.robots().check("http://h.example/")
    web.now += timedelta(seconds=5)
    verdict = await web.robots().check("http://h.example/")
    assert verdict.retry_at == web.now + timedelta(seconds=10)


async def test_the_servers_own_wish_is_obeyed_for_a_day_at_most() -> None:
    web = Web((503, ""))
    web.wish_s = 7200
    assert (await web.robots().check("http://h.example/")).retry_at == START + timedelta(hours=2)
    web.saved.clear()
    web.wish_s = 1e7
    assert (await web.robots().check("http://h.example/")).retry_at == START + timedelta(hours=24)


@pytest.mark.parametrize(("status", "hours"), [(200, 24), (404, 24), (403, 1), (302, 1)])
async def test_answers_are_kept_and_then_renewed(status: int, hours: int) -> None:
    web = Web((status, ""))
    robots = web.robots()
    await robots.check("http://h.example/a")
    web.now = START + timedelta(hours=hours, seconds=-1)
    await robots.check("http://h.example/b")
    assert web.asked == ["http://h.example:80"]
    web.now = START + timedelta(hours=hours)
    await robots.check("http://h.example/c")
    assert len(web.asked) == 2


async def test_one_download_at_a_time_for_each_origin() -> None:
    web = Web((200, ""))
    robots = web.robots()
    async with asyncio.TaskGroup() as group:
        for n in range(20):
            group.create_task(robots.check(f"http://a.example/{n}"))
            group.create_task(robots.check(f"https://a.example/{n}"))
            group.create_task(robots.check(f"http://a.example:8080/{n}"))
    assert sorted(web.asked) == [
        "http://a.example:80",
        "http://a.example:8080",
        "https://a.example:443",
    ]


async def test_a_cancelled_caller_leaves_the_origin_usable() -> None:
    web = Web((200, ""))
    robots = web.robots()
    first = asyncio.create_task(robots.check("http://a.example/1"))
    second = asyncio.create_task(robots.check("http://a.example/2"))
    await asyncio.sleep(0)
    first.cancel()
    assert (await second).allowed


async def test_one_worker_asks_and_the_others_go_by_what_it_saves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("graphcrawl.robots._LOOK_AGAIN_S", 0.001)
    web = Web((200, "User-agent: *\nDisallow: /x"))
    held: set[str] = set()

    async def claim(key: str) -> bool:
        if key in held:
            return False
        held.add(key)
        return True

    async def save(file: RobotsFile) -> None:
        await asyncio.sleep(0.01)
        await web.save(file)

    workers = [
        Robots(web.download, web.load, save, now=lambda: web.now, claim=claim) for _ in range(4)
    ]
    verdicts = await asyncio.gather(*(w.check("http://h.example/x") for w in workers))
    assert [verdict.allowed for verdict in verdicts] == [False] * 4
    assert len(web.asked) == 1


@pytest.mark.parametrize("breaks", ["download", "address"])
async def test_a_claim_without_a_file_is_given_back(breaks: str) -> None:
    web = Web((None, ""))
    web.cause = Reason.ADDRESS
    released: list[str] = []

    async def release(key: str) -> None:
        released.append(key)

    async def download(key: str) -> RobotsFile:
        if breaks == "download":
            raise asyncio.CancelledError
        return await web.download(key)

    robots = Robots(download, web.load, web.save, now=lambda: web.now, release=release)
    if breaks == "download":
        with pytest.raises(asyncio.CancelledError):
            await robots.check("http://h.example/")
    else:
        await robots.check("http://h.example/")
    assert released == ["http://h.example:80"]


@pytest.mark.parametrize(
    ("own", "asked"),
    [
        ("h.example", False),
        ("h.example:8080", False),
        ("h.example:81", True),
        ("example", True),
        ("www.h.example", True),
    ],
)
async def test_robots_txt_of_own_hosts_is_not_asked_for(own: str, asked: bool) -> None:
    web = Web((200, "User-agent: *\nDisallow: /"))
    robots = Robots(web.download, web.load, web.save, own_hosts=[own])
    verdict = await robots.check("http://h.example:8080/x")
    assert (verdict.allowed, bool(web.asked)) == (not asked, asked)


async def test_a_verdict_says_by_which_line() -> None:
    verdict = await check("User-agent: *\nDisallow: /x", "/x")
    assert verdict.detail == "http://h.example:80/robots.txt, line 2: Disallow: /x"
    assert str(verdict.rule) == "Disallow: /x"
    assert (await check("User-agent: *\nDisallow: /", "/robots.txt")).allowed


async def test_a_delay_that_is_not_kept_whole_is_said(caplog: pytest.LogCaptureFixture) -> None:
    web = Web((200, "User-agent: *\nCrawl-delay: 3600"))
    verdict = await web.robots().check("http://h.example/")
    assert (verdict.crawl_delay_s, verdict.asked_delay_s) == (30.0, 3600.0)
    assert web.saved["http://h.example:80"].crawl_delay_s == 3600.0
    assert "asks for 3600 s between two requests; 30 s are kept" in caplog.text


async def test_what_another_worker_saved_is_used() -> None:
    web = Web((503, ""))
    rules = "User-agent: *\nDisallow: /x"
    fresh = RobotsFile("http://h.example:80", 200, rules, START, START + timedelta(hours=1))
    web.saved[fresh.origin] = fresh
    robots = web.robots()
    assert not (await robots.check("http://h.example/x")).allowed
    assert web.asked == []
    web.now += timedelta(hours=2)
    web.saved[fresh.origin] = replace(fresh, body="", expires_at=web.now + timedelta(hours=1))
    assert (await robots.check("http://h.example/x")).allowed
    assert web.asked == []


async def test_a_refused_address_is_said_and_not_kept_for_other_runs() -> None:
    web = Web((None, ""))
    web.cause = Reason.ADDRESS
    verdict = await web.robots().check("http://h.example/")
    assert verdict.reason is Reason.ADDRESS
    assert verdict.retry_at is None
    assert web.saved == {}


async def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphcrawl.robots._CACHED_ORIGINS", 2)
    web = Web((200, ""))
    robots = web.robots()
    web.saved = {}
    for host in "abcab":
        await robots.check(f"http://{host}.example/")
        web.saved.clear()
    assert len(web.asked) == 5


async def test_real_files_parse() -> None:
    folder = SHARED / "peer-suites/protego-robots/test_data"
    if not folder.exists():
        pytest.skip("peer-suites/protego-robots is not beside this repository")
    files = [file for file in folder.iterdir() if file.is_file()]
    assert len(files) >= 700
    closed = 0
    for file in files:
        rules = read_rules(file.read_bytes())
        verdict = await check(rules, "/")
        closed += not verdict.allowed
        assert verdict.crawl_delay_s is None or 0 <= verdict.crawl_delay_s <= 30
    assert 0 < closed < len(files) / 10  # most sites let an unknown crawler see their home page


async def test_a_verdict_tells_whether_its_host_was_asked_for_the_file_just_now() -> None:
    web = Web((200, "User-agent: *\nDisallow: /a"))
    robots = web.robots()
    asked = [(await robots.check(f"http://h.example/{path}")).asked for path in "abc"]
    kept = await web.robots().check("http://h.example/a")  # another worker, by the graph
    assert (asked, kept.asked) == ([True, False, False], False)
