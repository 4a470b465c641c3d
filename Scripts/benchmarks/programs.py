"""Runs programs and servers, and takes their time.

Modules that are imported are few: a child's peak memory, as the kernel tells it, is never less than that of the process that
started it. So what needs much memory here runs as a program of its own.
"""
import json
import os
import re
import subprocess
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# No proxy may stand between the programs and a server on this machine.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}


class Trouble(Exception):
    """Why something could not be measured, as a sentence."""


class Outcome:
    """What one run of a program took, and what it printed on standard output."""

    def __init__(self, seconds, usage, output):
        self.seconds = seconds
        self.mebibytes = usage.ru_maxrss / 1024
        self.output = output

    @property
    def summary(self):
        return json.loads(self.output)


def timed(command, log, expected=(0,), environment=None, folder=ROOT, limit=None):
    """Runs a command after a sync; wall time of the whole process, peak memory from wait4. `log` takes what it prints.

    Returns None where it was not done within `limit` seconds.
    """
    os.sync()
    with open(log, "w+b") as out, open(log + ".errors", "w+b") as errors:
        start = time.monotonic()
        process = subprocess.Popen(
            command, cwd=folder, env={**ENVIRONMENT, **(environment or {})}, stdin=subprocess.DEVNULL, stdout=out, stderr=errors)
        try:
            status, usage = ended(process, start + limit if limit else None)
        except BaseException:
            process.kill()
            process.wait()
            raise
        seconds = time.monotonic() - start
        if status is None:
            return None
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        if process.returncode not in expected:
            errors.seek(0)
            words = errors.read().decode(errors="replace").strip()[-500:]
            raise Trouble(f"{' '.join(command)[:300]} ended with {process.returncode}: {words}")
        return Outcome(seconds, usage, out.read().decode(errors="replace"))


def ended(process, deadline):
    """Waits for a process; kills it at the deadline, of which the status None tells."""
    while deadline is not None:
        found, status, usage = os.wait4(process.pid, os.WNOHANG)
        if found:
            return status, usage
        if time.monotonic() > deadline:
            process.kill()
            _, _, usage = os.wait4(process.pid, 0)
            process.returncode = -9
            return None, usage
        time.sleep(0.001)
    _, status, usage = os.wait4(process.pid, 0)
    return status, usage


def said(*command):
    """The first line that a command prints; nothing where there is no such program."""
    try:
        done = subprocess.run(
            command, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return (done.stdout.splitlines() or [""])[0]


def run(*command, folder=ROOT):
    """Runs a command that is not measured. Returns what it prints; raises Trouble where it fails."""
    try:
        done = subprocess.run(
            command, cwd=folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    except OSError as error:
        raise Trouble(f"{command[0]} cannot be run: {error.strerror}") from None
    if done.returncode != 0:
        raise Trouble(f"{' '.join(command)[:300]} ended with {done.returncode}: {done.stderr.strip()[-500:]}")
    return done.stdout


class Server:
    """A server on this machine in a process of its own, ended with the block that it is for; the API's, unless told how another names its address."""

    def __init__(self, command, address=r"http://127\.0\.0\.1:\d+/api", lines=1):
        self.command, self.address, self.lines = command, address, lines

    def __enter__(self):
        self.process = subprocess.Popen(
            self.command, cwd=ROOT, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for _ in range(self.lines):
            banner = self.process.stdout.readline().decode(errors="replace")
            if (found := re.search(self.address, banner)) or not banner:
                break
        if not found:
            self.__exit__()
            raise Trouble(f"{' '.join(self.command)} did not start: {banner.strip()}")
        self.api = found[0]
        return self

    def __exit__(self, *_):
        end(self.process)
        self.process.stdout.close()

    @property
    def port(self):
        return int(self.api.split(":")[2].split("/")[0])

    def get(self, path, *more):
        """The body of an answer; curl asks, since Python's HTTP modules would add to every peak of memory measured here."""
        return run("curl", "--silent", "--show-error", "--fail", "--max-time", "30", *more, self.api[: -len("/api")] + path)

    def reset(self):
        self.get("/_reset", "--request", "POST")

    def stats(self):
        return json.loads(self.get("/_stats"))


def end(process):
    """Ends a server that was started here."""
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
