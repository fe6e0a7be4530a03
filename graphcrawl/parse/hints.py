"""What a link's spelling promises, before anybody has fetched it."""

import re

FEED_TYPES = frozenset(
    "application/rss+xml application/atom+xml application/rdf+xml application/xml text/xml".split()
)

# Words are what stands between anything that is no letter, and at a change from `a` to `B`.
_ANY_FEED = re.compile(r"xml|rss|feed|atom|rdf", re.I)
_WORDS = re.compile(r"[A-Z]?[a-zà-ÿ]+|[A-Z]+(?![a-z])")
_FEED = re.compile(r"(?:jobs?|vacanc(?:y|ies)|careers?|news)?(?:xml|rss|feeds?|atom|rdf)")
_JOB = re.compile(
    r"jobs?(?:xml|rss|feeds?|board|search|s)?|careers?|karriere|carrieres?|carreras?|vacanc(?:y|ies)|"
    r"vacatures?|vakanz(?:en)?|vacantes?|stellen?(?:angebote?|anzeigen?|markt)?|emplois?|empleos?|"
    r"empregos?|trabajos?|lavoro|praca|positions?|openings?|hiring|hr|hrxml|recruit(?:ing|ment|er)?"
)
_OTHER = re.compile(
    r"blogs?|news|newsroom|press|comments?|podcasts?|events?|products?|shop|sitemaps?|videos?|"
    r"forum|reviews?"
)


def feed_hint(url: str, anchor: str, rel: str = "", link_type: str = "") -> float:
    """Return how much a link looks like one to an XML job feed, from 0 to 1.

    | says that it is a feed, and | hint |
    |---|---|
    | that it is about jobs | 1.0 |
    | nothing else | 0.5 |
    | that it is about jobs and about something else (blog, news, products, a sitemap …) | 0.5 |
    | only that it is about something else | 0.1 |

    A link says that it is a feed by its media type, or by a word such as *xml*, *rss* or *feed* in
    path, query or anchor; it says the rest in host, path, query or anchor. All others get 0.

    Args:
        url: Canonical URL of the target.
        anchor: Text of the link.
        rel: Its `rel`, lower case; a search description is no feed.
        link_type: The media type that it announces.

    Source: ours, for [000.order]: a feed pays a hundred times what a page does.
    """
    said = f"{url.partition('://')[2]} {anchor}"
    announced = link_type in FEED_TYPES
    if not announced and _ANY_FEED.search(said) is None:
        return 0.0
    host, _, path = said.partition("/")
    words = {word.lower() for word in _WORDS.findall(path)}
    if "search" in rel or not (announced or any(map(_FEED.fullmatch, words))):
        return 0.0
    words.update(_WORDS.findall(host))
    about_jobs = any(map(_JOB.fullmatch, words))
    about_other = any(map(_OTHER.fullmatch, words))
    if about_jobs:
        return 0.5 if about_other else 1.0
    return 0.1 if about_other else 0.5
