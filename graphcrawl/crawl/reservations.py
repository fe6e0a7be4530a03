"""tdmrep.json files in the graph: one worker asks an origin, all go by what it saves."""

from graphcrawl.config import Settings
from graphcrawl.crawl.origins import turns_at
from graphcrawl.fetch import Fetcher
from graphcrawl.graph import Graph
from graphcrawl.robots import Robots, RobotsFile
from graphcrawl.tdmrep import Reservations


def reservations_of(
    graph: Graph, fetcher: Fetcher, robots: Robots, worker: str, settings: Settings
) -> Reservations:
    """Return the keeper of such files for one run.

    Args:
        graph: Keeps the files, so that each is fetched once however many workers ask.
        fetcher: Downloads them.
        robots: Says whether they may be asked for.
        worker: Who asks.
        settings: Name the hosts that are not asked.
    """

    async def allowed(url: str) -> bool:
        return (await robots.check(url)).allowed

    async def load(origin: str) -> RobotsFile | None:
        rows = await graph.run("frontier/tdm_load", origin=origin)
        if not rows:
            return None
        row = rows[0]
        fetched_at, expires_at = row["fetchedAt"].to_native(), row["expiresAt"].to_native()
        return RobotsFile(origin, None, row["body"], fetched_at, expires_at)

    async def save(file: RobotsFile) -> None:
        await graph.run(
            "frontier/tdm_save",
            origin=file.origin,
            body=file.body,
            fetchedAt=file.fetched_at,
            expiresAt=file.expires_at,
        )

    claim, release = turns_at(graph, worker, settings, "frontier/tdm_claim", "frontier/tdm_release")
    return Reservations(
        fetcher.download_robots,
        allowed,
        load=load,
        save=save,
        claim=claim,
        release=release,
        own_hosts=settings.own_hosts.ignore_robots,
    )
