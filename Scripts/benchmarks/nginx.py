"""nginx in the foreground, with everything that it writes in a folder of its own."""
import os
import re
import shutil
import socket
import subprocess
import time

from .programs import ENVIRONMENT, ROOT, Trouble, end, run, said

PROGRAM = shutil.which("nginx", path=os.environ.get("PATH", os.defpath) + os.pathsep + "/usr/sbin")


class Nginx:
    """A server for the block that it is for. `make` gives the text of its http block for a free port."""

    def __init__(self, folder, make, scheme="http"):
        if not PROGRAM:
            raise Trouble("nginx is not installed (Debian's package nginx-light)")
        os.makedirs(folder)
        with socket.create_server(("127.0.0.1", 0)) as taken:
            self.port = taken.getsockname()[1]
        self.folder, self.log = folder, os.path.join(folder, "access.log")
        self.api = f"{scheme}://127.0.0.1:{self.port}/api"
        folders = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        with open(os.path.join(folder, "nginx.conf"), "w") as file:
            file.write(
                f"daemon off;\nmaster_process off;\npid {folder}/pid;\nerror_log {folder}/error.log crit;\nevents {{ worker_connections 1024; }}\n"
                f"http {{\ninclude /etc/nginx/mime.types;\nlog_format counted '$status $body_bytes_sent $server_protocol';\n"
                # One connection may bring everything, and what was asked for is looked up again, as on a server at work.
                f"access_log {self.log} counted buffer=64k flush=1s;\nkeepalive_requests 10000000;\nsendfile on;\ntcp_nopush on;\n"
                f"open_file_cache max=40000 inactive=300s;\n{folders}{make(self.port)}\n}}\n")

    def __enter__(self):
        self.process = subprocess.Popen(
            [PROGRAM, "-p", self.folder, "-e", f"{self.folder}/error.log", "-c", f"{self.folder}/nginx.conf"], env=ENVIRONMENT,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 20
        while time.monotonic() < until and self.process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            time.sleep(0.02)
        with open(os.path.join(self.folder, "error.log")) as file:
            words = file.read()[-500:]
        self.__exit__()
        raise Trouble(f"nginx does not listen on port {self.port}: {words}")

    def __exit__(self, *_):
        end(self.process)

    def answered(self):
        """Answers since this was last asked: how many by status, bytes of bodies, and the protocols spoken."""
        time.sleep(1.2)
        counts, size, protocols = {}, 0, set()
        with open(self.log) as file:
            for line in file:
                status, sent, protocol = line.split()
                counts[status] = counts.get(status, 0) + 1
                size += int(sent)
                protocols.add(protocol)
        os.truncate(self.log, 0)
        return counts, size, protocols


def version():
    return said(PROGRAM, "-v").replace("nginx version: ", "") if PROGRAM else ""


def twin(site):
    """The server block for a site's twin that docs/hosting.md prints."""
    def make(port):
        with open(os.path.join(ROOT, "docs", "hosting.md")) as file:
            text = re.split(r"^#+ ", file.read().split("### nginx\n")[1], flags=re.M)[0]
        block = "".join(line[4:] + "\n" for line in text.splitlines() if line.startswith("    "))
        made = block.replace("listen 80;", f"listen 127.0.0.1:{port};").replace("/var/www/characters", site)
        if f"127.0.0.1:{port}" not in made or site not in made:
            raise Trouble("docs/hosting.md has another port or folder than is replaced here")
        return made
    return make


def front(port_behind, certificate, key):
    """A server block that speaks HTTP/2 over TLS and asks another server on this machine."""
    def make(port):
        return (
            f"upstream behind {{ server 127.0.0.1:{port_behind}; keepalive 64; keepalive_requests 10000000; }}\n"
            f"server {{\nlisten 127.0.0.1:{port} ssl http2;\nssl_certificate {certificate};\nssl_certificate_key {key};\n"
            "location / { proxy_pass http://behind; proxy_http_version 1.1; proxy_set_header Connection ''; proxy_set_header Host 127.0.0.1; }\n}\n")
    return make


def certificate(folder):
    """A certificate of this machine's own for 127.0.0.1, and its key."""
    pair = os.path.join(folder, "certificate.pem"), os.path.join(folder, "key.pem")
    run(
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
        "subjectAltName=IP:127.0.0.1", "-keyout", pair[1], "-out", pair[0])
    return pair
