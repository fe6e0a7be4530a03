"""What the last run of a graph went by: its order, its topic, its keywords."""

import json
import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_settings import EnvSettingsSource

from graphcrawl.config import PROJECT_FILE, OrderSettings, Settings, TopicSettings, user_file
from graphcrawl.errors import UsageError
from graphcrawl.graph import Graph
from graphcrawl.sources import layer_of, read_layers

logger = logging.getLogger(__name__)

_WORDS = "words"  # in the kept order: the keywords that it went by, the rules' words included


@dataclass(frozen=True, slots=True)
class LastRun:
    """The wishes of the run that was started last; without one, the defaults."""

    order: OrderSettings = field(default_factory=OrderSettings)
    topic: TopicSettings = field(default_factory=TopicSettings)
    words: Mapping[str, float] = field(default_factory=dict)  # see `RunOrder.words`
    is_alive: bool = False  # it told of itself within the last seconds


async def last_run(graph: Graph) -> LastRun | None:
    """Return what the run that is alive, else the last one, went by; None: an older version's."""
    rows = await graph.run("order/last")
    kept: Any = None
    with suppress(ValueError, TypeError):
        kept = json.loads(rows[0]["settings"]) if rows else None
    if not isinstance(kept, dict) or not {"order", "topic"} <= kept.keys():
        return None
    try:
        order = dict(kept["order"])
        words = order.pop(_WORDS, order.get("keywords") or {})
        topic, is_alive = TopicSettings(**kept["topic"]), bool(rows[0]["alive"])
        return LastRun(OrderSettings(**order), topic, dict(words), is_alive)
    except (ValidationError, TypeError, ValueError):
        logger.debug("The settings of the last run cannot be read.")
        return None


def kept_wishes(settings: Settings, words: Mapping[str, float]) -> dict[str, Any]:
    """Return order and topic as a run keeps them, so that any other can go on with them.

    Args:
        settings: Of the run.
        words: The keywords that its order goes by.
    """
    order = settings.order.model_dump(mode="json") | {_WORDS: dict(words)}
    return {
        "order": order,
        "topic": settings.topic.model_dump(mode="json") | {"examples": example_names(settings)},
    }


def has_goal(last: LastRun | None, settings: Settings) -> bool:
    """Tell whether a run judges pages by the topic and the keywords of the one before it."""
    if last is None:
        return not (settings.topic.examples or settings.order.keywords)
    kept = (list(last.topic.examples), last.topic.measure, last.order.keywords)
    return kept == (example_names(settings), settings.topic.measure, settings.order.keywords)


def with_words(settings: Settings, last: LastRun | None) -> Settings:
    """Return settings with the weights, lots and keywords that the last run's order went by."""
    if last is None:
        return settings
    order = last.order.model_copy(update={"keywords": dict(last.words)})
    return settings.model_copy(update={"order": order})


def example_names(settings: Settings) -> list[str]:
    """Return the examples of a topic as a run keeps their names: files by their whole path."""
    return [
        name if "://" in name else str(Path(name).expanduser().resolve())
        for name in settings.topic.examples
    ]


def says_order(given: Mapping[str, Any]) -> bool:
    """Tell whether flags, environment or a file say by what pages are to be ordered.

    Args:
        given: The flags that were typed, as for `load_settings`.
    """
    layers = read_layers(given, EnvSettingsSource(Settings)(), PROJECT_FILE, user_file())
    paths = (("order", "by"), ("order", "keywords"), ("topic", "examples"))
    return any(layer_of(path, layers) for path in paths)


def as_last_run(last: LastRun | None, settings: Settings) -> Settings:
    """Return settings with the order, the topic and the keywords of the last run."""
    if last is None or (last.order, last.topic) == (settings.order, settings.topic):
        return settings
    of_topic = f", topic {', '.join(last.topic.examples)[:200]}" if last.topic.examples else ""
    logger.warning(
        "Going on as the last run did: order %s%s. Other wishes: --order, --topic, --keyword.",
        last.order.by,
        of_topic,
    )
    return settings.model_copy(update={"order": last.order, "topic": last.topic})


def require_same(last: LastRun | None, settings: Settings) -> None:
    """Refuse another order or topic than that of a crawl that runs: pages wait by one at a time.

    Args:
        last: What `last_run` returned; None: no crawl.
        settings: Of the run that is to begin beside it.

    Raises:
        UsageError: They differ.
    """
    if last is None or not last.is_alive:
        return
    if last.order.by == settings.order.by and has_goal(last, settings):
        return
    by = "topic" if last.order.by == settings.order.by else f"order {last.order.by}"
    raise UsageError(
        f"A crawl of the graph {settings.graph!r} runs already, by its own {by}.",
        "Leave --order, --topic and --keyword out to go on by that; or end it first: "
        f"{settings.command('stop --wait')}",
    )
