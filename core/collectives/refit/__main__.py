"""`python -m core.collectives.refit CALIBRATION.csv`: refit every constant, rewrite the calibrations.

The CSV has the columns of the `predict` contract plus `source_id, system, time_us`. Constants go to
core/catalog/calibrations; bands come from cross-validation over the same rows. Takes a few minutes.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.collectives.cost_model.errors import CostModelError
from core.collectives.refit.band_fit import ONE_DOMAIN, several_bands
from core.collectives.refit.data import load
from core.collectives.refit.everything import fit_calibration, fit_domains
from core.collectives.refit.validation import folds, judge, score
from core.collectives.refit.write import write_module
from core.command_line import Parser

if TYPE_CHECKING:
    from core.collectives.cost_model.calibration import Calibration
    from core.collectives.refit.data import Series

TARGET = Path(__file__).parents[2] / "catalog" / "calibrations"
FEWEST_OPERATORS = 2
START = {"one": ONE_DOMAIN, "several": ONE_DOMAIN, "unknown network": ONE_DOMAIN}


def main() -> int:
    """Fit, validate, write."""
    parser = Parser(prog="python -m core.collectives.refit", description=__doc__)
    parser.add_argument("calibration", type=Path)
    parser.add_argument("--into", type=Path, default=TARGET, help="folder of the modules")
    asked = parser.parse_args()
    try:
        series = load(asked.calibration)
    except OSError as error:
        parser.error(f"{asked.calibration}: {error.strerror or error}")
    except KeyError as error:
        parser.error(f"{asked.calibration}: missing column {error.args[0]}")
    except (CostModelError, TypeError, ValueError) as error:
        parser.error(f"{asked.calibration}: no table of measured rows ({error})")
    if len({one.operator for one in series if one.several}) < FEWEST_OPERATORS:
        parser.error(f"{asked.calibration}: no rows of several domains by at least two operators")
    domains = fit_domains(series)
    print(f"{len(series)} series; domains fitted", flush=True)
    judged = []
    for fold in folds(series):
        partial = fit_calibration(fold.train, START, domains)
        answers = [judge(one, partial) for one in fold.test]
        print(fold.name, score(answers), flush=True)
        if "MiB" not in fold.name:
            judged += answers
    bands = {"one": ONE_DOMAIN, **several_bands(judged)}
    _write(_with_spread(fit_calibration(series, bands, domains), series), asked.into)
    return 0


def _with_spread(calibration: Calibration, series: list[Series]) -> Calibration:
    """The networks' provenance with the fit's own residuals."""
    own = score(judge(one, calibration) for one in series if one.several)
    if own is None:
        return calibration
    known = replace(calibration.network.provenance, median_error=own.median, p90_error=own.p90)
    return replace(calibration, network=replace(calibration.network, provenance=known))


def _write(calibration: Calibration, into: Path) -> None:
    into.mkdir(parents=True, exist_ok=True)
    nvlink = {name: one for name, one in calibration.domains.items() if "nvlink" in name}
    bridges = {name: one for name, one in calibration.domains.items() if "nvlink" not in name}
    write_module(into / "nvlink.py", "NVLink domains, one set a generation.", {"NVLINK": nvlink})
    write_module(
        into / "bridges.py",
        "Domains without NVLink: PCIe with and without peer access, Infinity Fabric meshes.",
        {"BRIDGES": bridges},
    )
    write_module(
        into / "networks.py",
        "Networks: what all share, and what a class, a generation and a network add.",
        {
            "BASE": calibration.network,
            "OFFSETS": dict(calibration.offsets),
            "REACH": dict(calibration.reach),
        },
    )
    write_module(
        into / "engines.py",
        "The serving engines' own all-reduce, and the NVLS multimem kernel.",
        {"ENGINES": dict(calibration.engines), "MULTIMEM": dict(calibration.multimem)},
    )
    write_module(
        into / "bands.py",
        "How far unseen sites lie from the answer, by regime.",
        {"BANDS": dict(calibration.bands)},
    )


if __name__ == "__main__":
    sys.exit(main())
