"""Nodes of other people in the graph's database: they are left alone and not counted.

A node is ours by the label of its kind and by the property that tells one of its kind from the next
(`:PageNeuron` with `url`, `:Host` with `name`, …). The count store says at once whether all nodes
bear a label of ours. Where they do not, pages are counted one by one, since `:Failed` or `:Seed`
may stand on anybody's nodes.
"""

from dataclasses import dataclass

from graphcrawl.graph import Graph, Row

LONGEST_MS = 48 * 3600 * 1000  # leases last minutes, pauses of hosts a day at most


async def number(graph: Graph) -> int:
    """Return how many nodes bear no label of our kinds."""
    return max(0, int((await graph.run("look/strangers"))[0]["strangers"]))


async def counts(graph: Graph) -> Row:
    """Return how many pages are in which state, ours alone; see `look/counts`."""
    among_others = await number(graph) > 0
    return (await graph.run("look/counts_among_others" if among_others else "look/counts"))[0]


@dataclass(frozen=True, slots=True)
class Mended:
    """What a crawl puts right before it begins."""

    leases: int  # that would never have ended
    hosts: int  # that such a lease held
    labels: int  # pages that had lost the label of their kind


async def mend(graph: Graph) -> Mended:
    """Put right what would keep pages from ever being claimed; cheap where nothing is wrong."""
    labels = await graph.run("frontier/mend_labels") if await number(graph) else []
    leases = await graph.run("frontier/mend_leases", longestMs=LONGEST_MS)
    hosts = await graph.run("frontier/mend_hosts", longestMs=LONGEST_MS)
    return Mended(len(leases), len(hosts), len(labels))
