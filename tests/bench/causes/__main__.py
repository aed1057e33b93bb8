"""`python -m tests.bench.causes [--left-out] [--draws N]`: the confusion matrix of causes as tables."""

import argparse

from tests.bench.causes.machines import LEFT_OUT, SEEN
from tests.bench.causes.matrix import EVIDENCE, asked, by_bench, by_defect, calibration, share


def main() -> None:
    """Print the matrix by defect and by machine, and how well weights are calibrated."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.causes")
    parser.add_argument("--left-out", action="store_true", help="machines that no rule was looked at with")
    parser.add_argument("--draws", type=int, default=1, help="logs of each defect, machine and evidence")
    options = parser.parse_args()
    rows = asked(LEFT_OUT if options.left_out else SEEN, options.draws)
    defects = [row for row in rows if row.defect not in ("none", "rings forced, two nodes at full rate")]
    for evidence in EVIDENCE:
        part = [row for row in defects if row.evidence == evidence]
        print(
            f"{evidence}: of {len(part)} logs {share(part, 'right')} % first, {share(part, 'among')} % among three"
        )
    for lines in (by_defect(rows), by_bench(rows), calibration(defects)):
        print("", *lines, sep="\n")


if __name__ == "__main__":
    main()
