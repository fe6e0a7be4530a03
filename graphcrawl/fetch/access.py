"""What a crawl shows to be let in: extra headers, cookies of a file, credentials of single hosts.

Nothing that one host is given is ever sent to another, and nothing that servers set is kept.
"""

import base64
import os
import re
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy, LoadError, MozillaCookieJar
from pathlib import Path

from graphcrawl.errors import SettingsError
from graphcrawl.urls import host_key, host_name

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # a token of RFC 9110 §5.6.2
_VALUE = re.compile(r"[\x20-\x7e\x80-\xff\t]*")
_OTHERS = {  # headers that are set elsewhere, or are the connection's own
    "authorization": 'Put credentials where one host alone gets them: [hosts."example.org"]',
    "cookie": "Put cookies into a file: --cookies FILE",
    "user-agent": "Use --user-agent",
    "proxy-authorization": "Put user and password into --proxy",
    **dict.fromkeys(
        (
            "accept-encoding",
            "connection",
            "content-length",
            "expect",
            "host",
            "keep-alive",
            "range",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
        ),
        "Leave it out: the fetcher sets it as each request needs.",
    ),
}
Header = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class Access:
    """Headers beyond the usual ones."""

    headers: tuple[Header, ...] = ()  # to every host
    credentials: Mapping[str, bytes] = field(default_factory=dict, repr=False)  # see `key_of`
    cookies: CookieJar | None = field(default=None, repr=False)

    def headers_for(self, url: str) -> list[Header]:
        """Return what this URL alone gets: its host's credentials and its cookies."""
        found: list[Header] = []
        if self.credentials:
            found += [
                (b"Authorization", value)
                for name in keys_of(url)
                if (value := self.credentials.get(name))
            ][:1]
        if self.cookies is not None:
            request = urllib.request.Request(url)  # noqa: S310 - nothing is opened
            self.cookies.add_cookie_header(request)
            if cookie := request.get_header("Cookie"):
                found.append((b"Cookie", cookie.encode("latin-1", "ignore")))
        return found


def keys_of(url: str) -> list[str]:
    """Return the names under which credentials are meant for a canonical URL.

    A bare name is for https; `example.org:80` says that they may go over plain http. A name with
    another port is for that port, whatever is spoken there.
    """
    host = host_key(url)
    if host != host_name(host):
        return [host]
    return [host, f"{host}:443"] if url.startswith("https:") else [f"{host}:80"]


def read_headers(lines: Sequence[str]) -> tuple[Header, ...]:
    """Read `Name: value` lines.

    Raises:
        SettingsError: One is no header, or one that must not be set so.
    """
    found = []
    for line in lines:
        name, colon, value = line.partition(":")
        name, value = name.strip(), value.strip()
        if not colon or not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
            shown = name if _NAME.fullmatch(name) else "…"  # a value may be a secret
            raise SettingsError(
                f"The header {shown!r} cannot be sent.", "Write it as --header 'Name: value'"
            )
        if hint := _OTHERS.get(name.lower()):
            raise SettingsError(f"The header {name!r} cannot be set for all hosts.", hint)
        found.append((name.encode(), value.encode("latin-1")))
    return tuple(found)


def read_cookies(path: Path) -> CookieJar:
    """Read cookies as browsers' add-ons, curl and wget write them (cookies.txt).

    Raises:
        SettingsError: There is no such file, or it is something else.
    """
    exact = DefaultCookiePolicy(strict_ns_domain=DefaultCookiePolicy.DomainStrictNonDomain)
    jar = MozillaCookieJar(str(path), policy=exact)  # else cookies of a host go below it too
    try:
        jar.load(ignore_discard=True, ignore_expires=True)
    except (OSError, LoadError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not in the Netscape format"
        raise SettingsError(
            f"Cannot read the cookies of {path}: {why}.",
            "Export them as cookies.txt; its first line is: # Netscape HTTP Cookie File",
        ) from error
    for cookie in jar:
        if cookie.expires == 0:  # curl and wget write it for one that ends with a session
            cookie.expires = None
    return jar


def read_secret(source: str, setting: str) -> str:
    """Return a secret from where a setting says that it is kept.

    Args:
        source: `env:NAME` or `file:PATH`.
        setting: Its name, for messages.

    Raises:
        SettingsError: There is none.
    """
    kind, _, place = source.partition(":")
    if kind == "env":
        secret = os.environ.get(place, "")
    else:
        try:
            secret = Path(place).expanduser().read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(
                f"Setting {setting!r}: cannot read the file {place}.", "Give a file of one line."
            ) from error
    if not secret or not secret.isprintable():
        raise SettingsError(
            f"Setting {setting!r}: there is no secret in {source}.",
            f"export {place}=…" if kind == "env" else f"Write it into {place}, on one line.",
        )
    return secret


def basic(username: str, password: str) -> bytes:
    """Return the Authorization header of user and password. Source: RFC 7617."""
    return b"Basic " + base64.b64encode(f"{username}:{password}".encode())


def bearer(token: str) -> bytes:
    """Return the Authorization header of a token. Source: RFC 6750 §2.1."""
    return b"Bearer " + token.encode("latin-1", "replace")
