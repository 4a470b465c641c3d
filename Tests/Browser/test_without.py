"""The site has the same content without scripts and without a server."""
from . import browser, kinds


class WithoutTest(browser.BrowserTest):
    kinds, facts, list = kinds.ALL, kinds.FACTS, "list"

    def test_content_is_the_same_without_scripts_and_without_a_server(self):
        for kind, path in kinds.chosen(self.facts).items():
            with self.part(kind=kind):
                facts = {}
                for over in ("http", "file"):
                    for scripts in (True, False):
                        page = self.open(path, over=over, scripts=scripts, kept=browser.NO_SCROLLING)
                        if scripts:
                            self.observe("settled", 0)
                        facts[over, scripts] = self.observe("facts")
                        self.assertEqual(page.evaluate("document.documentElement.scrollWidth > innerWidth"), False)
                self.assertGreater(len(facts["http", False]), 1)
                for way, found in facts.items():
                    self.assertEqual(found, facts["http", False], way)

    def test_from_a_disk_no_page_reports_an_error(self):
        for kind, path in kinds.chosen(self.kinds).items():
            with self.part(kind=kind):
                self.open(path, over="file")
                self.observe("settled", 0)

    def test_the_pager_works_without_scripts(self):
        for over in ("http", "file"):
            with self.part(over=over):
                page = self.open(kinds.PATHS[self.list], over=over, scripts=False)
                page.locator(".pager a[rel=next]").click()
                page.wait_for_url(self.home.address + kinds.PATHS[f"{self.list}-2"])
                self.assertEqual(page.locator(".card").count(), 20)


class MediaWithoutTest(WithoutTest):
    site = "media"
    kinds, facts, list = kinds.MEDIA, kinds.MEDIA_FACTS, "media-list"
