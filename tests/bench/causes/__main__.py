"""`python -m tests.bench.causes [--draws N] [--write]`: the confusion matrix of causes, printed or into the docs."""

import argparse
from pathlib import Path

from tests.bench.causes import single_lines
from tests.bench.causes.machines import LEFT_OUT, SEEN
from tests.bench.causes.matrix import EVIDENCE, asked, by_defect, by_machine, calibration, share

DOCUMENT = Path(__file__).resolve().parents[3] / "docs/PROBE.md"
SOUND = ("none", "rings forced, two nodes at full rate")


def report(draws):
    """Markdown: both groups of machines, the defects of both, and how well weights are calibrated."""
    groups = {"machines looked at": asked(SEEN, draws), "machines left out": asked(LEFT_OUT, draws)}
    lines = [f"| of {draws} logs each | {' | '.join(EVIDENCE)} |", "|---" * (len(EVIDENCE) + 1) + "|"]
    for name, rows in groups.items():
        cells = []
        for evidence in EVIDENCE:
            part = [row for row in rows if row.evidence == evidence and row.defect not in SOUND]
            told = f"{share(part, 'right')} / {share(part, 'among')} / {share(part, 'apart')} %"
            cells.append(f"{told} of {len(part)}")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    both = [row for rows in groups.values() for row in rows]
    defects = [row for row in both if row.defect not in SOUND]
    for table in (by_defect(both), by_machine(both), calibration(defects)):
        lines += ["", *table]
    return "\n".join(lines) + "\n"


def main():
    """Print the matrix, or put it in the place of the one in the docs."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.causes")
    parser.add_argument("--draws", type=int, default=1, help="logs of each defect, machine and evidence")
    parser.add_argument("--write", action="store_true", help=f"into {DOCUMENT.name}")
    options = parser.parse_args()
    text = report(options.draws)
    if not options.write:
        print(text, single_lines.report(), sep="\n")
        return
    put("causes", text)
    put("lines", single_lines.report())


def put(name, text):
    """Between the marks of this name in the document."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
    before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(begin)
    DOCUMENT.write_text(f"{before}{begin}{text}{end}{rest.partition(end)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()
