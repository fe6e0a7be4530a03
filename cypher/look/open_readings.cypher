// Job feeds whose jobs are being written, or were when the writer was killed
// mode: read
// params: none
// returns: url, depth, untilMs when the writer is taken for dead unless it says more, in milliseconds since 1970
// source: [000.process]
MATCH (f:JobFeed)
WHERE f:PageNeuron AND f.readingUntil IS NOT NULL AND f:Fetched AND NOT f:Frontier AND NOT f:Leased AND NOT f:Pruned
RETURN f.url AS url, coalesce(f.depth, 0) AS depth, f.readingUntil.epochMillis AS untilMs
ORDER BY url
