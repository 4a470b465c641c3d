"""What all tests share."""
import functools
import unittest

from . import packages


def judged(test):
    """A test of one package becomes one of every package, each as a part of its own."""

    @functools.wraps(test)
    def every(self):
        for name, make in packages.ALL.items():
            with self.subTest(package=name):
                test(self, make())

    return every


class PackageTest(unittest.TestCase):
    """Tests of packages."""

    maxDiff = None
