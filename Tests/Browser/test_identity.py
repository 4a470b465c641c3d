"""What a catalogue adds of its own: colours, a display face, a mark, tables to keep, and readable addresses."""
import csv
import glob
import io
import os

from . import browser

COLOURS = """() => ({
    accent: getComputedStyle(document.querySelector('main a')).color,
    ground: getComputedStyle(document.body).backgroundColor,
    face: getComputedStyle(document.querySelector('h1')).fontFamily,
})"""


class IdentityTest(browser.BrowserTest):
    def test_each_catalogue_has_its_own_colours_and_face_in_both_themes(self):
        seen = []
        for site in ("sample", "media"):
            for scheme in browser.SCHEMES:
                with self.part(site=site, scheme=scheme):
                    self.open(site=site, scheme=scheme)
                    self.observe("settled")
                    seen.append(self.page.evaluate(COLOURS))
        for part in ("accent", "ground"):
            self.assertEqual(len({look[part] for look in seen}), 4, seen)
        self.assertEqual(len({look["face"] for look in seen}), 2, seen)

    def test_the_display_face_has_cyrillic(self):
        self.open("ru/index.html", kept=(("language", "ru"),), fresh=True)
        self.page.evaluate("document.fonts.load('700 24px Display', 'Ж')")
        self.assertTrue(self.page.evaluate("document.fonts.check('700 24px Display', 'Ж')"))
        loaded = [url for url in self.watch.requests if url.endswith("fonts/display.woff2")]
        self.assertEqual(len(loaded), 1, self.watch.requests)

    def test_the_mark_is_a_picture_of_the_catalogue(self):
        marks = set()
        for site in ("sample", "media"):
            with self.part(site=site):
                self.open(site=site)
                mark = self.page.evaluate("fetch(document.querySelector('link[rel=icon]').href).then((answer) => answer.text())")
                self.assertTrue(mark.startswith("<svg"), mark[:40])
                marks.add(mark)
        self.assertEqual(len(marks), 2)

    def test_exported_tables_have_genres_prices_and_countries(self):
        self.open("about.html", site="media")
        links = self.page.locator("a[href$='.csv']").evaluate_all("(links) => links.map((link) => link.href)")
        self.assertTrue(links)
        rows = []
        for link in links:
            text = self.page.evaluate("(link) => fetch(link).then((answer) => answer.text())", link)
            rows += csv.DictReader(io.StringIO(text))
        for column in ("country", "primary_genre_name", "track_price", "currency"):
            self.assertTrue(any(row.get(column) for row in rows), column)

    def test_addresses_of_cyrillic_names_are_ascii_and_former_ones_forward(self):
        self.open(site="media russian")
        for path in glob.glob("**/*.html", root_dir=self.home.folder, recursive=True):
            self.assertTrue(path.isascii(), path)
        self.need("found/more-ebook-ru.html")
        former = [os.path.basename(path) for path in glob.glob(os.path.join(self.home.folder, "found", "[0-9]*-ebook-ru.html"))]
        self.assertEqual(len(former), 1)
        self.page.goto(f"{self.home.address}found/{former[0]}")
        self.page.wait_for_url("**/found/more-ebook-ru.html")
