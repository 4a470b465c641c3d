"""Captures of a real WordPress, paged by numbers and by links in the header."""
import os
import re
import shutil
import tempfile
import unittest

from . import cases, programs, settings

SERVER = os.path.join(settings.SHARED, "replica", "wordpress.sh")
LISTS = ["posts", "pages", "categories", "tags", "users", "media", "comments"]
DECLARATION = {
    "name": "blog",
    "hosts": [],
    "list": {"path": "{list}?per_page=100&order=asc", "paginator": {"type": "page_number"}, "count": "header:X-WP-Total"},
    "lists": LISTS,
    "kinds": {"media": {"fields": {"image": {"type": "image", "path": "source_url"}}}},
}
LINKS = {**DECLARATION, "list": {**DECLARATION["list"], "paginator": {"type": "header_link"}}}


def missing():
    """Why there is no WordPress; empty if there is one."""
    if not os.path.exists(SERVER):
        return f"WordPress is missing: there is no {SERVER}"
    programs_missing = [name for name in ["php", "mariadbd"] if not shutil.which(name)]
    if programs_missing or not os.path.isdir("/usr/share/wordpress"):
        return "WordPress is missing: install wordpress php-cli php-mysql php-gd php-xml mariadb-server"
    return "" if os.geteuid() == 0 else "WordPress is missing: only root can start its database"


@unittest.skipIf(missing(), missing())
class WordPressTests(unittest.TestCase):
    def test_page_numbers_and_links_give_the_same_records(self):
        def server(port):
            return ["bash", SERVER, str(port), "101"]

        with tempfile.TemporaryDirectory() as folder, programs.serving(server, folder) as port:
            api = f"http://127.0.0.1:{port}/wp-json/wp/v2"
            captures = [cases.capture(declaration, api, f"{folder}/{name}") for name, declaration in [("numbers", DECLARATION), ("links", LINKS)]]
            files = [{name: self.content(f"{site}/data/{name}.json") for name in LISTS} for site, _ in captures]
        self.assertEqual(files[0], files[1])
        for _, proof in captures:
            self.assertTrue(proof["complete"])
            self.assertEqual([kind["kind"] for kind in proof["kinds"]], LISTS)
            for kind in proof["kinds"]:
                self.assertEqual(kind["claimed"]["records"], kind["found"]["records"])
            posts, media = proof["kinds"][0], proof["kinds"][LISTS.index("media")]
            self.assertEqual(posts["found"], {"records": 102, "pages": 2})
            self.assertEqual(proof["pictures"]["found"], media["found"]["records"])

    def content(self, path):
        with open(path, "rb") as file:
            # WordPress chooses one of several hosts for each address of a user's picture.
            return re.sub(rb"[0-9]\.gravatar", b"gravatar", file.read())
