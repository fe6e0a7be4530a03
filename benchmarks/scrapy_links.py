"""The peer in `benchmarks/crawl.py`: a Scrapy spider that follows every link below its start URL.

Two forms: JSON lines out, or JOBDIR and a pipeline that writes pages and links to Neo4j in batches.
Prints one JSON line: pages and seconds from the start of the crawl to the end of the last write.
"""

import json
import os
import queue
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import neo4j
import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor

BATCH_PAGES = 64
WRITE = Path(__file__).parent / "cypher" / "peer_write.cypher"


class LinksSpider(scrapy.Spider):
    """Follows the links below the start URL's folder."""

    name = "links"

    def __init__(self, start: str, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.start_url = start
        prefix = start.rsplit("/", 1)[0] + "/"
        self.links = LinkExtractor(allow=[prefix.replace(".", r"\.")], unique=True)
        self.pages = 0

    async def start(self):  # type: ignore[no-untyped-def]
        yield scrapy.Request(self.start_url)

    def parse(self, response):  # type: ignore[no-untyped-def]
        if not isinstance(response, scrapy.http.HtmlResponse):
            return
        self.pages += 1
        links = self.links.extract_links(response)
        yield {
            "url": response.url,
            "title": response.css("title::text").get(""),
            "links": [{"url": link.url, "anchor": link.text.strip()} for link in links],
        }
        for link in links:
            yield scrapy.Request(link.url, callback=self.parse)


class Neo4jPipeline:
    """Hands items to a thread that merges them into Neo4j, so that the reactor never waits."""

    def open_spider(self, spider: scrapy.Spider) -> None:
        self._items: queue.Queue[dict[str, Any] | None] = queue.Queue(4 * BATCH_PAGES)
        self._thread = threading.Thread(target=self._write_all)
        self._thread.start()

    def close_spider(self, spider: scrapy.Spider) -> None:
        self._items.put(None)
        self._thread.join()

    def process_item(self, item: dict[str, Any], spider: scrapy.Spider) -> dict[str, Any]:
        self._items.put(dict(item))
        return item

    def _write_all(self) -> None:
        auth = (os.environ["NEO4J_USERNAME"], os.environ["NEO4J_PASSWORD"])
        statement = WRITE.read_text()
        with neo4j.GraphDatabase.driver(os.environ["NEO4J_URI"], auth=auth) as driver:
            more = True
            while more:
                batch: list[dict[str, Any]] = []
                while len(batch) < BATCH_PAGES:
                    item = self._items.get()
                    if item is None:
                        more = False
                        break
                    batch.append(item)
                if batch:
                    driver.execute_query(statement, pages=batch)


def main() -> None:
    """Run one crawl: `scrapy_links.py START [neo4j]`."""
    start, to_neo4j = sys.argv[1], sys.argv[2:] == ["neo4j"]
    with tempfile.TemporaryDirectory() as folder:
        settings: dict[str, Any] = {
            "CONCURRENT_REQUESTS": 16,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
            "DOWNLOAD_DELAY": 0,
            "ROBOTSTXT_OBEY": False,
            "LOG_LEVEL": "ERROR",
            "TELNETCONSOLE_ENABLED": False,
            "RETRY_ENABLED": False,
            "COOKIES_ENABLED": False,
        }
        if to_neo4j:
            settings["JOBDIR"] = f"{folder}/job"
            settings["ITEM_PIPELINES"] = {Neo4jPipeline: 300}
        else:
            settings["FEEDS"] = {f"{folder}/out.jsonl": {"format": "jsonlines"}}
        process = CrawlerProcess(settings)
        crawler = process.create_crawler(LinksSpider)
        begun = time.monotonic()
        process.crawl(crawler, start=start)
        process.start()
        seconds = time.monotonic() - begun
        pages = crawler.stats.get_value("item_scraped_count", 0)
    print(json.dumps({"pages": pages, "seconds": seconds}))


if __name__ == "__main__":
    main()
