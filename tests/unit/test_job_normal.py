"""Dates, places and texts as people write them. Right values by hand and by the standards named."""

from datetime import UTC, datetime

import pytest

from graphcrawl.jobs.normal import parse_date, plain
from graphcrawl.jobs.places import country_code, read_place

NOW = datetime(2026, 11, 30, 14, tzinfo=UTC)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("2011-10-31", "2011-10-31"),
        ("2026-03-01T10:00:00+02:00", "2026-03-01 08:00"),
        ("2026-03-01T10:00:00-0500", "2026-03-01 15:00"),
        ("20260301T101500Z", "2026-03-01 10:15"),
        ("2026-03-01 10:00:00 UTC", "2026-03-01 10:00"),
        ("2026-W05-1", "2026-01-26"),
        ("20260301", "2026-03-01"),
        ("2026/3/1", "2026-03-01"),
        ("1700000000", "2023-11-14 22:13"),
        ("1700000000000", "2023-11-14 22:13"),
        ("Tue, 29 Jun 2021 22:49:39 GMT", "2021-06-29 22:49"),
        ("Sat, 12 Nov 16 05:00:00 EST", "2016-11-12 10:00"),
        ("Mon Nov 30 14:20:02 UTC 2026", "2026-11-30 14:20"),
        ("31.12.2025", "2025-12-31"),
        ("31/12/2025", "2025-12-31"),
        ("12/31/2025", "2025-12-31"),
        ("3/4/2026", "2026-04-03"),
        ("1.3.26", "2026-03-01"),
        ("31 October 2011", "2011-10-31"),
        ("Oct 31, 2011", "2011-10-31"),
        ("May 5th, 2026", "2026-05-05"),
        ("Nov 3, 2025 5:30 PM", "2025-11-03 17:30"),
        ("31. Oktober 2025", "2025-10-31"),
        ("31 Okt 2025 10:15 Uhr", "2025-10-31 10:15"),
        ("1er mars 2026", "2026-03-01"),
        ("12 de febrero de 2026", "2026-02-12"),
        ("2026年3月1日", "2026-03-01"),
        ("today", "2026-11-30"),
        ("yesterday", "2026-11-29"),
        ("3 days ago", "2026-11-27"),
        ("Posted 2 weeks ago", "2026-11-16"),
        ("vor 3 Tagen", "2026-11-27"),
        ("5 hours ago", "2026-11-30"),
        ("0000-00-00", None),
        ("2026-13-45", None),
        ("31.02.2026", None),
        ("March 2026", None),
        ("as soon as possible", None),
        ("2026", None),
        ("99999999999999999999", None),
        ("2026-01-31 10:00:00 EST", "2026-01-31T15:00"),
        ("2026-01-31T10:00 CET", "2026-01-31T09:00"),
        ("2026-01-31+01:00", "2026-01-30T23:00"),  # xsd:date
        ("2026-01-31T24:00:00", "2026-02-01"),  # ISO 8601-1:2004, 4.2.3
        ("01-Nov-26", "2026-11-01"),
        ("Sunday, 01-Nov-26 08:49:37 GMT", "2026-11-01 08:49"),  # RFC 850
        ("/Date(1700000000000)/", "2023-11-14 22:13"),
        ("/Date(1700000000000+0200)/", "2023-11-14 22:13"),
        ("1700000000.25", "2023-11-14 22:13"),
        ("5d ago", "2026-11-25"),
        ("30d+ ago", "2026-10-31"),
        ("2mo ago", "2026-10-01"),
        ("45m ago", "2026-11-30"),
        ("", None),
    ],
)
def test_dates(raw: str, said: str | None) -> None:
    found = parse_date(raw, NOW)
    assert found == (datetime.fromisoformat(said).replace(tzinfo=UTC) if said else None) or (
        found and said and found.replace(second=0) == datetime.fromisoformat(said + "+00:00")
    )


def test_seconds_before_a_named_zone() -> None:
    found = parse_date("2026-11-01T10:20:30Z[UTC]", NOW)  # java.time.ZonedDateTime
    assert found == datetime(2026, 11, 1, 10, 20, 30, tzinfo=UTC)


def test_american_order_where_both_are_dates() -> None:
    assert parse_date("3/4/2026", NOW, month_first=True) == datetime(2026, 3, 4, tzinfo=UTC)
    assert parse_date("31/12/2025", NOW, month_first=True) == datetime(2025, 12, 31, tzinfo=UTC)


@pytest.mark.parametrize(
    ("location", "city", "region", "country"),
    [
        ("Sunnyvale, CA, US", "Sunnyvale", "CA", "US"),
        ("Austin, TX", "Austin", "TX", "US"),
        ("Kirkland WA", "Kirkland", "WA", "US"),
        ("Toronto, ON", "Toronto", "ON", "CA"),
        ("Berlin, DE", "Berlin", "DE", ""),  # Germany or Delaware
        ("Atlanta, Georgia", "Atlanta", "Georgia", ""),  # a country and a state
        ("Los Angeles, ca", "Los Angeles", "CA", ""),  # California or Canada
        ("Chicago, Il", "Chicago", "IL", ""),  # Illinois or Israel
        ("Paris, FR", "Paris", "", "FR"),
        ("10115 Berlin, Germany", "Berlin", "", "DE"),
        ("Hauptstr. 5, 80331 München", "München", "", ""),
        ("München, Bayern, Deutschland", "München", "Bayern", "DE"),
        ("10 Downing St, London SW1A 2AA, United Kingdom", "London", "", "GB"),
        ("London SW1A 2AA", "London", "", ""),
        ("Genève, Suisse", "Genève", "", "CH"),
        ("Germany", "", "", "DE"),
        ("Remote", "", "", ""),
        ("Berlin; Hamburg", "", "", ""),
    ],
)
def test_places(location: str, city: str, region: str, country: str) -> None:
    place = read_place(location)
    assert (place.text, place.city, place.region, place.country) == (
        location, city, region, country,
    )  # fmt: skip


def test_what_is_said_by_itself_holds() -> None:
    place = read_place("", "Phoenix", "AZ", "USA")
    assert (place.text, place.city, place.region, place.country) == (
        "Phoenix, AZ, USA", "Phoenix", "AZ", "US",
    )  # fmt: skip
    assert read_place("Berlin, DE", country="Deutschland").country == "DE"
    assert read_place("", "Wilmington", "DE").country == ""


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("DE", "DE"), ("de", "DE"), ("DEU", "DE"), ("276", "DE"), ("Germany", "DE"),
        ("Allemagne", "DE"), ("Österreich", "AT"), ("UK", "GB"), ("England", "GB"), ("USA", "US"),
        ("U.S.", "US"), ("Czech Republic", "CZ"), ("EU", ""), ("Europe", ""), ("", ""),
    ],
)  # fmt: skip
def test_countries(name: str, code: str) -> None:
    assert country_code(name) == code


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("<p>Wir suchen <b>dich</b>.</p><ul><li>Kochen</li></ul>", "Wir suchen dich.\nKochen"),
        ("&lt;p&gt;R&amp;amp;D&lt;/p&gt;", "R&D"),
        ("<![CDATA[Fahren &amp; Laden]]>", "Fahren & Laden"),
        ("![CDATA[100000]]", "100000"),
        ("a < b and c > d", "a < b and c > d"),
        ("<script>x</script>a<!-- b --><style>c</style>d", "a d"),
        ("a\0b\ud800c", "abc"),
    ],
)
def test_plain_text(value: str, text: str) -> None:
    assert plain(value, lines=True) == text
