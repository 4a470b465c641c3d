"""The list of all media: pictures, infinite scrolling, and filters across kinds and stores."""
import re
from urllib.parse import unquote

from . import browser, media, places, readers

# A card as readers and programs see it, with only the classes that static cards have.
CARDS = """(cards) => {
  const own = ['kind', 'artist', 'explicit'];
  const part = (element) => [own.find((name) => element.classList.contains(name)), element.getAttribute('lang'), element.textContent];
  return [...document.querySelectorAll(cards)].filter(observe.shown).map((card) => {
    const link = card.querySelector('a'), picture = card.querySelector('img'), name = card.querySelector('.name');
    return [link.href.split('#')[0], picture.src, picture.alt, name.getAttribute('lang'), name.textContent, ...[...card.querySelectorAll('.facts > *')].map(part)];
  });
}"""


class MediaListsTest(readers.Filtering):
    site = "media"

    def cards(self):
        return self.page.evaluate(CARDS, places.CARDS)

    def paths(self):
        return [card["href"].removeprefix(self.home.address).partition("#")[0] for card in self.observe("cards")]

    def test_pictures_load(self):
        for path in ("index.html", "found/love-music-us.html", "media.html", "song-us/1250507784.html"):
            with self.part(path=path):
                self.open(path, kept=browser.NO_SCROLLING)
                self.page.evaluate("() => { for (const image of document.images) image.loading = 'eager'; }")
                self.wait("() => document.images.length && [...document.images].every((image) => image.complete && image.naturalWidth > 1)")

    def test_the_main_list_scrolls_to_its_end(self):
        self.open("media.html", fresh=True)
        wanted = list(media.items("media"))
        self.page.mouse.move(640, 400)
        for _ in range(200):
            if len(self.paths()) >= len(wanted):
                break
            self.page.mouse.wheel(0, 3000)
            self.page.wait_for_timeout(20)
        self.assertEqual(self.paths(), wanted)

    def test_filters_combine_across_kinds_and_stores(self):
        chosen = [("kind", "song", "song"), ("country", "RU", "ru"), ("genre", "Авторская песня", "авторская-песня"), ("explicit", "notExplicit", "notexplicit")]
        for over in ("http", "file"):
            with self.part(over=over):
                self.open("media.html", over=over, fresh=True)
                wanted = {}
                for column, value, slug in chosen:
                    self.choose(slug)
                    wanted[column] = value
                    found = media.having("media", **wanted)
                    self.assertGreater(len(found), 0)
                    self.counted(len(found))
                    self.assertEqual(self.paths(), found[: len(self.paths())])
                    # The number of results of another choice.
                    option = self.page.locator(places.FILTER.format(value="us")).locator("option[value=us]").inner_text()
                    self.assertEqual(option, f"United States ({len(media.having('media', **{**wanted, 'country': 'US'}))})")
                address = self.address()
                self.page.locator(places.CLEAR_FILTERS).click()
                self.wait("(cards) => observe.cards().length >= 20", places.CARDS)
                self.assertEqual(self.paths()[:20], list(media.items("media"))[:20])
                other = self.page.context.new_page()
                other.goto(address)
                other.wait_for_function("([count, number]) => document.querySelector(count)?.textContent.startsWith(number)", arg=[places.COUNT, f"{len(found)} "])
                self.assertEqual([card["href"].removeprefix(self.home.address).partition("#")[0] for card in browser.observe(other, "cards")], found)
                self.assertEqual(dict(pair.split("=") for pair in unquote(address.partition("#")[2]).split("&")), {column: slug for column, _, slug in chosen})
                other.close()

    def test_the_list_is_sorted_by_date_and_by_rating(self):
        def key(member):
            return lambda page: media.items("media")[page]["served"].get(member) or ""
        for home, orders in (("", {"-released": "Newest first"}), ("ru/", {"-released": "Сначала новые"})):
            for order, label in {**orders, "released": None, "-rating": None}.items():
                with self.part(home=home or "en", order=order):
                    self.open(home + "media.html", fresh=True)
                    sort = self.page.locator(places.SORT)
                    sort.select_option(label=label) if label else sort.select_option(order)
                    self.wait("() => document.querySelectorAll('main .cards.found .card').length >= 20")
                    paths = [path.removeprefix(home) for path in self.paths()]
                    if order == "-rating":
                        values = [key("averageUserRating")(path) for path in paths if key("userRatingCount")(path)]
                        self.assertGreater(len(values), 1)
                        self.assertTrue(all(key("userRatingCount")(path) for path in paths[: len(values)]), "unrated items come last")
                    else:
                        values = [key("releaseDate")(path)[:10] for path in paths]
                    self.assertEqual(values, sorted(values, reverse=order.startswith("-")))

    def test_covers_in_a_row_have_their_lower_edges_on_one_line(self):
        rows = """(cards) => Object.values(Object.groupBy([...document.querySelectorAll(cards)].filter(observe.shown),
            (card) => Math.round(card.getBoundingClientRect().top))).map((row) => row.map((card) => {
                const { height, bottom } = card.querySelector('img').getBoundingClientRect();
                return [Math.round(height), Math.round(bottom), Math.round(card.querySelector('.name').getBoundingClientRect().top)];
            }))"""
        for width in (390, 1280):
            for path in ("media.html", "media.html#sort=-released", "country/us.html"):
                with self.part(width=width, path=path):
                    self.open(path, width=width, fresh=True)
                    self.observe("settled")
                    found = self.page.evaluate(rows, places.CARDS)
                    self.assertGreater(len(found), 3)
                    for row in found:
                        self.assertLessEqual(max(bottom for _, bottom, _ in row) - min(bottom for _, bottom, _ in row), 1, row)
                        self.assertLessEqual(max(top for *_, top in row) - min(top for *_, top in row), 1, row)
                    if "sort" in path:
                        self.assertTrue(any(len({height for height, *_ in row}) > 1 for row in found), "no row has two kinds")

    def test_filtered_cards_equal_the_static_ones(self):
        lists = [("kind", "song"), ("kind", "ebook"), ("country", "ru"), ("explicit", "explicit"), ("explicit", "other")]
        for home in ("", "ru/"):
            for column, slug in lists:
                with self.part(home=home or "en", column=column, slug=slug):
                    wanted, number = [], 1
                    while True:
                        path = f"{home}{column}/{slug}.html" if number == 1 else f"{home}{column}/{slug}/{number}.html"
                        self.open(path, kept=browser.NO_SCROLLING)
                        wanted += self.cards()
                        number += 1
                        if not self.has(f"{home}{column}/{slug}/{number}.html"):
                            break
                    self.open(f"{home}media.html#{column}={'none' if slug == 'other' else slug}", fresh=True)
                    self.counted(len(wanted))
                    self.assertEqual(self.cards(), wanted)

    def test_each_value_has_its_static_list(self):
        columns = {"kind": ("song", "feature-movie", "ebook"), "country": ("US", "RU"), "explicit": ("explicit", "notExplicit")}
        for column, values in columns.items():
            for value in values:
                with self.subTest(column=column, value=value):
                    wanted, found, number = media.having("media", **{column: value}), [], 1
                    while number == 1 or len(found) < len(wanted):
                        path = f"{column}/{value.lower()}.html" if number == 1 else f"{column}/{value.lower()}/{number}.html"
                        found += re.findall(r'<li class="card"><a href="(?:\.\./)*([a-z]+-[a-z]{2}/\d+\.html)"', media.read("media", path))
                        number += 1
                    self.assertEqual(found, wanted)
