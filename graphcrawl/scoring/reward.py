"""Rules → reward: which words and patterns of a page earn how many points [000.evaluate]."""

import difflib
import hashlib
import json
import math
import re
import tomllib
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import regex

from graphcrawl.errors import RulesError, did_you_mean
from graphcrawl.models import Grant

if TYPE_CHECKING:
    from graphcrawl.parse import Document  # loads the parsers, which only readers need

PLACES = ("title", "text", "anchors", "links", "html", "types")
KINDS = ("word", "phrase", "regex")
REGEX_TIMEOUT_S = 0.1  # one rule, one place
DEFAULT_PLACES = ("title", "text", "anchors")
MAX_VISIBLE_CHARS = 1_000_000  # of a page's visible text that are kept for another evaluation

Kind = Literal["word", "phrase", "regex"]

_RULE_KEYS = ("name", "points", "places", *KINDS)
# Scripts written without spaces: a word may begin and end anywhere. Thai to Lao, Burmese, Khmer,
# kana, ideographs.
_SPACELESS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
MAX_RULES_BYTES = 2**20


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing worth finding."""

    name: str  # slug without blanks
    points: float
    kind: Kind
    pattern: str  # word or phrase as compared (case folded), or the regex as written
    places: tuple[str, ...]
    compiled: regex.Pattern[str] | None = None  # of a regex


@dataclass(frozen=True, slots=True)
class Rules:
    """A rules file. Pickles, since pages are evaluated in worker processes."""

    name: str
    rules: tuple[Rule, ...]
    feed_new: float  # points for the first page that links to a job feed
    feed_known: float  # points for each other
    digest: str  # changes when anything that is paid for changes


@dataclass(frozen=True, slots=True)
class Evidence:
    """What rules look into: one text for each place of a page."""

    title: str = ""
    text: str = ""  # all visible text, link texts included
    anchors: str = ""  # link texts, one a line
    links: str = ""  # link targets, canonical and as written, one a line
    html: str = ""
    types: str = ""  # schema.org types that the page states, joined by blanks
    partial: frozenset[str] = frozenset()  # places known in part: what is not there may have been

    @classmethod
    def of(cls, document: "Document", types: Collection[str] = ()) -> "Evidence":
        """Return all that a page as it was fetched has to show."""
        return cls(
            title=document.title,
            text=document.text,
            anchors=document.anchors,
            links=document.targets,
            html=document.markup,
            types=" ".join(types),
        )


class Evaluation(NamedTuple):
    """What a page earned."""

    grants: tuple[Grant, ...]
    slow_rules: tuple[str, ...] = ()  # ran out of time on it
    kept: tuple[str, ...] = ()  # rules whose earlier grant stays, since it cannot be judged again


def evaluate(
    evidence: Evidence,
    rules: Rules,
    earlier: Mapping[str, str] = MappingProxyType({}),
    aside: Collection[str] = (),
) -> Evaluation:
    r"""Pay each rule once, at the first of its places that matches.

    Words and phrases are looked for case-blind and whole: what stands before and after them is no
    letter, mark, digit or underscore. A regex that needs longer than 0.1 s on one place earns
    nothing and is reported.

    A page that was evaluated before may have lost evidence since then, such as its markup. A grant
    that rests on such a place stays, at the rule's points of now, as does one whose regex runs out
    of time.

    Source: [000.evaluate], [000.process]; word borders after Unicode Technical Standard #18, \b at
    level 1.

    Args:
        evidence: The page.
        rules: What is paid for.
        earlier: Where each rule was paid before: rule name → place.
        aside: Rules that are not tried, as if they had run out of time.
    """
    folded: dict[str, str] = {}
    grants: list[Grant] = []
    slow: list[str] = []
    kept: list[str] = []
    for rule in rules.rules:
        had = earlier.get(rule.name)
        had = had if had in rule.places else None
        place, unjudged = had, had is not None
        if rule.name not in aside:
            try:
                place, unjudged = _first_place(rule, evidence, had, folded)
            except TimeoutError:
                slow.append(rule.name)
        if place is not None:
            grants.append(Grant(rule.name, rule.points, place))
        if unjudged:
            kept.append(rule.name)
    return Evaluation(tuple(grants), tuple(slow), tuple(kept))


def _first_place(
    rule: Rule, evidence: Evidence, had: str | None, folded: dict[str, str]
) -> tuple[str | None, bool]:
    """Return where a rule matches first, and whether that only stands because it did before."""
    for place in rule.places:
        if rule.compiled is not None:
            text = getattr(evidence, place)
            found = rule.compiled.search(text, timeout=REGEX_TIMEOUT_S) is not None
        else:
            if place not in folded:
                folded[place] = getattr(evidence, place).casefold()
            found = contains_whole(folded[place], rule.pattern)
        if found:
            return place, False
        if place == had and place in evidence.partial:
            return place, True
    return None, False


def contains_whole(text: str, word: str) -> bool:
    """Return whether `word` occurs in `text` with a border on each side; both case folded.

    A search for the bare word first: it runs at memory speed and fails on most pages, so that no
    alternation of all words is needed.
    """
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if _is_border(text[at - 1 : at], word[0]) and _is_border(word[-1], text[end : end + 1]):
            return True
        at = text.find(word, at + 1)
    return False


def _is_border(left: str, right: str) -> bool:
    return not (_is_letter(left) and _is_letter(right)) or bool(
        _SPACELESS.match(left) and _SPACELESS.match(right)
    )


def _is_letter(char: str) -> bool:
    return char.isalnum() or char == "_" or (char != "" and unicodedata.category(char)[0] == "M")


def rules_root() -> Traversable:
    """Return the folder of shipped rules: inside the wheel, or beside the package in a checkout."""
    inside = files("graphcrawl") / "rules"
    return inside if inside.is_dir() else Path(__file__).parents[2] / "rules"


def shipped_rules() -> list[str]:
    """Return the names of shipped rules, sorted."""
    names = [entry.name for entry in rules_root().iterdir()]
    return sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml"))


def load_rules(name_or_path: str | Path) -> Rules:
    """Read rules, shipped ones by name (`jobs`) or one's own by path.

    Raises:
        RulesError: No such file, no TOML, or a rule that says something wrong; the message names
            file, rule and key.
    """
    source, text = _read(name_or_path)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesError(f"{source} is not valid TOML: {error}.", f"Mend {source}.") from error
    _check_keys(source, "the file", data, ("name", "feed", "rule"))
    feed = _table(source, data.get("feed", {}), "[feed]")
    _check_keys(source, "[feed]", feed, ("new", "known"))
    entries = data.get("rule", [])
    if not isinstance(entries, list) or not entries:
        raise _wrong(source, "the file", "has no rule", "Begin each rule with a line [[rule]].")
    rules = tuple(_rule(source, number, entry) for number, entry in enumerate(entries, start=1))
    names = [rule.name for rule in rules]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise _wrong(source, f"rule {twice!r}", "occurs twice", "Give one of them another name.")
    feed_new = _points(source, "[feed]", "new", feed.get("new", 0))
    feed_known = _points(source, "[feed]", "known", feed.get("known", 0))
    paid = [[r.name, r.points, r.kind, r.pattern, r.places] for r in rules]
    canonical = json.dumps([feed_new, feed_known, paid], ensure_ascii=False)
    return Rules(
        name=str(data.get("name") or Path(source).stem),
        rules=rules,
        feed_new=feed_new,
        feed_known=feed_known,
        digest=hashlib.blake2b(canonical.encode(), digest_size=16).hexdigest(),
    )


def _read(name_or_path: str | Path) -> tuple[str, str]:
    name = str(name_or_path)
    shipped = rules_root() / f"{name}.toml"
    is_name = re.fullmatch(r"[\w-]+", name) is not None
    path = shipped if is_name and shipped.is_file() else Path(name).expanduser()
    try:
        with path.open("rb") as file:
            data = file.read(MAX_RULES_BYTES + 1)
        if len(data) > MAX_RULES_BYTES:
            raise OSError(0, "it is larger than 1 MiB")
        return name, data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        names = shipped_rules()
        raise RulesError(
            f"Cannot read the rules {name!r}: {reason}.",
            f"{did_you_mean(name, names)}Name a file, or shipped rules: {', '.join(names)}.",
        ) from error


def _rule(source: str, number: int, entry: object) -> Rule:
    where = f"rule {number}"
    table = _table(source, entry, where)
    where = f"rule {number} ({table['name']})" if "name" in table else where
    _check_keys(source, where, table, _RULE_KEYS)
    kinds = [kind for kind in KINDS if kind in table]
    if len(kinds) != 1:
        raise _wrong(source, where, "needs exactly one of word, phrase and regex")
    kind: Kind = kinds[0]  # type: ignore[assignment]
    pattern = table[kind]
    if not isinstance(pattern, str) or not pattern.strip():
        raise _wrong(source, where, f"has a {kind} that is no text")
    if "points" not in table:
        raise _wrong(source, where, "has no points")
    places = table.get("places", list(DEFAULT_PLACES))
    if not isinstance(places, list) or not places:
        raise _wrong(source, where, "has places that are no list", f"Known: {', '.join(PLACES)}.")
    for place in places:
        if place not in PLACES:
            raise _unknown(source, where, "place", place, PLACES)
    return Rule(
        name=_slug(source, where, table.get("name", "" if kind == "regex" else pattern)),
        points=_points(source, where, "points", table["points"]),
        kind=kind,
        pattern=pattern if kind == "regex" else _plain(source, where, kind, pattern),
        places=tuple(places),
        compiled=_compile(source, where, pattern) if kind == "regex" else None,
    )


def _plain(source: str, where: str, kind: str, pattern: str) -> str:
    words = pattern.split()
    if kind == "word" and len(words) > 1:
        raise _wrong(source, where, f"has a word with blanks, {pattern!r}", "Call it a phrase.")
    return " ".join(words).casefold()


def _compile(source: str, where: str, pattern: str) -> regex.Pattern[str]:
    try:
        return regex.compile(pattern)
    except regex.error as error:
        raise _wrong(source, where, f"has a regex that does not compile: {error}") from error


def _slug(source: str, where: str, name: object) -> str:
    slug = re.sub(r"[^\w.+#-]+", "-", str(name).casefold()).strip("-")
    if not slug:
        raise _wrong(source, where, "has no name", "Add a line such as name = 'ats-host'.")
    return slug


def _points(source: str, where: str, key: str, value: object) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or value < 0:  # type: ignore[operator, arg-type]
        raise _wrong(source, where, f"has {key} = {value!r}, which is no number from 0 up")
    return float(value)  # type: ignore[arg-type]


def _table(source: str, value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _wrong(source, where, "is no table", "See the shipped rules/jobs.toml for the form.")
    return value


def _check_keys(source: str, where: str, table: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for key in table:
        if key not in known:
            raise _unknown(source, where, "key", key, known)


def _unknown(
    source: str, where: str, what: str, given: object, known: tuple[str, ...]
) -> RulesError:
    near = difflib.get_close_matches(str(given), known, n=1)
    hint = f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(known)}."
    return _wrong(source, where, f"has an unknown {what} {given!r}", hint)


def _wrong(source: str, where: str, what: str, hint: str = "") -> RulesError:
    return RulesError(f"{source}: {where} {what}.", hint or f"Mend it in {source}.")
