"""The columns of exported tables: names, kinds and meanings, the same in all forms."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any


class What(StrEnum):
    """What can be exported."""

    PAGES = "pages"
    AXONS = "axons"
    HOSTS = "hosts"
    TEXTS = "texts"
    GRAPH = "graph"


class Kind(StrEnum):
    """What a column holds."""

    TEXT = "text"
    COUNT = "whole number"
    NUMBER = "number"
    FLAG = "true or false"
    TIME = "time in UTC"
    TEXTS = "list of texts"


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    name: str
    kind: Kind
    meaning: str


def _of(*lines: str) -> tuple[Column, ...]:
    kinds = {
        "": Kind.TEXT,
        "#": Kind.COUNT,
        ".": Kind.NUMBER,
        "?": Kind.FLAG,
        "@": Kind.TIME,
        "*": Kind.TEXTS,
    }
    columns = []
    for line in lines:
        name, _, meaning = line.partition(" ")
        bare = name.rstrip("#.?@*")
        columns.append(Column(bare, kinds[name[len(bare) :]], meaning))
    return tuple(columns)


TABLES: Mapping[What, tuple[Column, ...]] = {
    What.PAGES: _of(
        "id hash of the URL in 63 bits, in decimal digits; never reused",
        "url canonical URL",
        "host name, and port where it is not the scheme's own",
        "state frontier, leased, fetched, failed, excluded or pruned",
        "reason why it failed or was left out, in one word",
        "error the same in a sentence",
        "title of the page",
        "language primary subtag, such as de",
        "status# HTTP status of the last answer",
        "content_type media type",
        "bytes# size of the body",
        "depth# links from a seed",
        "reward. neural reward, points",
        "base_reward. sum of its grants, points",
        "worth. what it turned out to be worth, 0 to 1",
        "priority. place in the frontier",
        "in_links# pages that link to it",
        "out_links# pages that it linked to when it was read",
        "strength. weight of all its axons",
        "grants* what paid for it: points, rule, place",
        "wishes* of its owner, such as noindex",
        "reserved? its owner reserves data mining or AI training",
        "seed? a crawl started here",
        "feed? it is a job feed",
        "alias_of URL of the page that stands for it",
        "digest hash of the body, hexadecimal",
        "discovered_at@ when it was first named",
        "fetched_at@ when the last answer was complete",
    ),
    What.AXONS: _of(
        "source_id id of the page that links",
        "target_id id of the page that is linked to",
        "source its URL",
        "target its URL",
        "weight. what the axon conducts; 1 for an ordinary link",
        "links# how many the page has to that target",
        "anchor text of the first",
        "anchors* texts of up to four more that differ",
        "rel of the link",
        "position region of the page: head, body, nav, header, footer, aside",
        "first_seen_at@ when the page was first seen with it",
        "last_seen_at@ when the page was last seen with it",
    ),
    What.HOSTS: _of(
        "host name, and port where it is not the scheme's own",
        "pages# that are known, without tombstones",
        "fetched# whose content is known",
        "waiting# in the frontier",
        "failed# given up",
        "feeds# job feeds",
        "reward. of its pages, points",
        "base_reward. granted to its pages, points",
        "requests# for pages that were not known, over all runs",
        "delay_s. between two requests, seconds",
        "latency_s. that it takes to answer, smoothed, seconds",
        "failures# in a row",
        "refusals# 429 and 503 that it is not forgiven yet",
        "trouble what was wrong with its last answer",
        "best_priority. of its waiting pages",
        "next_fetch_at@ earliest time of the next request",
        "parked_until@ when it may be asked again after long failure",
        "blocked_at@ since when it is not to be asked, by hand",
        "block_reason why, as typed",
    ),
    What.TEXTS: _of(
        "id hash of the URL in 63 bits, in decimal digits; never reused",
        "url canonical URL",
        "title of the page",
        "language primary subtag, such as de",
        "date@ when the page was fetched",
        "score. what the page was worth to its crawl, 0 to 1",
        "text main text, without boilerplate",
        "digest SHA-256 of the text in UTF-8, hexadecimal",
    ),
}


def iso(milliseconds: int | None) -> str | None:
    """Write a time, milliseconds since 1970, as ISO 8601 in UTC with `Z`."""
    if milliseconds is None:
        return None
    text = datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds")
    return text[:-6] + "Z"


def told(columns: tuple[Column, ...], row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row as JSON has it: in the order of the columns, times as text."""
    return {
        column.name: iso(row[column.name]) if column.kind is Kind.TIME else row[column.name]
        for column in columns
    }
