"""Medians, ranges, bounds, and the table."""
import unittest

from benchmarks.figures import Row, amount, markdown, median, spread, table


class FiguresTest(unittest.TestCase):
    def test_the_median_is_the_middle_or_the_mean_of_the_two_there(self):
        self.assertEqual(median([5, 1, 3]), 3)
        self.assertEqual(median([4, 1, 2, 3]), 2.5)

    def test_figures_have_as_many_decimals_as_tell_something(self):
        self.assertEqual(amount(0.0123, "s"), "12.3 ms")
        self.assertEqual(amount(12.345, "s"), "12.35 s")
        self.assertEqual(amount(345.6, "s"), "346 s")
        self.assertEqual(amount(1234.5, "MiB"), "1234 MiB")
        self.assertEqual(amount(20000, "pages/s"), "20,000 pages/s")

    def test_a_spread_is_a_median_with_its_range_or_one_figure(self):
        self.assertEqual(spread([0.2, 0.1, 0.4], "s"), "200 ms (100..400)")
        self.assertEqual(spread([2, 1, 4], "s"), "2.00 s (1.00..4.00)")
        self.assertEqual(spread([3, 3], "files"), "3 files")
        self.assertEqual(spread([], "s"), "")


class BoundsTest(unittest.TestCase):
    def row(self, ours, theirs=(), unit="s"):
        return Row("group", "name", ours, "peer" if theirs else "", theirs, unit)

    def test_a_limit_is_on_our_median(self):
        self.assertEqual(self.row([1, 2, 9]).at_most(2).result, "reached")
        self.assertEqual(self.row([1, 2.1, 0]).at_most(1).result, "reached")
        self.assertEqual(self.row([1, 2.1, 3]).at_most(2).result, "MISSED")
        self.assertEqual(self.row([19_999], unit="pages/s").at_least(20_000).result, "MISSED")
        self.assertEqual(self.row([20_000], unit="pages/s").at_least(20_000).result, "reached")

    def test_a_ratio_is_of_the_medians(self):
        row = self.row([3, 9, 1], [2, 1, 7])
        self.assertEqual(row.ratio, 1.5)
        self.assertEqual(row.ratio_at_most(1.5).result, "reached")
        self.assertEqual(row.ratio_at_most(1.49).result, "MISSED")

    def test_what_is_over_it_is_the_difference_of_the_medians(self):
        row = self.row([0.012], [0.010]).over_at_most(0.003)
        self.assertEqual((row.result, row.wanted), ("reached", ["over it <= 3.0 ms: is 2.0 ms"]))
        self.assertEqual(self.row([0.014], [0.010]).over_at_most(0.003).result, "MISSED")

    def test_a_count_has_to_be_exact_in_every_run(self):
        self.assertEqual(self.row([0, 0], unit="files").exactly(0).result, "reached")
        self.assertEqual(self.row([0, 0, 1], unit="files").exactly(0).result, "MISSED")

    def test_one_bound_missed_is_a_row_missed(self):
        row = self.row([2], [1]).at_most(1).ratio_at_most(3)
        self.assertEqual(row.result, "MISSED")
        self.assertEqual(row.wanted, ["<= 1.00 s", "ratio <= 3.00"])

    def test_a_row_without_bounds_has_no_result(self):
        self.assertEqual(self.row([2], [1]).result, "")


class TableTest(unittest.TestCase):
    rows = [
        Row("build", "first build", [0.3, 0.2, 0.4], "cp -r", [0.1]).at_most(0.35, "1.3 x cp + check"),
        Row("build", "  peak memory", [80], unit="MiB").at_most(60)]

    def test_the_table_is_aligned(self):
        self.assertEqual(table(self.rows).split("\n"), [
            "row            Amber              beside it          ratio  wanted                        result",
            "first build    300 ms (200..400)  cp -r      100 ms  3.00   <= 350 ms (1.3 x cp + check)  reached",
            "  peak memory  80.0 MiB                                     <= 60.0 MiB                   MISSED",
        ])

    def test_the_document_has_the_same_cells(self):
        self.assertEqual(markdown(self.rows).split("\n"), [
            "| row | Amber | beside it |  | ratio | wanted | result |",
            "| --- | --- | --- | --- | --- | --- | --- |",
            "| first build | 300 ms (200..400) | cp -r | 100 ms | 3.00 | <= 350 ms (1.3 x cp + check) | reached |",
            "| peak memory | 80.0 MiB |  |  |  | <= 60.0 MiB | MISSED |",
        ])
