"""After a first visit pages seen once, and the search, work without network."""
from . import browser, places
from .server import Server


class OfflineTest(browser.BrowserTest):
    def test_pages_seen_once_and_the_search_work_without_network(self):
        # Of its own, since it ends before the test does. It forbids the browser's own cache to keep anything.
        self.open(fresh=True, workers="allow")
        server = Server(self.home.folder)
        self.home.address = self.watch.home = server.address
        stopped = False
        try:
            self.goto("index.html")
            self.observe("settled")
            controlled = "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller || new Promise((done) => navigator.serviceWorker.oncontrollerchange = done)).then(() => true)"
            self.assertTrue(self.page.evaluate(f"Promise.race([{controlled}, new Promise((done) => setTimeout(() => done(false), 5000))])"), "no service worker")
            self.goto("character/1.html")
            self.observe("settled")
            name = self.page.locator("h1").inner_text()
            self.goto("ru/episode/1.html")
            self.observe("settled", 500)
            server.stop()
            stopped = True
            asked = len(server.requests)

            self.goto("index.html")
            self.observe("settled")
            self.assertEqual(self.page.locator(places.CARDS).count(), 20)
            first = "(() => { const image = document.querySelector('.card img'); return image.complete && image.naturalWidth > 0; })()"
            self.assertTrue(self.page.evaluate(first), "the first picture is gone")
            self.assertNotEqual(self.page.evaluate("document.styleSheets.length && document.styleSheets[0].cssRules.length"), 0)
            self.goto("character/1.html")
            self.assertEqual(self.page.locator("h1").inner_text(), name)
            self.goto("ru/episode/1.html")
            self.assertTrue(self.page.locator("h1").is_visible())

            self.goto("search.html")
            self.page.locator(places.SEARCH_BOX).fill(name.split()[0])
            self.wait("(results) => [...document.querySelectorAll(results)].some((link) => link.href.endsWith('/character/1.html'))", places.RESULTS)
            self.assertEqual(len(server.requests), asked)
            # Pages further on are not there; reading on says so, and that is all.
            self.expect_problem("/page/|avatar/")
        finally:
            if not stopped:
                server.stop()
