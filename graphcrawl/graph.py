"""One Neo4j database: its driver, its retries, its statements. The only importer of neo4j."""

import asyncio
import logging
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

import neo4j
import neo4j.time
from neo4j.exceptions import (
    AuthError,
    ConfigurationError,
    CypherSyntaxError,
    DriverError,
    IncompleteCommit,
    ServiceUnavailable,
    SessionExpired,
)
from neo4j.exceptions import (
    Neo4jError as ServerSideError,
)

from graphcrawl import queries
from graphcrawl.errors import (
    Neo4jAuthError,
    Neo4jError,
    Neo4jPanicError,
    Neo4jUnreachableError,
    QueryError,
    command_on,
)
from graphcrawl.patience import Patience

# The driver warns of each deadlock that it then repeats; that is no news for a user.
logging.getLogger("neo4j").addHandler(logging.NullHandler())

T = TypeVar("T")
Row = dict[str, Any]

CONNECT_TIMEOUT_S = 10.0
ACQUIRE_TIMEOUT_S = 20.0  # of a connection, its handshake included: another service may stay silent
_SCHEMES = ("bolt", "neo4j")  # each also with +s and +ssc
RETRY_TIME_S = 30.0  # of a transaction that the server wants to be repeated
_DRIVER_RETRY_S = 1.0  # of them, by the driver: it would not tell that the server is gone
FIRST_RETRY_S = 0.05  # after a deadlock; doubles. The driver's own second would idle a crawl
# A concurrent MERGE can meet a node that another transaction has just deleted (neo4j issue 6823).
_RETRIED_CODES = {"Neo.ClientError.Statement.EntityNotFound"}
_PANIC = "Neo.DatabaseError.Transaction."  # begin or commit failed for the server's own reasons
_ATTEMPTS = 8
_ADDS = {"reward/add"}  # is not done again where its commit was not acknowledged: it may have been
_CREDENTIALS = re.compile(r"//[^/]*@")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a graph lives and how to sign in."""

    uri: str
    user: str
    password: str = field(repr=False)
    database: str = "neo4j"
    embedded: bool = True
    graph: str = "default"  # of an embedded server

    @property
    def shown(self) -> str:
        """The URI without a password that somebody wrote into it."""
        return _CREDENTIALS.sub("//***@", self.uri)


def read_time(text: str) -> Any:
    """Return a time as Neo4j keeps it, to the nanosecond; `text` is ISO 8601 with an offset."""
    return neo4j.time.DateTime.from_iso_format(text)


class Transaction:
    """Runs named statements inside one transaction."""

    def __init__(self, tx: neo4j.AsyncManagedTransaction) -> None:
        self._tx = tx

    async def run(self, name: str, **parameters: Any) -> list[Row]:
        """Run a statement by name and return all its rows."""
        result = await self._tx.run(_text(name, parameters), _briefly(parameters))
        return [_row(record) for record in await result.fetch(_ALL)]


class Graph:
    """A connection to one Neo4j database."""

    def __init__(self, driver: neo4j.AsyncDriver, address: Address) -> None:
        self._driver = driver
        self.address = address
        self.retries = 0  # write transactions repeated after a deadlock or the like
        self.patience = Patience()  # with a server that goes away

    @classmethod
    @asynccontextmanager
    async def open(cls, address: Address) -> AsyncIterator["Graph"]:
        """Connect, check that the server answers, and close at the end.

        Raises:
            Neo4jUnreachableError: Nothing answers there, or the address cannot be read.
            Neo4jAuthError: User or password is wrong.
        """
        if address.uri.partition("://")[0].partition("+")[0] not in _SCHEMES:
            raise Neo4jUnreachableError(  # the driver would try to speak HTTP
                f"Cannot use the address {address.shown!r}: it does not begin with bolt:// or neo4j://.",
                "Check NEO4J_URI and that the server runs.",
            )
        with _translated(address):
            driver = _driver(address)
        opened = cls(driver, address)
        try:
            with _translated(address):
                await driver.verify_connectivity()
            yield opened
        finally:
            await opened._driver.close()

    async def move(self, address: Address) -> None:
        """Go on at another address: the same server may come back on other ports."""
        if address != self.address:
            old, self._driver, self.address = self._driver, _driver(address), address
            await old.close()

    @contextmanager
    def waiting(
        self, wait_s: float, gives_up: Callable[[], bool], on_wait: Callable[[], None]
    ) -> Iterator[None]:
        """Wait for the server where it goes away, until the end of the block.

        Args:
            wait_s: Seconds at most.
            gives_up: Whether somebody wants to end that.
            on_wait: Called again and again meanwhile.
        """
        patience = self.patience
        before = patience.wait_s, patience.gives_up, patience.on_wait
        patience.wait_s, patience.gives_up, patience.on_wait = wait_s, gives_up, on_wait
        try:
            yield
        finally:
            patience.wait_s, patience.gives_up, patience.on_wait = before

    async def run(self, name: str, **parameters: Any) -> list[Row]:
        """Run one statement in the mode that its file declares and return all its rows.

        Args:
            name: Path below `cypher/` without the ending, such as `frontier/claim`.
            parameters: Values for every declared parameter without a default.

        Raises:
            QueryError: Unknown statement, or the parameters do not fit.
            Neo4jError: The server cannot be reached or refuses the statement.
        """
        mode = queries.load(name).mode

        async def once() -> list[Row]:
            with _translated(self.address):
                async with self._session(mode) as session:
                    if mode in ("auto", "schema"):
                        result = await session.run(_text(name, parameters), _briefly(parameters))
                        return [_row(record) for record in await result.fetch(_ALL)]

                    async def work(tx: neo4j.AsyncManagedTransaction) -> list[Row]:
                        return await Transaction(tx).run(name, **parameters)

                    if mode == "read":
                        return await _with_retries(lambda: session.execute_read(work))
                    counted = self._counting(work)
                    return await _with_retries(lambda: session.execute_write(counted))

        def is_repeatable(error: Exception) -> bool:
            """Tell whether it may be done again: one in several transactions may be half done."""
            if mode in ("auto", "schema"):
                return False
            return name not in _ADDS or not isinstance(error.__cause__, IncompleteCommit)

        return await self.patience.of(once, is_repeatable=is_repeatable)

    async def transact(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run several statements in one write transaction; `work` may be called more than once."""

        async def once() -> T:
            with _translated(self.address):
                async with self._session("write") as session:

                    async def managed(tx: neo4j.AsyncManagedTransaction) -> T:
                        return await work(Transaction(tx))

                    counted = self._counting(managed)
                    return await _with_retries(lambda: session.execute_write(counted))

        return await self.patience.of(once, is_repeatable=lambda _: True)

    async def stream(self, name: str, **parameters: Any) -> AsyncIterator[Row]:
        """Yield the rows of a reading statement one by one, with flat memory."""
        with _translated(self.address):
            async with self._session("read") as session:
                result = await session.run(_text(name, parameters), parameters)
                while records := await result.fetch(_AT_ONCE):
                    for record in records:
                        yield _row(record)

    async def run_schema(self, text: str) -> None:
        """Run the statements of a schema file, each in a transaction of its own."""
        with _translated(self.address):
            async with self._session("schema") as session:
                for statement in queries.split_statements(text):
                    result = await session.run(cast("Any", statement))
                    await result.consume()

    async def explain(self, name: str) -> dict[str, Any]:
        """Return the plan of a statement without running it; parameters need no values."""
        with _translated(self.address):
            async with self._session("read") as session:
                result = await session.run(cast("Any", "EXPLAIN " + queries.load(name).text))
                summary = await result.consume()
                return cast("dict[str, Any]", summary.plan or {})

    def _counting(
        self, work: Callable[[neo4j.AsyncManagedTransaction], Awaitable[T]]
    ) -> Callable[[neo4j.AsyncManagedTransaction], Awaitable[T]]:
        """Return the same work; its attempts after the first are counted."""
        attempts = 0

        async def attempt(tx: neo4j.AsyncManagedTransaction) -> T:
            nonlocal attempts
            attempts += 1
            self.retries += attempts > 1
            return await work(tx)

        return attempt

    def _session(self, mode: str) -> neo4j.AsyncSession:
        access = neo4j.READ_ACCESS if mode == "read" else neo4j.WRITE_ACCESS
        return self._driver.session(database=self.address.database, default_access_mode=access)


