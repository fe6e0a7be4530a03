"""The columns of the frames of `graphcrawl.analysis`: name, type, unit and meaning."""

from collections.abc import Iterator, Mapping

from graphcrawl.frames import Column, described

PAGES = described(
    "url | text | | canonical URL",
    "host | text | | host key: name, and port where it is not the scheme's own",
    "state | text | | frontier, leased, fetched, failed, excluded or pruned",
    "reason | text | | why it failed or was left out, in one word",
    "error | text | | the same in a sentence",
    "title | text | | title of the page",
    "language | text | | primary subtag, such as de",
    "status | count | | HTTP status of the last answer",
    "content_type | text | | media type",
    "bytes | count | bytes | size of the body, content encoding undone",
    "depth | count | links | shortest way from a seed",
    "reward | number | points | neural reward; none on a tombstone",
    "base_reward | number | points | sum of what it was granted",
    "priority | number | | place in the frontier",
    "in_links | count | pages | that link to it",
    "strength | number | weight | of all its axons",
    "grants | list | | what paid for it: points, rule and place, in one text each",
    "wishes | list | | of its owner: noindex, nofollow and the like",
    "reserved | flag | | its owner reserves data mining or AI training",
    "seed | flag | | a crawl started here",
    "feed | flag | | it is a job feed",
    "discovered_at | time | UTC | when it was first named",
    "fetched_at | time | UTC | when the last answer was complete",
)
AXONS = described(
    "source | text | | URL of the page that links",
    "target | text | | URL of the page that is linked to",
    "source_host | text | | host key of the source",
    "target_host | text | | host key of the target",
    "weight | number | weight | what it conducts; 1 for an ordinary link",
    "links | count | links | how many there are on the page",
    "anchor | text | | words of the first",
    "rel | text | | of the link",
    "position | text | | region of the page",
    "first_seen_at | time | UTC | when the page was first seen with it",
    "last_seen_at | time | UTC | when it was last seen with it",
)
HOSTS = described(
    "host | text | | host key",
    "pages | count | pages | that pass the filter, as all counts below",
    "fetched | count | pages | whose content is known",
    "failed | count | pages | given up",
    "waiting | count | pages | in the frontier",
    "pruned | count | pages | that left a tombstone",
    "earning | count | pages | that a rule or a link to a job feed paid",
    "feeds | count | feeds | job feeds",
    "granted | number | points | paid to its pages; seeds' own reward is left out",
    "reward | number | points | of its pages now",
    "bytes | count | bytes | size of all bodies",
    "granted_per_page | number | points | for each fetched page; none where none is",
    "requests | count | requests | to the host, over all runs",
    "delay_s | number | seconds | between two requests",
    "latency_s | number | seconds | that it takes to answer, smoothed",
    "failures | count | requests | failed in a row",
    "trouble | text | | what was wrong with its last answer",
)
GRANTS = described(
    "url | text | | page that was paid",
    "host | text | | its host key",
    "depth | count | links | its shortest way from a seed",
    "rule | text | | name of the rule; seed, feed-new and feed-known are the crawl's own",
    "place | text | | what the rule found it in",
    "points | number | points | paid",
)
DEPTHS = described(
    "depth | count | links | from a seed",
    "pages | count | pages | at this depth",
    "fetched | count | pages | whose content is known",
    "waiting | count | pages | in the frontier",
    "feeds | count | feeds | job feeds",
    "granted | number | points | by rules and feeds; seeds' own reward is left out",
    "reward | number | points | of all pages here, now",
    "mean_reward | number | points | of a page",
    "median_reward | number | points | of a page",
)
DEGREES = described(
    "direction | text | | in: axons that arrive; out: axons that leave a fetched page",
    "degree | count | axons | of a page",
    "pages | count | pages | that have so many",
)
REWARD_BINS = described(
    "from_reward | number | points | least reward of the bin; none: pages without reward",
    "to_reward | number | points | least reward of the next bin",
    "state | text | | feed, fetched, waiting or other",
    "pages | count | pages | in the bin",
    "reward | number | points | that they have together",
)
HARVEST = described(
    "number | count | pages | place in the order of first visits, from 1",
    "fetched_at | time | UTC | first visit, as far as it is kept",
    "elapsed_s | number | seconds | since the first page",
    "url | text | | canonical URL",
    "host | text | | host key",
    "depth | count | links | shortest way from a seed",
    "status | count | | HTTP status",
    "ok | flag | | its content is known",
    "feed | flag | | it is a job feed",
    "points | number | points | that rules granted",
    "worth | number | 0 to 1 | what it turned out to be worth to the crawl",
    "reward | number | points | that it has now",
    "bytes | count | bytes | size of the body",
    "worth_so_far | number | pages | sum of worth up to here",
    "points_so_far | number | points | sum of points up to here",
    "feeds_so_far | count | feeds | job feeds up to here",
)
SUMS = {"number", "elapsed_s", "worth_so_far", "points_so_far", "feeds_so_far"}  # made of the rest
ORDERS = described(
    "order | text | | its name; `as crawled` is the real one",
    "pages | count | pages | fetched so far",
    "worth | number | pages | sum of worth so far",
    "feeds | count | feeds | job feeds so far",
    "share_of_pages | number | 0 to 1 | of all pages that were crawled",
    "share_of_worth | number | 0 to 1 | of all worth that the order finds",
    "auc | number | 0 to 1 | area under its curve: 0.5 where worth comes evenly",
)
CRAWLS = described(
    "id | text | | of the run",
    "started_at | time | UTC | when it began",
    "finished_at | time | UTC | when it ended; none while it runs",
    "stop_reason | text | | why it ended",
    "order | text | | what its frontier was ordered by",
    "reward_mode | text | | how reward flowed: neural or steady",
    "fetched | count | pages | recorded with content",
    "failed | count | pages | given up",
    "excluded | count | pages | claimed, and not to be fetched",
    "redirected | count | pages | that redirect",
    "neurons | count | pages | new ones",
    "axons | count | axons | new ones",
    "feeds | count | feeds | new job feeds",
    "granted | number | points | by rules",
    "paid | number | points | for links to job feeds",
    "minted | number | points | that new pages were born with",
)
AROUND = described(
    "url | text | | canonical URL",
    "hop | count | axons | from the page in the middle",
    "title | text | | title of the page",
    "host | text | | host key",
    "state | text | | frontier, leased, fetched, failed, excluded or pruned",
    "depth | count | links | shortest way from a seed",
    "reward | number | points | neural reward",
    "in_links | count | pages | that link to it",
    "seed | flag | | a crawl started here",
    "feed | flag | | it is a job feed",
)
FEEDERS = described(
    "url | text | | the neighbour",
    "title | text | | its title",
    "direction | text | | in: it links to the page; out: the page links to it; both",
    "anchor | text | | words of its link",
    "reward | number | points | that it has",
    "weight | number | weight | of the axons between the two",
    "points | number | points | that it would pass on in the next distribution",
    "share | number | 0 to 1 | of what all neighbours would pass on",
)
PREVIEWS = described(
    "below | number | points | threshold: pages with less reward go",
    "goes | count | pages | that would be pruned",
    "stays | count | pages | that would be left",
    "spared | count | pages | under the threshold, and kept for a reason",
    "axons | count | axons | that would go with them",
    "share | number | 0 to 1 | of all pages that would go",
)
TOMBSTONES = described(
    "url | text | | canonical URL",
    "host | text | | host key",
    "fetched_at | time | UTC | when it had been fetched; none: never",
    "pruned_at | time | UTC | when it was pruned",
    "pruned_below | number | points | the threshold then",
)
FRAMES: Mapping[str, tuple[str, tuple[Column, ...]]] = {
    "pages": ("one row a page", PAGES),
    "axons": ("one row an axon", AXONS),
    "hosts": ("one row a host", HOSTS),
    "grants": ("one row for each thing that paid for a page", GRANTS),
    "depths": ("one row for each distance from a seed", DEPTHS),
    "degrees": ("one row for each number of axons", DEGREES),
    "reward_bins": ("one row for each bin of reward and state", REWARD_BINS),
    "harvest": ("one row a page, in the order of first visits", HARVEST),
    "orders": ("one row for each point of an order's curve", ORDERS),
    "crawls": ("one row a run", CRAWLS),
    "neighbourhood": ("two frames; the first: one row a page; the second is as `axons`", AROUND),
    "feeders": ("one row for each neighbour that passes reward on", FEEDERS),
    "prune_previews": ("one row a threshold", PREVIEWS),
    "tombstones": ("one row for each page that was pruned", TOMBSTONES),
}
_HEAD = """\
# Frames: the crawled graph in pandas

What the functions of [`graphcrawl.analysis`](../graphcrawl/analysis.py) return, made by
`python -m graphcrawl.columns`. Install it with `pip install "graphcrawl[notebooks]"`; notebooks to
begin with: `graphcrawl init --notebooks`. Most take `where` (the filters of `graphcrawl pages
--where`), `limit` (rows; 0 for all) and `columns`; more than a million rows are refused unless
`limit` says so. Times are UTC-aware. Whole numbers, truth values and times may be missing.
"""


def markdown() -> Iterator[str]:
    """Yield the lines of `docs/ANALYSIS.md`."""
    yield from _HEAD.splitlines()
    for name, (rows, columns) in FRAMES.items():
        yield from ("", f"## `{name}`: {rows}", "", "| column | type | unit | meaning |")
        yield "|---|---|---|---|"
        for column in columns:
            yield f"| `{column.name}` | {column.dtype} | {column.unit} | {column.meaning} |"


if __name__ == "__main__":
    print("\n".join(markdown()))
