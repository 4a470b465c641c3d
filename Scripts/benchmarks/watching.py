"""Rows of a saved file: how long until a page that is asked for shows it, beside Hugo's server."""
import os
import re
import shutil
import socket
import time

from .bench import CONTENT
from .hugo import Hugo
from .programs import ROOT, Server, Trouble

PAGE = "/character/1.html"
LIMIT = 30  # seconds until a page shows what was saved
PAUSE = 0.001  # between two questions for a page
# Publishing in the background begins 250 ms after a save and takes all cores: the next save is after it.
REST = 1.5
# A save that comes so much after another finds the site being published.
MIDST = 0.35
# What has the mark; a comment would not do, which Hugo leaves out.
PARAGRAPH, META = "<p>{}</p>\n", '<meta name="bench" content="{}" />\n'


class Edited:
    """A file that is saved again and again, each time with another mark in it, in the manner of editors: by a new file in its place."""

    def __init__(self, path, marked):
        self.path, self.marked = path, marked
        with open(path) as file:
            self.text = file.read()
        if marked(self.text, "mark") == self.text:
            raise Trouble(f"{path} has no place for a mark")

    def save(self, mark):
        """Returns when it was in its place."""
        with open(self.path + "~", "w") as file:
            file.write(self.marked(self.text, mark))
        os.rename(self.path + "~", self.path)
        return time.monotonic()


def watch(bench):
    """Saves of the character's template, of the layout around all pages and of the texts, in turns with Hugo's."""
    archived = bench.real()
    templates = bench.fresh()
    shutil.copytree(os.path.join(ROOT, "Templates"), templates)
    output = bench.output_with(archived.folder, bench.scratch)
    bench.render(archived, output, templates)
    command = [
        bench.amber, "serve", "--watch", "--port", "0", "--source", "archive", "--api", archived.api, "--output", output, "--templates", templates]
    with Server(command, address=r"http://127\.0\.0\.1:\d+") as ours, peer(bench, os.path.join(output, "site")) as theirs:
        bench.say(f"saving templates of {archived.label}")
        for name, edited, others in (
            ("character.mustache", template(templates, "character.mustache", CONTENT, PARAGRAPH),
             template(theirs.layouts, "character/page.html", '{{ define "main" -}}\n', PARAGRAPH)),
            ("layout.mustache", template(templates, "layout.mustache", "<head>\n", META),
             template(theirs.layouts, "baseof.html", "<head>\n", META)),
            ("strings/en.json", texts(templates, "allCharacters"), None),
        ):
            shown, beside = [], []
            for turn in range(2 * bench.runs):
                shown.append(until(ours.port, edited, f"{name} {turn}"))
                if others:
                    beside.append(until(theirs.port, others, f"{name} {turn}"))
            row = bench.row(f"{name} saved, its page shown, {archived.label}", shown, "hugo server" if beside else "", beside)
            row.at_most(0.1)
        edited, midst = template(templates, "layout.mustache", "<head>\n", META), []
        for turn in range(2 * bench.runs):
            until(ours.port, edited, f"before {turn}")
            midst.append(until(ours.port, edited, f"midst {turn}", MIDST))
        bench.row(f"layout.mustache saved while the site is published, {archived.label}", midst).at_most(0.1)


def peer(bench, site):
    """Hugo's server on the same pages, in memory, which is its faster way."""
    hugo = Hugo(bench.log)
    folder = bench.fresh()
    hugo.site(site, folder)
    bench.versions["Hugo"] = " ".join(hugo.version.split()[:2])
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    command = [hugo.program, "server", "--noBuildLock", "--renderToMemory", "--port", str(port), "--source", folder]
    server = Server(command, address=rf"http://(?:localhost|127\.0\.0\.1):{port}\b", lines=100)
    server.layouts = os.path.join(folder, "layouts")
    return server


def template(folder, name, place, element):
    """A template in which an element behind a place differs."""
    return Edited(os.path.join(folder, name), lambda text, mark: text.replace(place, place + element.format(mark), 1))


def texts(templates, key):
    """English texts of which one differs."""
    return Edited(
        os.path.join(templates, "strings", "en.json"), lambda text, mark: re.sub(rf'("{key}": ")[^"]*', rf"\g<1>{mark}", text, count=1))


def until(port, edited, mark, rest=REST):
    """Seconds from a save to the page's first bytes with the mark, the page being asked for over and over."""
    time.sleep(rest)
    saved = edited.save(mark)
    while time.monotonic() - saved < LIMIT:
        if mark.encode() in asked(port):
            return time.monotonic() - saved
        time.sleep(PAUSE)
    raise Trouble(f"{PAGE} did not show within {LIMIT} seconds that {edited.path} was saved")


def asked(port):
    """All of a page; a connection each time, as after a reload."""
    with socket.create_connection(("127.0.0.1", port), timeout=LIMIT) as connection:
        connection.sendall(f"GET {PAGE} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
        parts = []
        while part := connection.recv(1 << 16):
            parts.append(part)
    return b"".join(parts)
