"""The packages to check: a folder with NAME/ (the bag), NAME.tar, NAME.wacz, NAME.roothash, NAME.statement and its signature."""
import dataclasses
import functools
import os
import shutil
import sys
import zipfile

from . import programs, settings


@dataclasses.dataclass(frozen=True)
class Package:
    folder: str
    name: str
    public_key: str

    def path(self, ending=""):
        return os.path.join(self.folder, self.name + ending)

    @functools.lru_cache(maxsize=None)
    def unzipped(self):
        """The WACZ's files in a folder."""
        folder = self.scratch("wacz")
        with zipfile.ZipFile(self.path(".wacz")) as file:
            file.extractall(folder)
        return folder

    def scratch(self, name):
        """A fresh folder."""
        folder = os.path.join(settings.SCRATCH, "scratch", self.name, name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        return folder


@functools.cache
def keys():
    """Paths of a private and a public key, made by openssl."""
    folder = os.path.join(settings.SCRATCH, "keys")
    os.makedirs(folder)
    private, public = os.path.join(folder, "private.pem"), os.path.join(folder, "public.pem")
    programs.must("openssl", "genpkey", "-algorithm", "ed25519", "-out", private)
    programs.must("openssl", "pkey", "-in", private, "-pubout", "-out", public)
    return private, public


@functools.cache
def invented():
    """A package of an invented API's few answers, with names and lengths of every kind."""
    folder = os.path.join(settings.SCRATCH, "invented")
    os.makedirs(folder)
    private, public = keys()
    output = programs.must(
        settings.TESTS, "--testing-library", "swift-testing", "--filter", "JudgedPackages", folder=settings.ROOT,
        more={"AMBER_JUDGED": folder, "AMBER_JUDGED_KEY": private})
    if not os.path.exists(os.path.join(folder, "things-2026-11-21.wacz")):
        raise AssertionError(f"the packages were not written:\n{output[-4000:]}")
    return Package(folder, "things-2026-11-21", public)


def snapshot(name, server, states=()):
    """A signed snapshot of an API on a local server, after imports of earlier states (folder and day)."""
    folder = os.path.join(settings.SCRATCH, name)
    private, public = keys()
    os.makedirs(folder)
    with programs.serving(server, folder) as port:
        common = ["--api", f"http://127.0.0.1:{port}/api", "--output", folder, "--templates", os.path.join(settings.ROOT, "Templates"), "--quiet"]
        for state, day in states:
            programs.must(settings.BINARY, "import", state, "--date", day, *common, folder=folder)
        programs.must(settings.BINARY, "build", "--source", "live", *common, folder=folder)
        programs.must(settings.BINARY, "snapshot", "--key", private, *common, folder=folder)
        programs.must(settings.BINARY, "verify", "--key", public, *common, folder=folder)
    snapshots = os.path.join(folder, "snapshots")
    found = next(name[: -len(".wacz")] for name in os.listdir(snapshots) if name.endswith(".wacz"))
    return Package(snapshots, found, public)


@functools.cache
def sample():
    """A snapshot of the invented universe, captured over HTTP like any API."""
    return snapshot("sample", lambda port: [settings.BINARY, "sample", "--port", str(port), "--characters", "150"])


@functools.cache
def real():
    """A snapshot of the real data, after imports of the states of 2018."""
    history = os.path.join(settings.SHARED, "data", "rickandmorty-history")
    replica = os.path.join(settings.SHARED, "replica", "replica.py")
    return snapshot(
        "real", lambda port: [sys.executable, replica, "--port", str(port)],
        [(os.path.join(history, day), day) for day in sorted(os.listdir(history)) if day[0].isdigit()])


# The packages of every test.
ALL = {"invented": invented, "sample": sample}
if os.path.isdir(os.path.join(settings.SHARED, "data", "rickandmorty-history")):
    ALL["real"] = real
else:
    print("the real data is missing (AMBER_SHARED or ../shared), so only invented packages are checked")
# `amber snapshot` made these, so they have a site and an archive.
SNAPSHOTS = {name: make for name, make in ALL.items() if name != "invented"}
