"""Infinite scrolling: following pages are appended, nothing jumps, and Back restores the position."""
import os
import threading

from . import browser, places, site

PAGE = 20


class ReadingTest(browser.BrowserTest):
    def start(self, path="index.html", *, width=1280, delay=0.0, **how):
        """Opens a page whose server answers list pages late, together, or not at first."""
        serving = {"delay": delay, "slow": "/*page/*.html"} | {key: how.pop(key) for key in ("failures", "barrier") if key in how}
        self.open(path, fresh=True, width=width, serving=serving if how.get("over") != "file" else None, **how)
        self.page.mouse.move(width / 2, browser.HEIGHT / 2)

    def read(self, cards, step=400, pause=25):
        """Scrolls like a reader until there are enough cards."""
        for _ in range(800):
            if self.page.locator(places.CARDS).count() >= cards:
                return
            self.page.mouse.wheel(0, step)
            self.page.wait_for_timeout(pause)
        self.fail(f"only {self.page.locator(places.CARDS).count()} of {cards} cards were added")

    def numbers(self):
        """The numbers of the characters with cards, in order. Also checks the links of the cards."""
        hrefs = self.page.eval_on_selector_all(places.CARDS + " a", "(links) => links.map((link) => link.href)")
        start, end = self.home.address + "character/", ".html"
        self.assertEqual([href for href in hrefs if not (href.startswith(start) and href.endswith(end))], [], "wrong links")
        return [int(href[len(start) : -len(end)]) for href in hrefs]

    def in_order(self, first=1):
        numbers = self.numbers()
        self.assertEqual(numbers, list(range(first, first + len(numbers))))
        return len(numbers)

    def test_no_visible_card_moves_while_pages_are_appended(self):
        for width, step in ((1280, 300), (320, 400)):
            with self.part(width=width):
                self.start(delay=0.15, width=width)
                self.observe("settled")
                self.observe("followCards")
                self.read(7 * PAGE, step)
                self.observe("settled")
                self.assertGreater(self.page.evaluate("observe.frames"), 30)
                self.assertEqual(self.page.evaluate("observe.moves"), [])
                # Only the loading sign moves, with the end of the list.
                others = [shift for shift in self.observe("shifts") if not all(what.startswith("div.reading-on") for what in shift["what"])]
                self.assertEqual(others, [])

    def test_nothing_moves_when_the_list_is_painted_first(self):
        for width in browser.WIDTHS:
            with self.part(width=width):
                self.open("page/3.html", fresh=True, width=width, serving={"halves": b'<nav class="pager"'})
                self.observe("settled", 500)
                self.assertEqual(self.observe("shifts"), [])

    def test_pages_are_fetched_three_at_a_time_and_appended_in_order(self):
        # No page is answered before three are requested, so a smaller wave fails.
        self.start(barrier=threading.Barrier(3, timeout=20))
        self.read(10 * PAGE)
        self.in_order()
        asked = self.server.asked("/page/*.html")
        waves = [asked[place : place + 3] for place in range(0, 6, 3)]
        for first, wave in zip((2, 5), waves):
            self.assertEqual(sorted(request.path for request in wave), [f"/page/{number}.html" for number in range(first, first + 3)])
        self.assertEqual(max(request.flying for request in asked), 3)
        self.assertLessEqual(max(request.end for request in waves[0]), min(request.start for request in waves[1]))
        self.assertEqual(len({request.path for request in asked}), len(asked), "a page was requested twice")

    def test_infinite_scrolling_starts_on_any_page(self):
        self.start("page/3.html")
        self.read(5 * PAGE)
        self.in_order(first=2 * PAGE + 1)

    def test_a_sign_shows_while_pages_load(self):
        seen = threading.Event()
        self.addCleanup(seen.set)
        self.start(barrier=seen, reduced=True)
        self.page.keyboard.press("End")
        self.page.locator(places.LOADING).wait_for(state="attached")
        self.assertEqual(self.observe("running"), [], "motion despite reduced motion")
        seen.set()
        self.read(2 * PAGE)
        self.page.locator(places.LOADING).wait_for(state="detached")

    def test_trying_again_after_an_error_continues(self):
        self.start(failures={"/page/3.html": 1})
        self.expect_problem("503")
        self.page.keyboard.press("End")
        again = self.page.locator(places.TRY_AGAIN)
        again.wait_for()
        self.assertTrue(again.inner_text().strip())
        self.in_order()
        again.click()
        self.wait("(cards) => document.querySelectorAll(cards).length >= 60", places.CARDS)
        self.assertFalse(again.is_visible())
        self.read(6 * PAGE)
        self.in_order()

    def test_the_address_is_that_of_the_visible_page(self):
        self.start()
        self.read(4 * PAGE)
        self.page.locator(places.CARDS).nth(2 * PAGE + 10).scroll_into_view_if_needed()
        self.page.evaluate("(card) => document.querySelectorAll(card)[50].scrollIntoView({block: 'start', behavior: 'instant'})", places.CARDS)
        self.wait("() => location.pathname.endsWith('/page/3.html')")
        self.in_order()
        self.observe("settled")
        named = "[...document.querySelectorAll('a[href], img[src], link[rel~=icon], link[rel=manifest]')].map((element) => element.href || element.src)"
        astray = {address for address in self.page.evaluate(named) if not self.has(address.removeprefix(self.home.address).partition("#")[0])}
        self.assertEqual(astray, set(), "links are broken after the address changed")
        other = self.page.context.new_page()
        other.goto(self.address())
        self.assertEqual(browser.observe(other, "cards")[0]["href"], self.home.address + "character/41.html")
        other.close()
        self.page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
        self.wait("() => !location.pathname.includes('/page/')")

    def test_back_from_a_card_restores_cards_and_position(self):
        for width in browser.WIDTHS:
            with self.part(width=width):
                self.start(width=width, delay=0.05)
                self.read(5 * PAGE)
                self.page.evaluate(
                    "(card) => { const at = document.querySelectorAll(card)[66].getBoundingClientRect(); scrollBy({top: at.top - 200, behavior: 'instant'}); }",
                    places.CARDS)
                self.observe("settled")
                before = self.observe("cards")
                # Playwright scrolls to a card that the header and the filters cover.
                chosen = next(card for card in before if card["top"] > 160)
                for _ in range(2):
                    self.page.locator(f"{places.CARDS} a[href$='{chosen['href'].rpartition('/')[2]}']").last.click()
                    self.page.wait_for_url(chosen["href"])
                    self.page.go_back()
                    self.wait("(count) => window.observe && observe.cards().length >= count", len(before))
                    self.observe("settled")
                    after = self.observe("cards")
                    self.assertEqual([card["href"] for card in after[: len(before)]], [card["href"] for card in before])
                    place = next(card["top"] for card in after if card["href"] == chosen["href"])
                    self.assertLessEqual(abs(place - chosen["top"]), 2, f"{chosen['name']} came back at {place}, was at {chosen['top']}")

    def test_the_last_page_ends_the_list(self):
        self.start("page/38.html")
        everybody = len(site.characters("sample"))
        self.read(everybody - 37 * PAGE, 2000, 10)
        asked = len(self.server.asked("/page/*.html"))
        self.page.keyboard.press("End")
        self.observe("settled", 300)
        self.assertEqual(self.in_order(first=37 * PAGE + 1), everybody - 37 * PAGE)
        self.assertEqual(len(self.server.asked("/page/*.html")), asked)
        self.assertEqual(self.page.locator(places.LOADING).count(), 0)
        self.assertTrue(self.page.locator("footer.foot").is_visible())

    def test_the_pager_remains_from_a_disk_and_by_choice(self):
        for over, kept in (("file", ()), ("http", (("reading", "pages"),))):
            with self.part(over=over):
                self.start(over=over, kept=kept)
                self.page.keyboard.press("End")
                self.observe("settled", 300)
                self.assertEqual(self.page.locator(places.CARDS).count(), PAGE)
                self.page.locator(f"{places.PAGER} a[rel=next]").click()
                self.page.wait_for_url(self.home.address + "page/2.html")

    def read_to_page_3(self):
        self.start()
        self.read(4 * PAGE)
        self.page.evaluate("(card) => document.querySelectorAll(card)[50].scrollIntoView({block: 'start', behavior: 'instant'})", places.CARDS)
        self.wait("() => location.pathname.endsWith('/page/3.html')")
        self.observe("settled")

    def test_the_list_starts_again_after_a_new_build(self):
        with open(os.path.join(site.folder("sample"), "scripts", "texts.en.js"), encoding="utf-8") as file:
            texts = file.read()
        for way in ("reload", "go_back"):
            with self.part(way=way):
                self.read_to_page_3()
                if way == "go_back":
                    self.goto("about.html")
                self.server.changes["/scripts/texts.en.js"] = texts + "\namber.build = 'another';\n"
                getattr(self.page, way)()
                self.observe("settled")
                self.in_order(first=2 * PAGE + 1)

    def test_an_incomplete_stored_list_is_ignored(self):
        self.read_to_page_3()
        self.page.add_init_script("""if (history.state?.amberReading) {
            const { list, place, ...record } = JSON.parse(sessionStorage.getItem(history.state.amberReading));
            sessionStorage.setItem(history.state.amberReading, JSON.stringify(record));
        }""")
        self.page.reload()
        self.observe("settled")
        self.read(2 * PAGE)
        self.in_order(first=2 * PAGE + 1)

    def test_old_stored_lists_are_removed_for_new_ones(self):
        self.start()
        self.page.evaluate("""() => {
            const filler = 'x'.repeat(100000);
            let number = 1000;
            try { for (;;) sessionStorage.setItem('amber.reading.' + number++, filler); } catch {}
            for (let length = 65536; length; length >>= 1) try { sessionStorage.setItem('rest' + length, 'x'.repeat(length)); } catch {}
        }""")
        self.read(4 * PAGE)
        count = self.page.locator(places.CARDS).count()
        self.page.reload()
        self.observe("settled")
        self.assertGreaterEqual(self.page.locator(places.CARDS).count(), count)
        kept = self.page.evaluate("Object.keys(sessionStorage)")
        self.assertNotIn("amber.reading.1000", kept)
        self.assertIn("amber.reading.1010", kept)
