"""A server that is held while its files are copied: it goes on, whatever becomes of the holder."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from graphcrawl.server import process, snapshot
from graphcrawl.server.exclusive import try_lock
from graphcrawl.server.store import Store

HOLD = """
import sys, time, psutil
from graphcrawl.server import process
with process.held_still(psutil.Process(int(sys.argv[1]))):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def sleeper() -> Iterator[psutil.Process]:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as started:
        yield psutil.Process(started.pid)
        started.kill()


def test_a_held_process_goes_on_at_the_end(sleeper: psutil.Process) -> None:
    with process.held_still(sleeper):
        assert sleeper.status() == psutil.STATUS_STOPPED
    assert sleeper.status() != psutil.STATUS_STOPPED


def test_a_held_process_goes_on_when_its_holder_is_killed(sleeper: psutil.Process) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(sleeper.pid)], stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"held\n"
        assert sleeper.status() == psutil.STATUS_STOPPED
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    deadline = time.monotonic() + 30
    while sleeper.status() == psutil.STATUS_STOPPED and time.monotonic() < deadline:
        time.sleep(0.01)
    assert sleeper.status() != psutil.STATUS_STOPPED


def test_what_a_killed_backup_left_goes_and_what_one_packs_stays(tmp_path: Path) -> None:
    store = Store("a", tmp_path / "a")
    left = snapshot.folder(store)
    left.mkdir()
    (left / "file").touch()
    with snapshot.lock_file(store).open("ab") as held:
        assert try_lock(held)
        snapshot.clear(store)
        assert left.is_dir()
    snapshot.clear(store)
    assert not left.exists()
    snapshot.clear(store)
