"""What holds on every kind of page, at both widths and in both themes."""
import os
import re

from . import browser, kinds, settings, site, visits

# What axe-core leaves for people to judge: its rule, a pattern of its message, and the judgement. Anything else fails.
JUDGED = [
    ("color-contrast", "only non-text characters", "arrows: they repeat words in the same colour, and those are measured"),
    ("color-contrast", "contains an image node|too short|overlapped by another element", "text in drawings: test_contrast.py measures it"),
    ("aria-valid-attr-value", 'aria-controls="suggestions"', "the list is on the page while aria-expanded says so (ARIA 1.2, combobox)"),
]

POLICY = {
    "default-src": "'self'", "object-src": "'none'", "base-uri": "'none'", "form-action": "'self'",
}


def told(rule):
    """An axe result in words: its rule, and the elements it names."""
    nodes = "; ".join(f"{' '.join(map(str, node['target']))}: {node['html'][:120]}" for node in rule["nodes"][:4])
    return f"{rule['id']} ({len(rule['nodes'])}): {rule['help']}: {nodes}"


def judged(rule, message):
    """Why it is right that axe left this open; None where nobody has looked."""
    return next((reason for known, pattern, reason in JUDGED if known == rule and re.search(pattern, message)), None)


class PagesTest(browser.BrowserTest):
    kinds = kinds.ALL

    def each(self, check):
        """Checks every kind of page at every width, as subtests."""
        site.folder(self.site)
        for kind in kinds.chosen(self.kinds):
            for width in browser.WIDTHS:
                with self.subTest(kind=kind, width=width):
                    check(visits.visit(self.site, kind)[width])

    def test_axe_reports_no_violation(self):
        def check(view):
            for scheme, result in view.judged.items():
                self.assertEqual([told(rule) for rule in result["violations"]], [], scheme)
        self.each(check)

    def test_nothing_moves_while_a_page_loads(self):
        self.each(lambda view: self.assertEqual(view.shifts, []))

    def test_no_page_scrolls_sideways(self):
        self.each(lambda view: self.assertEqual(view.overflow, []))

    def test_pages_report_no_error_and_ask_no_other_host(self):
        self.each(lambda view: self.assertEqual(view.problems, []))

    def test_the_security_policy_allows_the_sites_own_files_only_and_is_kept(self):
        def check(view):
            rules = dict(rule.strip().partition(" ")[::2] for rule in view.policy.split(";") if rule.strip())
            self.assertEqual(rules, POLICY)
            self.assertEqual(view.violations, [])
        self.each(check)


class RealPagesTest(PagesTest):
    """The same on the real data, where it is; in one language, since the templates are the same."""

    site = "real"
    kinds = {**kinds.ENGLISH, **kinds.HISTORY}


class IncompleteTest(browser.BrowserTest):
    kinds = kinds.ALL

    def test_what_axe_leaves_incomplete_was_judged(self):
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
                self.fail(f"nobody has judged what axe leaves incomplete {len(found)} times, first: {found[0]}")
