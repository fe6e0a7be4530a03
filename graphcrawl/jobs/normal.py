"""Dates and texts as people write them → one form. What cannot be read for sure stays raw."""

import html
import re
from datetime import UTC, datetime, timedelta, timezone
from functools import cache, lru_cache

from graphcrawl.parse.content import squeeze

# The languages whose names of months and countries are known.
LANGUAGES = tuple("en de fr es it nl pt pl sv da nb fi cs".split())
_YEARS = range(1970, 2200)

_ISO = re.compile(
    r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d+)?)?"
    r"\s*(Z|[A-Z]{2,4}|[+-]\d{2}(?::?\d{2})?)?"
)
_TIME_MARK = re.compile(r"^T(?=\d)")
_XSD_DATE = re.compile(r"(\d{4}-\d{2}-\d{2})([+-]\d{2}:\d{2})")
# Seconds or milliseconds since 1970, with a fraction or as ASP.NET writes them.
_SINCE_1970 = re.compile(r"(?:/Date\()?(\d{9,13})(?:\.\d+|(?:[+-]\d{4})?\)/)")
_EAST_ASIAN = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]")
_NUMERIC = re.compile(r"(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4}|\d{2})\b")
_TIME = re.compile(r"\b(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d+)?(?:\s*([ap])\.?(?:m\b|\b))?", re.I)
_ZONE = re.compile(r"(?<=[\d\s])([+-])(\d{2}):?(\d{2})\b|\b([A-Z]{1,4})\b\s*$")
_WORD = re.compile(r"[^\W\d_]+")
_DAY = re.compile(r"(?<![\d:])(\d{1,2})(?:st|nd|rd|th|er|º|ª)?(?![\d:])", re.I)
_YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)")
_SHORT_YEAR = re.compile(r"(?<=[\s'-])(\d{2})(?=\s+\d{1,2}:|\s*$)")
_AGO = re.compile(
    r"(?:(\d{1,3})\+?\s*|(?:an?|einer?m?|une?)\s+)(minut|hour|stunde|heure|hora|day|tag|jour|d[ií]a|"
    r"week|woche|semaine|semana|month|monat|mois|mes|(?:m|h|d|w|mo)\b)",
    re.I,
)
_IS_AGO = re.compile(r"\bago\b|\bvor\b|\bil y a\b|\bhace\b", re.I)
_DAYS_OF = {"minut": 0, "hour": 0, "stunde": 0, "heure": 0, "hora": 0, "week": 7, "woche": 7}
_DAYS_OF |= {"m": 0, "h": 0, "w": 7, "mo": 30}
_DAYS_OF |= {"semaine": 7, "semana": 7, "month": 30, "monat": 30, "mois": 30, "mes": 30}
_NEAR = {"today": 0, "just posted": 0, "now": 0, "heute": 0, "aujourd'hui": 0, "hoy": 0}
_NEAR |= {"yesterday": 1, "gestern": 1, "hier": 1, "ayer": 1}
# Hours from UTC. Source: RFC 822 §5.1; CET, CEST and BST besides.
_ZONES = {"Z": 0, "UT": 0, "UTC": 0, "GMT": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5}
_ZONES |= {"MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "CET": 1, "CEST": 2, "BST": 1}

_WRAPPED = re.compile(r"\s*<?!\[CDATA\[(.*?)\]\]>?\s*\Z", re.S)
_UNSEEN = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)", re.I | re.S)
_LINE_TAG = re.compile(
    r"</?(?:br|p|div|li|ul|ol|tr|table|h[1-6]|section|article|header|footer|blockquote|dt|dd|hr)"
    r"\b[^<>]*>",
    re.I,
)
_TAG = re.compile(r"</?[a-z][\w:-]*(?:\s[^<>]*)?/?>|<![a-z][^<>]*>", re.I)
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_ESCAPED = re.compile(r"&(?:\w{2,8}|#\d{1,7}|#x[0-9a-f]{1,6});", re.I)


def plain(value: str, *, lines: bool = False) -> str:
    """Return text without tags, entities and CDATA marks that were escaped along with it.

    Args:
        value: What an element or property holds, perhaps HTML, perhaps escaped once too often.
        lines: Keep a line for each block; otherwise all is one line.
    """
    for _ in range(2):  # markup inside may be escaped once more
        if match := _WRAPPED.match(value):
            value = match[1]
        if "<" in value:
            value = _UNSEEN.sub(" ", value)
            value = _TAG.sub("", _LINE_TAG.sub("\n", value))
        if "&" not in value or not _ESCAPED.search(value):
            break
        value = html.unescape(value)
    value = _UNSTORABLE.sub("", value)
    if not lines:
        return squeeze(value)
    return "\n".join(line for part in value.splitlines() if (line := squeeze(part)))


