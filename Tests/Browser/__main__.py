"""Runs the tests: python -m Browser, in the environment that Scripts/browser-test makes."""
import argparse
import concurrent.futures
import io
import multiprocessing
import multiprocessing.util
import os
import shutil
import sys
import time
import unittest

from sentences import Result, tests

from . import browser, kinds, settings

# Tests often wait for the browser, so there is one more process than cores.
PROCESSES = (os.cpu_count() or 1) + 1
# The groups that take longest start first.
LONGEST = ("test_pages sample", "test_media_pages", "test_hostile", "test_media_hostile", "test_pages real", "test_search", "test_keyboard")


def main():
    parser = argparse.ArgumentParser(prog="Scripts/browser-test", description="Tests the site in a real browser.")
    parser.add_argument("--only", metavar="NAME", action="append", default=[], help="only tests with this text in the name of the test or its file")
    parser.add_argument("--kinds", metavar="A,B", default="", help=f"only these kinds of pages: {', '.join(kinds.PATHS)}")
    parser.add_argument("--templates", metavar="DIR", default=settings.templates, help="build the sites from other templates")
    parser.add_argument("--patience", metavar="SECONDS", type=float, default=settings.wait / 1000, help="time limit of one wait in the browser")
    parser.add_argument("--thorough", action="store_true", help="judge both themes at both widths")
    parser.add_argument("--screenshots-only", action="store_true", help="only take the screenshots")
    parser.add_argument("--keep", action="store_true", help=f"keep the built sites: {os.path.relpath(settings.SCRATCH, settings.ROOT)}")
    options = parser.parse_args()
    settings.templates = os.path.abspath(options.templates)
    settings.wait = int(options.patience * 1000)
    settings.thorough = options.thorough or options.screenshots_only
    settings.chosen = [kind for kind in options.kinds.split(",") if kind]
    unknown = [kind for kind in settings.chosen if kind not in kinds.PATHS]
    if unknown:
        sys.exit(f"There is no kind {unknown[0]}; kinds: {', '.join(kinds.PATHS)}")
    if not os.path.exists(settings.BINARY):
        sys.exit(f"There is no {os.path.relpath(settings.BINARY, settings.ROOT)}; make it with: make build")

    shutil.rmtree(settings.SCRATCH, ignore_errors=True)
    shutil.rmtree(settings.SCREENSHOTS, ignore_errors=True)
    try:
        sys.exit(screenshots() if options.screenshots_only else run(options.only))
    finally:
        browser.close()
        if not options.keep:
            shutil.rmtree(settings.SCRATCH, ignore_errors=True)


def screenshots():
    from . import visits
    for site, known in (("sample", kinds.ALL), ("media", kinds.MEDIA)):
        for kind, path in kinds.chosen(known).items():
            print(f"{kind}: {path}", flush=True)
            visits.visit(site, kind)
    return 0


def run(only):
    """Runs the tests in several processes, each with its own browser, and prints each group of tests when it is done."""
    folder = os.path.dirname(os.path.abspath(__file__))
    groups = {}
    for test in tests(unittest.defaultTestLoader.discover(folder, top_level_dir=os.path.dirname(folder))):
        if not only or any(word.replace(" ", "_") in test.id() for word in only):
            groups.setdefault(group(test), []).append(test)
    if not groups:
        sys.exit(f"No test has {' or '.join(only)} in its name.")
    start = time.monotonic()
    order = sorted(groups, key=lambda name: (next((index for index, word in enumerate(LONGEST) if word in name), len(LONGEST)), name))
    context = multiprocessing.get_context("fork")
    count, failed, times = 0, 0, {}
    with concurrent.futures.ProcessPoolExecutor(min(PROCESSES, len(order)), context, initializer=close_at_end) as pool:
        for output, ran, bad, seconds in pool.map(run_group, (groups[name] for name in order)):
            print(output, file=sys.stderr, flush=True)
            count, failed, times = count + ran, failed + bad, {**times, **seconds}
    slowest = sorted(times.items(), key=lambda entry: -entry[1])[:8]
    print("slowest:", *[f"  {seconds:.1f} s  {words}" for words, seconds in slowest], sep="\n", file=sys.stderr)
    print(f"{count} tests in {time.monotonic() - start:.0f} s: {failed} failed", file=sys.stderr)
    return 1 if failed or not count else 0


def group(test):
    """Tests of one group run one after another in one process, because they share pages and visits."""
    return f"{type(test).__module__} {getattr(test, 'site', '')}"


def close_at_end():
    multiprocessing.util.Finalize(None, browser.close, exitpriority=1)


def run_group(group):
    """Returns the output, the number of tests and of failures, and the seconds of each test."""
    stream = io.StringIO()
    done = unittest.TextTestRunner(stream, verbosity=2, resultclass=Result).run(unittest.TestSuite(group))
    bad = len(done.failures) + len(done.errors) + len(done.unexpectedSuccesses)
    return stream.getvalue(), done.testsRun, bad, getattr(done, "times", {})


main()
