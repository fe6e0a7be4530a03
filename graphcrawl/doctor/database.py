"""What the graph's database has: its version, GDS, schema and clock, and what reward will cost."""

import re
import time

from graphcrawl import rewards, schema_objects, strangers
from graphcrawl.config import Settings
from graphcrawl.doctor.check import Check, mebibytes
from graphcrawl.errors import GraphcrawlError, Neo4jError, QueryError
from graphcrawl.graph import Graph
from graphcrawl.rewards import Forecast

OLDEST = (5, 26)
CLOCK_S = 2.0  # leases end by the server's clock, robots.txt expires by ours
GDS_AXON_BYTES = 32  # Source: GDS's own estimates, 0.3 GiB at 10 M axons to 3 GiB at 100 M


async def neo4j(graph: Graph) -> Check:
    """Which Neo4j answers."""
    told = (await graph.run("look/server"))[0]
    what = f"{told['version']} {told['edition']} at {graph.address.shown}"
    numbers = tuple(int(n) for n in re.findall(r"\d+", told["version"])[:2])
    if numbers < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        return Check(
            "neo4j", "warn", f"{what}: older than {oldest}", f"Use Neo4j {oldest} or newer."
        )
    return Check("neo4j", "ok", what)


async def gds(graph: Graph) -> Check:
    """Whether Graph Data Science is there and can distribute reward."""
    try:
        version = (await graph.run("look/gds_version"))[0]["version"]
    except QueryError:  # an unknown function
        return Check(
            "gds",
            "warn",
            "The server has no Graph Data Science; Cypher distributes reward, more slowly.",
            "Fine for small graphs; for large ones install Graph Data Science 2.26 or newer.",
        )
    if await rewards.choose_engine(graph, "auto") == "gds":
        return Check("gds", "ok", f"{version}, and its PageRank takes biases")
    return Check(
        "gds",
        "warn",
        f"{version}: its PageRank takes no biases; Cypher distributes reward, more slowly.",
        "Fine for small graphs; for large ones install Graph Data Science 2.26 or newer.",
    )


async def indexes(graph: Graph) -> Check:
    """Whether all indexes and constraints of the schema are there and can be used."""
    version = (await graph.run("schema/meta"))[0]["schemaVersion"]
    states = {row["name"]: row for row in await graph.run("look/indexes")}
    wanted = schema_objects.wanted()
    if missing := [name for name in wanted if name not in states]:
        return Check(
            "schema",
            "bad",
            f"Version {version}, but {', '.join(missing)} is missing: somebody dropped it.",
            f"In Neo4j Browser: {wanted[missing[0]]}",
        )
    failed = [name for name in wanted if states[name]["state"] == "FAILED"]
    if failed:
        return Check(
            "schema",
            "bad",
            f"Version {version}, but the index {', '.join(failed)} has failed.",
            f"In Neo4j Browser drop it, then: {wanted[failed[0]]}",
        )
    building = [n for n in wanted if states[n]["state"] != "ONLINE"]
    if building:
        share = states[building[0]]["percent"]
        return Check(
            "schema",
            "warn",
            f"Version {version}; the index {building[0]} is being built ({share:.0f} %).",
            "Wait until it is done: commands are slow until then.",
        )
    return Check("schema", "ok", f"version {version}, {len(wanted)} indexes and constraints online")


async def others(graph: Graph) -> Check:
    """Whether nodes of other people stand in the graph's database."""
    unlabelled = await strangers.number(graph)
    alien = {row["label"]: row["nodes"] for row in await graph.run("look/alien")}
    if not unlabelled and not alien:
        return Check("others", "ok", "all nodes of the database are graphcrawl's")
    kinds = [f"{number:,} as :{label}" for label, number in alien.items()]
    kinds += [f"{unlabelled:,} with other labels"] if unlabelled else []
    return Check(
        "others",
        "warn",
        f"Nodes that are not graphcrawl's: {', '.join(kinds)}. They are left alone and not "
        "counted; the graph cannot be exported or compacted with them.",
        "Keep them in a database of their own.",
    )


async def clock(graph: Graph) -> Check:
    """Whether the server's clock and ours agree."""
    before = time.time()
    server_s = (await graph.run("look/server"))[0]["nowMs"] / 1000
    after = time.time()
    ahead_s = server_s - (before + after) / 2
    if abs(ahead_s) > CLOCK_S + (after - before) / 2:
        side = "ahead of" if ahead_s > 0 else "behind"
        return Check(
            "clock",
            "warn",
            f"Neo4j's clock is {abs(ahead_s):.0f} s {side} ours.",
            "Have both machines' clocks kept by NTP: timedatectl set-ntp true",
        )
    return Check("clock", "ok", "Neo4j's and this machine's agree")


async def reward(
    graph: Graph, settings: Settings, heap_bytes: int | None
) -> tuple[Check, Forecast | None]:
    """Which engine will distribute reward, why, and what one iteration will cost."""
    flow = settings.reward
    try:
        found = await rewards.forecast(
            graph,
            distribute=flow.distribute,
            forget=flow.forget,
            engine=flow.engine,
            damping=flow.damping,
        )
    except Neo4jError as error:
        return Check("reward", "bad", error.message, error.hint), None
    except GraphcrawlError as error:
        return Check("reward", "warn", error.message, error.hint), None
    engine = "GDS" if found.engine == "gds" else "Cypher"
    unit = "iteration" if found.mode == "neural" else "distribution"
    basis = "as the last one took" if found.is_measured else "by what others took"
    what = (
        f"{found.mode} by {engine} ({found.why}); one {unit} over {found.neurons:,} neurons and "
        f"{found.axons:,} axons takes about {_seconds(found.iteration_s)}, {basis}"
    )
    needed = found.axons * GDS_AXON_BYTES
    if found.engine == "gds" and heap_bytes is not None and needed > heap_bytes // 2:
        return (
            Check(
                "reward",
                "warn",
                f"{what}; the projection takes {mebibytes(needed)} of a heap of "
                f"{mebibytes(heap_bytes)}",
                'Set heap below [server] to more, such as "4GiB", then: graphcrawl db down',
            ),
            found,
        )
    return Check("reward", "ok", what), found


def _seconds(seconds: float) -> str:
    return f"{seconds:.2g} s" if seconds < 100 else f"{seconds / 60:.0f} min"
