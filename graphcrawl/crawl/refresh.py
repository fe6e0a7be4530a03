"""A page that sends its readers on at once is a redirect by other means."""

from graphcrawl.models import Fetched, Page, Redirected


def sent_on(fetched: Fetched, page: Page) -> Redirected:
    """Return the redirect that a page's meta refresh amounts to.

    Source: HTML Living Standard, pragma directives, refresh; three seconds or less, see
    `parse.html`.
    """
    return Redirected(
        url=fetched.url,
        status=fetched.status,
        target=page.refresh,
        raw=page.refresh,
        permanent=False,
        fetched_at=fetched.fetched_at,
        elapsed_s=fetched.elapsed_s,
    )
