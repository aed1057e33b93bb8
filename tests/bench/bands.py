"""Bands across domains made without the operator they are asked of: what a cluster finds that nobody has seen."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.collectives.cost_model.calibration import Calibration
from core.collectives.refit.band_fit import several_bands
from core.collectives.refit.data import Sweep
from core.collectives.refit.validation import Comparison, Fold, compare
from core.units import KIB, MIB
from tests.bench.tables import percent, print_table

SIZES = ((0, 64 * KIB), (64 * KIB, MIB), (MIB, 64 * MIB), (64 * MIB, 2**60))
HEADER = ("left out", "rows", "up to 64 KiB", "to 1 MiB", "to 64 MiB", "beyond", "all", "faster", "slower")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A sweep, the constants that had not seen it, and their answer."""

    fold: str
    sweep: Sweep
    constants: Calibration
    answer: Comparison


def answered(fold: Fold, constants: Calibration) -> Iterator[LeftOut]:
    """What a fold leaves out and the fit would take, with its answers; nothing of the fold by sizes."""
    if "MiB" not in fold.name:
        for sweep in fold.test:
            kept = sweep.trusted
            if kept.size_bytes.size:
                yield LeftOut(fold.name.split(maxsplit=1)[0], kept, constants, compare(kept, constants))


def report_bands(left_out: Sequence[LeftOut]) -> None:
    """Shares inside, by size, of whole operators and of whole kinds."""
    asked = [item for item in left_out if item.fold in ("operator", "kind")]
    answers: dict[str, list[Comparison]] = {"operators": [], "kinds": []}
    for operator in sorted({item.sweep.operator for item in asked}):
        bands = several_bands([item.answer for item in left_out if item.sweep.operator != operator])
        for item in asked:
            if item.sweep.operator == operator:
                constants = replace(item.constants, bands={**item.constants.bands, **bands})
                answers[f"{item.fold}s"].append(compare(item.sweep, constants))
    print_table(
        "Several domains: bands made without the operator that they are asked of",
        HEADER,
        [_line(name, group) for name, group in answers.items() if group],
    )


def _line(name: str, answers: Sequence[Comparison]) -> tuple[str, ...]:
    size, measured, low, high = (
        np.concatenate([getattr(item, column) for item in answers])
        for column in ("size_bytes", "measured_s", "low_s", "high_s")
    )
    inside = (measured >= low) & (measured <= high)
    by_size = [inside[(size >= least) & (size < most)] for least, most in SIZES]
    shares = [percent(float(part.mean())) if part.size else "" for part in by_size]
    whole = (inside.mean(), (measured < low).mean(), (measured > high).mean())
    return (name, str(size.size), *shares, *(percent(float(share)) for share in whole))
