"""After a first visit pages seen once, and the search, work without network."""
from . import browser, places

# Whether the service worker stands between within five seconds.
CONTROLLED = """() => Promise.race([
    navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller
        || new Promise((done) => { navigator.serviceWorker.oncontrollerchange = done; })).then(() => true),
    new Promise((done) => setTimeout(() => done(false), 5000)),
])"""


class OfflineTest(browser.BrowserTest):
    def test_pages_seen_once_and_the_search_work_without_network(self):
        # The server forbids the browser's own cache to keep anything.
        self.open("index.html", fresh=True, own=True, workers="allow")
        self.observe("settled")
        self.assertTrue(self.page.evaluate(CONTROLLED), "no service worker")
        self.goto("character/1.html")
        self.observe("settled")
        name = self.page.locator("h1").inner_text()
        self.goto("ru/episode/1.html")
        self.observe("settled", 500)
        self.server.stop()
        # What was never seen cannot be there: pictures further down, pages to read on, and one page that is asked for below.
        self.expect_problem("avatar/|/page/|/character/2.html|ERR_CONNECTION_REFUSED|ERR_FAILED")

        self.goto("index.html")
        self.observe("settled")
        self.assertEqual(self.page.locator(places.CARDS).count(), 20)
        first = "(() => { const image = document.querySelector('.card img'); return image.complete && image.naturalWidth > 0; })()"
        self.assertTrue(self.page.evaluate(first), "the first picture is gone")
        self.assertGreater(self.page.evaluate("document.styleSheets[0].cssRules.length"), 0)
        self.goto("character/1.html")
        self.assertEqual(self.page.locator("h1").inner_text(), name)
        self.goto("ru/episode/1.html")
        self.assertTrue(self.page.locator("h1").is_visible())

        # The search was never seen: it is kept before it is wanted.
        self.goto("search.html")
        self.page.locator(places.SEARCH_BOX).fill(name.split()[0])
        self.wait("(results) => [...document.querySelectorAll(results)].some((link) => link.href.endsWith('/character/1.html'))", places.RESULTS)

        # Of what was not seen the reader is told.
        self.goto("character/2.html")
        self.assertTrue(self.page.locator("body").inner_text().strip())
