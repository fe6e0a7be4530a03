"""Lets reward flow beside a crawl, by the mode of the graph."""

from graphcrawl import rewards
from graphcrawl.config import RewardSettings
from graphcrawl.crawl.plan import Beside
from graphcrawl.graph import Graph

DISTRIBUTE_EVERY_S = 0.5
DISTRIBUTE_EVERY_PAGES = 30  # more often, and the crawl stays with what it knows
PUSH_EVERY_S = 1.0


def flowing(
    graph: Graph,
    reward: RewardSettings,
    mode: rewards.Mode,
    distribution_s: float,
    share: float | None = None,
) -> Beside:
    """Return the work that keeps rewards up to date.

    In `neural` the whole graph takes part each time; in `steady` what changed, by local pushes.
    Should the mode be changed while the crawl runs, the next time goes by the new one.

    Args:
        graph: The graph that is crawled.
        reward: How it flows.
        mode: Of the graph.
        distribution_s: How long the first distribution may take.
        share: Of wall time; None: what other work leaves of the whole share.
    """

    async def flow() -> rewards.PushReport | rewards.DistributionReport:
        if (await rewards.standing(graph)).mode == "steady":
            return await rewards.push(graph, damping=reward.damping, engine=reward.engine)
        return await rewards.distribute(
            graph,
            distribute=reward.distribute,
            forget=reward.forget,
            engine=reward.engine,
            mode="neural",
        )

    if mode == "steady":
        return Beside("push", flow, PUSH_EVERY_S, expected_s=distribution_s, share=share)
    return Beside(
        "distribute", flow, DISTRIBUTE_EVERY_S, DISTRIBUTE_EVERY_PAGES, distribution_s, share
    )
