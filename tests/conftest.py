"""Shared fixtures: a real Neo4j, from the environment first, else embedded."""
