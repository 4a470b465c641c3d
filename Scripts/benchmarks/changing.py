"""Rows of small changes: one character in the archive, one line in a template."""
import os
import re
import socket

from .bench import REAL, Archived
from .programs import Server

# Two characters in the middle of the list, one of whom is renamed after the other.
RENAMED = (400, 401)
FEW = 8


def change(bench):
    """What a build takes after one character was renamed, and after one line of a template was."""
    one_character(bench)
    archived = bench.archived(REAL)
    for name in ("character.mustache", "locations.mustache", "layout.mustache"):
        one_line(bench, archived, name)


def one_character(bench):
    """Three states in turn: none renamed, one, both. The third is measured, its hidden tree being that of the first, as it is
    when a site is kept up to date day by day."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    output, archived = bench.fresh(), None
    for renamed in ((), RENAMED[:1], RENAMED):
        changed = ("--changed", ",".join(str(one) for one in renamed)) if renamed else ()
        # The last --port counts: an archive knows a source by its address.
        with Server(bench.sample(REAL, "--port", str(port), *changed)) as server:
            summary = bench.capture(server.api, output, connections=8).summary
            archived = Archived(REAL, output, server.api, summary)
    ours, written = [], []
    for _ in range(bench.runs):
        for revision in (1, 2):
            bench.render(archived, output, revision=revision)
        run = bench.render(archived, output, revision=3)
        ours.append(run)
        written.append(run.summary["written"])
    bench.row("one character renamed, 826", [run.seconds for run in ours]).at_most(0.040)
    bench.account("one character renamed", ours)
    named = sum(1 for path in pages(os.path.join(output, "site")) if mentions(path, RENAMED[1]))
    bench.row("  files written for it", written, "pages that show the character", [named], unit="files")


def one_line(bench, archived, name):
    """Three versions of a template in turn, since the hidden tree is that of the build before last."""
    versions = [bench.templates(name, number) for number in range(3)]
    output = bench.output_with(archived.folder, bench.scratch)
    for version in versions[:2]:
        bench.render(archived, output, version)
    ours, written = [], []
    for turn in range(bench.runs):
        run = bench.render(archived, output, versions[(turn + 2) % 3])
        ours.append(run)
        written.append(run.summary["written"])
    mark = re.compile(r"<!-- bench \d -->")
    using = 0
    for path in pages(os.path.join(output, "site")):
        with open(path) as file:
            using += bool(mark.search(file.read()))
    bench.row(f"one line of {name}, 826", [run.seconds for run in ours])
    # The scripts' texts name the build, and with it change.
    row = bench.row("  files written for it", written, "pages that use it", [using], unit="files")
    row.at_most(using + FEW, "its pages, and the few files that name the build")
    bench.account(f"one line of {name}", ours)


def pages(site):
    """Every page of a site."""
    return [os.path.join(parent, name) for parent, _, files in os.walk(site) for name in files if name.endswith(".html")]


def mentions(path, character):
    """Whether a page shows a character or links to it."""
    with open(path) as file:
        return f"character/{character}.html" in file.read()
