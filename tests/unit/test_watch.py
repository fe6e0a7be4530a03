"""`status --watch`: what its curves, lines and pictures say."""

from datetime import UTC, datetime
from typing import Any

from rich.console import Console

from graphcrawl import limits, look
from graphcrawl.cli import watch
from graphcrawl.cli.watch import Look
from graphcrawl.hosts import HostRow, HostState

NOW = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)


def seen(at_s: float, fetched: int, reward: float, **more: Any) -> Look:
    run = limits.Run("r", NOW, "servers", "the servers: 4 requests in flight", fetched)
    status = look.Status(
        counts=look.Counts(900, 5000, 300, 4, fetched, 2, 1, 0, 1, 9, 3, 0),
        hosts=look.Hosts(12, 9, 2, 1, None),
        rewards=look.Rewards(reward, 50.0, 100.0, 2),
        frontier_head=(),
        expired_leases=0,
        last_crawl=None,
        limited_by=look.Bound.NONE,
        runs=(run,),
        limit=limits.of_graph(
            runs=[run], seeds=1, waiting=300, leased=4, expired=0, waiting_hosts=9, due_hosts=2,
            next_due_s=None,
        ),
    )  # fmt: skip
    slow = (look.SlowHost("slow.example", 0.35, 2.0, 8),)
    parked = HostRow(
        "evil.example", HostState.PARKED, "no \x1b[31manswer", 3, 5, 1.0, None, 5, 0, NOW, NOW,
        None, None, None, None,
    )  # fmt: skip
    return Look(at_s, status, slow, (parked,))


HISTORY = [seen(100.0, 10, 100.0), seen(102.0, 30, 300.0), seen(104.0, 30, 200.0)]


def test_rates_are_pages_over_time() -> None:
    assert watch.pages_per_s(HISTORY) == [10.0, 0.0]
    assert watch.pages_per_s(HISTORY[:1]) == []
    emptied = [seen(0.0, 10, 1.0), seen(0.0, 5, 1.0)]  # by a reset, within a clock's tick
    assert watch.pages_per_s(emptied) == [0.0]


def test_a_curve_has_a_bar_a_value_and_the_greatest_is_full() -> None:
    assert watch.curve([0, 4, 8]) == "▁▅█"
    assert watch.curve([0, 0]) == "▁▁"
    assert watch.curve([]) == ""
    assert watch.curve([-3, 1]) == "▁█"


def test_the_picture_says_it_all_and_obeys_nobody() -> None:
    console = Console(width=100, record=True, file=None, force_terminal=False)
    with console.capture() as captured:
        console.print(watch.view("demo", HISTORY))
    text = captured.get()
    for part in (
        "demo: 900 neurons", "1 crawl runs", "0.0  █▁  over 4.0 s", "200.00  ▃█▆",
        "30 fetched, 300 waiting, 4 in flight, 2 failed, 1 excluded, 0 pruned",
        "slow.example", "answers in 350 ms", "asked every 2.0 s",
        "evil.example", "parked", "until 12:00:00 UTC", "no \ufffd[31manswer",
    ):  # fmt: skip
        assert part in text, part
    assert "A crawl runs, limited by the servers: 4 requests in flight. More" in text
    assert text.split()[-1] == "--concurrency."  # the sentence ends it


def test_the_sentence_stays_on_a_low_terminal() -> None:
    many = Look(
        106.0,
        HISTORY[-1].status,
        tuple(look.SlowHost(f"{n}.example", 0.3, 2.0, 8) for n in range(5)),
        HISTORY[-1].troubled * 5,
    )
    console = Console(width=80, height=24, record=True, file=None, force_terminal=False)
    for height, slow in ((24, 3), (16, 0), (40, 5)):
        with console.capture() as captured:
            console.print(watch.view("demo", [*HISTORY, many], height))
        lines = captured.get().splitlines()
        assert len(lines) <= height
        assert sum(".example" in line and "answers" in line for line in lines) == slow
        assert any("limited by the servers" in line for line in lines)


def test_a_line_and_a_json_object_tell_the_same() -> None:
    told = watch.document(HISTORY)
    assert (told["pages_per_s"], told["fetched"], told["cause"]) == (0.0, 30, "servers")
    assert watch.document(HISTORY[:1])["pages_per_s"] is None
    assert watch.line(HISTORY) == (
        "30 fetched, 0.0/s, 300 waiting, 3 feeds, reward 200.00 · "
        "A crawl runs, limited by the servers: 4 requests in flight."
    )
