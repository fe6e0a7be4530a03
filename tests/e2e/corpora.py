"""Real documentation sites for tests: Debian packages, unpacked, not installed, served locally."""

import shutil
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest


def unpack(package: str, cache: Path) -> Path:
    """Return the root of an unpacked Debian package, downloaded once; skip without apt."""
    root = cache / package
    if root.is_dir():
        return root
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        pytest.skip(f"{package} is a Debian package, and there is no apt-get here")
    downloads = cache / "downloads"
    downloads.mkdir(parents=True, exist_ok=True)
    for prepare in ([], ["apt-get", "update", "-qq"]):  # the lists may be missing or old
        if prepare:
            subprocess.run(prepare, capture_output=True, timeout=120, check=False)
        command = ["apt-get", "download", "-q", package]
        done = subprocess.run(command, cwd=downloads, capture_output=True, timeout=120, check=False)
        if done.returncode == 0:
            break
    else:
        pytest.skip(f"{package} cannot be downloaded: {done.stderr.decode()[-200:]}")
    (archive,) = downloads.glob(f"{package}_*.deb")
    part = cache / f"{package}.part"
    shutil.rmtree(part, ignore_errors=True)
    subprocess.run(["dpkg-deb", "-x", str(archive), str(part)], check=True, timeout=120)
    part.rename(root)
    return root


@contextmanager
def serve(sites: Mapping[str, Path]) -> Iterator[int]:
    """Serve folders on one loopback port, told apart by the Host header; yield the port."""

    class Handler(SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def translate_path(self, path: str) -> str:
            host = self.headers.get("Host", "").partition(":")[0]
            self.directory = str(sites[host])
            return super().translate_path(path)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory="/nonexistent"))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
