"""The header and the filters take little room, stay in view, and never cover the focus."""
from . import browser, places, test_languages

LIMITS = {390: 230, 1280: 300}
PAGES = [("sample", path) for path in (
    "index.html", "page/2.html", "status/alive.html", "character/1.html", "episodes.html", "episode/1.html", "locations.html",
    "location/1.html", "season/1.html")]
# Places with one picture, four pictures, a name of two lines, and no residents, and values with long names.
PAGES += [("real", path) for path in (
    "location/9.html", "location/20.html", "location/12.html", "location/63.html", "episode/28.html", "dimension/unknown.html",
    "location-type/planet.html")]
FIRST = "main .card, main .rows a, main tbody tr, main dl, main .portrait img, main .shelf li"
# Records elements below a sticky part, which the reader cannot see although they have the focus.
FOLLOW_COVERED = """() => {
    observe.covered = [];
    observe.stopped = 0;
    document.addEventListener('focusin', ({ target }) => {
        observe.stopped += 1;
        const { left, top, width, height } = target.getBoundingClientRect();
        const over = document.elementFromPoint(Math.min(left + width / 2, innerWidth - 1), top + Math.min(height / 2, 20));
        if (over && !target.contains(over) && !over.contains(target) && over.closest('header.top, .filters')) observe.covered.push(observe.mark(target));
    });
}"""


class HeaderTest(browser.BrowserTest):
    def test_the_first_record_or_fact_is_near_the_top(self):
        for site, path in PAGES:
            for home in ("", "ru/"):
                self.open(home + path, site=site, kept=browser.NO_SCROLLING)
                for width, limit in LIMITS.items():
                    with self.part(width=width, site=site, path=home + path):
                        self.page.set_viewport_size({"width": width, "height": browser.HEIGHT})
                        self.observe("settled", 0)
                        top = self.page.evaluate("""(first) => {
                            const shown = [...document.querySelectorAll(first)].filter(observe.shown);
                            return shown[0].getBoundingClientRect().top + scrollY - (document.querySelector('.banner')?.offsetHeight ?? 0);
                        }""", FIRST)
                        self.assertLessEqual(top, limit)

    def test_the_header_is_whole_at_every_width(self):
        for path in ("index.html", "ru/index.html"):
            self.open(path)
            for width in (390, 768, 960, 961, 980, 1000, 1040, 1087, 1088, 1280):
                with self.part(width=width, path=path):
                    self.page.set_viewport_size({"width": width, "height": browser.HEIGHT})
                    self.assertEqual(self.page.evaluate(test_languages.DIVIDED), [])
                    self.assertLessEqual(self.page.locator("header.top").bounding_box()["height"], 60 if width > 960 else 100)
                    link, word = (self.page.locator(f".find{part}").bounding_box() for part in ("", " span"))
                    is_hidden = self.page.evaluate("getComputedStyle(document.querySelector('.find span')).clipPath !== 'none'")
                    self.assertTrue(is_hidden or word["x"] + word["width"] <= link["x"] + link["width"], "the search is cut off")

    def test_the_header_and_the_filters_stay_in_view(self):
        self.open(width=390)
        self.observe("settled")
        self.page.evaluate("scrollTo({top: 2500, behavior: 'instant'})")
        self.observe("settled")
        for name in (".top .brand", ".top .find", places.FILTERS):
            box = self.page.locator(name).bounding_box()
            self.assertTrue(0 <= box["y"] < 250, f"{name}: {box}")
        self.page.locator(places.FILTERS).click()
        self.assertTrue(self.page.get_by_label("Status").is_visible())

    def test_sticky_parts_never_cover_the_focus(self):
        for width in LIMITS:
            for path in ("index.html", "character/1.html", "locations.html"):
                with self.part(width=width, path=path):
                    self.open(path, width=width, kept=browser.NO_SCROLLING)
                    self.observe("settled")
                    self.page.evaluate(FOLLOW_COVERED)
                    for key in ("Tab", "Shift+Tab"):
                        for _ in range(60):
                            self.page.keyboard.press(key)
                    self.assertEqual(self.page.evaluate("observe.covered"), [])
                    self.assertGreater(self.page.evaluate("observe.stopped"), 60)
