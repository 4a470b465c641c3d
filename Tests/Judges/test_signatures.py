"""The statement and its signature, checked by openssl, sha256sum and the commands in docs/format.md."""
import os
import re
import shutil

from . import cases, programs, settings


def openssl(package, file):
    return programs.run(
        "openssl", "pkeyutl", "-verify", "-pubin", "-inkey", package.public_key, "-rawin", "-in", file, "-sigfile",
        package.path(".statement.sig"))[0]


def documented(package):
    """The commands of docs/format.md for this package, as a script that stops at the first failure."""
    with open(os.path.join(settings.ROOT, "docs", "format.md"), encoding="utf-8") as file:
        found = re.search(r"<!-- commands: package -->\n(.*?)<!-- end -->", file.read(), re.S)
    return "set -eu\n" + found[1].replace("NAME", package.name)


class SignaturesTest(cases.PackageTest):
    def copy(self, package):
        """A copy of the package, with the key next to its folder."""
        folder = os.path.join(package.scratch("signature"), "copy")
        os.makedirs(folder)
        for name in os.listdir(package.folder):
            if name == package.name:
                shutil.copytree(package.path(), os.path.join(folder, name))
            elif name.startswith(package.name + "."):
                shutil.copyfile(os.path.join(package.folder, name), os.path.join(folder, name))
        shutil.copyfile(package.public_key, os.path.join(os.path.dirname(folder), "public.pem"))
        return folder

    @cases.judged
    def test_the_signature_is_valid_only_for_the_statement(self, package):
        self.assertEqual(os.path.getsize(package.path(".statement.sig")), 64)
        self.assertEqual(openssl(package, package.path(".statement")), 0)
        other = os.path.join(package.scratch("signature"), "statement")
        shutil.copyfile(package.path(".statement"), other)
        with open(other, "ab") as file:
            file.write(b"\n")
        self.assertNotEqual(openssl(package, other), 0)

    @cases.judged
    def test_the_documented_commands_accept_the_package_and_find_each_change(self, package):
        folder = self.copy(package)
        script = documented(package)
        code, output = programs.run("sh", "-c", script, folder=folder)
        self.assertEqual(code, 0, output)
        changed = [package.name + ending for ending in (".tar", ".wacz", ".statement", ".statement.sig", ".roothash")]
        bag = [os.path.join(package.name, name) for name in ("bagit.txt", "bag-info.txt", "tagmanifest-sha256.txt", "manifest-sha256.txt")]
        for name in changed + bag:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                data = file.read()
            with open(path, "wb") as file:
                file.write(data[:-2] + bytes([data[-2] ^ 1]) + data[-1:])
            self.assertNotEqual(programs.run("sh", "-c", script, folder=folder)[0], 0, name)
            with open(path, "wb") as file:
                file.write(data)
        for name in ("more", os.path.join("data", "more")):
            path = os.path.join(folder, package.name, name)
            with open(path, "wb"):
                pass
            self.assertNotEqual(programs.run("sh", "-c", script, folder=folder)[0], 0, name)
            os.remove(path)
        self.assertEqual(programs.run("sh", "-c", script, folder=folder)[0], 0)
