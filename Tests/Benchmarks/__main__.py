"""Runs the tests: python -m Benchmarks with Tests and Scripts on the path, as make bench has it."""
import os
import sys
import unittest

from sentences import Result

folder = os.path.dirname(os.path.abspath(__file__))
found = unittest.defaultTestLoader.discover(folder, top_level_dir=os.path.dirname(folder))
done = unittest.TextTestRunner(verbosity=0, resultclass=Result, stream=open(os.devnull, "w")).run(found)
for test, told in done.failures + done.errors:
    print(f"{done.getDescription(test)}\n{told}", file=sys.stderr)
sys.exit(0 if done.wasSuccessful() and done.testsRun else 1)
