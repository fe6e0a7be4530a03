"""What limits a crawl, told in one sentence: a test for each cause."""

from datetime import UTC, datetime
from typing import Any

import pytest

from graphcrawl import limits
from graphcrawl.limits import Cause, Limit, Run

QUIET: dict[str, Any] = {
    "writes_jobs": False,
    "writes": False,
    "parses": False,
    "held_back": None,
    "in_flight": None,
    "hosts_rest": False,
}
IDLE: dict[str, Any] = {
    "runs": [],
    "seeds": 1,
    "waiting": 5,
    "leased": 0,
    "expired": 0,
    "waiting_hosts": 2,
    "due_hosts": 1,
    "next_due_s": None,
}


def running(cause: str | None, phrase: str = "it") -> Run:
    return Run("r", datetime(2026, 1, 1, tzinfo=UTC), cause, phrase if cause else None, 3)


@pytest.mark.parametrize(
    ("state", "cause", "phrase"),
    [
        ({"writes_jobs": True, "writes": True}, Cause.JOBS, "writing jobs to Neo4j"),
        ({"writes": True, "parses": True}, Cause.WRITING, "writing to Neo4j"),
        ({"parses": True, "in_flight": 16}, Cause.PARSING, "parsing"),
        ({"held_back": Cause.RATE, "in_flight": 2}, Cause.RATE, "--max-rate, over all hosts"),
        ({"held_back": Cause.BANDWIDTH}, Cause.BANDWIDTH, "--max-bandwidth, over all hosts"),
        (
            {"in_flight": 16, "hosts_rest": True},
            Cause.SERVERS,
            "the servers: 16 requests in flight",
        ),
        ({"hosts_rest": True}, Cause.POLITENESS, "politeness: hosts wait for their turn"),
        ({}, Cause.FRONTIER, "the frontier: few hosts have pages that may be fetched now"),
    ],
)
def test_what_is_slowest_in_a_run(state: dict[str, Any], cause: Cause, phrase: str) -> None:
    assert limits.of_run(**QUIET | state) == Limit(cause, phrase)


@pytest.mark.parametrize(
    ("state", "cause", "phrase"),
    [
        ({"writes_jobs": True, "next_due_s": 3.0}, Cause.JOBS, "writing jobs to Neo4j"),
        (
            {"next_due_s": 8.4, "leased": 2, "watches": True},
            Cause.POLITENESS,
            "politeness: the next host may be asked in 8 s",
        ),
        (
            {"leased": 2, "watches": True},
            Cause.OTHER_RUN,
            "another run, which has all pages that are left in hand",
        ),
        ({"watches": True}, Cause.WATCHING, "nothing waits: watching for feeds that fall due"),
        (
            {},
            Cause.OTHER_RUN,
            "a feed that another run reads; if that was killed, it is due in a minute",
        ),
    ],
)
def test_what_a_run_waits_for_that_can_claim_nothing(
    state: dict[str, Any], cause: Cause, phrase: str
) -> None:
    nothing: dict[str, Any] = {
        "writes_jobs": False, "watches": False, "leased": 0, "next_due_s": None,
    }  # fmt: skip
    assert limits.of_idle_run(**nothing | state) == Limit(cause, phrase)


@pytest.mark.parametrize(
    ("state", "cause", "sentence", "remedy"),
    [
        (
            {"seeds": 0, "waiting": 0},
            Cause.NO_SEED, "There is nothing to crawl yet.", "graphcrawl crawl URL",
        ),
        (
            {"waiting": 0},
            Cause.NOTHING_WAITS, "Nothing waits to be fetched.", "Add a seed: graphcrawl crawl URL",
        ),
        (
            {"waiting": 0, "leased": 2, "expired": 1},
            Cause.LEASES,
            "No crawl runs, and one that was killed holds 2 pages; the next crawl takes them back.",
            "graphcrawl crawl",
        ),
        (
            {"waiting": 0, "leased": 1},
            Cause.LEASES,
            "No crawl runs, and one that was killed holds 1 page for a minute at most.",
            "graphcrawl crawl",
        ),
        (
            {"waiting_hosts": 0, "due_hosts": 0},
            Cause.HOSTS,
            "5 pages waiting, but no host has any to offer: they are parked or blocked.",
            "graphcrawl hosts",
        ),
        (
            {"stop_reason": "pages"},
            Cause.NO_RUN,
            "No crawl runs: the last one ended at its limit of pages; 5 pages waiting.",
            "graphcrawl crawl",
        ),
        (
            {"due_hosts": 0, "next_due_s": 8.4, "waiting": 1},
            Cause.NO_RUN,
            "No crawl runs; the next host may be asked in 8 s; 1 page waiting.",
            "graphcrawl crawl",
        ),
        (
            {"runs": [running(None)], "waiting": 0},
            Cause.STARTING, "A crawl is starting.", "",
        ),
        (
            {"runs": [running("servers", "the servers: 3 requests in flight")]},
            Cause.SERVERS,
            "A crawl runs, limited by the servers: 3 requests in flight.",
            "More requests at once: --concurrency.",
        ),
        (
            {"runs": [running("parsing", "parsing"), running("jobs"), running("parsing")]},
            Cause.PARSING,
            "3 crawls run, 2 of them limited by parsing.",
            limits.REMEDIES[Cause.PARSING],
        ),
        (
            {"runs": [running("writing", "writing to Neo4j")] * 2},
            Cause.WRITING,
            "2 crawls run, all limited by writing to Neo4j.",
            limits.REMEDIES[Cause.WRITING],
        ),
    ],
)  # fmt: skip
def test_what_limits_the_crawl_of_a_graph(
    state: dict[str, Any], cause: Cause, sentence: str, remedy: str
) -> None:
    assert limits.of_graph(**IDLE | state) == limits.Verdict(cause, sentence, remedy)


@pytest.mark.parametrize("reason", ["pages", "time", "hosts", "interrupted", "terminated", "error"])
def test_why_the_last_run_ended_is_told(reason: str) -> None:
    verdict = limits.of_graph(**IDLE | {"stop_reason": reason})
    assert verdict.cause is Cause.NO_RUN
    assert verdict.sentence.startswith("No crawl runs: the last one ")
    assert "was stopped" in verdict.sentence or "ended" in verdict.sentence


@pytest.mark.parametrize("cause", Cause)
def test_each_cause_of_a_run_makes_a_sentence(cause: Cause) -> None:
    verdict = limits.of_graph(**IDLE | {"runs": [running(cause, "it")]})
    assert verdict == limits.Verdict(
        cause, "A crawl runs, limited by it.", limits.REMEDIES.get(cause, "")
    )


def test_a_cause_of_a_newer_version_is_no_error() -> None:
    verdict = limits.of_graph(**IDLE | {"runs": [running("quantum")]})
    assert verdict.cause is Cause.STARTING
