"""What readers come for, with the keyboard only, by the roles and names that a screen reader has."""
import re

from . import readers, site, test_sorting


class TasksTest(readers.Filtering):
    def focus(self, locator):
        """Presses Tab until an element has the focus."""
        for _ in range(80):
            if locator.evaluate("(element) => element === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        self.fail("Tab does not reach the element")

    def press(self, locator, key="Enter"):
        self.focus(locator)
        self.page.keyboard.press(key)

    def test_a_character_is_found_by_the_search(self):
        page = self.open(fresh=True)
        self.press(page.get_by_role("link", name="Search"))
        page.wait_for_url("**/search.html")
        name = site.characters("sample")[1]["name"]
        self.focus(page.get_by_role("combobox"))
        page.keyboard.type(name)
        group = page.get_by_role("region", name="1 character")
        group.wait_for()
        self.press(group.get_by_role("link", name=name))
        page.get_by_role("heading", level=1, name=name).wait_for()

    def test_a_list_is_filtered(self):
        page = self.open(fresh=True)
        filters = page.get_by_role("group", name="Filters")
        self.focus(filters.get_by_role("combobox", name="Status"))
        page.keyboard.type("Dead")
        dead = [character for character in site.characters("sample").values() if character["status"] == "Dead"]
        self.counted(len(dead))
        self.assertIn(str(len(dead)), page.get_by_role("status").inner_text())
        chip = filters.get_by_role("button", name="Remove Status: Dead")
        self.press(chip)
        chip.wait_for(state="detached")
        self.assertTrue(page.evaluate("document.activeElement !== document.body"), "the focus is lost")

    def test_a_list_is_sorted(self):
        page = self.open(fresh=True)
        self.focus(page.get_by_role("combobox", name="Order"))
        page.keyboard.type("Name, Z")
        page.wait_for_url("**#sort=-name")
        names = page.locator("main .cards.found .name").all_inner_texts()
        self.assertEqual(names, page.evaluate(test_sorting.SORTED, names)[::-1])

    def test_the_language_is_switched(self):
        page = self.open("character/2.html", fresh=True)
        self.press(page.get_by_role("link", name="Русский"))
        page.wait_for_url("**/ru/character/2.html")
        self.assertEqual(page.locator("html").get_attribute("lang"), "ru")

    def test_the_cast_of_an_episode_is_read(self):
        page = self.open(fresh=True)
        self.press(page.get_by_role("navigation", name="Sections").get_by_role("link", name="Episodes"))
        page.wait_for_url("**/episodes.html")
        first = page.get_by_role("main").locator("a[href*='episode/']").first
        self.press(first)
        page.wait_for_url("**/episode/*.html")
        cast = page.locator("main .cast").get_by_role("listitem")
        self.assertGreater(cast.count(), 1)
        named = cast.first.get_by_role("link")
        self.assertTrue(re.search(r"\w", named.inner_text()))
        self.press(named)
        page.wait_for_url("**/character/*.html")
