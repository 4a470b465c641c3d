"""Pages of songs, films and books show the served data in the page's language."""
import html
import json
import re

from . import browser, media

PLAIN = "(element) => element.textContent.trim().replace(/\\s+/g, ' ')"
# The labels with their values, and the links.
FACTS = f"""() => {{
  const plain = {PLAIN};
  const values = Object.fromEntries([...document.querySelectorAll('main article > .about dl > div')].map((pair) => [
    plain(pair.querySelector('dt')), plain(pair.querySelector('dd')).replace(/ · (at|в) Apple$/, '')]));
  return {{
    heading: plain(document.querySelector('h1')), values, times: [...document.querySelectorAll('main article > .about time')].map(plain),
    actions: [...document.querySelectorAll('main article .actions a')].map((link) => [plain(link), link.getAttribute('href')]),
    mark: plain(document.querySelector('main article .facts span') ?? document.createElement('i')),
    albums: [...document.querySelectorAll('main .albums li > div')].map((album) => [plain(album.firstElementChild), album.querySelector('[rel]')?.href ?? '']),
    description: plain(document.querySelector('main .description') ?? document.createElement('i')),
    elsewhere: [...document.querySelectorAll('main a[href^=http]')].filter((link) => link.origin !== location.origin).map((link) => link.rel),
  }};
}}"""
LABELS = {
    "en": {"song": "Artist", "movie": "Director", "book": "Author"}, "ru": {"song": "Исполнитель", "movie": "Режиссёр", "book": "Автор"}}
EXPLICIT = {"en": "Explicit", "ru": "18+"}
TRACK = {"en": ("Track", "of"), "ru": ("Дорожка", "из")}
PRICE = {"en": ("Price", "Free", "Not sold separately"), "ru": ("Цена", "Бесплатно", "Отдельно не продаётся")}
STORE = {"en": ("Store and date", ("US store", "Russian store")), "ru": ("Магазин и дата", ("магазин США", "российский магазин"))}
BUNDLE = {"en": "Bundle price", "ru": "Цена комплекта"}
STORES = {
    "en": {"song": "Open in Apple Music", "movie": "Open in Apple TV", "book": "Open in Apple Books"},
    "ru": {"song": "Открыть в Apple Music", "movie": "Открыть в Apple TV", "book": "Открыть в Apple Books"}}
PREVIEWS = {
    "en": {"song": "Listen to a preview", "movie": "Watch a preview"},
    "ru": {"song": "Послушать фрагмент", "movie": "Посмотреть фрагмент"}}
ALBUMS = 5


def plain(text):
    return re.sub(r"[ \t\r\n\f]+", " ", text).strip()


class MediaTest(browser.BrowserTest):
    site = "media"

    def each(self, check, kinds=("song", "movie", "book")):
        """Checks some items of each kind in each language, with their served data and their pages."""
        for kind in kinds:
            pages = [page for page in media.items(self.site) if page.startswith(kind)]
            # The first ones, and some that are explicit or cleaned.
            few = [page for page in pages if media.items(self.site)[page]["served"].get("trackExplicitness", "notExplicit") != "notExplicit"]
            for page in [*pages[:6], *few[:4]]:
                for language, home in (("en", ""), ("ru", "ru/")):
                    with self.part(path=home + page):
                        self.open(home + page)
                        check(kind, language, media.items(self.site)[page]["served"], self.page.evaluate(FACTS))

    def test_pages_show_the_served_data(self):
        def check(kind, language, served, found):
            self.assertEqual(found["heading"], plain(served["trackName"]))
            artist = plain(served["artistName"])
            self.assertEqual(found["values"].get(LABELS[language][kind]), artist if kind != "movie" or artist != "Unknown" else None)
            times = [media.duration(kind, served["trackTimeMillis"], language)] if kind != "book" and served.get("trackTimeMillis") else []
            times += [media.date(served["releaseDate"], language)] if "releaseDate" in served else []
            self.assertEqual(found["times"], times)
            self.assertEqual(set(found["elsewhere"]), {"external"})
            actions = [[STORES[language][kind], served["trackViewUrl"]]]
            if kind != "book" and "previewUrl" in served:
                actions.append([PREVIEWS[language][kind], served["previewUrl"]])
            self.assertEqual(found["actions"], actions)
            self.assertEqual(found["mark"], EXPLICIT[language] if served.get("trackExplicitness") == "explicit" else "")
            label, free, alone = PRICE[language]
            price = served.get("price" if kind == "book" else "trackPrice")
            words = "" if price is None else free if price == 0 else alone if price == -1 else media.money(price, served["currency"], language)
            self.assertTrue(found["values"].get(label, "").startswith(words), found["values"])
            self.assertEqual(label in found["values"], price is not None)
            label, store = STORE[language]
            if price is not None:
                self.assertRegex(found["values"][label], rf"^({'|'.join(store)}), .*20\d\d")
            if kind == "movie" and "collectionName" in served and served.get("collectionPrice", -1) != -1:
                words = media.money(served["collectionPrice"], served["currency"], language)
                self.assertTrue(found["values"][BUNDLE[language]].startswith(words), found["values"])
            if kind == "song":
                label, of = TRACK[language]
                self.assertEqual(found["values"][label], f"{served['trackNumber']} {of} {served['trackCount']}")
            elif kind == "movie":
                self.assertEqual(found["description"], plain(served.get("longDescription") or served.get("shortDescription", "")))
        self.each(check)

    def test_a_song_lists_at_most_five_other_albums(self):
        numbers = set()

        def check(kind, language, served, found):
            own = (served["collectionName"], served["collectionViewUrl"].partition("?")[0])
            self.assertNotIn(own, [(name, link.partition("?")[0]) for name, link in found["albums"]])
            numbers.add(len(found["albums"]))
        self.each(check, ["song"])
        self.assertEqual(max(numbers), ALBUMS)


