"""Rows of the smallest runs: the program's start, and a build that finds nothing to do."""
import os
import shutil
import subprocess

from .bench import REAL, snapshot
from .programs import ENVIRONMENT, Trouble, run, timed


def start(bench):
    """`amber --help` beside a C program that does nothing, linked to the same libraries."""
    for program in ("cc", "readelf"):
        if not shutil.which(program):
            raise Trouble(f"there is no {program} here to make the empty program with")
    needed = [line.split("[")[1].rstrip("]") for line in run("readelf", "-d", bench.amber).splitlines() if "(NEEDED)" in line]
    libraries = [name for name in needed if not name.startswith("ld-linux")]
    os.makedirs(bench.fresh(), exist_ok=True)
    empty = os.path.join(bench.scratch, "empty")
    subprocess.run(
        ["cc", "-O2", "-x", "c", "-", "-o", empty, "-Wl,--no-as-needed", *(f"-l:{name}" for name in libraries)],
        input=b"int main(void) { return 0; }\n", env=ENVIRONMENT, check=True)
    ours, theirs = [], []
    for _ in range(8 * bench.runs):
        ours.append(timed([bench.amber, "--help"], bench.log).seconds)
        theirs.append(timed([empty], bench.log).seconds)
    bench.row("start, amber --help", ours, "empty C program, same libraries", theirs).over_at_most(0.003)
    bench.note(f"both are linked to {len(needed)} libraries: {', '.join(needed)}")


def nothing(bench):
    """`amber build` where the site is the one that it would make: how long it takes, and that it writes nothing."""
    archived = bench.archived(REAL)
    output = bench.output_with(archived.folder, bench.scratch)
    command = [bench.amber, "build", "--source", "archive", "--api", archived.api, "--output", output, "--json"]
    timed(command, bench.log)
    before = snapshot(output)
    ours, helps = [], []
    for _ in range(4 * bench.runs):
        ours.append(timed(command, bench.log).seconds)
        helps.append(timed([bench.amber, "--help"], bench.log).seconds)
    after = snapshot(output)
    changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    bench.row("nothing changed, 826 characters", ours, "amber --help", helps).over_at_most(0.008)
    bench.row("  files and folders changed by it", [len(changed)], unit="files").exactly(0)
    if shutil.which("strace"):
        bench.row("  pages opened by it", [opened(bench, command)], unit="files").exactly(0)
    else:
        bench.note("which files are opened was not looked at: there is no strace here")
    bench.note(f"{len(before):,} files and folders of the output folder were looked at" + (f"; changed: {changed[:5]}" if changed else ""))


def opened(bench, command):
    """How many pages a run opens, by the kernel's account."""
    trace = os.path.join(bench.scratch, "trace")
    run("strace", "-f", "-qq", "-e", "trace=open,openat,openat2", "-o", trace, *command)
    with open(trace, errors="replace") as file:
        return sum(1 for line in file if ".html" in line and "ENOENT" not in line)
