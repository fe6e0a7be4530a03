"""`graphcrawl forget`: deletion on request."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType
from rich.text import Text

from graphcrawl.cli import complete, output, session, words
from graphcrawl.cli.output import CsvFlag, Format, JsonFlag, JsonlFlag
from graphcrawl.cli.session import Session

if TYPE_CHECKING:
    from graphcrawl.config import Settings
    from graphcrawl.forget import ForgetReport, Target


def forget(
    context: typer.Context,
    what: Annotated[
        str,
        typer.Argument(
            metavar="URL|HOST",
            help="One page, or all of a host, or of *.host.",
            autocompletion=complete.host,
        ),
    ],
    *,
    apply: Annotated[bool, typer.Option("--apply", help="Do it; else only show it.")] = False,
    as_json: JsonFlag = False,
    as_jsonl: JsonlFlag = False,
    as_csv: CsvFlag = False,
) -> None:
    """Show all that is kept of a page or a host; with --apply remove it for good.

    Pages, texts, axons, jobs, the host's row and robots rules, and what archives of pruned pages
    hold. Only a hash stays, so that no link, redirect or seed brings it back, and a receipt without
    names. It cannot be undone. example.org is one host; example.org:* all its ports; *.example.org
    all hosts below it too.

    Examples:
        graphcrawl forget https://example.org/people/jane
        graphcrawl forget '*.example.org' --apply
    """
    from graphcrawl.forget import Target

    form = Format.chosen(as_json, as_jsonl, as_csv)
    here = Session.of(context)
    target = Target.of(what)
    settings = here.settings()
    report = session.run(_forget(settings, target, apply=apply, quiet=here.quiet))
    output.emit_document(asdict(report), form, lambda: _view(report))
    if not apply and form is Format.TABLE and not here.quiet:
        output.note(what_apply_does(report))


async def _forget(
    settings: "Settings", target: "Target", *, apply: bool, quiet: bool
) -> "ForgetReport":
    from graphcrawl import forget as forgetting
    from graphcrawl.config import Paths

    paths = Paths.locate(settings.home)
    async with session.open_graph(settings, quiet=quiet) as graph:
        if apply:
            return await forgetting.forget(graph, target, paths)
        return await forgetting.look(graph, target, paths)


def what_apply_does(report: "ForgetReport") -> str:
    """Say that nothing was removed yet, or that there is nothing."""
    if report.pages or report.jobs or report.hosts or report.origins or report.archived:
        return "Nothing was removed. Do it, for good: the same command with --apply"
    return "Nothing of it is kept. So that it is never fetched: the same command with --apply"


def _view(report: "ForgetReport") -> Iterable[RenderableType]:
    n = words.count
    states = ", ".join(f"{n(count)} {label}" for label, count in report.states.items())
    lines = {
        "forgotten" if report.applied else "would go": f"{n(report.pages)} pages with "
        f"{n(report.texts)} texts and {n(report.axons)} axons",
        "of them": states or "none",
        "jobs": n(report.jobs),
        "hosts": f"{n(report.hosts)}, with robots rules of {n(report.origins)} origins",
        "archives": f"{n(report.archived)} rows in {n(report.archives)} files",
    }
    if report.receipt:
        lines["receipt"] = report.receipt
    yield output.pairs(lines)
    if report.urls:
        yield Text("\nPages" if len(report.urls) == report.pages else "\nSome of the pages")
        for url in report.urls:
            yield Text(url)
