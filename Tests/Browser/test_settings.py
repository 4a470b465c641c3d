"""Settings are stored, and the site works in browsers without storage."""
import json

from . import browser, kinds, places

# A browser that refuses storage, as some do for files or without cookies.
REFUSED = """for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, { get() { throw new DOMException('refused', 'SecurityError'); } });"""
GROUND = "getComputedStyle(document.body).backgroundColor"


class SettingsTest(browser.BrowserTest):
    def choose(self, name, value):
        choice = self.page.locator(places.CHOICE.format(name=name, value=value))
        choice.check()
        self.assertTrue(choice.is_checked())

    def test_a_theme_is_applied_at_once_and_stored(self):
        for over in ("http", "file"):
            with self.part(over=over):
                self.open("settings.html", over=over, fresh=True)
                light = self.page.evaluate(GROUND)
                self.choose("theme", "dark")
                dark = self.page.evaluate(GROUND)
                self.assertNotEqual(dark, light)
                self.goto("index.html")
                self.assertEqual(self.page.evaluate(GROUND), dark)
                self.page.emulate_media(color_scheme="dark")
                self.goto("settings.html")
                self.assertTrue(self.page.locator(places.CHOICE.format(name="theme", value="dark")).is_checked())
                self.choose("theme", "light")
                self.assertEqual(self.page.evaluate(GROUND), light, "the system is dark, light was chosen")
                self.choose("theme", "system")
                self.assertEqual(self.page.evaluate(GROUND), dark)
                self.page.emulate_media(color_scheme="light")
                self.assertEqual(self.page.evaluate(GROUND), light)

    def test_a_stored_theme_is_applied_before_the_first_paint(self):
        self.open("index.html", fresh=True, kept=(("theme", "dark"),))
        # Every frame is checked, because the wrong theme would flash.
        self.page.add_init_script("""window.grounds = new Set();
            const look = () => { if (document.body) grounds.add(getComputedStyle(document.body).backgroundColor); requestAnimationFrame(look); };
            requestAnimationFrame(look);""")
        self.goto("index.html")
        self.observe("settled")
        self.assertEqual(len(self.page.evaluate("[...grounds]")), 1)

    def test_pages_can_be_chosen_instead_of_infinite_scrolling(self):
        self.open("settings.html", fresh=True)
        self.choose("reading", "pages")
        self.goto("index.html")
        self.page.keyboard.press("End")
        self.observe("settled", 300)
        self.assertEqual(self.page.locator(places.CARDS).count(), 20)
        self.assertTrue(self.page.locator(places.PAGER).is_visible())
        self.goto("settings.html")
        self.choose("reading", "on")
        self.goto("index.html")
        self.page.keyboard.press("End")
        self.wait("(cards) => document.querySelectorAll(cards).length > 20", places.CARDS)

    def test_the_search_history_can_be_cleared(self):
        self.open("settings.html", fresh=True, kept=(("history /", json.dumps(["rick"])),))
        self.assertEqual(self.page.evaluate("localStorage.getItem('amber.history /')"), '["rick"]')
        self.page.locator(places.CLEAR_HISTORY).click()
        self.assertIn(self.page.evaluate("localStorage.getItem('amber.history /')"), (None, "[]"))
        self.assertTrue(self.page.locator(f"main form.settings [role=status]").inner_text().strip(), "no message is shown")

    def test_without_storage_pages_work_and_a_theme_applies_to_its_page(self):
        self.open("index.html", fresh=True)
        self.page.add_init_script(REFUSED)
        for kind, path in kinds.chosen(kinds.ENGLISH).items():
            with self.part(kind=kind):
                self.goto(path)
                self.observe("settled", 0)
        if not self.has("settings.html"):
            self.fail("the site has no settings.html")
        self.goto("settings.html")
        light = self.page.evaluate(GROUND)
        self.choose("theme", "dark")
        self.assertNotEqual(self.page.evaluate(GROUND), light)

    def test_without_scripts_no_control_is_shown(self):
        page = self.open("settings.html", scripts=False)
        self.assertEqual(page.locator("main :is(input, button, select):visible").count(), 0)
        self.assertTrue(page.locator("main h1").is_visible())
