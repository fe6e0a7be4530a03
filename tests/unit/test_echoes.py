"""Pages that differ only in links to themselves lead on eight times; others always do."""

from itertools import count

from graphcrawl.echoes import COPIES, Echoes, likeness
from graphcrawl.models import Link, Page, Reason

H = "http://h.example"


def like(path: str, *targets: str, title: str = "Events", text: str = "Next month") -> str:
    return likeness(f"{H}{path}", title, text, [f"{H}{target}" for target in targets])


def test_a_calendar_is_one_page() -> None:
    first = like("/cal?m=1", "/cal?m=2", "/", "/jobs")
    assert first == like("/cal?m=7", "/cal?m=8", "/cal", "/jobs", "/")
    assert first != like("/cal?m=2", "/cal?m=3", "/", "/jobs", "/event/7")  # something new
    assert first != like("/cal?m=2", "/cal?m=3", "/", "/jobs", title="May")
    assert first != like("/cal?m=2", "/cal?m=3", "/", "/jobs", text="Party. Next month")
    assert like("/a/", "/a/more/") == like("/a/more/", "/a/more/more/")


def test_pages_of_a_gallery_differ() -> None:
    seen = {like(f"/photo/{n}", f"/photo/{n - 1}", f"/photo/{n + 1}") for n in range(20)}
    assert len(seen) == 20
    lists = {like(f"/list?p={n}", f"/item/{n}a", f"/list?p={n + 1}") for n in range(20)}
    assert len(lists) == 20


def test_nothing_said_is_nothing_alike() -> None:
    assert like("/", title="", text="") == ""
    assert Echoes().judge(Page(likeness="", links=(Link(f"{H}/x", "h.example"),))).excluded == ()


def test_copies_lead_on_for_a_while() -> None:
    echoes = Echoes()
    for n in count(1):
        links = (Link(f"{H}/cal?m={n}", "h.example"), Link(f"{H}/far", "h.example"))
        page = Page(likeness="a", links=links, excluded=((f"{H}/far", Reason.SCOPE),))
        judged = echoes.judge(page)
        if n <= COPIES:
            assert judged == page
            continue
        assert judged.excluded == ((f"{H}/far", Reason.SCOPE), (f"{H}/cal?m={n}", Reason.TRAP))
        break
    assert echoes.judge(Page(likeness="b", links=links)).excluded == ()