class RealMediaTest(MediaTest):
    """The same for recorded answers."""

    site = "media real"


class LinksTest(browser.BrowserTest):
    site = "media"

    def links(self, label):
        return self.page.evaluate("""(label) => {
            const terms = [...document.querySelectorAll('main article dt')].filter((term) => term.textContent === label);
            return terms.flatMap((term) => [...term.nextElementSibling.querySelectorAll('a')].map((link) => [link.textContent, link.href]));
        }""", label)

    def test_an_unknown_director_has_no_list(self):
        unknown = [page for page, item in media.items("media real").items() if item["kind"] == "feature-movie" and item["served"]["artistName"] == "Unknown"]
        self.assertGreater(len(unknown), 1)
        self.open("media.html", site="media real", kept=browser.NO_SCROLLING)
        for home in ("", "ru/"):
            self.assertFalse(self.has(home + "artist/unknown.html"))
        self.assertNotIn("Unknown", self.page.locator("main .card .artist").all_inner_texts())

    def test_kinds_and_genres_lead_to_their_lists(self):
        labels = {"": ("Kind", {"song": "Genre", "movie": "Genre", "book": "Genres"}), "ru/": ("Тип", {"song": "Жанр", "movie": "Жанр", "book": "Жанры"})}
        for home, (kind_label, genres) in labels.items():
            for kind, label in genres.items():
                page = next(page for page in media.items("media") if page.startswith(kind))
                with self.part(path=home + page):
                    self.open(home + page)
                    wanted = f"{home}kind/{media.KINDS[kind]}.html"
                    self.assertEqual([address.removeprefix(self.home.address) for _, address in self.links(kind_label)], [wanted])
                    found = self.links(label)
                    self.assertGreater(len(found), 0)
                    for text, address in found:
                        path = address.removeprefix(self.home.address)
                        self.assertRegex(path, f"^{home}genre/")
                        self.assertIn(f"<h1>{text}</h1>", html.unescape(re.sub(r"</?span[^>]*>", "", media.read("media", path))))

    def test_ratings_have_stars_beside_their_text(self):
        rated = {page: item["served"] for page, item in media.items("media").items() if item["served"].get("userRatingCount")}
        self.assertGreater(len(rated), 0)
        for home, words in (("", "out of 5"), ("ru/", "из 5")):
            for page, served in list(rated.items())[:3]:
                with self.part(path=home + page):
                    self.open(home + page)
                    stars = self.page.locator("main dd .stars")
                    self.assertEqual(stars.get_attribute("aria-hidden"), "true")
                    whole, filled = (stars.locator("svg").nth(place).bounding_box()["width"] for place in (0, 1))
                    self.assertAlmostEqual(filled / whole, served["averageUserRating"] / 5, delta=0.02)
                    self.assertIn(words, self.page.locator("main dd:has(.stars)").inner_text())
            self.open(home + "found/sea-ebook-us.html")
            self.assertGreater(self.page.locator(".result .stars").count(), 0)

    def test_an_other_album_leads_to_its_list_and_has_a_cover(self):
        numbers = []
        for site in ("media", "media real"):
            for page in [page for page in media.items(site) if page.startswith("song")][:20]:
                self.open(page, site=site)
                artist = media.items(site)[page]["served"]["artistName"]
                albums = self.page.evaluate("""() => [...document.querySelectorAll('main .albums li')].map((item) => {
                    const link = item.querySelector('a:not([rel])');
                    return [link?.textContent ?? '', link?.href ?? '', item.querySelector('img')?.getAttribute('src') ?? ''];
                })""")
                numbers.append(sum(bool(address) for _, address, _ in albums))
                for name, address, picture in albums:
                    self.assertEqual(bool(address), bool(picture), name)
                    if address:
                        listed = media.read(site, address.removeprefix(self.home.address))
                        numbered = re.search(r"artwork/(song-[a-z]+/\d+)\.", picture)[1]
                        self.assertIn(f'{numbered}.html"', listed)
                        self.assertEqual(media.items(site)[f"{numbered}.html"]["served"]["artistName"], artist)
                        self.assertEqual(media.items(site)[f"{numbered}.html"]["served"]["collectionName"], name)
        self.assertGreater(max(numbers), 0)


