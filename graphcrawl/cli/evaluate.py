"""`graphcrawl evaluate`: pages earn by other rules, without being fetched again."""

import time
from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import RenderableType
from rich.text import Text

from graphcrawl.cli import complete, output, session, words
from graphcrawl.cli.output import Column, CsvFlag, Format, JsonFlag, JsonlFlag
from graphcrawl.cli.session import Session

if TYPE_CHECKING:
    from graphcrawl.config import Settings
    from graphcrawl.evaluate import EvaluationReport, OtherRules
    from graphcrawl.scoring.reward import Rules
    from graphcrawl.where import Term

_LINE_EVERY_S = 10.0
_NAMES = 8  # rules named in a note
_RULE_COLUMNS = (
    Column("rule"),
    Column("points", show=words.points, justify="right"),
    Column("pages", show=words.count, justify="right", style="bold"),
    Column("gained", show=words.count, justify="right"),
    Column("lost", show=words.count, justify="right"),
)


def evaluate(
    context: typer.Context,
    *,
    rules: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="What earns reward. Default: the settings' rules.",
            autocompletion=complete.rules,
        ),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            "--where",
            "-w",
            metavar="FILTER",
            help="Only pages that pass, such as 'host=a.example reward>10'.",
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would change.")] = False,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """Judge fetched pages again by rules, without fetching them.

    Grants by rules are replaced; those for seeds and job feeds stay. Reward moves by the
    difference, but not below 0. Shipped rules: jobs, jobs-plus, docs, news, music.

    Examples:
        graphcrawl evaluate --rules jobs-plus --dry-run
        graphcrawl evaluate --rules mine.toml --where 'host=a.example'
    """
    from graphcrawl import where as filters
    from graphcrawl.scoring.reward import load_rules

    form = Format.chosen(as_json, as_jsonl, as_csv)
    here = Session.of(context)
    terms = filters.parse(where or [])
    settings = here.settings(crawl={"rules": rules})
    loaded = load_rules(settings.crawl.rules)
    report, others = session.run(
        _evaluate(settings, loaded, terms, apply=not dry_run, quiet=here.quiet)
    )
    output.emit_document(_document(report), form, lambda: _view(report))
    if not here.quiet:
        for line in _notes(report, settings, others, some=bool(terms)):
            output.note(line)


async def _evaluate(
    settings: "Settings", rules: "Rules", terms: tuple["Term", ...], *, apply: bool, quiet: bool
) -> tuple["EvaluationReport", "OtherRules | None"]:
    from graphcrawl import evaluate as evaluation

    async with session.open_graph(settings, quiet=quiet) as graph:
        others = await evaluation.other_rules(graph, rules)
        report = await evaluation.reevaluate(
            graph,
            rules,
            terms,
            apply=apply,
            damping=settings.reward.damping,
            on_progress=_progress(quiet=quiet),
        )
    return report, others


def _progress(*, quiet: bool) -> Callable[[int], None]:
    """Return what tells on stderr now and then how far an evaluation has come."""
    told = time.monotonic()

    def tell(pages: int) -> None:
        nonlocal told
        if not quiet and time.monotonic() - told >= _LINE_EVERY_S:
            told = time.monotonic()
            output.note(f"{pages:,} pages judged")

    return tell


def _document(report: "EvaluationReport") -> dict[str, Any]:
    return asdict(report) | {
        "idle_rules": list(report.idle_rules),  # that no page earns
        "blunt_rules": list(report.blunt_rules),  # that every page earns, or nearly
    }


def _view(report: "EvaluationReport") -> Iterable[RenderableType]:
    n = words.count
    yield output.pairs(
        {
            "rules": words.printable(report.rules),
            "judged": f"{n(report.pages)} pages; {n(report.earning)} earn something",
            "changed" if report.applied else "would change": f"{n(report.changed)} pages",
            "base reward": f"{_signed(report.base_moved)} in all",
            "reward": f"{_signed(report.reward_moved)} in all",
            "took": words.duration(report.seconds),
        }
    )
    if report.by_rule:
        yield Text()
        yield output.table([asdict(tally) for tally in report.by_rule], _RULE_COLUMNS)


def _signed(value: float) -> str:
    return ("+" if value > 0 else "−" if value < 0 else "") + words.points(abs(value))


def _notes(
    report: "EvaluationReport", settings: "Settings", others: "OtherRules | None", *, some: bool
) -> Iterable[str]:
    if not report.pages:
        yield (
            "No fetched page passes."
            if some
            else (f"No page has been fetched yet. Crawl: {settings.command('crawl URL')}")
        )
        return
    if not report.earning:
        yield "These rules match nothing: no page earns anything by them."
    elif len(report.idle_rules) > _NAMES:
        yield f"{len(report.idle_rules)} of {len(report.by_rule)} rules are earned by no page."
    elif report.idle_rules:
        yield f"Earned by no page: {_some(report.idle_rules)}"
    if report.blunt_rules:
        yield (
            "Earned by every page or nearly, so they tell none from another: "
            + _some(report.blunt_rules)
        )
    if report.slow_rules:
        pages = ", ".join(f"{rule} ({n:,})" for rule, n in report.slow_rules.items())
        yield f"Ran out of time, and earned nothing new there: {words.printable(pages)}"
    if report.without_text:
        yield (
            f"{report.without_text:,} pages were judged by title, anchors and links alone, since "
            "their text was not kept. Those to come keep it with crawl --text all; to have it of "
            f"all, crawl into another graph: {_anew(settings)}"
        )
    if report.kept_grants:
        yield (
            f"{report.kept_grants:,} grants stay as they are, since what they rest on is not "
            "kept: markup, or texts and links that are gone."
        )
    if report.skipped:
        yield f"{report.skipped:,} pages changed meanwhile and were left alone."
    if others is not None and others.running:
        yield "A crawl runs; pages that it fetches from now on earn by the rules it began with."
    if not report.applied:
        yield "Nothing was changed. Do it: the same command without --dry-run"
    elif report.changed:
        yield f"Let the reward flow: {settings.command('propagate')}"


def _anew(settings: "Settings") -> str:
    """Return the command that crawls the same seeds with all texts, into a graph of its own."""
    other = f"{settings.graph[:57]}-texts"
    seeds = settings.command("pages --where seed=yes --limit 0")
    return f"{seeds} | tail -n +2 | cut -f1 | graphcrawl --graph {other} crawl --text all -"


def _some(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
    return words.printable(", ".join(names[:_NAMES])) + more
