"""Nothing moves for readers who prefer reduced motion."""
from . import browser, kinds


class MotionTest(browser.BrowserTest):
    def test_nothing_moves_with_reduced_motion(self):
        for kind, path in kinds.chosen(kinds.ENGLISH).items():
            with self.part(kind=kind):
                self.open(path, reduced=True)
                self.assertEqual(self.observe("running"), [])
                self.assertEqual(self.observe("movable"), [])
