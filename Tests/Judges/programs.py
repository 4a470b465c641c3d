"""Runs the programs that check packages."""
import contextlib
import http.client
import os
import signal
import socket
import subprocess
import time

from . import settings


def run(*command, folder=None, more=None, given=""):
    """Runs a program to its end with an input. Returns its exit code and its output."""
    done = subprocess.run(
        command, cwd=folder, env={**settings.ENVIRONMENT, **(more or {})}, input=given.encode(), stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, timeout=settings.LIMIT)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def must(*command, **options):
    """Runs a program that has to succeed. Returns its output."""
    code, output = run(*command, **options)
    if code != 0:
        raise AssertionError(f"{' '.join(command)} ended with {code}:\n{output[-4000:]}")
    return output


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def ask(port, path):
    """Sends a request to a local server. Returns status, media type and body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.getheader("Content-Type"), answer.read()
    finally:
        connection.close()


@contextlib.contextmanager
def serving(make, folder, wait=60):
    """Runs a server in a folder during the block; `make` gives its command for a port. Only this server is ended."""
    port = free_port()
    with open(os.path.join(folder, "server.log"), "w+b") as log:
        server = subprocess.Popen(
            make(port), cwd=folder, env=settings.ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
            start_new_session=True)
        try:
            until = time.monotonic() + wait
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    if server.poll() is not None or time.monotonic() > until:
                        log.seek(0)
                        raise AssertionError(f"{make(port)[0]} does not answer:\n{log.read().decode('utf-8', 'replace')[-4000:]}") from None
                    time.sleep(0.05)
            yield port
        finally:
            server.terminate()
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
            # Some servers leave processes behind.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGKILL)
