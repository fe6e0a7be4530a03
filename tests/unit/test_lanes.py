"""The pace of one host: delays, pauses, and when it is given back."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from graphcrawl.crawl import lanes
from graphcrawl.crawl.lanes import Lane, Lanes
from graphcrawl.crawl.plan import Pace, Plan
from graphcrawl.models import Claim, Fetched, NotFetched, Reason

NOW = datetime(2026, 1, 1, tzinfo=UTC)


class Clock:
    """A monotonic clock that tests turn."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(lanes, "time", made)
    monkeypatch.setattr(lanes, "OVERLOAD_JITTER", 0.0)
    return made


def claim(path: str = "", token: int = 1) -> Claim:
    return Claim(f"http://h.example/{path}", "h.example", 1.0, 0, token)


def page() -> Fetched:
    return Fetched("http://h.example/", 200, b"", "text/html", "", NOW, 0.1)


def failure(reason: Reason, **more: Any) -> NotFetched:
    return NotFetched("http://h.example/", reason, "", NOW, **more)


def lane(delay_s: float = 1.0, per_host: int = 1, pages: int = 1) -> Lane:
    made = Lane("h.example", 1, delay_s, per_host)
    for number in range(pages):
        made.add(claim(str(number)))
    return made


def test_with_one_in_flight_the_delay_counts_from_the_end_of_the_fetch(clock: Clock) -> None:
    host = lane(pages=2)
    host.start()
    clock.now += 5
    update, _ = host.finish(page())
    assert host.wait_s() == 1.0
    assert update.pause_s == 1.0


def test_with_several_in_flight_the_delay_counts_from_start_to_start(clock: Clock) -> None:
    host = lane(pages=2, per_host=2)
    host.start()
    assert host.wait_s() == 1.0
    clock.now += 1
    host.finish(page())
    assert host.wait_s() == 0.0


def test_the_host_is_given_back_with_the_last_page_only(clock: Clock) -> None:
    host = lane(pages=2, per_host=2)
    host.start()
    host.start()
    assert host.finish(page())[0].token is None
    assert host.finish(page())[0].token == 1


def test_a_refill_changes_the_token_that_gives_the_host_back(clock: Clock) -> None:
    host = lane()
    host.start()
    host.add(claim("more", token=2))
    host.finish(page())
    host.start()
    assert host.finish(page())[0].token == 2


@pytest.mark.parametrize(
    ("outcome", "pause_s"),
    [
        (failure(Reason.TOO_MANY_REQUESTS, status=429, retry_after_s=30.0), 30.0),
        (failure(Reason.HTTP_SERVER, status=503, retry_after_s=0.2), 1.0),
        (failure(Reason.TOO_MANY_REQUESTS, status=429), lanes.OVERLOAD_PAUSE_S),
        (failure(Reason.HTTP_SERVER, status=503), lanes.OVERLOAD_PAUSE_S),
        (failure(Reason.HTTP_SERVER, status=500), 1.0),
        (failure(Reason.TOO_MANY_REQUESTS, status=429, retry_after_s=1e9), 86_400.0),
    ],
)
def test_a_refusal_pauses_the_whole_host(clock: Clock, outcome: NotFetched, pause_s: float) -> None:
    host = lane()
    host.start()
    update, _ = host.finish(outcome)
    assert update.pause_s == pause_s
    assert host.wait_s() == pause_s


def test_a_long_pause_gives_the_waiting_pages_back(clock: Clock) -> None:
    host = lane(pages=3)
    host.start()
    refusal = failure(Reason.TOO_MANY_REQUESTS, status=429, retry_after_s=600.0, host_fault=True)
    update, returned = host.finish(refusal)
    assert [c.url[-1] for c in returned] == ["1", "2"]
    assert not update.failed  # it answered: to refuse is a wish, not a fault
    assert update.refusals == 1
    assert update.token == 1


def test_pages_go_back_only_when_nothing_is_in_flight_to_the_host(clock: Clock) -> None:
    host = lane(pages=3, per_host=2, delay_s=0.0)
    host.start()
    host.start()
    refusal = failure(Reason.TOO_MANY_REQUESTS, status=429, retry_after_s=600.0)
    assert host.finish(refusal)[1] == ()
    update, returned = host.finish(page())
    assert len(returned) == 1
    assert update.token == 1
    assert update.pause_s == 600.0  # the refusal still counts


