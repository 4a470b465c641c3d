"""The catalogues of PokeAPI and WordPress with invented data: each page is legible for everyone, and a blog is good to read."""
from . import browser, visits
from .test_pages import violation_text

PAGES = {
    "pokeapi": ("index.html", "pokemon-list.html", "pokemon/6.html", "types.html"),
    "blog": ("index.html", "the-lamp-burned-through-the-storm/index.html", "category/tools/index.html", "author/maren-holt/index.html")}


class CataloguesTest(browser.BrowserTest):
    def test_axe_finds_nothing_and_no_page_scrolls_sideways(self):
        for site, paths in PAGES.items():
            for path in paths:
                with self.part(site=site, path=path):
                    self.open(path, site=site, width=320)
                    self.page.evaluate(visits.AXE)
                    for scheme in browser.SCHEMES:
                        self.page.emulate_media(color_scheme=scheme)
                        self.observe("settled", 0)
                        self.assertEqual(self.observe("overflow"), [])
                        self.assertEqual([violation_text(rule) for rule in self.page.evaluate(visits.AXE_RUN)["violations"]], [], scheme)

    def test_replies_are_below_comments_with_an_indentation_for_each_level(self):
        for width in (1280, 390):
            with self.part(width=width):
                self.open(PAGES["blog"][1], site="blog", width=width)
                left = self.page.locator(".comments li").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().left)")
                self.assertTrue(left[0] < left[1] < left[2] and left[3] == left[0], left)

    def test_the_front_page_of_a_blog_shows_dates_titles_and_first_lines(self):
        self.open(site="blog")
        posts = self.page.locator(".entry-line")
        self.assertEqual(posts.count(), 8)
        self.assertEqual(posts.first.locator("h2").inner_text(), "The lamp burned through the storm")
        self.assertIn("the wind turned north", posts.first.locator(".excerpt").inner_text())
        # Lines have at most 80 characters of text, and only posts with a picture show one.
        self.assertLess(self.page.locator(".excerpt").last.bounding_box()["width"], 640)
        self.assertEqual(self.page.locator(".entry-line > img:visible").count(), 6)

    def test_all_sections_can_be_reached_in_windows_of_any_width(self):
        for width in (390, 1000, 1280):
            with self.part(width=width):
                self.open(site="pokeapi", width=width)
                last = self.page.locator(".sections a").last
                address = last.get_attribute("href")
                last.scroll_into_view_if_needed()
                last.click()
                self.page.wait_for_url(f"**/{address}")
