"""What the owner of a page wishes crawlers to do with it: by meta, header and robots.txt. Pure.

A wish is a short string, kept sorted on the neuron:

- `noindex` `nofollow` `noarchive` `nosnippet` `noimageindex` `notranslate`,
  `unavailable_after=TIME`: meta robots and X-Robots-Tag, for all or for our product token.
- `noai` `noimageai` `noml`: the same places.
- `tdm-reserved` and `tdm-policy=URL`: TDM Reservation Protocol, header or meta; where a page itself
  says neither yes nor no, its origin's tdmrep.json.
- `ai-train=no` and the like: Content-Signal, in robots.txt or as a header; only what is denied.
- `train-ai=n` and the like: Content-Usage, in robots.txt or as a header; only what is denied.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from graphcrawl.robots_rules import AGENT, MAX_WISH_CHARS, product_token

METAS: Final = frozenset({"robots", "tdm-reservation", "tdm-policy"})  # and our product token
_TDM: Final = "tdm-reservation"
_MAX_WISHES: Final = 30

_SINGLE = {
    "noindex": ("noindex",),
    "nofollow": ("nofollow",),
    "none": ("noindex", "nofollow"),
    "noarchive": ("noarchive",),
    "nocache": ("noarchive",),  # as Bing has it
    "nosnippet": ("nosnippet",),
    "max-snippet:0": ("nosnippet",),
    "noimageindex": ("noimageindex",),
    "notranslate": ("notranslate",),
    "noai": ("noai",),
    "noimageai": ("noimageai",),
    "noml": ("noml",),
}
_NO_TEXT = frozenset({"noindex", "noarchive", "nosnippet"})
_WITH_VALUE = frozenset(
    {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}
)
_AGENT = re.compile(r"\s*([\w*-]+)\s*:\s*(.*)", re.S)
_UNAVAILABLE = re.compile(
    r"unavailable_after\s*:\s*(.+?)\s*(?=$|,\s*(?:[a-z-]+\s*(?:,|$)|[\w-]+:\s*[a-z]))", re.I | re.S
)
_DENIED = re.compile(r"([a-z][a-z0-9-]{0,30})\s*=\s*\"?(no|n)\"?(?![\w-])", re.I)
_AI = frozenset({"noai", "noml", "tdm-reserved"})
_AI_USE = re.compile(r"(?:ai-train|train-ai|train-genai|tdm|ai|ai-input|ai-use|bots)=")


@dataclass(frozen=True, slots=True)
class Wishes:
    """The wishes about one page, and what follows from them."""

    all: tuple[str, ...] = ()  # sorted
    unavailable_after: datetime | None = None  # UTC

    @property
    def follow(self) -> bool:
        """Whether the page's links may be followed."""
        return "nofollow" not in self.all

    @property
    def index(self) -> bool:
        """Whether the page may be found by its content."""
        return "noindex" not in self.all

    @property
    def reserved(self) -> bool:
        """Whether text and data mining or AI training is reserved, by whatever means."""
        return any(wish in _AI or _AI_USE.match(wish) for wish in self.all)

    def keeps_text(self, now: datetime) -> bool:
        """Whether the page's text may be kept at that time."""
        ended = self.unavailable_after is not None and self.unavailable_after <= now
        return not ended and _NO_TEXT.isdisjoint(self.all)


NO_WISHES: Final = Wishes()


def read_wishes(
    metas: Iterable[tuple[str, str]], lines: Iterable[tuple[str, str]], agent: str = AGENT
) -> Wishes:
    """Put together what metas, headers and robots.txt lines say; the strictest counts.

    Args:
        metas: Name in lower case and content of `METAS`, and of those named as the agent.
        lines: Name in lower case and value of headers, and of the lines of robots.txt.
        agent: Product token in lower case; what is addressed to others does not concern us.

    Source: developers.google.com, robots meta tag; W3C TDMRep; contentsignals.org; IETF AIPREF.
    """
    found: set[str] = set()
    times: list[datetime] = []
    lines, metas = list(lines), list(metas)
    if any(name == _TDM and value.strip() in ("0", "1") for name, value in (*metas, *lines)):
        lines = [line for line in lines if not line[0].startswith("tdmrep-")]
    for name, content in metas:
        if name in ("robots", agent):
            _directives(content, found, times)
        else:
            found.update(_plain(name, content))
    for name, value in lines:
        if name == "x-robots-tag":
            for part in _for_us(value, agent):
                _directives(part, found, times)
        else:
            found.update(_plain(name, value))
    if not found and not times:
        return NO_WISHES
    until = min(times, default=None)
    if until is not None:
        found.add(f"unavailable_after={until:%Y-%m-%dT%H:%M:%SZ}")
    return Wishes(tuple(sorted(found)[:_MAX_WISHES]), until)


def _directives(text: str, found: set[str], times: list[datetime]) -> None:
    """Take the directives of one meta or header, separated by commas, or by blanks alone."""
    text = text[:MAX_WISH_CHARS]
    for match in _UNAVAILABLE.finditer(text):
        if (until := _time(match[1])) is not None:
            times.append(until)
    rest = _UNAVAILABLE.sub("", text).lower()
    for word in re.split(r"[,;\s]+", re.sub(r"\s*:\s*", ":", rest)):
        found.update(_SINGLE.get(word, ()))


def _for_us(value: str, agent: str) -> Iterator[str]:
    """Yield the parts of an X-Robots-Tag that are for all or for us: `otherbot: noindex, nofollow`.

    A name holds for what follows it, up to the next name.
    """
    ours = True
    kept: list[str] = []
    for part in value[:MAX_WISH_CHARS].split(","):
        said = part
        match = _AGENT.match(part)
        if match and match[1].lower() not in _WITH_VALUE and not match[1].isdigit():
            if ours and kept:
                yield ",".join(kept)
            ours, kept, said = product_token(match[1]) in ("*", agent), [], match[2]
        kept.append(said)
    if ours:
        yield ",".join(kept)


def _plain(name: str, value: str) -> Iterator[str]:
    """Yield the wishes of TDMRep, Content-Signal and Content-Usage."""
    value = value[:MAX_WISH_CHARS].strip()
    match name:
        case "tdm-reservation" | "tdmrep-reservation":
            if value == "1":
                yield "tdm-reserved"
        case "tdm-policy" | "tdmrep-policy":
            if value:
                yield f"tdm-policy={value[:200]}"
        case "content-signal" | "content-usage":
            for match in _DENIED.finditer(value):
                yield f"{match[1]}={match[2]}".lower()


def _time(text: str) -> datetime | None:
    """Read ISO 8601 or the forms of RFC 822 and RFC 850; a zone that nobody knows is UTC."""
    text = text.strip(" \"'")
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            time = read(text)
            return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)
        except (ValueError, IndexError, TypeError, OverflowError):
            continue
    return None
