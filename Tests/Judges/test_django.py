"""A capture of an API with Django REST framework, paged by numbers, offsets and cursors, and with a list for each record."""
import json
import os
import tempfile
import unittest

from . import programs, settings

API = os.path.join(os.path.dirname(__file__), "django_api.py")
DECLARATION = {
    "name": "library",
    "list": {"path": "{list}/", "paginator": {"type": "page_number"}, "records": "results", "count": "count"},
    "lists": [
        {"name": "authors", "kind": "author"},
        {"name": "offsets", "kind": "book", "paginator": {"type": "offset", "limit": 10}},
        {"name": "books", "kind": "book", "path": "authors/{author.id}/books/"},
    ],
    "kinds": {"book": {"fields": {"author": {"type": "reference", "to": "author"}}}},
}
CURSORS = {
    "name": "library",
    "list": {"path": "{list}/", "paginator": {"type": "json_link"}, "records": "results"},
    "lists": [{"name": "cursors", "kind": "book"}],
}


@unittest.skipUnless(settings.DJANGO, "Django REST framework is missing: AMBER_DJANGO does not name its environment")
class DjangoTests(unittest.TestCase):
    def test_page_numbers_offsets_and_a_list_for_each_record(self):
        # 25 authors. In turn, they have 7, 14 and 0 books.
        self.capture(DECLARATION, {"author": 25, "book": 9 * 7 + 8 * 14})

    def test_cursors(self):
        self.capture(CURSORS, {"book": 9 * 7 + 8 * 14})

    def capture(self, declaration, records):
        def amber(*arguments):
            return programs.must(settings.BINARY, *arguments, *options, folder=settings.ROOT)

        def server(port):
            return [os.path.join(settings.DJANGO, "bin", "python"), API, str(port)]

        with tempfile.TemporaryDirectory() as folder, programs.serving(server, folder) as port:
            api, catalogue, output = f"http://127.0.0.1:{port}/api", f"{folder}/catalogue", f"{folder}/output"
            os.mkdir(catalogue)
            with open(f"{catalogue}/catalogue.json", "w", encoding="utf-8") as file:
                json.dump({**declaration, "api": api}, file)
            options = ["--catalogue", catalogue, "--output", output]
            amber("build", "--source", "live", "--api", api)
            amber("verify", "archive")
            amber("verify", "site")
            with open(f"{output}/site/completeness.json", encoding="utf-8") as file:
                proof = json.load(file)
        self.assertTrue(proof["complete"])
        self.assertEqual({kind["kind"]: kind["found"]["records"] for kind in proof["kinds"]}, records)
