"""Runs the tests: python -m Browser, in the environment that Scripts/browser-test makes."""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from sentences import Result, tests

from . import browser, kinds, settings


KINDS = "_pages."
TIME = 1200  # seconds for the kinds of pages


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
    if not settings.BESIDE:
        shutil.rmtree(settings.SCREENSHOTS, ignore_errors=True)
    try:
        sys.exit(screenshots() if options.screenshots_only else run(options.only) if options.only else both())
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


def both():
    """Tests the kinds of pages, which take half of the time, in a second process at the same time."""
    command = [sys.executable, "-m", "Browser", *sys.argv[1:], "--only", KINDS]
    with tempfile.TemporaryFile("w+") as told:
        beside = subprocess.Popen(
            command, env={**os.environ, "AMBER_BESIDE": "-pages"}, stdin=subprocess.DEVNULL, stdout=told, stderr=subprocess.STDOUT)
        try:
            here = run([], but=KINDS)
            there = beside.wait(TIME)
        finally:
            beside.kill()
            beside.wait()
            told.seek(0)
            print(told.read(), file=sys.stderr, flush=True)
    return here or there


def run(only, but=None):
    folder = os.path.dirname(os.path.abspath(__file__))
    found = list(tests(unittest.defaultTestLoader.discover(folder, top_level_dir=os.path.dirname(folder))))
    found = [test for test in found if not but or but not in test.id()]
    if only:
        found = [test for test in found if any(word.replace(" ", "_") in test.id() for word in only)]
        if not found:
            sys.exit(f"No test has {' or '.join(only)} in its name.")
    done = unittest.TextTestRunner(verbosity=2, resultclass=Result).run(unittest.TestSuite(found))
    slowest = sorted(done.times.items(), key=lambda entry: -entry[1])[:8]
    print("slowest:", *[f"  {seconds:.1f} s  {words}" for words, seconds in slowest], sep="\n", file=sys.stderr)
    return 0 if done.wasSuccessful() else 1


main()
