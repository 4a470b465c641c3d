"""The size of the first view of the index."""
import gzip
import os
from urllib.parse import unquote, urlsplit

from . import browser

LIMIT = 60_000  # bytes, gzipped as servers do, with the search index and fonts, without pictures
PICTURES = (".jpg", ".png", ".webp", ".gif")


class FirstViewTest(browser.BrowserTest):
    def test_the_first_view_is_at_most_60_KB(self):
        for name in ("sample", "real"):
            with self.part(site=name):
                self.open(site=name, fresh=True)
                self.observe("settled")
                paths = {unquote(urlsplit(address).path).strip("/") or "index.html" for address in self.watch.requests} | {"search-index.js"}
                sizes = {}
                for path in sorted(path for path in paths if not path.endswith(PICTURES)):
                    with open(os.path.join(self.home.folder, path), "rb") as file:
                        sizes[path] = len(gzip.compress(file.read(), 6))
                told = ", ".join(f"{path} {size}" for path, size in sizes.items())
                print(f"{name}: {sum(sizes.values())} bytes: {told} ", end="", flush=True)
                self.assertLessEqual(sum(sizes.values()), LIMIT, told)
