"""The search: results while typing, recent queries, kinds, suggestions, keys, and messages for screen readers."""
import gzip
import os
import re

from . import browser, places, readers, site


class SearchTest(readers.Searching):
    def active(self):
        """The suggestion that the arrow keys have selected."""
        return self.page.evaluate("""(box) => {
            const option = document.getElementById(document.querySelector(box).getAttribute('aria-activedescendant'));
            return option && option.getAttribute('aria-selected') === 'true' ? option.textContent.trim() : null;
        }""", places.SEARCH_BOX)

    def test_results_appear_while_typing_with_marked_matches(self):
        name = site.characters("sample")[1]["name"]
        for over in ("http", "file"):
            with self.part(over=over):
                self.start(over=over)
                self.box.press_sequentially(name[:6], delay=10)
                self.ask(name[:6], "character/1.html")
                marks = self.page.eval_on_selector_all(places.RESULTS + " mark", "(marks) => marks.map((mark) => mark.textContent.toLowerCase())")
                self.assertIn(name[:6].lower(), marks)
                self.box.fill("")
                self.wait("(results) => !document.querySelector(results)", places.RESULTS)

    def test_names_species_types_locations_and_episodes_are_found(self):
        with open(site.folder("sample") + "/character/1.html", encoding="utf-8") as file:
            text = file.read()
        code, title = re.search(r'class="number">([^<]*)</span>.*?class="name"[^>]*>(?:<a[^>]*>)?([^<&]*)', text).groups()
        self.start()
        self.ask(code.lower(), "episode/1.html")
        self.ask(title.strip(), "episode/1.html")
        for number in (1, 3):
            page = self.page.context.new_page()
            page.goto(f"{self.home.address}location/{number}.html")
            place = page.locator("h1").inner_text()
            page.close()
            self.ask(place, f"location/{number}.html")
        species = site.characters("sample")[3]["species"]
        self.assertTrue(any(species in result["text"] for result in self.ask(f"{species} {site.characters('sample')[3]['name'].split()[0]}", "character/3.html")))

    def test_russian_words_and_names_in_cyrillic_are_found(self):
        characters = site.characters("sample")
        number = next(number for number, character in characters.items() if character["species"] == "Automaton")
        self.start("ru/search.html")
        found = self.ask("автоматон " + characters[number]["name"], f"ru/character/{number}.html")
        self.assertTrue(any("Автоматон" in result["text"] for result in found), found)
        self.ask("automaton " + characters[number]["name"], f"ru/character/{number}.html")
        # Darrow the Harbourmaster, Lorcan Mistral, Bobbin Wetherby
        for query, number in (("Дарроу", 1), ("харбормастер", 1), ("лоркан мистрал", 4), ("Боббин", 12), ("Островитянин дарроу", 1)):
            with self.part(query=query):
                self.ask(query, f"ru/character/{number}.html")
        self.start("search.html")
        self.ask("дарроу", "character/1.html")
        self.assertEqual(self.ask("щщщ"), [])

    def test_accents_and_case_are_ignored(self):
        numbers = [number for number, character in site.characters("hostile").items() if character["name"].lower().startswith("mart")]
        self.assertEqual(len(numbers), 2)
        for query in ("martinez", "MARTÍNEZ", "marti\u0301nez"):
            with self.part(query=query):
                self.start(site="hostile")
                for number in numbers:
                    self.ask(query, f"character/{number}.html")

    def test_a_query_of_100000_words_is_shortened(self):
        self.start()
        name = site.characters("sample")[1]["name"]
        for words in (" a" * 100_000, " " + " ".join(f"{number:x}" for number in range(100_000))):
            query = (name + " " * 200)[:200] + words
            self.goto("search.html")
            self.page.evaluate("(query) => { location.hash = 'q=' + encodeURIComponent(query); }", query)
            self.wait("([results, href]) => [...document.querySelectorAll(results)].some((link) => link.href === href)", [places.RESULTS, self.home.address + "character/1.html"])

    def test_the_number_of_results_is_shown(self):
        self.start()
        counts = []
        for query in ("rick", "darrow", "qzxv"):
            self.ask("")
            found = self.ask(query)
            self.wait("(count) => document.querySelector(count).textContent.trim()", places.COUNT)
            count_text = self.page.locator(places.COUNT).inner_text()
            found = self.results()
            number = re.search(r"\d+", count_text)
            counts.append((len(found), count_text))
            if found:
                self.assertGreaterEqual(int(number[0]), len(found), count_text)
        self.assertEqual(counts[-1][0], 0)
        region = self.page.locator(places.COUNT)
        self.assertTrue(region.get_attribute("role") == "status" or region.get_attribute("aria-live") == "polite", "screen readers do not announce the number")

    def test_equal_names_are_distinguished(self):
        names = [character["name"] for character in site.characters("sample").values()]
        twins = sorted({name for name in names if names.count(name) > 1})
        self.assertGreater(len(twins), 1)
        self.start()
        for name in twins[:12]:
            with self.part(name=name):
                number = next(number for number, character in site.characters("sample").items() if character["name"] == name)
                found = [result["text"] for result in self.ask(name, f"character/{number}.html")]
                alike = [text for text in found if name in text]
                self.assertGreaterEqual(len(alike), names.count(name))
                self.assertEqual(len(set(alike)), len(alike), alike)

    def test_many_equal_names_are_compared_once(self):
        values = [f"s{number}" for number in range(3_000)] + ["s1"]
        self.start(serving={"changes": {"/search-index.js": readers.index(["Rick"] * len(values), "species", values)}})
        readers.count_calls(self.page, "value")
        self.ask("rick", "character/1.html")
        self.wait("(results) => document.querySelectorAll(results).length === 60", places.RESULTS)
        numbered = [result["text"] for result in self.results() if "\u2116" in result["text"]]
        self.assertEqual(len(numbered), 1, numbered)
        self.assertIn("\u2116\u00a02", numbered[0])
        self.assertLess(self.page.evaluate("calls"), 2 * len(values))

    def recent(self, wanted):
        self.wait("([recent, count]) => document.querySelectorAll(recent).length === count", [places.RECENT, wanted])
        return self.page.locator(places.RECENT).all_inner_texts()

    def test_the_last_five_queries_are_offered_and_stored(self):
        self.start()
        for query in ("one", "two", "three", "four", "five", "six", "three"):
            self.box.fill(query)
            self.box.press("Enter")
        for _ in range(2):
            self.goto("search.html")
            self.page.reload()
            self.assertEqual(self.recent(5), ["three", "six", "five", "four", "two"])
            self.assertGreater(self.page.locator(places.EXAMPLES).count(), 3)
        self.box.fill("f")
        self.wait("(options) => document.querySelectorAll(options).length >= 2", places.SUGGESTIONS)
        self.assertEqual(self.suggestions()[:2], ["five", "four"])
        self.box.fill("")
        self.page.locator(places.FORGET).nth(1).press("Enter")
        self.assertEqual(self.recent(4), ["three", "five", "four", "two"])
        self.assertEqual(self.page.evaluate("document.activeElement.className"), "remove")
        self.page.locator(places.RECENT).first.click()
        self.assertEqual(self.box.input_value(), "three")
        self.box.fill("")
        self.page.get_by_role("button", name="Clear", exact=True).click()
        self.recent(0)
        self.page.reload()
        self.wait("(examples) => document.querySelector(examples)", places.EXAMPLES)
        self.recent(0)

    def test_the_examples_are_the_records_with_the_most_references(self):
        self.start(site="real")
        self.wait("(examples) => document.querySelectorAll(examples).length === 6", places.EXAMPLES)
        names = self.page.locator(f"{places.EXAMPLES} .name").all_inner_texts()
        self.assertEqual(names, ["Rick Sanchez", "Earth (Replacement Dimension)", "The Ricklantis Mixup", "Morty Smith", "Citadel of Ricks", "Close Rick-counters of the Rick Kind"])

    def test_episodes_are_found_by_their_season(self):
        for path, query in (("search.html", "season 3"), ("ru/search.html", "сезон 3")):
            with self.part(path=path):
                self.start(path, site="real")
                found = self.ask(query, path.replace("search", "episode/22"))
                self.assertIn("3", next(result["text"] for result in found if result["href"].endswith("/episode/22.html")).split("·")[-1])

    def test_results_are_grouped_by_kind_with_counts_and_filters(self):
        self.start()
        self.box.fill("the")
        self.wait("(kinds) => document.querySelectorAll(kinds).length === 4", places.KINDS)
        chips = self.page.locator(places.KINDS).all_inner_texts()
        headings = self.page.locator("main .answers h2").all_inner_texts()
        self.assertEqual(chips, ["All", *headings])
        total = sum(int(re.search(r"\d+", heading)[0]) for heading in headings)
        self.assertEqual(self.page.locator(places.COUNT).inner_text(), f"{total} results")
        for group in self.page.locator("main .answers .group").all():
            self.assertLessEqual(group.locator("li").count(), 6)
        self.assertEqual(self.page.locator("main .answers .group:has(a[href*='/character/']) img").count(), 6)
        wanted = next(heading for heading in headings if "location" in heading)
        number = int(re.search(r"\d+", wanted)[0])
        self.page.get_by_role("button", name=f"Show all: {wanted}").click()
        for how in (lambda: None, self.page.reload):
            how()
            self.wait("([results, count]) => document.querySelectorAll(results).length === count", [places.RESULTS, min(number, 60)])
            self.assertEqual(self.page.locator("main .answers h2").all_inner_texts(), [wanted])
            self.assertEqual(self.page.locator(places.KINDS + "[aria-pressed=true]").inner_text(), wanted)
            self.assertIn("kind=location", self.path())
        self.page.go_back()
        self.wait("(groups) => document.querySelectorAll(groups).length === 3", "main .answers .group")
        self.assertEqual(self.page.locator(places.KINDS + "[aria-pressed=true]").inner_text(), "All")

    def test_words_of_facets_and_dates_are_found(self):
        characters = site.characters("sample").values()
        alive = sum(character["status"] == "Alive" for character in characters)
        female = sum(character["gender"] == "Female" for character in characters)
        male = sum(character["gender"] == "Male" for character in characters)
        for path, queries in (
                ("search.html", {"alive": alive, "female": female, "male": male, "September 29, 2014": 1}),
                ("ru/search.html", {"мужской": male, "женский": female, "29 сентября 2014": 1})):
            for query, number in queries.items():
                with self.part(query=query):
                    self.start(path)
                    self.ask(query)
                    self.wait("([count, number]) => document.querySelector(count).textContent.startsWith(number + ' ')", [places.COUNT, str(number)])
                    self.assertIn(query.split()[0].lower(), self.results()[0]["text"].lower())

    def test_a_query_needs_at_most_30_KB(self):
        self.start()
        self.ask("alive female")
        paths = {request.path for request in self.server.requests if "search-index" in request.path or "/search/" in request.path}
        size = 0
        for path in paths:
            with open(os.path.join(self.home.folder, path.strip("/")), "rb") as file:
                size += len(gzip.compress(file.read(), 6))
        self.assertTrue(paths)
        self.assertLess(size, 30_000)

    def test_suggestions_are_names_and_work_with_the_keyboard(self):
        name = site.characters("sample")[1]["name"]
        self.start()
        self.box.press_sequentially(name[:4], delay=10)
        self.wait("([options, name]) => [...document.querySelectorAll(options)].some((option) => option.textContent.trim() === name)", [places.SUGGESTIONS, name])
        offered = self.suggestions()
        self.assertEqual(self.box.get_attribute("aria-expanded"), "true")
        for option in offered:
            self.box.press("ArrowDown")
            self.assertEqual(self.active(), option)
        self.box.press("ArrowUp")
        self.assertEqual(self.active(), offered[-2] if len(offered) > 1 else None)
        self.box.press("Escape")
        self.assertEqual(self.box.get_attribute("aria-expanded"), "false")
        self.assertEqual(self.suggestions(), [])
        self.assertEqual(self.box.input_value(), name[:4])
        self.box.press("ArrowDown")
        chosen = self.active()
        self.assertIn(chosen, offered)
        self.box.press("Enter")
        self.assertEqual(self.box.input_value(), chosen)
        self.assertEqual(self.box.get_attribute("aria-expanded"), "false")
        self.assertTrue(self.results())
        self.box.press("Escape")
        self.assertEqual(self.box.input_value(), "")

    def test_results_have_two_columns_in_wide_windows(self):
        for width, columns in ((1280, 2), (320, 1)):
            with self.part(width=width):
                self.start(width=width)
                self.ask(site.characters("sample")[1]["species"])
                self.wait("(results) => document.querySelectorAll(results).length > 4", places.RESULTS)
                sides = self.page.eval_on_selector_all(places.RESULTS, "(links) => [...new Set(links.map((link) => Math.round(link.getBoundingClientRect().left)))]")
                self.assertEqual(len(sides), columns)
                self.assertEqual(self.observe("overflow"), [])

    def test_back_from_a_result_restores_the_results(self):
        self.start()
        found = self.ask(site.characters("sample")[1]["species"], "character/1.html")
        self.wait("(count) => document.querySelector(count).textContent.trim()", places.COUNT)
        found = self.results()
        self.page.locator(places.RESULTS).nth(2).click()
        self.page.wait_for_url("**/character/*.html")
        self.page.go_back()
        self.wait("([results, count]) => document.querySelectorAll(results).length >= count", [places.RESULTS, len(found)])
        self.assertEqual(self.results()[: len(found)], found)

    def test_russian_results_are_in_russian_and_lead_to_russian_pages(self):
        self.start("ru/search.html")
        name = site.characters("sample")[1]["name"]
        found = self.ask(name, "ru/character/1.html")
        self.assertTrue(re.search("[а-яё]", next(result["text"] for result in found if result["href"].endswith("/character/1.html")), re.I))

    def test_results_pass_axe(self):
        from . import visits
        from .test_pages import violation_text
        for scheme in browser.SCHEMES:
            with self.part(scheme=scheme):
                self.start(scheme=scheme)
                self.ask(site.characters("sample")[1]["name"][:3], "character/1.html")
                self.observe("settled")
                self.page.evaluate(visits.AXE)
                self.assertEqual([violation_text(rule) for rule in self.page.evaluate(visits.AXE_RUN)["violations"]], [])
                visits.shoot(self.page, f"search-results-1280-{scheme}")

    def test_a_missing_index_is_reported(self):
        self.start(serving={"failures": {"/search-index*.js": 100}})
        self.expect_problem("503|search-index")
        self.box.fill("darrow")
        again = self.page.get_by_role("alert").get_by_role("button", name="Try again")
        again.wait_for()
        self.assertIn("Could not load", self.page.get_by_role("alert").inner_text())
        self.server.failures = {}
        again.click()
        self.wait("([results, href]) => [...document.querySelectorAll(results)].some((link) => link.href === href)", [places.RESULTS, self.home.address + "character/1.html"])
        self.assertEqual(self.page.locator("main .failure button").count(), 0)
