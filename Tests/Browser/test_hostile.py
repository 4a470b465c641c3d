"""Hostile data is shown as text everywhere. The security policy is bypassed, because it would hide broken escaping."""
import functools
import json
import os
import re

from . import browser, hostile_api, kinds, places, settings, site

CANON = hostile_api.CANON


@functools.cache
def served():
    return hostile_api.records(CANON)


@functools.cache
def russian():
    """The Russian words for the values of each field."""
    with open(os.path.join(settings.ROOT, "Catalogues", "rickandmorty", "strings", "ru.json"), encoding="utf-8") as file:
        return json.load(file)["values"]


def shown(text):
    """A served text as a page shows it: forbidden characters are U+FFFD, and white space is one space."""
    text = re.sub("[\x01-\x08\x0b\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff\U0001fffe]", "\ufffd", text)
    return re.sub("[ \t\r\n\f]+", " ", text).strip(" ")


def short(text):
    """The same text in titles, lists and the search."""
    return shown(text if len(text) <= 300 else text[:299] + "…")


@functools.cache
def pages():
    """The pages of the hostile site to read, by path: all pages of records, and some of the lists by value and of the other language.

    Their templates are the same, and each hostile text is also on a page of a record.
    """
    root = site.folder("hostile")
    found = []
    for parent, _, files in os.walk(root):
        found += [os.path.relpath(os.path.join(parent, name), root) for name in files if name.endswith(".html")]
    found = sorted(path for path in found if path != "404.html" and not site.forwards(os.path.join(root, path)))
    return kinds.some(found, where=lambda path: path.split("/")[0] not in served())


# Reads executed scripts, elements, headings and structured data of a page.
READ = """() => {
  const plain = (element) => element.textContent.replace(/[ \\t\\r\\n\\f]+/g, ' ').replace(/^ | $/g, '');
  return {
    hacked: 'hacked' in window, title: plain(document.querySelector('title')), heading: plain(document.querySelector('h1')),
    cards: [...document.querySelectorAll('main .card .name')].map(plain),
    values: [...document.querySelectorAll('main dd')].map(plain), shapes: observe.shapes(), scripts: observe.scripts(),
    data: [...document.querySelectorAll('script[type="application/ld+json"]')].map((script) => script.textContent),
    images: [...document.images].map((image) => image.getAttribute('src')),
    links: [...document.querySelectorAll('[href]')].map((link) => link.getAttribute('href')),
  };
}"""


