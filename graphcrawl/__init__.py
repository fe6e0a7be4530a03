"""graphcrawl: a focused web crawler whose memory is a Neo4j graph.

The functions below are the Python API; `graphcrawl.api` describes them. They are loaded when they
are first used, so that `import graphcrawl` costs nothing.
"""

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphcrawl.api import Crawler, connect, crawl, feeds, jobs, pages

    __version__: str

__all__ = ["Crawler", "connect", "crawl", "feeds", "jobs", "pages"]


def __getattr__(name: str) -> Any:
    """Load what is asked for the first time."""
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415 - slow to import

        return version("graphcrawl")
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if find_spec(f"{__name__}.{name}") is not None:  # it stands for the function
        return import_module(f"{__name__}.{name}")
    return getattr(import_module(f"{__name__}.api"), name)


def __dir__() -> list[str]:
    """List the API only."""
    return [*__all__, "__version__"]


class _CallablePart(ModuleType):
    """A part of the package that has the name of a function of the API, and is called like it."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the function of `graphcrawl.api`."""
        function = getattr(import_module("graphcrawl.api"), self.__name__.rpartition(".")[2])
        return function(*arguments, **named)


class _Package(ModuleType):
    """This package: `graphcrawl.crawl` is a part of it and a function, whichever comes first."""

    def __setattr__(self, name: str, value: Any) -> None:
        """Take a part that has just been imported."""
        if name in __all__ and isinstance(value, ModuleType):
            value.__class__ = _CallablePart
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
