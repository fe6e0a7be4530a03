"""Job feeds are read again and again: each at an interval that it taught us, while a crawl runs.

A feed that changed since its last reading is visited twice as often, one that did not by a third
less often, between a quarter of an hour and a day. A page that states jobs is visited again by the
same rule, between a day and a month, until it states none; recording it says when
(`jobs/readings`). The interval and the next visit stand on the neuron; what is due waits in the
frontier like any page, so claims, politeness and robots.txt hold for it too.

Source: [000.process]; growing and shrinking by factors is the rule of Apache Nutch's
AdaptiveFetchSchedule.
"""

from collections.abc import Callable
from dataclasses import dataclass

from graphcrawl.graph import Graph, Transaction

FIRST_S = 3600.0  # until a feed is read for the second time
SHORTEST_S = 900.0
LONGEST_S = 86400.0
PAGE_SHORTEST_S = (
    86400.0  # of a page that states jobs; also until it is visited for the second time
)
PAGE_LONGEST_S = 30 * 86400.0
FASTER = 0.5  # factor of the interval after a change
SLOWER = 1.5  # factor when nothing changed, or when the visit failed
EVERY_S = 10.0  # how often a crawl looks for due feeds
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class RevisitReport:
    """What became of the feeds that were read, or due."""

    learned: int = 0  # readings that taught an interval
    changed: int = 0  # of these: those that found something new
    due: int = 0  # feeds and pages with jobs that wait in the frontier now, to be read again


async def revisit_feeds(
    graph: Graph,
    *,
    admits: Callable[[str, int], bool] = lambda url, depth: True,
    all_now: bool = False,
    feed_hint_points: float = 100.0,
    now_ms: int | None = None,
) -> RevisitReport:
    """Learn from the latest readings, and let the feeds that are due wait to be read again.

    Args:
        graph: An open graph.
        admits: Whether the crawl may fetch that URL at that depth.
        all_now: Read all feeds again, also those that are not due; pages with jobs are left alone.
        feed_hint_points: Priority of a page that surely is a job feed, above its reward.
        now_ms: For tests: milliseconds since 1970 in place of the server's clock.
    """
    rows = await graph.run("look/due_feeds", all=all_now, nowMs=now_ms)
    found = [row for row in rows if admits(row["url"], row["depth"] or 0)]
    report = RevisitReport()
    for start in range(0, len(found), _AT_ONCE):
        batch = found[start : start + _AT_ONCE]
        urls = sorted(row["url"] for row in batch)
        hosts = sorted({row["host"] for row in batch})

        async def work(
            tx: Transaction, urls: list[str] = urls, hosts: list[str] = hosts
        ) -> RevisitReport:
            await tx.run("write/gate")  # the order of record: the gate, hosts by name, pages
            await tx.run("frontier/lock_hosts", names=hosts)
            learned = await tx.run(
                "frontier/learn_feeds",
                urls=urls,
                firstS=FIRST_S,
                shortestS=SHORTEST_S,
                longestS=LONGEST_S,
                faster=FASTER,
                slower=SLOWER,
            )
            due = await tx.run(
                "frontier/revisit",
                urls=urls,
                all=all_now,
                firstS=FIRST_S,
                slower=SLOWER,
                longestS=LONGEST_S,
                pageLongestS=PAGE_LONGEST_S,
                feedHintPoints=feed_hint_points,
                nowMs=now_ms,
            )
            if due:
                await tx.run("frontier/best_priority", names=hosts)
            return RevisitReport(len(learned), sum(row["changed"] for row in learned), len(due))

        done = await graph.transact(work)
        report = RevisitReport(
            report.learned + done.learned, report.changed + done.changed, report.due + done.due
        )
    return report
