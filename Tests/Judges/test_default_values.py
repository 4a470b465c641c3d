"""Every value of every record is on its page in sites of APIs that amber init described.

PokeAPI has 14,111 records, so this takes a minute. Without the environment variable AMBER_ALL_RECORDS, it has 20 records of each
kind.
"""
import os
import tempfile
import unittest

from . import programs, settings
from .record_pages import Site
from .test_django import API
from .test_wordpress import blog, missing

# The members with ids of records, with their kinds, and those that Catalogues/wordpress hides because others have their values.
BLOG = {
    "author": ["users"], "featured_media": ["media"], "categories": ["categories"], "tags": ["tags"], "post": ["posts", "pages"],
    "parent": ["categories", "comments", "pages"],
}
BLOG_HIDDEN = ["_links", "guid"]


def replica(name, *options):
    """The command of a server of ../shared for a port."""
    return lambda port: ["python3", os.path.join(settings.SHARED, "replica", name), "--port", str(port), *options]


class DefaultValuesTests(unittest.TestCase):
    def test_every_value_of_rick_and_morty_is_on_a_page(self):
        self.compare(replica("replica.py"), 1003, "api")

    def test_every_value_of_pokeapi_is_on_a_page(self):
        # The server does not have one of the listed records.
        options, records = ([], 14_111) if settings.ALL_RECORDS else (["--limit", "20"], 710)
        self.compare(replica("pokeapi.py", *options), records, "api/v2")

    @unittest.skipUnless(settings.DJANGO, "Django REST framework is missing: AMBER_DJANGO does not name its environment")
    def test_every_value_of_django_rest_framework_is_on_a_page(self):
        lists = [f"--list={name}/" for name in ["authors", "offsets", "cursors"]]
        self.compare(lambda port: [os.path.join(settings.DJANGO, "bin", "python"), API, str(port)], 375, "api", *lists)

    @unittest.skipIf(missing(), missing())
    def test_every_value_of_wordpress_is_on_a_page(self):
        folder, port = blog()
        programs.must(settings.BINARY, "init", "project", "--wordpress", f"http://127.0.0.1:{port}/", folder=folder)
        self.build(folder, 330, BLOG, BLOG_HIDDEN)

    def compare(self, server, records, path, *options):
        program = server(0)[1]
        if not os.path.exists(program):
            self.skipTest(f"the server is missing: there is no {program}")
        with tempfile.TemporaryDirectory() as folder, programs.serving(server, folder) as port:
            programs.must(settings.BINARY, "init", "project", "--api", f"http://127.0.0.1:{port}/{path}", *options, folder=folder)
            self.build(folder, records)

    def build(self, folder, records, *rules):
        code, output = programs.run(settings.BINARY, "build", folder=f"{folder}/project")
        # 4: the server lacks some of the records to which others refer.
        self.assertIn(code, [0, 4], output[-4000:])
        site = Site(f"{folder}/project/Output/site", *rules)
        self.assertEqual(len(site.files), records)
        self.assertEqual(site.all_missing()[:20], [])
