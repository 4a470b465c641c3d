"""What readers see in place of pages and pictures that are missing."""
import os

from . import browser


class MissingTest(browser.BrowserTest):
    def test_the_page_for_missing_paths_has_a_style_and_leads_home_at_any_depth(self):
        changes = {"/character/no/such/page.html": self.page_for_missing_paths()}
        look = """() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('h1')).fontFamily,
            getComputedStyle(document.querySelector('.brand'), '::before').backgroundImage, getComputedStyle(document.querySelector('main a')).color]"""
        for scheme in ("light", "dark"):
            with self.part(scheme=scheme):
                self.open("about.html", serving={"changes": changes}, scheme=scheme)
                wanted = self.page.evaluate(look)
                self.assertIn("favicon.svg", wanted[2])
                self.page.goto(self.home.address + "character/no/such/page.html")
                self.assertEqual(self.page.evaluate(look), wanted)
                self.page.locator("main a").first.click()
                self.page.wait_for_url(self.home.address)
                self.assertTrue(self.page.locator("main .cards").first.is_visible())

    def test_the_page_for_missing_paths_has_its_own_style_if_the_site_is_in_a_subfolder(self):
        for scheme, ground in (("light", "rgb(244, 245, 241)"), ("dark", "rgb(16, 21, 19)")):
            with self.part(scheme=scheme):
                changes = {"/a/page.html": self.page_for_missing_paths()}
                self.open("about.html", fresh=True, serving={"changes": changes, "failures": {"/style.css": 10_000}}, scheme=scheme)
                self.expect_problem("style.css|503")
                self.page.goto(self.home.address + "a/page.html")
                self.assertEqual(self.page.evaluate("getComputedStyle(document.body).backgroundColor"), ground)

    def test_a_picture_that_cannot_be_loaded_becomes_the_placeholder(self):
        self.open("index.html", fresh=True, serving={"failures": {"/avatar/*": 10_000}})
        self.expect_problem("avatar/|503")
        self.wait("""(home) => [...document.images].slice(0, 4).every((image) =>
            image.src === home + 'placeholder.svg' && image.complete && image.naturalWidth > 0)""", self.home.address)

    def test_a_picture_that_failed_before_the_scripts_ran_becomes_the_placeholder(self):
        self.open("character/1.html", fresh=True, serving={"failures": {"/avatar/*": 10_000}, "delay": 0.5, "slow": "/scripts/site.js"})
        self.expect_problem("avatar/|503")
        self.wait("(home) => document.querySelector('.portrait img').src === home + 'placeholder.svg'", self.home.address)

    def test_without_scripts_the_text_of_a_missing_picture_is_legible(self):
        self.open("character/1.html", fresh=True, scripts=False, serving={"failures": {"/avatar/*": 10_000}})
        self.expect_problem("avatar/|503")
        portrait = self.page.locator(".portrait img")
        self.assertTrue(portrait.get_attribute("alt"))
        self.assertGreater(portrait.bounding_box()["height"], 40)

    def page_for_missing_paths(self):
        with open(os.path.join(browser.Home("sample", "file").folder, "404.html"), encoding="utf-8") as file:
            return file.read()
