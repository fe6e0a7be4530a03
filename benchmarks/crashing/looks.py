"""What a graph has to be after a crash, and what two crawls of one web must have in common."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import neo4j

from graphcrawl.graph import Address

CYPHER = Path(__file__).parents[1] / "cypher"
_FEED_RULES = ("feed-new", "feed-known")


def rows(address: Address, name: str) -> list[dict[str, Any]]:
    """Run one of the benchmarks' own statements."""
    text = (CYPHER / f"{name}.cypher").read_text(encoding="utf-8")
    with neo4j.GraphDatabase.driver(address.uri, auth=(address.user, address.password)) as driver:
        return [record.data() for record in driver.execute_query(text).records]


def lost(address: Address, acknowledged: Path) -> list[str]:
    """Return what was acknowledged and is not in the graph: pages, grants, counted pages."""
    pages = {row["url"]: row for row in rows(address, "crashes_pages")}
    missing = []
    for line in acknowledged.read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        page = pages.get(told["url"])
        if page is None:
            missing.append(f"{told['url']}: no such page")
        elif "Pruned" in page["states"]:  # its archive has it
            continue
        elif told["kind"] == "Fetched" and "Fetched" not in page["states"]:
            missing.append(f"{told['url']}: was fetched, is {page['states']}")
        elif told["kind"] == "Redirected" and page["reason"] != "redirect":
            missing.append(f"{told['url']}: redirected, is {page['states']} {page['reason']}")
        else:
            has = {grant.partition(" ")[2] for grant in page["grants"]}
            missing += [f"{told['url']}: granted {g}" for g in told["grants"] if g not in has]
    counted = rows(address, "crashes_counted")[0]["fetched"]
    fetched = sum("Fetched" in page["states"] for page in pages.values())
    gone = sum("Pruned" in page["states"] and page["fetched"] for page in pages.values())
    if not fetched <= counted <= fetched + gone:
        missing.append(f"counted {counted} pages, has {fetched} and {gone} pruned ones")
    return missing


@dataclass(frozen=True, slots=True)
class Result:
    """What an exhaustive crawl must come to, whoever did it and in whatever order."""

    pages: dict[str, str]  # content state by URL
    axons: dict[tuple[str, str, str], float]  # weight by source, target and kind
    grants: frozenset[tuple[str, str]]  # page, and the rule or the feed's digest

    @property
    def digest(self) -> str:
        """A hash of it all."""
        parts = (sorted(self.pages.items()), sorted(self.axons.items()), sorted(self.grants))
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]

    def differences(self, other: "Result") -> list[str]:
        """Return some of what sets two results apart, in words."""
        found = [
            f"{url}: {self.pages.get(url)} / {other.pages.get(url)}"
            for url in sorted(self.pages.keys() | other.pages.keys())
            if self.pages.get(url) != other.pages.get(url)
        ]
        found += [
            f"{key}: {self.axons.get(key)} / {other.axons.get(key)}"
            for key in sorted(self.axons.keys() | other.axons.keys())
            if self.axons.get(key) != other.axons.get(key)
        ]
        return found + [f"grant {grant}" for grant in sorted(self.grants ^ other.grants)]


def result(address: Address) -> Result:
    """Read what a crawl came to."""
    pages = rows(address, "crashes_pages")
    feeds = {row["url"]: row["feed"] for row in pages if row["feed"]}
    grants = set()
    for row in pages:
        for grant in row["grants"]:
            _, rule, place = grant.split(" ", 2)
            is_feed = rule in _FEED_RULES
            grants.add((row["url"], feeds.get(place, place) if is_feed else f"{rule} {place}"))
    return Result(
        {row["url"]: f"{'+'.join(sorted(row['states']))} {row['reason'] or ''}" for row in pages},
        {
            (row["source"], row["target"], row["kind"]): row["weight"]
            for row in rows(address, "crashes_axons")
        },
        frozenset(grants),
    )


def reward_of(address: Address) -> dict[str, float]:
    """Return the reward of each page."""
    return {row["url"]: row["reward"] or 0.0 for row in rows(address, "crashes_pages")}
