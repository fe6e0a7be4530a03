"""A worker that joins: it goes by what the graph's crawl goes by, wherever it runs."""

import json
from typing import Any

from pydantic import TypeAdapter, ValidationError

from graphcrawl import tracking
from graphcrawl.config import HostSettings, Settings
from graphcrawl.crawl.examples import kept_examples
from graphcrawl.crawl.inputs import Inputs
from graphcrawl.crawl.noting import JUDGES, PROXY_IS_SET
from graphcrawl.errors import UsageError
from graphcrawl.graph import Graph
from graphcrawl.setting_values import HostName

# What belongs to this machine, or to this worker alone; all else is the crawl's.
_OWN = {"concurrency", "max_pages", "max_time", "parsers"}
_OWN |= {"per_address", "max_rate", "max_bandwidth", "proxy", "cookies", "headers"}
_SECTIONS = ("reward", "order", "quality", "topic", "prune", "own_hosts")  # of the crawl
_HOSTS = TypeAdapter(dict[HostName, HostSettings])


async def joined(graph: Graph, own: Settings) -> Inputs:
    """Return what the last crawl of a graph went by, with this worker's own limits and access.

    A crawl that is alive goes before one that has ended.

    Args:
        graph: An open graph.
        own: Settings here, for what is this worker's own.

    Raises:
        UsageError: Nothing was crawled there yet, another version's settings cannot be read, the
            rules here are others, a program judges its pages, or headers that it sends or its
            proxy are not set here.
    """
    rows = await graph.run("control/wishes")
    if not rows:
        raise UsageError(
            f"Nobody has crawled the graph {own.graph!r} yet, so there is nothing to go on with.",
            own.command("crawl URL"),
        )
    kept = _read(own, rows[0]["settings"])
    if JUDGES in kept:
        raise UsageError(
            "The crawl judges pages by a function of a program, which only that program has.",
            f"End it, and crawl by rules: {own.command('stop --wait')}",
        )
    settings = _merged(own, kept)
    tracking.use(settings.crawl.tracking)
    inputs = Inputs.check(settings, (), examples=await kept_examples(graph, settings))
    if inputs.rules.digest != rows[0]["rulesDigest"]:
        raise UsageError(
            f"The rules {settings.crawl.rules!r} here are not those that the crawl goes by.",
            "Copy its rules and graphcrawl's version to this machine.",
        )
    return inputs


def _read(own: Settings, text: str) -> dict[str, Any]:
    try:
        kept = dict(json.loads(text))
        kept["order"] = {k: v for k, v in kept["order"].items() if k != "words"}
        if not {"crawl", "hosts", *_SECTIONS} <= kept.keys():
            raise ValueError
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _unreadable(own) from error
    return kept


def _merged(own: Settings, kept: dict[str, Any]) -> Settings:
    crawl = kept["crawl"]
    missing = [
        name
        for name in crawl.get("headers", ())
        if name.lower() not in {h.partition(":")[0].strip().lower() for h in own.crawl.headers}
    ]
    if missing:
        raise UsageError(
            f"The crawl sends the header {missing[0]}, which is not kept in the graph.",
            "Set it here too: headers below [crawl].",
        )
    if crawl.get("proxy") == PROXY_IS_SET and own.crawl.proxy is None:
        raise UsageError(
            "The crawl goes through a proxy, whose address is not kept in the graph.",
            "Set one here: proxy below [crawl], or none to ask directly.",
        )
    mine = own.crawl.model_dump()
    values = kept | {"crawl": crawl | {name: mine[name] for name in _OWN}}
    try:  # by section: what files and variables say here is not the crawl's
        parts = {n: type(getattr(own, n)).model_validate(values[n]) for n in ("crawl", *_SECTIONS)}
        hosts = _HOSTS.validate_python(kept["hosts"])
    except ValidationError as error:
        raise _unreadable(own) from error
    contact = own.contact or kept.get("contact")
    return own.model_copy(update={**parts, "hosts": hosts, "contact": contact})


def _unreadable(own: Settings) -> UsageError:
    return UsageError(
        "The settings of the last crawl cannot be read: they are another version's.",
        own.command("crawl"),
    )
