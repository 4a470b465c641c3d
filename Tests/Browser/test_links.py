"""Every link of the site leads to an existing page and fragment."""
import html.parser
import os
import re
from collections import deque
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from . import browser, site

PAGES = 400  # the most pages that are read of a site


class Links(html.parser.HTMLParser):
    """The addresses and ids of a page."""

    def __init__(self, text):
        super().__init__()
        self.found, self.ids = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.ids.add(values.get("id"))
        for name in ("href", "src"):
            if values.get(name) is not None and values.get("rel") != "canonical":
                self.found.append(values[name])


class LinksTest(browser.BrowserTest):
    sites = ["sample", "hostile"]
    outside = None  # a pattern of allowed external addresses

    def test_links_lead_to_existing_pages_and_fragments(self):
        for name in self.sites:
            with self.subTest(site=name):
                folder = site.folder(name)
                read, waiting = {}, deque(["index.html"])
                broken, places = [], []
                while waiting:
                    path = waiting.popleft()
                    if path in read:
                        continue
                    with open(os.path.join(folder, path), encoding="utf-8") as file:
                        read[path] = Links(file.read())
                    for link in read[path].found:
                        if urlsplit(link).scheme:
                            if not self.outside or not re.fullmatch(self.outside, link):
                                broken.append(f"{path}: {link} leaves the site")
                            continue
                        target = unquote(urlsplit(urljoin("http://site/" + path, link)).path).lstrip("/")
                        if not os.path.isfile(os.path.join(folder, target)):
                            broken.append(f"{path}: {link}")
                        elif target.endswith(".html") and len(read) + len(waiting) < PAGES:
                            waiting.append(target)
                        place = urldefrag(link).fragment
                        if place and target.endswith(".html"):
                            places.append((path, link, target, unquote(place)))
                broken += [f"{path}: {link}, no such fragment" for path, link, target, place in places
                           if target in read and place not in read[target].ids and "=" not in place]
                self.assertEqual(broken[:20], [])
                print(f"{name}: {len(read)} pages read ", end="", flush=True)


class MediaLinksTest(LinksTest):
    """The same for media, whose pages also link to the service."""

    sites = ["media", "media real", "media hostile"]
    outside = r"https?://[a-z0-9.-]+/[\x21\x23-\x3b\x3d\x3f-\x7e]*"
