"""What holds on every kind of page, at both widths and in both themes."""
import os

from . import browser, kinds, settings, visits

# What axe-core leaves for people to judge, and what was judged. A rule that is not here fails.
JUDGED = {}

POLICY = {
    "default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "img-src": "'self'", "connect-src": "'self'",
    "manifest-src": "'self'", "worker-src": "'self'", "base-uri": "'none'", "form-action": "'self'",
}


def told(rule):
    """An axe result in words: its rule, and the elements it names."""
    nodes = "; ".join(f"{' '.join(map(str, node['target']))}: {node['html'][:120]}" for node in rule["nodes"][:4])
    return f"{rule['id']} ({len(rule['nodes'])}): {rule['help']}: {nodes}"


class PagesTest(browser.BrowserTest):
    def views(self, judged=True):
        """Each kind with its view at each width, as subtests."""
        for kind in kinds.chosen():
            with self.subTest(kind=kind):
                for width, view in visits.visit(self.site, kind, judged).items():
                    with self.subTest(kind=kind, width=width):
                        yield kind, width, view

    def test_axe_reports_no_violation(self):
        for kind, width, view in self.views():
            for scheme, result in view.judged.items():
                self.assertEqual([told(rule) for rule in result["violations"]], [], f"{kind} {width} {scheme}")

    def test_what_axe_leaves_incomplete_was_judged(self):
        lines = {}
        for kind, width, view in self.views():
            for scheme, result in view.judged.items():
                for rule in result["incomplete"]:
                    lines.setdefault(rule["id"], []).append(f"{kind} {width} {scheme}: {told(rule)}")
        os.makedirs(settings.SCREENSHOTS, exist_ok=True)
        with open(os.path.join(settings.SCREENSHOTS, "axe-incomplete.txt"), "w", encoding="utf-8") as file:
            for rule, found in sorted(lines.items()):
                print(f"# {rule}: {JUDGED.get(rule, 'not judged yet')}", *found, "", sep="\n", file=file)
        for rule in sorted(set(lines) - set(JUDGED)):
            self.fail(f"nobody has judged what axe leaves incomplete by {rule}, {len(lines[rule])} times, first: {lines[rule][0]}")

    def test_nothing_moves_while_a_page_loads(self):
        for kind, width, view in self.views():
            self.assertEqual(view.shifts, [], f"{kind} {width}")

    def test_no_page_scrolls_sideways(self):
        for kind, width, view in self.views():
            self.assertEqual(view.overflow, [], f"{kind} {width}")

    def test_pages_report_no_error_and_ask_no_other_host(self):
        for kind, width, view in self.views():
            self.assertEqual(view.problems, [], f"{kind} {width}")

    def test_the_security_policy_allows_the_sites_own_files_only_and_is_kept(self):
        for kind, width, view in self.views():
            rules = dict(rule.strip().partition(" ")[::2] for rule in view.policy.split(";") if rule.strip())
            self.assertEqual(rules, POLICY, f"{kind} {width}")
            self.assertEqual(view.violations, [], f"{kind} {width}")


class RealPagesTest(PagesTest):
    """The same on the real data, where it is."""

    site = "real"

    # The incomplete list is the sample's.
    test_what_axe_leaves_incomplete_was_judged = None
