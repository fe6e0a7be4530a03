"""What limits a crawl now, in one sentence: told of a run by its loop, of a graph by `status`."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Cause(StrEnum):
    """What is slowest, or why nothing moves. The values are keys of JSON and of metrics."""

    # of a run
    STARTING = "starting"
    SERVERS = "servers"  # as many requests are in flight as may be
    RATE = "max-rate"
    BANDWIDTH = "max-bandwidth"
    POLITENESS = "politeness"  # hosts rest between two requests
    FRONTIER = "frontier"  # too few hosts have waiting pages
    PARSING = "parsing"
    WRITING = "writing"
    JOBS = "jobs"  # those of long feeds are written
    OTHER_RUN = "other-run"  # a feed is in the hands of another run
    PAUSED = "paused"  # by `graphcrawl pause`
    NEO4J = "neo4j"  # it does not answer
    DISK = "disk"  # there is too little room
    WATCHING = "watching"  # nothing waits; feeds fall due later
    # of a graph that no run works on
    NO_SEED = "no-seed"
    NOTHING_WAITS = "nothing-waits"
    NO_RUN = "no-run"  # pages wait, and no crawl runs
    HOSTS = "hosts"  # pages wait, but their hosts are parked or blocked
    LEASES = "leases"  # a run that was killed still holds pages


@dataclass(frozen=True, slots=True)
class Limit:
    """What limits a crawl."""

    cause: Cause
    phrase: str  # follows the words "limited by"

    def __str__(self) -> str:
        """Return the phrase."""
        return self.phrase


STARTING = Limit(Cause.STARTING, "starting")
PAUSED = Limit(Cause.PAUSED, "a pause that somebody asked for")
AWAY = Limit(Cause.NEO4J, "Neo4j, which does not answer: waiting for it")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What limits the crawl of a graph."""

    cause: Cause
    sentence: str
    remedy: str = ""  # what would help, or what to type


@dataclass(frozen=True, slots=True)
class Run:
    """A run that is alive: it has told of itself within the last seconds."""

    id: str
    started_at: datetime
    cause: str | None  # None: it has only just begun
    phrase: str | None
    fetched: int  # pages recorded with content, so far
    part_of: str | None = None  # id of the crawl whose worker it is


REMEDIES = {
    Cause.SERVERS: "More requests at once: --concurrency.",
    Cause.RATE: "Raise --max-rate, or leave it out.",
    Cause.BANDWIDTH: "Raise --max-bandwidth, or leave it out.",
    Cause.POLITENESS: "More hosts make it faster; a shorter --delay is for hosts of your own.",
    Cause.FRONTIER: "More seeds or a wider --scope give it more hosts.",
    Cause.PARSING: "More reader processes: parsers below [crawl].",
    Cause.WRITING: "Neo4j is the slowest: see heap, page cache and disk with graphcrawl doctor.",
    Cause.DISK: "Free some space, or set min_free_disk below [crawl] to less.",
    Cause.JOBS: "Neo4j is the slowest: see heap, page cache and disk with graphcrawl doctor.",
}


def of_run(
    *,
    writes_jobs: bool,
    writes: bool,
    parses: bool,
    held_back: Cause | None,
    in_flight: int | None,
    hosts_rest: bool,
) -> Limit:
    """Say what is slowest in a run just now; what stands last in the line comes first.

    Args:
        writes_jobs: The jobs of long feeds wait to be written.
        writes: Pages wait to be written.
        parses: Bodies wait to be parsed.
        held_back: A limit over all hosts that requests wait for.
        in_flight: Requests in flight, if that is all there may be.
        hosts_rest: Pages are in hand whose hosts rest between two requests.
    """
    where_due = (
        (writes_jobs, Limit(Cause.JOBS, "writing jobs to Neo4j")),
        (writes, Limit(Cause.WRITING, "writing to Neo4j")),
        (parses, Limit(Cause.PARSING, "parsing")),
        (held_back, Limit(held_back or Cause.RATE, f"--{held_back}, over all hosts")),
        (in_flight, Limit(Cause.SERVERS, f"the servers: {in_flight} requests in flight")),
        (hosts_rest, Limit(Cause.POLITENESS, "politeness: hosts wait for their turn")),
    )
    few = Limit(Cause.FRONTIER, "the frontier: few hosts have pages that may be fetched now")
    return next((limit for is_so, limit in where_due if is_so), few)


