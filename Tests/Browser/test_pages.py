"""Tests of every kind of page, at both widths and in both themes."""
import os
import re

from . import browser, kinds, settings, site, visits

# Results that axe-core leaves to people: the rule, a pattern of the message, and why it is no fault. Any other result fails.
JUDGED = [
    ("color-contrast", "only non-text characters", "arrows: they repeat words in the same colour, and those are measured"),
    ("color-contrast", "contains an image node|too short|overlapped by another element", "text in drawings: test_contrast.py measures it"),
    ("color-contrast", "partially obscured by another element", "items that are scrolled out of shelves and of the navigation: their neighbours have the same colours"),
    ("aria-valid-attr-value", 'aria-controls="suggestions"', "the list is on the page while aria-expanded says so (ARIA 1.2, combobox)"),
]

POLICY = {
    "default-src": "'self'", "object-src": "'none'", "base-uri": "'none'", "form-action": "'self'",
}


def violation_text(rule):
    """An axe result as text: its rule and its elements."""
    nodes = "; ".join(f"{' '.join(map(str, node['target']))}: {node['html'][:120]}" for node in rule["nodes"][:4])
    return f"{rule['id']} ({len(rule['nodes'])}): {rule['help']}: {nodes}"


def judged(rule, message):
    """The reason why an incomplete result of axe is no fault; None if it is unknown."""
    return next((reason for known, pattern, reason in JUDGED if known == rule and re.search(pattern, message)), None)


class PagesTest(browser.BrowserTest):
    kinds = kinds.ALL

    def each(self, check):
        """Checks every kind of page at each of its widths, as subtests."""
        site.folder(self.site)
        for kind in kinds.chosen(self.kinds):
            for width in visits.widths(kind):
                with self.subTest(kind=kind, width=width):
                    check(visits.visit(self.site, kind)[width])

    def test_axe_reports_no_violation(self):
        def check(view):
            for scheme, result in view.judged.items():
                self.assertEqual([violation_text(rule) for rule in result["violations"]], [], scheme)
        self.each(check)

    def test_nothing_moves_while_a_page_loads(self):
        self.each(lambda view: self.assertEqual(view.shifts, []))

    def test_no_page_scrolls_sideways(self):
        self.each(lambda view: self.assertEqual(view.overflow, []))

    def test_pages_report_no_error_and_use_no_other_host(self):
        self.each(lambda view: self.assertEqual(view.problems, []))

    def test_the_security_policy_allows_only_files_of_the_site(self):
        def check(view):
            rules = dict(rule.strip().partition(" ")[::2] for rule in view.policy.split(";") if rule.strip())
            self.assertEqual(rules, POLICY)
            self.assertEqual(view.violations, [])
        self.each(check)


class RealPagesTest(PagesTest):
    """The same tests on real data, for the kinds of pages that differ most from those of the sample."""

    site = "real"
    kinds = {**{kind: kinds.ENGLISH[kind] for kind in ("list", "character", "episode", "location", "figures")}, **kinds.HISTORY}


class IncompleteTest(browser.BrowserTest):
    kinds = kinds.ALL

    def test_incomplete_results_of_axe_are_explained(self):
        listed = {}
        for kind in kinds.chosen(self.kinds):
            with self.subTest(kind=kind):
                for width, view in visits.visit(self.site, kind).items():
                    for scheme, result in view.judged.items():
                        for rule in result["incomplete"]:
                            for node in rule["nodes"]:
                                message = "; ".join(why["message"] for why in node["any"] + node["all"] + node["none"]) or rule["help"]
                                reason = judged(rule["id"], message)
                                found = listed.setdefault((rule["id"], reason or "NOT JUDGED"), [])
                                found.append(f"{kind} {width} {scheme}: {' '.join(map(str, node['target']))}: {message}")
        os.makedirs(settings.SCREENSHOTS, exist_ok=True)
        with open(os.path.join(settings.SCREENSHOTS, f"axe-incomplete-{self.site}.txt"), "w", encoding="utf-8") as file:
            for (rule, reason), found in sorted(listed.items()):
                print(f"# {rule}, {len(found)} times: {reason}", *found, "", sep="\n", file=file)
        unjudged = {rule: found for (rule, reason), found in listed.items() if reason == "NOT JUDGED"}
        for rule, found in unjudged.items():
            with self.subTest(rule=rule):
                self.fail(f"axe leaves this incomplete {len(found)} times without an explanation, first: {found[0]}")
