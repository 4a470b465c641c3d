"""Prints the results of tests whose names are sentences."""
import time
import unittest


class Result(unittest.TextTestResult):
    """Prints each test with its time, and the reason if it is skipped."""

    def startTest(self, test):
        self.began = time.monotonic()
        super().startTest(test)

    def stopTest(self, test):
        self.times = getattr(self, "times", {})
        self.times[self.getDescription(test)] = time.monotonic() - self.began
        super().stopTest(test)

    def addSuccess(self, test):
        unittest.TestResult.addSuccess(self, test)
        self.stream.writeln(f"ok ({time.monotonic() - self.began:.1f} s)")

    def getDescription(self, test):
        """The file, the site if there are several, and the name of a test."""
        case = getattr(test, "test_case", test)
        words = getattr(case, "_testMethodName", str(case)).removeprefix("test_").replace("_", " ")
        file = type(case).__module__.rpartition(".")[2].removeprefix("test_").replace("_", " ")
        site = f", {case.site}" if hasattr(case, "site") else ""
        part = f" {test._subDescription()}" if case is not test else ""
        return f"{file}{site}: {words}{part}"


def tests(suite):
    """All single tests of a suite."""
    for test in suite:
        yield from tests(test) if isinstance(test, unittest.TestSuite) else [test]
