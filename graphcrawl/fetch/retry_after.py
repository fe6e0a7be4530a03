"""How long a server asks to wait: the Retry-After header in all forms that are sent."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_SECONDS = re.compile(r"\d+(?:\s*,\s*\d+)*", re.ASCII)  # sent twice, two are joined by a comma
_LONGEST_S = 10**9


def retry_after_s(value: str, date: str, now: datetime | None = None) -> float | None:
    """Return the seconds to wait; None for nonsense, negative numbers and times gone by.

    Seconds, the three forms of HTTP dates and ISO 8601 are read. A date is compared with the
    server's own clock where it says what it shows.

    Args:
        value: The Retry-After header.
        date: The Date header, "" where there is none.
        now: For tests: our own clock.

    Source: RFC 9110 §10.2.3 and §5.6.7.
    """
    value = value.strip()
    if _SECONDS.fullmatch(value):
        return float(max(min(int(part.strip()[:12]), _LONGEST_S) for part in value.split(",")))
    until = _date(value)
    seen_at = _date(date) or now or datetime.now(UTC)
    if until is None or until < seen_at:
        return None
    return min((until - seen_at).total_seconds(), float(_LONGEST_S))


def _date(value: str) -> datetime | None:
    for read in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            date = read(value)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
        return (
            date.astimezone(UTC)
            if date.tzinfo and 1 < date.year < 9999
            else date.replace(tzinfo=UTC)
        )
    return None