def _driver(address: Address) -> neo4j.AsyncDriver:
    return neo4j.AsyncGraphDatabase.driver(
        address.uri,
        auth=(address.user, address.password),
        connection_timeout=CONNECT_TIMEOUT_S,
        connection_acquisition_timeout=ACQUIRE_TIMEOUT_S,
        max_transaction_retry_time=_DRIVER_RETRY_S,
        initial_retry_delay=FIRST_RETRY_S,
        notifications_min_severity="OFF",
    )


def _row(record: neo4j.Record) -> Row:
    """Return a record as plain values; the driver's way copies lists element by element."""
    if any(map(_is_of_graph, record.values())):
        return record.data()
    return dict(zip(record.keys(), record.values(), strict=True))


def _is_of_graph(value: object) -> bool:
    """Tell whether a value is a node, relationship or path, or a list of them."""
    if isinstance(value, list):
        return bool(value) and _is_of_graph(value[0])
    return isinstance(value, neo4j.graph.Entity | neo4j.graph.Path)


_ALL = 2**62
_AT_ONCE = 250  # rows in memory, of a stream: one by one takes the driver twice as long


class _Values(list[Any]):
    """A list parameter that is not spelt out: the driver makes a text of each, debugging or not."""

    def __repr__(self) -> str:
        return f"[{len(self)} values]"


