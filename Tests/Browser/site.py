"""Sites to test, built once per run by the program itself: the sample, the real data, and hostile data."""
import functools
import html
import os
import re
import subprocess
import sys
import unittest

from . import settings
from .hostile_api import HostileAPI


def build(name, *options):
    """Builds a site into a folder of its own and returns the site's path."""
    output = os.path.join(settings.SCRATCH, name)
    run(output, "build", "--templates", settings.templates, *options)
    return os.path.join(output, "site")


def run(output, verb, *options):
    """Runs the program."""
    command = [settings.BINARY, verb, "--output", output, "--quiet", *options]
    done = subprocess.run(
        command, cwd=settings.ROOT, env=settings.ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        errors="replace", timeout=settings.LIMIT)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(command)} ended with {done.returncode}:\n{(done.stderr or done.stdout).strip()[-3000:]}")


@functools.cache
def sample():
    """The invented universe, always the same."""
    return build("sample", "--source", "sample", "--seed", "1")


@functools.cache
def real():
    """The real data through its replica, after the states of earlier years, where these are there."""
    replica = os.path.join(settings.SHARED, "replica", "replica.py")
    history = os.path.join(settings.SHARED, "data", "rickandmorty-history")
    for needed in (replica, history):
        if not os.path.exists(needed):
            raise unittest.SkipTest(f"the real data is not here: there is no {needed}")
    with subprocess.Popen(
            [sys.executable, replica, "--port", "0"], env=settings.ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            text=True) as server:
        try:
            banner = server.stdout.readline()
            api = re.search(r"http://127\.0\.0\.1:\d+/api", banner)
            if not api:
                raise AssertionError(f"{replica} did not start: {banner.strip()}")
            for day in sorted(name for name in os.listdir(history) if re.fullmatch(r"\d{4}-\d\d-\d\d", name)):
                run(os.path.join(settings.SCRATCH, "real"), "import", os.path.join(history, day), "--date", day, "--api", api[0])
            return build("real", "--source", "live", "--api", api[0])
        finally:
            server.kill()


@functools.cache
def hostile():
    """Data whose every text tries to be something else; see hostile_api."""
    with HostileAPI() as api:
        return build("hostile", "--source", "live", "--api", api.address)


SITES = {"sample": sample, "real": real, "hostile": hostile}


failed = set()


def folder(name):
    """The folder of a site, built when it is first asked for. What cannot be built is not tried again."""
    if name in failed:
        raise AssertionError(f"the site {name} was not built, as said above")
    try:
        return SITES[name]()
    except AssertionError:
        failed.add(name)
        raise


@functools.cache
def characters(name):
    """What a site's own pages say of each character, by number."""
    found, number = {}, 1
    while os.path.exists(path := os.path.join(folder(name), "character", f"{number}.html")):
        with open(path, encoding="utf-8") as file:
            text = file.read().split('<section class="history"')[0]
        values = dict(re.findall(r"<dt>([^<]*)</dt><dd[^>]*>(?:<[^>]*>)*([^<]*)", text))
        word = re.search(r'class="mood[^>]*>([^<]*)', text)
        name_of = re.search(r"<h1[^>]*>(?:<[^>]*>)*([^<]*)", text)
        found[number] = {
            "name": html.unescape(name_of[1]), "status": html.unescape(word[1]) if word else "",
            "species": html.unescape(values.get("Species", "")), "gender": html.unescape(values.get("Gender", ""))}
        number += 1
    return found


@functools.cache
def handmade(name, files):
    """A small site of given files, pairs of path and text, to try the harness itself."""
    root = os.path.join(settings.SCRATCH, name)
    for path, text in files:
        full = os.path.join(root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)
    return root
