"""The API's mirror and the security headers on real servers: nginx and Caddy as docs/hosting.md configures them, and amber serve.

Needs AMBER_ROOT (the project), and the program in .build/release or at AMBER_BINARY. Tests of a missing server are
skipped; with AMBER_REQUIRE_SERVERS set, as in .ci/run, they fail.
"""

import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

ROOT = pathlib.Path(os.environ.get("AMBER_ROOT", pathlib.Path(__file__).resolve().parents[2]))
AMBER = os.environ.get("AMBER_BINARY", str(ROOT / ".build/release/amber"))
REQUIRED = "AMBER_REQUIRE_SERVERS" in os.environ
SHARED = pathlib.Path(os.environ.get("AMBER_SHARED", ROOT / "../shared"))


def block(title):
    """The indented lines below a heading of docs/hosting.md."""
    text = (ROOT / "docs/hosting.md").read_text()
    section = re.split(r"^#+ ", text.split(f"### {title}\n")[1], flags=re.M)[0]
    return "".join(line[4:] + "\n" for line in section.splitlines() if line.startswith("    "))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def get(url):
    """Status, body and content type of an answer, whatever the status."""
    try:
        with urllib.request.urlopen(url, timeout=20) as answer:
            return answer.status, answer.read(), answer.headers.get("Content-Type", "")
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read(), error.headers.get("Content-Type", "")


