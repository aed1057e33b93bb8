"""The confusion matrix: every defect on every machine that can have it, and what the verdict says."""

from collections import Counter
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from core.verdict import Status, judge_runs
from gpu_probe.parsers import read
from tests.bench.causes.defects import DEFECTS, harms
from tests.bench.causes.machines import SEEN

EVIDENCE = {"all lines": 1.0, "half of the lines": 0.5, "curve alone": 0.0}
NOISE = 0.07


@dataclass(frozen=True, slots=True)
class Asked:
    """
    What one log got.

    Attributes:
        defect, bench, evidence: What was asked.
        named, listed: The likeliest cause, and all.
        weight: Of the likeliest.
        right: Whether the first names the defect; ``among`` whether any does.
        apart: Whether the first does, or the next command shows something else under it than under the first.
    """

    defect: str
    bench: str
    evidence: str
    named: str
    listed: tuple[str, ...]
    weight: float
    right: bool
    among: bool
    apart: bool


def ask(defect, bench, evidence, draw=0):
    """One log of a defect, read and judged as `check --system` does."""
    random = np.random.default_rng(
        crc32(f"{defect.name}/{bench.name}/{bench.nodes}/{evidence}/{draw}".encode())
    )
    log = defect.log(bench, random, share=EVIDENCE[evidence], noise=NOISE)
    runs = read("log", log.encode())
    verdict = judge_runs(runs, bench.system)[0]
    low = verdict.status is Status.LOW
    causes = verdict.causes if low else ()
    listed = tuple(cause.reason.code for cause in causes)
    named = listed[0] if listed else verdict.reason.code if low else str(verdict.status)
    named = "fine" if named == "high" else named
    if low and verdict.reason.code == "latency_bound":
        named, listed = "latency_bound", ("latency_bound",)
    listed = listed or (named,)
    weight = causes[0].weight if causes else 1.0
    return Asked(
        defect.name, bench.name, evidence, named, listed, weight,
        named in defect.codes, bool(set(listed) & set(defect.codes)), named in defect.codes or _apart(verdict, defect),
    )  # fmt: skip


def _apart(verdict, defect):
    """Whether the next command tells a defect that is listed from the cause listed first."""
    outcomes = verdict.next_step.outcomes if verdict.next_step else ()
    return any(item.reason.code in defect.codes and item.shows != outcomes[0].shows for item in outcomes)


def asked(benches=SEEN, draws=1, evidences=tuple(EVIDENCE), defects=DEFECTS):
    """Every defect on every machine that can have it."""
    return [
        ask(defect, bench, evidence, draw)
        for defect in defects
        for bench in benches
        if defect.applies(bench) and harms(defect, bench)
        for evidence in evidences
        for draw in range(draws)
    ]


def share(rows, what):
    """Percent of the rows of which something is true; a dash without rows."""
    return f"{100 * sum(getattr(row, what) for row in rows) / len(rows):.0f}" if rows else "-"


def by_defect(rows):
    """Markdown: a line a defect, first and among three in percent by evidence, and what it is taken for."""
    head = [f"{name}: first / three" for name in EVIDENCE]
    lines = [f"| defect | logs | {' | '.join(head)} | otherwise first |", "|---" * (len(head) + 3) + "|"]
    for name in dict.fromkeys(row.defect for row in rows):
        of_it = [row for row in rows if row.defect == name]
        cells = []
        for evidence in EVIDENCE:
            part = [row for row in of_it if row.evidence == evidence]
            cells.append(f"{share(part, 'right')} / {share(part, 'among')}")
        missed = Counter(row.named for row in of_it if not row.right)
        others = ", ".join(f"{code} {count}" for code, count in missed.most_common(3))
        lines.append(f"| {name} | {len(of_it)} | {' | '.join(cells)} | {others} |")
    return lines


def by_machine(rows):
    """Markdown: the same by machine, whatever the number of nodes."""
    lines = ["| machine | logs | " + " | ".join(EVIDENCE) + " |", "|---" * (len(EVIDENCE) + 2) + "|"]
    for name in dict.fromkeys(row.bench for row in rows):
        of_it = [row for row in rows if row.bench == name]
        cells = []
        for evidence in EVIDENCE:
            part = [row for row in of_it if row.evidence == evidence]
            cells.append(f"{share(part, 'right')} / {share(part, 'among')}")
        lines.append(f"| {name} | {len(of_it)} | {' | '.join(cells)} |")
    return lines


def calibration(rows):
    """Markdown: how often the likeliest cause is right, by the weight that is stated."""
    lines = ["| stated weight | logs | mean stated | right |", "|---|---|---|---|"]
    low = [row for row in rows if row.weight < 1.0 and row.named != "below_the_band"]
    for least, most in ((0.0, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 0.95), (0.95, 1.01)):
        part = [row for row in low if least <= row.weight < most]
        if part:
            mean = 100 * sum(row.weight for row in part) / len(part)
            lines.append(
                f"| {100 * least:.0f}-{min(100, 100 * most):.0f} % | {len(part)} | {mean:.0f} % | {share(part, 'right')} % |"
            )
    return lines  # fmt: skip