class HomeTest(browser.BrowserTest):
    site = "media"

    def test_the_home_page_has_a_search_box(self):
        wanted = next(iter(media.items("media").values()))["served"]["trackName"]
        for home in ("", "ru/"):
            for scripts in (True, False):
                with self.part(home=home or "en", scripts=scripts):
                    page = self.open(home + "index.html", scripts=scripts)
                    page.get_by_role("search").get_by_role("searchbox").fill(wanted)
                    page.keyboard.press("Enter")
                    page.wait_for_url("**/search.html*")
                    if scripts:
                        self.wait("(name) => document.querySelector('.answers .name')?.textContent === name", wanted)
                        self.assertEqual(page.locator("#query").input_value(), wanted)

    def test_the_first_cover_of_the_home_page_is_near_the_top(self):
        for width, limit in ((390, 230), (1280, 300)):
            for home in ("", "ru/"):
                with self.part(width=width, home=home or "en"):
                    self.open(home + "index.html", width=width)
                    self.observe("settled")
                    top = self.page.evaluate("""() => document.querySelector('.covers img').getBoundingClientRect().top + scrollY
                        - (document.querySelector('.banner')?.offsetHeight ?? 0)""")
                    self.assertLessEqual(top, limit)


class MarksTest(browser.BrowserTest):
    site = "media"

    def test_an_explicit_song_is_marked_everywhere(self):
        explicit = set(media.having("media", explicit="explicit"))
        self.assertGreater(len(explicit), 0)
        for home, word in (("", "Explicit"), ("ru/", "18+")):
            for path in ("found/love-music-us.html", "kind/song.html", "kind/song/2.html", "kind/song/3.html", "explicit/explicit.html"):
                with self.part(path=home + path):
                    self.open(home + path, kept=browser.NO_SCROLLING)
                    found = self.page.evaluate("""() => [...document.querySelectorAll('main .results.items > li, main .cards > .card')].map((item) =>
                        [item.querySelector('a').href, item.querySelector('.explicit')?.textContent ?? ''])""")
                    self.assertGreater(len(found), 0)
                    for href, mark in found:
                        page = href.removeprefix(self.home.address + home)
                        self.assertEqual(mark, word if page in explicit else "", page)


class SearchesTest(browser.BrowserTest):
    site = "media"

    def test_a_search_without_results_says_so(self):
        for name, path in (("media real", "found/the-movie-ru.html"), ("media hostile", "found/nothing-at-all-music-us.html")):
            for home, words in (("", "No results."), ("ru/", "Ничего не найдено.")):
                with self.part(site=name, home=home or "en"):
                    page = self.open(home + path, site=name)
                    self.assertEqual(page.locator("main p.gaps").inner_text(), words)
                    self.assertEqual(page.locator("main .results").count(), 0)

    def test_searches_lead_to_their_results_in_the_services_order(self):
        self.open("index.html")
        searches = self.page.eval_on_selector_all("main .searches a", "(links) => links.map((link) => link.href)")
        self.assertEqual(len(searches), 6)
        for address in searches:
            with self.part(address=address):
                self.page.goto(address)
                links = self.page.eval_on_selector_all("main .results.items > .result > a", "(links) => links.map((link) => link.href)")
                answer = self.page.locator(".provenance a[type='application/json']").get_attribute("href").removeprefix("../")
                numbers = [result["trackId"] for result in json.loads(media.read("media", answer))["results"]]
                self.assertEqual([int(re.search(r"/(\d+)\.html$", link)[1]) for link in links], numbers)
                self.assertGreater(len(numbers), 3)
