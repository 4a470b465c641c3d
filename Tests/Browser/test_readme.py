"""The pictures in README and in the gallery of docs/catalogue.md: taken from invented data, small, and shown there."""
import os
import re
import shutil

from . import browser, settings

# name: site, path, width, theme
PICTURES = {
    "characters": ("sample", "index.html", 1000, "light"), "character": ("sample", "character/1.html", 1000, "dark"),
    "media": ("media", "index.html", 1000, "light"), "pokeapi": ("pokeapi", "pokemon-list.html", 1000, "light"),
    "blog": ("blog", "index.html", 1000, "light")}
DOCUMENTS = {"README.md": ["character", "characters", "media"], "docs/catalogue.md": ["blog", "characters", "media", "pokeapi"]}
HEIGHT = 620
MOST = 100 * 1024  # bytes
KEPT = os.path.join(settings.ROOT, "docs", "images")


class ReadmeTest(browser.BrowserTest):
    def test_the_pictures_of_the_documents_can_be_taken_and_are_small(self):
        folder = os.path.join(settings.SCREENSHOTS, "readme")
        os.makedirs(folder, exist_ok=True)
        for name, (site, path, width, theme) in PICTURES.items():
            with self.part(picture=name):
                self.open(path, site=site, fresh=True, width=width, scheme=theme)
                self.page.set_viewport_size({"width": width, "height": HEIGHT})
                self.observe("settled")
                file = os.path.join(folder, f"{name}.jpg")
                self.page.screenshot(path=file, type="jpeg", quality=72)
                self.assertLess(os.path.getsize(file), MOST)
        # They are copied only on request, because each machine draws them a little differently.
        if os.environ.get("UPDATE_DOCS"):
            shutil.copytree(folder, KEPT, dirs_exist_ok=True)

    def test_the_documents_show_exactly_these_pictures(self):
        for path, names in DOCUMENTS.items():
            with open(os.path.join(settings.ROOT, path), encoding="utf-8") as file:
                self.assertEqual(sorted(set(re.findall(r"images/([\w-]+)\.jpg", file.read()))), names, path)
        for name in PICTURES:
            self.assertLess(os.path.getsize(os.path.join(KEPT, f"{name}.jpg")), MOST)
