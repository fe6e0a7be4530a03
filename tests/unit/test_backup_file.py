"""The file of a backup: whole, or refused; and the exchange of stores that a kill may break off."""

import io
import tarfile
from dataclasses import asdict
from pathlib import Path
from random import Random

import pytest

from graphcrawl.errors import GraphcrawlError, UsageError
from graphcrawl.export.digest import Digest
from graphcrawl.server import backup_file
from graphcrawl.server.backup_file import Head
from graphcrawl.server.store import Store

HEAD = Head("a", "0.9", "2026.01.4", "2026-01-31T12:00:00Z", 300_000)
NAMES = (
    "data/databases/neo4j/store.db",
    "data/databases/neo4j/schema/i 1",
    "data/transactions/neo4j/log.0",
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    random = Random(1)
    for name in NAMES:
        file = tmp_path / "home" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(random.randbytes(100_000))
    (tmp_path / "home/data/dbms").mkdir()
    (tmp_path / "home/data/dbms/auth.ini").write_text("secret")
    return tmp_path / "home"


def test_what_was_packed_comes_back_and_no_password(home: Path, tmp_path: Path) -> None:
    backup_file.write(tmp_path / "f", home, HEAD)
    assert backup_file.read_head(tmp_path / "f") == HEAD
    assert backup_file.unpack(tmp_path / "f", tmp_path / "out") == HEAD
    found = sorted(
        f.relative_to(tmp_path / "out") for f in (tmp_path / "out").rglob("*") if f.is_file()
    )
    assert found == sorted(map(Path, NAMES))
    assert all((tmp_path / "out" / n).read_bytes() == (home / n).read_bytes() for n in NAMES)


def test_a_file_that_is_cut_short_or_altered_anywhere_is_refused(
    home: Path, tmp_path: Path
) -> None:
    backup_file.write(tmp_path / "f", home, HEAD)
    whole, broken = (tmp_path / "f").read_bytes(), tmp_path / "broken"
    random = Random(2)
    for trial in range(60):
        place = random.randrange(4, len(whole))
        flipped = bytes([whole[place] ^ 1 << random.randrange(8)])
        broken.write_bytes(
            whole[:place] if trial % 2 else whole[:place] + flipped + whole[place + 1 :]
        )
        with pytest.raises(UsageError, match=r"is cut short or damaged|is no backup|is of version"):
            backup_file.unpack(broken, tmp_path / f"out{trial}")


@pytest.mark.parametrize(
    "name", ["../../evil", "/etc/evil", "data/databases/neo4j/../../../evil", "conf/evil"]
)
def test_no_member_leaves_the_folder(tmp_path: Path, name: str) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        head = {"graphcrawl": "backup", "version": 1} | asdict(HEAD)
        backup_file._put_json(tar, "graphcrawl-backup.json", head)
        backup_file._put_json(tar, name, "evil")
    (tmp_path / "f").write_bytes(backup_file.zstd.compress(packed.getvalue()))
    with pytest.raises(UsageError, match="which no backup does"):
        backup_file.unpack(tmp_path / "f", tmp_path / "a/b/c/out")
    assert not list(tmp_path.rglob("evil"))


class KilledError(BaseException):
    pass


# before the first rename, between the two, after both, while the old one is deleted
@pytest.mark.parametrize(("moment", "left"), list(enumerate(["old", "old", "new", "new"])))
def test_a_kill_at_any_moment_of_the_exchange_leaves_one_store_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: int, left: str
) -> None:
    home, new = tmp_path / "a", tmp_path / "new"
    for folder, text in ((home / "data", "old"), (new, "new")):
        folder.mkdir(parents=True)
        (folder / "store").write_text(text)
    store, steps, rename = Store("a", home), iter(range(9)), Path.rename

    def step(*_: object, **__: object) -> None:
        if next(steps) == moment:
            raise KilledError

    def counted(self: Path, target: Path) -> Path:
        step()
        return rename(self, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", counted)
        patched.setattr("graphcrawl.server.store.sync_folder", step)
        patched.setattr("shutil.rmtree", step)
        with pytest.raises(KilledError):
            store.exchange(new)
    store.mend()
    assert (home / "data/store").read_text() == left
    assert [f.name for f in home.iterdir()] == ["data"]


def test_the_digest_knows_no_order_and_every_property() -> None:
    node = {
        "labels": ["PageNeuron", "Seed"],
        "properties": {"url": "a", "reward": 1.0},
        "text": {"t": "x"},
    }
    link = {"source": "a", "axons": [["LINK_AXON", "b", {"weight": 1.0}], ["LISTS", "k", {}]]}

    def value(*rows: dict[str, object]) -> tuple[int, int, str]:
        digest = Digest()
        for row in rows:
            digest.add(row)
        return digest.value

    split = [link | {"axons": [axon]} for axon in reversed(link["axons"])]
    turned = node | {"labels": ["Seed", "PageNeuron"], "properties": {"reward": 1.0, "url": "a"}}
    assert value(node, link) == value(*split, turned)
    assert value(node, link)[:2] == (1, 2)
    others = [
        node | {"labels": ["PageNeuron"]},
        node | {"properties": {"url": "a", "reward": 1}},  # an INTEGER
        node | {"text": None},
    ]
    assert len({value(row, link) for row in (node, *others)}) == 4
    assert value(node, link) != value(node, link | {"source": "b"})


def test_errors_of_the_disk_are_not_the_files(home: Path, tmp_path: Path) -> None:
    backup_file.write(tmp_path / "f", home, HEAD)
    out = tmp_path / "out"
    backup_file.unpack(tmp_path / "f", out)
    with pytest.raises(OSError, match="exists") as caught:  # as with a full disk
        backup_file.unpack(tmp_path / "f", out)
    assert not isinstance(caught.value, GraphcrawlError)