async def test_a_hosts_own_delay_spaces_what_started_side_by_side() -> None:
    host = lane(delay_s=0.0, per_host=3, pages=3)
    times: list[float] = []

    async def visit() -> None:
        await host.take_turn(0.1)
        times.append(asyncio.get_running_loop().time())

    await asyncio.gather(visit(), visit(), visit())
    assert times[1] - times[0] >= 0.1 - 0.002
    assert times[2] - times[1] >= 0.1 - 0.002


def test_only_hosts_without_delay_are_refilled() -> None:
    quick = Lanes(delay_s=0.0, per_host=2)
    quick.take(claim())
    assert quick.deep == 2 * lanes.AHEAD
    assert quick.running_dry() == ["h.example"]
    polite = Lanes(delay_s=1.0, per_host=2)
    polite.take(claim())
    assert polite.deep == 2
    assert polite.running_dry() == []


OWN = {
    "example.org": Pace(5.0, 1),
    "jobs.example.org": Pace(0.0, 4),
    "example.org:8080": Pace(7.0, 2),
    "[::1]": Pace(9.0, 1),
}


@pytest.mark.parametrize(
    ("host", "pace"),
    [
        ("example.org", OWN["example.org"]),
        ("www.example.org", OWN["example.org"]),
        ("example.org:443", OWN["example.org"]),
        ("example.org:8080", OWN["example.org:8080"]),
        ("www.example.org:8080", OWN["example.org"]),  # a name with a port is for itself alone
        ("a.jobs.example.org", OWN["jobs.example.org"]),
        ("notexample.org", Pace(1.0, 1)),
        ("org", Pace(1.0, 1)),
        ("[::1]:81", OWN["[::1]"]),
    ],
)
def test_the_nearest_name_above_a_host_sets_its_pace(host: str, pace: Pace) -> None:
    assert Plan(hosts=OWN).pace(host) == pace


def test_a_lane_has_the_pace_of_its_host_and_asks_for_as_many_pages_as_it_may_have() -> None:
    held = Lanes(delay_s=1.0, per_host=1, pace=Plan(hosts={"h.example": Pace(0.5, 3)}).pace)
    for number in range(3):
        assert held.running_dry() == ["h.example"] * (number > 0)
        made = held.take(claim(str(number)))
    assert (made.delay_s, made.per_host) == (0.5, 3)
    assert held.running_dry() == []


@pytest.mark.parametrize(("wish_s", "pace_s"), [(9.0, 9.0), (0.1, 5.0)])
def test_a_longer_crawl_delay_wins_over_ours(wish_s: float, pace_s: float) -> None:
    host = lane(delay_s=5.0)
    host.lengthen(wish_s)
    assert host.delay_s == pace_s


def test_refusals_double_the_pause_to_a_day_and_answers_forgive_one_each(clock: Clock) -> None:
    host = lane(pages=40)
    pauses = []
    for _ in range(14):
        host.add(claim())
        host.start()
        pauses.append(host.finish(failure(Reason.HTTP_SERVER, status=503))[0].pause_s)
        clock.now += pauses[-1]
    assert pauses[:4] == [60.0, 120.0, 240.0, 480.0]
    assert pauses[10:] == [61_440.0, 86_400.0, 86_400.0, 86_400.0]
    assert host.refusals == 14
    for left in (13, 12):
        host.add(claim())
        host.start()
        assert host.finish(page())[0].refusals == left
        clock.now += 1.0


def test_own_pauses_are_spread_and_the_servers_wish_is_kept_exactly(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lanes, "OVERLOAD_JITTER", 0.1)
    paused: list[float] = []
    for _ in range(20):
        host = lane()
        host.start()
        paused.append(host.finish(failure(Reason.TOO_MANY_REQUESTS, status=429))[0].pause_s)
    assert all(60.0 <= pause <= 66.0 for pause in paused)
    assert len(set(paused)) > 10


def test_a_server_that_wishes_no_pause_and_still_refuses_is_believed_less(clock: Clock) -> None:
    host = lane(pages=1)
    pauses = []
    for _ in range(5):
        host.add(claim())
        host.start()
        refusal = failure(Reason.TOO_MANY_REQUESTS, status=429, retry_after_s=0.0)
        pauses.append(host.finish(refusal)[0].pause_s)
        clock.now += pauses[-1]
    assert pauses == [1.0, 1.0, 3.0, 7.0, 15.0]


