"""One polite, safe GET. The only place that speaks HTTP; nothing else imports httpx or httpcore.

`addresses` decides where a name may lead, `connections` carries a request there and back,
`bodies` undoes encodings within limits, `fetcher` turns it all into a `FetchOutcome`.
"""

from graphcrawl.fetch.addresses import public_hosts
from graphcrawl.fetch.fetcher import Fetcher, FetchSettings, user_agent
from graphcrawl.resolve import Resolve, parse_resolve

__all__ = [
    "FetchSettings",
    "Fetcher",
    "Resolve",
    "parse_resolve",
    "public_hosts",
    "user_agent",
]
