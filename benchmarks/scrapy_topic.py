"""The peer in `benchmarks/focused_live.py`: Scrapy, best first by cosine.

A link's priority is the mean of its page's similarity to the topic and its anchor's. Reads one JSON
document: `examples` (texts), `seeds` (URLs) and `limit` (pages), and prints how many pages came.
"""

import json
import re
import sys
from typing import Any

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.exceptions import CloseSpider
from sklearn.feature_extraction.text import HashingVectorizer

_TAG = re.compile(r"<[^>]+>")
_FINEST = 1000  # Scrapy's priorities are integers


class TopicSpider(scrapy.Spider):
    """Follows every link, the likeliest first."""

    name = "topic"

    def __init__(self, examples: list[str], seeds: list[str], limit: int, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._vectors = HashingVectorizer(
            stop_words="english", n_features=2**18, alternate_sign=False
        )
        mean = self._vectors.transform([_TAG.sub(" ", text) for text in examples]).mean(axis=0)
        topic = mean.A1
        self._topic = topic / (topic @ topic) ** 0.5
        self._seeds, self._limit = seeds, limit
        self.pages = 0

    async def start(self):  # type: ignore[no-untyped-def]
        for seed in self._seeds:
            yield scrapy.Request(seed, priority=10**6)

    def parse(self, response):  # type: ignore[no-untyped-def]
        self.pages += 1
        if self.pages >= self._limit:
            raise CloseSpider("limit")
        page = float((self._vectors.transform([_TAG.sub(" ", response.text)]) @ self._topic)[0])
        links = response.css("a[href]")
        anchors = [link.xpath("string()").get() for link in links]
        near = self._vectors.transform(anchors) @ self._topic if anchors else []
        for link, anchor in zip(links, near, strict=True):
            url = response.urljoin(link.attrib["href"])
            yield scrapy.Request(url, priority=int(_FINEST * (page + anchor) / 2))


def main() -> None:
    """Crawl."""
    task = json.load(sys.stdin)
    process = CrawlerProcess(
        {
            "CONCURRENT_REQUESTS": 4,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 4,
            "DOWNLOAD_DELAY": 0,
            "ROBOTSTXT_OBEY": False,
            "LOG_LEVEL": "ERROR",
            "TELNETCONSOLE_ENABLED": False,
            "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.ScrapyPriorityQueue",
        }
    )
    crawler = process.create_crawler(TopicSpider)
    process.crawl(crawler, **task)
    process.start()
    print(json.dumps({"pages": crawler.spider.pages}))


if __name__ == "__main__":
    main()