def of_idle_run(
    *, writes_jobs: bool, watches: bool, leased: int, next_due_s: float | None
) -> Limit:
    """Say what a run waits for that has no page in hand and can claim none.

    Args:
        writes_jobs: The jobs of long feeds are being written.
        watches: It goes on when nothing is left.
        leased: Pages in the hands of other runs.
        next_due_s: Seconds until the next host with waiting pages may be asked, if any.
    """
    if writes_jobs:
        return Limit(Cause.JOBS, "writing jobs to Neo4j")
    if next_due_s is not None:
        phrase = f"politeness: the next host may be asked in {next_due_s:.0f} s"
        return Limit(Cause.POLITENESS, phrase)
    if leased:
        return Limit(Cause.OTHER_RUN, "another run, which has all pages that are left in hand")
    if watches:
        return Limit(Cause.WATCHING, "nothing waits: watching for feeds that fall due")
    return Limit(
        Cause.OTHER_RUN, "a feed that another run reads; if that was killed, it is due in a minute"
    )


def of_graph(
    *,
    runs: Sequence[Run],
    seeds: int,
    waiting: int,
    leased: int,
    expired: int,
    waiting_hosts: int,
    due_hosts: int,
    next_due_s: float | None,
    stop_reason: str | None = None,
    command: str = "graphcrawl crawl",
    paused_at: datetime | None = None,
) -> Verdict:
    """Say in one sentence what limits the crawl of a graph now.

    Args:
        runs: Those that are alive.
        seeds: How many there are.
        waiting: Pages in the frontier.
        leased: Pages in the hands of runs.
        expired: Of these, in the hands of runs that are late.
        waiting_hosts: Hosts with pages that may be claimed.
        due_hosts: Of these, may be asked now.
        next_due_s: Seconds until the next of them may.
        stop_reason: Why the last run ended, as it noted.
        command: What to type to go on.
        paused_at: Since when nothing is asked for, by somebody's wish.
    """
    if paused_at is not None or runs:
        return _of_runs(runs, paused_at, command.removesuffix("crawl") + "resume")
    if waiting == 0 and leased == 0:
        if seeds == 0:
            return Verdict(Cause.NO_SEED, "There is nothing to crawl yet.", f"{command} URL")
        return Verdict(
            Cause.NOTHING_WAITS, "Nothing waits to be fetched.", f"Add a seed: {command} URL"
        )
    if waiting == 0:
        late = "; the next crawl takes them back" if expired else " for a minute at most"
        return Verdict(
            Cause.LEASES,
            f"No crawl runs, and one that was killed holds {_pages(leased)}{late}.",
            command,
        )
    if waiting_hosts == 0:
        return Verdict(
            Cause.HOSTS,
            f"{_pages(waiting)} waiting, but no host has any to offer: they are parked or blocked.",
            command.removesuffix("crawl") + "hosts",
        )
    why = _ENDS.get(stop_reason or "", "")
    if due_hosts == 0 and next_due_s is not None:
        why += f"; the next host may be asked in {next_due_s:.0f} s"
    return Verdict(Cause.NO_RUN, f"No crawl runs{why}; {_pages(waiting)} waiting.", command)


_ENDS = {
    "pages": ": the last one ended at its limit of pages",
    "time": ": the last one ended at its limit of time",
    "hosts": ": the last one ended since all hosts wanted a long pause",
    "interrupted": ": the last one was stopped",
    "stopped": ": the last one was stopped",
    "terminated": ": the last one was stopped",
    "error": ": the last one ended with an error",
}


def _of_runs(runs: Sequence[Run], paused_at: datetime | None, resume: str) -> Verdict:
    """Name what limits most of the runs."""
    if paused_at is not None:
        who = f"{_plural(len(runs), 'worker')} waiting" if runs else "no crawl runs"
        sentence = f"Paused since {paused_at:%Y-%m-%d %H:%M} UTC, {who}."
        return Verdict(Cause.PAUSED, sentence, resume)
    told = [run for run in runs if run.cause in set(Cause)]
    if not told:
        return Verdict(Cause.STARTING, "A crawl is starting.")
    cause, number = Counter(Cause(run.cause) for run in told if run.cause).most_common(1)[0]
    phrase = next(run.phrase for run in told if run.cause == cause)
    crawls = max(sum(run.part_of is None for run in runs), 1)
    if len(runs) == 1:
        who = "A crawl runs,"
    else:
        of = f" of {len(runs)} workers" if crawls < len(runs) else ""
        who = "A crawl" + of + " runs," if crawls == 1 else f"{crawls} crawls{of} run,"
        who += f" {'all' if number == len(runs) else f'{number} of them'}"
    return Verdict(cause, f"{who} limited by {phrase}.", REMEDIES.get(cause, ""))


def _pages(number: int) -> str:
    return _plural(number, "page")


def _plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + "s" * (number != 1)