def amber(*arguments):
    """The JSON output of a run of the program."""
    run = subprocess.run([AMBER, *arguments, "--json"], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, f"{arguments}: {run.returncode} {run.stderr}"
    return json.loads(run.stdout)


class Process:
    """A process that ends with its block."""

    def __init__(self, *command, **more):
        self.process = subprocess.Popen(command, **more)

    def __enter__(self):
        return self.process

    def __exit__(self, *error):
        self.process.terminate()
        self.process.wait(timeout=20)
        if self.process.stdout:
            self.process.stdout.close()


def wait_until_open(process, port):
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise AssertionError(f"{process.args[0]} does not listen on port {port}")


def nginx(site, port, scratch, configuration=None):
    """nginx in the foreground. It writes only to its own folder."""
    own = configuration or block("nginx")
    own = own.replace("listen 80;", f"listen 127.0.0.1:{port};").replace("/var/www/characters", str(site))
    assert f"127.0.0.1:{port}" in own and str(site) in own, "docs/hosting.md has another port or folder than this test replaces"
    (scratch / "site.conf").write_text(own)
    folders = "".join(f"{kind}_temp_path {scratch}/{kind};\n" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    (scratch / "nginx.conf").write_text(
        f"daemon off;\nmaster_process off;\npid {scratch}/pid;\nerror_log {scratch}/error.log;\nevents {{}}\n"
        f"http {{\ninclude /etc/nginx/mime.types;\naccess_log off;\n{folders}include {scratch}/site.conf;\n}}\n")
    return Process("nginx", "-p", str(scratch), "-e", f"{scratch}/error.log", "-c", f"{scratch}/nginx.conf")


def caddy(site, port, scratch):
    """Caddy in the foreground, without its administration. It writes only to its own folder."""
    own = block("Caddy").replace(":80 {", f"http://127.0.0.1:{port} {{").replace("/var/www/characters", str(site))
    assert f":{port} {{" in own and str(site) in own, "docs/hosting.md has another port or folder than this test replaces"
    (scratch / "Caddyfile").write_text("{\nadmin off\n}\n" + own)
    home = {**os.environ, "HOME": str(scratch), "XDG_DATA_HOME": str(scratch), "XDG_CONFIG_HOME": str(scratch)}
    log = open(scratch / "caddy.log", "w")
    with log:
        return Process("caddy", "run", "--config", f"{scratch}/Caddyfile", "--adapter", "caddyfile", env=home, stdout=log, stderr=log)


def serve(site, port, scratch):
    """amber serve."""
    return Process(AMBER, "serve", "--quiet", "--output", str(site.parent), "--port", str(port), cwd=ROOT)


def needs(program):
    """Skips a test if a program is not installed and not required."""
    return unittest.skipUnless(REQUIRED or shutil.which(program), f"{program} is not installed")


def sample():
    """The invented universe as a live API."""
    return [AMBER, "sample", "--port", "0", "--characters", "150"]


def real():
    """The real data from its replica."""
    return [sys.executable, str(SHARED / "replica/replica.py"), "--port", "0"]


class Mirror:
    """An origin and its mirror on a server. Subclasses choose both."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        process = cls.enterClassContext(
            Process(*cls.origin(), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
        cls.api = re.search(r"http://\S+/api", process.stdout.readline())[0]
        first = amber("build", "--source", "live", "--api", cls.api, "--output", str(cls.scratch / "first"))
        cls.hash, cls.counts = first["rootHash"], first["records"]
        port = free_port()
        server = cls.enterClassContext(cls.server(cls.scratch / "first/site", port, cls.scratch))
        wait_until_open(server, port)
        cls.mirror = f"http://127.0.0.1:{port}/api"

    def both(self, path):
        origin, mirror = get(f"{self.api}{path}"), get(f"{self.mirror}{path}")
        self.assertEqual(origin[:2], mirror[:2], path)
        return mirror

    def test_a_capture_of_the_mirror_has_the_same_root_hash(self):
        second = amber("capture", "--source", "live", "--api", self.mirror, "--output", str(self.scratch / "second"))
        self.assertEqual(second["rootHash"], self.hash)
        self.assertEqual(second["records"], self.counts)
        self.assertEqual(second["gaps"], [])

    def test_list_pages_equal_those_of_the_origin(self):
        for kind, count in self.counts.items():
            for page in range(1, (count + 19) // 20 + 1):
                status, body, kind_of = self.both(f"/{kind}?page={page}")
                self.assertEqual(status, 200)
                self.assertIn("application/json", kind_of)
                self.assertEqual(get(f"{self.mirror}/{kind}/?page={page}")[:2], (200, body))
            first = get(f"{self.mirror}/{kind}?page=1")[:2]
            for path in ["", "/", "?page=0", "?page=-1", "?page=x", "?page=", "?page=001"]:
                self.assertEqual(get(f"{self.mirror}/{kind}{path}")[:2], first, path)

    def test_records_equal_those_of_the_origin(self):
        for kind, count in self.counts.items():
            for number in {1, 2, count // 2, count}:
                self.assertEqual(self.both(f"/{kind}/{number}")[0], 200)
                self.assertEqual(get(f"{self.mirror}/{kind}/{number}/")[:2], get(f"{self.mirror}/{kind}/{number}")[:2])

    def test_pictures_equal_those_of_the_origin(self):
        for number in {1, 5, self.counts["character"]}:
            status, _, kind_of = self.both(f"/character/avatar/{number}.jpeg")
            self.assertEqual((status, kind_of), (200, "image/jpeg"))

    def test_the_root_lists_the_endpoints(self):
        for path in ["", "/"]:
            status, body, _ = get(self.mirror + path)
            self.assertEqual((status, list(json.loads(body))), (200, ["characters", "locations", "episodes"]))

    def test_missing_paths_get_the_404_of_the_api(self):
        self.both("/character?page=9999")
        nothing = get(f"{self.api}/character?page=9999")[1]
        for path in ["/character/99999", "/location/99999/", "/character/avatar/99999.jpeg", "/nonsense", "/character/page/x", "/character/x"]:
            status, body, kind_of = get(self.mirror + path)
            self.assertEqual((status, body), (404, nothing), path)
            self.assertIn("application/json", kind_of)
        status, body, _ = get(self.mirror[:-3] + "nothing.html")
        self.assertEqual((status, body), (404, (self.scratch / "first/site/404.html").read_bytes()))

    def test_filters_and_several_records_get_501(self):
        paths = [
            "/character?name=rick", "/character/?name=rick", "/character?page=2&name=rick", "/character?name=rick&page=2",
            "/character?page=1&page=2", "/location?type=Planet", "/episode?episode=S01", "/character?status=alive", "/character?page=1%32",
            "/character?page=2abc", "/character/1,2", "/character/1,2,3/", "/character/[1,2]", "/character/%5B1,2%5D", "/character/1%2C2",
            "/episode/[1]", "/location/1,",
        ]
        for path in paths:
            status, body, kind_of = get(self.mirror + path)
            self.assertEqual(status, 501, path)
            self.assertEqual(list(json.loads(body)), ["error"], path)
            self.assertIn("application/json", kind_of, path)


@needs("nginx")
class NginxWithTheSample(Mirror, unittest.TestCase):
    origin = staticmethod(sample)
    server = staticmethod(nginx)


@needs("nginx")
@unittest.skipUnless((SHARED / "replica/replica.py").exists(), "the real data or its replica is missing")
class NginxWithTheRealData(Mirror, unittest.TestCase):
    origin = staticmethod(real)
    server = staticmethod(nginx)


@needs("caddy")
class CaddyWithTheSample(Mirror, unittest.TestCase):
    origin = staticmethod(sample)
    server = staticmethod(caddy)


class AmberWithTheSample(Mirror, unittest.TestCase):
    origin = staticmethod(sample)
    server = staticmethod(serve)


DATA = "sandbox; default-src 'none'"
PAGE = "frame-ancestors 'self'"
SCRIPT = b"<!DOCTYPE html><title>x</title><script>alert(1)</script>"


@needs("nginx")
@needs("caddy")
class SecurityHeaders(unittest.TestCase):
    """All three servers give the same answers."""

    # Path, status, media type, content security policy.
    REQUESTS = [
        ("/", 200, "text/html", PAGE),
        ("/ru/character/1.html", 200, "text/html", PAGE),
        ("/sw.js", 200, "javascript", PAGE),
        ("/avatar/1.png", 200, "image/png", DATA),
        ("/data/characters.json", 200, "application/json", DATA),
        ("/api", 200, "application/json", DATA),
        ("/api/character", 200, "application/json", DATA),
        ("/api/character/?page=2", 200, "application/json", DATA),
        ("/api/character/1", 200, "application/json", DATA),
        ("/api/character/avatar/1.jpeg", 200, "image/jpeg", DATA),
        ("/nothing.html", 404, "text/html", PAGE),
        ("/avatar/nothing.jpg", 404, "text/html", PAGE),
        ("/data/nothing.json", 404, "text/html", PAGE),
        ("/api/nothing", 404, "application/json", DATA),
        ("/api/character/nothing.html", 404, "application/json", DATA),
        ("/api/character/avatar/", 404, "application/json", DATA),
        ("/api/character?name=rick", 501, "application/json", DATA),
        ("/api/character/1,2", 501, "application/json", DATA),
        # Files of an attacker. No build writes them.
        ("/api/character/avatar/page.html", 200, "text/html", DATA),
        ("/avatar/page.html", 200, "text/html", DATA),
        ("/data/page.html", 200, "text/html", DATA),
        ("//avatar//page.html", 200, "text/html", DATA),
        ("/%61vatar/page.html", 200, "text/html", DATA),
        ("/artwork/page.html", 200, "text/html", DATA),
        # For file systems that ignore case.
        ("/Avatar/page.html", 200, "text/html", DATA),
        # Folders of pages may have such names too.
        ("/species/data/page.html", 200, "text/html", PAGE),
        ("/species/api/page.html", 200, "text/html", PAGE),
    ]

    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        output = cls.scratch / "out"
        amber("build", "--source", "sample", "--characters", "30", "--output", str(output))
        for folder in ["api/character/avatar", "avatar", "data", "artwork", "Avatar", "species/data", "species/api"]:
            (output / "site" / folder).mkdir(exist_ok=True, parents=True)
            (output / "site" / folder / "page.html").write_bytes(SCRIPT)
        cls.ports = {}
        for make in [nginx, caddy, serve]:
            own = cls.scratch / make.__name__
            own.mkdir()
            port = free_port()
            wait_until_open(cls.enterClassContext(make(output / "site", port, own)), port)
            cls.ports[make.__name__] = port

    def ask(self, server, path, method="GET"):
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.ports[server], timeout=20)) as connection:
            connection.request(method, path)
            answer = connection.getresponse()
            answer.read()
            return answer

    def judge(self, answer, policy, place, origin="same-origin"):
        """Each header is there once, because all of several policies apply."""
        self.assertEqual(answer.headers.get_all("Cross-Origin-Resource-Policy"), [origin], place)
        allowed = ["*"] if origin == "cross-origin" else None
        self.assertEqual(answer.headers.get_all("Access-Control-Allow-Origin"), allowed, place)
        self.assertEqual(answer.headers.get_all("Content-Security-Policy"), [policy], place)
        self.assertEqual(answer.headers.get_all("X-Content-Type-Options"), ["nosniff"], place)
        self.assertEqual(answer.headers.get_all("Referrer-Policy"), ["strict-origin-when-cross-origin"], place)
        permissions = answer.headers.get_all("Permissions-Policy")
        self.assertEqual(len(permissions), 1, place)
        for device in ["camera", "microphone", "geolocation"]:
            self.assertIn(f"{device}=()", permissions[0], place)
        return permissions

    def test_every_answer_has_its_status_type_and_security_headers(self):
        for path, status, kind, policy in self.REQUESTS:
            found = {server: self.ask(server, path) for server in self.ports}
            for server, answer in found.items():
                self.assertEqual(answer.status, status, f"{server} {path}")
                self.assertIn(kind, answer.headers.get_content_type(), f"{server} {path}")
            origin = "cross-origin" if path.startswith("/api") else "same-origin"
            permissions = [self.judge(answer, policy, f"{server} {path}", origin) for server, answer in found.items()]
            self.assertEqual(permissions, permissions[:1] * 3, path)

    def test_redirects_and_other_methods_have_security_headers(self):
        for server in self.ports:
            answer = self.ask(server, "/ru")
            self.assertIn(answer.status, [301, 308], server)
            self.judge(answer, PAGE, server)
            for method in ["POST", "DELETE"]:
                answer = self.ask(server, "/index.html", method)
                # Caddy 2.6 answers every method with the file.
                self.assertIn(answer.status, [200, 405] if server == "caddy" else [405], f"{server} {method}")
                self.judge(answer, PAGE, f"{server} {method}")


@needs("nginx")
class NginxInASubfolder(unittest.TestCase):
    """The configuration after the changes that docs/hosting.md describes."""

    def setUp(self):
        scratch = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        amber("build", "--source", "sample", "--characters", "30", "--output", str(scratch / "out"))
        self.site = scratch / "out/site"
        for folder in ["api/character/avatar", "avatar", "data", "species/data", "species/api"]:
            (self.site / folder).mkdir(exist_ok=True, parents=True)
            (self.site / folder / "page.html").write_bytes(SCRIPT)
        pattern = r"^map \S+ (\S+) {.*?^}\n"
        maps = {found[1]: found[0] for found in re.finditer(pattern, block("nginx in a subfolder"), re.M | re.S)}
        self.assertEqual(sorted(maps), ["$allowed_origin", "$content_policy", "$resource_policy"])
        own = re.sub(pattern, lambda found: maps.get(found[1], found[0]), block("nginx"), flags=re.M | re.S)
        kept = re.sub(r"^    root .*\n", "", own[:own.index("    location")], flags=re.M)
        locations = re.sub(pattern, "", block("nginx in a subfolder"), flags=re.M | re.S)
        self.port = free_port()
        server = nginx(self.site, self.port, scratch, kept + locations + "}\n")
        wait_until_open(self.enterContext(server), self.port)

    def test_the_site_is_only_below_its_folder_and_its_data_is_sandboxed(self):
        for path, status, policy, origin in [
            ("/site/", 200, PAGE, "same-origin"), ("/site/ru/character/1.html", 200, PAGE, "same-origin"),
            ("/site", 301, PAGE, "same-origin"), ("/site/ru", 301, PAGE, "same-origin"),
            ("/site/api/character/avatar/page.html", 200, DATA, "cross-origin"),
            ("/site/api/character/1.json", 200, DATA, "cross-origin"),
            ("/site/avatar/page.html", 200, DATA, "same-origin"), ("/site//data//page.html", 200, DATA, "same-origin"),
            ("/site/%61vatar/page.html", 200, DATA, "same-origin"), ("/site/avatar/nothing.png", 404, PAGE, "same-origin"),
            ("/site/species/data/page.html", 200, PAGE, "same-origin"),
            ("/site/species/api/page.html", 200, PAGE, "same-origin"),
            ("/", 404, PAGE, "same-origin"), ("/index.html", 404, PAGE, "same-origin"),
            ("/data/page.html", 404, PAGE, "same-origin"), ("/site../site/index.html", 404, PAGE, "same-origin"),
        ]:
            with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)) as connection:
                connection.request("GET", path)
                answer = connection.getresponse()
                body = answer.read()
            self.assertEqual(answer.status, status, path)
            self.assertEqual(answer.headers.get_all("Content-Security-Policy"), [policy], path)
            self.assertEqual(answer.headers.get_all("Cross-Origin-Resource-Policy"), [origin], path)
            if status == 404:
                self.assertEqual(body == (self.site / "404.html").read_bytes(), path.startswith("/site/"), path)


if __name__ == "__main__":
    unittest.main()
