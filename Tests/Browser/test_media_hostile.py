"""Hostile media are shown as text. Descriptions of books keep only the elements of texts, with and without the security policy."""
import functools
import json
import os
import re

from . import browser, hostile_media, kinds, media, site

ALLOWED = set("""a abbr b blockquote br caption cite code dd del div dl dt em figcaption figure h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre q
s samp small strong sub sup table tbody td th thead time tr ul var""".split())
# The attributes that elements of a text can have. A wide table scrolls in a box that can have the focus.
ATTRIBUTES = {
    ("a", "href"): r"https?://[a-z].*", ("a", "rel"): "nofollow", ("div", "class"): "scroll", ("div", "tabindex"): "0",
    ("abbr", "title"): ".*", ("time", "datetime"): r"[\dT:.+PZ-]+", ("td", "colspan"): r"\d+", ("td", "rowspan"): r"\d+", ("th", "colspan"): r"\d+", ("th", "rowspan"): r"\d+", ("ol", "start"): r"-?\d+",
}
# Some descriptions are harmless: words, comments or lists.
HARMLESS = 6
POLICY = r'<meta http-equiv="Content-Security-Policy"[^>]*>'

# The elements, attributes and comments of a description, and whether the page around it is intact.
READ = """() => {
  const description = document.querySelector('main .description');
  const inside = description ? [...description.querySelectorAll('*')] : [];
  return {
    hacked: 'hacked' in window, names: [...new Set(inside.map((element) => element.localName))],
    attributes: inside.flatMap((element) => [...element.attributes].map(({ name, value }) => [element.localName, name, value])),
    comments: document.evaluate('count(//comment())', document, null, XPathResult.NUMBER_TYPE).numberValue,
    text: description?.textContent ?? '', policy: !!document.querySelector('meta[http-equiv]'),
    whole: [...document.querySelectorAll('body > main, body > footer.foot, body > header.top, main > article, main .about > .description, main h1, main .neighbours')]
      .map((element) => element.localName + (element.className && '.' + element.className.split(' ')[0])),
  };
}"""
WHOLE = ["header.top", "main", "article.person", "h1", "div.description", "nav.neighbours", "footer.foot"]


def odd(found):
    """The elements and attributes that no text has."""
    return [name for name in found["names"] if name not in ALLOWED] + [
        (element, name, value) for element, name, value in found["attributes"] if not re.fullmatch(ATTRIBUTES.get((element, name), "(?!)"), value)]


@functools.cache
def pages():
    """The pages to read, by path."""
    root = site.folder("media hostile")
    found = [os.path.relpath(os.path.join(parent, name), root) for parent, _, files in os.walk(root) for name in files if name.endswith(".html")]
    # The other language has the same templates, so some of its pages are enough.
    other = ("ru/index", "ru/found", "ru/search", "ru/media.html", "ru/completeness", "ru/song-us/100", "ru/movie-us/300")
    found = [path for path in found if not site.forwards(os.path.join(root, path))]
    return kinds.some(sorted(path for path in found if path != "404.html" and (not path.startswith("ru/") or path.startswith(other))))


