"""The keyboard reaches everything, and the focus is visible."""
from . import browser, kinds

# More stops would only repeat cards, rows and links.
ENOUGH = 120
# The other language has the same templates.
KINDS = [*kinds.ENGLISH, "ru-list"]


class KeyboardTest(browser.BrowserTest):
    def test_tab_reaches_everything_in_order_with_a_visible_focus(self):
        for kind, path in kinds.chosen(KINDS).items():
            with self.part(kind=kind):
                self.open(path, kept=browser.NO_SCROLLING)
                self.observe("settled")
                # The first focus loads the search index, and then the filters show other numbers.
                self.page.evaluate("document.querySelector('.filters')?.dispatchEvent(new Event('focusin'))")
                self.page.wait_for_load_state("networkidle")
                self.observe("settled")
                stops = self.observe("followFocus")
                self.assertGreater(len(stops), 3, "nothing to reach")
                for _ in stops[:ENOUGH]:
                    self.page.keyboard.press("Tab")
                seen = self.page.evaluate("observe.focused")
                # Chromium also stops at scrollable elements without links or controls.
                reached = [stop for stop in seen if stop["place"] >= 0 or not stop["scrolls"]]
                self.assertEqual([stop["what"] for stop in reached], stops[: len(reached)])
                self.assertGreaterEqual(len(reached), min(len(stops), ENOUGH) - (len(seen) - len(reached)))
                self.assertEqual([stop["what"] for stop in seen if not stop["outlined"]], [], "the focus is not visible")
                self.assertEqual([stop["what"] for stop in seen if not stop["inView"]], [], "the focus is out of view")

    def test_the_skip_link_leads_to_the_content(self):
        for kind, path in kinds.chosen(KINDS).items():
            with self.part(kind=kind):
                self.open(path, kept=browser.NO_SCROLLING)
                self.page.keyboard.press("Tab")
                self.assertEqual(self.page.evaluate("document.activeElement.className"), "skip")
                box = self.page.locator(".skip").bounding_box()
                self.assertTrue(box["x"] >= 0 and box["y"] >= 0, f"the skip link stays hidden: {box}")
                self.page.keyboard.press("Enter")
                # The browser follows a fragment some time after the key.
                self.wait("() => location.hash === '#content'")
                self.page.keyboard.press("Tab")
                inside = "!document.activeElement.closest('header') && document.activeElement.className !== 'skip'"
                self.assertTrue(self.page.evaluate(inside), self.observe_active())

    def observe_active(self):
        return self.page.evaluate("observe.mark(document.activeElement)")
