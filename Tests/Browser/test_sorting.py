"""The lists of characters and of locations can be sorted with scripts."""
import json
import os

from . import browser, places

COLUMNS = """(table) => [...document.querySelectorAll(table + ' thead th')].map((heading) => ({
    kind: heading.dataset.sort ?? '', button: !!heading.querySelector('button'), sorted: heading.getAttribute('aria-sort') }))"""
CELLS = """([table, column]) => [...document.querySelectorAll(table + ' tbody tr')].map((row) => {
    const cell = row.cells[column];
    return [cell.dataset.value ?? cell.textContent.trim(), row.textContent];
})"""
# The browser's order in the page's language: accents and case are ignored, and digits within texts are numbers.
SORTED = """(values) => [...values].sort(new Intl.Collator(document.documentElement.lang, { sensitivity: 'base', numeric: true }).compare)"""


class SortingTest(browser.BrowserTest):
    def cells(self, column):
        return self.page.evaluate(CELLS, [places.SORTABLE, column])

    def press(self, column):
        self.page.locator(f"{places.SORTABLE} thead th").nth(column).locator("button").focus()
        self.page.keyboard.press("Enter")

    def test_each_column_sorts_in_both_directions_and_shows_it(self):
        for path in ("locations.html", "ru/locations.html"):
            for over in ("http", "file"):
                with self.part(path=path, over=over):
                    self.open(path, over=over)
                    columns = self.page.evaluate(COLUMNS, places.SORTABLE)
                    self.assertGreaterEqual(len([column for column in columns if column["kind"]]), 4, columns)
                    rows = sorted(text for _, text in self.cells(0))
                    for place, column in enumerate(columns):
                        if not column["kind"]:
                            continue
                        for direction in ("ascending", "descending"):
                            self.press(place)
                            states = [found["sorted"] for found in self.page.evaluate(COLUMNS, places.SORTABLE)]
                            self.assertEqual([state for state in states if state not in (None, "none")], [direction])
                            self.assertEqual(states[place], direction)
                            cells = self.cells(place)
                            self.assertEqual(sorted(text for _, text in cells), rows, "rows were lost")
                            values = [value for value, _ in cells if value]
                            self.assertEqual([value for value, _ in cells][: len(values)], values, "empty values come last")
                            if column["kind"] == "number":
                                wanted = sorted(values, key=float, reverse=direction == "descending")
                            else:
                                wanted = self.page.evaluate(SORTED, values)
                                wanted = wanted if direction == "ascending" else wanted[::-1]
                                values, wanted = [value.casefold() for value in values], [value.casefold() for value in wanted]
                            self.assertEqual(values, wanted)

    def test_without_scripts_the_list_is_complete_and_has_no_button(self):
        page = self.open("locations.html", scripts=False)
        self.assertEqual(page.locator(f"{places.SORTABLE} button").count(), 0)
        self.assertGreater(page.locator(f"{places.SORTABLE} tbody tr a[href]").count(), 100)

    def test_the_address_keeps_the_order_of_a_list(self):
        self.open(fresh=True)
        self.page.locator(places.SORT).select_option("name")
        for how in (lambda: None, self.page.reload):
            how()
            self.wait("() => document.querySelectorAll('main .cards.found .name').length >= 20")
            names = self.page.locator("main .cards.found .name").all_inner_texts()
            self.assertEqual(names, self.page.evaluate(SORTED, names))
            self.assertEqual(self.path(), "index.html#sort=name")
        self.page.go_back()
        self.wait("() => !document.querySelector('main .cards.found .name')")
        self.assertEqual(self.page.locator(places.SORT).input_value(), "")

    def test_characters_are_sorted_by_the_number_of_their_episodes(self):
        for site in ("sample", "real"):
            with self.part(site=site):
                self.open(site=site, fresh=True)
                self.page.locator(places.SORT).select_option("-episode")
                self.wait("() => document.querySelectorAll('main .cards.found .name').length >= 20")
                paths = self.page.locator("main .cards.found a").evaluate_all("(links) => links.map((link) => new URL(link.href).pathname)")
                counts = []
                for path in paths:
                    with open(os.path.join(self.home.folder, "api" + path.replace(".html", ".json")), encoding="utf-8") as file:
                        counts.append(len(json.load(file)["episode"]))
                self.assertEqual(counts, sorted(counts, reverse=True))
                self.assertGreater(counts[0], counts[-1])
                self.assertEqual(self.path(), "index.html#sort=-episode")

    def test_the_address_keeps_the_order_of_a_table(self):
        self.open("locations.html", fresh=True)
        first = self.cells(0)[0]
        self.press(0)
        sorted_first = self.cells(0)[0]
        self.assertNotEqual(first, sorted_first)
        self.page.reload()
        self.wait("(table) => document.querySelector(table + ' [aria-sort=ascending]')", places.SORTABLE)
        self.assertEqual(self.cells(0)[0], sorted_first)
