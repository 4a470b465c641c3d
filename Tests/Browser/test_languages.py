"""Each page exists in both languages, and a switch leads from one to the other."""
import os
import re

from . import browser, kinds, places, site

WORD = r"(\d+)[\s\u00a0]+(эпизод[а-я]*)"


def plural(count):
    """The Russian word for a number of episodes: CLDR's one, few, many."""
    if count % 10 == 1 and count % 100 != 11:
        return "эпизод"
    return "эпизода" if count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14) else "эпизодов"


class LanguagesTest(browser.BrowserTest):
    def test_the_switch_stays_on_the_same_page(self):
        for over, scripts in (("http", True), ("file", False)):
            for kind, path in kinds.chosen(kinds.ENGLISH).items():
                with self.part(over=over, kind=kind):
                    page = self.open(path, over=over, scripts=scripts)
                    for language, home in (("ru", "ru/"), ("en", "")):
                        page.locator(places.SWITCH.format(language=language)).first.click()
                        page.wait_for_url(self.home.address + home + path)
                        self.assertEqual(page.evaluate("[document.documentElement.lang, document.documentElement.getAttribute('xml:lang')]"), [language] * 2)

    def test_pages_link_to_their_other_languages(self):
        for kind, path in kinds.chosen(kinds.ENGLISH).items():
            for here in (path, "ru/" + path):
                with self.part(path=here):
                    self.open(here)
                    links = self.page.evaluate(
                        "Object.fromEntries([...document.querySelectorAll('link[rel=alternate][hreflang]')].map((link) => [link.hreflang, link.href]))")
                    for language, home in (("ru", "ru/"), ("en", "")):
                        if language in links or not here.startswith(home or "ru"):
                            self.assertEqual(links.get(language), self.home.address + home + path)

    def test_the_language_of_the_browser_does_not_redirect(self):
        self.open(fresh=True)
        context = browser.chromium().new_context(locale="ru-RU")
        self.addCleanup(context.close)
        page = context.new_page()
        page.goto(self.home.address + "index.html")
        self.assertEqual(page.evaluate("document.documentElement.lang"), "en")

    def test_served_names_are_marked_as_english_on_russian_pages(self):
        for kind in ("list", "character", "episode", "location"):
            with self.part(kind=kind):
                self.open(kinds.RUSSIAN[f"ru-{kind}"])
                unmarked = self.page.evaluate("""() => [...document.querySelectorAll('main .name, article h1')]
                    .filter((name) => name.textContent.trim() && (name.closest('[lang]').lang !== 'en' && !name.querySelector('[lang=en]')))
                    .map((name) => name.textContent.trim())""")
                self.assertEqual(unmarked, [])
                self.assertGreater(self.page.locator("main [lang=en]").count(), 0)

    def test_russian_pages_have_russian_texts(self):
        for kind, path in kinds.chosen(kinds.RUSSIAN).items():
            with self.part(kind=kind):
                self.open(path)
                words = self.page.evaluate("""() => [...document.querySelectorAll('nav a, h1, h2, h3, dt, th, label, button, legend, .skip, figcaption')]
                    .filter((element) => !element.closest('[lang=en]') && !element.querySelector('[lang=en]'))
                    .map((element) => element.textContent.trim()).filter((text) => /[a-z]{3}/i.test(text) && !/[а-яё]/i.test(text))""")
                allowed = {"English", "Amber", "SHA-256"}
                self.assertEqual([text for text in words if text not in allowed], [])

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
