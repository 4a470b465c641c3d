"""The search finds media by title, artist, album and genre, and offers the last queries and names."""
from . import media, places, readers


class MediaSearchTest(readers.Searching):
    site = "media"

    def test_titles_artists_albums_and_genres_are_found(self):
        for home in ("", "ru/"):
            with self.part(home=home or "en"):
                self.start(home + "search.html")
                for kind, member in (("song", "trackName"), ("song", "artistName"), ("song", "collectionName"), ("movie", "artistName"), ("book", "artistName")):
                    page, item = next((page, item) for page, item in media.items("media").items() if page.startswith(kind))
                    found = self.ask(item["served"][member], home + page)
                    self.assertEqual([result["href"] for result in found if not self.has(result["href"].removeprefix(self.home.address))], [])
                page = media.having("media", country="RU", genre="Авторская песня")[0]
                self.ask("авторская " + media.items("media")[page]["served"]["trackName"], home + page)

    def test_a_year_finds_what_was_released_then(self):
        page, item = next((page, item) for page, item in media.items("media").items() if page.startswith("movie"))
        year = item["served"]["releaseDate"][:4]
        for home, words in (("", media.date(item["served"]["releaseDate"], "en")), ("ru/", media.date(item["served"]["releaseDate"], "ru"))):
            self.start(home + "search.html")
            found = self.ask(f"{item['served']['trackName']} {year}", home + page)
            self.assertTrue(any(words in result["text"] for result in found if result["href"].endswith(page)), found)

    def test_names_of_artists_are_found_in_cyrillic(self):
        page = next(page for page, item in media.items("media real").items() if item["served"]["artistName"] == "Michael Jackson")
        for home in ("", "ru/"):
            self.start(home + "search.html", site="media real")
            for query in ("Майкл Джексон", "майкл джекс"):
                found = self.ask(query, home + page)
                self.assertTrue(all("Jackson" in result["text"] for result in found), found)

    def test_the_last_five_queries_and_names_are_offered(self):
        self.start()
        for query in ("one", "two", "three", "four", "five", "six"):
            self.box.fill(query)
            self.box.press("Enter")
        self.box.fill("")
        self.wait("(recent) => document.querySelectorAll(recent).length === 5", places.RECENT)
        self.assertEqual(self.page.locator(places.RECENT).all_inner_texts(), ["six", "five", "four", "three", "two"])
        name = next(iter(media.items("media").values()))["served"]["trackName"]
        self.box.fill(name[:4])
        self.wait("([options, name]) => [...document.querySelectorAll(options)].some((option) => option.textContent.trim() === name)", ["main [role=option]", name])
