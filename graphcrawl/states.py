"""The states of a page, by themselves: the command line names them in its help."""

from enum import StrEnum


class State(StrEnum):
    """What a neuron is to the crawl: its content label and scheduling label in one word."""

    FRONTIER = "frontier"  # waits to be fetched
    LEASED = "leased"  # a worker holds it
    FETCHED = "fetched"  # its content is known
    FAILED = "failed"  # given up, with a reason
    EXCLUDED = "excluded"  # never to be fetched, with a reason
    PRUNED = "pruned"  # a tombstone
