"""A capture of an API with Django REST framework, paged by numbers, offsets and cursors, and with a list for each record."""
import os
import tempfile
import unittest

from . import cases, programs, settings

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
        def server(port):
            return [os.path.join(settings.DJANGO, "bin", "python"), API, str(port)]

        with tempfile.TemporaryDirectory() as folder, programs.serving(server, folder) as port:
            _, proof = cases.capture(declaration, f"http://127.0.0.1:{port}/api", folder)
        self.assertTrue(proof["complete"])
        self.assertEqual({kind["kind"]: kind["found"]["records"] for kind in proof["kinds"]}, records)
