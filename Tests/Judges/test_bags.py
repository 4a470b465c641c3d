"""Bags, checked by bagit-python and sha256sum, as a folder and from the tar."""
import filecmp
import os
import shutil
import tarfile

from . import cases, packages, programs, settings


def bagit(folder, *options):
    """Returns the exit code and the messages of a validation."""
    return programs.run(os.path.join(settings.BAGIT, "bagit.py"), "--validate", "--quiet", *options, folder)


def files(folder):
    found = []
    for parent, _, names in os.walk(folder):
        found += [os.path.relpath(os.path.join(parent, name), folder) for name in names]
    return sorted(found)


class BagsTest(cases.PackageTest):
    @cases.judged
    def test_the_folder_is_valid(self, package):
        code, messages = bagit(package.path())
        self.assertEqual(code, 0, messages)

    @cases.judged
    def test_the_tar_contains_the_same_bag(self, package):
        folder = package.scratch("tar")
        programs.must("tar", "-xf", package.path(".tar"), "-C", folder)
        self.assertEqual(os.listdir(folder), [package.name])
        bag = os.path.join(folder, package.name)
        # So it is valid too.
        names = files(bag)
        self.assertEqual(names, files(package.path()))
        self.assertEqual(filecmp.cmpfiles(bag, package.path(), names, shallow=False), (names, [], []))

    @cases.judged
    def test_the_tar_has_no_owner_and_only_one_time(self, package):
        with tarfile.open(package.path(".tar")) as tar:
            members = tar.getmembers()
        self.assertEqual({(member.uid, member.gid, member.uname, member.gname) for member in members}, {(0, 0, "", "")})
        self.assertEqual(len({member.mtime for member in members}), 1)
        self.assertEqual({member.mode for member in members if not member.isdir()}, {0o644})

    @cases.judged
    def test_plain_tools_verify_every_file(self, package):
        for algorithm in ("sha256", "sha512"):
            for manifest in (f"manifest-{algorithm}.txt", f"tagmanifest-{algorithm}.txt"):
                programs.must(f"{algorithm}sum", "--check", "--quiet", "--strict", manifest, folder=package.path())

    def test_a_changed_byte_and_a_missing_file_are_found(self):
        package = packages.invented()
        # Hard links are fast. Only the changed file is copied.
        bag = os.path.join(package.scratch("changed"), package.name)
        shutil.copytree(package.path(), bag, copy_function=os.link)
        path = next(os.path.join(bag, name) for name in files(bag) if name.startswith("data/") and os.path.getsize(os.path.join(bag, name)))
        with open(path, "rb") as file:
            data = file.read()
        os.remove(path)
        self.assertEqual(bagit(bag, "--completeness-only")[0], 1)
        with open(path, "wb") as file:
            file.write(bytes([data[0] ^ 1]) + data[1:])
        self.assertEqual(bagit(bag)[0], 1)
