"""Whether a graph keeps what it promises, by whole walks through it: see `cypher/check/`.

Every page is in one content state and in one scheduling state, leases have an owner and an end,
what is derived equals its recomputation, nothing was granted twice, axons have two pages. Neo4j's
transactions see to that, also where a worker or the server is killed; this is how to see it.
"""

from dataclasses import dataclass

from graphcrawl.graph import Graph

MOST = 1000  # of one kind that are listed
_EXAMPLES = 3

CHECKS = {  # statement: what is wrong where it returns rows
    "check/states": "pages in two states, or in none",
    "check/leases": "leases without owner or end",
    "check/waiting": "waiting pages that would never be claimed",
    "check/hosts": "hosts with a wrong best priority",
    "check/sums": "pages with a wrong strength or number of links",
    "check/axons": "doubled, endless or weightless axons",
    "check/grants": "pages with doubled or lost grants",
    "check/finders": "job feeds that two pages were paid to find",
    "check/texts": "texts without a page, or pages with two",
    "check/aliases": "aliases of pages that are not there",
}


@dataclass(frozen=True, slots=True)
class Breach:
    """One promise that is not kept."""

    check: str  # name of its statement below `check/`
    number: int  # how often; `MOST` means that many or more
    examples: tuple[str, ...]  # a few of them, in words

    def __str__(self) -> str:
        """Say it in a line."""
        number = f"{self.number:,}" + " or more" * (self.number >= MOST)
        return f"{number} {CHECKS[f'check/{self.check}']}, such as {'; '.join(self.examples)}"


async def breaches(graph: Graph) -> list[Breach]:
    """Look for promises that are not kept; takes about a minute a million pages.

    A crawl may go on meanwhile: what is found is looked at a second time, since a statement that
    reads while others write may see half of it.
    """
    found = []
    for check in CHECKS:
        if rows := await _seen(graph, check):
            again = await _seen(graph, check)
            if still := sorted(rows & again):
                examples = (f"{what} ({why})" for what, why in still[:_EXAMPLES])
                found.append(Breach(check.removeprefix("check/"), len(still), tuple(examples)))
    return found


async def _seen(graph: Graph, check: str) -> set[tuple[str, str]]:
    rows = await graph.run(check, limit=MOST)
    return {(row["what"], row["why"]) for row in rows}
