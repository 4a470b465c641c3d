"""Sites to test, built once per run by the program: sample, real and hostile data of both catalogues."""
import contextlib
import fcntl
import functools
import html
import json
import os
import re
import subprocess
import sys
import unittest

from . import hostile_media, settings
from .awkward_api import AwkwardAPI
from .hostile_api import HostileAPI
from .invented_apis import InventedBlog, InventedPokeAPI

# The exit code when the published site has gaps.
GAPS = 4


def build(name, *options, ends=0):
    """Builds a site into its own folder and returns its path."""
    output = os.path.join(settings.SCRATCH, name)
    run(output, "build", "--templates", settings.templates, *options, ends=ends)
    return os.path.join(output, "site")


def run(output, verb, *options, ends=0):
    """Runs the program and returns its standard error."""
    command = [settings.BINARY, verb, "--output", output, "--quiet", *options]
    done = subprocess.run(
        command, cwd=settings.ROOT, env=settings.ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        errors="replace", timeout=settings.LIMIT)
    if done.returncode != ends:
        raise AssertionError(f"{' '.join(command)} ended with {done.returncode}:\n{(done.stderr or done.stdout).strip()[-3000:]}")
    return done.stderr


def sample():
    """The invented universe, always the same."""
    return build("sample", "--source", "sample", "--seed", "1")


def real():
    """The real data from its replica, after the states of earlier years."""
    with replica("replica.py", "rickandmorty-history") as (address, history):
        for day in sorted(name for name in os.listdir(history) if re.fullmatch(r"\d{4}-\d\d-\d\d", name)):
            run(os.path.join(settings.SCRATCH, "real"), "import", os.path.join(history, day), "--date", day, "--api", f"{address}/api")
        return build("real", "--source", "live", "--api", f"{address}/api")


@contextlib.contextmanager
def replica(name, data):
    """Runs a replica during the block, and yields its address and data folder. The test is skipped if they are missing."""
    program, data = os.path.join(settings.SHARED, "replica", name), os.path.join(settings.SHARED, "data", data)
    for needed in (program, data):
        if not os.path.exists(needed):
            raise unittest.SkipTest(f"the real data is missing: there is no {needed}")
    with subprocess.Popen(
            [sys.executable, program, "--port", "0"], env=settings.ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            text=True) as server:
        try:
            banner = server.stdout.readline()
            address = re.search(r"http://127\.0\.0\.1:\d+", banner)
            if not address:
                raise AssertionError(f"{program} did not start: {banner.strip()}")
            yield address[0], data
        finally:
            server.kill()


def hostile():
    """Hostile data; see hostile_api."""
    with HostileAPI() as api:
        return build("hostile", "--source", "live", "--api", api.address)


def default():
    """Awkward data on default pages, as amber init describes it; see awkward_api."""
    with AwkwardAPI() as api:
        project = os.path.join(settings.SCRATCH, "project")
        run(project, "init", project, "--api", api.address)
        # A table of several pages, with the filters that were proposed.
        path = os.path.join(project, "catalogue", "catalogue.json")
        with open(path, encoding="utf-8") as file:
            declaration = json.load(file)
        readings = declaration["kinds"]["readings"]
        facets = {name: field for name, field in readings["fields"].items() if field.get("facet")}
        readings |= {
            "fields": {"pressure": {"type": "number"}, **facets}, "row": ["pressure"],
            "list": {"columns": ["pressure"], "perPage": 10}}
        with open(path, "w", encoding="utf-8") as file:
            json.dump(declaration, file)
        return build("default", "--source", "live", "--api", api.address, "--catalogue", os.path.join(project, "catalogue"))


def pokeapi():
    """Invented creatures in the catalogue of PokeAPI; see invented_apis."""
    with InventedPokeAPI() as api:
        return build("pokeapi", "--source", "live", "--catalogue", "pokeapi", "--api", api.address)


def blog():
    """An invented blog in the catalogue of WordPress."""
    with InventedBlog() as api:
        return build("blog", "--source", "live", "--catalogue", "wordpress", "--api", api.address)


def media():
    """The invented store of songs, films and books, always the same."""
    return build("media", "--config", os.path.join(settings.ROOT, "media.json"), "--source", "sample", "--seed", "1")


def media_russian():
    """Invented books that a Russian word finds."""
    searches = configuration("media-russian", [{"term": "море", "country": "RU", "media": "ebook"}])
    return build("media russian", "--config", searches, "--source", "sample", "--seed", "1")


def media_real():
    """Recorded answers from their replica. One search finds nothing."""
    searches = [
        {"term": "upside"}, {"term": "love"}, {"term": "michael", "country": "RU"}, {"term": "star", "media": "movie"},
        {"term": "the", "media": "ebook"}, {"term": "the", "media": "movie", "country": "RU"}]
    with replica("itunes.py", "itunes/answers") as (address, _):
        return build("media real", "--config", configuration("media-real", searches), "--source", "live", "--api", address)


def media_hostile():
    """Hostile media; see hostile_media. Refused values are gaps."""
    with hostile_media.HostileMedia() as api:
        searches = configuration("media-hostile", hostile_media.SEARCHES)
        return build("media hostile", "--config", searches, "--source", "live", "--api", api.address, ends=GAPS)


def configuration(name, searches):
    """Writes a configuration with searches and returns its path."""
    os.makedirs(settings.SCRATCH, exist_ok=True)
    path = os.path.join(settings.SCRATCH, f"{name}.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"catalogue": "itunes", "searches": searches}, file)
    return path


SITES = {
    "blog": blog, "default": default, "pokeapi": pokeapi, "sample": sample, "real": real, "hostile": hostile, "media": media,
    "media russian": media_russian, "media real": media_real, "media hostile": media_hostile}


def forwards(path):
    """Whether a page only forwards from a former address to the present one."""
    with open(path, encoding="utf-8") as page:
        return '<meta http-equiv="refresh"' in page.read(1024)


@functools.cache
def folder(name):
    """The folder of a site, built on first use by one of the processes. A failed build is not repeated."""
    os.makedirs(settings.SCRATCH, exist_ok=True)
    failure = os.path.join(settings.SCRATCH, f"{name}.failed")
    with open(os.path.join(settings.SCRATCH, f"{name}.lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.exists(failure):
            raise AssertionError(f"the site {name} was not built; see the first test that needs it")
        published = os.path.join(settings.SCRATCH, name, "site")
        if os.path.exists(published):
            return published
        try:
            return SITES[name]()
        except AssertionError:
            open(failure, "w", encoding="utf-8").close()
            raise


@functools.cache
def characters(name):
    """The values of each character by number, read from the site's own pages."""
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
