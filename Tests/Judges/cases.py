"""What all tests share."""
import functools
import unittest

from . import packages


def judged(test):
    """A test of one package becomes one of every package, each as a part of its own."""
    return over(packages.ALL, test)


def snapshots(test):
    """The same for packages with a site and an archive."""
    return over(packages.SNAPSHOTS, test)


def over(these, test):

    @functools.wraps(test)
    def every(self):
        for name, make in these.items():
            with self.subTest(package=name):
                test(self, make())

    return every


class PackageTest(unittest.TestCase):
    """Tests of packages."""

    maxDiff = None
