"""Work that a cancellation must not cut in two."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def uncancelled(
    work: Coroutine[Any, Any, T], on_cancel: Callable[[], None] = lambda: None
) -> T:
    """Await the work to its end even when the caller is cancelled; the cancellation comes after.

    A cancelled call of the driver leaves it unknown whether the write was done.

    Args:
        work: What to finish.
        on_cancel: Called when the caller is cancelled, to ask the work to be brief.
    """
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        on_cancel()
        await asyncio.wait([task])
        raise
