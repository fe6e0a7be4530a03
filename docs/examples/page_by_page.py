"""Crawl a site page by page: judge each page by a function of your own, and look at each.

python page_by_page.py https://example.org/ you@example.org
"""

import asyncio
import sys

import graphcrawl


def interesting(page):
    """Say what a page earns; what is linked with pages that earn much is fetched first."""
    return {"nurse": 10 * page.text.lower().count("nurse"), "long": len(page.text) / 10_000}


def show(page):
    """Do what you like with each page: its title, text, links, html."""
    print(f"{page.reward:.1f} {page.url} {page.title} ({len(page.links)} links)")


async def main(seed, contact):
    async with graphcrawl.connect() as graph:
        stats = await graphcrawl.crawl(
            seed, graph=graph, contact=contact, evaluate=interesting, on_page=show, max_pages=50
        )
        print(f"{stats.pages} pages; the best:")
        async for page in graphcrawl.pages(graph, "state=fetched rule=nurse", limit=3):
            print(f"{page.reward:.1f} {page.url}")


asyncio.run(main(*sys.argv[1:]))
