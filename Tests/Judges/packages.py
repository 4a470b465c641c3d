"""The packages that are judged: a folder with NAME/ (the bag), NAME.tar, NAME.wacz, NAME.roothash and NAME.roothash.sig."""
import dataclasses
import functools
import os
import shutil
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
    """What the writers make of an invented API's few answers: names and lengths of every kind."""
    folder = os.path.join(settings.SCRATCH, "invented")
    os.makedirs(folder)
    private, public = keys()
    told = programs.must(
        settings.SWIFT, "test", "--skip-build", "--filter", "JudgedPackages", folder=settings.ROOT,
        more={"AMBER_JUDGED": folder, "AMBER_JUDGED_KEY": private})
    if not os.path.exists(os.path.join(folder, "things-2026-11-21.wacz")):
        raise AssertionError(f"the packages were not written:\n{told[-4000:]}")
    return Package(folder, "things-2026-11-21", public)


@functools.cache
def sample():
    """A snapshot of the invented universe, captured over HTTP as any API is."""
    folder = os.path.join(settings.SCRATCH, "sample")
    private, public = keys()
    os.makedirs(folder)
    with programs.serving(lambda port: [settings.BINARY, "sample", "--port", str(port), "--characters", "150"], folder) as port:
        common = ["--api", f"http://127.0.0.1:{port}/api", "--output", folder, "--templates", os.path.join(settings.ROOT, "Templates"), "--quiet"]
        programs.must(settings.BINARY, "build", "--source", "live", *common, folder=folder)
        programs.must(settings.BINARY, "snapshot", "--key", private, *common, folder=folder)
    snapshots = os.path.join(folder, "snapshots")
    name = next(name[: -len(".wacz")] for name in os.listdir(snapshots) if name.endswith(".wacz"))
    return Package(snapshots, name, public)


# What every test judges.
ALL = {"invented": invented, "sample": sample}
