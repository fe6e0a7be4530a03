"""The error tree. Every error carries an exit code and a hint of what to type next.

GraphcrawlError                      1  anything we did not foresee
├── UsageError                       2  the command line or its input is wrong
│   ├── SettingsError                   a setting is unknown or has a wrong value
│   ├── RulesError                      a rules file cannot be used
│   ├── TopicError                      a topic's examples cannot be used
│   ├── SeedsError                      a seeds file cannot be used, or there is nothing to crawl
│   ├── ContactError                    public hosts, and no contact to put into the User-Agent
│   └── QueryError                      no such saved query, or its parameters do not fit
├── Neo4jError                       3  the graph cannot be used
│   ├── Neo4jUnreachableError           nothing answers at the address
│   ├── Neo4jPanicError                 the server could not write, and waits for a restart
│   ├── Neo4jAuthError                  the server refuses user or password
│   ├── SchemaError                     a newer schema than we know, or other people's data
│   ├── GdsMissingError                 the GDS engine was asked for and is not there
│   └── ServerError                     the embedded server: no jars, no Java, will not start
├── ModelError                       1  what scoring learned cannot be used
├── ReadError                        1  one page killed its reader or ran out of time; recorded
└── NothingFetchedError              4  not one page could be fetched
    └── ProxyDownError                  the crawl's own proxy is down or lets nobody in
"""

from collections.abc import Iterable
from enum import IntEnum


class Exit(IntEnum):
    """Exit codes of the command line."""

    DONE = 0
    UNEXPECTED = 1
    USAGE = 2
    NEO4J = 3
    NOTHING_FETCHED = 4
    INTERRUPTED = 130
    TERMINATED = 143


def command_on(graph: str, words: str) -> str:
    """Return a command line to type next: `words` on that graph."""
    option = "" if graph == "default" else f"--graph {graph} "
    return f"graphcrawl {option}{words}"


class GraphcrawlError(Exception):
    """Base of all errors that graphcrawl raises on purpose.

    Args:
        message: What failed and where, in one sentence.
        hint: What to type or change next.
    """

    exit_code: Exit = Exit.UNEXPECTED

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if hint:  # for programs that let it through: a traceback ends with it
            self.add_note(f"hint: {hint}")


class UsageError(GraphcrawlError):
    """The command line or its input is wrong."""

    exit_code = Exit.USAGE


class SettingsError(UsageError):
    """A setting is unknown or has a wrong value."""


class RulesError(UsageError):
    """A rules file cannot be used."""


class TopicError(UsageError):
    """The examples of a topic cannot be used."""


class SeedsError(UsageError):
    """A seeds file cannot be used, or there is nothing to crawl."""


class ContactError(UsageError):
    """Public hosts are to be crawled, and no contact is set."""


class QueryError(UsageError):
    """No such saved query, or its parameters do not fit."""


class Neo4jError(GraphcrawlError):
    """The graph cannot be used."""

    exit_code = Exit.NEO4J


class Neo4jUnreachableError(Neo4jError):
    """Nothing answers at the address of Neo4j."""


class Neo4jPanicError(Neo4jError):
    """Neo4j could not write, most often to a full disk, and serves nothing until a restart."""


class Neo4jAuthError(Neo4jError):
    """Neo4j refuses the user or the password."""


class SchemaError(Neo4jError):
    """The database holds a newer schema, another graph or somebody else's data."""


class GdsMissingError(Neo4jError):
    """The GDS engine was asked for, and the server does not have it."""


class ServerError(Neo4jError):
    """The embedded server cannot be fetched, started or stopped."""


class ModelError(GraphcrawlError):
    """What scoring has learned cannot be used: damaged, or of another version."""


class ReadError(GraphcrawlError):
    """A page cannot be read: its reader process died or ran out of time. The crawl records it."""


class NothingFetchedError(GraphcrawlError):
    """Not one page could be fetched."""

    exit_code = Exit.NOTHING_FETCHED


class ProxyDownError(NothingFetchedError):
    """The proxy that the settings name is down or lets nobody in; the hosts have no part in it."""


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """Return a question that a hint begins with; nothing where no name is like the word."""
    import difflib  # noqa: PLC0415  # only where something went wrong

    near = difflib.get_close_matches(word, list(names), n=1, cutoff=0.5)
    return f"Did you mean {near[0]}?  " if near else ""
