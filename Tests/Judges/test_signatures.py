"""The root hash's signature, judged by openssl."""
import os
import shutil

from . import cases, programs


def openssl(package, file):
    return programs.run(
        "openssl", "pkeyutl", "-verify", "-pubin", "-inkey", package.public_key, "-rawin", "-in", file, "-sigfile",
        package.path(".roothash.sig"))[0]


class SignaturesTest(cases.PackageTest):
    @cases.judged
    def test_it_holds_for_the_root_hash_and_for_nothing_else(self, package):
        self.assertEqual(os.path.getsize(package.path(".roothash.sig")), 64)
        self.assertEqual(openssl(package, package.path(".roothash")), 0)
        other = os.path.join(package.scratch("signature"), "roothash")
        shutil.copyfile(package.path(".roothash"), other)
        with open(other, "ab") as file:
            file.write(b"\n")
        self.assertNotEqual(openssl(package, other), 0)
