"""What the steady reward has to be, by scipy; and whatever may become of a page of a small web."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
from neurons import Axon, Database
from outcomes import link, moved, page_of
from scipy import sparse
from scipy.sparse.linalg import spsolve
from worlds import Clock, Neo4jWorld, World

from graphcrawl.models import Claim, Outcome


def flow_matrix(n: int, axons: Sequence[Axon]) -> Any:
    """Return P: the weights of axons, both directions summed, by rows. Source: [000.distribute]."""
    source, target, weight = zip(*axons, strict=True) if axons else ((), (), ())
    one_way = sparse.coo_array((weight, (source, target)), shape=(n, n)).tocsr()
    both = one_way + one_way.T
    strength = np.asarray(both.sum(axis=1)).ravel()
    inverse = np.divide(1, strength, out=np.zeros(n), where=strength > 0)
    return sparse.diags_array(inverse) @ both


def at_rest(
    granted: Sequence[float], axons: Sequence[Axon], damping: float
) -> np.ndarray[Any, Any]:
    """Solve `(I - δ Pᵀ) r = (1 - δ) granted` by scipy. Source: [000.distribute]."""
    n = len(granted)
    p = flow_matrix(n, axons)
    system = (sparse.eye_array(n) - damping * p.T).tocsc()
    return np.atleast_1d(spsolve(system, (1 - damping) * np.array(granted, dtype=float)))


def expected(db: Database, damping: float) -> dict[str, float]:
    """Return what each living neuron's reward has to be, by what the database holds."""
    rows = db.run(
        "MATCH (p:PageNeuron) RETURN p.url AS url, p:Pruned AS pruned, p.aliasOf AS aliasOf,"
        " coalesce(p.baseReward, 0.0) AS base ORDER BY url"
    )
    place = {row["url"]: i for i, row in enumerate(rows)}
    granted = [0.0] * len(rows)
    for row in rows:
        granted[place.get(row["aliasOf"], place[row["url"]])] += row["base"]
    pairs = db.run("MATCH (s)-[a:LINK_AXON]->(t) RETURN s.url AS s, t.url AS t, a.weight AS w")
    axons = [(place[pair["s"]], place[pair["t"]], pair["w"]) for pair in pairs]
    rest = at_rest(granted, axons, damping)
    return {row["url"]: rest[i] for i, row in enumerate(rows) if not row["pruned"]}


def held(db: Database) -> dict[str, float]:
    rows = db.run("MATCH (p:PageNeuron) WHERE NOT p:Pruned RETURN p.url AS url, p.reward AS reward")
    return {row["url"]: row["reward"] for row in rows}


def happening(rng: random.Random, claim: Claim, clock: Clock, urls: Sequence[str]) -> Outcome:
    """Return what becomes of a page: mostly it is there and links to others."""
    others = [url for url in urls if url != claim.url]
    if rng.random() < 0.2:
        return moved(claim, clock, rng.choice(others))
    links = [
        link(to, weight=rng.choice([1.0, 0.5])) for to in rng.sample(others, rng.randint(0, 5))
    ]
    return page_of(claim, clock, links, points=rng.choice([0.0, 0.0, 40.0, -2.0]))


async def leased(world: World, url: str) -> Claim:
    """Lease a page, whatever became of it before."""
    assert isinstance(world, Neo4jWorld)
    await world.ask(
        "MATCH (p:PageNeuron {url: $url}) REMOVE p:Frontier SET p:Leased, p.leasedBy = 'w',"
        " p.leasedUntil = datetime() + duration('PT1H'), p.token = 7",
        url=url,
    )
    return Claim(url, url.split("/")[2], 0.0, 0, 7)
