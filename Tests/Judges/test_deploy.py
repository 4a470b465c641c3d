"""amber deploy to a server of S3 (moto) and to WebDAV, through a proxy with faults."""
import http.client
import http.server
import os
import pathlib
import posixpath
import re
import socketserver
import tempfile
import threading
import time
import unittest

from . import programs, settings

REMOTE = {
    # The AWS library of rclone accepts no certificates from this variable.
    "AWS_CA_BUNDLE": "", "RCLONE_CONFIG": "/dev/null", "RCLONE_CONFIG_S_TYPE": "s3", "RCLONE_CONFIG_S_PROVIDER": "Other",
    "RCLONE_CONFIG_S_ACL": "public-read", "RCLONE_CONFIG_S_ACCESS_KEY_ID": "name", "RCLONE_CONFIG_S_SECRET_ACCESS_KEY": "hidden-word",
}


class Proxy(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """Forwards requests to a port. The file number `number` that is to be stored always has a fault; all later ones, if the disk is full."""

    daemon_threads = True

    def __init__(self, upstream):
        super().__init__(("127.0.0.1", 0), Forwarder)
        self.upstream = upstream
        self.set(None, 0)
        threading.Thread(target=self.serve_forever, args=[0.05], daemon=True).start()

    def handle_error(self, *arguments):
        """rclone resets connections that it no longer needs."""

    def set(self, fault, number):
        self.fault, self.number, self.paths = fault, number, []


class Forwarder(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Otherwise the body waits until the client has confirmed the header.
    disable_nagle_algorithm = True

    def forward(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        fault = None
        if self.command == "PUT":
            self.server.paths.append(self.path)
            faulty = self.server.paths[self.server.number - 1 : None if self.server.fault == 507 else self.server.number]
            fault = self.server.fault if self.path in faulty or self.server.fault == "slow" else None
        if fault == "cut":
            self.close_connection = True
            return
        if isinstance(fault, int):
            self.send_response(fault)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if fault == "slow":
            time.sleep(0.01)
        connection = http.client.HTTPConnection("127.0.0.1", self.server.upstream, timeout=30)
        connection.request(self.command, self.path, body, dict(self.headers))
        answer = connection.getresponse()
        content = answer.read()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ["connection", "transfer-encoding", "content-length", "server", "date"]:
                self.send_header(name, value)
        self.send_header("Content-Length", answer.getheader("Content-Length", "0") if self.command == "HEAD" else str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        connection.close()

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = do_PROPFIND = do_MKCOL = do_MOVE = do_OPTIONS = forward

    def log_message(self, *arguments):
        pass


@unittest.skipUnless(settings.MOTO, "moto is missing: AMBER_MOTO does not name its environment")
class DeployTests(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.output = f"{self.folder}/output"

    def amber(self, *arguments, more=None):
        return programs.run(settings.BINARY, *arguments, "--output", self.output, folder=settings.ROOT, more={**REMOTE, **(more or {})})

    def build(self, characters):
        code, output = self.amber("build", "--source", "sample", "--characters", str(characters))
        self.assertEqual(code, 0, output)

    def files(self):
        """The paths and contents of the built site."""
        site = f"{self.output}/site"
        found = [os.path.relpath(os.path.join(folder, name), site) for folder, _, names in os.walk(site) for name in names]
        return {path: pathlib.Path(site, path).read_bytes() for path in found}

    def read(self, port, path):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer, body

    def walk(self, port, root):
        """Follows all links from the home page. Returns the files by path."""
        queue, seen = ["index.html"], {}
        while queue:
            path = queue.pop()
            if path in seen:
                continue
            answer, seen[path] = self.read(port, root + path)
            self.assertEqual(answer.status, 200, path)
            if path.endswith(".html"):
                for link in re.findall(r'(?:href|src)="([^"#?:]+)["#?]', seen[path].decode()):
                    queue.append(posixpath.normpath(posixpath.join(posixpath.dirname(path), link)))
        return seen

    def judge(self, port, root, target, more, faults):
        """Deploys two sites to a server on a port, the second one through faults. `more` gives the remote for another port."""
        with Proxy(port) as proxy:
            try:
                more = more(proxy.server_address[1])
                self.build(2)
                code, output = self.amber("deploy", target, more=more)
                self.assertEqual(code, 0, output)
                self.walk(port, root)
                self.build(4)
                for fault, number in faults:
                    proxy.set(fault, number)
                    code, output = self.amber("deploy", target, more=more)
                    self.assertEqual(code, 6, f"{fault}: {output}")
                    self.assertRegex(output, r"(?m)^amber: rclone copy(to)? failed for ")
                    self.assertNotIn("hidden-word", output)
                    self.walk(port, root)
                proxy.set("slow", 0)
                code, output = self.amber("deploy", target, more=more)
                self.assertEqual(code, 0, output)
            finally:
                proxy.shutdown()
        found, files = self.walk(port, root), self.files()
        self.assertGreater(len(found), 80)
        self.assertEqual(found, {path: files[path] for path in found})

    def test_s3(self):
        def server(port):
            return [os.path.join(settings.MOTO, "bin", "python"), os.path.join(settings.MOTO, "bin", "moto_server"), "-H", "127.0.0.1", "-p", str(port)]

        with programs.serving(server, self.folder) as port:
            self.judge(port, "/bucket/site/", "s:bucket/site", lambda proxy: {"RCLONE_CONFIG_S_ENDPOINT": f"http://127.0.0.1:{proxy}"},
                       [(503, 1), (503, 6), ("cut", 6)])
            for path, kind in [
                ("index.html", "text/html; charset=utf-8"), ("style.css", "text/css; charset=utf-8"),
                ("manifest.webmanifest", "application/manifest+json"), ("api/character/1.json", "application/json; charset=utf-8"),
            ]:
                answer, _ = self.read(port, f"/bucket/site/{path}")
                self.assertEqual([answer.getheader("Content-Type"), answer.getheader("Cache-Control")], [kind, "no-cache"], path)

    def test_webdav(self):
        root = f"{self.folder}/root"
        os.mkdir(root)
        with programs.serving(lambda port: ["rclone", "serve", "webdav", "--addr", f"127.0.0.1:{port}", root], self.folder) as port:
            self.judge(port, "/", "dav:", lambda proxy: {"RCLONE_CONFIG_DAV_TYPE": "webdav", "RCLONE_CONFIG_DAV_URL": f"http://127.0.0.1:{proxy}"},
                       [(403, 1), (507, 2), (403, 3), (507, 4), (403, 9)])
