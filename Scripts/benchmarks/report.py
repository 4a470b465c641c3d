"""docs/benchmarks.md: written wholly from what was measured in one run."""
import os
import sys
import textwrap

from .figures import counted, markdown
from .programs import said

# What each group of rows does, with its commands.
GROUPS = {
    "start":
        "`amber --help` beside an empty C program, made by `cc -O2 -Wl,--no-as-needed` with the libraries that `readelf -d` tells of amber",
    "nothing":
        "`amber build --source archive --api API --output DIR --json` where nothing changed, beside `amber --help`; the output folder is looked "
        "at before and after, and `strace` says which pages are opened",
    "change":
        "`amber render --revision 3`, in which one more character goes by another name than in 2 (`amber sample --changed`), and `amber render` "
        "after one line was added to a template; the hidden tree is that of the build before last, as it is when a site is kept up to date",
    "build":
        "of the real data where its replica is at hand, else of the sample: "
        "`amber render --source archive --api API --output DIR --templates DIR --json` into an output with an archive and no site (first build), "
        "and after a line was added to the layout, so that every page changes (rebuild), beside `cp -r` of the site's files but the pictures, and "
        "beside `hugo --quiet --noBuildLock --source DIR --destination FRESH` for the same pages. The check's seconds are the program's own, and "
        "its rate is pages by those seconds and cores",
    "watch":
        "of the same data: `amber serve --watch` and `hugo server --renderToMemory` while a file is saved with another mark in it; from the save to "
        "the bytes of character 1's page that have the mark, the page being asked for over and over",
    "check":
        "`amber render` after a line was added to the layout, with templates that were cut to pages of about 3 KB: without navigation, links "
        "for sharing, filters, casts and provenance",
    "sealed":
        "`amber verify site` of a whole site with its pictures; `amber snapshot --source archive` beside `tar -cf` of the bag and `sha256sum` of "
        "its payload; of the real data where its replica is at hand, else of the sample",
    "loopback":
        "`amber capture --source live --api API --connections 8 --output FRESH --json` from nginx with the site's `api/`, configured as "
        "docs/hosting.md has it, beside `curl --parallel --parallel-max 8 --config FILE` for the same addresses into a fresh folder; then a "
        "capture into the same archive again",
    "distance":
        "the same with 32 at once from `amber sample --portraits 500 --latency 50`, and over HTTP/2 through nginx in front of it, beside "
        "`curl --http2 --cacert FILE --parallel --parallel-max 32 --config FILE`",
    "large":
        "as build, with 10,000 and 100,000 characters of `amber sample --portraits 500`; Hugo has one run at 100,000",
    "million":
        "a first build of 1,000,000 characters, once",
}


def machine(bench, options):
    """What was measured, with what, on what, as pairs of a word and a text."""
    with open("/proc/cpuinfo") as file:
        models = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    system = os.uname()
    load = os.getloadavg()[0]
    busy = " (others are at work: trust only the ratios)" if load > 0.5 else ""
    filesystem = said("findmnt", "-n", "-o", "FSTYPE", "-T", bench.scratch)
    programs = [
        said(options.amber, "--version"), said("curl", "--version").split(" (")[0], said("cp", "--version"), f"Python {sys.version.split()[0]}"]
    runs = f"{counted(options.runs, 'run')} of each, at 100,000 characters no more than {options.large_runs}"
    return [
        ("machine", f"{bench.workers} x {models[0] if models else system.machine}, {memory:.0f} GiB of memory"),
        ("system", f"{system.sysname} {system.release}, disk is {filesystem}, load at the start {load:.2f}{busy}"),
        ("programs", "; ".join(programs)),
        ("runs", f"{runs}; taking turns, a sync before each; median (least..most) of whole processes"),
    ]


def paragraph(text, indent=""):
    """Lines of no more than 150 characters."""
    return textwrap.wrap(text, 150, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def item(text):
    return paragraph(f"- {text}", "  ")


def document(bench, facts, asked):
    """The text of docs/benchmarks.md."""
    missed = [row.name.strip() for row in bench.rows if row.missed]
    measured = [group for group in GROUPS if any(row.group == group for row in bench.rows)]
    left = [group for group in GROUPS if group not in measured]
    lines = ["# Benchmarks", "", *paragraph(
        "Written by `make bench`, wholly, from what it measured in one run; nothing here is from another. Programs take turns (A B A B) and the "
        "disks are synced before every run. Machines are shared and noisy: look at the ratios first. A row that is missed stands here as it was "
        "measured."), ""]
    lines += ["| | |", "| --- | --- |"] + [f"| {word} | {text} |" for word, text in facts]
    lines += [f"| {name} | {text} |" for name, text in bench.versions.items()]
    lines += [f"| asked for | `{asked}` |", ""]
    lines += [*paragraph(f"Missed: {'; '.join(missed)}." if missed else "All bounds that were measured are reached."), ""]
    lines += ["## Rows", "", markdown(bench.rows), ""]
    lines += ["## What was run", ""] + [line for group in measured for line in item(f"**{group}**: {GROUPS[group]}.")] + [""]
    if left:
        lines += [*paragraph(
            f"Not in this run: {', '.join(left)}. `make bench ONLY=GROUP` runs one group; `make bench SCALE=1000000` goes up to a million "
            "characters, and says first whether the disk has room for them."), ""]
    return "\n".join(lines + stages(bench) + notes(bench)) + "\n"


def stages(bench):
    """Where the time goes, as lines."""
    columns = ("render", "check", "publish", "capture", "all else", "whole")
    lines = ["## Where the time goes", "", *paragraph(
        "By the program's own account, medians in milliseconds; work of several workers side by side counts once."), ""]
    lines += [f"| run | {' | '.join(columns)} |", "| --- |" + " --- |" * len(columns)]
    for _, name, spent in bench.stages:
        cells = (f"{1000 * spent[column]:,.0f}" if column in spent else "" for column in columns)
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def notes(bench):
    """What else is to be known, as lines."""
    lines = ["", "## Notes", ""] + [line for _, text in bench.notes for line in item(text)]
    if bench.versions.get("Hugo"):
        lines += item(
            "Hugo gets the pages as one JSON file for a content adapter, with titles, descriptions, linked data, counts in words and the records "
            "of each list ready made. Its layouts are Amber's templates in its language, with head, navigation, filters and footer by "
            "`partialCached`, and all kinds of page that are not made are disabled. Amber also makes the search index, the API's twin, exports, "
            "feeds and links to pictures, and checks every page; Hugo does not.")
    return lines
