"""What all groups of rows share: the places to measure in, archives of the sample, runs of Amber, rows and notes."""
import os
import shutil
import sys

from .figures import Row, median
from .programs import ROOT, Server, Trouble, run, timed

REAL = 826  # characters of the real data
PORTRAITS = 500  # that differ, where there are more characters than the real data has
PICTURES = ("*.jpg", "*.jpeg", "*.png", "*.gif", "*.webp")
# A change of any of the real pages' templates; a comment is written into each page that uses it.
CONTENT = "{{$content}}\n"


class Archived:
    """An archive: of what, its folder, the address that it names, and what the capture said."""

    def __init__(self, characters, output, api, summary, source=""):
        self.characters, self.output, self.api, self.summary = characters, output, api, summary
        self.source = source

    @property
    def label(self):
        """How rows name it."""
        return f"{self.characters:,}{self.source and f' ({self.source})'}"

    @property
    def folder(self):
        return os.path.join(self.output, "archive")


class Bench:
    """The rows as they are measured, and the folders in which that happens."""

    def __init__(self, options, places):
        self.amber = os.path.abspath(options.amber)
        self.runs = options.runs
        self.scale, self.large_runs = options.scale, options.large_runs
        self.places = places
        self.scratch = places[0][1]
        self.log = os.path.join(self.scratch, "log")
        self.workers = len(os.sched_getaffinity(0))
        self.rows, self.notes, self.stages = [], [], []
        self.archives = {}
        # By number of characters: peak memory of a build, and microseconds a page of a first build on disk.
        self.peaks, self.a_page = {}, {}
        self.versions = {}
        self.folders = 0
        self.group = ""

    # Rows and notes.

    def row(self, name, ours, peer="", theirs=(), unit="s"):
        self.rows.append(Row(self.group, name, ours, peer, theirs, unit))
        return self.rows[-1]

    def note(self, text):
        self.notes.append((self.group, text))

    def say(self, text):
        print(f"  {text}", file=sys.stderr, flush=True)

    # Folders.

    def fresh(self, place=None):
        """A folder name never used before: ext4 makes files slowly where many were deleted, so nothing goes before the end."""
        self.folders += 1
        return os.path.join(place or self.scratch, f"{self.folders:04}")

    def discard(self, folder):
        """Memory is given back at once, where deleting is quick; a disk keeps everything to the end."""
        if not folder.startswith(self.scratch + os.sep):
            shutil.rmtree(folder, ignore_errors=True)

    def room(self, place, needed, files):
        """Why a place does not suffice for bytes and files; empty where it does."""
        status = os.statvfs(place)
        free, inodes = status.f_bavail * status.f_frsize, status.f_favail
        if place != self.scratch:
            free = min(free, available_memory() * 3 // 4)
        if free < needed:
            return f"{place} has {free / 1e9:.0f} GB free of about {needed / 1e9:.0f} that this takes"
        if status.f_files and inodes < files:
            return f"{place} has {inodes:,} inodes free of about {files:,} that this takes"
        return ""

    # The sample and Amber.

    def sample(self, characters, *more):
        """The command that serves the sample; few portraits differ where there are many characters, since drawing one takes long."""
        few = ("--portraits", str(PORTRAITS)) if characters > REAL else ()
        return [self.amber, "sample", "--port", "0", "--characters", str(characters), *few, *more]

    def archived(self, characters):
        """An archive of that many characters, captured once."""
        if characters not in self.archives:
            self.say(f"capturing a sample of {characters:,} characters")
            self.archives[characters] = self.taken(self.sample(characters), "sample" if characters == REAL else "")
        return self.archives[characters]

    def real(self):
        """The real data where its replica is at hand, else as large a sample."""
        shared = os.environ.get("AMBER_SHARED") or os.path.join(os.path.dirname(ROOT), "shared")
        replica = os.path.join(shared, "replica", "replica.py")
        if not os.path.exists(replica):
            return self.archived(REAL)
        if "real" not in self.archives:
            self.say("capturing the real data's replica")
            self.archives["real"] = self.taken([sys.executable, replica, "--port", "0"], "real data")
        return self.archives["real"]

    def taken(self, command, source):
        """A capture of all that a server has."""
        with Server(command) as server:
            output = self.fresh()
            summary = self.capture(server.api, output, connections=32).summary
            if summary["gaps"]:
                raise Trouble(f"a capture from {' '.join(command)} has {len(summary['gaps'])} gaps")
            return Archived(summary["records"]["character"], output, server.api, summary, source)

    def capture(self, api, output, connections, environment=None):
        command = [
            self.amber, "capture", "--source", "live", "--api", api, "--connections", str(connections), "--output", output, "--json"]
        return timed(command, self.log, environment=environment)

    def render(self, archived, output, templates=os.path.join(ROOT, "Templates"), revision=None):
        command = [
            self.amber, "render", "--source", "archive", "--api", archived.api, "--output", output, "--templates", templates, "--json"]
        return timed(command + (["--revision", str(revision)] if revision else []), self.log)

    def output_with(self, archive, place):
        """A fresh output folder with an archive and no site."""
        output = self.fresh(place)
        os.makedirs(output)
        os.symlink(archive, os.path.join(output, "archive"))
        return output

    def held(self, archived, place):
        """The archive on a disk, or a copy of it in memory."""
        if place == self.scratch:
            return archived.folder
        copy = os.path.join(place, f"archive.{os.path.basename(archived.output)}")
        if not os.path.exists(copy):
            shutil.copytree(archived.folder, copy)
        return copy

    def templates(self, name, number):
        """A copy of the templates in which one file differs from that of another number."""
        folder = self.fresh()
        shutil.copytree(os.path.join(ROOT, "Templates"), folder)
        path = os.path.join(folder, name)
        with open(path) as file:
            text = file.read()
        mark = f"<!-- bench {number} -->\n"
        with open(path, "w") as file:
            file.write(text.replace(CONTENT, CONTENT + mark, 1) if name != "layout.mustache" else text + mark)
        return folder

    def text_of(self, site, place):
        """A copy of a site's files but its pictures, made in one pass: what `cp -r` is to copy."""
        folder = self.fresh(place)
        os.makedirs(folder)
        excluded = " ".join(f"--exclude='{pattern}'" for pattern in PICTURES)
        run("sh", "-c", f"tar -C '{site}' {excluded} -cf - . | tar -C '{folder}' -xf -")
        return folder

    def account(self, name, runs):
        """Where the time went, by the program's own account."""
        spent = {}
        for stage in ("render", "check", "publish"):
            spent[stage] = median([one.summary["seconds"].get(stage, 0) for one in runs])
        whole = median([one.seconds for one in runs])
        self.stages.append((self.group, name, {**spent, "all else": whole - sum(spent.values()), "whole": whole}))
        return spent


def available_memory():
    """Bytes that programs may still have, by the kernel's estimate."""
    with open("/proc/meminfo") as file:
        for line in file:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return 0


def snapshot(folder):
    """Everything below a folder: inode, size, and when contents and attributes last changed. The lock may be touched."""
    found = {}
    for parent, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(parent, name)
            status = os.lstat(path)
            times = () if path.endswith("/.amber/lock") else (status.st_mtime_ns, status.st_ctime_ns)
            found[os.path.relpath(path, folder)] = (status.st_ino, status.st_size, *times)
    return found
