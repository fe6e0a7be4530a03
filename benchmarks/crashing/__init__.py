"""Crawls of a generated web by workers that are killed, as is their Neo4j; see crashes.py."""
