"""After a first visit, seen pages and the search work without a network."""
import os

from . import browser, places, server, site

# Whether the service worker controls the page within five seconds.
CONTROLLED = """() => Promise.race([
    navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller
        || new Promise((done) => { navigator.serviceWorker.oncontrollerchange = done; })).then(() => true),
    new Promise((done) => setTimeout(() => done(false), 5000)),
])"""

# Waits until the cached page of an address contains a text or, for null, is gone.
KEPT = """async ([address, part]) => {
    for (let turn = 0; turn < 60; turn += 1) {
        const found = await caches.match(address);
        const text = found ? await found.text() : null;
        if (part === null ? text === null : text?.includes(part)) return true;
        await new Promise((done) => setTimeout(done, 50));
    }
    return false;
}"""


class OfflineTest(browser.BrowserTest):
    def start(self, serving=None):
        # The service worker may cache these answers, and the browser's own cache asks the server each time.
        serving = {"caching": {"*": "no-cache"}, **(serving or {})}
        self.open("index.html", fresh=True, own=True, workers="allow", serving=serving)
        self.observe("settled")
        self.assertTrue(self.page.evaluate(CONTROLLED), "no service worker")

    def keeps(self, path, part=""):
        """Waits until the cached page contains a text or, for None, is gone."""
        self.assertTrue(self.page.evaluate(KEPT, [self.home.address + path, part]), f"{path} is not cached as expected")

    def build(self, name):
        """Publishes a new build."""
        for path in ("scripts/texts.en.js", "search-index.js"):
            with open(os.path.join(self.home.folder, path), encoding="utf-8") as file:
                self.server.changes["/" + path] = f"{file.read()}\namber.build = '{name}';\n"

    def test_seen_pages_and_the_search_work_offline(self):
        self.start()
        self.goto("character/1.html")
        self.observe("settled")
        name = self.page.locator("h1").inner_text()
        self.goto("ru/episode/1.html")
        self.observe("settled", 500)
        self.server.stop()
        # Unseen content is missing: further pictures, further list pages, and one page below.
        self.expect_problem("avatar/|/page/|/character/2.html|ERR_CONNECTION_REFUSED|ERR_FAILED")

        self.goto("index.html")
        self.observe("settled")
        self.assertEqual(self.page.locator(places.CARDS).count(), 20)
        first = "(() => { const image = document.querySelector('.card img'); return image.complete && image.naturalWidth > 0; })()"
        self.assertTrue(self.page.evaluate(first), "the first picture is missing")
        self.assertGreater(self.page.evaluate("document.styleSheets[0].cssRules.length"), 0)
        self.goto("character/1.html")
        self.assertEqual(self.page.locator("h1").inner_text(), name)
        self.goto("ru/episode/1.html")
        self.assertTrue(self.page.locator("h1").is_visible())

        # The search was cached before its first use.
        self.goto("search.html")
        self.page.locator(places.SEARCH_BOX).fill(name.split()[0])
        self.wait("(results) => [...document.querySelectorAll(results)].some((link) => link.href.endsWith('/character/1.html'))", places.RESULTS)

        # An unseen page says that the reader is offline.
        for path, title, home in (("character/2.html", "You are offline", "index.html"), ("ru/character/2.html", "Нет подключения к сети", "ru/index.html")):
            self.goto(path)
            self.assertEqual(self.page.locator("h1").inner_text(), title)
            self.assertGreater(self.page.evaluate("document.styleSheets[0].cssRules.length"), 0)
            self.page.locator("main a").click()
            self.page.wait_for_url(self.home.address + home)
            self.assertTrue(self.page.locator("main .cards").first.is_visible())

    def test_the_cached_index_is_that_of_the_last_build(self):
        self.start()
        self.keeps("search-index.js")
        for name in ("first", "second"):
            self.build(name)
            self.goto("about.html")
            self.keeps("search-index.js", name)
        self.observe("settled")
        asked = len(self.server.asked("/search-index.js"))
        self.goto("index.html")
        self.observe("settled", 300)
        self.assertEqual(len(self.server.asked("/search-index.js")), asked, "fetched again for the same build")

    def test_a_removed_page_leaves_the_cache(self):
        self.start()
        self.goto("character/1.html")
        self.keeps("character/1")
        self.server.changes["/character/1.html"] = None
        self.expect_problem("404")
        self.goto("character/1.html")
        self.goto("index.html")
        self.keeps("character/1", None)

    def test_answers_that_forbid_copies_are_not_cached(self):
        self.start()
        self.goto("character/1.html")
        self.keeps("character/1")
        # An earlier copy is removed too.
        self.server.caching = {"/character/1.html": "max-age=60, No-Store", "/character/2.html": "private", "*": "no-cache"}
        for number in (1, 2, 3):
            self.goto(f"character/{number}.html")
        self.keeps("character/3")
        for number in (1, 2):
            self.keeps(f"character/{number}", None)

    def test_a_redirect_to_another_origin_is_not_cached(self):
        other = server.Server("")
        self.addCleanup(other.stop)
        other.changes = {"/search.html": "<p>another origin</p>"}
        other.caching = {"*": "no-cache"}
        self.start({"redirects": {"/search.html": other.address + "search.html"}})
        self.expect_problem(".")
        self.goto("index.html")
        self.observe("settled", 500)
        self.assertTrue(other.asked("/search.html"), "the worker did not request the page")
        self.assertFalse(self.page.evaluate(KEPT, [self.home.address + "search", "another origin"]), "another origin's page is cached")

    def test_answers_to_a_query_are_not_cached(self):
        self.start()
        for path in ("character/4.html?id=7", "character/5.html"):
            self.goto(path)
        self.keeps("character/5")
        self.keeps("character/4", None)

    def test_answers_of_the_api_are_not_cached(self):
        self.start()
        ask = "async (paths) => { for (const path of paths) await (await fetch(path)).text(); }"
        self.page.evaluate(ask, ["api/character/1.json", "api/character/page/1.json", "api/character/avatar/1.jpeg", "about.html"])
        self.keeps("about", "<html")
        for path in ("api/character/1.json", "api/character/page/1.json", "api/character/avatar/1.jpeg"):
            self.keeps(path, None)

    def test_pages_load_if_the_cache_is_refused(self):
        with open(os.path.join(site.folder("sample"), "sw.js"), encoding="utf-8") as file:
            worker = "caches.open = () => Promise.reject(new DOMException('refused', 'SecurityError'));\n" + file.read()
        self.start(serving={"changes": {"/sw.js": worker}})
        self.goto("character/1.html")
        self.assertTrue(self.page.locator("h1").is_visible())
