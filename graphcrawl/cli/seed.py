"""`graphcrawl seed`: pages to start from, also while a crawl runs."""

import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphcrawl.cli import output, session, words
from graphcrawl.cli.output import CsvFlag, Format, JsonFlag, JsonlFlag
from graphcrawl.cli.session import Session
from graphcrawl.errors import SeedsError, UsageError

if TYPE_CHECKING:
    from graphcrawl.config import Settings
    from graphcrawl.frontier import SeedReport
    from graphcrawl.seeds import SeedList


def seed(
    context: typer.Context,
    seeds: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[URL…]",
            help="Pages, feeds or sitemaps to start from; - reads them from stdin.",
        ),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", "-f", metavar="FILE", help="A file with one URL a line."),
    ] = None,
    reward: Annotated[
        float | None,
        typer.Option(
            min=0,
            help="Reward that a new seed starts with. Default: 100. The pages of a sitemap share "
            "a tenth of it: give a large one more.",
        ),
    ] = None,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """Add seeds to the graph without crawling; a crawl that runs picks them up.

    Their hosts come into the scope of every crawl of this graph, of the one that runs too.
    What is a seed already keeps its reward.

    Examples:
        graphcrawl seed https://example.org/sitemap.xml
        graphcrawl seed -f seeds.txt --reward 500
    """
    form = Format.chosen(as_json, as_jsonl, as_csv)
    here = Session.of(context)
    if reward is not None and not math.isfinite(reward):
        raise UsageError(f"A seed cannot start with a reward of {reward}.", "Add --reward 100")
    settings = here.settings(reward={"seed": reward})
    if not seeds and file is None:
        raise SeedsError("There is no seed to add.", settings.command("seed https://example.org/"))
    found = read_seeds(seeds or [], file, "graphcrawl seed -")
    for complaint in found.complaints:
        output.note(complaint)
    if not found.urls:
        raise SeedsError(
            "None of the seeds is a URL that can be crawled.",
            "Write them as https://example.org/",
        )
    _require_contact(settings, found.urls)
    report = session.run(_add(settings, found.urls, quiet=here.quiet))
    document = {
        "graph": settings.graph,
        "seeds": len(found.urls),  # URLs that were given
        "new": report.new,  # of these: not in the graph before as seeds
        "known": report.known,  # were seeds before
        "waiting": report.waiting,  # of the seeds: wait to be fetched
        "refused": len(found.complaints),  # lines that are no URL to crawl
        "forgotten": report.forgotten,  # were forgotten on request, and stay out
    }
    output.emit_document(document, form)
    if not here.quiet:
        for line in what_becomes(report, len(found.urls), settings):
            output.note(line)


def what_becomes(report: "SeedReport", seeds: int, settings: "Settings") -> Iterator[str]:
    """Say what happens to the seeds, as far as they are different."""
    if report.forgotten:
        yield words.forgotten(report.forgotten)
    if report.waiting:
        yield f"A crawl that runs picks them up; else: {settings.command('crawl')}"
    elif report.forgotten < seeds:
        yield (
            "None of them waits: they were fetched before. To read job feeds again: "
            + settings.command("crawl --read-feeds")
        )


def _require_contact(settings: "Settings", urls: tuple[str, ...]) -> None:
    """Refuse public seeds that a crawl by the same settings would refuse to fetch.

    Raises:
        ContactError: There are public hosts among them, and no contact.
    """
    from graphcrawl.crawl.manners import require_contact
    from graphcrawl.resolve import parse_resolve

    require_contact(
        urls,
        settings.contact,
        [parse_resolve(text) for text in settings.crawl.resolve],
        'Write contact = "you@example.org" into graphcrawl.toml, or set GRAPHCRAWL_CONTACT.',
    )


async def _add(settings: "Settings", urls: tuple[str, ...], *, quiet: bool) -> "SeedReport":
    from graphcrawl import rewards
    from graphcrawl.frontier import add_seeds

    async with session.open_graph(settings, quiet=quiet, create=True) as graph:
        share = await rewards.grant_share(graph, settings.reward.damping)
        return await add_seeds(graph, urls, settings.reward.seed, share)


def read_seeds(arguments: list[str], file: Path | None, from_pipe: str) -> "SeedList":
    """Read seeds from the command line, a file and, where a word is `-`, standard input.

    Args:
        arguments: Words that were typed.
        file: What `--file` names.
        from_pipe: The command that reads standard input, for the hint.

    Raises:
        UsageError: Standard input is a terminal.
        SeedsError: The file or standard input cannot be used.
    """
    from graphcrawl import seeds

    typed = [word for word in arguments if word != "-"]
    found = seeds.from_arguments(typed)
    if file is not None:
        found += seeds.from_file(file)
    if "-" in arguments:
        if sys.stdin.isatty():
            raise UsageError("There is nothing on standard input.", f"cat urls | {from_pipe}")
        found += seeds.from_stream(sys.stdin.buffer, "standard input")
    return found
