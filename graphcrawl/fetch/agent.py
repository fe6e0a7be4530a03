"""What the crawler calls itself: to servers, and in robots.txt."""

import re

from graphcrawl import __version__
from graphcrawl.errors import ContactError, SettingsError
from graphcrawl.robots_rules import AGENT

_PRODUCT = re.compile(r"([A-Za-z_-]+)(?:/[!-~]+)?(?: [ -~]*)?")


def user_agent(contact: str | None, product: str | None = None) -> str:
    """Return `graphcrawl/VERSION (+contact)`, or without the bracket when there is no contact.

    Args:
        contact: URL or e-mail address of who crawls.
        product: What to call itself instead, `NAME/VERSION`; it may say more behind that.

    Raises:
        ContactError: The contact cannot stand in a header.
        SettingsError: The product cannot.
    """
    robots_agent(product)
    product = product.strip() if product else f"{AGENT}/{__version__}"
    if not contact or contact in product:
        return product
    if not (contact.isascii() and contact.isprintable()) or set(contact) & set('()<>" '):
        raise ContactError(
            f"{contact!r} cannot be put into the User-Agent.",
            "Type a URL or an e-mail address: --contact https://example.org/crawler",
        )
    return f"{product} (+{contact})"


def robots_agent(product: str | None) -> str:
    """Return the product token that robots.txt is asked for.

    Source: RFC 9309 §2.2.1: it is a part of what the User-Agent header says.

    Raises:
        SettingsError: The product does not begin with one.
    """
    if product is None:
        return AGENT
    match = _PRODUCT.fullmatch(product.strip())
    if match is None:
        raise SettingsError(
            f"{product!r} cannot be the User-Agent.",
            "Begin with a name of letters, - and _, as in --user-agent mybot/1.0",
        )
    return match[1]
