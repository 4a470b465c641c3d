"""Runs the tests: python -m Judges, as in Scripts/judge-archives."""
import argparse
import concurrent.futures
import io
import multiprocessing
import os
import shutil
import sys
import unittest

from sentences import Result, tests

from . import settings


def main():
    parser = argparse.ArgumentParser(prog="Scripts/judge-archives", description="Checks the packages with other programs.")
    parser.add_argument("--only", metavar="NAME", action="append", default=[], help="only tests with this text in the name of the test or its file")
    parser.add_argument("--keep", action="store_true", help=f"keep the packages: {os.path.relpath(settings.SCRATCH, settings.ROOT)}")
    options = parser.parse_args()
    folder = os.path.dirname(os.path.abspath(__file__))
    found = list(tests(unittest.defaultTestLoader.discover(folder, top_level_dir=os.path.dirname(folder))))
    if options.only:
        found = [test for test in found if any(word.replace(" ", "_") in test.id() for word in options.only)]
    if not found:
        sys.exit(f"No test has {' or '.join(options.only)} in its name.")
    shutil.rmtree(settings.SCRATCH, ignore_errors=True)
    os.makedirs(settings.SCRATCH)
    waiting = [test for test in found if type(test).__module__.endswith("test_deploy")]
    try:
        # Deploys mostly wait, so they run beside the other tests.
        with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
            beside = pool.submit(run_beside, waiting)
            done = runner(sys.stderr).run(unittest.TestSuite(test for test in found if test not in waiting))
            output, is_successful = beside.result()
            print(output, end="", file=sys.stderr)
    finally:
        if not options.keep:
            shutil.rmtree(settings.SCRATCH, ignore_errors=True)
    sys.exit(0 if done.wasSuccessful() and is_successful else 1)


def runner(stream):
    return unittest.TextTestRunner(stream, verbosity=2, resultclass=Result)


def run_beside(group):
    """Returns the output, and whether all tests passed."""
    if not group:
        return "", True
    stream = io.StringIO()
    done = runner(stream).run(unittest.TestSuite(group))
    return stream.getvalue(), done.wasSuccessful()


main()
