"""Which pages a run may ask for: the scope, and the seeds that widen it while it goes on."""

from collections.abc import Iterable

from graphcrawl.crawl.outcomes import judge_again, redirect_page
from graphcrawl.echoes import Echoes
from graphcrawl.models import Claim, FetchOutcome, Page, Reason, Redirected
from graphcrawl.unfollow import NOFOLLOW
from graphcrawl.urls import Scope


class Territory:
    """The scope of one run. It grows where a seed redirects, or another is added to the graph."""

    def __init__(self, scope: Scope, seeds: Iterable[str]) -> None:
        """Begin with the scope and the canonical seeds of the start."""
        self._scope, self._seeds, self._widened = scope, set(seeds), False
        self._echoes = Echoes()

    def admit(self, seed: str) -> None:
        """Let the scope hold one more seed."""
        if seed not in self._seeds:
            self._seeds.add(seed)
            self._scope, self._widened = self._scope.with_seed(seed), True

    def refusal(self, claim: Claim) -> Reason | None:
        """Return why a page is not to be asked for; a seed always is."""
        return None if claim.url in self._seeds else self._scope.verdict(claim.url, claim.depth)

    def admits(self, url: str, depth: int) -> bool:
        """Whether a page may wait that no page links to."""
        return self._scope.verdict(url, depth) is None

    def redirect_target(self, claim: Claim, outcome: FetchOutcome) -> Page | None:
        """Treat a redirect's target as a link; a seed's redirect widens the scope."""
        if not isinstance(outcome, Redirected) or not outcome.target:
            return None
        if claim.url in self._seeds:
            self.admit(outcome.target)
        return redirect_page(outcome, claim.depth, self._scope)

    def is_sent_on(self, claim: Claim, page: Page) -> bool:
        """Whether the page redirects to one that may be fetched; else it is a page with a link."""
        if not page.refresh or NOFOLLOW in page.wishes:
            return False
        return claim.url in self._seeds or not self._scope.verdict(page.refresh, claim.depth)

    def judge_again(self, claim: Claim, page: Page) -> Page:
        """Judge the links of a page by today's scope, and by what the run has seen.

        Readers know the scope of the start only, and no other page.
        """
        if self._widened:
            page = judge_again(page, self._scope, claim.depth + 1)
        return page if claim.visited else self._echoes.judge(page)
