"""A server on 127.0.0.1 during a block."""
import http.server
import json
import threading


class Loopback:
    """Serves with a handler on a free port."""

    def __init__(self, handler):
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.origin = f"http://127.0.0.1:{self.http.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self.http.serve_forever, args=[0.05], daemon=True).start()
        return self

    def __exit__(self, *_):
        self.http.shutdown()
        self.http.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    """A handler that keeps connections open and prints nothing."""

    protocol_version = "HTTP/1.1"

    def send(self, status, kind, body, more=()):
        """Sends an answer. A body that is not bytes is sent as JSON."""
        if not isinstance(body, bytes):
            body = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
        self.send_response(status)
        for name, value in (("Content-Type", kind), ("Content-Length", str(len(body))), *more):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
