"""The folder of one embedded graph: its password, its settings, and which process serves it."""

import errno
import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from graphcrawl.config import Paths

LOOPBACK = "127.0.0.1"
USER = "neo4j"
_SALT_BYTES = 32
_HASH_ROUNDS = 1024

# Each line was measured or has a reason; Neo4j's own defaults serve for the rest.
_CONF = """\
server.default_listen_address={loopback}
server.bolt.listen_address={loopback}:{bolt}
server.bolt.advertised_address={loopback}:{bolt}
server.http.listen_address={loopback}:{http}
server.http.advertised_address={loopback}:{http}
server.https.enabled=false
server.memory.pagecache.size={page_cache_bytes}
# OpenGDS reads the store below Cypher's access checks.
dbms.security.procedures.unrestricted=gds.*
# Nothing is sent anywhere.
dbms.usage_report.enabled=false
client.allow_telemetry=false
# A hint on a missing index is an error, not a silent scan.
dbms.cypher.hints_error=true
# A restart after a kill takes 8 s instead of 57, and logs do not pile up.
db.checkpoint.interval.time=60s
db.tx_log.rotation.retention_policy=keep_none
db.tx_log.preallocate=false
# What was deleted is gone from the logs soon: they go when a newer one is full and checkpointed.
db.tx_log.rotation.size=32MiB
# Stopping takes half a second instead of ten.
internal.dbms.bolt.netty_server_shutdown_quiet_period=0
"""


@dataclass(frozen=True, slots=True)
class Run:
    """What a start notes before and after it launches the server."""

    bolt_port: int
    http_port: int
    pid: int | None = None  # None: its start was killed before it could note the process


@dataclass(frozen=True, slots=True)
class Store:
    """Where everything of one graph lies."""

    name: str
    home: Path

    @classmethod
    def of(cls, paths: Paths, name: str) -> "Store":
        """Return the store of that name, whether it exists or not."""
        return cls(name, paths.graph(name).resolve())

    @classmethod
    def all(cls, paths: Paths) -> list["Store"]:
        """Return the stores that exist, by name."""
        folder = paths.graph("any").parent
        if not folder.is_dir():
            return []
        names = sorted(f.name for f in folder.iterdir() if f.is_dir() and f.name[0] != ".")
        return [cls.of(paths, name) for name in names]

    @property
    def exists(self) -> bool:
        """Whether the graph was ever started."""
        return self.home.is_dir()

    @property
    def lock_file(self) -> Path:
        """The file whose lock allows to start, stop or delete; beside the folder, to outlive it."""
        return self.home.with_name(f".{self.name}.lock")

    @property
    def password_file(self) -> Path:
        """The file with the generated password; only its owner can read it."""
        return self.home / "password"

    @property
    def data(self) -> Path:
        """The folder of the databases and their transaction logs."""
        return self.home / "data"

    @property
    def conf(self) -> Path:
        """The folder of neo4j.conf."""
        return self.home / "conf"

    @property
    def log_file(self) -> Path:
        """What the server printed since it was started last."""
        return self.home / "logs" / "server.log"

    @property
    def _run_file(self) -> Path:
        return self.home / "run.json"

    def read_run(self) -> Run | None:
        """Return what the last start noted, None when the server was stopped or never started."""
        try:
            return Run(**json.loads(self._run_file.read_text(encoding="utf-8")))
        except (FileNotFoundError, NotADirectoryError, ValueError, TypeError):
            return None

    def write_run(self, run: Run | None) -> None:
        """Note a start; None forgets it."""
        if run is None:
            self._run_file.unlink(missing_ok=True)
        else:
            _write_private(self._run_file, json.dumps(asdict(run)))

    def prepare(self, run: Run, page_cache_bytes: int, plugins: Iterable[Path]) -> None:
        """Write all that the server reads when it starts; a password only the first time."""
        self.mend()
        for folder in ("conf", "data", "logs", "plugins", "import", "data/dbms"):
            (self.home / folder).mkdir(mode=0o700, parents=True, exist_ok=True)
        self.home.chmod(0o700)
        if not self.password_file.exists():
            self.set_password(secrets.token_urlsafe(24))
        text = _CONF.format(
            loopback=LOOPBACK,
            bolt=run.bolt_port,
            http=run.http_port,
            page_cache_bytes=page_cache_bytes,
        )
        _write_private(self.conf / "neo4j.conf", text)
        self._link_plugins({path.name: path for path in plugins})

    def set_password(self, password: str) -> None:
        """Give a store that was never started its password."""
        (self.data / "dbms").mkdir(mode=0o700, parents=True, exist_ok=True)
        _write_private(self.data / "dbms/auth.ini", _initial_user(password))
        _write_private(self.password_file, password + "\n")

    def exchange(self, data: Path) -> None:
        """Take another folder of databases in place of this one's, which is deleted.

        A kill at any moment leaves one of the two whole: `mend` finishes or undoes the rest.
        """
        self.mend()
        if self.data.is_dir():
            self.data.rename(self._before)
        data.rename(self.data)
        sync_folder(self.home)
        shutil.rmtree(self._before, ignore_errors=True)

    def mend(self) -> None:
        """Finish or undo an `exchange` that a kill broke off."""
        if not self._before.is_dir():
            return
        if self.data.is_dir():
            shutil.rmtree(self._before, ignore_errors=True)
        else:
            self._before.rename(self.data)

    @property
    def _before(self) -> Path:
        return self.home / "data.before"

    def _link_plugins(self, wanted: dict[str, Path]) -> None:
        """Make the plugins folder hold exactly these files."""
        folder = self.home / "plugins"
        for present in folder.iterdir():
            present.unlink()
        for name, path in wanted.items():
            try:
                (folder / name).hardlink_to(path)
            except OSError as error:  # another file system, or one without links
                if error.errno == errno.ENOSPC:
                    raise
                shutil.copyfile(path, folder / name)

    def remove(self) -> None:
        """Delete the graph; a kill in the midst leaves no half store under its name."""
        doomed = self.home.with_name(f".{self.name}.deleted")
        shutil.rmtree(doomed, ignore_errors=True)
        with suppress(FileNotFoundError):
            self.home.rename(doomed)
            shutil.rmtree(doomed)

    def size_bytes(self) -> int:
        """Return what the files take on the disk."""
        total = 0
        for folder, _, names in os.walk(self.home):
            for name in names:
                with suppress(FileNotFoundError):  # the server works here meanwhile
                    total += (Path(folder) / name).stat().st_size
        return total

    def log_tail(self, lines: int) -> list[str]:
        """Return the last lines that the server printed, at most 64 KiB."""
        try:
            with self.log_file.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - 2**16))
                text = file.read().decode("utf-8", "replace")
        except FileNotFoundError:
            return []
        return text.splitlines()[-lines:]


def sync_folder(folder: Path) -> None:
    """Put the names in a folder on the disk, where the system can."""
    if os.name == "posix":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read, all of it or nothing."""
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def _initial_user(password: str) -> str:
    """Return the file from which Neo4j makes its first user, so that no default password exists.

    Source: the file that `neo4j-admin dbms set-initial-password` writes: SHA-256 over salt and
    password, then over the hash again, 1,024 rounds in all.
    """
    salt = secrets.token_bytes(_SALT_BYTES)
    digest = hashlib.sha256(salt + password.encode()).digest()
    for _ in range(_HASH_ROUNDS - 1):
        digest = hashlib.sha256(digest).digest()
    return f"{USER}:SHA-256,{digest.hex()},{salt.hex()},{_HASH_ROUNDS}:\n"
