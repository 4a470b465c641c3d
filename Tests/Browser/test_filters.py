"""Filters: a static list for each value, and combined filters with scripts."""
import os
import re

from . import browser, places, readers, site

STATUSES = {"alive": "Alive", "dead": "Dead", "unknown": "unknown"}


def having(**wanted):
    """The sample's characters with these values, in order."""
    return [number for number, character in site.characters("sample").items() if all(character[name] == value for name, value in wanted.items())]


class FiltersTest(readers.Filtering):
    def shown(self):
        return [int(re.search(r"/character/(\d+)\.html(?:#.*)?$", card["href"])[1]) for card in self.observe("cards")]

    def test_each_status_has_its_static_list_in_pages_of_20(self):
        for slug, status in STATUSES.items():
            for home in ("", "ru/"):
                with self.part(slug=slug, home=home or "en"):
                    wanted, found = having(status=status), []
                    for number in range(1, -(-len(wanted) // 20) + 1):
                        path = f"{home}status/{slug}.html" if number == 1 else f"{home}status/{slug}/{number}.html"
                        with open(os.path.join(site.folder("sample"), path), encoding="utf-8") as file:
                            text = file.read()
                        cards = re.findall(r'<li class="card"><a href="(?:\.\./)*(?:ru/)?character/(\d+)\.html"', text)
                        self.assertLessEqual(len(cards), 20)
                        found += map(int, cards)
                    self.assertEqual(found, wanted)
                    self.open(f"{home}status/{slug}.html", scripts=False)
                    self.assertIn(str(len(wanted)), self.page.locator("main .heading").inner_text())

    def test_without_scripts_links_lead_to_the_lists_of_values(self):
        for over in ("http", "file"):
            with self.part(over=over):
                page = self.open(over=over, scripts=False)
                link = page.locator(".filters a[href='status/dead.html']")
                if not link.is_visible():
                    page.locator(".filters details:has(a[href='status/dead.html']) summary").click()
                link.click()
                page.wait_for_url(self.home.address + "status/dead.html")
                self.assertEqual(self.shown(), having(status="Dead")[:20])

    def test_filters_of_a_table_combine_and_keep_its_order(self):
        for over in ("http", "file"):
            with self.part(over=over):
                self.open("locations.html", over=over, fresh=True)
                rows = self.page.locator("tbody tr").evaluate_all("(rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent))")
                kinds = {(row[1], row[2]): [other for other in rows if other[1:3] == row[1:3]] for row in rows}
                (first, second), wanted = max(kinds.items(), key=lambda entry: len(entry[1]))
                self.assertGreater(len(wanted), 1)
                for name, value in (("Type", first), ("Dimension", second)):
                    select = self.page.locator(".facets label", has_text=name).locator("select")
                    select.select_option(next(
                        option.get_attribute("value") for option in select.locator("option").all() if option.inner_text().startswith(f"{value} (")))
                self.counted(len(wanted))
                self.assertIn("location", self.page.locator(places.COUNT).inner_text())
                self.page.locator("th button").last.click()
                sorted_rows = sorted(wanted, key=lambda row: int(row[4]))

                def shown():
                    return self.page.locator("tbody tr").evaluate_all("(rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent))")
                self.assertEqual(shown(), sorted_rows)
                self.page.reload()
                self.counted(len(wanted))
                self.assertEqual(shown(), sorted_rows)
                self.page.locator("tbody a").first.click()
                self.page.wait_for_url("**/location/*.html#*")
                self.page.go_back()
                self.counted(len(wanted))
                self.page.locator(places.CLEAR_FILTERS).click()
                self.wait("(count) => document.querySelectorAll('tbody tr').length === count", len(rows))
                self.assertEqual(self.page.locator("th[aria-sort]").count(), 1)

    def test_filters_combine_and_show_counts(self):
        for over in ("http", "file"):
            with self.part(over=over):
                self.open(over=over, fresh=True)
                self.choose("dead")
                dead = having(status="Dead")
                self.counted(len(dead))
                self.assertEqual(self.shown(), dead[: len(self.shown())])
                offered = self.page.locator(places.FILTER.format(value="female")).first.inner_text()
                both = having(status="Dead", gender="Female")
                self.assertRegex(offered, rf"Female \({len(both)}\)")
                self.choose("female")
                self.counted(len(both))
                self.assertEqual(self.shown(), both[: len(self.shown())])
                self.assertGreaterEqual(len(self.shown()), min(20, len(both)))
                self.page.locator(places.CLEAR_FILTERS).click()
                self.wait("(cards) => document.querySelectorAll(cards).length >= 20", places.CARDS)
                self.assertEqual(self.shown()[:20], list(range(1, 21)))

    def test_the_address_keeps_the_filters(self):
        for over in ("http", "file"):
            with self.part(over=over):
                self.open(over=over, fresh=True)
                self.choose("dead")
                self.counted(len(having(status="Dead")))
                self.choose("female")
                both = having(status="Dead", gender="Female")
                self.counted(len(both))
                address = self.address()
                self.assertIn("#", address)
                self.assertIn("dead", address.partition("#")[2])
                other = self.page.context.new_page()
                other.goto(address)
                other.wait_for_function("([count, number]) => document.querySelector(count)?.textContent.includes(number)", arg=[places.COUNT, str(len(both))])
                self.assertEqual([card["href"] for card in browser.observe(other, "cards")][:5], [card["href"] for card in self.observe("cards")][:5])
                other.close()
                self.page.go_back()
                self.counted(len(having(status="Dead")))

    def test_all_results_can_be_reached_by_scrolling(self):
        self.open(fresh=True)
        self.choose("dead")
        dead = having(status="Dead")
        self.counted(len(dead))
        self.page.mouse.move(640, 400)
        for _ in range(200):
            if len(self.shown()) == len(dead):
                break
            self.page.mouse.wheel(0, 3000)
            self.page.wait_for_timeout(20)
        self.assertEqual(self.shown(), dead)

    def test_back_from_a_card_restores_filters_and_position(self):
        self.open(fresh=True)
        self.choose("dead")
        self.counted(len(having(status="Dead")))
        self.page.evaluate("scrollTo({top: 700, behavior: 'instant'})")
        self.observe("settled")
        chosen = next(card for card in self.observe("cards") if card["top"] > 100)
        self.page.locator(f"main .card a[href$='{chosen['href'].rpartition('/')[2]}']:visible").click()
        self.page.wait_for_url(chosen["href"])
        self.page.go_back()
        self.counted(len(having(status="Dead")))
        self.observe("settled")
        place = next(card["top"] for card in self.observe("cards") if card["href"] == chosen["href"])
        self.assertLessEqual(abs(place - chosen["top"]), 2)

    def test_filters_work_with_keyboard_and_screen_reader(self):
        self.open(fresh=True)
        select = self.page.locator(places.FILTER.format(value="dead")).first
        select.focus()
        self.observe("settled")
        self.page.keyboard.type("Dead")
        self.page.keyboard.press("Enter")
        self.counted(len(having(status="Dead")))
        self.assertTrue(select.evaluate("(element) => element.labels.length > 0 && element.labels[0].textContent.trim() !== ''"))
        self.assertEqual(self.page.locator(places.COUNT).get_attribute("role"), "status")

    def test_known_values_are_in_russian_on_russian_pages(self):
        self.open("ru/index.html", fresh=True)
        self.choose("dead")
        self.counted(len(having(status="Dead")))
        words = self.page.evaluate("() => [...document.querySelectorAll('main .card .mood')].filter(observe.shown).map((word) => word.textContent)")
        self.assertEqual([word for word in words if not re.search("[а-яё]", word, re.I)], [])
        self.assertTrue(all("/ru/character/" in card["href"] for card in self.observe("cards")))

    def test_an_empty_value_has_a_label_a_count_and_an_address(self):
        def read(path):
            with open(os.path.join(site.folder("sample"), path), encoding="utf-8") as file:
                return file.read()
        changes = {"/search-index.js": read("search-index.js").replace("\\\\nunknown\\\\n", "\\\\n\\\\n", 1)}
        words = {"index.html": "not specified", "ru/index.html": "не указано"}
        for path, label in words.items():
            changes["/" + path] = re.sub(
                r'(status/unknown\.html")(?: data-value="unknown")?>[^<]*(<span class="count">)', rf'\1 data-value="">{label} \2', read(path))
        wanted = having(status="unknown")
        for path, label in words.items():
            with self.part(path=path):
                self.open(path, fresh=True, serving={"changes": changes})
                option = self.page.locator("main .filters option[value=none]").first
                self.assertEqual(option.text_content(), f"{label} ({len(wanted)})")
                self.choose("none")
                self.counted(len(wanted))
                self.assertEqual(self.shown(), wanted[: len(self.shown())])
                self.assertEqual(option.text_content(), f"{label} ({len(wanted)})")
                self.assertIsNone(option.get_attribute("lang"))
                self.assertEqual(self.path(), path + "#status=none")
                self.page.reload()
                self.counted(len(wanted))

    def test_equal_slugs_are_numbered_in_linear_time(self):
        values = ["a", "a 2", "A", "\u00e1", "!", "?"] + [f"\u00bf{'!' * number}" for number in range(1, 2_000)]
        changes = {"/search-index.js": readers.index([f"N{number}" for number in range(len(values))], "species", values)}
        self.open(fresh=True, serving={"changes": changes})
        readers.count_calls(self.page, "fold")
        self.page.locator(places.FILTER.format(value="dead")).first.focus()
        self.wait("() => [...document.querySelectorAll('main .filters option')].some((option) => option.value === 'value-2001')")
        options = self.page.eval_on_selector_all("main .filters option", "(options) => options.map((option) => [option.textContent, option.value])")
        slugs = dict(options)
        self.assertEqual([slugs[f"{value} (1)"] for value in values[:6]], ["a", "a-2", "a-3", "a-4", "value", "value-2"])
        self.assertEqual([slugs[f"{value} (1)"] for value in values[4:]], ["value"] + [f"value-{number}" for number in range(2, 2_002)])
        self.assertLess(self.page.evaluate("calls"), 5 * len(values))

    def test_a_table_by_value_has_a_chip_that_leads_to_all_and_filters_that_stay_in_view(self):
        for path, label in (("location-type/planet.html", "Planet"), ("ru/location-type/planet.html", "Планета")):
            for width, scripts in ((1280, False), (390, True), (390, False)):
                with self.part(path=path, width=width, scripts=scripts):
                    page = self.open(path, site="real", width=width, scripts=scripts)
                    page.evaluate("scrollTo({top: 1500, behavior: 'instant'})")
                    chip = page.locator(places.CHIPS if scripts else "main .values .chosen")
                    opening = page.locator(places.FILTERS if scripts else "main .values summary").first
                    for control in (chip, opening):
                        box = control.bounding_box()
                        self.assertTrue(0 <= box["y"] < 160, f"{box}")
                    self.assertEqual(chip.locator("span").first.inner_text(), label)
                    opening.click()
                    self.assertTrue(page.locator("main .facets select" if scripts else "main .values [open] a").first.is_visible())
                    chip.click()
                    page.wait_for_url("**/locations.html")
                    self.assertEqual(chip.count(), 0)

    def test_a_further_filter_on_a_table_by_value_keeps_the_value(self):
        self.open("location-type/planet.html", site="real", fresh=True)
        self.page.locator(".facets select").last.select_option("unknown")
        self.page.wait_for_url("**/locations.html#type=planet&dimension=unknown")
        self.counted(self.page.locator("tbody tr").count())
        cells = self.page.locator("tbody tr").evaluate_all("(rows) => rows.map((row) => [row.cells[1].textContent, row.cells[2].textContent])")
        self.assertEqual({tuple(found) for found in cells}, {("Planet", "unknown")})

    def test_unknown_filters_in_the_address_are_ignored(self):
        for hash in ("status=nothing", "status=__proto__&gender=%E0%A4%A", "x", "status="):
            with self.part(hash=hash):
                self.open("index.html#" + hash, fresh=True)
                self.observe("settled")
                self.assertTrue(self.page.locator("h1").is_visible())

    def test_chips_show_and_remove_the_active_filters(self):
        for width in (1280, 390):
            with self.part(width=width):
                self.open("index.html#status=dead&gender=female", fresh=True, width=width)
                self.counted(len(having(status="Dead", gender="Female")))
                self.assertEqual(self.page.locator(places.CHIPS).all_text_contents(), ["Status: Dead", "Gender: Female"])
                if width == 390:
                    self.assertEqual(self.page.locator(places.FILTERS).inner_text(), "Filters (2)")
                self.page.locator(places.CHIPS).first.click()
                self.counted(len(having(gender="Female")))
                self.assertEqual(self.path(), "index.html#gender=female")
                self.page.go_back()
                self.counted(len(having(status="Dead", gender="Female")))

    def test_a_list_by_value_keeps_its_value_in_further_filters(self):
        self.open("status/dead.html", fresh=True)
        self.assertEqual(self.page.locator(places.CHIPS).all_text_contents(), ["Status: Dead"])
        self.choose("female")
        self.page.wait_for_url("**/index.html#**")
        both = having(status="Dead", gender="Female")
        self.counted(len(both))
        self.assertEqual(self.shown(), both[: len(self.shown())])

    def test_a_record_leads_back_and_to_its_neighbours_in_the_filtered_list(self):
        self.open("index.html#status=dead", fresh=True)
        dead = having(status="Dead")
        self.counted(len(dead))
        self.page.locator("main .card a:visible").nth(1).click()
        self.page.wait_for_url(f"**/character/{dead[1]}.html#status=dead")
        self.wait("([id]) => document.querySelector('.neighbours [rel=next]')?.href.includes(`character/${id}.html`)", [dead[2]])
        self.page.locator(".neighbours [rel=next]").click()
        self.page.wait_for_url(f"**/character/{dead[2]}.html#status=dead")
        self.wait("([id]) => document.querySelector('.neighbours [rel=prev]')?.href.includes(`character/${id}.html`)", [dead[1]])
        self.page.locator(".back a").click()
        self.page.wait_for_url("**/index.html#status=dead")
        self.counted(len(dead))

    def test_without_the_index_the_list_is_complete_with_a_sentence_and_a_button(self):
        self.open("index.html#status=dead", fresh=True, serving={"failures": {"/search-index.js": 1}})
        self.expect_problem("503|search-index")
        self.page.locator(places.FILTER_AGAIN).wait_for()
        self.assertIn("Could not load the filters", self.page.get_by_role("alert").inner_text())
        self.assertEqual(self.shown()[:20], list(range(1, 21)))
        self.page.locator(places.FILTER_AGAIN).click()
        self.counted(len(having(status="Dead")))
