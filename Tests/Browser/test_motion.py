"""Who asks for less motion gets none."""
from . import browser, kinds


class MotionTest(browser.BrowserTest):
    def test_nothing_moves_where_less_motion_is_asked_for(self):
        for kind, path in kinds.chosen(kinds.ENGLISH).items():
            with self.part(kind=kind):
                self.open(path, reduced=True)
                self.assertEqual(self.observe("running"), [])
                self.assertEqual(self.observe("movable"), [])
