"""Jobs as rows: feeds recognised and read record by record, postings that pages state."""

from graphcrawl.jobs.recognise import RECOGNISE_BYTES, feed_hint, recognise, recognise_tree

__all__ = ["RECOGNISE_BYTES", "feed_hint", "recognise", "recognise_tree"]
