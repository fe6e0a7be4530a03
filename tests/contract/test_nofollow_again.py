"""A page that says nofollow when it is visited again: its axons go, in both worlds."""

from collections import defaultdict
from dataclasses import replace

from outcomes import given_back, link, page_of
from test_aliases import A, B, C, D, claim, naming, seeds
from worlds import World, state

from graphcrawl.models import Outcome


def nofollow(outcome: Outcome) -> Outcome:
    assert outcome.page is not None
    return replace(outcome, page=replace(outcome.page, wishes=("nofollow",)))


async def counted(world: World) -> None:
    """Strength and inLinks are what the axons say."""
    pages, strength, in_links = await world.pages(), defaultdict(float), defaultdict(int)
    for (source, target), axon in (await world.axons()).items():
        strength[source] += axon["weight"]
        strength[target] += axon["weight"]
        in_links[target] += 1
    for url, page in pages.items():
        assert (page["strength"], page["inLinks"]) == (strength[url], in_links[url]), url


async def test_its_axons_go_and_what_it_alone_led_to_waits_no_more(world: World) -> None:
    frontier = world.frontier("w")
    await seeds(frontier, A, B)
    links = [link(C), link(D), link(B)]
    await frontier.record([page_of(await claim(world, frontier, A), world.clock, links)])
    await frontier.record([page_of(await claim(world, frontier, B), world.clock, [link(D)])])
    before = sum(page["reward"] for page in (await world.pages()).values())
    again = nofollow(page_of(await claim(world, frontier, A), world.clock))
    await frontier.record([again], given_back([again.claim]))
    pages = await world.pages()
    assert set(await world.axons()) == {(B, D)}
    await counted(world)
    assert (state(pages[C]), pages[C]["reason"]) == ("Excluded", "nofollow")
    assert "priority" not in pages[C]
    assert (state(pages[D]), state(pages[B])) == ("Frontier", "Fetched")
    assert sum(page["reward"] for page in pages.values()) == before
    # and back again
    await frontier.record([page_of(await claim(world, frontier, A), world.clock, links)])
    pages = await world.pages()
    assert set(await world.axons()) == {(B, D), (A, C), (A, D), (A, B)}
    assert (state(pages[C]), "reason" in pages[C]) == ("Frontier", False)
    await counted(world)


async def test_axons_that_carry_links_of_others_keep_those(world: World) -> None:
    """A stands for B; both link to D, and A to C."""
    frontier = world.frontier("w")
    await seeds(frontier, A, B)
    outcome = page_of(await claim(world, frontier, A), world.clock, [link(D), link(C)])
    await frontier.record([outcome])
    outcome = page_of(await claim(world, frontier, B), world.clock, [link(D)])
    await frontier.record([naming(outcome, A)])
    axons = await world.axons()
    assert (axons[A, D]["links"], axons[A, D]["aliases"]) == (1, 1)
    await frontier.record([nofollow(page_of(await claim(world, frontier, A), world.clock))])
    axons = await world.axons()
    assert set(axons) == {(A, D)}
    assert (axons[A, D]["links"], axons[A, D]["aliases"]) == (0, 1)
    await counted(world)
    # the alias says so too: its canonical stays, its links do not
    again = page_of(await claim(world, frontier, B), world.clock)
    await frontier.record([nofollow(naming(again, A))])
    assert await world.axons() == {}
    await counted(world)
    pages = await world.pages()
    assert pages[B]["aliasOf"] == A
    assert state(pages[D]) == "Excluded"
    # set free, it brings no link back
    await frontier.record([nofollow(page_of(await claim(world, frontier, B), world.clock))])
    assert await world.axons() == {}
    await counted(world)
