"""What the shell may offer for a word that is being typed. Never starts a server, never fails."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import typer

from graphcrawl.cli.session import Session, graph_names

if TYPE_CHECKING:
    from graphcrawl.config import Settings

_PATIENCE_S = 3.0  # a shell that waits is worse than one that offers nothing
_HOSTS = 200


def one_of(*values: str) -> Callable[[str], list[str]]:
    """Return a completion of these words."""
    return lambda incomplete: [value for value in values if value.startswith(incomplete)]


def graph(incomplete: str) -> list[str]:
    """Complete `--graph`."""
    from graphcrawl.config import load_settings

    return _quietly(lambda: _beginning(graph_names(load_settings()), incomplete))


def query(incomplete: str) -> list[tuple[str, str]]:
    """Complete the name of a saved query, with its title beside it."""
    from graphcrawl import saved_queries

    saved = {s.name: s.title for s in saved_queries.listed()}
    short = {name.rpartition("/")[2]: title for name, title in saved.items()}
    return [(n, title) for n, title in (short | saved).items() if n.startswith(incomplete)]


def state(incomplete: str) -> list[str]:
    """Complete the state of a page."""
    from graphcrawl.states import State

    return _beginning(State, incomplete)


def host_state(incomplete: str) -> list[str]:
    """Complete the state of a host."""
    from graphcrawl.hosts import HostState

    return _beginning(HostState, incomplete)


def order(incomplete: str) -> list[str]:
    """Complete `--order`."""
    from typing import get_args

    from graphcrawl.scoring.pieces import OrderName

    return _beginning(get_args(OrderName), incomplete)


def rules(incomplete: str) -> list[str]:
    """Complete the name of shipped rules; files are left to the shell."""
    from graphcrawl.scoring.reward import shipped_rules

    return _quietly(lambda: _beginning(shipped_rules(), incomplete))


def setting(incomplete: str) -> list[str]:
    """Complete the name of a setting."""
    from graphcrawl.config import setting_names

    return _beginning(setting_names(), incomplete)


def host(context: typer.Context, incomplete: str) -> list[str]:
    """Complete a host of the graph, if its server runs already."""
    import asyncio

    given = context.find_root().params.get("graph")  # the root command itself is not run
    return _quietly(lambda: asyncio.run(_hosts(Session(graph=given).settings(), incomplete)))


async def _hosts(settings: "Settings", incomplete: str) -> list[str]:
    import asyncio

    from graphcrawl import connection, hosts, server
    from graphcrawl.cli.session import uses_own_neo4j
    from graphcrawl.config import Paths

    if not uses_own_neo4j() and not server.find(Paths.locate(settings.home), settings.graph):
        return []
    async with asyncio.timeout(_PATIENCE_S), connection.connect(settings) as opened:
        listed = [row.host async for row in hosts.listed(opened, limit=_HOSTS)]
    return _beginning(listed, incomplete)


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    return [str(name) for name in names if name.startswith(incomplete)]


def _quietly(offer: Callable[[], list[str]]) -> list[str]:
    try:
        return offer()
    except Exception:  # whatever is wrong, the command itself will say it
        return []
