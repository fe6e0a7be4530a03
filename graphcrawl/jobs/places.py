"""Places as people write them → city, region and country, where they say so for sure."""

import re
from dataclasses import dataclass
from functools import cache

from graphcrawl.jobs.normal import LANGUAGES

_US = frozenset(
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM "
    "NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC".split()
)
_CANADA = frozenset("AB BC MB NB NL NS NT NU ON PE QC SK YT".split())
# What people call countries besides their names in CLDR.
_CALLED = {
    "uk": "GB", "u.k.": "GB", "england": "GB", "scotland": "GB", "wales": "GB", "britain": "GB",
    "northern ireland": "GB", "great britain": "GB", "usa": "US", "u.s.": "US", "u.s.a.": "US",
    "united states of america": "US", "america": "US", "holland": "NL", "the netherlands": "NL",
    "czech republic": "CZ", "republic of ireland": "IE", "korea": "KR", "russian federation": "RU",
    "uae": "AE", "brasil": "BR", "türkei": "TR", "turkey": "TR",
}  # fmt: skip
_ALSO_STATES = frozenset({"georgia"})  # a country and a state by name
_NO_COUNTRY = frozenset("EU EZ UN QO XA XB ZZ".split())
_ANYWHERE = re.compile(
    r"\b(?:remote|anywhere|worldwide|nationwide|home ?-?office|telecommute|hybrid|various|multiple|"
    r"bundesweit|deutschlandweit|weltweit|télétravail|teletrabajo|virtual)\b",
    re.I,
)
_SEVERAL = re.compile(r"[;|•/]| und | and | or | oder ")
_POSTCODE = re.compile(
    r"\b[A-Z]{1,2}\d[A-Z\d]?\s*\d[A-Z]{2}\b|\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b|\S*\d\S*"
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a job is: `text` in one line, the rest only where it is known."""

    text: str = ""
    city: str = ""
    region: str = ""
    country: str = ""  # ISO 3166-1 alpha-2


def country_code(name: str) -> str:
    """Return the ISO 3166-1 alpha-2 code of a country by its code, number or name; "" if unknown.

    Source: ISO 3166-1; names in several languages by CLDR.
    """
    return _countries().get(name.strip(" .,()").casefold(), "") or _CALLED.get(
        name.strip().casefold(), ""
    )


def read_place(location: str, city: str = "", region: str = "", country: str = "") -> Place:
    """Put a place together from what is said of it.

    `Sunnyvale, CA, US`, `10115 Berlin, Germany` and `Kirkland WA` say city, region and country;
    of `Berlin, DE` nobody can tell whether Germany or Delaware is meant, so it has no country.

    Args:
        location: All in one text, or "".
        city: By itself, or "".
        region: State or province, or "".
        country: Code or name, or "".
    """
    code = country_code(country)
    text = location or ", ".join(dict.fromkeys(part for part in (city, region, country) if part))
    if location and not _ANYWHERE.search(location) and not _SEVERAL.search(location):
        found = _take_apart([part.strip() for part in location.split(",") if part.strip()], code)
        if not country or found.country == code:
            return Place(text, city or found.city, region or found.region, code or found.country)
    if not code and region in _US - {"DE"} and not country:
        code = "US"
    return Place(text, city, region, code)


def _take_apart(parts: list[str], country: str) -> Place:
    region = ""
    if len(parts) == 1:  # "Kirkland WA"
        head, _, tail = parts[0].rpartition(" ")
        if head and tail in _US and not country_code(tail):
            parts = [head, tail]
    last = parts[-1]
    state = last.upper() if len(last) == 2 else ""
    if state in _US | _CANADA and len(parts) > 1:  # "ca" too: no country is meant for sure
        region = state
        parts = parts[:-1]
        sure = "US" if state in _US else "CA"
        country = country or ("" if country_code(state) else sure)
    elif last.casefold() in _ALSO_STATES and len(parts) > 1 and not country:
        region, parts = last, parts[:-1]
    elif (code := country_code(last)) and country in ("", code):
        country, parts = code, parts[:-1]
        if len(parts) > 1 and (parts[-1] in _US | _CANADA or not _has_figure(parts[0])):
            region, parts = _without_postcode(parts[-1]), parts[:-1]
    cities = [_without_postcode(part) for part in parts]
    street_first = len(parts) > 1 and _has_figure(parts[0])
    city = next((name for name in cities[1 if street_first else 0 :] if name), "")
    return Place("", city, region, country)


def _has_figure(part: str) -> bool:
    return any(char.isdigit() for char in part)


def _without_postcode(part: str) -> str:
    return " ".join(_POSTCODE.sub(" ", part).split())


@cache
def _countries() -> dict[str, str]:
    from babel import Locale  # noqa: PLC0415 - slow to import, and not always needed
    from babel.core import get_global  # noqa: PLC0415

    codes = {
        code
        for code in map(str, Locale("en").territories)
        if len(code) == 2 and code.isalpha() and code not in _NO_COUNTRY
    }
    found = {code.casefold(): code for code in codes}
    for alias, meant in get_global("territory_aliases").items():
        if len(alias) == 3 and len(meant) == 1 and meant[0] in codes:
            found.setdefault(alias.casefold(), meant[0])
    for language in LANGUAGES:
        names = Locale(language).territories
        for code in codes:
            if name := names.get(code):
                found.setdefault(name.casefold(), code)
    return found
