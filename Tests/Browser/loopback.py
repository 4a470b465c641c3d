"""A server on 127.0.0.1 during a block."""
import http.server
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
