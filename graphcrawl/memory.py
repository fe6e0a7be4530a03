"""A graph in memory, and how a batch of outcomes is recorded in it: the twin of `record`.

Nodes are dicts with the graph's property names; `labels` is a set.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from graphcrawl.facts import Score, add_facts, score_rows
from graphcrawl.folding import claiming, fold, pointers
from graphcrawl.forgotten import without
from graphcrawl.graph import Row
from graphcrawl.memory_fold import MemoryStore, forget, put, run_now, spread
from graphcrawl.memory_order import keep_facts, paid_labels
from graphcrawl.models import Claim, Fetched, HostUpdate, Outcome, Reason
from graphcrawl.names import names_for
from graphcrawl.record import redirect_waits
from graphcrawl.recorded import FoundFeed, RecordOptions, RecordReport
from graphcrawl.settle import (
    NO_FEED,
    axon,
    grant_text,
    host_rows,
    is_no_feed,
    links_of,
    settle,
    targets,
)
from graphcrawl.unfollow import unfollowed, unlink
from graphcrawl.urls import neuron_id

_NOT_ASKED = {"scope", "filter", "depth", "trap", "type", "nofollow"}  # a link lets it wait
_LEASE = ("leasedBy", "leasedUntil", "token")


@dataclass(frozen=True, slots=True)
class MemoryGraph:
    """Neurons by URL, axons by (source, target), hosts by name, texts by URL."""

    options: RecordOptions = field(default_factory=RecordOptions)
    now_ms: Callable[[], int | None] = lambda: None
    neurons: dict[str, Row] = field(default_factory=dict)
    axons: dict[tuple[str, str], Row] = field(default_factory=dict)
    hosts: dict[str, Row] = field(default_factory=dict)
    texts: dict[str, Row] = field(default_factory=dict)
    alias_axons: dict[tuple[str, str], Row] = field(default_factory=dict)
    redirects: dict[str, str] = field(default_factory=dict)  # pointers, by the page that points
    canonicals: dict[str, str] = field(default_factory=dict)
    forgotten: set[str] = field(default_factory=set)  # hashes
    meta: Row = field(default_factory=lambda: {"distributions": 0, "token": 0, "discovered": 0})
    score: Score | None = None  # gives the scores that new pages wait by; None: their reward

    def record(self, outcomes: Sequence[Outcome], hosts: Sequence[HostUpdate]) -> RecordReport:
        """Write what became of claimed pages."""
        report = RecordReport()
        settled, accepted = [], []
        outcomes, hosts = without(self.forgotten, outcomes, hosts)
        for outcome in outcomes:
            page = self.leased(outcome.claim)
            if page is None:
                report += RecordReport(refused=(outcome.claim.url,))
                continue
            accepted.append(outcome)
            row = settle(outcome, self.options.retry_s)
            if row["putOffs"] or row["tries"]:
                report += self._put_off(page, row)
            else:
                settled.append(outcome)
                report += self._settle(page, row)
                if (
                    isinstance(outcome.fetch, Fetched)
                    and outcome.page
                    and outcome.page.text_refused
                ):
                    self.texts.pop(page["url"], None)
                elif isinstance(outcome.fetch, Fetched) and outcome.page and outcome.page.text:
                    self.texts[page["url"]] = {
                        "title": outcome.page.title,
                        "text": outcome.page.text,
                        "visible": outcome.page.visible,
                    }
        rows = self._targets(settled)
        report += self._link(settled, rows)
        aliases = self._fold(settled, rows)
        less = run_now(unlink(self.store(), unfollowed(settled)))
        self.store().wait_no_more(less)
        for wait in redirect_waits(settled, self.options.max_redirects):
            target = self.neurons[wait["url"]]
            if "Frontier" in target["labels"]:
                forget(target, "priority")
                target["readyAt"] = self.now() + timedelta(seconds=wait["waitS"])
        found, recognised = self._recognise(settled)
        paid = self._pay(settled, rows, spread(self.neurons, self.redirects, aliases | recognised))
        parked = self._learn(host_rows((), accepted, hosts))
        self._leave_out({update.name for update in hosts if update.full})
        return report + RecordReport(paid=paid, feeds=found, parked=parked)

    def _settle(self, page: Row, row: Row) -> RecordReport:
        known = {text.split()[1] for text in page["grants"]}
        grants = [new for new in row["grants"] if new[0] not in known]
        keep = "Fetched" in page["labels"] and row["label"] != "Fetched"
        forget(page, *_LEASE, "priority", "putOffs", "readyAt")
        for key, value in (row["remark"] if keep else row["properties"]).items():
            put(page, key, value)
        page["labels"] -= {"Leased"} if keep else {"Leased", "Fetched", "Failed", "Excluded"}
        page["labels"].add("Fetched" if keep else row["label"])
        if not keep:
            page["labels"] -= {"NeedsScript"}
            page["labels"] |= {"NeedsScript"} if row["needsScript"] else set()
        for _, points, text in grants:
            grant(page, points, text, self.options.grant_share)
            page["labels"] |= paid_labels(page)
        redirected = row["properties"]["reason"] == "redirect"
        return RecordReport(
            fetched=row["label"] == "Fetched",
            redirected=redirected,
            failed=row["label"] == "Failed",
            excluded=row["label"] == "Excluded" and not redirected,
            granted=sum((new[1] for new in grants), 0.0),
        )

    def _put_off(self, page: Row, row: Row) -> RecordReport:
        page["tries"] = page.get("tries", 0) + row["tries"]
        page["putOffs"] = page.get("putOffs", 0) + row["putOffs"]
        again = page["tries"] < self.options.max_tries
        again = again and page["putOffs"] <= self.options.max_put_offs
        page |= row["remark"] if again or "Fetched" in page["labels"] else row["properties"]
        page["labels"].discard("Leased")
        forget(page, *_LEASE, "priority")
        if again:
            self.wait(page)
            if row["waitS"]:
                forget(page, "priority")
                page["readyAt"] = self.now() + timedelta(seconds=row["waitS"])
        elif "Fetched" not in page["labels"]:
            page["labels"].add("Failed")
        return RecordReport(put_off=again, failed=not again)

    def _targets(self, settled: Sequence[Outcome]) -> list[Row]:
        pages = {
            outcome.claim.url: {"redirects": 0, "feedHint": 0.0} | self.neurons[outcome.claim.url]
            for outcome in settled
        }
        for outcome in settled:
            links = links_of(outcome, self.options.max_redirects)[0]
            for link in links if isinstance(outcome.fetch, Fetched) else ():
                pair = outcome.claim.url, link.url
                if known := self.axons.get(pair) or self.alias_axons.get(pair):
                    known["lastSeenAt"] = outcome.fetch.fetched_at
                    if not known["links"]:  # so far it carried links of aliases only
                        for url in pair:
                            self.neurons[url]["strength"] += link.weight - known["weight"]
                        known |= axon(link)
        rows = targets(
            settled,
            pages,
            newborn=self.options.newborn,
            max_redirects=self.options.max_redirects,
            known=self.axons.keys() | self.alias_axons.keys(),
        )
        if self.options.facts:
            add_facts(rows, settled, pages, self.options)
            for outcome in settled if not self.options.ranked else ():
                if self.neurons[outcome.claim.url].get("cash"):
                    self.neurons[outcome.claim.url]["cash"] = 0.0
            if self.score:
                score_rows(rows, self.score, self.meta["discovered"])
        return rows

    def _link(self, settled: Sequence[Outcome], rows: list[Row]) -> RecordReport:
        neurons, axons, minted = 0, 0, 0.0
        for row in rows:
            target = self.neuron(row["url"])
            tombstone = "Pruned" in target["labels"]
            if tombstone and ("fetchedAt" in target or row["worth"] < target["prunedBelow"]):
                row["axons"] = []
                continue
            born = "reward" not in target
            if born:
                self.bear(
                    target,
                    row["host"],
                    depth=row["depth"],
                    redirects=row["redirects"],
                    reward=row["reward"],
                )
                target["number"] = self.meta["discovered"] + row["number"]
                neurons, minted = neurons + 1, minted + row["reward"]
                if row["reason"]:
                    target["labels"].add("Excluded")
                    target["reason"] = str(row["reason"])
            refused = "Excluded" in target["labels"] and "status" not in target
            if not row["reason"] and (born or (refused and target["reason"] in _NOT_ASKED)):
                target["labels"].discard("Excluded")
                forget(target, "reason")
                target["labels"].add("Frontier")
                put(target, "score", row["score"])
            if "Frontier" in target["labels"]:
                if row["feedHint"] > target.get("feedHint", 0.0):
                    target["feedHint"] = row["feedHint"]
                if "readyAt" not in target:
                    self.wait(target)
            if self.options.facts:
                keep_facts(target, row, born=born, ranked=self.options.ranked)
            target["depth"] = min(target["depth"], row["depth"])
            target["strength"] += row["weight"]
            target["inLinks"] += len(row["axons"])
            for made in row["axons"]:
                source = settled[made["source"]]
                self.neurons[source.claim.url]["strength"] += made["weight"]
                seen = dict.fromkeys(("firstSeenAt", "lastSeenAt"), source.fetch.fetched_at)
                self.axons[source.claim.url, row["url"]] = made | seen
                axons += 1
        self.meta["discovered"] += sum(
            len(links_of(outcome, self.options.max_redirects)[0]) for outcome in settled
        )
        return RecordReport(neurons=neurons, axons=axons, minted=minted)

    def _fold(self, settled: Sequence[Outcome], rows: Sequence[Row]) -> dict[str, str]:
        """Gather on representatives; return what thereby leads to a feed: URL → feed."""
        store = self.store()
        now_pointing = pointers(settled, self.options.max_redirects)
        for row in now_pointing:
            for known, kind in ((self.redirects, "redirect"), (self.canonicals, "canonical")):
                target = self.neurons.get(row[kind] or "")
                there = target is not None and "Pruned" not in target["labels"]
                put(known, row["url"], row[kind] if there else None)
        urls = {outcome.claim.url for outcome in settled}
        judged = {row["url"] for row in now_pointing} | run_now(claiming(store, urls))
        touched = {row["url"] for row in rows if "aliasOf" in self.neurons[row["url"]]} | urls
        run_now(fold(store, judged, touched))
        targets_of = {url: self.redirects[url] for url in urls if url in self.redirects}
        return {
            url: self.neurons[target]["feedUrl"]
            for url, target in targets_of.items()
            if "feedUrl" in self.neurons[target]
        }

    def store(self) -> MemoryStore:
        """Return what folding reads and writes."""
        return MemoryStore(
            self.neurons,
            self.axons,
            self.alias_axons,
            self.redirects,
            self.canonicals,
            self.options.feed_hint_points,
        )

    def _recognise(
        self, settled: Sequence[Outcome]
    ) -> tuple[tuple[FoundFeed, ...], dict[str, str]]:
        found: list[FoundFeed] = []
        leading: dict[str, str] = {}
        for outcome in settled:
            feed = outcome.page.feed if outcome.page else None
            if is_no_feed(outcome) and "JobFeed" in self.neurons[outcome.claim.url]["labels"]:
                self.neurons[outcome.claim.url]["error"] = NO_FEED
            if feed is None or not isinstance(outcome.fetch, Fetched):
                continue
            page = self.neurons[outcome.claim.url]
            same = (
                p["url"]
                for p in self.neurons.values()
                if "JobFeed" in p["labels"] and p.get("digest") == page.get("digest")
            )
            feed_url = next(same, None) or page.get("feedUrl")
            if feed_url is None:
                feed_url = page["url"]
                found.append(FoundFeed(feed_url, feed.form, feed.jobs))
            if feed_url == page["url"]:
                page["labels"].add("JobFeed")
                page |= {"feedForm": feed.form, "feedJobs": feed.jobs}
            leading[page["url"]] = feed_url
        return tuple(found), leading

    def _pay(self, settled: Sequence[Outcome], rows: list[Row], aliases: dict[str, str]) -> float:
        due = {
            (axon["firstSeenAt"], source, aliases[target])
            for (source, target), axon in [*self.axons.items(), *self.alias_axons.items()]
            if target in aliases
        }
        for row in rows:
            if feed_url := self.neurons[row["url"]].get("feedUrl"):
                sources = (settled[made["source"]] for made in row["axons"])
                due |= {(s.fetch.fetched_at, s.claim.url, feed_url) for s in sources}
        paid = 0.0
        for _, url, feed_url in sorted(due):
            page, feed = self.neurons[url], self.neurons[feed_url]
            had = any(text.split()[2] == feed_url for text in page["grants"])
            if had or page.get("feedUrl") == feed_url:
                continue
            first = "foundBy" not in feed
            points = self.options.feed_new if first else self.options.feed_known
            text = grant_text(points, "feed-new" if first else "feed-known", feed_url)
            grant(page, points, text, self.options.grant_share)
            page["labels"] |= paid_labels(page)
            feed.setdefault("foundBy", url)
            paid += points
            if "aliasOf" in page:
                run_now(fold(self.store(), (), {url}))
        return paid

    def _learn(self, rows: Iterable[Row]) -> dict[str, float]:
        options, parked = self.options, {}
        for row in rows:
            host = self.host(row["name"])
            back = row["asked"] and row["token"] is not None and host.get("token") == row["token"]
            if not back and not (row["asked"] and row["fresh"]):
                continue
            host |= {"delayS": row["delayS"], "refusals": row["refusals"]}
            host["requests"] = host.get("requests", 0) + row["requests"]
            if row["latencyS"]:
                host["latencyS"] = row["latencyS"]
            if row["trouble"] is not None:
                put(host, "trouble", row["trouble"] or None)
            host["failures"] = (0 if row["answered"] else host["failures"]) + row["failures"]
            over = host["failures"] - options.park_failures
            park_s = 0.0
            if over >= 0:
                park_s = min(options.park_first_s * 2.0 ** min(over, 60), options.park_longest_s)
                parked[row["name"]] = park_s
            if back:
                wait_s = max(park_s, row["pauseS"])
                forget(host, "leasedBy", "token", "parkedUntil")
                host["nextFetchAt"] = self.now() + timedelta(seconds=wait_s)
                if wait_s >= options.park_first_s:
                    host["parkedUntil"] = host["nextFetchAt"]
        return parked

    def _leave_out(self, names: set[str]) -> None:
        """Let no page of these hosts wait that was never visited."""
        for page in self.neurons.values():
            waits = "Frontier" in page["labels"] and "priority" in page
            if waits and page["host"] in names and "Fetched" not in page["labels"]:
                page["labels"] = page["labels"] - {"Frontier"} | {"Excluded"}
                forget(page, "priority")
                page["reason"] = str(Reason.HOST_LIMIT)
                page["error"] = f"{Reason.HOST_LIMIT}: enough pages of its host were asked for"

    def neuron(self, url: str) -> Row:
        """Return a neuron, bare if it is new."""
        return self.neurons.setdefault(url, {"url": url, "labels": {"PageNeuron"}})

    def bear(self, page: Row, host: str, *, depth: int, redirects: int, reward: float) -> None:
        """Give a page the properties of a newborn."""
        page["labels"].discard("Pruned")
        forget(page, "prunedAt", "prunedBelow")
        page |= {
            "neuronId": neuron_id(page["url"]),
            "host": host,
            "depth": depth,
            "redirects": redirects,
            "reward": reward,
            "baseReward": 0.0,
            "grants": [],
            "discoveredAt": self.now(),
            "bornAt": self.meta["distributions"],
            "strength": 0.0,
            "inLinks": 0,
        }

    def wait(self, page: Row) -> None:
        """Let a page wait to be claimed, by its priority."""
        page["labels"] = page["labels"] - {"Leased"} | {"Frontier"}
        forget(page, *_LEASE)
        self.host(page["host"])
        hint = page.get("feedHint", 0.0)
        reward = page["reward"] + self.options.feed_hint_points * hint
        page["priority"] = page.get("score", reward)

    def host(self, name: str) -> Row:
        """Return a host, new if need be."""
        if name not in self.hosts:
            new = {"name": name, "nextFetchAt": self.now(), "failures": 0}
            if any("blockedAt" in self.hosts.get(above, {}) for above in names_for(name)):
                new["blockedAt"] = self.now()
            self.hosts[name] = new
        return self.hosts[name]

    def leased(self, claim: Claim) -> Row | None:
        """Return the claimed page if the claim still holds."""
        page = self.neurons.get(claim.url)
        held = page and "Leased" in page["labels"] and page["token"] == claim.token
        return page if held else None

    def now(self) -> datetime:
        """Return the time, or the time of the test."""
        now_ms = self.now_ms()
        return datetime.fromtimestamp(time.time() if now_ms is None else now_ms / 1000, UTC)


def grant(page: Row, points: float, text: str, share: float) -> None:
    """Add points to a page, that share of them as reward, and the grant that they come from."""
    page["reward"] += share * points
    page["baseReward"] += points
    page["grants"] = [*page["grants"], text]
