"""Looks at all that a crawl needs, and says what is wrong, how bad that is and what to type."""

from dataclasses import dataclass

from graphcrawl import connection, server
from graphcrawl.config import Paths, Settings
from graphcrawl.doctor import database, machine
from graphcrawl.doctor.check import Check, State
from graphcrawl.doctor.deep import promises
from graphcrawl.errors import Neo4jAuthError, Neo4jError, SchemaError
from graphcrawl.graph import Address
from graphcrawl.rewards import Forecast
from graphcrawl.server.process import machine_memory_bytes, plan_memory

__all__ = ["Check", "Diagnosis", "State", "examine"]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All that was found."""

    graph: str
    checks: tuple[Check, ...]
    reward: Forecast | None  # None where the graph cannot be asked

    @property
    def state(self) -> State:
        """The worst state of all checks."""
        states = {check.state for check in self.checks}
        return "bad" if "bad" in states else "warn" if "warn" in states else "ok"


async def examine(
    settings: Settings,
    on_progress: server.OnProgress = lambda _: None,
    *,
    deep: bool = False,
) -> Diagnosis:
    """Look at machine and graph. A graph that exists is started, none is made, nothing is mended.

    Args:
        settings: Which graph, and all that is to be looked at.
        on_progress: Told of the start of the embedded server.
        deep: Walk through the whole graph as well, and see whether it keeps what it promises.
    """
    paths = Paths.locate(settings.home)
    checks = [machine.contact(settings), machine.rules(settings), machine.folders(paths)]
    try:
        own = connection.external_address()
    except Neo4jAuthError as error:
        return Diagnosis(settings.graph, (*checks, _failed(error)), None)
    checks.append(machine.open_files(settings.crawl.concurrency, embedded=own is None))
    if own is None:
        checks += _embedded(settings, paths)
    clock = machine.clock()
    reward = None
    state = None if own else server.status(paths, settings.graph).state
    if state == "absent":
        what = f"The graph {settings.graph!r} was never made; the first crawl makes it."
        checks.append(Check("neo4j", "ok", what, settings.command("crawl URL")))
        checks += [clock] if clock else []
    else:
        more, reward = await _database(settings, own, on_progress, deep=deep)
        checks += [c if c.name != "clock" or clock is None else clock for c in more]
    return Diagnosis(settings.graph, tuple(checks), reward)


def _embedded(settings: Settings, paths: Paths) -> list[Check]:
    running = server.find(paths, settings.graph)
    jars, missing_bytes = machine.jar_files(paths.cache)
    return [
        machine.disk(paths, missing_bytes),
        machine.memory(settings.server, running),
        machine.java_runtime(paths.cache),
        jars,
        machine.ports(settings.server, running),
    ]


async def _database(
    settings: Settings, own: Address | None, on_progress: server.OnProgress, *, deep: bool
) -> tuple[list[Check], Forecast | None]:
    heap_bytes = None
    if own is None:
        heap_bytes = plan_memory(settings.server, machine_memory_bytes()).heap_bytes
    checks: list[Check] = []
    try:
        async with connection.connect(settings, on_progress=on_progress) as graph:
            for look in (
                database.neo4j,
                database.gds,
                database.indexes,
                database.others,
                database.clock,
            ):
                checks.append(await look(graph))
            if deep:
                checks += await promises(graph, settings)
            check, forecast = await database.reward(graph, settings, heap_bytes)
            return [*checks, check], forecast
    except SchemaError as error:
        return [*checks, Check("schema", "bad", error.message, error.hint)], None
    except Neo4jError as error:
        return [*checks, _failed(error)], None


def _failed(error: Neo4jError) -> Check:
    return Check("neo4j", "bad", error.message, error.hint)
