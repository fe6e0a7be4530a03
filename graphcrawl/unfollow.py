"""Takes back the axons of a page whose owner does not let its links be followed any more.

A page that is visited again may say `nofollow` by now. What it linked to then was found with its
owner's leave; from now on no reward flows there, and what nothing else links to does not wait.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from graphcrawl.fold_rows import GraphStore
from graphcrawl.folding import Carried, Changes, Store
from graphcrawl.graph import Transaction
from graphcrawl.models import Fetched, Outcome

NOFOLLOW: Final = "nofollow"


def unfollowed(settled: Sequence[Outcome]) -> dict[str, set[str]]:
    """Return the fetched pages whose links are not to be followed, with the links that stay."""
    return {
        outcome.claim.url: {link.url for link in outcome.page.links}
        for outcome in settled
        if isinstance(outcome.fetch, Fetched) and outcome.page and NOFOLLOW in outcome.page.wishes
    }


async def unfollow(tx: Transaction, again: Sequence[Outcome], feed_hint_points: float) -> list[str]:
    """Obey pages that say `nofollow` by now; return hosts with pages that wait no more.

    Args:
        tx: A recorder's.
        again: Settled outcomes of pages that had links.
        feed_hint_points: See `record.RecordOptions`.
    """
    if not (kept := unfollowed(again)):
        return []
    less = await unlink(GraphStore(tx, feed_hint_points), kept)
    rows = await tx.run("write/unfollowed", urls=less) if less else []
    return [row["host"] for row in rows]


async def unlink(store: Store, kept: Mapping[str, Collection[str]]) -> list[str]:
    """Drop what pages link to, also where another axon carries it.

    Args:
        store: The graph, inside a transaction that no other recorder can disturb.
        kept: The pages, each with the targets that it may keep.

    Returns:
        What is linked to less than before: URLs.
    """
    links = [*await store.links(kept.keys()), *await store.carried(kept.keys())]
    carried = Carried()
    targets = set()
    for link in links:
        if link.source not in kept or link.target in kept[link.source]:
            continue
        targets.add(link.target)
        if link.is_axon:
            carried.own[link.source, link.target] = None
        else:
            carried.unstated.append((link.source, link.target))
            ends = link.source_of or link.source, link.target_of or link.target
            if ends[0] != ends[1]:
                carried.more[ends] -= 1
    pairs = carried.more.keys() | carried.own.keys()
    changes = Changes(drop_alias_axons=carried.unstated)
    strength: dict[str, float] = defaultdict(float)
    in_links: dict[str, int] = defaultdict(int)
    for pair, old in sorted((await store.between(pairs) if pairs else {}).items()):
        new = carried.axon(pair, old)
        if new is None:
            changes.drop_axons.append(pair)
        else:
            changes.put_axons.append({"source": pair[0], "target": pair[1], "properties": new})
        for url in pair:
            strength[url] += (new["weight"] if new else 0.0) - old["weight"]
        in_links[pair[1]] -= new is None
    pages = await store.facts(strength.keys())
    changes.pages = [
        {
            "url": url,
            "aliasOf": pages[url].alias_of,
            "reward": 0.0,
            "handedOver": pages[url].handed_over,
            "strength": strength[url],
            "inLinks": in_links[url],
            "seed": False,
        }
        for url in sorted(pages)
    ]
    if targets:
        await store.write(changes)
    return sorted(targets)
