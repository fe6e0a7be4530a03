"""The loop as one worker among several: pauses, leases that ended, common budgets, duties."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime

from test_crawl_loop import QUICK, Web, chain, run, star, start, states

from graphcrawl.crawl import Beside, Stats
from graphcrawl.crawl.budget import Budget
from graphcrawl.crawl.member import heard, told
from graphcrawl.frontier_memory import MemoryFrontier
from graphcrawl.works import Ran


async def test_a_pause_asks_for_nothing_and_keeps_what_is_in_hand() -> None:
    web = Web(star("a.example", 40), took_s=0.01)
    crawl, graph = await start(web, QUICK)
    running = asyncio.create_task(crawl.run())
    while len(web.asked) < 5:
        await asyncio.sleep(0.005)
    crawl.pause()
    await asyncio.sleep(0.1)  # what was in flight ends
    asked = len(web.asked)
    await asyncio.sleep(0.4)
    assert len(web.asked) == asked < 40
    assert crawl.stats.limit.cause == "paused"
    crawl.pause(paused=False)
    async with asyncio.timeout(30):
        await running
    assert len(web.asked) == len(set(web.asked)) == 40
    assert states(graph)["Fetched"] == 40


async def test_a_stop_ends_a_pause() -> None:
    web = Web(star("a.example", 40), took_s=0.01)
    crawl, graph = await start(web, QUICK)
    running = asyncio.create_task(crawl.run())
    while len(web.asked) < 5:
        await asyncio.sleep(0.005)
    crawl.pause()
    crawl.stop("stopped")
    crawl.pause()  # too late
    async with asyncio.timeout(10):
        stats = await running
    assert stats.stop_reason == "stopped"
    assert states(graph)["Leased"] == 0


async def test_a_worker_that_slept_past_its_leases_asks_for_nothing_that_it_lost() -> None:
    """Suspended, it wakes up when its host is another's: not one request may go there."""
    web = Web(star("a.example", 30), took_s=0.02)
    plan = replace(QUICK, concurrency=1, lease_s=0.6)
    crawl, graph = await start(web, plan)
    other = MemoryFrontier(graph, "other")
    running = asyncio.create_task(crawl.run())
    while len(web.asked) < 5:
        await asyncio.sleep(0.005)
    time.sleep(1.0)
    before = len(web.asked)
    await other.reap()
    theirs = await other.claim(pages=99, per_host=99, lease_s=60)
    assert len(theirs) > 10
    await asyncio.sleep(0.3)
    lost = {claim.url for claim in theirs}
    assert not lost & set(web.asked[before:])
    crawl.stop("stopped")
    async with asyncio.timeout(10):
        await running
    assert all(graph.neurons[url]["leasedBy"] == "other" for url in lost)


async def test_a_common_budget_is_taken_page_by_page_and_never_exceeded() -> None:
    purse = 17

    async def take(pages: int) -> int:
        nonlocal purse
        got = min(pages, purse, 5)
        purse -= got
        return got

    web = Web(star("a.example", 40))
    stats, _ = await run(web, QUICK, budget=Budget(0, take))
    assert (stats.requests, stats.stop_reason, purse) == (17, "pages", 0)


async def test_work_that_another_worker_is_in_charge_of_is_left_to_it() -> None:
    done = Counter[str]()

    def work(name: str) -> Callable[[], Awaitable[object]]:
        async def one() -> None:
            done[name] += 1

        return one

    jobs = [
        Beside("mine", work("mine"), 0.01, 0, expected_s=0.0),
        Beside("others", work("others"), 0.01, 0, expected_s=0.0, in_charge=lambda: False),
    ]
    await run(Web(chain("a.example", 20), took_s=0.02), QUICK, beside=jobs)
    assert done["mine"] > 1
    assert done["others"] == 0


async def test_pages_of_other_workers_count_for_what_is_done_once_for_all() -> None:
    done = Counter[str]()

    async def report(name: str) -> None:
        done[name] += 1

    jobs = [
        Beside("all", lambda: report("all"), 0.01, 30, expected_s=0.0, of_all=True),
        Beside("own", lambda: report("own"), 0.01, 30, expected_s=0.0),
    ]
    crawl, _ = await start(Web(chain("a.example", 20), took_s=0.02), QUICK, beside=jobs)
    crawl.stats.pages_of_others = 1000  # of past runs: no reason to begin with it
    running = asyncio.create_task(crawl.run())
    await asyncio.sleep(0.1)
    assert not done
    crawl.stats.pages_of_others += 30
    async with asyncio.timeout(30):
        await running
    assert done == {"all": 1}


async def test_the_time_of_a_run_goes_on_while_it_pauses() -> None:
    web = Web(star("a.example", 40), took_s=0.01)
    crawl, _ = await start(web, replace(QUICK, max_time_s=0.3))
    crawl.pause()
    async with asyncio.timeout(10):
        stats = await crawl.run()
    assert (stats.stop_reason, stats.requests) == ("time", 0)


def test_counters_of_several_workers_add_up() -> None:
    own, other = Stats(requests=3, stop_reason="pages"), Stats(requests=4, reward=1.5)
    own.failures["robots"] = 1
    other.failures["robots"] = 2
    other.beside_s["distribute"] = 0.5
    other.works["distribute"] = Ran(datetime.now(UTC), 0.5, 1)  # told to the graph, not to others
    own.workers[1] = heard(json.loads(json.dumps(told(other))))
    assert (own.total.requests, own.total.reward, own.total.stop_reason) == (7, 1.5, "pages")
    assert own.total.failures == {"robots": 3}
    assert own.total.beside_s == {"distribute": 0.5}
    assert own.requests == 3
