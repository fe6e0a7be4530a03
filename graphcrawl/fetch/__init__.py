"""One polite, safe GET. The only place that speaks HTTP; nothing else imports httpx or httpcore.

`addresses` decides where a name may lead, `connections` carries a request there and back,
`bodies` undoes encodings within limits, `fetcher` turns it all into a `FetchOutcome`. `access` has
what lets us in, `proxy` and `proxied` the way through others, `throttle` the limits over all hosts.
"""

from graphcrawl.fetch.addresses import public_hosts
from graphcrawl.fetch.agent import robots_agent, user_agent
from graphcrawl.fetch.fetcher import Fetcher, FetchSettings
from graphcrawl.resolve import Resolve, parse_resolve

__all__ = [
    "FetchSettings",
    "Fetcher",
    "Resolve",
    "parse_resolve",
    "public_hosts",
    "robots_agent",
    "user_agent",
]
