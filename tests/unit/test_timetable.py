"""When waiting pages are fetched: hand calculations, and politeness on any queues."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from graphcrawl.timetable import Queue, timetable


def starts(queues: list[Queue], pages: int, **limits: float) -> list[tuple[str, int, float]]:
    made = timetable(queues, pages, **limits)  # type: ignore[arg-type]
    return [(slot.host, slot.place, slot.start_s) for slot in made.slots]


def test_a_host_rests_after_each_answer() -> None:
    queue = Queue("a", [3.0, 2.0, 1.0], due_s=4.0, pace_s=1.0, latency_s=0.5)
    assert starts([queue], 9) == [("a", 0, 4.0), ("a", 1, 5.5), ("a", 2, 7.0)]


def test_the_best_page_of_those_that_may_be_asked_comes_first() -> None:
    """b's second page is better than a's, but b rests until 1.5."""
    a = Queue("a", [5.0, 4.0], pace_s=1.0, latency_s=0.5)
    b = Queue("b", [9.0, 8.0], pace_s=1.0, latency_s=0.5)
    c = Queue("c", [99.0], due_s=1.0)
    assert starts([a, b, c], 9) == [
        ("b", 0, 0.0),
        ("a", 0, 0.0),
        ("c", 0, 1.0),
        ("b", 1, 1.5),
        ("a", 1, 1.5),
    ]
    assert starts([a, b], 4, concurrency=1) == [
        ("b", 0, 0.0),
        ("a", 0, 0.5),
        ("b", 1, 1.5),
        ("a", 1, 2.0),
    ]


def test_several_requests_to_one_host_and_a_limit_a_second() -> None:
    queue = Queue("a", [1.0] * 4, pace_s=0.0, latency_s=1.0, per_host=2)
    assert [start for _, _, start in starts([queue], 4)] == [0.0, 0.0, 1.0, 1.0]
    assert [start for _, _, start in starts([queue], 3, max_rate=0.5)] == [0.0, 2.0, 4.0]


def test_a_hosts_limit_and_the_end_of_its_queue() -> None:
    made = timetable([Queue("a", [2.0, 1.0], room=1), Queue("b", [1.0]), Queue("c", [], room=0)], 9)
    assert [slot.host for slot in made.slots] == ["a", "b"]
    assert made.empty == {"b"}


@st.composite
def queues(draw: st.DrawFn) -> list[Queue]:
    number = st.floats(0, 20)
    return [
        Queue(
            f"h{n}",
            sorted(draw(st.lists(st.floats(0, 100), max_size=6)), reverse=True),
            due_s=draw(number),
            pace_s=draw(number),
            latency_s=draw(st.floats(0.01, 5)),
        )
        for n in range(draw(st.integers(0, 6)))
    ]


@given(queues(), st.integers(1, 30), st.integers(1, 4))
def test_politeness_holds_and_nothing_is_left_out(
    made: list[Queue], pages: int, concurrency: int
) -> None:
    slots = timetable(made, pages, concurrency=concurrency).slots
    assert len(slots) == min(pages, sum(len(queue.priorities) for queue in made))
    assert [s.start_s for s in slots] == sorted(s.start_s for s in slots)
    for queue in made:
        own = [slot for slot in slots if slot.host == queue.host]
        assert [slot.place for slot in own] == list(range(len(own)))
        assert all(slot.start_s >= queue.due_s for slot in own)
        assert all(b.start_s >= a.end_s + queue.pace_s for a, b in pairwise(own))
    for slot in slots:
        at_once = [s for s in slots if s.start_s <= slot.start_s < s.end_s]
        assert len(at_once) <= concurrency
