"""The guide on loopback, where Neo4j Browser fetches it for its sidebar.

Source: Neo4j Browser 5.24: `:guide URL` and `:play URL` fetch HTML from hosts that its setting
`browser.remote_content_hostname_whitelist` names, `localhost` among them unless it is changed, and
its address takes such a command as `cmd` and `arg`.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote

_PATH = "/guide.html"


@contextmanager
def serving(page: str) -> Iterator[str]:
    """Serve the guide, and nothing else, to this machine; yield its address."""
    content = page.encode()

    class Handler(BaseHTTPRequestHandler):
        timeout = 10.0

        def do_GET(self) -> None:
            is_there = self.path.partition("?")[0] == _PATH
            self.send_response(200 if is_there else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(content) if is_there else 0))
            self.send_header("Access-Control-Allow-Origin", "*")  # Browser is of another port
            self.end_headers()
            if is_there:
                self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://localhost:{server.server_port}{_PATH}"
    finally:
        server.shutdown()
        server.server_close()


def opening(browser_url: str, guide_url: str) -> str:
    """Return the address that opens Browser with the guide in its sidebar."""
    return f"{browser_url}&cmd=guide&arg={quote(guide_url, safe='')}"
