"""Each page exists in both languages, and a switch leads from one to the other."""
import os
import re

from . import browser, kinds, places, site

WORD = r"(\d+)[\s\u00a0]+(эпизод[а-я]*)"

# The visible words that begin on one line and end on another. Addresses and digests may be divided.
DIVIDED = r"""() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
    const divided = [], range = document.createRange(), texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text; (text = texts.nextNode());) {
        if (text.parentElement.closest('code, .address, .skip, select, script, a[download]')) continue;
        for (const word of text.data.matchAll(/[\p{L}\p{N}]+/gu)) {
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            if (new Set([...range.getClientRects()].filter((box) => box.width).map((box) => Math.round(box.top))).size > 1) divided.push(word[0]);
        }
    }
    return divided;
}"""


def plural(count):
    """The Russian word for a number of episodes: CLDR's one, few, many."""
    if count % 10 == 1 and count % 100 != 11:
        return "эпизод"
    return "эпизода" if count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14) else "эпизодов"


class LanguagesTest(browser.BrowserTest):
    def test_the_switch_stays_on_the_same_page(self):
        for over, scripts, known in (("http", True, kinds.ENGLISH), ("file", False, ("list-2", "character", "search"))):
            for kind, path in kinds.chosen(known).items():
                with self.part(over=over, kind=kind):
                    page = self.open(path, over=over, scripts=scripts, kept=browser.NO_SCROLLING)
                    for language, home in (("ru", "ru/"), ("en", "")):
                        page.locator(places.SWITCH.format(language=language)).first.click()
                        page.wait_for_url(self.home.address + home + path, wait_until="domcontentloaded")
                        self.assertEqual(page.evaluate("[document.documentElement.lang, document.documentElement.getAttribute('xml:lang')]"), [language] * 2)

    def test_pages_link_to_their_other_languages(self):
        for kind, path in kinds.chosen(kinds.ENGLISH).items():
            for here in (path, "ru/" + path):
                with self.subTest(path=here), open(os.path.join(site.folder("sample"), here), encoding="utf-8") as file:
                    links = dict(re.findall(r'<link rel="alternate" hreflang="([^"]+)" href="([^"]+)"', file.read()))
                    links = {language: os.path.normpath(os.path.join(os.path.dirname(here), link)) for language, link in links.items()}
                    self.assertEqual(links, {"en": path, "ru": "ru/" + path, "x-default": path})

    def language(self, page=None):
        return (page or self.page).evaluate("document.documentElement.lang")

    def test_a_visit_that_begins_at_the_root_follows_the_browser_once(self):
        for over in ("http", "file"):
            with self.part(over=over):
                self.open("index.html#status=dead", over=over, fresh=True, locale="ru-RU")
                self.page.wait_for_url(self.home.address + "ru/index.html#status=dead")
                self.goto("index.html")
                self.page.wait_for_timeout(300)
                self.assertEqual(self.language(), "en")

    def test_no_other_page_follows_the_browser(self):
        for path, language, how in (
                ("page/2.html", "en", {}), ("character/1.html", "en", {}), ("search.html", "en", {}), ("ru/index.html", "ru", {"locale": "en-US"}),
                ("index.html", "en", {"locale": "de-DE"}), ("index.html", "en", {"scripts": False})):
            with self.part(path=path, how=how):
                self.open(path, fresh=True, **{"locale": "ru-RU", **how})
                self.page.wait_for_timeout(300)
                self.assertEqual(self.language(), language)

    def test_a_chosen_language_is_remembered(self):
        for locale, language, home in (("en-US", "ru", "ru/"), ("ru-RU", "en", "")):
            with self.part(locale=locale):
                self.open("character/1.html" if language == "ru" else "ru/character/1.html", fresh=True, locale=locale)
                self.page.locator(places.SWITCH.format(language=language)).first.click()
                self.page.wait_for_url(self.home.address + home + "character/1.html")
                page = self.page.context.new_page()
                page.goto(self.home.address + "index.html")
                page.wait_for_url(self.home.address + home + "index.html")
                page.wait_for_timeout(300)
                self.assertEqual(self.language(page), language)

    def test_values_are_russian_and_unknown_ones_are_marked(self):
        texts = {
            "ru/character/1.html": ("main dd", "Островитянин"), "ru/index.html": ("main .card .species", "Островитянин"),
            "ru/locations.html": ("main td", "Гавань"), "ru/species/islander.html": ("h1", "Персонажи: Островитянин"),
            "ru/figures.html": (".of-species li", "Островитянин"), "ru/index.html#species=islander": (".found .species", "Островитянин")}
        for path, (selector, text) in texts.items():
            with self.part(path=path):
                self.open(path, fresh=True)
                found = self.page.locator(selector).filter(has_text=text).first
                found.wait_for(state="attached")
                self.assertEqual(found.evaluate("(element) => element.closest('[lang]').lang"), "ru")
        self.open("ru/locations.html")
        latin = "(cells) => cells.map((cell) => cell.textContent).filter((text) => /[a-z]{3}/i.test(text))"
        self.assertEqual(self.page.eval_on_selector_all("main td[data-label] span, main .values li span:not(.count)", latin), [])

    def test_no_word_of_the_real_data_is_divided_on_narrow_screens(self):
        for path in (
                "character/122", "character/135", "character/296", "character/456", "character/797", "location/3", "location/8", "location/37", "episode/18",
                "episode/46", "dimension/post-apocalyptic-dimension", "type/interdimensional-gaseous-being"):
            with self.part(path=path):
                self.open(f"ru/{path}.html", site="real", width=320)
                self.assertEqual(self.page.evaluate(DIVIDED), [])

    def test_served_names_are_marked_as_english_on_russian_pages(self):
        for kind in ("list", "character", "episode", "location"):
            with self.part(kind=kind):
                self.open(kinds.RUSSIAN[f"ru-{kind}"])
                unmarked = self.page.evaluate("""() => [...document.querySelectorAll('main .name:not(summary .name), article h1')]
                    .filter((name) => name.textContent.trim() && (name.closest('[lang]').lang !== 'en' && !name.querySelector('[lang=en]')))
                    .map((name) => name.textContent.trim())""")
                self.assertEqual(unmarked, [])
                self.assertGreater(self.page.locator("main [lang=en]").count(), 0)

    def test_russian_pages_have_russian_texts_and_divide_no_word_on_narrow_screens(self):
        for kind, path in kinds.chosen(kinds.RUSSIAN).items():
            with self.part(kind=kind):
                self.open(path, width=320)
                words = self.page.evaluate("""() => [...document.querySelectorAll('nav a, h1, h2, h3, dt, th, label, button, legend, .skip, figcaption')]
                    .filter((element) => !element.closest('[lang=en]') && !element.querySelector('[lang=en]'))
                    .map((element) => element.textContent.trim()).filter((text) => /[a-z]{3}/i.test(text) && !/[а-яё]/i.test(text))""")
                allowed = {"English", "Amber", "SHA-256"}
                self.assertEqual([text for text in words if text not in allowed], [])
                self.assertEqual(self.page.evaluate(DIVIDED), [])

    def test_russian_plurals_follow_their_rules(self):
        seen = set()
        for number in site.characters("sample"):
            with open(os.path.join(site.folder("sample"), "ru", "character", f"{number}.html"), encoding="utf-8") as file:
                for count, word in re.findall(WORD, file.read(), re.IGNORECASE):
                    seen.add(plural(int(count)))
                    self.assertEqual(word.lower(), plural(int(count)), f"{count} {word}, character {number}")
        self.assertEqual(seen, {"эпизод", "эпизода", "эпизодов"})

    def test_statuses_agree_with_gender(self):
        words = {}
        self.open("ru/character/1.html", scripts=False)
        wanted = {}
        for number, character in site.characters("sample").items():
            wanted.setdefault((character["gender"], character["status"]), number)
        for (gender, status), number in wanted.items():
            self.goto(f"ru/character/{number}.html")
            words[gender, status] = self.page.locator("main .mood").first.inner_text().strip()
        self.assertEqual([word for word in words.values() if not re.search("[а-яё]", word, re.I)], [])
        self.assertNotEqual(words["Male", "Alive"], words["Female", "Alive"])
        self.assertNotEqual(words["Male", "Dead"], words["Female", "Dead"])
        self.assertEqual((words["Male", "Alive"], words["Female", "Alive"]), ("Жив", "Жива"))

    def test_the_switch_keeps_filters_and_query(self):
        for path, hash in (("index.html", "#status=dead"), ("search.html", "#q=a%20b")):
            with self.part(path=path):
                self.open(path + hash, fresh=True)
                for language, home in (("ru", "ru/"), ("en", "")):
                    self.page.locator(places.SWITCH.format(language=language)).first.click()
                    self.page.wait_for_url(self.home.address + home + path + hash)
        # A query that was just typed, opened in a new tab.
        self.page.locator(places.SEARCH_BOX).fill("darrow")
        with self.page.context.expect_page() as opened:
            self.page.locator(places.SWITCH.format(language="ru")).first.click(button="middle")
        opened.value.wait_for_url(self.home.address + "ru/search.html#q=darrow")
        opened.value.close()
        # With the keyboard.
        self.page.locator(places.SEARCH_BOX).fill("vane")
        self.page.locator(places.SWITCH.format(language="ru")).first.press("Enter")
        self.page.wait_for_url(self.home.address + "ru/search.html#q=vane")

    def test_the_switch_follows_infinite_scrolling(self):
        self.open("index.html", fresh=True)
        self.page.keyboard.press("End")
        self.wait("(cards) => document.querySelectorAll(cards).length >= 80", places.CARDS)
        self.page.evaluate("(card) => document.querySelectorAll(card)[50].scrollIntoView({block: 'start', behavior: 'instant'})", places.CARDS)
        self.wait("() => location.pathname.endsWith('/page/3.html')")
        self.page.locator(places.SWITCH.format(language="ru")).first.evaluate("(link) => link.click()")
        self.page.wait_for_url(self.home.address + "ru/page/3.html")
