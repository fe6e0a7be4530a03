"""How reward flows in a graph: fixed at its first crawl, changed only by a command that recomputes.

`neural` is the source's iteration: what a page has flows on and is forgotten, again and again
[000.distribute]. `steady` is where reward comes to rest when what was granted is held against it:
`r = (1 - δ) · Σ δʲ · (Pᵀ)ʲ · granted`. It depends on grants and axons alone, not on how often
reward flowed.
"""

from dataclasses import dataclass, replace
from typing import Literal

from graphcrawl.errors import UsageError, command_on
from graphcrawl.graph import Graph
from graphcrawl.recorded import RecordOptions

Mode = Literal["neural", "steady"]

DEFAULT_MODE: Mode = "neural"


@dataclass(frozen=True, slots=True)
class Standing:
    """How reward flows in a graph."""

    mode: Mode
    is_fixed: bool  # by a crawl; else the default is meant


async def standing(graph: Graph) -> Standing:
    """Say how reward flows in a graph."""
    row = (await graph.run("reward/mode"))[0]
    mode: Mode = "steady" if row["mode"] == "steady" else "neural"
    fixed = row["mode"] is not None
    return Standing(mode if fixed else DEFAULT_MODE, fixed)


async def fix(graph: Graph, name: str, wish: Mode | None) -> Mode:
    """Fix the mode of a graph that is going to be crawled, unless it is; return which stands.

    Args:
        graph: An open connection to a prepared graph.
        name: The graph's name, for what to type next.
        wish: What the user asks for, None for what stands or else the default.

    Raises:
        UsageError: Another mode stands.
    """
    now = await standing(graph)
    wished = wish or now.mode
    found: Mode = now.mode
    if not now.is_fixed:
        found = (await graph.run("reward/set_mode", mode=wished))[0]["mode"]  # another was faster?
    if wished != found:
        raise UsageError(
            f"Reward flows by the mode {found!r} in the graph {name!r}, not {wished!r}.",
            f"Change it: {command_on(name, f'propagate --mode {wished} --apply')}",
        )
    return found


def record_options(options: RecordOptions, mode: Mode, damping: float) -> RecordOptions:
    """Return what recording goes by in a mode.

    A grant counts in full in `neural`. In `steady` a page keeps 1 - δ of what it was granted, and δ
    of what it has goes to its links: until the next distribution that is what newborns have.

    Args:
        options: As for `neural`.
        mode: Of the graph.
        damping: δ, the share of reward that flows on.
    """
    if mode == "neural":
        return options
    return replace(options, newborn=damping, grant_share=1 - damping)


async def grant_share(graph: Graph, damping: float) -> float:
    """Return what share of a grant is reward at once; the rest comes as reward flows.

    Args:
        graph: An open connection to a prepared graph.
        damping: Share of reward that flows on in `steady`.
    """
    return 1 - damping if (await standing(graph)).mode == "steady" else 1.0
