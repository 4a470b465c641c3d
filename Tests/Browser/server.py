"""A static file server on 127.0.0.1 that records its requests, and can be slow or fail on purpose."""
import dataclasses
import fnmatch
import functools
import http.server
import os
import threading
import time
from urllib.parse import unquote, urlsplit

TYPES = {
    ".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8", ".xml": "application/xml",
}
# The Cache-Control of answers by path pattern; that of other paths is no-store. Each test with a fresh context has its own cache.
CACHING = {pattern: "max-age=600" for pattern in ("/style.css", "/fonts/*", "/scripts/[fr]*", "/avatar/*", "/artwork/*")}


@dataclasses.dataclass
class Request:
    """A request: its path, its start and end, and the number of requests in flight at its start, including itself."""

    path: str
    start: float
    flying: int
    end: float = 0.0
    status: int = 0


class Server:
    """Serves a folder until it is stopped. Delay and failures can be changed while it runs."""

    def __init__(self, folder):
        self.folder = folder
        self.delay = 0.0  # seconds before each answer to a path that matches `slow`
        self.slow = "*"
        self.barrier = None  # a threading.Barrier or Event: answers to a path that matches `slow` wait for it
        self.halves = None  # the beginning of the second part, if answers are sent in two parts
        self.failures = {}  # path pattern: the number of next answers that are 503
        self.caching = CACHING
        self.redirects = {}  # path: the address that a 302 names
        self.changes = {}  # path: the text in place of the file, or None for a missing file
        self.requests = []
        self.lock = threading.Lock()
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, self))
        self.address = f"http://127.0.0.1:{self.http.server_address[1]}/"
        threading.Thread(target=self.http.serve_forever, args=[0.05], daemon=True).start()

    def stop(self):
        """Stops the server. It may be called twice."""
        self.http.shutdown()
        self.http.server_close()

    def reset(self):
        """Restores the initial settings and an empty record."""
        self.delay, self.slow, self.failures, self.changes, self.redirects = 0.0, "*", {}, {}, {}
        self.caching, self.barrier, self.halves = CACHING, None, None
        with self.lock:
            self.requests = []

    def asked(self, pattern):
        """The requests with a matching path, in order."""
        with self.lock:
            return [request for request in self.requests if fnmatch.fnmatch(request.path, pattern)]

    def began(self, path):
        with self.lock:
            alike = [other for other in self.requests if not other.end and other.path.rpartition("/")[0] == path.rpartition("/")[0]]
            request = Request(path, time.monotonic(), len(alike) + 1)
            self.requests.append(request)
            return request

    def fails(self, path):
        with self.lock:
            for pattern, left in self.failures.items():
                if left > 0 and fnmatch.fnmatch(path, pattern):
                    self.failures[pattern] = left - 1
                    return True
        return False


class Handler(http.server.BaseHTTPRequestHandler):
    # Connections are not kept alive, so that a stopped server cannot be reached.
    protocol_version = "HTTP/1.0"

    def __init__(self, server, *rest):
        self.site = server
        super().__init__(*rest)

    def do_GET(self):
        path = unquote(urlsplit(self.path).path)
        path += "index.html" if path.endswith("/") else ""
        request = self.site.began(path)
        try:
            status, kind, body = self.answer(path)
            if fnmatch.fnmatch(path, self.site.slow):
                time.sleep(self.site.delay)
                if self.site.barrier:
                    self.site.barrier.wait()
            request.status = status
            # Before the bytes are sent, so that the page's next request does not count as simultaneous.
            request.end = time.monotonic()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Access-Control-Allow-Origin", "*")
            if status == 302:
                self.send_header("Location", self.site.redirects[path])
            caching = [value for pattern, value in self.site.caching.items() if fnmatch.fnmatch(path, pattern)]
            self.send_header("Cache-Control", (caching + ["no-store"])[0])
            self.end_headers()
            first, _, _ = body.partition(self.site.halves) if self.site.halves else (body, b"", b"")
            self.wfile.write(first)
            if len(first) < len(body):
                self.wfile.flush()
                time.sleep(0.4)
                self.wfile.write(body[len(first) :])
        except (BrokenPipeError, ConnectionResetError, threading.BrokenBarrierError):
            pass  # A broken barrier ends the connection without an answer.
        finally:
            request.end = request.end or time.monotonic()

    def answer(self, path):
        if self.site.fails(path):
            return 503, TYPES[".txt"], b"not now"
        if path in self.site.redirects:
            return 302, TYPES[".txt"], b""
        full = os.path.normpath(self.site.folder + path)
        change = self.site.changes.get(path, "")
        if change:
            return 200, TYPES[os.path.splitext(full)[1]], change.encode()
        if change is None or not full.startswith(self.site.folder + os.sep) or not os.path.isfile(full):
            return 404, TYPES[".txt"], b"not here"
        with open(full, "rb") as file:
            return 200, TYPES.get(os.path.splitext(full)[1], "application/octet-stream"), file.read()

    def log_message(self, *_):
        pass
