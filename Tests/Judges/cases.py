"""Shared parts of the tests."""
import functools
import unittest

from . import packages


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


class PackageTest(unittest.TestCase):
    maxDiff = None
