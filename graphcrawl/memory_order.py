"""Facts and scores of waiting pages in the memory twin."""

from collections.abc import Collection, Iterable, Mapping

from graphcrawl.facts import Scored, candidate, union
from graphcrawl.graph import Row


def keep_facts(page: Row, row: Row, *, born: bool, ranked: bool) -> None:
    """Keep what pages that link to a page say of it, until its own content is known."""
    if "status" not in page:
        page["parentBest"] = max(page.get("parentBest", 0.0), row["parentBest"])
        page["parentSum"] = page.get("parentSum", 0.0) + row["parentSum"]
        page["parentCount"] = page.get("parentCount", 0) + row["parentCount"]
        page["topicHint"] = max(page.get("topicHint", 0.0), row["topicHint"])
        if row["cues"]:
            page["cues"] = union(page.get("cues", ()), row["cues"])
    if born or not ranked:
        page["cash"] = page.get("cash", 0.0) + row["cash"]


def paid_labels(page: Row) -> set[str]:
    """Return the labels of a page that a rule or a link to a job feed has paid for."""
    grants = [text for text in page["grants"] if not text.endswith(" seed seed")]
    is_rich = sum(float(text.split()[0]) for text in grants) >= 100
    return {"Rewarded", "RichlyRewarded"} if is_rich else {"Rewarded"}


def count_parents(page: Row, parents: Iterable[Row]) -> None:
    """Let a waiting page know its parents anew, where folding has changed them."""
    worths = [p["worth"] for p in parents if "Fetched" in p["labels"]]
    page["parentBest"] = max(worths, default=0.0)
    page["parentSum"], page["parentCount"] = sum(worths, 0.0), len(worths)


def waiting(neurons: Mapping[str, Row], urls: Collection[str], heads: int) -> list[Scored]:
    """Return what is known of waiting pages that were never visited; see `Frontier.waiting`."""
    new = {url: page for url, page in neurons.items() if _is_new(page)}
    best = sorted(
        (page for page in new.values() if "priority" in page),
        key=lambda page: page["priority"],
        reverse=True,
    )
    found = {url: new[url] for url in urls if url in new}
    found |= {page["url"]: page for page in best[:heads]}
    return [
        Scored(candidate(page["url"], page["host"], page["depth"], page), page.get("score"))
        for page in found.values()
    ]


def rescore(neurons: Mapping[str, Row], scores: Mapping[str, float]) -> None:
    """Let pages wait by these scores; see `Frontier.rescore`."""
    for url, score in scores.items():
        if (page := neurons.get(url)) and _is_new(page):
            page["score"] = score
            if "readyAt" not in page:
                page["priority"] = score


def _is_new(page: Row) -> bool:
    return "Frontier" in page["labels"] and "Fetched" not in page["labels"]
