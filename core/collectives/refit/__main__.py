"""`python -m core.collectives.refit CALIBRATION.csv ...`: refit every constant, rewrite the calibrations.

The CSVs have the columns of the `predict` contract plus `source_id, system, time_us`. Constants go to
core/catalog/calibrations; bands come from cross-validation over the same rows; one that no row tells stands.
Takes ten minutes of one processor.
"""

import sys
from dataclasses import replace
from pathlib import Path

from core.catalog.calibrations.shapes import DomainKind
from core.checks import InputError
from core.collectives.cost_model.calibration import Calibration, shipped
from core.collectives.refit.anchors import across, anchors
from core.collectives.refit.band_fit import ONE_DOMAIN, VARY, several_bands
from core.collectives.refit.data import Sweep, load
from core.collectives.refit.everything import fit_calibration, fit_domains
from core.collectives.refit.residual_fit import fit_residuals
from core.collectives.refit.sizes import largest_measured
from core.collectives.refit.validation import compare, folds, score
from core.collectives.refit.write import write_module
from core.command_line import Parser

TARGET = Path(__file__).parents[2] / "catalog" / "calibrations"
FEWEST_OPERATORS = 2
BANDS = ("one", "several", "unknown network", f"several{VARY}", f"unknown network{VARY}")
START = dict.fromkeys(BANDS, ONE_DOMAIN)


def main() -> int:
    """Fit, validate, write."""
    parser = Parser(prog="python -m core.collectives.refit", description=__doc__)
    parser.add_argument("calibration", type=Path, nargs="+")
    parser.add_argument("--into", type=Path, default=TARGET, help="folder of the modules")
    options = parser.parse_args()
    names = " ".join(str(path) for path in options.calibration)
    try:
        sweeps = load(*options.calibration)
    except OSError as error:
        parser.error(f"{error.filename}: {error.strerror or error}")
    except KeyError as error:
        parser.error(f"{names}: missing column {error.args[0]}")
    except (InputError, TypeError, ValueError) as error:
        parser.error(f"{names}: no table of measured rows ({error})")
    if len({sweep.operator for sweep in sweeps if sweep.several}) < FEWEST_OPERATORS:
        parser.error(f"{names}: no rows of several domains by at least two operators")
    domains = fit_domains(sweeps)
    print(f"{len(sweeps)} sweeps; domains fitted", flush=True)
    comparisons = []
    for fold in folds(sweeps):
        partial = fit_calibration(fold.train, START, domains, {})
        trusted = [kept for sweep in fold.test if (kept := sweep.trusted).size_bytes.size]
        answers = [compare(sweep, partial) for sweep in trusted]
        print(fold.name, score(answers), flush=True)
        if "MiB" not in fold.name:
            comparisons += answers
    bands = {**shipped().bands, "one": ONE_DOMAIN, **several_bands(comparisons)}
    calibration = _with_spread(fit_calibration(sweeps, bands, domains), sweeps)
    residuals = fit_residuals(sweeps, calibration)
    largest = largest_measured([*sweeps, *anchors(), *across()])
    write(replace(calibration, residuals=residuals, largest=largest), options.into)
    return 0


def _with_spread(calibration: Calibration, sweeps: list[Sweep]) -> Calibration:
    """The networks' provenance with the fit's own residuals."""
    scored = score(compare(sweep, calibration) for sweep in sweeps if sweep.several)
    if scored is None:
        return calibration
    provenance = replace(calibration.network.provenance, median_error=scored.median, p90_error=scored.p90)
    return replace(calibration, network=replace(calibration.network, provenance=provenance))


def write(calibration: Calibration, into: Path) -> None:
    """One module for each room of constants, into a folder."""
    into.mkdir(parents=True, exist_ok=True)
    nvlink = {name: item for name, item in calibration.domains.items() if item.kind is DomainKind.NVLINK}
    bridges = {name: item for name, item in calibration.domains.items() if item.kind is not DomainKind.NVLINK}
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
        into / "residuals.py",
        "What machines of a kind of domain share beyond its lines, by curve.",
        {"RESIDUALS": dict(calibration.residuals)},
    )
    write_module(
        into / "sizes.py",
        "The largest message behind each set of constants, by collective, in bytes.",
        {"LARGEST_BYTES": {name: dict(own) for name, own in calibration.largest.items()}},
    )
    write_module(
        into / "bands.py",
        "How far unseen sites lie from the answer, by regime.",
        {"BANDS": dict(calibration.bands)},
    )


if __name__ == "__main__":
    sys.exit(main())
