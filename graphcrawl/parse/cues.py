"""Links as hashed features: what they say, what stands around them, where they stand."""

import re

from graphcrawl.scoring.words import MAX_WORD_CHARS, cue_id, words_of

ANCHOR, AROUND, PLACE, FACT = range(4)  # namespaces
MAX_CUES = 24
MAX_ANCHOR_WORDS = 9
MAX_AROUND_WORDS = 8
_PATH_TAGS = 4

_NAVIGATION = re.compile(
    r"(?:next|prev(?:ious)?|back|home(?: ?page)?|top|up|more|menu|login|log in|sign in|register|"
    r"contact(?: us)?|about(?: us)?|imprint|impressum|privacy(?: policy)?|terms|sitemap|help|"
    r"search|weiter|zurück|startseite|mehr|suche|hilfe|suivant|précédent|accueil|siguiente|"
    r"anterior|inicio|[\d\s.…]*)",
    re.I,
)

_ARROWS = " «»‹›←→<>|\t\n"


def cues_of(anchor: str, around: str, path: str, position: str) -> tuple[int, ...]:
    """Return what a link shows as numbers below 2^20: at most 24, each once.

    They are `namespace << 17 | hash of a word in 17 bits`. Namespace 0 has the words of the
    anchor (up to 9), 1 those around the link (up to 8), 2 the place of the link: its region, its
    tag path, the end of that path; 3 what the anchor is like: how long, how many words, whether it
    has numbers, whether it is there to lead readers about [004.features].

    Args:
        anchor: Text of the link.
        around: Text before and after it.
        path: Tags from the outside in, joined by ">", such as "main>ul>li>a".
        position: The region of the page.
    """
    said = dict.fromkeys(word[:MAX_WORD_CHARS] for word in words_of(anchor))
    near = dict.fromkeys(
        word for word in words_of(around) if 1 < len(word) <= MAX_WORD_CHARS and word not in said
    )
    tags = path.split(">")[-_PATH_TAGS:] if path else []
    cues = [cue_id(ANCHOR, word) for word in list(said)[:MAX_ANCHOR_WORDS]]
    cues += [cue_id(AROUND, word) for word in list(near)[:MAX_AROUND_WORDS]]
    cues.append(cue_id(PLACE, position))
    if tags:
        cues.append(cue_id(PLACE, ">".join(tags)))
        cues.append(cue_id(PLACE, ">".join(tags[-2:])))
    cues.append(cue_id(FACT, f"chars {min(len(anchor), 127).bit_length()}"))
    cues.append(cue_id(FACT, f"words {min(len(said), 6)}"))
    if any(map(str.isdigit, anchor)):
        cues.append(cue_id(FACT, "numbers"))
    if is_navigational(anchor):
        cues.append(cue_id(FACT, "navigational"))
    return tuple(dict.fromkeys(cues))[:MAX_CUES]


def is_navigational(anchor: str) -> bool:
    """Tell whether an anchor only leads readers about: next, previous, home, a page number."""
    said = anchor.strip(_ARROWS)
    return anchor != "" and _NAVIGATION.fullmatch(said) is not None
