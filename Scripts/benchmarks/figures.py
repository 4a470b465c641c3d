"""Medians, ranges, bounds, and the table that they stand in. Nothing here runs anything."""


class Row:
    """One line of the table: what Amber took, what stands beside it, what was wanted."""

    def __init__(self, group, name, ours, peer="", theirs=(), unit="s"):
        self.group, self.name, self.unit = group, name, unit
        self.ours, self.peer, self.theirs = list(ours), peer, list(theirs)
        self.wanted, self.missed = [], False

    @property
    def ratio(self):
        """Our median by theirs; None where nothing stands beside it."""
        return median(self.ours) / median(self.theirs) if self.theirs and median(self.theirs) else None

    def at_most(self, limit, why=""):
        """Our median may be no more than this."""
        return self.want(f"<= {amount(limit, self.unit)}{why and f' ({why})'}", median(self.ours) <= limit)

    def at_least(self, limit):
        """Our median may be no less than this."""
        return self.want(f">= {amount(limit, self.unit)}", median(self.ours) >= limit)

    def ratio_at_most(self, limit):
        """Our median by theirs may be no more than this."""
        return self.want(f"ratio <= {limit:.2f}", self.ratio <= limit)

    def over_at_most(self, limit):
        """Our median less theirs may be no more than this."""
        over = median(self.ours) - median(self.theirs)
        return self.want(f"over it <= {amount(limit, self.unit)}: is {amount(over, self.unit)}", over <= limit)

    def exactly(self, count):
        """Every run has to have this figure."""
        return self.want(f"= {count:,}", all(value == count for value in self.ours))

    def want(self, words, reached):
        """A bound in words."""
        self.wanted.append(words)
        self.missed |= not reached
        return self

    @property
    def result(self):
        return "" if not self.wanted else "MISSED" if self.missed else "reached"

    def cells(self):
        """As the table shows it."""
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}"
        return (
            self.name, spread(self.ours, self.unit), self.peer, spread(self.theirs, self.unit), ratio, "; ".join(self.wanted), self.result)

    def plain(self):
        """For a file of raw numbers."""
        return {
            "group": self.group, "name": self.name, "unit": self.unit, "amber": self.ours, "beside": self.peer, "values": self.theirs,
            "ratio": self.ratio, "wanted": self.wanted, "missed": self.missed}


HEADINGS = ("row", "Amber", "beside it", "", "ratio", "wanted", "result")


def median(values):
    """The middle value, or the mean of the two in the middle."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def amount(value, unit):
    """One figure with its unit."""
    if unit == "s" and abs(value) < 1:
        value, unit = 1000 * value, "ms"
    if unit in ("files", "pages/s"):
        return f"{value:,.0f} {unit}"
    return f"{value:.{places(value, unit)}f} {unit}"


def spread(values, unit):
    """A median with its range, such as `5.61 s (5.59..5.70)`."""
    if not values:
        return ""
    if unit == "s" and max(values) < 1:
        values, unit = [1000 * value for value in values], "ms"
    middle = median(values)
    if unit in ("files", "pages/s"):
        low, shown, high = (f"{value:,.0f}" for value in (min(values), middle, max(values)))
    else:
        low, shown, high = (f"{value:.{places(middle, unit)}f}" for value in (min(values), middle, max(values)))
    return f"{shown} {unit}" if low == high else f"{shown} {unit} ({low}..{high})"


def places(value, unit):
    """How many decimals tell enough."""
    return 2 if unit == "s" and value < 100 else 1 if abs(value) < 100 else 0


def counted(count, word):
    """`1 run`, `5 runs`."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def table(rows):
    """The rows as one aligned table."""
    lines = [HEADINGS] + [row.cells() for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)


def markdown(rows):
    """The rows as a table of Markdown."""
    lines = [HEADINGS, ("---",) * len(HEADINGS)] + [row.cells() for row in rows]
    return "\n".join("| " + " | ".join(cell.strip() for cell in line) + " |" for line in lines)
