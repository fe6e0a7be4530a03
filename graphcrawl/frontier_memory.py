"""The frontier in memory: what Neo4j does, in plain Python, for tests and for dry runs.

No method awaits anything, so each is atomic beside others of the same event loop.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta

from graphcrawl.facts import Rescored, Scored, candidate
from graphcrawl.folding import fold
from graphcrawl.forgotten import is_forgotten
from graphcrawl.frontier import Outlook, Seed, SeedReport
from graphcrawl.graph import Row
from graphcrawl.memory import MemoryGraph, grant
from graphcrawl.memory_fold import forget, run_now
from graphcrawl.memory_order import rescore, waiting
from graphcrawl.models import Claim, HostUpdate, Outcome
from graphcrawl.recorded import RecordReport
from graphcrawl.settle import grant_text


class MemoryFrontier:
    """The memory twin of `Neo4jFrontier`; workers share a graph."""

    def __init__(self, graph: MemoryGraph, worker: str, rescored: Rescored | None = None) -> None:
        """Use a graph.

        Args:
            graph: Shared by all workers.
            worker: A name that no other worker has.
            rescored: Gives scores of known pages to write with each record; None: none.
        """
        self._graph = graph
        self._worker = worker
        self._rescored = rescored

    async def seed(self, seeds: Sequence[Seed]) -> SeedReport:
        """Add pages to start from; see `Frontier`."""
        new = known = waiting = 0
        distinct = [*{s.url: s for s in reversed(seeds)}.values()][::-1]
        wanted = [s for s in distinct if not is_forgotten(s.url, s.host, self._graph.forgotten)]
        for place, seed in enumerate(wanted, 1):
            page = self._graph.neurons.setdefault(
                seed.url, {"url": seed.url, "labels": {"PageNeuron"}}
            )
            born = "reward" not in page
            if born:
                self._graph.bear(page, seed.host, depth=0, redirects=0, reward=0.0)
                page.pop("fetchedAt", None)
                page |= {"number": self._graph.meta["discovered"] + place, "cash": 1.0}
            if not any(text.endswith(" seed seed") for text in page["grants"]):
                grant(
                    page,
                    seed.reward,
                    grant_text(seed.reward, "seed", "seed"),
                    self._graph.options.grant_share,
                )
            page["labels"].add("Seed")
            page["depth"] = 0
            silent = "Failed" in page["labels"] and page.get("status", 500) >= 500
            if not page["labels"] & {"Fetched", "Leased"} and (silent or "fetchedAt" not in page):
                page["labels"] -= {"Failed", "Excluded"}
                forget(page, "reason", "error", "tries", "putOffs", "readyAt")
                self._graph.wait(page)
                waiting += 1
            if "aliasOf" in page:
                run_now(fold(self._graph.store(), (), {seed.url}))
            new, known = new + born, known + (not born)
        self._graph.meta["discovered"] += len(distinct)
        return SeedReport(new, known, waiting, len(distinct) - len(wanted))

    async def claim(
        self, *, pages: int, per_host: int, lease_s: float, refill: Sequence[str] = ()
    ) -> list[Claim]:
        """Lease waiting pages, best hosts first; see `Frontier`."""
        now = self._graph.now()
        waiting = self._waiting()
        ready = [
            name
            for name in waiting
            if (host := self._graph.host(name))
            and not {"parkedUntil", "blockedAt"} & host.keys()
            and (host["nextFetchAt"] <= now or (self._holds(host) and name in refill))
        ]
        ready.sort(key=lambda name: waiting[name][0]["priority"], reverse=True)
        token = self._graph.meta["token"] = self._graph.meta["token"] + 1
        lease = {"leasedBy": self._worker, "token": token}
        offered = [page for name in ready for page in waiting[name][:per_host]]
        claimed = sorted(offered, key=lambda page: page["priority"], reverse=True)[:pages]
        for page in claimed:
            end = {"nextFetchAt": now + timedelta(seconds=lease_s)}
            self._graph.hosts[page["host"]] |= lease | end
            page["labels"] = page["labels"] - {"Frontier"} | {"Leased"}
            page.update(lease, leasedUntil=now + timedelta(seconds=lease_s))
        return [
            Claim(
                page["url"],
                page["host"],
                page["priority"],
                page["depth"],
                page["token"],
                page.get("tries", 0),
                page.get("redirects", 0),
                "Seed" in page["labels"],
                "Fetched" in page["labels"],
                host.get("latencyS", 0.0),
                host.get("refusals", 0),
                host.get("requests", 0),
                candidate(page["url"], page["host"], page["depth"], page)
                if self._graph.options.facts
                else None,
            )
            for page in claimed
            for host in [self._graph.host(page["host"])]
        ]

    async def renew(self, claims: Sequence[Claim], lease_s: float) -> list[Claim]:
        """Let leases end later; return the claims lost."""
        now = self._graph.now()
        end = now + timedelta(seconds=lease_s)
        held = [c for c in claims if (p := self._graph.leased(c)) and p["leasedUntil"] > now]
        for host in (self._graph.host(name) for name in {claim.host for claim in held}):
            if self._holds(host):
                host["nextFetchAt"] = end
        for claim in held:
            self._graph.neurons[claim.url]["leasedUntil"] = end
        return [claim for claim in claims if claim not in held]

    async def release(self, claims: Sequence[Claim]) -> None:
        """Give pages and their hosts back; see `Frontier`."""
        for page in filter(None, map(self._graph.leased, claims)):
            self._graph.wait(page)
        newest = {c.host: c.token for c in sorted(claims, key=lambda c: c.token)}
        for name, token in newest.items():
            host = self._graph.host(name)
            if self._holds(host) and host["token"] <= token:
                forget(host, "leasedBy", "token")
                host["nextFetchAt"] = self._graph.now() + timedelta(seconds=host.get("delayS", 0.0))

    async def reap(self) -> int:
        """Take back what has ended; see `Frontier`."""
        now = self._graph.now()
        for host in self._graph.hosts.values():
            if host.get("parkedUntil", now + timedelta(1)) <= now:
                del host["parkedUntil"]
        for page in self._graph.neurons.values():
            if "Frontier" in page["labels"] and page.get("readyAt", now + timedelta(1)) <= now:
                forget(page, "readyAt")
                self._graph.wait(page)
        ended = [
            page
            for page in self._graph.neurons.values()
            if "Leased" in page["labels"] and page["leasedUntil"] <= now
        ]
        for page in ended:
            self._graph.wait(page)
        return len(ended)

    async def refresh_hosts(self) -> None:
        """Do nothing: here a host's best priority is looked up, not kept."""

    async def outlook(self) -> Outlook:
        """Say what waits and when there is something to claim."""
        now, waiting = self._graph.now(), self._waiting()
        leases = [p["leasedUntil"] for p in self._graph.neurons.values() if "Leased" in p["labels"]]
        due = [
            max(h["nextFetchAt"], h.get("parkedUntil", now))
            for h in map(self._graph.host, waiting)
            if "blockedAt" not in h
        ]
        frontier = [p for p in self._graph.neurons.values() if "Frontier" in p["labels"]]
        times = [*due, *leases, *(page["readyAt"] for page in frontier if "readyAt" in page)]
        return Outlook(
            len(frontier),
            len(leases),
            sum(at <= now for at in due),
            max(0.0, (min(times) - now).total_seconds()) if times else None,
        )

    async def blocked(self, hosts: Collection[str]) -> set[str]:
        """Return those of some hosts that are blocked."""
        return {name for name in hosts if "blockedAt" in self._graph.hosts.get(name, {})}

    async def waiting(self, urls: Collection[str], heads: int = 0) -> list[Scored]:
        """Return what is known of waiting pages; see `Frontier`."""
        return waiting(self._graph.neurons, urls, heads)

    async def rescore(self, scores: Mapping[str, float]) -> None:
        """Let pages wait by these scores; see `Frontier`."""
        rescore(self._graph.neurons, scores)

    async def record(
        self, outcomes: Sequence[Outcome], hosts: Sequence[HostUpdate] = ()
    ) -> RecordReport:
        """Write what became of claimed pages; see `Frontier`."""
        anew = self._rescored() if self._rescored else ()
        report = self._graph.record(outcomes, hosts)
        scores = {one.candidate.url: one.score for one in anew if one.score is not None}
        rescore(self._graph.neurons, scores)
        return report

    def _waiting(self) -> dict[str, list[Row]]:
        """Return the pages that may be claimed, best first, by host."""
        waiting: dict[str, list[Row]] = defaultdict(list)
        for page in self._graph.neurons.values():
            if "Frontier" in page["labels"] and "readyAt" not in page:
                waiting[page["host"]].append(page)
        for pages in waiting.values():
            pages.sort(key=lambda page: page["priority"], reverse=True)
        return waiting

    def _holds(self, host: Row) -> bool:
        return host.get("leasedBy") == self._worker
