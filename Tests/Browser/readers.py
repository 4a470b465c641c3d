"""Searching and filtering as readers do, on pages of every catalogue."""
import json

from . import browser, places


def index(labels, column, values):
    """A search index of characters with these names and these values of one filter column."""
    known = list(dict.fromkeys(values))
    codes = {value: chr(49 + place) for place, value in enumerate(known)}
    kind = {
        "name": "character", "path": "character/", "ids": [[len(labels)]], "labels": labels,
        "columns": [{"name": column, "uses": 7, "values": known, "rows": "".join(codes[value] for value in values)}]}
    return f"amber.receive({json.dumps({'total': len(labels), 'kinds': [kind]})});"


def count_calls(page, name):
    """Counts the calls of a shared function of the scripts in `calls`."""
    page.evaluate("(name) => { const own = amber[name]; window.calls = 0; amber[name] = (...given) => { calls += 1; return own(...given); }; }", name)


class Searching(browser.BrowserTest):
    def start(self, path="search.html", **how):
        page = self.open(path, fresh=True, **how)
        self.box = page.locator(places.SEARCH_BOX)
        self.box.click()
        return page

    def results(self):
        return self.page.eval_on_selector_all(places.RESULTS, "(links) => links.map((link) => ({ href: link.href, text: link.textContent }))")

    def ask(self, query, path=None):
        """Types a query and, if a path is given, waits for a result that links to it."""
        self.box.fill(query)
        if path:
            self.wait("([results, href]) => [...document.querySelectorAll(results)].some((link) => link.href === href)", [places.RESULTS, self.home.address + path])
        return self.results()

    def suggestions(self, wanted=None):
        if wanted is not None:
            self.wait("([options, count]) => document.querySelectorAll(options).length === count", [places.SUGGESTIONS, wanted])
        return self.page.eval_on_selector_all(places.SUGGESTIONS, "(options) => options.map((option) => option.textContent.trim())")


class Filtering(browser.BrowserTest):
    def choose(self, value, among=""):
        self.page.locator((among or places.FILTER).format(value=value)).first.select_option(value)

    def counted(self, number):
        """Waits until the page shows this number of results."""
        self.wait("([count, number]) => new RegExp(`(^|\\\\D)${number}(\\\\D|$)`).test(document.querySelector(count).textContent.replace(/[\\s,\u00a0]/g, ''))", [places.COUNT, number])
