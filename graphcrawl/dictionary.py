"""The data dictionary: each label, relationship, property, type, unit and index of the graph.

This is the one place that describes them. `docs/GRAPH.md` is written from it (`graphcrawl db schema
--markdown`), `graphcrawl db schema` prints it, and a test compares it with a live database. Indexes
are read from the schema files that make them.

Source: [000.graph], and the design of the graph.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from graphcrawl import queries, schema

_INDEX = re.compile(
    r"CREATE\s+(?P<made>CONSTRAINT|INDEX|FULLTEXT INDEX)\s+(?P<name>\w+)\s+IF NOT EXISTS\s+FOR\s+"
    r"(?:\(\)-)?[(\[]\s*\w+\s*:\s*(?P<label>[\w|]+)\s*[)\]](?:-\(\))?\s+"
    r"(?:REQUIRE|ON)\s+(?:EACH\s+)?(?P<keys>[^;]+)"
)
_KEY = re.compile(r"\b\w+\.(\w+)")


@dataclass(frozen=True, slots=True)
class Property:
    """One property of a node or relationship."""

    name: str
    type: str  # of Cypher: STRING, INTEGER, FLOAT, BOOLEAN, DATE, DATETIME (zoned), LIST<STRING>
    meaning: str
    unit: str = ""
    always: bool = False  # every one has it


@dataclass(frozen=True, slots=True)
class Element:
    """One kind of node or relationship."""

    name: str  # main label or relationship type
    pattern: str  # as Cypher draws it
    meaning: str
    properties: tuple[Property, ...]
    labels: tuple[tuple[str, str], ...] = ()  # further labels and what they say
    is_node: bool = True


@dataclass(frozen=True, slots=True)
class Index:
    """One index; a unique one belongs to a constraint of its name."""

    name: str
    label: str  # or relationship type
    properties: tuple[str, ...]
    kind: str  # unique, range or fulltext

    @property
    def on(self) -> str:
        """What it is on, as Cypher draws it."""
        is_type = any(e.name == self.label and not e.is_node for e in ELEMENTS)
        return f"[:{self.label}]" if is_type else f"(:{self.label})"


def _of(*lines: str) -> tuple[Property, ...]:
    """Read lines of `name | type | unit | meaning`; a name with `!` is always there."""
    made = []
    for line in lines:
        name, kind, unit, meaning = (part.strip() for part in line.split("|"))
        made.append(Property(name.rstrip("!"), kind, meaning, unit, name.endswith("!")))
    return tuple(made)


ELEMENTS: tuple[Element, ...] = (
    Element(
        "PageNeuron",
        "(:PageNeuron)",
        "A page, one for each canonical URL, fetched or not",
        _of(
            "url! | STRING | | canonical URL, at most 2,083 characters",
            "neuronId! | INTEGER | | hash of the URL in 63 bits, never reused",
            "host! | STRING | | host key: name, and port where it is not the scheme's own",
            "reward | FLOAT | points | neural reward; none on a tombstone",
            "baseReward | FLOAT | points | sum of the page's grants",
            "grants | LIST<STRING> | | what paid for it: points, rule and place, in one text each",
            "depth | INTEGER | links | shortest way from a seed",
            "redirects | INTEGER | redirects | how many in a row led here",
            "strength | FLOAT | weight | sum of the weights of its axons, both directions",
            "inLinks | INTEGER | pages | how many link here",
            "feedHint | FLOAT | 0 to 1 | how much a link made it look like an XML job feed",
            "discoveredAt | DATETIME | UTC | when it was first named",
            "bornAt | INTEGER | distributions | how many there had been when it was born",
            "priority | FLOAT | points | place in the frontier; only while it waits or is leased",
            "leasedBy | STRING | | worker that holds it",
            "leasedUntil | DATETIME | UTC | when its lease ends by itself",
            "token | INTEGER | | fencing token of its lease",
            "tries | INTEGER | requests | how often it was asked for",
            "putOffs | INTEGER | times | postponements that were its host's fault or wish",
            "readyAt | DATETIME | UTC | of one put off: when it may be claimed again",
            "status | INTEGER | | HTTP status of the last answer",
            "fetchedAt | DATETIME | UTC | when the last answer was complete",
            "contentType | STRING | | media type, lower case",
            "bytes | INTEGER | bytes | size of the body, content encoding undone",
            "title | STRING | | title of the page",
            "language | STRING | | primary subtag, such as de",
            "etag | STRING | | ETag header",
            "lastModified | STRING | | Last-Modified header",
            "digest | STRING | | hash of the body, hexadecimal",
            "types | LIST<STRING> | | schema.org types that it states, short names",
            "outLinks | INTEGER | pages | how many it linked to when it was read",
            "reason | STRING | | why it failed or was left out, in one word",
            "error | STRING | | the same in a sentence",
            "feedForm | STRING | | of a job feed: rss, atom, source-job, jobs-job or hr-xml",
            "feedJobs | INTEGER | jobs | of a job feed: records seen in what was read",
            "feedUrl | STRING | | the job feed that this page is or redirects to",
            "foundBy | STRING | | of a job feed: URL of the page that was paid for finding it",
            "readAt | DATETIME | UTC | of what lists jobs: when it was read last",
            "readBeforeAt | DATETIME | UTC | and the time before",
            "readWhole | BOOLEAN | | whether that reading came to its end",
            "readJobs | INTEGER | jobs | that it found",
            "readNew | INTEGER | jobs | of them, never seen before",
            "readChanged | INTEGER | jobs | of them, changed",
            "readGone | INTEGER | jobs | no longer listed",
            "readCut | INTEGER | records | cut short or given up",
            "readEnded | STRING | | why it ended early: size, time, connection, disk, damaged, "
            "reader, stopped, refused or empty",
            "readUnreadBytes | INTEGER | bytes | left unread then, as far as known",
            "readingUntil | DATETIME | UTC | its jobs are written now; past: that was broken off",
            "readRepaired | INTEGER | records | with markup that was mended",
            "readRepeated | INTEGER | records | that stated a job once more",
            "readClashes | INTEGER | ids | that the source gave to several jobs",
            "readUntitled | INTEGER | jobs | without a title",
            "listsOld | BOOLEAN | | its LISTS are to get what they lack since an older version",
            "nextVisitAt | DATETIME | UTC | of what lists jobs: when it is to be read again",
            "visitIntervalS | FLOAT | seconds | between two readings, as they taught",
            "visitLearnedAt | DATETIME | UTC | the fetch that taught it last",
            "visitDigest | STRING | | hash of the body then",
            "prunedAt | DATETIME | UTC | of a tombstone: when it was pruned",
            "prunedBelow | FLOAT | points | of a tombstone: the threshold then",
        ),
        (
            ("Fetched", "content: its content is known; a failed revisit leaves it"),
            ("Failed", "content: given up, with a reason"),
            ("Excluded", "content: not to be fetched, with a reason"),
            ("Frontier", "schedule: waits to be claimed"),
            ("Leased", "schedule: a worker holds it"),
            ("Seed", "a crawl started here"),
            ("Rewarded", "a rule or a link to a job feed paid for it"),
            ("JobFeed", "its content is an XML job feed; of equal ones, the first"),
            ("JobPage", "states jobs, and is visited again to see whether it still does"),
            ("Pruned", "a tombstone: too poor to keep, not to be fetched again"),
        ),
    ),
    Element(
        "LINK_AXON",
        "(:PageNeuron)-[:LINK_AXON]->(:PageNeuron)",
        "The links or the redirect from one page to another: one for each ordered pair",
        _of(
            "weight! | FLOAT | weight | what it conducts; 1 for an ordinary link",
            "links! | INTEGER | links | how many the page has to that target",
            "anchor | STRING | | text of the first",
            "anchors | LIST<STRING> | | texts of up to four more that differ",
            "rel | STRING | | of the link, or redirect",
            "position | STRING | | region of the page: body, nav, header, footer, aside",
            "raw | STRING | | the target as written, where that differs",
            "firstSeenAt! | DATETIME | UTC | when the page was first seen with it",
            "lastSeenAt! | DATETIME | UTC | when the page was last seen with it",
        ),
        is_node=False,
    ),
    Element(
        "PageText",
        "(:PageText)",
        "The text of a page, off its neuron, so that reading a neuron stays cheap",
        _of(
            "title | STRING | | title of the page",
            "text | STRING | | main text, without boilerplate",
            "visible | STRING | | all visible text, for rules; at most 1,000,000 characters",
        ),
    ),
    Element(
        "HAS_TEXT",
        "(:PageNeuron)-[:HAS_TEXT]->(:PageText)",
        "Whose text it is",
        (),
        is_node=False,
    ),
    Element(
        "Job",
        "(:Job)",
        "A job that a feed or a page lists, one over all feeds and readings",
        _of(
            "key | STRING | | stable id",
            "title | STRING | | title of the job",
            "company | STRING | | who hires",
            "place | STRING | | where, normalised",
            "country | STRING | | of the place",
            "region | STRING | | of the place",
            "city | STRING | | of the place",
            "posted | DATETIME | UTC | when it was posted; a date alone is its midnight",
            "postedRaw | STRING | | the same as written",
            "placeRaw | STRING | | the place as written",
            "url | STRING | | where to read on or apply",
            "feed | STRING | | URL of the feed; none where a page states it",
            "ownId | STRING | | its id in the feed",
            "employment | STRING | | full time, contract and the like, as stated",
            "salary | STRING | | as stated",
            "closes | DATETIME | UTC | last day to apply",
            "description | STRING | | text of the posting",
            "firstSeenAt | DATETIME | UTC | reading that first had it",
            "lastSeenAt | DATETIME | UTC | reading that last had it",
            "changedAt | DATETIME | UTC | reading that last changed it",
            "goneAt | DATETIME | UTC | first whole reading that lacked it; none while it is there",
            "batch | INTEGER | | number of the transaction that added it: later ones have more",
            "wordedBy | INTEGER | | neuronId of the feed or page whose words these are",
        ),
    ),
    Element(
        "LISTS",
        "(:PageNeuron)-[:LISTS]->(:Job)",
        "Which feed or page lists a job, and hashes of what it says of it",
        _of(
            "key | INTEGER | | of the source and its own id for the job",
            "urlKey | INTEGER | | of the job's URL",
            "nameKey | INTEGER | | of title, company and place",
            "textKey | INTEGER | | of the description",
            "sameAs | INTEGER | | of the two before: alike, it may be the same job",
            "digest | INTEGER | | of what is compared between readings",
            "firstSeenAt | DATETIME | UTC | reading of it that first had the job",
            "lastSeenAt | DATETIME | UTC | reading of it that last had the job",
            "goneAt | DATETIME | UTC | whole reading of it that lacked the job",
        ),
        is_node=False,
    ),
    Element(
        "Host",
        "(:Host)",
        "A host, the unit of politeness",
        _of(
            "name! | STRING | | host key",
            "nextFetchAt | DATETIME | UTC | earliest time of the next request, or the lease's end",
            "delayS | FLOAT | seconds | between two requests",
            "bestPriority | FLOAT | points | of its waiting pages; none while there are none",
            "leasedBy | STRING | | worker that holds it",
            "token | INTEGER | | fencing token of its lease",
            "failures | INTEGER | requests | failed in a row",
            "parkedUntil | DATETIME | UTC | when it may be asked again after long failure",
        ),
    ),
    Element(
        "Origin",
        "(:Origin)",
        "Scheme, host and port: the unit of robots.txt",
        _of(
            "key! | STRING | | scheme://host:port",
            "status | INTEGER | | HTTP status of its robots.txt; none: no answer",
            "body | STRING | | the rules as sent",
            "fetchedAt | DATETIME | UTC | when they were asked for",
            "expiresAt | DATETIME | UTC | when they are to be asked for again",
        ),
    ),
    Element(
        "Crawl",
        "(:Crawl)",
        "A run of one worker",
        _of(
            "id! | STRING | | of the run",
            "startedAt! | DATETIME | UTC | when it began",
            "finishedAt | DATETIME | UTC | when it ended; none while it runs or if it was killed",
            "stopReason | STRING | | why it ended",
            "settings! | STRING | | as JSON",
            "rulesDigest! | STRING | | of the rules it granted by",
            "order! | STRING | | what the frontier is ordered by",
            "rewardMode! | STRING | | how reward flows",
            "fetched! | INTEGER | pages | recorded with content",
            "redirected! | INTEGER | pages | that redirect",
            "failed! | INTEGER | pages | given up",
            "excluded! | INTEGER | pages | claimed, and not to be fetched",
            "putOff! | INTEGER | times | that a page was to wait again",
            "neurons! | INTEGER | neurons | new ones",
            "axons! | INTEGER | axons | new ones",
            "feeds! | INTEGER | feeds | new job feeds",
            "granted! | FLOAT | points | by rules",
            "paid! | FLOAT | points | for links to job feeds",
            "minted! | FLOAT | points | of newborns",
        ),
    ),
    Element(
        "Meta",
        "(:Meta)",
        "What this database is, one node",
        _of(
            "graph! | STRING | | name of the graph",
            "schemaVersion! | INTEGER | | number of the newest schema file applied",
            "productVersion! | STRING | | version of graphcrawl that applied it",
            "createdAt | DATETIME | UTC | when the graph was made",
            "updatedAt! | DATETIME | UTC | when its schema was last changed",
            "distributions | INTEGER | distributions | of reward so far",
            "distributedAt | DATETIME | UTC | when the last one ended",
            "distributionS | FLOAT | seconds | that it took",
            "distributionAxons | INTEGER | axons | that there were then",
            "rulesDigest | STRING | | of the rules that the whole graph was judged by",
            "rulesName | STRING | | their name",
            "evaluatedAt | DATETIME | UTC | when that was",
        ),
    ),
    Element(
        "WriteGate",
        "(:WriteGate)",
        "A lock between processes: record, claim, jobs or distribute",
        _of(
            "name! | STRING | | what it serialises",
            "token | INTEGER | | of claim: the newest fencing token; of jobs: transactions so far",
            "lockedBy | STRING | | who locked it last",
            "lockedAt | INTEGER | milliseconds since 1970 | when it was locked last",
        ),
    ),
)


def indexes() -> tuple[Index, ...]:
    """Return the indexes that the schema files make, sorted by name."""
    made: dict[str, Index] = {}
    for file in schema.migrations().values():
        for statement in queries.split_statements(queries.load(file).text):
            if match := _INDEX.match(statement):
                kind = {"CONSTRAINT": "unique", "INDEX": "range"}.get(match["made"], "fulltext")
                keys = tuple(_KEY.findall(match["keys"]))
                made[match["name"]] = Index(match["name"], match["label"], keys, kind)
            elif match := re.match(r"DROP\s+(?:CONSTRAINT|INDEX)\s+(\w+)", statement):
                made.pop(match[1], None)
    return tuple(made[name] for name in sorted(made))


def rows() -> Iterator[dict[str, Any]]:
    """Yield the dictionary as flat rows: each element, its labels, its properties, its indexes."""
    found = indexes()
    for element in ELEMENTS:
        yield _row(element, meaning=element.meaning)
        for label, meaning in element.labels:
            yield _row(element, "label", f":{label}", meaning=meaning)
        for p in element.properties:
            row = _row(element, "property", p.name, p.type, p.unit, p.meaning)
            yield row | {"always": p.always}
        for index in found:
            if index.label in (element.name, *(label for label, _ in element.labels)):
                on = f"{index.on} {', '.join(index.properties)}"
                yield _row(element, "index", index.name, index.kind, meaning=on)


def _row(
    element: Element,
    what: str = "",
    name: str = "",
    kind: str = "",
    unit: str = "",
    meaning: str = "",
) -> dict[str, Any]:
    what = what or ("node" if element.is_node else "relationship")
    row = {"element": element.name, "what": what, "name": name or element.pattern, "type": kind}
    return row | {"unit": unit, "always": None, "meaning": meaning}


def markdown() -> str:
    """Return the dictionary as `docs/GRAPH.md` has it."""
    lines = [
        "# The graph: data dictionary",
        "",
        "Written by `graphcrawl db schema --markdown` from",
        "[`graphcrawl/dictionary.py`](../graphcrawl/dictionary.py); edit that file. A test",
        "compares it with a live database. `graphcrawl db schema` prints it, and gives it to",
        "programs with `--json`, `--jsonl` and `--csv`.",
        "",
        "Times are in UTC. A property in **bold** is on every node or relationship of its kind;",
        "the others are there where they have something to say.",
    ]
    for element in ELEMENTS:
        lines += ["", f"## `{element.pattern}`", "", f"{element.meaning}."]
        if element.labels:
            lines += ["", "| further label | says |", "|---|---|"]
            lines += [f"| `:{label}` | {meaning} |" for label, meaning in element.labels]
        if element.properties:
            lines += ["", "| property | type | unit | meaning |", "|---|---|---|---|"]
            lines += [_line(p) for p in element.properties]
    lines += ["", "## Indexes", "", "| index | kind | on |", "|---|---|---|"]
    for index in indexes():
        lines.append(
            f"| `{index.name}` | {index.kind} | `{index.on}` {', '.join(index.properties)} |"
        )
    return "\n".join(lines) + "\n"


def _line(p: Property) -> str:
    name = f"**`{p.name}`**" if p.always else f"`{p.name}`"
    return f"| {name} | {p.type} | {p.unit} | {p.meaning} |"
