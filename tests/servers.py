"""How tests start a Neo4j of their own."""

from graphcrawl.config import ServerSettings

# They live for minutes: Java's second compiler would take more processor time than it saves.
SMALL = ServerSettings(
    heap=512 * 2**20, page_cache=64 * 2**20, java_options=("-XX:TieredStopAtLevel=1",)
)
