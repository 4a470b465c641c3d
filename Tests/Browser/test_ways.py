"""Ways from a page to related records: the home page's sections, figures, facts and artists."""
from . import browser, kinds


class WaysTest(browser.BrowserTest):
    def leads(self, link, path):
        """Follows a link and checks the page's path."""
        link.click()
        self.page.wait_for_url(self.home.address + path)

    def test_the_home_page_begins_with_frequent_characters_and_the_latest_season(self):
        for home, title in (("", "Seen most often"), ("ru/", "Появляются чаще всего")):
            with self.part(home=home):
                self.open(f"{home}index.html", kept=(("language", "ru" if home else "en"),), fresh=True)
                headings = self.page.locator(".home h2").all_inner_texts()
                self.assertEqual(headings[0], title)
                counts = [int(text.split()[0]) for text in self.page.locator(".shelf").first.locator(".amount").all_inner_texts()]
                self.assertTrue(len(counts) == 8 and counts == sorted(counts, reverse=True) and counts[-1] > 0, counts)
                first = self.page.locator(".shelf a").first
                self.leads(first, f"{home}character/" + first.get_attribute("href").rpartition("/")[2])

    def test_bars_lead_to_lists_and_records(self):
        self.open(kinds.ENGLISH["figures"])
        self.assertGreater(self.page.locator(".of-people .bars a[href^='character/']").count(), 10)
        self.assertGreater(self.page.locator(".of-seasons svg a[href^='episode/']").count(), 10)
        self.leads(self.page.locator(".of-status .bars a").first, "status/alive.html")

    def test_an_episode_leads_to_its_season(self):
        for home, word in (("", "Season"), ("ru/", "Сезон")):
            with self.part(home=home):
                self.open(f"{home}episode/1.html", kept=(("language", "ru" if home else "en"),), fresh=True)
                season = self.page.locator("dl .kind a")
                self.assertIn(word, season.inner_text())
                season.click()
                self.page.wait_for_url("**/season/*.html")
                self.assertIn(word, self.page.locator("h1").inner_text())
                self.assertEqual(self.page.locator("main a[href$='episode/1.html']").count(), 1)

    def test_the_rows_of_episodes_show_different_faces(self):
        self.open("episodes.html")
        rows = self.page.locator(".faces").evaluate_all("(rows) => rows.map((row) => [...row.querySelectorAll('img')].map((face) => face.src).join())")
        self.assertGreater(len(set(rows)), len(rows) / 2)

    def test_facts_lead_to_lists(self):
        self.open(kinds.ENGLISH["character"])
        self.leads(self.page.locator("dl a[href*='../species/']").first, "species/" + self.page.locator("dl a[href*='../species/']").first.get_attribute("href").rpartition("/")[2])

    def test_the_songs_of_an_artist_lead_to_one_another(self):
        self.open(kinds.MEDIA["media-song"], site="media")
        self.page.locator("dl a[href^='../artist/']").click()
        self.page.wait_for_url("**/artist/*.html")
        cards = self.page.locator(".cards a[href*='song-us/']")
        self.assertGreater(cards.count(), 1)
        self.page.locator(".filters").wait_for(state="hidden")
        self.assertEqual(len(set(self.page.locator(".card .artist").all_inner_texts())), 1)
