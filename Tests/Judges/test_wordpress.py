"""Captures of a real WordPress, paged by numbers and by links in the header."""
import atexit
import contextlib
import functools
import glob
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
UPDATED = {"parameter": "modified_after", "from": "modified"}
CHANGES = {
    **DECLARATION,
    "list": {**DECLARATION["list"], "path": "{list}?per_page=100&orderby=id&order=asc"},
    "lists": [{"name": "posts", "updated": UPDATED}, "media"],
}
# Changes a post, and adds one. Argument: the folder of WordPress.
CHANGE = """
define('WP_INSTALLING', true);
$_SERVER += ['HTTP_HOST' => '127.0.0.1', 'REQUEST_METHOD' => 'GET', 'SERVER_PROTOCOL' => 'HTTP/1.1'];
require_once $argv[1] . '/wp-load.php';
wp_update_post(['ID' => 60, 'post_title' => 'Changed']);
wp_insert_post(['post_title' => 'Added', 'post_status' => 'publish', 'post_content' => 'Added.']);
"""
LINKS = {**DECLARATION, "list": {**DECLARATION["list"], "paginator": {"type": "header_link"}}}


def missing():
    """Why there is no WordPress; empty if there is one."""
    if not os.path.exists(SERVER):
        return f"WordPress is missing: there is no {SERVER}"
    if os.geteuid() != 0:
        return "WordPress is missing: only root can start its database"
    programs_missing = [name for name in ["php", "mariadbd"] if not shutil.which(name)]
    if not programs_missing and os.path.isdir("/usr/share/wordpress") or "AMBER_REQUIRE_SERVERS" in os.environ:
        return ""
    return "WordPress is missing: install wordpress php-cli php-mysql php-gd php-xml mariadb-server"


@functools.cache
def blog():
    """A folder, and the port of a WordPress in it, which all tests share because it takes long to start. It ends with the program."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        # The database runs as another user, and writes to this folder too.
        os.chmod(folder, 0o1777)
        port = stack.enter_context(programs.serving(lambda port: ["env", f"TMPDIR={folder}", "bash", SERVER, str(port), "101"], folder))
        atexit.register(stack.pop_all().close)
        return folder, port


@unittest.skipIf(missing(), missing())
class WordPressTests(unittest.TestCase):
    def test_page_numbers_and_links_give_the_same_records(self):
        folder, port = blog()
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

    def test_posts_that_changed_give_the_records_of_a_complete_capture(self):
        """Its name makes it the last one, because other tests count the posts."""
        folder, port = blog()
        api = f"http://127.0.0.1:{port}/wp-json/wp/v2"
        cases.capture(CHANGES, api, f"{folder}/changes")
        programs.must("php", "-r", CHANGE, *glob.glob(f"{folder}/wordpress.*/site"))
        captures = [cases.capture(CHANGES, api, f"{folder}/{name}") for name in ["changes", "complete"]]
        files = [{name: self.content(f"{site}/data/{name}.json") for name in ["posts", "media"]} for site, _ in captures]
        page = self.content(f"{captures[0][0]}/completeness.html")
        self.assertEqual(files[0], files[1])
        self.assertIn(b'"Changed"', files[0]["posts"])
        self.assertIn(b'"Added"', files[0]["posts"])
        self.assertEqual([len(kind.get("changesSince", [])) for _, proof in captures for kind in proof["kinds"]], [1, 0, 0, 0])
        self.assertIn(b"deleted records are not noticed", page)

    def content(self, path):
        with open(path, "rb") as file:
            # WordPress chooses one of several hosts for each address of a user's picture.
            return re.sub(rb"[0-9]\.gravatar", b"gravatar", file.read())
