"""Default pages of an API that amber init described, with data that was not prepared for them."""
import os
import re

from . import browser, settings, visits
from .test_pages import violation_text

# One page of each kind, and the records that are hardest to show.
KINDS = ("index.html", "exhibits.html", "readings.html", "status/in-store.html", "exhibits/1.html", "readings/1.html")
PAGES = (*KINDS, "exhibits/2.html", "exhibits/3.html", "exhibits-pages/2.html", "makers/1.html", "forms/1.html", "photos/1.html", "search.html")


class DefaultTest(browser.BrowserTest):
    site = "default"

    def test_axe_finds_nothing_in_both_themes(self):
        for scheme in browser.SCHEMES:
            for path in KINDS:
                with self.part(path=path, scheme=scheme):
                    self.open(path, scheme=scheme)
                    self.page.evaluate(visits.AXE)
                    self.assertEqual([violation_text(rule) for rule in self.page.evaluate(visits.AXE_RUN)["violations"]], [])

    def test_no_page_scrolls_sideways(self):
        for path in PAGES:
            with self.part(path=path):
                self.open(path, width=320)
                self.assertEqual(self.observe("overflow"), [])
                self.page.set_viewport_size({"width": 390, "height": browser.HEIGHT})
                self.assertEqual(self.observe("overflow"), [])

    def test_no_script_of_the_data_runs(self):
        for path in PAGES:
            with self.part(path=path):
                # Without the policy, so that only the pages themselves protect their readers.
                self.open(path, bypass_csp=True)
                self.assertFalse(self.page.evaluate("'hacked' in window"))
                self.assertEqual([name for name in self.observe("scripts") if not re.fullmatch(r"application/ld\+json|/(scripts/[\w.]+|search-index)\.js", name)], [])

    def test_each_value_of_a_record_is_on_its_page(self):
        self.open("forms/1.html")
        names = self.page.locator("dt").all_inner_texts()
        # A field without a value is left out.
        self.assertEqual([name[6:9] for name in names if name.startswith("Field ")], [f"{count:03}" for count in range(200) if count % 5 != 2])
        self.open("exhibits/4.html")
        text = self.page.locator("main").inner_text()
        for value in ("EUR", "2.59", "1.84", "kg", "Museum 13", "optics", "yes"):
            self.assertIn(value, text)

    def test_a_sorted_table_has_the_rows_of_all_its_pages(self):
        count = "(count) => document.querySelectorAll('tbody tr').length === count"
        self.open("readings-pages/2.html", fresh=True)
        self.wait(count, 10)
        self.page.locator("th button").nth(1).click()
        self.wait(count, 28)
        values = self.page.locator("tbody tr").evaluate_all("(rows) => rows.map((row) => Number(row.cells[1].dataset.value))")
        self.assertEqual(values, sorted(values))
        self.assertFalse(self.page.locator(".pager, h1 small").first.is_visible())
        order = self.page.locator("tbody a").evaluate_all("(links) => links.map((link) => link.href.split('#')[0])")
        self.page.locator("tbody a").first.click()
        self.page.wait_for_url("**/readings/28.html#sort=*")
        next_is = "([next]) => document.querySelector('.neighbours [rel=next]')?.href.split('#')[0] === next"
        self.wait(next_is, [order[1]])
        self.assertEqual(self.page.locator(".neighbours [rel=prev]").count(), 0)
        self.page.locator(".neighbours [rel=next]").click()
        self.wait(next_is, [order[2]])
        self.page.go_back()
        self.page.locator(".back a").click()
        self.wait(count, 28)
        self.assertTrue(self.page.locator("tbody a").first.evaluate("(link) => link.href").endswith("/readings/28.html"))
        self.page.go_back()
        self.page.go_back()
        self.wait(count, 28)
        self.page.go_back()
        self.wait(count, 10)
        self.open("readings-pages/2.html", over="file")
        self.assertEqual(self.page.locator("th button").count(), 0)

    def test_a_filtered_table_has_the_rows_of_all_its_pages(self):
        count = "(count) => document.querySelectorAll('tbody tr').length === count"
        self.open("readings-pages/2.html", fresh=True)
        select = self.page.locator(".facets select").first
        option = select.locator("option").nth(1)
        wanted = int(re.search(r"\((\d+)\)", option.inner_text())[1])
        select.select_option(option.get_attribute("value"))
        self.wait("() => document.querySelector('.pager').hidden")
        self.wait(count, wanted)
        self.page.locator(".active li button").click()
        self.wait(count, 10)
        self.open("readings-pages/2.html", over="file", fresh=True)
        self.assertEqual(self.page.locator(".facets").count(), 0)
        self.assertGreater(self.page.locator(".values summary").count(), 3)

    def test_filters_of_a_table_are_one_row_on_a_phone(self):
        # Scripts cannot read the other pages of this table, so the filters are links.
        self.open("readings.html", over="file", width=390)
        filters = self.page.locator(".values summary")
        self.assertGreater(filters.count(), 3)
        self.assertEqual(len({box["y"] for box in (filter.bounding_box() for filter in filters.all())}), 1)
        self.assertLess(self.page.locator("tbody tr").first.bounding_box()["y"], 260)
        filters.last.click()
        box = self.page.locator(".values [open] a").first.bounding_box()
        self.assertTrue(0 <= box["x"] and box["x"] + box["width"] <= 390)

    def test_records_on_the_home_page_have_the_last_value_of_their_row(self):
        self.open()
        self.assertRegex(self.page.locator('.catalogue p a[href="readings/1.html"]').inner_text(), r"^.+, 1,?012\.25$")

    def test_a_picture_without_values_is_large_and_names_are_short(self):
        self.open("photos/1.html")
        self.assertGreater(self.page.locator(".portrait img").bounding_box()["width"], 500)
        self.open("exhibits.html")
        heights = self.page.locator(".card .name").evaluate_all("(names) => names.map((name) => name.offsetHeight)")
        self.assertLess(max(heights), 110)

    def test_the_names_of_the_default_templates_are_documented(self):
        with open(os.path.join(settings.ROOT, "docs", "templates.md"), encoding="utf-8") as file:
            section = file.read().partition("## Default pages")[2].partition("\n## ")[0]
        # A later table has the names of each type of field.
        documented = dict(reversed(re.findall(r"^\| `(home|list|record)` \| (.*) \|$", section, re.M)))
        # Names of every page, of a numbered list, of an item, and of a picture
        common = {"site", "home", "root", "lang", "language", "t", "first", "position", "count", "label", "path", "name", "text", "picture"}
        for template, words in documented.items():
            with self.subTest(template=template), open(os.path.join(settings.ROOT, "Templates", f"{template}.mustache"), encoding="utf-8") as file:
                used = {name.partition(".")[0] for name in re.findall(r"{{[#^]?([a-z][\w.]*)}}", file.read(), re.I)}
                self.assertLessEqual(used - common, set(re.findall(r"`(\w+)`", words)))
        self.assertEqual(len(documented), 3)
