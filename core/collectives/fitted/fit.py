"""Fit: what a measured sweep says about a machine, by name."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from core.collectives.cost_model.adapt import Adaptation
from core.collectives.cost_model.setting import Setting

SWEEP, CONSTANTS, CALIBRATED = "sweep", "constants", "calibrated"
"""By what a measured collective is answered: its own sweep, the machine's constants, the shipped model."""


@dataclass(frozen=True, slots=True)
class MachineConstants:
    """
    How one placement differs from calibrated machines of its kind.

    Attributes:
        setting: GPU, links and placement; its collective says nothing.
        adaptation: ln factors on latency and transfer, a floor of the host.
        sd_latency, sd_transfer: Standard deviations of the two ln factors; those of the prior where
            the points say nothing.
    """

    setting: Setting
    adaptation: Adaptation
    sd_latency: float
    sd_transfer: float


@dataclass(frozen=True, slots=True)
class Curve:
    """
    The measured sweep of one collective at one placement, cleaned of noise and of what no machine can do.

    Attributes:
        scatter: p68 of |ln(predicted/measured)| when each size is predicted from its neighbours.
        answered_by: ``sweep``, ``constants`` or ``calibrated``: what meets sizes left out best.
    """

    setting: Setting
    size_bytes: tuple[float, ...]
    time_s: tuple[float, ...]
    scatter: float
    answered_by: str = SWEEP


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A sample that was not used, and why."""

    size_bytes: float
    time_s: float
    why: str


def median_error(ratios: Sequence[float]) -> float:
    """Median relative error of predicted over measured times; 0 of none."""
    return float(np.median(np.abs(np.array(ratios) - 1.0))) if len(ratios) else 0.0


@dataclass(frozen=True, slots=True)
class Residuals:
    """
    Predicted over measured time at the sizes of the curve of the same place in the fit.

    Attributes:
        calibrated: By the model as shipped.
        constants: By the constants of the machine, each size left out of their fit; as calibrated where
            no constant was adapted.
        held_out: By the sweep, each size predicted from its neighbours without it; ends by constants.
    """

    calibrated: tuple[float, ...]
    constants: tuple[float, ...]
    held_out: tuple[float, ...]
    left_out: tuple[LeftOut, ...] = ()

    def error(self, answered_by: str) -> float:
        """Median relative error of the inner sizes answered by sweep, constants or calibration."""
        return median_error(self.inner(answered_by))

    def inner(self, answered_by: str) -> tuple[float, ...]:
        """Ratios at the sizes that have neighbours on both sides; all where none has."""
        ratios = {SWEEP: self.held_out, CONSTANTS: self.constants, CALIBRATED: self.calibrated}[answered_by]
        return ratios[1:-1] or ratios

    @property
    def best(self) -> str:
        """What answers: the sweep, else the constants, where no worse than calibrated on sizes left out."""
        calibrated = self.error(CALIBRATED)
        if self.error(SWEEP) <= calibrated:
            return SWEEP
        return CONSTANTS if self.error(CONSTANTS) < calibrated else CALIBRATED


@dataclass(frozen=True, slots=True)
class Fit:
    """
    A named fit of the cost model to one's own machine.

    Attributes:
        model_version: Of the model whose constants were adapted.
        residuals: One entry per curve.
        unidentified: What the runs could not tell, one sentence each.
        run_ids: sha256 of the runs it was made from, where known; they keep their name on every server.
        created_at, created_by: When the store first kept it, and who handed it in.
    """

    name: str
    model_version: str
    machines: tuple[MachineConstants, ...]
    curves: tuple[Curve, ...]
    residuals: tuple[Residuals, ...] = ()
    unidentified: tuple[str, ...] = ()
    run_ids: tuple[str, ...] = ()
    note: str = ""
    created_at: datetime | None = field(default=None, compare=False)
    created_by: str | None = field(default=None, compare=False)

    def __hash__(self) -> int:
        """Of its name and size: every cached price hashes its fit, which has thousands of numbers."""
        return hash((self.name, self.model_version, self.run_ids, len(self.curves)))

    def error(self, answered_by: str | None = None) -> float:
        """Median relative error of all sweeps' inner sizes, by default by what answers each of them."""
        pairs = zip(self.curves, self.residuals, strict=True)
        return median_error(
            [ratio for curve, left in pairs for ratio in left.inner(answered_by or curve.answered_by)]
        )
