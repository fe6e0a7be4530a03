"""Seeds written to the graph: new neurons, and known ones that become pages to start from."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from graphcrawl.fold_rows import GraphStore
from graphcrawl.folding import fold
from graphcrawl.forgotten import is_forgotten, keys_of_pages
from graphcrawl.graph import Graph, Row, Transaction
from graphcrawl.record import write_hosts
from graphcrawl.recorded import RecordOptions
from graphcrawl.settle import grant_text, host_rows
from graphcrawl.steady_rows import granted
from graphcrawl.urls import neuron_id

if TYPE_CHECKING:
    from graphcrawl.frontier import Seed

_SEEDED_AT_ONCE = 1000


async def write_seeds(
    graph: Graph,
    seeds: "Sequence[Seed]",
    options: RecordOptions,
    now_ms: Callable[[], int | None],
) -> list[Row]:
    """Add distinct seeds, some a transaction; a recorder waits meanwhile.

    Args:
        graph: With the schema prepared.
        seeds: Distinct; they are numbered in this order.
        options: The figures that recording goes by.
        now_ms: Milliseconds since 1970 in place of the server's clock, or None.

    Returns:
        What `write/seeds` says of each seed that was not forgotten on request.
    """
    found: list[Row] = []
    for start in range(0, len(seeds), _SEEDED_AT_ONCE):
        some = seeds[start : start + _SEEDED_AT_ONCE]
        found += await _write(graph, some, options, now_ms())
    return found


async def _write(
    graph: Graph, seeds: "Sequence[Seed]", options: RecordOptions, now_ms: int | None
) -> list[Row]:
    rows: list[Row] = [
        {"url": s.url, "id": neuron_id(s.url), "host": s.host, "reward": s.reward}
        | {"grant": grant_text(s.reward, "seed", "seed"), "number": place}
        for place, s in enumerate(seeds, 1)
    ]
    rows.sort(key=lambda row: str(row["host"]))  # as hosts are locked

    async def work(tx: Transaction) -> list[Row]:
        gate = await tx.run("write/gate", discoveries=len(seeds))
        wanted = rows
        if gate[0]["forgets"]:
            keys = keys_of_pages((s.url, s.host) for s in seeds)
            found = await tx.run("write/forgotten", keys=list(keys))
            gone = {row["key"] for row in found}
            stay = {s.url for s in seeds if not is_forgotten(s.url, s.host, gone)}
            wanted = [row for row in rows if row["url"] in stay]
        await tx.run("frontier/lock_hosts", names=sorted({row["host"] for row in wanted}))
        order = (await tx.run("order/current"))[0]["order"]
        found = await tx.run(
            "write/seeds",
            order=order,
            seeds=wanted,
            bornAt=gate[0]["distributions"],
            discovered=gate[0]["discovered"],
            grantShare=options.grant_share,
            feedHintPoints=options.feed_hint_points,
            nowMs=now_ms,
        )
        await granted(tx, gate[0]["damping"], {row["url"] for row in found})
        waking = [row["host"] for row in found]
        if aliases := {row["url"] for row in found if row["alias"]}:
            waking += await fold(GraphStore(tx, options.feed_hint_points), (), aliases)
        hosts = host_rows(waking, (), ())
        await write_hosts(tx, hosts, options, now_ms)
        return found

    return await graph.transact(work)
