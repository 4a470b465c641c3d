"""Rows of the full build from the archive, beside `cp -r` of its text and beside Hugo on as many pages."""
import os
import re

from .bench import REAL
from .figures import counted, median
from .hugo import LIMIT, Hugo, agreement
from .programs import Trouble, run, timed

SMALL, LARGE, MILLION = 10_000, 100_000, 1_000_000
# A site's bytes and files a character; what is asked for before anything is made, with room to spare.
BYTES, FILES = 38_000, 5


def build(bench):
    """The whole site of the real data, or of as many characters of the sample."""
    built(bench, REAL, bench.runs)


def large(bench):
    """Ten and a hundred thousand characters, as far as the scale goes; the largest once."""
    for characters in (SMALL, LARGE):
        if characters <= bench.scale:
            built(bench, characters, bench.runs if characters == SMALL else min(bench.runs, bench.large_runs))
    peaks = bench.peaks
    if SMALL in peaks and LARGE in peaks:
        bench.row(f"peak memory, {LARGE:,}", [peaks[LARGE]], f"{SMALL:,}", [peaks[SMALL]], unit="MiB").ratio_at_most(1.1)


def million(bench):
    """A million characters, once, and only where that scale is asked for."""
    if bench.scale < MILLION:
        return
    # An archive and one tree.
    if trouble := bench.room(bench.scratch, MILLION * BYTES * 5 // 4, MILLION * FILES):
        raise Trouble(f"a million characters do not fit: {trouble}")
    if LARGE not in bench.a_page:
        built(bench, LARGE, 1, hugo=False)
    archived = bench.archived(MILLION)
    name = f"on disk, {archived.label}"
    run = bench.render(archived, bench.output_with(archived.folder, bench.scratch))
    bench.row(f"first build {name}", [run.seconds])
    bench.row(f"  peak memory {name}", [run.mebibytes], unit="MiB").at_most(250)
    a_page = 1e6 * run.seconds / run.summary["pages"]
    bench.row("  its time a page", [a_page], f"at {LARGE:,}", [bench.a_page[LARGE]], unit="us").ratio_at_most(1.5)
    bench.account(f"first build {name}", [run])
    bench.note(f"{archived.label} on disk, 1 run: {told(run.summary)}")


def built(bench, characters, runs, hugo=True):
    """First build and rebuild of one size, on every place that has room for it."""
    shown = f"{characters:,}"
    for word, place in bench.places:
        # The site that is rebuilt, twice over, its text, and what a run makes: on a disk for every run, in memory one at a time.
        trees = 3 + 3 * runs if place == bench.scratch else 4
        if trouble := bench.room(place, characters * BYTES * trees, characters * FILES * trees):
            bench.note(f"{shown} characters on {word} were not measured: {trouble}")
            continue
        archived = bench.real() if characters == REAL else bench.archived(characters)
        bench.say(f"building sites of {shown} characters on {word}, {counted(runs, 'run')}")
        size(bench, archived, word, place, runs, hugo)


def size(bench, archived, word, place, runs, hugo):
    """The rows of one size on one place."""
    name = f"on {word}, {archived.label}"
    # Three in turn: a render finds the site of the run before last in its hidden tree, and writes what differs from that.
    layouts = [bench.templates("layout.mustache", number) for number in range(3)]
    held = bench.held(archived, place)
    model = bench.output_with(held, place)
    summary = bench.render(archived, model, layouts[0]).summary
    site = os.path.join(model, "site")
    text = bench.text_of(site, place)
    peer = Peer(bench, site, place, archived.characters) if hugo else None
    bench.render(archived, model, layouts[1])

    first, rebuilt, copies = [], [], []
    for turn in range(runs):
        output, copy = bench.output_with(held, place), bench.fresh(place)
        first.append(bench.render(archived, output, layouts[0]))
        bench.discard(output)
        copies.append(copied(bench, text, copy))
        bench.discard(copy)
        rebuilt.append(bench.render(archived, model, layouts[(turn + 2) % 3]))
        if rebuilt[-1].summary["written"] < rebuilt[-1].summary["pages"] - 1:
            # 404.html stands alone: it has no part in the layout. The scripts' texts, which name the build, change too.
            raise Trouble(f"a rebuild wrote {rebuilt[-1].summary['written']} files for {rebuilt[-1].summary['pages']} changed pages")
        if peer:
            peer.run()

    hugos = peer.seconds if peer else []
    for kind, ours in (("first build", first), ("rebuild", rebuilt)):
        check = bench.account(f"{kind} {name}", ours)["check"]
        limit, why = 1.3 * median(copies) + check, "1.3 x cp + check"
        if archived.characters >= SMALL and hugos and median(hugos) / 10 > limit:
            limit, why = median(hugos) / 10, "a tenth of Hugo"
        bench.row(f"{kind} {name}", [run.seconds for run in ours], "cp -r of its text", copies).at_most(limit, why)
    if hugos:
        row = bench.row(f"  beside Hugo {name}", [run.seconds for run in first], "Hugo, as many pages", hugos)
        if archived.characters < SMALL:
            row.ratio_at_most(1 / 3)
    peak = bench.row(f"  peak memory {name}", [run.mebibytes for run in first + rebuilt], "Hugo" if hugos else "", peer.memory if peer else [], "MiB")
    peak.at_most(120)
    bench.peaks[archived.characters] = max(bench.peaks.get(archived.characters, 0), median(peak.ours))
    # Microseconds a page, for the size beyond.
    if place == bench.scratch:
        bench.a_page[archived.characters] = 1e6 * median([run.seconds for run in first]) / summary["pages"]
    checked(bench, name, first + rebuilt, site)
    agrees = f"; {peer.agrees}" if peer and peer.agrees else ""
    bench.note(f"{archived.label} on {word}, {counted(runs, 'run')}: {told(summary)}{agrees}")


def copied(bench, text, copy):
    """One `cp -r`, timed."""
    return timed(["cp", "-r", text, copy], bench.log).seconds


def checked(bench, name, runs, site, bound=None):
    """The check alone: pages a second on one core, by the program's own account."""
    rates = []
    for summary in (one.summary for one in runs):
        if seconds := summary["seconds"].get("check"):
            rates.append(summary["pages"] / (seconds * bench.workers))
    # Another program counts: names of a million files would stay in this one's memory, and with it in every peak.
    size, count = run("sh", "-c", f"find '{site}' -name '*.html' -printf '%s\\n' | awk '{{ s += $1 }} END {{ print s, NR }}'").split()
    if rates:
        row = bench.row(f"  check alone {name}, pages of {float(size) / int(count) / 1000:.1f} KB", rates, unit="pages/s")
        if bound:
            row.at_least(bound)


def check(bench):
    """The check of small pages: the templates without what makes them large."""
    archived = bench.archived(REAL)
    versions = [bench.templates("layout.mustache", number) for number in range(3)]
    for version in versions:
        shorten(version)
    output = bench.output_with(archived.folder, bench.scratch)
    for version in versions[:2]:
        bench.render(archived, output, version)
    runs = [bench.render(archived, output, versions[(turn + 2) % 3]) for turn in range(bench.runs)]
    checked(bench, "in cut templates, 826", runs, os.path.join(output, "site"), bound=20_000)


def shorten(templates):
    """Cuts templates down to pages of about 3 KB: without navigation, links for sharing, filters, casts and provenance."""
    cuts = {
        "layout.mustache": r'<a class="skip".*?</header>\n|{{>sharing}}\n|<footer.*?</footer>\n|<link rel="(?:alternate|icon|manifest)"[^\n]*\n',
        "index.mustache": r"{{>facets}}\n", **{
            f"{kind}.mustache": r"{{>(?:provenance|cast|neighbours)}}\n" for kind in ("character", "location", "episode")}}
    for name, pattern in cuts.items():
        path = os.path.join(templates, name)
        with open(path) as file:
            text = file.read()
        with open(path, "w") as file:
            file.write(re.sub(pattern, "", text, flags=re.S))


def told(summary):
    return f"{summary['pages']:,} pages, {summary['written']:,} files and links of {summary['bytes'] / 1e6:,.0f} MB"


class Peer:
    """Hugo's turns on one site; none where Hugo cannot be had, or has not been done in time."""

    def __init__(self, bench, site, place, characters):
        self.bench, self.site, self.place, self.characters = bench, site, place, characters
        self.seconds, self.memory, self.agrees = [], [], ""
        self.hugo = None
        status = bench.room(place, characters * BYTES + characters * 100_000 * (place != bench.scratch), characters * FILES)
        if status:
            bench.note(f"Hugo was not run on {characters:,} characters: {status}")
            return
        try:
            self.hugo = Hugo(bench.log)
        except Trouble as trouble:
            bench.note(f"NOT MEASURED beside Hugo: {trouble}")
            return
        self.folder = bench.fresh(place)
        self.pages = self.hugo.site(site, self.folder)
        bench.versions["Hugo"] = " ".join(self.hugo.version.split()[:2])

    def run(self):
        """One turn, into a fresh folder; the largest size has but one."""
        if self.hugo is None or (self.characters >= LARGE and self.seconds):
            return
        output = self.bench.fresh(self.place)
        run = self.hugo.build(self.folder, output)
        if run is None:
            self.bench.note(f"Hugo was not done with {self.pages:,} pages in {LIMIT} seconds, and was ended")
            self.seconds.append(LIMIT)
            self.hugo = None
            return
        self.seconds.append(run.seconds)
        self.memory.append(run.mebibytes)
        if not self.agrees:
            self.agrees = agreement(self.site, output)
        self.bench.discard(output)
