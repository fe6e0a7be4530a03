"""Which query parameters say nothing about a page: trackers and session ids, dropped from URLs.

The list is a setting (`crawl.tracking`). It is part of what a canonical URL is: whoever reads the
settings calls `use` once, before any URL is made canonical. It is kept in a context variable: tasks
and threads of a crawl inherit it, other crawls do not see it.
"""

import re
from collections.abc import Iterable
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache

TRACKING: tuple[str, ...] = tuple(
    # campaigns and clicks
    "utm_* mtm_campaign mtm_cid mtm_content mtm_group mtm_keyword mtm_kwd mtm_medium mtm_placement "
    "mtm_source pk_campaign pk_cid pk_content pk_keyword pk_kwd pk_medium pk_source "
    "fbclid gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid msclkid yclid "
    "ysclid twclid ttclid igshid li_fat_id epik s_kwcid wickedid _openstat "
    # newsletters and visitors
    "mc_cid mc_eid mkt_tok _hsenc _hsmi __hstc __hssc __hsfp hsctatracking vero_id oly_anon_id "
    "oly_enc_id _gl _ga "
    # sessions
    "jsessionid phpsessid aspsessionid* sid=hex sessid=hex sessionid=hex session_id=hex "
    "session=hex oscsid=hex zenid=hex".split()
)

_ENTRY = re.compile(r"[^\s=&?#*;/]+(?:\*|=hex)?")
_HEX_VALUE = re.compile(r"[0-9a-f]{32,}", re.I)  # a session's; a shorter one may name a page
_PATH_NAMES = ("jsessionid", "phpsessid")  # servers write these behind a semicolon in the path


@dataclass(frozen=True, slots=True)
class Tracking:
    """The list, ready to be asked."""

    names: frozenset[str]
    prefixes: tuple[str, ...]
    sessions: frozenset[str]  # dropped only where the value is one of a session
    in_path: re.Pattern[str] | None

    def drops(self, parameter: str) -> bool:
        """Tell whether `name=value`, as it stands in a query, is to be dropped."""
        name, _, value = parameter.partition("=")
        name = name.lower()
        return (
            name in self.names
            or (bool(self.prefixes) and name.startswith(self.prefixes))
            or (name in self.sessions and _HEX_VALUE.fullmatch(value) is not None)
        )


@lru_cache(maxsize=64)
def read_list(entries: tuple[str, ...]) -> Tracking:
    """Read a list of parameters: `name`, `beginning*`, or `name=hex`, in any case.

    `name=hex` is dropped only where its value has 32 or more hexadecimal digits and nothing else,
    as session ids have: `?sid=1` may be a page. `jsessionid` and `phpsessid` are dropped from the
    path too.

    Raises:
        ValueError: An entry is none of these.
    """
    for entry in entries:
        if not _ENTRY.fullmatch(entry):
            raise ValueError(f"{entry!r} is no parameter such as utm_*, fbclid or sid=hex")
    lower = [entry.lower() for entry in entries]
    names = frozenset(entry for entry in lower if entry[-1] != "*" and not entry.endswith("=hex"))
    in_path = [name for name in _PATH_NAMES if name in names]
    return Tracking(
        names=names,
        prefixes=tuple(entry[:-1] for entry in lower if entry[-1] == "*"),
        sessions=frozenset(entry[:-4] for entry in lower if entry.endswith("=hex")),
        in_path=re.compile(rf";(?:{'|'.join(in_path)})=[^;/]*", re.I) if in_path else None,
    )


_DEFAULT = read_list(TRACKING)
_current: ContextVar[Tracking | None] = ContextVar("tracking", default=None)


def use(entries: Iterable[str]) -> None:
    """Let URLs be made canonical by this list from now on, in this task and all that it starts.

    Raises:
        ValueError: An entry is no parameter.
    """
    _current.set(read_list(tuple(entries)))


def current() -> Tracking:
    """Return the list in use."""
    return _current.get() or _DEFAULT
