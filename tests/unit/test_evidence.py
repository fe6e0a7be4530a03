"""What a URL shares with others, and running means."""

from graphcrawl.scoring import evidence
from graphcrawl.scoring.evidence import Means, address_of, hash_of, token_ids


def test_an_address_has_host_directories_and_words() -> None:
    address = address_of("http://a.org/docs/v12/Install-Guide.html?page=3", "a.org")
    assert address.host == hash_of("a.org")
    assert address.directories == (hash_of("a.org/docs"), hash_of("a.org/docs/v12"))
    words = ("docs", "v0", "install", "guide", "html", "page", "0")
    assert address.tokens == tuple(map(hash_of, words))
    assert address.path_depth == 3
    assert address_of("http://a.org/docs/", "a.org").directories == (hash_of("a.org/docs"),)
    assert address_of("http://a.org/", "a.org").directories == ()


def test_hashes_are_the_same_in_every_process() -> None:
    assert hash_of("123456789") == 0xCBF43926  # the check value of CRC-32
    assert token_ids("one two one") == (hash_of("one"), hash_of("two"))


def test_means_are_drawn_towards_the_prior() -> None:
    means = Means()
    assert means.mean(1, 0.25, 2.0) == 0.25
    means.learn((1,), 1.0)
    means.learn((1, 2), 0.5)
    assert means.mean(1, 0.25, 2.0) == (1.5 + 0.5) / 4
    assert means.means((1, 2, 3), 0.0, 1.0) == [0.5, 0.25]
    means.correct((2, 3), 0.5)
    assert means.mean(2, 0.0, 1.0) == 0.5
    assert means.pages(3) == 0.0


def test_means_are_bounded_and_keep_what_was_seen_most(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(evidence, "MAX_MEANS", 10)
    means = Means()
    for _ in range(2):
        means.learn((7,), 1.0)
    means.learn(range(100, 120), 0.0)
    assert len(means.table) == 5
    assert 7 in means.table
    assert 119 in means.table