class MediaHostileTest(browser.BrowserTest):
    site = "media hostile"

    def test_html_in_a_description_is_inert_with_and_without_the_policy(self):
        paths = [f"book-us/{5000 + number}.html" for number in range(len(hostile_media.EVIL))]
        for policy, paths in ((True, kinds.some(paths)), (False, paths)):
            changes = {} if policy else {f"/{path}": re.sub(POLICY, "", media.read(self.site, path)) for path in paths}
            self.open("about.html", fresh=True, serving={"changes": changes})
            for path in paths:
                with self.part(path=path, policy=policy):
                    self.goto(path)
                    self.page.mouse.move(300, 500)
                    found = self.page.evaluate(READ)
                    self.assertEqual(found["policy"], policy)
                    self.assertFalse(found["hacked"], "a script of the data ran")
                    self.assertEqual(odd(found), [])
                    self.assertEqual(found["comments"], 0)
                    self.assertEqual(found["whole"], WHOLE)
                    self.assertIn(hostile_media.KEPT, found["text"])
                    self.assertTrue(self.page.locator("main .description p").first.is_visible())

    def test_the_same_html_is_harmful_without_sanitizing(self):
        """Otherwise the test above would prove nothing."""
        self.open("about.html", fresh=True)
        self.expect_problem("")
        self.page.route("https://evil.example/**", lambda route: route.abort())
        path = "book-us/5000.html"
        page = re.sub(POLICY, "", media.read(self.site, path))
        harmless = []
        for evil in hostile_media.EVIL:
            self.server.changes[f"/{path}"] = re.sub(
                r'(<div class="description"[^>]*>).*?</div>', lambda found: f"{found[1]}{evil}</div>", page, count=1, flags=re.DOTALL)
            try:
                self.goto(path)
                found = self.page.evaluate(READ)
            except Exception:
                # The page was left.
                continue
            if not found["hacked"] and found["whole"] == WHOLE and not odd(found):
                harmless.append(evil)
        self.assertLessEqual(len(harmless), HARMLESS, harmless)

    def test_every_page_shows_hostile_values_as_text(self):
        self.open("about.html", bypass_csp=True, fresh=True, kept=browser.NO_SCROLLING)
        for path in pages():
            with self.part(path=path):
                self.goto(path)
                found = self.page.evaluate("""() => ({
                    hacked: 'hacked' in window, main: document.querySelectorAll('body > main').length,
                    handlers: observe.shapes().filter((shape) => /\\[on|iframe|object|embed|\\[style\\]/.test(shape)),
                    scripts: observe.scripts(), links: [...document.querySelectorAll('a[href]')].map((link) => [link.getAttribute('href'), link.rel]),
                    images: [...document.images].map((image) => image.getAttribute('src')),
                    data: [...document.querySelectorAll('script[type="application/ld+json"]')].map((script) => script.textContent),
                })""")
                self.assertFalse(found["hacked"], "a script of the data ran")
                self.assertEqual((found["main"], found["handlers"]), (1, []))
                self.assertEqual([script for script in found["scripts"] if not re.fullmatch(r"/(scripts/[\w.-]+|search-index[\w.-]*)\.js|application/ld\+json", script)], [])
                # A link with a scheme has a web address and is marked as external.
                astray = [(link, rel) for link, rel in found["links"] if re.match(r"\s*([a-z][a-z0-9+.-]*:|//)", link.removeprefix(self.home.address), re.I)
                          and not (re.match("https?://[a-z]", link) and rel in ("external", "nofollow"))]
                self.assertEqual(astray, [])
                self.assertEqual([image for image in found["images"] if not re.fullmatch(r"(\.\./)*(artwork/[\w-]+/\d+\.png|placeholder\.svg)", image.removeprefix(self.home.address))], [])
                for text in found["data"]:
                    json.loads(text)

    def test_refused_values_are_reported_and_broken_results_have_no_link(self):
        path = next(path for path in pages() if path.startswith("found/script"))
        for home, words in (("", "This result cannot be shown: "), ("ru/", "Не удаётся показать этот результат: ")):
            with self.part(home=home or "en"):
                page = self.open(home + path)
                broken = page.locator("main .result .broken")
                # Their own links are refused, or their number or title is unusable.
                paragraphs = broken.locator("p").all_inner_texts()
                self.assertEqual(len(paragraphs), len(hostile_media.LINKS) + 4)
                self.assertEqual([text for text in paragraphs if not text.startswith(words)], [])
                self.assertEqual(page.locator("main .result:has(.broken) a").count(), 0)
        gaps = [f"{gap['keyPath']} {gap['reason']}" for gap in json.loads(media.read(self.site, "completeness.json"))["gaps"]]
        for member in ("trackViewUrl", "artistViewUrl", "collectionArtistViewUrl", "collectionViewUrl"):
            with self.subTest(member=member):
                named = {found[1] for gap in gaps if (found := re.search(rf'\.{member} is "(.*)", which is no address on the web', gap))}
                self.assertEqual(len(named), len(hostile_media.LINKS))
                self.assertLessEqual({"javascript:window.hacked=1", "data:text/html,<script>window.hacked=1</script>"}, named)
