"""Which URL a page names as its canonical form: `link rel=canonical` in its head, or a Link header.

Whether that word is taken is another matter, see `folding`.
"""

import re
from collections.abc import Iterable

from graphcrawl.urls import canonical

# Source: RFC 8288 §3: <URI-Reference>; parameters, where a value may be a quoted string.
_LINK = re.compile(
    r"<([^<>]*)>((?:\s*;\s*[\w*!#$&+.^`|~-]+(?:\s*=\s*(?:\"(?:[^\"\\]|\\.)*\"|[^\s;,\"]*))?)*)"
)
_REL = re.compile(r";\s*rel\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^\s;,\"]*))", re.I)
_ANCHOR = re.compile(r";\s*anchor\s*=", re.I)
_MAX_HEADER_CHARS = 65_536


def header_canonicals(header: str) -> list[str]:
    """Return the targets of `rel=canonical` in Link headers, as written.

    Only the first `rel` of a link counts, and a link with an `anchor` speaks of another page.
    Source: RFC 8288 §3.2, §3.3.
    """
    found = []
    for match in _LINK.finditer(header[:_MAX_HEADER_CHARS]):
        rel = _REL.search(match[2])
        words = (rel[1] or rel[2] or "").lower().split() if rel else []
        if "canonical" in words and not _ANCHOR.search(match[2]):
            found.append(match[1].strip())
    return found


def named_canonical(stated: Iterable[str], base: str, header: str, url: str) -> str:
    """Return the one URL that a page names as its canonical form, or "" where it names none.

    A page that contradicts itself names none, and neither does one that names something without a
    place in the web; a fragment names a part of a page. One that names itself says nothing.
    Source: RFC 6596 §3, §5; HTML Living Standard, link type canonical.

    Args:
        stated: What stands in the head, as written.
        base: What that is relative to.
        header: Link headers, joined by commas; relative to the page.
        url: The page's own canonical URL.
    """
    written = [(raw.strip(), base) for raw in stated]
    if header:
        written += [(raw, url) for raw in header_canonicals(header)]
    written = [(raw, of) for raw, of in written if raw]
    targets = {canonical(raw, of) if raw.partition("#")[2] == "" else None for raw, of in written}
    if len(targets) != 1:
        return ""
    (target,) = targets
    return target if target and target != url else ""
