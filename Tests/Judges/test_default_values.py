"""Every value of every record is on its default page, or on a further page of it, in sites of APIs that amber init described."""
import glob
import html
import json
import os
import re
import tempfile
import unittest

from . import programs, settings
from .test_django import API

KINDS = "berry,berry-firmness,contest-type,egg-group,nature,stat"


def replica(name, *options):
    """The command of a server of ../shared for a port."""
    return lambda port: ["python3", os.path.join(settings.SHARED, "replica", name), "--port", str(port), *options]


def content(file):
    with open(file, encoding="utf-8") as opened:
        return opened.read()


def values(json_value, path=""):
    """The scalars of a JSON value with their paths. Null and empty texts are left out, as on pages."""
    if isinstance(json_value, dict):
        for name, inner in json_value.items():
            yield from values(inner, f"{path}.{name}")
    elif isinstance(json_value, list):
        for inner in json_value:
            yield from values(inner, f"{path}[]")
    elif json_value not in (None, ""):
        yield path, json_value


def words(text):
    """Letters and digits. Line ends, digit groups and quotation marks can differ on a page."""
    return re.sub(r"[\W_]+", "", html.unescape(text)).lower()


def is_shown(value, path, text, links, numbers):
    if isinstance(value, bool):
        return words(path.split(".")[-1]) in words(text) and ("yes" if value else "no") in text
    if isinstance(value, (int, float)):
        return str(value) in numbers
    if re.match(r"https?://", value):
        # A reference leads to the page of a record, and a picture to its captured copy. Both have the last word of the address.
        return value in links or f"/{value.rstrip('/').split('/')[-1].split('.')[0]}." in links
    if re.match(r"\d{4}-\d\d-\d\dT", value):
        return value[:4] in numbers
    return words(value) in words(text)


class DefaultValuesTests(unittest.TestCase):
    def test_every_value_of_rick_and_morty_is_on_a_page(self):
        self.compare(replica("replica.py", "--limit", "60"), "api")

    def test_every_value_of_some_kinds_of_pokeapi_is_on_a_page(self):
        self.compare(replica("pokeapi.py", "--kinds", KINDS), "api/v2")

    @unittest.skipUnless(settings.DJANGO, "Django REST framework is missing: AMBER_DJANGO does not name its environment")
    def test_every_value_of_django_rest_framework_is_on_a_page(self):
        lists = [f"--list={name}/" for name in ["authors", "offsets", "cursors"]]
        self.compare(lambda port: [os.path.join(settings.DJANGO, "bin", "python"), API, str(port)], "api", *lists)

    def compare(self, server, path, *options):
        program = server(0)[1]
        if not os.path.exists(program):
            self.skipTest(f"the server is missing: there is no {program}")
        with tempfile.TemporaryDirectory() as folder, programs.serving(server, folder) as port:
            programs.must(settings.BINARY, "init", "project", "--api", f"http://127.0.0.1:{port}/{path}", *options, folder=folder)
            programs.must(settings.BINARY, "build", folder=f"{folder}/project")
            files = [file for file in glob.glob(f"{folder}/project/Output/site/api/*/*.json") if not file.endswith("/index.json")]
            missing = [fault for file in files for fault in self.missing(file)]
        self.assertGreater(len(files), 50)
        self.assertEqual(missing[:20], [])

    def missing(self, file):
        site, kind, name = re.fullmatch(r"(.+)/api/([^/]+)/(.+)\.json", file).groups()
        page = "".join(map(content, [f"{site}/{kind}/{name}.html", *glob.glob(f"{site}/{kind}/{name}/*.html")]))
        links, text = html.unescape(page), re.sub(r"<[^>]*>", " ", page)
        numbers = set(re.findall(r"-?\d+(?:\.\d+)?", re.sub(r"(?<=\d),(?=\d{3})", "", text)))
        for path, value in values(json.loads(content(file))):
            if not is_shown(value, path, text, links, numbers):
                yield f"{kind}/{name}{path}: {value}"
