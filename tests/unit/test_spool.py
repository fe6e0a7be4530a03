"""Folders for large bodies: gone with their run, also with one that was killed."""

import subprocess
import sys
from pathlib import Path

from graphcrawl.spool import discard, spool_folder

KILLED = """
import os, sys
from pathlib import Path
from graphcrawl.spool import spool_folder
with spool_folder(Path(sys.argv[1])) as folder:
    (folder / "body").write_bytes(b"<source>")
    os._exit(1)
"""


def test_a_folder_goes_with_its_run(tmp_path: Path) -> None:
    with spool_folder(tmp_path) as folder:
        (folder / "body").write_bytes(b"<source>")
        assert folder.stat().st_mode & 0o077 == 0
        discard(str(folder / "body"))
        discard(str(folder / "body"))
        discard("")
        (folder / "other").touch()
    assert not list((tmp_path / "spool").iterdir())


def test_the_next_run_deletes_what_a_killed_one_left_and_nothing_else(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
    [left] = (tmp_path / "spool").iterdir()
    assert (left / "body").is_file()
    with spool_folder(tmp_path) as one:
        assert not left.exists()
        with spool_folder(tmp_path):
            assert one.is_dir()  # of a run that goes on
