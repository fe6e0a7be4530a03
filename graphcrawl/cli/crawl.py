"""`graphcrawl crawl`: seeds in, ranked neurons out."""

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from graphcrawl.cli import complete, output, running, session
from graphcrawl.cli.seed import read_seeds
from graphcrawl.errors import SeedsError, UsageError

MOST_WORKERS = 64
_WHAT, _MANNERS, _LIMITS, _ACCESS = "What to crawl", "Manners", "Limits", "Access"


def crawl(
    context: typer.Context,
    seeds: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SEED…]", help="URLs to start from; - reads them from stdin."),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", "-f", metavar="FILE", help="A file with one URL a line."),
    ] = None,
    scope: Annotated[
        str | None,
        typer.Option(
            metavar="host|domain|any",
            help="How far from the seeds. Default: domain.",
            autocompletion=complete.one_of("host", "domain", "any"),
            rich_help_panel=_WHAT,
        ),
    ] = None,
    include: Annotated[
        list[str] | None,
        typer.Option(
            metavar="REGEX", help="Only URLs that match (one of these).", rich_help_panel=_WHAT
        ),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(metavar="REGEX", help="No URLs that match.", rich_help_panel=_WHAT),
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="What earns reward. Default: jobs.",
            autocompletion=complete.rules,
            rich_help_panel=_WHAT,
        ),
    ] = None,
    topic: Annotated[
        list[str] | None,
        typer.Option(
            metavar="EXAMPLE",
            help="A URL, file or folder of pages such as those to find.",
            rich_help_panel=_WHAT,
        ),
    ] = None,
    measure: Annotated[
        str | None,
        typer.Option(
            metavar="cosine|dice",
            help="How pages are compared with the examples. Default: cosine.",
            autocompletion=complete.one_of("cosine", "dice"),
            rich_help_panel=_WHAT,
        ),
    ] = None,
    keyword: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WORD[=WEIGHT]",
            help="A word or phrase that speaks for a page.",
            rich_help_panel=_WHAT,
        ),
    ] = None,
    mode: Annotated[
        str | None,
        typer.Option(
            metavar="neural|steady",
            help="How reward flows, fixed at a graph's first crawl. Default: neural.",
            autocompletion=complete.one_of("neural", "steady"),
            rich_help_panel=_WHAT,
        ),
    ] = None,
    text: Annotated[
        str | None,
        typer.Option(
            metavar="useful|all|none",
            help="Whose main text is kept. Default: useful pages'.",
            autocompletion=complete.one_of("useful", "all", "none"),
            rich_help_panel=_WHAT,
        ),
    ] = None,
    order: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Which page comes next: composite, reward, quality, topic, bfs, dfs, random, opic "
            "or pagerank. Default: reward.",
            autocompletion=complete.order,
            rich_help_panel=_WHAT,
        ),
    ] = None,
    max_pages: Annotated[
        int | None,
        typer.Option(help="Pages a run; 0: no limit. Default: 1000.", rich_help_panel=_LIMITS),
    ] = None,
    max_time: Annotated[
        str | None,
        typer.Option(
            metavar="TIME", help="Such as 90s, 10m, 2h. Default: none.", rich_help_panel=_LIMITS
        ),
    ] = None,
    max_depth: Annotated[
        int | None, typer.Option(help="Links from a seed. Default: none.", rich_help_panel=_LIMITS)
    ] = None,
    concurrency: Annotated[
        int | None,
        typer.Option(help="Requests in flight, all hosts. Default: 16.", rich_help_panel=_LIMITS),
    ] = None,
    per_host: Annotated[
        int | None,
        typer.Option(
            help="Requests in flight, one host; more than 1 for your own sites only. Default: 1.",
            rich_help_panel=_MANNERS,
        ),
    ] = None,
    delay: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Between two requests to a host. Default: 1s.",
            rich_help_panel=_MANNERS,
        ),
    ] = None,
    max_pages_per_host: Annotated[
        int | None,
        typer.Option(
            help="Pages of one host, over all runs. Default: no limit.", rich_help_panel=_LIMITS
        ),
    ] = None,
    max_rate: Annotated[
        float | None,
        typer.Option(
            metavar="NUMBER",
            help="Requests a second, all hosts. Default: no limit.",
            rich_help_panel=_LIMITS,
        ),
    ] = None,
    max_bandwidth: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="A second, such as 500KiB, all hosts. Default: no limit.",
            rich_help_panel=_LIMITS,
        ),
    ] = None,
    contact: Annotated[
        str | None,
        typer.Option(
            metavar="URL|MAIL",
            help="Who runs this crawl; public hosts are told.",
            rich_help_panel=_MANNERS,
        ),
    ] = None,
    resolve: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HOST:PORT:ADDRESS",
            help="Connect to this address for that host; * for any host.",
            rich_help_panel=_MANNERS,
        ),
    ] = None,
    allow_private: Annotated[
        bool | None,
        typer.Option(
            "--allow-private",
            help="Fetch from private and loopback addresses too (not cloud metadata).",
            rich_help_panel=_MANNERS,
        ),
    ] = None,
    proxy: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="http://, socks5:// or socks5h://HOST:PORT. Default: the environment's.",
            rich_help_panel=_ACCESS,
        ),
    ] = None,
    cookies: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Cookies to send, as cookies.txt.", rich_help_panel=_ACCESS
        ),
    ] = None,
    header: Annotated[
        list[str] | None,
        typer.Option(
            metavar="'NAME: VALUE'", help="A header for every host.", rich_help_panel=_ACCESS
        ),
    ] = None,
    user_agent: Annotated[
        str | None,
        typer.Option(
            metavar="NAME/VERSION",
            help="In place of graphcrawl's; robots.txt is asked for NAME.",
            rich_help_panel=_ACCESS,
        ),
    ] = None,
    workers: Annotated[
        int,
        typer.Option(
            min=1,
            max=MOST_WORKERS,
            help="Processes that crawl together, this one included; --concurrency is for each, "
            "--max-pages, --max-rate and --max-bandwidth for all.",
            rich_help_panel=_LIMITS,
        ),
    ] = 1,
    prune: Annotated[
        bool,
        typer.Option("--prune", help="Prune poor pages meanwhile.", rich_help_panel=_LIMITS),
    ] = False,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch",
            help="Go on when nothing is left: read job feeds again when they are due, take new "
            "seeds; best with --max-pages 0.",
            rich_help_panel=_LIMITS,
        ),
    ] = False,
    read_feeds: Annotated[
        bool,
        typer.Option(
            "--read-feeds",
            help="Begin with reading all known job feeds again, due or not.",
            rich_help_panel=_LIMITS,
        ),
    ] = False,
    out: output.PageLogFlag = None,
    metrics: output.MetricsFlag = None,
    as_json: output.JsonFlag = False,
) -> None:
    """Crawl from seeds, best pages first; without seeds, go on where the last run stopped.

    Examples:
        graphcrawl crawl https://example.org/ --contact me@example.org
        graphcrawl crawl --max-pages 500
        graphcrawl crawl --watch --max-pages 0 --metrics 9464
        graphcrawl crawl --workers 4 --max-pages 10000
    """
    of = session.Session.of(context)
    given: dict[str, Any] = {
        "contact": contact,
        "topic": {"examples": tuple(topic) if topic else None, "measure": measure},
        "order": {
            "keywords": dict(map(_weighted, keyword)) if keyword else None,
            "by": order or ("composite" if topic or keyword else None),
        },
        "reward": {"mode": mode},
        "crawl": {
            "max_pages": max_pages,
            "max_time": max_time,
            "max_depth": max_depth,
            "scope": scope,
            "include": tuple(include) if include else None,
            "exclude": tuple(exclude) if exclude else None,
            "concurrency": concurrency,
            "per_host": per_host,
            "delay": delay,
            "text": text,
            "rules": rules,
            "resolve": tuple(resolve) if resolve else None,
            "allow_private": allow_private,
            "max_pages_per_host": max_pages_per_host,
            "max_rate": max_rate,
            "max_bandwidth": max_bandwidth,
            "proxy": proxy,
            "cookies": cookies,
            "headers": tuple(header) if header else None,
            "user_agent": user_agent,
        },
    }
    settings = of.settings(**given)
    from graphcrawl.crawl import pagelog
    from graphcrawl.crawl.fetching import fetch_settings
    from graphcrawl.crawl.inputs import Inputs
    from graphcrawl.last_run import says_order

    found = read_seeds(seeds or [], file, "graphcrawl crawl -")
    for complaint in found.complaints:
        output.note(complaint)
    if not found.urls and (seeds or file):
        raise SeedsError(
            "None of the seeds is a URL that can be crawled.",
            "Write them as https://example.org/",
        )
    if not found.urls:
        session.require_graph(settings)
    inputs = Inputs.check(settings, found.urls, goes_on=not says_order(given))
    if out:
        pagelog.check(out)
    fetch_settings(settings)  # what cannot be used is told before a server is started
    more = ["--prune"] * prune + ["--watch"] * watch + [f"--workers {workers}"] * (workers > 1)
    how = running.How(
        out=out, metrics=metrics, prune=prune, watch=watch, read_feeds=read_feeds, workers=workers
    )
    running.crawl_and_tell(of, inputs, how, "crawl", more, as_json=as_json)


def _weighted(text: str) -> tuple[str, float]:
    """Read `WORD[=WEIGHT]`."""
    from graphcrawl.scoring.words import words_of

    word, _, weight = text.rpartition("=") if "=" in text else (text, "", "1")
    try:
        number = float(weight)
    except ValueError:
        number = math.nan
    if not words_of(word) or not math.isfinite(number):
        raise UsageError(
            f"The keyword {text!r} is no WORD or WORD=WEIGHT.",
            "Write --keyword python --keyword 'data scientist=1.5'",
        )
    return word.strip(), number
