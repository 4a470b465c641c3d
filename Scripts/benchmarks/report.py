"""docs/benchmarks.md: written wholly from what was measured in one run."""
import os
import sys

from .figures import markdown
from .programs import said

# What each group of rows does, in the order in which they are run.
GROUPS = {
    "start": "`amber --help` beside an empty C program that is linked to the same libraries (`cc -Wl,--no-as-needed`, names from `readelf -d`)",
    "nothing": "`amber build --source archive` where nothing changed, beside `amber --help`; the output folder's files are looked at before and after",
    "change": "`amber render` of a revision in which one more character goes by another name (`amber sample --changed`), and after one line was added "
              "to a template; the hidden tree is that of the build before last, as it is when a site is kept up to date",
    "build": "`amber render` into an output with an archive and no site (first build), and after a line was added to the layout, so that every page "
             "changes (rebuild), beside `cp -r` of the site's files but the pictures; `hugo --quiet --noBuildLock` on a site of the same pages into a "
             "fresh folder. The check's seconds are the program's own (`--json`), its rate is pages by those seconds and cores",
    "check": "`amber render` after a line was added to the layout, with templates that were cut to pages of about 3 KB: without navigation, links for "
             "sharing, filters, casts and provenance",
    "large": "the same with 10,000 and 100,000 characters; `amber sample --portraits 500` serves them, Hugo has one run at 100,000",
    "loopback": "`amber capture --connections 8` from nginx with the site's `api/`, configured as docs/hosting.md has it, beside "
                "`curl --parallel --parallel-max 8 --config FILE` for the same addresses into a fresh folder; then a capture into the same archive again",
    "distance": "the same with 32 at once from `amber sample --latency 50`; over HTTP/2 (`curl --http2 --cacert`) through nginx in front of it",
    "sealed": "`amber verify site` of a whole site with its pictures; `amber snapshot` beside `tar` of the bag and `sha256sum` of its payload",
    "million": "a first build of 1,000,000 characters, once; only with `make bench SCALE=1000000`",
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
    programs = [said(options.amber, "--version"), said("curl", "--version").split(" (")[0], said("cp", "--version"), f"Python {sys.version.split()[0]}"]
    return [
        ("machine", f"{bench.workers} x {models[0] if models else system.machine}, {memory:.0f} GiB of memory"),
        ("system", f"{system.sysname} {system.release}, disk is {filesystem}, load at the start {load:.2f}{busy}"),
        ("programs", "; ".join(programs)),
        ("runs", f"{options.runs} of each, taking turns, a sync before each; median (least..most) of whole processes"),
    ]


def document(bench, facts, asked):
    """The text of docs/benchmarks.md."""
    missed = [row.name.strip() for row in bench.rows if row.missed]
    measured = [group for group in GROUPS if any(row.group == group for row in bench.rows)]
    left = [group for group in GROUPS if group not in measured]
    lines = ["# Benchmarks", "", "Written by `make bench`, wholly, from what it measured in one run. Programs take turns (A B A B) and the disks are "
             "synced before every", "run; machines are shared and noisy, so look at the ratios first.", ""]
    lines += ["| | |", "| --- | --- |"] + [f"| {word} | {text} |" for word, text in facts]
    lines += [f"| {name} | {text} |" for name, text in bench.versions.items()]
    lines += [f"| asked for | `{asked}` |", ""]
    lines += ["All bounds that were measured are reached." if not missed else f"Missed: {'; '.join(missed)}.", ""]
    lines += ["## Rows", "", markdown(bench.rows), ""]
    lines += ["## What was run", "", "| group | what |", "| --- | --- |"] + [f"| {group} | {GROUPS[group]} |" for group in measured] + [""]
    if left:
        lines += [f"Not in this run: {', '.join(left)}. `make bench ONLY=GROUP` runs one group, `SCALE=N` sets the largest number of characters.", ""]
    lines += ["## Where the time goes", "", "By the program's own account, medians in milliseconds; work of several workers side by side counts once.", ""]
    lines += ["| run | render | check | publish | capture | all else | whole |", "| --- | --- | --- | --- | --- | --- | --- |"]
    for _, name, spent in bench.stages:
        cells = (f"{1000 * spent[stage]:,.0f}" if stage in spent else "" for stage in ("render", "check", "publish", "capture", "all else", "whole"))
        lines.append(f"| {name} | {' | '.join(cells)} |")
    lines += ["", "## Notes", ""] + [f"- {text}" for _, text in bench.notes]
    if "build" in measured or "large" in measured:
        lines += [
            "- Hugo gets the pages as one JSON file for a content adapter, with titles, descriptions, linked data, counts in words and the records of each list "
            "ready made; the layouts are Amber's templates in its language, with head, navigation, filters and footer by `partialCached`, and all kinds of "
            "page that are not made disabled. Amber also makes the search index, the API's twin, exports, feeds and links to pictures, and checks every page; "
            "Hugo does not."]
    return "\n".join(lines) + "\n"