class HostileTest(browser.BrowserTest):
    site = "hostile"
    pages_read = {}

    def setUp(self):
        self.start_fresh()

    def start_fresh(self):
        # Infinite scrolling would add cards to a list while it is read.
        self.open("about.html", bypass_csp=True, fresh=True, kept=browser.NO_SCROLLING)

    def read(self, path):
        """The content of a page. Each page is visited once."""
        if path not in self.pages_read:
            self.goto(path)
            found = self.pages_read[path] = self.page.evaluate(READ)
            # Scripts make addresses absolute when they change the address of the page.
            found["links"] = [link.removeprefix(self.home.address) for link in found["links"]]
        return self.pages_read[path]

    def usual(self):
        """The elements and attributes of a harmless site's pages, and the number of scripts for each kind."""
        shapes, scripts = set(), {}
        for kind, path in kinds.ALL.items():
            if os.path.isfile(os.path.join(site.folder("sample"), path)):
                self.open(path, site="sample", bypass_csp=True)
                found = self.page.evaluate(READ)
                shapes.update(found["shapes"])
                scripts[kind.removeprefix("ru-").removesuffix("-2")] = len(found["scripts"])
        return shapes, scripts

    def test_no_page_runs_scripts_or_has_elements_from_the_data(self):
        shapes, scripts = self.usual()
        # Elements that a harmless site does not need.
        shapes |= {"section[class]", "section", "code", "ul", "small", "option[lang]", "span[role]", "span[aria-label]"}
        self.start_fresh()
        for path in pages():
            with self.part(path=path):
                found = self.read(path)
                self.assertFalse(found["hacked"], "a script of the data ran")
                self.assertEqual(set(found["shapes"]) - shapes, set(), "elements and attributes that no template makes")
                own = [script for script in found["scripts"] if script != "application/ld+json"]
                self.assertEqual([script for script in own if not re.fullmatch(r"/(scripts/[\w.-]+|search-index[\w.-]*)\.js", script)], [])
                kind = kind_of(path)
                if kind in scripts:
                    self.assertEqual(len(found["scripts"]), scripts[kind], found["scripts"])
                self.assertEqual([image for image in found["images"] if not re.fullmatch(r"(\.\./)*(avatar/\d+\.png|placeholder\.svg)", image.removeprefix(self.home.address))], [])
                self.assertEqual([link for link in found["links"] if re.match(r"\s*[a-z][a-z0-9+.-]*:", link, re.I)], [], "links that lead elsewhere")
                for text in found["data"]:
                    json.loads(text)

    def homes(self, path):
        """The languages that have this page. A missing page fails once."""
        for language, home in (("en", ""), ("ru", "ru/")):
            with self.subTest(language=language):
                self.need(home + path)
            if self.has(home + path):
                yield home

    def test_headings_and_titles_show_the_served_names(self):
        for kind in ("character", "location", "episode"):
            for home in self.homes(f"{kind}/1.html"):
                for record in served()[kind]:
                    path = f"{home}{kind}/{record['id']}.html"
                    if path not in pages():
                        continue
                    with self.part(path=path):
                        found, name = self.read(path), short(record["name"])
                        self.assertIn(shown(record["name"]), found["heading"])
                        self.assertIn(name, found["title"])
                        for text in found["data"]:
                            self.assertIn(name, [shown(value) for value in texts(json.loads(text))])

    def test_character_pages_show_the_served_values(self):
        for home in self.homes("character/1.html"):
            for record in served()["character"]:
                path = f"{home}character/{record['id']}.html"
                if path not in pages():
                    continue
                with self.part(path=path):
                    found = self.read(path)
                    values = {"species": record["species"], "type": record["type"], "origin": record["origin"]["name"], "location": record["location"]["name"]}
                    words = russian() if home else {}
                    for value in (shown(words.get(field, {}).get(value, value)) for field, value in values.items() if value):
                        self.assertTrue(any(text == value or text.startswith(value + " ") for text in found["values"]), f"{value!r} in {found['values']}")

    def test_lists_show_the_served_names_in_order(self):
        for home in self.homes("index.html"):
            with self.part(home=home or "en"):
                names = self.read(f"{home}index.html")["cards"] + self.read(f"{home}page/2.html")["cards"]
                self.assertEqual(names, [short(record["name"]) for record in served()["character"]])

    def test_the_search_finds_hostile_names_and_shows_them_as_text(self):
        for home in self.homes("search.html"):
            self.goto(f"{home}search.html")
            for record in served()["character"]:
                words = re.findall(r"[^\W_]{3,}", record["name"])
                if not words:
                    continue
                with self.part(home=home or "en", name=record["name"][:40]):
                    self.page.locator(places.SEARCH_BOX).fill(words[0][:40])
                    found = "([results, name]) => [...document.querySelectorAll(results)].some((link) => link.textContent.replace(/[ \\t\\r\\n\\f]+/g, ' ').includes(name))"
                    self.wait(found, [places.RESULTS, short(record["name"])])
                    self.assertFalse(self.page.evaluate("'hacked' in window"))

    def test_a_hostile_query_and_hash_are_text(self):
        self.need("search.html")
        for text in hostile_api.TEXTS:
            with self.part(text=text[:40]):
                self.goto("search.html")
                # The focus shows the earlier queries.
                self.page.locator(places.SEARCH_BOX).focus()
                self.observe("settled", 30)
                self.page.locator(places.SEARCH_BOX).fill(text[:200])
                self.page.keyboard.press("Enter")
                self.observe("settled", 30)
                self.assertFalse(self.page.evaluate("'hacked' in window"))
        for text in ("status=%3Cimg%20src=x%20onerror=window.hacked=1%3E", "status=<img src=x onerror=window.hacked=1>&gender=__proto__", "%", "status=%E0%A4%A"):
            with self.part(hash=text):
                self.goto("index.html#" + text)
                self.page.reload()
                self.observe("settled", 30)
                self.assertFalse(self.page.evaluate("'hacked' in window"))


def kind_of(path):
    """The kind of a page by its path."""
    plain = path.removeprefix("ru/")
    folder, _, name = plain.rpartition("/")
    if folder in ("character", "episode", "location"):
        return folder
    if plain in kinds.ENGLISH.values():
        return next(kind for kind, known in kinds.ENGLISH.items() if known == plain)
    return "list" if folder == "page" else "status-list" if folder.split("/")[0] in ("status", "gender", "species") else ""


def texts(value):
    """Every text in a piece of JSON."""
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from texts(inner)
