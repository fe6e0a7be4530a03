"""`graphcrawl --version`: what this installation consists of. Starts nothing and asks nobody."""

from importlib.metadata import PackageNotFoundError, version

from graphcrawl import __version__

_JARS = {
    "Neo4j": "org.neo4j:neo4j",
    "GDS": "org.neo4j.gds:proc",
    "Browser": "org.neo4j.client:neo4j-browser",
}


def all_of_them() -> dict[str, str]:
    """Return versions by name: graphcrawl's, and those of what its embedded server is made of.

    A Neo4j of the user's own has others: `graphcrawl doctor` asks it.
    """
    from graphcrawl.server import jars

    pinned = {f"{jar.group}:{jar.artifact}": jar.version for jar in jars.locked_jars()}
    found = {name: pinned[coordinates] for name, coordinates in _JARS.items()}
    return {"graphcrawl": __version__, **found, "Java": _java()}


def _java() -> str:
    from graphcrawl.server import java

    name, _, pinned = java.locked().partition("==")
    try:
        return version(name)
    except PackageNotFoundError:  # fetched as pinned when the server first starts
        return pinned
