"""What people see of a crawl: how it begins, how it goes, how it ended."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from graphcrawl.cli import output, words

if TYPE_CHECKING:
    from graphcrawl.config import Settings
    from graphcrawl.crawl import Stats
    from graphcrawl.crawl.inputs import Inputs, Start
    from graphcrawl.look import Status

_TEXTS = {"useful": "text of useful pages", "all": "text of all pages", "none": "no text"}
LINE_EVERY_S = 10.0  # where stderr is no terminal
_REFRESH_S = 0.5
_ENOUGH_PAGES = 10  # to judge rules by


@contextmanager
def watching(*, quiet: bool) -> Iterator[Callable[["Inputs", "Start"], None]]:
    """Show a crawl on stderr from its start to the end of the block.

    Yields:
        A function to call once with how the run begins.
    """
    import asyncio

    tasks: list[asyncio.Task[None]] = []

    def begin(inputs: "Inputs", start: "Start") -> None:
        for line in opening(inputs, start):
            output.note(line)
        tasks.append(asyncio.create_task(_show(start.crawl.stats)))

    try:
        yield (lambda *_: None) if quiet else begin
    finally:
        for task in tasks:
            task.cancel()


def opening(inputs: "Inputs", start: "Start") -> list[str]:
    """Say what the run will do, defaults included."""
    crawl = inputs.settings.crawl
    limits = [_plural(crawl.max_pages, "page") if crawl.max_pages else "no page limit"]
    if crawl.max_time is not None:
        limits.append(words.duration(crawl.max_time))
    limits.append("no depth limit" if crawl.max_depth is None else f"depth {crawl.max_depth}")
    others = _other_rules(inputs, start)
    verb = "Going on with" if start.resumed and not start.new_seeds else "Crawling"
    return [
        f"{verb} graph {inputs.settings.graph!r}: {_plural(start.seeds, 'seed')}, "
        f"{start.waiting:,} waiting, rules {words.printable(crawl.rules)}, scope {crawl.scope}",
        f"Limits: {', '.join(limits)}; {crawl.delay:g} s between requests to a host, "
        f"{crawl.per_host} at once, {crawl.concurrency} in all; {_TEXTS[crawl.text]}",
        *(_own_pace(name, inputs.settings) for name in inputs.settings.hosts),
        *_own_hosts(inputs.settings),
        *others,
        *([words.forgotten(start.forgotten)] if start.forgotten else []),
    ]


def _other_rules(inputs: "Inputs", start: "Start") -> list[str]:
    """Warn that pages were paid by other rules, and say how to judge them again."""
    if start.other_rules is None:
        return []
    rules = inputs.settings.crawl.rules
    other = words.printable(start.other_rules.name)
    changed = f"rules {other!r}" if other != rules else f"rules {other!r} as they were"
    again = inputs.settings.command(f"evaluate --rules {shlex.quote(rules)}")
    return [
        f"Warning: pages fetched before earned by the {changed}, those to come earn by "
        f"{inputs.rules.name!r}.",
        f"Judge all by these: {again}",
    ]


def _own_hosts(settings: "Settings") -> list[str]:
    hosts = settings.own_hosts.ignore_robots
    return [f"robots.txt is not asked for on hosts of your own: {', '.join(hosts)}"] * bool(hosts)


def _own_pace(name: str, settings: "Settings") -> str:
    own, crawl = settings.hosts[name], settings.crawl
    delay_s = crawl.delay if own.delay is None else own.delay
    return f"{name}: {delay_s:g} s between requests, {own.per_host or crawl.per_host} at once"


async def _show(stats: "Stats") -> None:
    import asyncio

    if not output.stderr_is_terminal():
        while True:
            await asyncio.sleep(LINE_EVERY_S)
            output.note(progress_line(stats.total), **progress_numbers(stats.total))
    from rich.live import Live

    with Live(console=output.console(stderr=True), transient=True, auto_refresh=False) as live:
        while True:
            live.update(_panel(stats.total), refresh=True)
            await asyncio.sleep(_REFRESH_S)


def progress_line(stats: "Stats") -> str:
    """Return the state of a run in one line."""
    return (
        f"{stats.pages:,} pages, {stats.pages_per_s:.1f}/s, frontier {stats.waiting:,}, "
        f"reward {words.points(stats.reward)}, {_plural(stats.feeds, 'feed')}, "
        f"{_plural(stats.jobs, 'job')}, "
        f"{_plural(stats.failures.total(), 'error')} · limited by {stats.limit}"
    )


def progress_numbers(stats: "Stats") -> dict[str, Any]:
    """Return the state of a run as numbers, for `--log-json`."""
    return {
        "pages": stats.pages,
        "pages_per_s": round(stats.pages_per_s, 2),
        "frontier": stats.waiting,
        "reward_granted": stats.reward,
        "feeds_found": stats.feeds,
        "jobs_read": stats.jobs,
        "failures": stats.failures.total(),
        "cause": stats.limit.cause,
    }


def _panel(stats: "Stats") -> RenderableType:
    first, _, second = progress_line(stats).partition(" · ")
    return Group(Text(first), Text(second, style="dim"))


def summary(stats: "Stats", status: "Status") -> dict[str, Any]:
    """Return the JSON document of a run.

    Keys: `pages_fetched` counts requests for pages, `pages` those recorded with content.
    """
    return {
        "pages_fetched": stats.requests,  # requests for pages
        "pages": stats.pages,  # recorded with content
        "redirects": stats.redirects,
        "failures": dict(stats.failures.most_common()),  # reason → pages
        "seconds": round(stats.seconds, 3),
        "pages_per_s": round(stats.pages_per_s, 2),
        "bytes": stats.bytes,  # of bodies
        "new_neurons": stats.neurons,
        "new_axons": stats.axons,
        "refused_links": dict(
            stats.refused_links.most_common()
        ),  # why → links that became no axons
        "reward_granted": stats.reward,
        "pages_earning": stats.earning,  # pages that a rule paid for
        "slow_rules": dict(stats.slow_rules.most_common()),  # rule that ran out of time → pages
        "feeds_found": stats.feeds,  # job feeds, in this run
        "jobs_read": stats.jobs,
        "jobs_new": stats.new_jobs,
        "jobs_changed": stats.changed_jobs,
        "jobs_gone": stats.gone_jobs,
        "beside_s": {
            name: round(seconds, 3) for name, seconds in stats.beside_s.items()
        },  # work beside the crawl → seconds
        "limited_s": dict(stats.limited.most_common()),  # cause → seconds
        "retries": stats.retries,  # transactions that were repeated
        "neurons": status.counts.neurons,  # in the graph now, as the four below
        "axons": status.counts.axons,
        "frontier": status.counts.frontier,  # pages that wait
        "feeds": status.counts.feeds,
        "reward_total": status.rewards.total,
        "stop_reason": stats.stop_reason,  # done, pages, time, hosts, interrupted …
        "next_due_s": stats.next_due_s,  # until the next host may be asked; null: no wait
    }


def result(stats: "Stats", document: dict[str, Any]) -> RenderableType:
    """Return the table at the end of a run."""
    failures = ", ".join(f"{reason} {number:,}" for reason, number in stats.failures.most_common(6))
    return output.pairs(
        {
            "pages": f"{stats.pages:,} in {words.duration(stats.seconds)} "
            f"({stats.pages_per_s:.1f}/s, {words.size(stats.bytes)})",
            "redirects": words.count(stats.redirects),
            "errors": f"{stats.failures.total():,}" + (f" ({failures})" if failures else ""),
            "reward granted": words.points(stats.reward),
            "job feeds found": words.count(stats.feeds),
            "jobs": f"{stats.jobs:,} read: {stats.new_jobs:,} new, {stats.changed_jobs:,} changed, "
            f"{stats.gone_jobs:,} gone",
            "new neurons": words.count(stats.neurons),
            "new axons": words.count(stats.axons),
            "graph": f"{document['neurons']:,} neurons, {document['axons']:,} axons, "
            f"reward {words.points(document['reward_total'])}",
            "still waiting": words.count(document["frontier"]),
        }
    )


def judgement(stats: "Stats", inputs: "Inputs") -> list[str]:
    """Say what is odd about the rules: they pay for nothing, for everything, or take too long."""
    lines = []
    name = repr(words.printable(inputs.rules.name))
    by_rules = not (inputs.settings.topic.examples or inputs.settings.order.keywords)
    if by_rules and stats.pages >= _ENOUGH_PAGES and stats.earning in (0, stats.pages):
        lines.append(
            f"The rules {name} paid for {'every' if stats.earning else 'none'} of these pages, so "
            "they tell none from another."
        )
    if stats.slow_rules:
        pages = ", ".join(f"{rule} ({n:,})" for rule, n in stats.slow_rules.most_common(8))
        lines.append(f"Ran out of time, and earned nothing there: {words.printable(pages)}")
    if lines:
        again = inputs.settings.command("evaluate --rules FILE")
        lines.append(f"Mend the rules, then judge these pages again: {again}")
    return lines


def farewell(
    stats: "Stats",
    settings: "Settings",
    plain: "Settings",
    more: Sequence[str] = (),
    *,
    waiting: int = 0,
    command: str = "crawl",
) -> str:
    """Say why the run ended and what to type next.

    Args:
        stats: Of the run.
        settings: Those it went by.
        plain: Those that hold where no flag is typed.
        more: Flags that were typed and are no settings.
        waiting: Pages in the frontier at the end.
        command: Which one ends.
    """
    resume = " ".join([settings.command(command), *_flags(settings, plain), *more])
    match stats.stop_reason:
        case "done" if waiting:
            return (
                f"Nothing else may be fetched: {_plural(waiting, 'page')} left, at blocked hosts. "
                f"See why: {settings.command('hosts')}"
            )
        case "done":
            return f"Nothing is left to fetch. Look at it: {settings.command('pages')}"
        case "pages":
            return f"Stopped at the limit of pages. Go on: {resume}"
        case "time":
            return f"Stopped at the limit of time. Go on: {resume}"
        case "hosts":
            wait = words.duration(stats.next_due_s or 0)
            return (
                f"All hosts with waiting pages want a pause of {wait} or more. Go on then: {resume}"
            )
        case _:
            return f"Stopped; nothing is lost. Go on: {resume}"


def _flags(settings: "Settings", plain: "Settings") -> list[str]:
    """Return the flags that make `settings` of `plain`, quoted for a shell."""
    given: dict[str, tuple[Any, Any]] = {"contact": (settings.contact, plain.contact)}
    typed, usual = settings.crawl.model_dump(), plain.crawl.model_dump()
    given |= {name: (typed[name], usual[name]) for name in typed}
    given |= {
        "topic": (settings.topic.examples, plain.topic.examples),
        "measure": (settings.topic.measure, plain.topic.measure),
        "keyword": (_weighted(settings), _weighted(plain)),
    }
    told = settings.topic.examples or settings.order.keywords  # then composite goes without saying
    if not (told and settings.order.by == "composite"):
        given["order"] = (settings.order.by, plain.order.by)
    words: list[str] = []
    for name, (value, usually) in given.items():
        flag = "--header" if name == "headers" else "--" + name.replace("_", "-")
        if value == usually or value is None:
            continue
        if isinstance(value, bool):  # each of these is off unless typed
            words.append(flag)
        else:
            many = value if isinstance(value, tuple) else (value,)
            words += [f"{flag} {shlex.quote(_typed(name, one))}" for one in many]
    return words


def _weighted(settings: "Settings") -> tuple[str, ...]:
    return tuple(f"{word}={weight:g}" for word, weight in settings.order.keywords.items())


def _typed(name: str, value: object) -> str:
    """Return a value as it is typed; a word stands where a secret has to be typed again."""
    if isinstance(value, float):
        return f"{value:g}"
    text = str(value)
    if name == "headers":
        return f"{text.partition(':')[0]}: VALUE"
    if name == "proxy" and "@" in text:
        access, _, place = text.rpartition("@")
        scheme, slashes, user = access.rpartition("://")
        return f"{scheme}{slashes}{user.partition(':')[0]}:PASSWORD@{place}"
    return text


def _plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
