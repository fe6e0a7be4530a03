"""The values that the generated web is made of."""

from dataclasses import dataclass
from datetime import date
from typing import Literal

Role = Literal["page", "closed", "aside", "trap"]
Form = Literal["rss", "atom", "hr-xml", "source-job", "jobs-job"]
Delivery = Literal["plain", "duplicated", "redirected", "gz", "bom", "mislabelled"]


@dataclass(frozen=True, slots=True)
class Resource:
    """What the server answers for one URL."""

    body: bytes
    content_type: str = "text/html; charset=utf-8"
    status: int = 200
    location: str = ""  # of a redirect
    delay_s: float = 0.0  # before the answer
    role: Role = "page"  # page: a polite crawl requests it; closed: robots.txt forbids it;
    # aside: robots.txt and the style sheet; trap: beyond the entrance of the endless calendar


Pages = dict[str, Resource]  # of one host, by path and query


def origin(host: str, port: int) -> str:
    """Return `http://HOST:PORT`, without the port where it is HTTP's own."""
    return f"http://{host}" if port == 80 else f"http://{host}:{port}"


@dataclass(frozen=True, slots=True)
class Site:
    """One host: its name and its looks."""

    host: str  # without the port
    base: str  # see `origin`
    name: str
    kind: str  # portal, catalogue, board, aggregator, staffing, company, blog, shop, manual, club
    motto: str
    hue: int  # degrees on the colour wheel
    nav: tuple[tuple[str, str], ...]  # (path, label)
    foot: tuple[tuple[str, str], ...] = ()

    def url(self, path: str = "/") -> str:
        """Return the absolute URL of a path."""
        return self.base + path


@dataclass(frozen=True, slots=True)
class Ad:
    """One open position."""

    number: int
    role: str
    firm: str
    city: str
    hours: str
    salary: str  # for people
    posted: date
    closes: date
    text: str
    path: str  # on the site of the employer
    url: str


@dataclass(frozen=True, slots=True)
class Feed:
    """One XML job feed. Several URLs may lead to it."""

    url: str  # where its content is
    form: Form
    delivery: Delivery
    jobs: int
    aliases: tuple[str, ...] = ()  # a redirect to it, or a second URL with the same content
