"""What a run is given, checked before a server is started; and how it then begins."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from graphcrawl.config import Settings
from graphcrawl.crawl.examples import Examples
from graphcrawl.crawl.loop import Crawl
from graphcrawl.crawl.manners import require_contact
from graphcrawl.evaluate import OtherRules
from graphcrawl.fetch import Resolve, parse_resolve
from graphcrawl.scoring.reward import Rules, load_rules
from graphcrawl.urls import Scope


@dataclass(frozen=True, slots=True)
class Inputs:
    """What can be checked before a server is started."""

    settings: Settings
    seeds: tuple[str, ...]  # canonical, those that were named for this run
    rules: Rules
    resolve: tuple[Resolve, ...]
    scope: Scope  # of the named seeds
    examples: Examples = field(default_factory=Examples)  # of the topic
    goes_on: bool = False  # with the order and the topic of the last run

    @classmethod
    def check(
        cls,
        settings: Settings,
        seeds: Sequence[str],
        *,
        goes_on: bool = False,
        examples: Examples | None = None,
    ) -> "Inputs":
        """Read rules, patterns and addresses.

        Args:
            settings: Of the run.
            seeds: Canonical URLs that were named for it.
            goes_on: Whether it is to go on with the order and the topic of the last run.
            examples: Of the topic, where they were read before; None: as the settings name them.

        Raises:
            UsageError: One of them cannot be used, a topic is empty, or public hosts are to be
                crawled without a contact.
        """
        crawl = settings.crawl
        resolve = tuple(parse_resolve(text) for text in crawl.resolve)
        scope = Scope.of(seeds, crawl.scope, crawl.include, crawl.exclude, crawl.max_depth)
        examples = examples or Examples.of(settings.topic.examples)
        rules = load_rules(crawl.rules)
        inputs = cls(settings, tuple(seeds), rules, resolve, scope, examples, goes_on)
        inputs.require_contact([*seeds, *examples.urls])
        return inputs

    def require_contact(self, urls: Sequence[str]) -> None:
        """Refuse to crawl public hosts anonymously: their owners must be able to reach us.

        Raises:
            ContactError: There are public hosts among the URLs and no contact.
        """
        require_contact(urls, self.settings.contact, self.resolve)


@dataclass(frozen=True, slots=True)
class Start:
    """How a run begins."""

    crawl: Crawl
    seeds: int  # in the graph
    new_seeds: int
    waiting: int  # pages in the frontier
    resumed: bool  # pages were waiting before this run
    other_rules: OtherRules | None = None  # that pages were paid by before
    forgotten: int = 0  # seeds that were forgotten on request, and are left out
    inputs: Inputs | None = None  # with what it took over from the last run
