"""What was measured beside what is wanted, as a table of Markdown."""

import statistics
from dataclasses import dataclass
from math import isnan, nan

RATIO, COLD_RATIO = 1.5, 1.3
PAGE_MS, SESSIONS_MS = 250, 400
LAYOUTS_MS = {"128": 700, "16384": 1500}
HEAD = "| what | ms | blank page, ms | ratio | wanted | |\n|---|---|---|---|---|---|"


@dataclass(frozen=True, slots=True)
class Row:
    """
    A figure and its target.

    Attributes:
        what: It is.
        figure_ms: Milliseconds here; not a number where it could not be measured.
        blank_ms: Of the blank page, where the target is a ratio to it or it is worth knowing.
        most_ms: The target in milliseconds; None where it is a ratio.
        most_ratio: The target as a ratio; None where it is in milliseconds or there is none.
    """

    what: str
    figure_ms: float
    blank_ms: float | None = None
    most_ms: float | None = None
    most_ratio: float | None = None

    @property
    def ratio(self):
        """To the blank page; None without it."""
        return self.figure_ms / self.blank_ms if self.blank_ms else None

    @property
    def verdict(self):
        """``met``, ``missed`` or ``failed``; empty where nothing is wanted."""
        if isnan(self.figure_ms):
            return "failed"
        if self.most_ms is not None:
            return "met" if self.figure_ms <= self.most_ms else "missed"
        if self.most_ratio is not None:
            return "met" if self.ratio <= self.most_ratio else "missed"
        return ""

    def line(self):
        """The row of the table."""
        blank = f"{self.blank_ms:.0f}" if self.blank_ms else ""
        ratio = f"{self.ratio:.2f}" if self.blank_ms else ""
        wanted = f"{self.most_ms:.0f} ms" if self.most_ms is not None else ""
        wanted = f"{self.most_ratio} ×" if self.most_ratio is not None else wanted
        figure = "–" if isnan(self.figure_ms) else f"{self.figure_ms:.0f}"
        return f"| {self.what} | {figure} | {blank} | {ratio} | {wanted} | {self.verdict} |"


def quantile(values, share):
    """A quantile of some waits."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def rows(name, waits, base=(), *, most_ms=None, most_ratio=None, parts=("headline", "chart")):
    """Median and p95 of headline and last chart; what is wanted in milliseconds holds for the medians."""
    made = []
    for part in parts:
        values, yardstick = ([getattr(wait, part) for wait in group] for group in (waits, base))
        label = {"headline": "headline", "chart": "last chart"}[part]
        for title, measure in (("p50", statistics.median), ("p95", lambda group: quantile(group, 0.95))):
            limit = most_ms if title == "p50" else None
            blank = measure(yardstick) if yardstick else None
            made.append(Row(f"{name}: {label}, {title}", measure(values), blank, limit, most_ratio))
    return made


def failed(what):
    """The row of something that could not be measured."""
    return Row(what, nan)


def show(made):
    """Print rows as soon as they are there."""
    for row in made:
        print(row.line(), flush=True)
    return made