def answered(elapsed_s: float) -> Fetched:
    return Fetched("http://h.example/", 200, b"", "text/html", "", NOW, elapsed_s)


def test_a_slow_host_is_asked_less_often_and_its_latency_is_smoothed(clock: Clock) -> None:
    host = Lane("h.example", 1, 1.0, 1, slow_factor=2.0)
    paces = []
    for elapsed_s in (0.1, 4.0, 4.0, 4.0, 0.1):
        host.add(claim())
        host.start()
        host.finish(answered(elapsed_s))
        paces.append(host.pace_s)
    # 0.1; 0.7 × 0.1 + 0.3 × 4 = 1.27; 2.089; 2.6623; 1.89361: twice that, but at least 1 s
    assert paces == pytest.approx([1.0, 2.54, 4.178, 5.3246, 3.78722])


def test_what_a_host_taught_before_is_known_to_a_new_lane(clock: Clock) -> None:
    held = Lanes(delay_s=1.0, per_host=1, slow_factor=2.0)
    known = Claim("http://h.example/", "h.example", 1.0, 0, 1, latency_s=3.0, refusals=2)
    made = held.take(known)
    assert made.pace_s == 6.0
    made.start()
    assert made.finish(failure(Reason.TOO_MANY_REQUESTS, status=429))[0].pause_s == 240.0


@pytest.mark.parametrize(
    ("delay_s", "latency_s", "pace_s"), [(0.0, 9.0, 0.0), (1.0, 900.0, 30.0), (40.0, 9.0, 40.0)]
)
def test_no_delay_stays_none_and_slowness_has_its_limit(
    delay_s: float, latency_s: float, pace_s: float
) -> None:
    assert Lane("h", 1, delay_s, 1, slow_factor=2.0, latency_s=latency_s).pace_s == pace_s


def test_a_page_that_was_not_asked_for_costs_no_delay(clock: Clock) -> None:
    host = lane(pages=3)
    host.start()
    update, _ = host.finish(failure(Reason.ROBOTS, requested=False))
    assert (host.wait_s() <= 0.0, update.pause_s, update.requested) == (True, 0.0, False)
    host.start()
    host.finish(page())
    assert host.wait_s() == 1.0
    host.start()
    update, _ = host.finish(failure(Reason.CONNECT, requested=False, host_fault=True))
    assert (update.pause_s, update.failed, update.trouble) == (1.0, True, "connect: ")


def test_a_robots_txt_that_cannot_be_had_is_trouble_of_its_host_and_no_failure(
    clock: Clock,
) -> None:
    host = lane(pages=1)
    host.start()
    host.rest()  # the file was asked for
    update, _ = host.finish(failure(Reason.ROBOTS_UNREACHABLE, requested=False))
    assert (update.trouble, update.failed) == ("robots-unreachable: ", False)
    assert (update.requested, update.pause_s) == (False, 1.0)


def test_a_blocked_host_is_given_back_with_what_is_in_flight(clock: Clock) -> None:
    held = Lanes(delay_s=1.0, per_host=2)
    made = held.take(claim("1"))
    for number in range(2, 4):
        held.take(claim(str(number)))
    made.start()
    assert held.close({"h.example"}) == []
    update, returned = made.finish(page())
    assert [c.url[-1] for c in returned] == ["2", "3"]
    assert update.token == 1
    idle = Lanes(delay_s=1.0, per_host=1)
    idle.take(claim("1"))
    assert [c.url[-1] for c in idle.close({"h.example"})] == ["1"]
    assert idle.hosts == []


def test_a_host_has_its_own_limit_of_pages_and_visits_do_not_count(clock: Clock) -> None:
    plan = Plan(max_pages_per_host=5, hosts={"h.example": Pace(1.0, 1, 2)})
    assert (plan.pace("other").max_pages, plan.pace("www.h.example").max_pages) == (5, 2)
    host = lane(pages=2)
    host.start()
    assert host.finish(page())[0].requests == 1
    host.start()
    assert host.finish(page(), known=True)[0].requests == 0
