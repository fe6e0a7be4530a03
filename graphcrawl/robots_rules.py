"""What a robots.txt says: groups, rules, delays, sitemaps, usage wishes. Pure [002.robots].

Lines that RFC 9309 does not define (Crawl-delay, Sitemap, …) end no group, as its §2.2.4 has it.
"""

import math
import re
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

AGENT: Final = "graphcrawl"  # our product token
MAX_BYTES: Final = 1024 * 1024  # RFC 9309 §2.5 wants at least 500 KiB parsed
MAX_CRAWL_DELAY_S: Final = 30.0
WISH_HEADERS: Final = frozenset(  # of pages; what they mean knows parse.wishes
    {b"x-robots-tag", b"tdm-reservation", b"tdm-policy", b"content-signal", b"content-usage"}
)
MAX_WISH_LINES: Final = 20  # of a page or a group that are looked at
MAX_WISH_CHARS: Final = 500  # of each
_MAX_AGENTS: Final = 50  # of a group that are told

_LINE_END = re.compile(r"\r\n|\r|\n")  # RFC 9309 §2.2: nothing else ends a line
_FIELDS = {  # with the misspellings that other parsers forgive
    "user-agent": "user-agent useragent user~agent",
    "disallow": "disallow dissallow dissalow disalow diasllow disallaw",
    "allow": "allow",
    "crawl-delay": "crawl-delay crawl~delay crawldelay",
    "sitemap": "sitemap sitemaps site-map",
    "content-signal": "content-signal content-signals",
    "content-usage": "content-usage",
}
_FIELD_OF = {
    spelling.replace("~", " "): name for name, text in _FIELDS.items() for spelling in text.split()
}
_NO_COLON = re.compile(r"(user[- ]?agent|disallow|allow|sitemap|crawl[- ]delay)\s+(\S+)\s*", re.I)
_GZIP = b"\x1f\x8b\x08"
_DOUBLE_MARK = "\ufeff".encode().decode("latin-1")  # a mark that was encoded twice
_BLANKS = " \t\v\f\xa0\ufeff\u2028\u2029"
_ABSOLUTE = re.compile(r"https?://", re.I)
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})|[^!#-;=?-\[\]_a-z~]", re.S)
_KEPT_IN_PATH = frozenset("/?#%")  # an escape of these does not mean the character itself
_KEPT_IN_QUERY = frozenset("#%")
_ESCAPED = frozenset('"<>\\^`{|}')  # never stand bare in a URL


@dataclass(frozen=True, slots=True)
class Rule:
    """One Allow or Disallow line."""

    allow: bool
    pattern: str  # as written
    line: int
    prefix: str  # normal form up to the first `*`
    rest: tuple[str, ...] = ()  # what follows each `*`
    ends: bool = False  # `$`: the URL ends here
    octets: int = 0  # of the whole pattern: the longest match counts

    def __str__(self) -> str:
        return f"{'Allow' if self.allow else 'Disallow'}: {self.pattern}"

    def matches(self, path: str) -> bool:
        """Tell whether the rule holds for a path in normal form; in linear time."""
        if not path.startswith(self.prefix):
            return False
        at = len(self.prefix)
        if not self.rest:
            return not self.ends or at == len(path)
        for piece in self.rest[:-1] if self.ends else self.rest:
            found = path.find(piece, at)
            if found < 0:
                return False
            at = found + len(piece)
        last = self.rest[-1]
        return not self.ends or (len(path) - len(last) >= at and path.endswith(last))


@dataclass(frozen=True, slots=True)
class Signal:
    """One Content-Signal or Content-Usage line."""

    field: str
    value: str
    path: Rule | None = None  # None: holds for all paths


@dataclass(frozen=True, slots=True)
class Group:
    """All that a file says to one product token, put together from all its groups."""

    agents: tuple[str, ...] = ()  # as named together with it, lower case
    rules: tuple[Rule, ...] = ()  # in the order of the file
    lines: tuple[int, ...] = ()  # where a group for it begins
    crawl_delay_s: float | None = None  # as asked for
    signals: tuple["Signal", ...] = ()
    _by_length: tuple[tuple[int, dict[str, Rule]], ...] = ()  # plain prefixes, longest first
    _wild: tuple[Rule, ...] = ()  # all others, longest first

    @classmethod
    def of(cls, rules: Iterable[Rule], **what: object) -> "Group":
        """Make a group whose rules are found fast: a file may have tens of thousands."""
        plain: dict[int, dict[str, Rule]] = defaultdict(dict)
        wild = []
        kept = tuple(rules)
        for rule in kept:
            if rule.rest or rule.ends:
                wild.append(rule)
                continue
            known = plain[len(rule.prefix)].get(rule.prefix)
            if known is None or (rule.allow and not known.allow):
                plain[len(rule.prefix)][rule.prefix] = rule
        wild.sort(key=lambda rule: (-rule.octets, not rule.allow))
        lengths = tuple(sorted(plain.items(), reverse=True))
        return cls(rules=kept, _by_length=lengths, _wild=tuple(wild), **what)  # type: ignore[arg-type]

    def wishes(self, path: str) -> tuple[tuple[str, str], ...]:
        """Return field and value of the usage lines for a path in normal form.

        Of one field, those with the longest matching path count; a line without one holds for all.

        Source: contentsignals.org; IETF AIPREF, association.
        """
        best: dict[str, tuple[int, list[str]]] = {}
        for signal in self.signals:
            if signal.path is not None and not signal.path.matches(path):
                continue
            octets = signal.path.octets if signal.path else 0
            known = best.get(signal.field)
            if known is None or octets > known[0]:
                best[signal.field] = (octets, [signal.value])
            elif octets == known[0]:
                known[1].append(signal.value)
        return tuple((name, value) for name, (_, values) in best.items() for value in values)

    def decisive(self, path: str) -> Rule | None:
        """Return the rule that decides about a path in normal form: longest, Allow on a tie.

        Source: RFC 9309 §2.2.2.
        """
        best: Rule | None = None
        for length, rules in self._by_length:
            if length <= len(path) and (best := rules.get(path[:length])) is not None:
                break
        for rule in self._wild:
            if best is not None and (
                rule.octets < best.octets or (rule.octets == best.octets and not rule.allow)
            ):
                break
            if rule.matches(path):
                return rule
        return best


@dataclass(slots=True)
class Section:
    """User-agent lines and what follows them, as the file has it."""

    tokens: dict[str, tuple[int, int]] = field(default_factory=dict)  # place and line of each
    rules: list[Rule] = field(default_factory=list)
    delays_s: list[tuple[float, int]] = field(default_factory=list)  # and tokens named before it
    signals: list[tuple[Signal, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """A parsed file."""

    sections: tuple[Section, ...] = ()
    sitemaps: tuple[str, ...] = ()
    ignored: tuple[int, ...] = ()  # lines that could not be used

    def group(self, agent: str) -> Group | None:
        """Return what holds for a product token or User-Agent: its own groups, else those of `*`.

        Source: RFC 9309 §2.2.1.
        """
        for token in (product_token(agent), "*"):
            own = [section for section in self.sections if token in section.tokens]
            if own:
                return _merged(token, own)
        return None


def product_token(agent: str) -> str:
    """Return the product token of a User-Agent in lower case: `graphcrawl` of `graphcrawl/0.1`.

    Source: RFC 9309 §2.2.1.
    """
    named = re.search(r"compatible;\s*([^\s/;()]+)", agent)
    word = named[1] if named else re.split(r"[\s/;(),]", agent.strip(), maxsplit=1)[0]
    return word.lower() if word == "*" else word.rstrip("*").lower()


def decode_rules(body: bytes) -> str:
    """Return the text of a file: UTF-8, or UTF-16 where its bytes say so; without its mark.

    A file as long as the limit was cut in the middle of a line: that line is dropped, since half
    of `Disallow: /private` closes the whole host. One that is packed without saying so is unpacked.
    """
    if body.startswith(_GZIP):
        with suppress(zlib.error):
            body = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(body, MAX_BYTES)
    head = body[:64]
    if body.startswith((b"\xff\xfe", b"\xfe\xff")) and 0 in head:
        text = body.decode("utf-16", "replace")
    elif len(head) >= 8 and not any(head[1::2]) and all(head[::2]):
        text = body.decode("utf-16-le", "replace")
    elif len(head) >= 8 and not any(head[::2]) and all(head[1::2]):
        text = body.decode("utf-16-be", "replace")
    else:
        text = body.decode("utf-8", "replace")
    if len(body) >= MAX_BYTES:
        text = text[: max(text.rfind("\n"), text.rfind("\r")) + 1]
    return text.lstrip("\ufeff").removeprefix(_DOUBLE_MARK)


def parse_rules(text: str, host: str = "") -> RobotsRules:
    """Read a file. Never fails: what cannot be read is left out and listed.

    Args:
        text: As `decode_rules` returns it.
        host: Whose file it is. Rules written as absolute URLs count where they name it; without a
            host all of them do.

    Source: RFC 9309 §2.2.
    """
    sections: list[Section] = []
    in_rules = True
    sitemaps: dict[str, None] = {}
    ignored: list[int] = []
    for number, name, value in _records(text):
        if name == "user-agent":
            if in_rules:
                sections.append(Section())
                in_rules = False
            tokens = sections[-1].tokens
            for token in filter(None, map(product_token, value.split(","))):
                tokens.setdefault(token, (len(tokens), number))
        elif name == "sitemap":
            sitemaps[value] = None
        else:
            in_rules = in_rules or name in ("allow", "disallow")
            used = bool(sections) and _take(sections[-1], name, value, number, host)
            if value and not used:
                ignored.append(number)
    return RobotsRules(tuple(sections), tuple(filter(None, sitemaps)), tuple(ignored))


def normal_path(url: str) -> str:
    """Return path and query of an absolute URL in the form in which rules are compared."""
    _, _, rest = url.partition("://")
    path = rest[len(re.split(r"[/?#]", rest, maxsplit=1)[0]) :].partition("#")[0]
    return _normal(path if path.startswith("/") else f"/{path}")


def _merged(token: str, sections: Iterable[Section]) -> Group:
    """Put together what several sections say to one product token."""
    agents: dict[str, None] = {}
    rules: list[Rule] = []
    lines: list[int] = []
    delays_s: list[float] = []
    signals: list[Signal] = []
    for section in sections:
        place, line = section.tokens[token]
        agents |= dict.fromkeys(section.tokens)
        rules += section.rules
        lines.append(line)
        delays_s += [delay_s for delay_s, named in section.delays_s if place < named]
        signals += [signal for signal, named in section.signals if place < named]
    return Group.of(
        rules,
        agents=tuple(agents)[:_MAX_AGENTS],
        lines=tuple(lines),
        crawl_delay_s=max(filter(None, delays_s), default=None),
        signals=tuple(signals[:MAX_WISH_LINES]),
    )


def _take(section: Section, name: str, value: str, line: int, host: str) -> bool:
    """Keep what a line says; return whether it could be used."""
    named = len(section.tokens)
    match name:
        case "allow" | "disallow":
            rule = _rule(name == "allow", value, line, host) if value else None
            section.rules += [rule] if rule is not None else []
            return rule is not None
        case "crawl-delay":
            delay_s = _delay_s(value)
            section.delays_s += [(delay_s, named)] if delay_s is not None else []
            return delay_s is not None
        case "content-signal" | "content-usage":
            section.signals.append((_signal(name, value, line), named))
            return True
    return False


def _records(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield number, field and value of each line that says something; an unknown field is ""."""
    for number, raw in enumerate(_LINE_END.split(text), start=1):
        line = raw.lstrip("\0" + _BLANKS).partition("\0")[0].partition("#")[0].strip(_BLANKS)
        if not line:
            continue
        name, colon, value = line.partition(":")
        known = _FIELD_OF.get(name.strip(_BLANKS).lower()) if colon else None
        if known is None and (words := _NO_COLON.fullmatch(line)):
            known, value = _FIELD_OF.get(words[1].lower()), words[2]
        yield number, known or "", value.strip(_BLANKS) if known else line


def _rule(allow: bool, value: str, line: int, host: str) -> Rule | None:
    """Read a path pattern; None for one of another host."""
    pattern = value
    if _ABSOLUTE.match(value):
        try:
            named = (urlsplit(value).hostname or "").removeprefix("www.")
        except ValueError:
            return None
        if host and named != host.lower().removeprefix("www."):
            return None
        rest = value.partition("://")[2]
        pattern = rest[len(re.split(r"[/?*]", rest, maxsplit=1)[0]) :] or "/"
    if not pattern.startswith(("/", "*")):
        pattern = f"/{pattern}"
    ends = pattern.endswith("$")
    pieces = (pattern[:-1] if ends else pattern).split("*")
    normal = []
    in_query = False
    for piece in pieces:
        normal.append(_normal(piece, in_query))
        in_query = in_query or "?" in piece
    octets = sum(map(len, normal)) + len(pieces) - 1 + ends
    return Rule(allow, value, line, normal[0], tuple(normal[1:]), ends, octets)


def pattern_rule(pattern: str) -> Rule | None:
    """Return what finds paths by a pattern like those of robots.txt; None: there is none."""
    return _rule(True, pattern, 0, "") if pattern else None


def _signal(name: str, value: str, line: int) -> Signal:
    pattern, _, rest = value.partition(" ")
    if pattern.startswith("/"):
        return Signal(name, rest.strip(_BLANKS)[:MAX_WISH_CHARS], _rule(True, pattern, line, ""))
    return Signal(name, value[:MAX_WISH_CHARS])


def _normal(text: str, in_query: bool = False) -> str:
    """Write a path, or a piece of one, so that what means the same is spelt the same.

    All that is not ASCII is escaped, escapes of visible ASCII are undone, reserved characters
    included: both sides of a comparison pass through here. `%2F` and `%3F` in a path stay, since
    they are no delimiters, and so do `%23` and `%25`.

    Source: RFC 9309 §2.2.2.
    """
    if in_query:
        return _ESCAPE.sub(_in_query, text)
    path, mark, query = text.partition("?")
    path = _ESCAPE.sub(_in_path, path)
    return path + mark + _ESCAPE.sub(_in_query, query) if mark else path


def _in_path(match: re.Match[str]) -> str:
    return _escape(match, _KEPT_IN_PATH)


def _in_query(match: re.Match[str]) -> str:
    return _escape(match, _KEPT_IN_QUERY)


def _escape(match: re.Match[str], kept: frozenset[str]) -> str:
    if match[1]:
        char = chr(int(match[1], 16))
        bare = "!" <= char <= "~" and char not in kept and char not in _ESCAPED
        return char if bare else match[0].upper()
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace"))


def _delay_s(value: str) -> float | None:
    """Return seconds; None for what is no number of them."""
    try:
        delay_s = float(value.lower().removesuffix("s"))
    except ValueError:
        return None
    return delay_s if math.isfinite(delay_s) and delay_s >= 0 else None
