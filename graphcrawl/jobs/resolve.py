"""Which posting is which job: a pure decision over what a source says and the rows that may be it.

A posting and a row are one job when

- the source gave both the same id, unless URL, name and description all say otherwise, or several
  jobs of the source share that id and differ;
- they have the same URL, unless several jobs share that URL and differ, or the source gives them
  two ids and two names;
- the row's URL redirects to the page that states the posting, and the names are the same;
- name and description are the same, unless the source gives them two ids, or nothing is described
  and their URLs differ. Between two sources the name has to say who hires, or the description to be
  long.

"Name" is title, company and place. Within one reading a row is taken once: what states the same
once more is a repeat, what differs is another job, so that none is lost. The surest pairs are made
first, over a whole batch.

Source: [000.process].
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from graphcrawl.jobs.identity import Said


@dataclass(frozen=True, slots=True)
class Listing:
    """What a source said of a job when it listed it last. Times in milliseconds since 1970."""

    said: Said
    first_ms: int
    last_ms: int
    gone_ms: int | None = None  # a whole reading lacked it


@dataclass(slots=True)
class Row:
    """A job's row, with all that list it or did."""

    job: str  # its key
    listings: dict[int, Listing]  # by the number of the page or feed
    gone_ms: int | None = None
    worded_by: int | None = None  # whose words the row has
    known: frozenset[str] = frozenset()  # names of the properties that it has


@dataclass(slots=True)
class Rows:
    """The rows that a batch may mean, found by what is said of them."""

    by_key: dict[int, list[Row]] = field(default_factory=lambda: defaultdict(list))
    by_url: dict[int, list[Row]] = field(default_factory=lambda: defaultdict(list))
    by_same: dict[int, list[Row]] = field(default_factory=lambda: defaultdict(list))

    def add(self, row: Row) -> None:
        """Let a row be found by whatever any source says of it."""
        for listing in row.listings.values():
            said = listing.said
            for found, number in (
                (self.by_key, said.key),
                (self.by_url, said.url),
                (self.by_same, said.same),
            ):
                if number and row not in found[number]:
                    found[number].append(row)


@dataclass(frozen=True, slots=True)
class Decision:
    """Which row a posting is."""

    row: Row | None = None  # None: a new job, unless it is a repeat
    is_repeat: bool = False  # stated before in this reading
    is_clash: bool = False  # the first that shares its id with another job of this reading


def resolve(said: Sequence[Said], rows: Rows, source: int, at_ms: int) -> list[Decision]:
    """Decide for each posting of a batch which row it is.

    Args:
        said: What one source says, in its order.
        rows: All rows that may be meant.
        source: Number of the page or feed.
        at_ms: Time of the reading: what was seen at it is taken.
    """
    made = [Decision() for _ in said]
    todo: list[int] = []
    earlier: dict[int, list[Said]] = defaultdict(list)  # of this reading, by what they share
    for at, one in enumerate(said):
        told = [*earlier[_shared(one)], *_seen(_alike(one, rows), source, at_ms)]
        if any(_repeats(one, other) for other in told):
            made[at] = Decision(is_repeat=True)
            continue
        sharers = {other.digest for other in told if one.key and other.key == one.key}
        made[at] = Decision(is_clash=len(sharers) == 1)
        earlier[_shared(one)].append(one)
        todo.append(at)
    taken: set[str] = set()
    for tier in _TIERS:
        waiting = Counter(said[at].url for at in todo)
        left = []
        for at in todo:
            one = said[at]
            free = [
                row
                for row in _alike(one, rows)
                if row.job not in taken and not _is_seen(row, source, at_ms)
            ]
            row = tier(_Choice(one, free, rows, source, waiting[one.url] == 1)) if free else None
            if row is None:
                left.append(at)
            else:
                taken.add(row.job)
                made[at] = Decision(row, is_clash=made[at].is_clash)
        todo = left
    return made


@dataclass(frozen=True, slots=True)
class _Choice:
    """A posting, and the rows that are free to be it."""

    one: Said
    free: list[Row]
    rows: Rows
    source: int
    is_alone: bool  # with its URL, among those that no row was found for yet

    def mine(self, fits: Callable[[Said, Said], bool]) -> list[Row]:
        """Return rows that the source lists, or did, and that fit; the listed ones first."""
        found = []
        for row in self.free:
            listing = row.listings.get(self.source)
            if listing and fits(self.one, listing.said):
                found.append((listing.gone_ms is not None, row))
        return [row for _, row in sorted(found, key=lambda pair: pair[0])]

    def others(self, fits: Callable[[Said, Said], bool]) -> list[Row]:
        """Return rows of other sources that fit; those that are not gone first."""
        found = [
            row
            for row in self.free
            if self.source not in row.listings
            and any(fits(self.one, listing.said) for listing in row.listings.values())
        ]
        return sorted(found, key=lambda row: row.gone_ms is not None)

    def shares(self, fits: Callable[[Said], bool]) -> int:
        """Count the source's listed rows with the posting's id that fit, taken ones too."""
        listings = (row.listings.get(self.source) for row in self.rows.by_key.get(self.one.key, ()))
        return sum(
            listing is not None
            and listing.gone_ms is None
            and listing.said.key == self.one.key
            and fits(listing.said)
            for listing in listings
        )

    def is_only(self, row: Row) -> bool:
        """Tell whether no other row has the posting's URL, be it taken; gone ones apart."""
        url = self.one.url
        return self.is_alone and not any(
            other.job != row.job
            and (other.gone_ms is None or row.gone_ms is not None)
            and any(listing.said.url == url for listing in other.listings.values())
            for other in self.rows.by_url.get(url, ())
        )


