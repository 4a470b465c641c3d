"""docs/benchmarks.md, which holds what was measured and nothing else."""
import types
import unittest

from benchmarks import report
from benchmarks.figures import Row


class DocumentTest(unittest.TestCase):
    def document(self, rows):
        bench = types.SimpleNamespace(
            rows=rows, notes=[("start", "a note")], versions={"nginx": "nginx/1"}, stages=[("start", "a run", {"render": 0.5, "whole": 1.25})])
        return report.document(bench, [("machine", "2 x this")], "Scripts/bench --runs 1")

    def test_it_names_the_groups_that_were_run_and_those_that_were_not(self):
        text = self.document([Row("start", "start", [0.01], "empty", [0.009]).over_at_most(0.003)])
        self.assertIn("| start | 10.0 ms | empty | 9.0 ms | 1.11 | over it <= 3.0 ms: is 1.0 ms | reached |", text)
        self.assertIn("All bounds that were measured are reached.", text)
        self.assertIn("Not in this run: nothing, change, build, watch, check, sealed, loopback, distance, large, million.", text)
        self.assertIn("| a run | 500 |  |  |  |  | 1,250 |", text)
        self.assertNotIn("Hugo", text)

    def test_it_names_what_was_missed(self):
        rows = [Row("start", "a row", [2]).at_most(1), Row("start", "  its part", [2]).at_most(3)]
        self.assertIn("Missed: a row.\n", self.document(rows))
