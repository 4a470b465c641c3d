"""The parts of the pages of characters, episodes, locations and media, and what is near the top of a list and a figure."""
import json
import os
import re

from . import browser, kinds

SHAPES = "(images) => images.map((image) => { const box = image.getBoundingClientRect(); return [image.src, box.width / box.height, Math.round(box.height)] })"


class RecordsTest(browser.BrowserTest):
    def count(self, selector):
        return self.page.locator(selector).count()

    def texts(self, selector):
        return self.page.locator(selector).all_inner_texts()

    def facts(self):
        """The values of the first facts by their names."""
        return dict(zip(self.texts("main dl >> nth=0 >> dt"), self.texts("main dl >> nth=0 >> dd")))

    def appearances(self, selector):
        """The number of episodes of each character that the elements link to, in the served data."""
        paths = self.page.locator(selector).evaluate_all("(links) => links.map((link) => new URL(link.href).pathname)")
        found = []
        for path in paths:
            with open(os.path.join(self.home.folder, "api" + path.replace(".html", ".json")), encoding="utf-8") as file:
                found.append(len(json.load(file)["episode"]))
        return found

    def test_dates_and_numbers_follow_the_language(self):
        for home, as_of, day in (("", r"as of \w+ \d+, 20\d\d", r"\w+ \d+, 20\d\d"), ("ru/", r"на \d+ \w+ 20\d\d г\.", r"\d+ \w+ 20\d\d г\.")):
            with self.part(home=home):
                self.open(f"{home}index.html", fresh=True, kept=(("language", home.rstrip("/") or "en"),))
                self.assertRegex(self.texts("main .heading p")[0], as_of)
                for path in ("episodes.html", "locations.html"):
                    self.goto(home + path)
                    self.assertRegex(self.texts("main .heading p")[0], as_of, path)
                self.goto(f"{home}character/1.html")
                self.page.locator(".provenance summary").click()
                self.assertRegex(self.texts(".provenance dd")[0], f"^{day}$")
                self.assertRegex(self.texts(".episodes time")[0], f"^{day}$")

    def test_a_place_of_a_character_has_its_type_and_its_dimension(self):
        self.open("character/1.html", site="real")
        facts = self.facts()
        self.assertEqual(facts["Origin"], "Earth (C-137) Planet Dimension C-137")
        self.open("character/3.html", site="real")
        self.assertEqual(self.facts()["Location"], "Earth (Replacement Dimension) Planet")

    def test_values_of_characters_and_locations_lead_to_lists(self):
        for path, folders in (("character/1.html", ("status", "species", "gender")), ("location/1.html", ("location-type", "dimension"))):
            for folder in folders:
                with self.part(path=path, folder=folder):
                    self.open(path)
                    link = self.page.locator(f"main dl a[href*='/{folder}/']").first
                    value = link.inner_text()
                    link.click()
                    self.page.wait_for_url(f"**/{folder}/*.html")
                    self.assertIn(value, self.page.locator("h1").inner_text())

    def test_the_latest_season_of_the_home_page_leads_to_its_list(self):
        self.open("index.html")
        self.page.get_by_role("link", name="The latest season in this archive").click()
        self.page.wait_for_url("**/season/*.html")

    def test_a_character_shows_its_seasons_companions_and_first_and_last_appearance(self):
        self.open("character/1.html")
        facts = self.facts()
        codes = self.texts(".episodes .number")
        self.assertTrue(facts["First appearance"].startswith(codes[0]) and facts["Last appearance"].startswith(codes[-1]), facts)
        self.assertEqual(self.count("dl a[href*='../location/'] + .kind"), 1)
        # A jump leads to its season, which can be closed.
        self.assertEqual(self.count(".episodes .jumps a"), self.count(".episodes details"))
        self.page.locator(".jumps a").last.click()
        self.wait("() => document.querySelector('.episodes details:target:last-of-type').getBoundingClientRect().top < innerHeight")
        self.page.locator(".episodes summary").last.click()
        self.assertFalse(self.page.locator(".episodes details li").last.is_visible())
        shared = [int(text.split()[0]) for text in self.texts(".companions .amount")]
        self.assertTrue(len(shared) == 10 and shared == sorted(shared, reverse=True), shared)
        # The portrait and the facts are side by side.
        portrait, about = (self.page.locator(part).bounding_box() for part in (".portrait", ".about"))
        self.assertTrue(portrait["y"] == about["y"] and about["x"] + about["width"] - portrait["x"] > 1100, (portrait, about))

    def test_a_location_without_residents_shows_those_who_come_from_there(self):
        self.open("location/12.html", site="real")
        self.assertEqual(self.facts()["Residents"], "0 residents")
        self.assertEqual(self.count(".collage img"), self.count(".cast .card"))
        self.assertEqual(min(self.page.locator(".collage img").evaluate_all("(images) => images.map((image) => image.naturalWidth)")), 300)
        self.goto("locations.html")
        row = self.page.locator("main tr:has(a[href='location/12.html']) .amount")
        self.assertEqual(row.all_inner_texts(), ["2", "0"])

    def test_an_episode_shows_faces_its_ordered_cast_and_its_neighbours(self):
        self.open("episode/2.html")
        self.assertEqual(self.count(".collage img"), 6)
        cast = self.appearances(".cast .card a")
        self.assertTrue(len(cast) > 10 and cast == sorted(cast, reverse=True), cast)
        self.assertEqual((self.count(".neighbours a[href='../episode/1.html']"), self.count(".neighbours a[href='../episode/3.html']")), (1, 1))
        self.goto("episodes.html")
        faces = self.page.locator(".faces").evaluate_all("(rows) => rows.map((row) => row.querySelectorAll('img').length)")
        self.assertTrue(min(faces) >= 3 and max(faces) <= 4, faces)

    def test_a_location_shows_residents_and_those_who_come_from_it(self):
        self.open(kinds.ENGLISH["location"])
        self.assertGreater(self.count(".collage img"), 0)
        for part in ("cast", "natives"):
            heading = self.page.locator(f"#{part}").inner_text()
            self.assertEqual(self.count(f"section[aria-labelledby={part}] .card"), int(heading.split()[0]), heading)
        self.assertEqual(self.texts(".lead")[0].count(self.facts()["Dimension"]), 1)

    def test_bars_are_legible_on_small_screens(self):
        self.open("figures.html", width=390)
        sizes = self.page.locator(".bars a, .bars .count, .axes a").evaluate_all("(texts) => texts.map((text) => parseFloat(getComputedStyle(text).fontSize))")
        self.assertGreaterEqual(min(sizes), 14)
        self.assertGreaterEqual(min(self.page.locator(".bars li").evaluate_all("(rows) => rows.map((row) => row.offsetHeight)")), 44)

    def test_the_home_page_of_media_is_a_wall_of_covers(self):
        for width in (1280, 390):
            with self.part(width=width):
                self.open(site="media", width=width)
                self.observe("settled", 0)
                self.assertEqual(self.texts(".group h2"), ["Music", "Films", "Books"])
                self.assertTrue(all(re.match(r"(Songs|Films|Books) from the", text) for text in self.texts(".searches .about:nth-of-type(3)")))
                for group in self.page.locator(".group").all():
                    covers = group.locator(".covers img").evaluate_all(SHAPES)
                    self.assertEqual(len({height for _, _, height in covers}), 1, covers)
                    for address, shape, _ in covers:
                        self.assertAlmostEqual(shape, 1 if "song-" in address else 2 / 3, delta=0.02)
                # A collection is as wide as its covers, so no cover is missing.
                for covers in self.page.locator(".covers").all():
                    box = covers.bounding_box()
                    self.assertLess(abs(box["x"] + box["width"] - max(image.bounding_box()["x"] + image.bounding_box()["width"] for image in covers.locator("img").all())), 2)

    def test_a_record_of_media_has_one_button_and_its_facts(self):
        wanted = (
            ("song", "Apple Music", {"Track": r"\d+ of \d+", "Price": r"[\d.]+\sUSD", "Kind": r"Song, \d+:\d\d"}),
            ("movie", "Apple TV", {"Rental": r"[\d.]+\sUSD, HD [\d.]+\sUSD", "Kind": r"Film, (\d+ h )?\d+ min"}),
            ("book", "Apple Books", {"Rating": r"[\d.]+ out of 5", "Kind": r"Book, [\d.]+ MB"}))
        for kind, service, facts in wanted:
            with self.part(kind=kind):
                self.open(kinds.MEDIA[f"media-{kind}"], site="media")
                self.assertEqual(self.texts(".actions .store"), [f"Open in {service}"])
                shown = self.facts()
                for name, pattern in facts.items():
                    self.assertRegex(shown[name], pattern)
                self.assertNotIn("unknown", " ".join(shown.values()).lower())
