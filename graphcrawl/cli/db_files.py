"""`graphcrawl db backup | restore | compact`: the files of the embedded servers."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphcrawl.cli import output, session, words
from graphcrawl.cli.output import Format, JsonFlag
from graphcrawl.cli.session import Session

if TYPE_CHECKING:
    from graphcrawl.compact import Compacted, OnRow
    from graphcrawl.config import Settings
    from graphcrawl.server.backups import Restored


def backup(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to make.")],
    *,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Write the whole graph to one checksummed file, also while it is crawled.

    The server is suspended while its files are copied, at the speed of the disk, and goes on; a
    crawl waits for it. What prune archived lies beside the graph and is not in the file.

    Examples:
        graphcrawl db backup monday.backup
        graphcrawl db backup monday.backup --graph demo --force
    """
    from graphcrawl.server import backups

    here = Session.of(context)
    settings = here.settings()
    session.refuse_own_neo4j()
    session.require_graph(settings)
    done = session.run(backups.backup(session.paths(settings), settings.graph, file, force=force))
    if as_json:
        document = {
            "graph": settings.graph,
            "file": str(done.file),
            "bytes": done.bytes,  # of the file
            "store_bytes": done.store_bytes,  # packed into it
            "held_s": round(done.held_s, 3),  # its server stood still
            "seconds": round(done.seconds, 3),
        }
        output.emit_document(document, Format.JSON)
    elif not here.quiet:
        output.note(
            f"The graph {settings.graph!r} is in {done.file}: {words.size(done.bytes)} of "
            f"{words.size(done.store_bytes)}, {words.duration(done.seconds)}; its server stood "
            f"still for {words.duration(done.held_s)}."
        )


def restore(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What graphcrawl db backup wrote.")],
    *,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a graph that is there.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Make a graph of a backup, as it was then; pages that were being fetched wait again.

    The file is checked, and a server started on what was in it, before a graph is replaced.

    Examples:
        graphcrawl db restore monday.backup --graph again
        graphcrawl db restore monday.backup --overwrite
    """
    here = Session.of(context)
    settings = here.settings()
    session.refuse_own_neo4j()
    done = session.run(_restore(settings, file, overwrite, quiet=here.quiet))
    if as_json:
        document = {
            "graph": settings.graph,
            "file": str(file),
            "backup_of": done.head.graph,  # name of the graph that was packed
            "created_at": done.head.created_at,
            "neurons": done.neurons,
            "axons": done.axons,
            "seconds": round(done.seconds, 3),
        }
        output.emit_document(document, Format.JSON)
    elif not here.quiet:
        output.note(
            f"The graph {settings.graph!r} is as {done.head.graph!r} was at "
            f"{done.head.created_at}: {words.count(done.neurons)} neurons, "
            f"{words.count(done.axons)} axons, {words.duration(done.seconds)}."
        )
        output.note(f"Go on with it: {settings.command('crawl')}")


def compact(context: typer.Context, as_json: JsonFlag = False) -> None:
    """Write the graph's store anew, so that the space of what was deleted comes back.

    The graph may not be crawled meanwhile, and other commands wait. The old store is kept until the
    new one has the same nodes and relationships with the same properties. Indexes that somebody
    added by hand are not in the new one.

    Examples:
        graphcrawl db compact
        graphcrawl db compact --graph demo --json
    """
    here = Session.of(context)
    settings = here.settings()
    session.refuse_own_neo4j()
    session.require_graph(settings)
    done = session.run(_compact(settings, quiet=here.quiet))
    if as_json:
        document = {
            "graph": settings.graph,
            "bytes_before": done.bytes_before,
            "bytes_after": done.bytes_after,
            "nodes": done.nodes,
            "relationships": done.relationships,
            "sha256_sum": done.digest,  # of all of them, in any order
            "seconds": round(done.seconds, 3),
        }
        output.emit_document(document, Format.JSON)
    elif not here.quiet:
        output.note(
            f"The store of the graph {settings.graph!r} takes {words.size(done.bytes_after)}, "
            f"before {words.size(done.bytes_before)}: {words.count(done.nodes)} nodes and "
            f"{words.count(done.relationships)} relationships, compared one by one, "
            f"{words.duration(done.seconds)}."
        )


async def _restore(settings: "Settings", file: Path, overwrite: bool, *, quiet: bool) -> "Restored":
    from graphcrawl.cli import progress
    from graphcrawl.server import backups

    with progress.server_start(quiet=quiet) as on_progress:
        return await backups.restore(
            session.paths(settings),
            settings.graph,
            file,
            settings.server,
            overwrite=overwrite,
            on_progress=on_progress,
        )


async def _compact(settings: "Settings", *, quiet: bool) -> "Compacted":
    from graphcrawl import compact as compacting
    from graphcrawl.cli import progress

    with progress.server_start(quiet=quiet) as on_progress, _counting(quiet=quiet) as on_row:
        return await compacting.compact(
            session.paths(settings), settings.graph, settings.server, on_progress, on_row
        )


@contextmanager
def _counting(*, quiet: bool) -> Iterator["OnRow"]:
    """Say now and then how many rows are read, written and compared, one after the other."""
    from graphcrawl.cli import progress

    with ExitStack() as shown:
        stage = ""
        say: Callable[[int], None] = lambda _: None  # noqa: E731

        def on_row(what: str, number: int) -> None:
            nonlocal stage, say
            if what != stage:
                shown.close()
                stage, say = what, shown.enter_context(progress.counting(f"rows {what}"))
            say(number)

        yield (lambda _, __: None) if quiet else on_row