def parse_date(raw: str, now: datetime, *, month_first: bool = False) -> datetime | None:
    """Return what a date or time says, in UTC; None where it cannot be told.

    A time without a zone is taken as UTC, a date without a time as its midnight. `3/4/2026` is the
    third of April unless `month_first`; where only one reading is a date, that one holds.
    Source: ISO 8601, RFC 822 and RFC 5322, names of months by CLDR.

    Args:
        raw: As written.
        now: What `yesterday` and `3 days ago` count from.
        month_first: American order of ambiguous figures.
    """
    text = squeeze(raw)
    if not text or len(text) > 80:
        return None
    if (days := _days_ago(text)) is not None:
        midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        return midnight - timedelta(days=days)
    return _absolute(text, month_first)


def _days_ago(text: str) -> int | None:
    folded = text.casefold().removeprefix("posted ")
    if folded in _NEAR:
        return _NEAR[folded]
    if _IS_AGO.search(folded) and (match := _AGO.search(folded)):
        return int(match[1] or 1) * _DAYS_OF.get(match[2], 1)
    return None


@lru_cache(maxsize=4096)
def _absolute(text: str, month_first: bool) -> datetime | None:
    try:
        return _read(text, month_first)
    except (ValueError, OverflowError):
        return None


def _read(text: str, month_first: bool) -> datetime | None:
    match = _SINCE_1970.fullmatch(text)
    if match or text.isdigit():
        return _figures(match[1] if match else text)
    if match := _XSD_DATE.fullmatch(text):  # midnight there; Python would take the zone for a time
        text = f"{match[1]}T00:00{match[2]}"
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        pass
    else:
        return _checked(found if found.tzinfo else found.replace(tzinfo=UTC))
    if match := _EAST_ASIAN.search(text):
        return _checked(_at(int(match[1]), int(match[2]), int(match[3]), text))
    if match := _ISO.match(text):
        year, month, day = (int(part) for part in match.groups()[:3])
        return _checked(_at(year, month, day, _TIME_MARK.sub(" ", text[match.end(3) :])))
    if match := _NUMERIC.search(text):
        first, second, year = int(match[1]), int(match[3]), int(match[4])
        month_leads = second > 12 or (first <= 12 and month_first and match[2] != ".")
        day, month = (second, first) if month_leads else (first, second)
        rest = text[match.end() :]
        return _checked(_at(year if year > 99 else 2000 + year, month, day, rest))
    return _worded(text)


def _figures(text: str) -> datetime | None:
    if len(text) == 8:
        return _checked(datetime.strptime(text, "%Y%m%d").replace(tzinfo=UTC))
    if len(text) == 14:
        return _checked(datetime.strptime(text, "%Y%m%d%H%M%S").replace(tzinfo=UTC))
    if len(text) in (9, 10, 13):  # seconds or milliseconds since 1970
        seconds = int(text) / (1000 if len(text) == 13 else 1)
        return _checked(datetime.fromtimestamp(seconds, UTC))
    return None


def _worded(text: str) -> datetime | None:
    months = (_months().get(word.casefold()) for word in _WORD.findall(text))
    month = next((number for number in months if number), None)
    year_match = _YEAR.search(text) or _SHORT_YEAR.search(text)
    if month is None or year_match is None:
        return None
    year = int(year_match[1]) + (2000 if len(year_match[1]) == 2 else 0)
    day = next((m for m in _DAY.finditer(text) if m.start() != year_match.start()), None)
    if day is None:
        return None
    return _checked(_at(year, month, int(day[1]), text))


def _at(year: int, month: int, day: int, rest: str) -> datetime:
    """Return the day at the time and in the zone that the rest of the text names."""
    hour = minute = second = 0
    zone: timezone = UTC
    if time := _TIME.search(rest):
        hour, minute, second = int(time[1]), int(time[2]), int(time[3] or 0)
        if time[4]:
            hour = hour % 12 + (12 if time[4].lower() == "p" else 0)
        if match := _ZONE.search(rest, time.end(2)):
            if match[1]:
                offset = timedelta(hours=int(match[2]), minutes=int(match[3]))
                zone = timezone(-offset if match[1] == "-" else offset)
            else:
                zone = timezone(timedelta(hours=_ZONES.get(match[4], 0)))
    ends_day = (hour, minute, second) == (24, 0, 0)  # ISO 8601: the midnight after
    moment = datetime(year, month, day, 0 if ends_day else hour, minute, second, tzinfo=zone)
    return moment + timedelta(days=1) if ends_day else moment


def _checked(moment: datetime) -> datetime | None:
    return moment.astimezone(UTC) if moment.year in _YEARS else None


@cache
def _months() -> dict[str, int]:
    from babel import Locale  # noqa: PLC0415 - slow to import, and not always needed

    names: dict[str, int] = {"sept": 9}
    for language in LANGUAGES:
        widths = Locale(language).months
        for use in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for number, name in widths[use][width].items():
                    word = name.strip(".").casefold()
                    if _WORD.fullmatch(word):
                        names.setdefault(word, number)
    return names
