"""What both kinds of markup are read into, before URLs are resolved."""

from dataclasses import dataclass, field
from typing import NamedTuple


class Found(NamedTuple):
    """One link as it is written."""

    raw: str
    anchor: str
    rel: str = ""
    position: str = "body"
    type: str = ""  # media type that the link announces
    around: str = ""  # text before and after it, where cues are wanted
    path: str = ""  # tags from the outside in, where cues are wanted


@dataclass(frozen=True, slots=True)
class Content:
    """Title, visible text and links of a document."""

    title: str = ""
    language: str = ""  # as declared
    text: str = ""
    base: str = ""  # what links are relative to, when the document says so itself
    refresh: str = ""  # where it sends its readers at once, as written
    scripts: int = 0
    fields: int = 0  # of forms, that a reader may fill in
    frames: int = 0
    found: list[Found] = field(default_factory=list)
    metas: tuple[tuple[str, str], ...] = ()  # name and content of those that state wishes
    canonicals: list[str] = field(default_factory=list)  # as written in the head


def squeeze(text: str) -> str:
    """Return text in one line: each run of white space is one space; soft hyphens vanish."""
    if "\xad" in text:
        text = text.replace("\xad", "")
    return " ".join(text.split())