def _text(name: str, parameters: Row) -> Any:
    """Return the statement's text after checking its parameters; defaults are filled in place."""
    statement = queries.load(name)
    unknown = parameters.keys() - statement.parameters.keys()
    for key, parameter in statement.parameters.items():
        if key not in parameters and not parameter.required:
            parameters[key] = parameter.default
    missing = statement.parameters.keys() - parameters.keys()
    if unknown or missing:
        wrong = ", ".join(sorted(f"${key}" for key in unknown | missing))
        raise QueryError(
            f"Query {name!r}: parameters unknown or missing: {wrong}.",
            f"See what it takes: graphcrawl query show {name}",
        )
    return statement.text


def _briefly(parameters: Row) -> Row:
    return {k: _Values(v) if isinstance(v, list) else v for k, v in parameters.items()}


async def _with_retries(work: Callable[[], Awaitable[T]]) -> T:
    """Repeat what the driver does not repeat by itself, or not for long enough."""
    begun, attempt = time.monotonic(), 0
    while True:
        try:
            return await work()
        except ServerSideError as error:
            lasts = time.monotonic() - begun < RETRY_TIME_S
            if error.code in _RETRIED_CODES:
                lasts = attempt < _ATTEMPTS - 1
            elif not error.is_retryable():
                raise
            if not lasts:
                raise
        await asyncio.sleep(0.01 * 2 ** min(attempt, _ATTEMPTS))
        attempt += 1


@contextmanager
def _translated(address: Address) -> Iterator[None]:
    """Turn the driver's errors into ours, with what to type next."""
    start = (
        command_on(address.graph, "db up")
        if address.embedded
        else "Check NEO4J_URI and that the server runs."
    )
    try:
        yield
    except AuthError as error:
        raise Neo4jAuthError(
            f"Neo4j at {address.shown} refuses user {address.user!r} or its password.",
            f"Was its password changed? See {command_on(address.graph, 'db status')}"
            if address.embedded
            else "Check NEO4J_USERNAME, NEO4J_PASSWORD.",
        ) from error
    except (ServiceUnavailable, SessionExpired, OSError) as error:
        raise Neo4jUnreachableError(f"Neo4j does not answer at {address.shown}.", start) from error
    except UnicodeError as error:
        raise Neo4jError(f"Neo4j stores no such text: {error}", "") from error
    except OverflowError as error:
        raise Neo4jError("Neo4j stores no whole number of more than 64 bits.", "") from error
    except (ConfigurationError, ValueError) as error:
        raise Neo4jUnreachableError(
            f"Cannot use the address {address.shown!r}: {_CREDENTIALS.sub('//***@', str(error))}",
            start,
        ) from error
    except CypherSyntaxError as error:
        raise QueryError(
            f"Neo4j cannot read the query: {error.message}", "Mend the file."
        ) from error
    except (ServerSideError, DriverError) as error:
        if str(getattr(error, "code", "")).startswith(_PANIC):
            raise Neo4jPanicError(
                f"Neo4j at {address.shown} could not write and serves nothing any more: "
                "a full disk?",
                "Free some space, then type the command again: it starts the server anew."
                if address.embedded
                else "Free some space, then restart that server.",
            ) from error
        message = getattr(error, "message", None) or error
        raise Neo4jError(
            f"Neo4j refused: {message}",
            command_on(address.graph, "db logs")
            if address.embedded
            else "Check NEO4J_DATABASE and the server's log.",
        ) from error
