"""Shared parts of the tests."""
import functools
import json
import os
import unittest

from . import packages, programs, settings


def judged(test):
    """Runs a test for every package, as subtests."""
    return over(packages.ALL, test)


def snapshots(test):
    """Runs a test for every package with a site and an archive, as subtests."""
    return over(packages.SNAPSHOTS, test)


def over(these, test):

    @functools.wraps(test)
    def every(self):
        for name, make in these.items():
            with self.subTest(package=name):
                test(self, make())

    return every


def capture(declaration, api, folder):
    """Captures an API and verifies the result. Returns the folder of the site, and its completeness.json."""
    catalogue, output = os.path.join(folder, "catalogue"), os.path.join(folder, "output")
    os.makedirs(catalogue, exist_ok=True)
    with open(os.path.join(catalogue, "catalogue.json"), "w", encoding="utf-8") as file:
        json.dump({**declaration, "api": api}, file)
    for command in [["build", "--source", "live", "--api", api], ["verify", "archive"], ["verify", "site"]]:
        programs.must(settings.BINARY, *command, "--catalogue", catalogue, "--output", output, folder=settings.ROOT)
    with open(os.path.join(output, "site", "completeness.json"), encoding="utf-8") as file:
        return os.path.join(output, "site"), json.load(file)


class PackageTest(unittest.TestCase):
    maxDiff = None
