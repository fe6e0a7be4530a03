"""Tells a proxy that is down from one that stumbled: without it no page can come."""

from graphcrawl.errors import ProxyDownError
from graphcrawl.models import FetchOutcome, NotFetched, Reason

FAILURES = 3  # in a row, of all hosts: one alone may be a restart of the proxy
STOPPED_BY = "proxy"  # reason of a run's end


class ProxyWatch:
    """What the requests of one run say of its own proxy."""

    def __init__(self) -> None:
        """Begin with nothing known."""
        self._failures = 0
        self._detail = ""

    def is_down(self, outcome: FetchOutcome) -> bool:
        """Note what came of a request; return whether it is time to give up."""
        if isinstance(outcome, NotFetched) and outcome.reason is Reason.PROXY:
            self._failures, self._detail = self._failures + 1, outcome.detail
        elif not isinstance(outcome, NotFetched) or outcome.requested:
            self._failures = 0
        return self._failures >= FAILURES

    def error(self) -> ProxyDownError:
        """Return the error of a run that ended for that."""
        text = self._detail[:1].upper() + self._detail[1:]
        return ProxyDownError(
            f"{text}. The crawl stopped; its pages wait.",
            "See that it runs, or go without one: --proxy none",
        )