def _as_before(choice: _Choice) -> Row | None:
    return _first(
        choice.mine(lambda a, b: (a.key, a.digest) == (b.key, b.digest) and a.name == b.name)
    )


def _by_id(choice: _Choice) -> Row | None:
    """Return the row of the same id where name or URL agree."""
    one = choice.one
    if not one.key:
        return None
    found = choice.mine(lambda a, b: a.key == b.key and a.name == b.name)
    if found:
        return next((row for row in found if _listing(row, choice).said.url == one.url), found[0])
    found = choice.mine(lambda a, b: a.key == b.key and _one(a.url, b.url))
    return found[0] if found and choice.shares(lambda said: said.url == one.url) == 1 else None


def _by_id_alone(choice: _Choice) -> Row | None:
    """Return the row of the same id where it is the only one, and not all else says otherwise."""
    if not choice.one.key or choice.shares(lambda said: True) > 1:
        return None
    found = choice.mine(lambda a, b: a.key == b.key)
    if not found or _contradicts(choice.one, _listing(found[0], choice).said):
        return None
    return found[0]


def _by_url(choice: _Choice) -> Row | None:
    if not choice.one.url:
        return None
    found = choice.mine(lambda a, b: a.url == b.url and a.name == b.name)
    if found:
        return found[0]
    found = choice.mine(lambda a, b: a.url == b.url and not _two(a.key, b.key))
    return found[0] if found and choice.is_only(found[0]) else None


def _by_content(choice: _Choice) -> Row | None:
    return _first(choice.mine(lambda a, b: not _two(a.key, b.key) and _says_the_same(a, b)))


def _elsewhere_by_url(choice: _Choice) -> Row | None:
    if not choice.one.url or choice.one.is_front:
        return None
    found = choice.others(lambda a, b: a.url == b.url and a.name == b.name)
    if found:
        return found[0]
    found = choice.others(lambda a, b: a.url == b.url)
    return found[0] if found and choice.is_only(found[0]) else None


def _elsewhere_by_redirect(choice: _Choice) -> Row | None:
    return _first(choice.others(lambda a, b: b.url in a.aliases and a.name == b.name))


def _elsewhere_by_content(choice: _Choice) -> Row | None:
    if not choice.one.is_telling:
        return None
    return _first(choice.others(_says_the_same))


_TIERS = (
    _as_before,
    _by_id,
    _by_id_alone,
    _by_url,
    _by_content,
    _elsewhere_by_url,
    _elsewhere_by_redirect,
    _elsewhere_by_content,
)


def _alike(one: Said, rows: Rows) -> Iterable[Row]:
    found: dict[str, Row] = {}
    places = [(rows.by_key, one.key), (rows.by_url, one.url), (rows.by_same, one.same)]
    for index, number in (*places, *((rows.by_url, alias) for alias in one.aliases)):
        for row in index.get(number, ()) if number else ():
            found.setdefault(row.job, row)
    return found.values()


def _seen(rows: Iterable[Row], source: int, at_ms: int) -> list[Said]:
    """Return what the source said of rows in this very reading."""
    return [row.listings[source].said for row in rows if _is_seen(row, source, at_ms)]


def _is_seen(row: Row, source: int, at_ms: int) -> bool:
    listing = row.listings.get(source)
    return listing is not None and listing.last_ms == at_ms


def _shared(one: Said) -> int:
    """Return what a repeat of a posting shares with it."""
    return one.key or one.same


def _repeats(one: Said, other: Said) -> bool:
    """Tell whether two postings of one reading are the same job, stated twice."""
    if one.key != other.key:
        return False
    if one.key:
        return one.name == other.name and not (_two(one.url, other.url) and one.text != other.text)
    return (one.url, one.name, one.text) == (other.url, other.name, other.text)


def _contradicts(one: Said, other: Said) -> bool:
    """Tell whether an id was given to another job: all else that is said of the two differs."""
    return (
        _two(one.url, other.url)
        and not one.is_anchored
        and one.name != other.name
        and (one.text != other.text or not one.text)
    )


def _says_the_same(one: Said, other: Said) -> bool:
    if (one.name, one.text) != (other.name, other.text):
        return False
    return one.text != 0 or not _two(one.url, other.url) or one.url == other.url


def _one(number: int, other: int) -> bool:
    return number != 0 and number == other


def _two(number: int, other: int) -> bool:
    """Tell whether both say something, and not the same."""
    return 0 not in (number, other) and number != other


def _listing(row: Row, choice: _Choice) -> Listing:
    return row.listings[choice.source]


def _first(found: list[Row]) -> Row | None:
    return found[0] if found else None
