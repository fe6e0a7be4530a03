"""graphcrawl: a focused web crawler whose memory is a Neo4j graph."""

from importlib.metadata import version

__version__ = version("graphcrawl")
__all__ = ["__version__"]
