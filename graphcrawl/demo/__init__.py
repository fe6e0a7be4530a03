"""A bundled web to crawl: generated from a seed, served on loopback, the same every time."""
