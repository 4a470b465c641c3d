"""The size of the first view of the index."""
import glob
import gzip
import os
from urllib.parse import unquote, urlsplit

from . import browser, settings

LIMIT = 60_000  # bytes, gzipped as servers do, with the search index and fonts, without pictures
STYLE = 12 * 1024  # bytes, gzipped, of the shared style.css and that of a catalogue
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
                listing = ", ".join(f"{path} {size}" for path, size in sizes.items())
                print(f"{name}: {sum(sizes.values())} bytes: {listing} ", end="", flush=True)
                self.assertLessEqual(sum(sizes.values()), LIMIT, listing)

    def test_the_style_of_each_catalogue_is_at_most_12_KiB(self):
        shared = os.path.join(settings.ROOT, "Templates", "style.css")
        for path in sorted(glob.glob(os.path.join(settings.ROOT, "Catalogues", "*", "style.css"))):
            with self.subTest(path=os.path.relpath(path, settings.ROOT)), open(shared, "rb") as first, open(path, "rb") as second:
                self.assertLessEqual(len(gzip.compress(first.read() + second.read(), 9)), STYLE)
