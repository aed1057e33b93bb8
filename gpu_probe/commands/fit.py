"""``fit``: the cost model's constants fitted to a system's own runs, for ``--rates fitted:FILE``."""

import argparse
import json
import sys
from pathlib import Path

from core.checks import InputError
from core.collectives.fitted import CALIBRATED, CONSTANTS, SWEEP, Fit, fit_json
from core.command_line import harmless, one_line
from core.shell import question
from core.shell.options import add_cluster
from core.units import format_share
from core.verdict.points import fit_runs
from gpu_probe.commands.files import add_file_options, complain, read_files


def add_options(parser: argparse.ArgumentParser) -> None:
    """Options of ``fit``: the files, the system that they were measured on, the fit's name."""
    add_file_options(parser)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--system", metavar="ID", help="catalog id of the system")
    which.add_argument("--system-file", metavar="FILE.json", help="your own system, as JSON")
    add_cluster(parser, domains="as the run needs")
    parser.add_argument("--name", metavar="NAME", help="of the fit (default: the output's name)")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FIT.json", help="where it goes")


def run(options: argparse.Namespace) -> int:
    """0 when the fit is written; 2 where a file is unreadable or the runs do not tell enough."""
    runs, unreadable = read_files(options)
    if unreadable:
        return 2
    try:
        system = question.system(options)
        fit = fit_runs(options.name or options.output.stem, runs, system)
        text = json.dumps(fit_json(fit), allow_nan=False)
        options.output.write_text(text + "\n", encoding="utf-8")
    except InputError as error:
        print(f"python -m gpu_probe fit: {one_line(error)}", file=sys.stderr)
        return 2
    except OSError as error:
        complain(str(options.output), error.strerror or error)
        return 2
    print(text if options.json else harmless("\n".join(_shown(fit, options.output))))
    return 0


ANSWERS = {
    SWEEP: "the sweep answers",
    CONSTANTS: "the constants answer",
    CALIBRATED: "the calibration stays",
}


def _shown(fit: Fit, path: Path) -> list[str]:
    count = len(fit.curves)
    lines = [f"{fit.name}: {count} sweep{'s' * (count > 1)}; use it with --rates fitted:{path}"]
    for curve, residual in zip(fit.curves, fit.residuals, strict=True):
        cluster = f"{curve.setting.domain_gpus} GPUs x {curve.setting.domains}"
        calibrated, constants, sweep = (
            format_share(residual.error(step)) for step in (CALIBRATED, CONSTANTS, SWEEP)
        )
        lines.append(
            f"  {curve.setting.collective}, {cluster}: {len(curve.size_bytes)} sizes; left out, they are off "
            f"by {calibrated} as calibrated, {constants} with its constants, {sweep} between their "
            f"neighbours: {ANSWERS[curve.answered_by]}"
        )
        if residual.left_out:
            lines.append(f"  left out: {len(residual.left_out)} ({residual.left_out[0].why})")
    return [*lines, *(f"  unidentified: {text}" for text in fit.unidentified)]
