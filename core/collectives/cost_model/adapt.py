"""Measured points of the user's own cluster: how its host, its hops and its links differ from the model.

Four numbers describe a machine: a floor of the host under everything (one domain), a factor on the
latency of small messages, whose extra time fades as messages grow, a factor on the latency that
messages gain as they grow, and a factor on transfer rates. They are the most probable ones given the
points and how much machines of one kind differ; the wire itself is never outrun.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.checks import Floats
from core.collectives.cost_model.line import Line
from core.collectives.cost_model.measured import FAR_OFF
from core.collectives.cost_model.one_domain import EXCHANGES
from core.collectives.cost_model.setting import Point, Setting
from core.collectives.cost_model.soft_maximum import MEASURED_HOST_SHARPNESS, soft_maximum

NOISE = 0.02
OTHER_KIND_NOISE = 0.2
"""ln error of what a point says about another collective or implementation of the same machine."""
LATENCY_SPREAD = {"one": 0.5, "several": 0.5}
TRANSFER_SPREAD = {"one": 0.25, "several": 0.3}
FADING_OCTAVES = {"several": 64.0, "one": 16.0, "exchange": 8.0}
"""A host that is slow for small messages stays so; peers that connect late do not."""


@dataclass(frozen=True, slots=True)
class Adaptation:
    """
    How a cluster differs from the calibrated one.

    Attributes:
        ln_latency, ln_transfer: Ln of the factors on latency and on transfer time.
        floor_s: Seconds under which the host starts nothing.
        smallest_bytes: The smallest measured message, from which extra latency fades.
        ln_growth: Ln of the factor on the latency that a message gains as it grows.
    """

    ln_latency: float = 0.0
    ln_transfer: float = 0.0
    floor_s: float = 0.0
    smallest_bytes: float = 1.0
    ln_growth: float = 0.0

    @property
    def neutral(self) -> bool:
        """Whether the machine is taken as calibrated."""
        return not (self.ln_latency or self.ln_transfer or self.floor_s or self.ln_growth)


@dataclass(frozen=True, slots=True)
class Observation:
    """
    A measured point beside the calibrated lines at its size, one value a line.

    Attributes:
        base_s: Launch and latency of one byte.
        waiting_s: Launch and latency at the size of the point.
        least_s: Transfer at the rate of the bare wire.
        gained_s: Of the latency, what the message gained since one byte.
        same_kind: Whether it is of the collective, implementation and launch that is answered.
    """

    point: Point
    base_s: Floats
    waiting_s: Floats
    transfer_s: Floats
    reduction_s: Floats
    least_s: Floats
    gained_s: Floats
    same_kind: bool

    @property
    def size_bytes(self) -> float:
        """Bytes of the measured operation."""
        return float(self.point.size_bytes)

    @property
    def time_s(self) -> float:
        """Seconds as measured."""
        return float(self.point.time_s)

    @property
    def noise(self) -> float:
        """Standard deviation of ln time that the point is taken with."""
        return NOISE if self.same_kind else OTHER_KIND_NOISE

    @property
    def expected_s(self) -> float:
        """What calibrated clusters of this kind take."""
        return float(np.min(self.waiting_s + self.transfer_s + self.reduction_s))

    @property
    def plausible_s(self) -> float:
        """The measured time; of an implausibly fast one only as much as a cluster could be faster."""
        return max(self.time_s, self.expected_s / FAR_OFF)


def fading_octaves(setting: Setting) -> float:
    """Over how many octaves of size the extra time of a small message falls to a third."""
    if setting.domains == 1:
        return FADING_OCTAVES["one"]
    return FADING_OCTAVES["exchange" if setting.collective in EXCHANGES else "several"]


def observe(lines: Sequence[Line], point: Point, *, same_kind: bool) -> Observation:
    """The lines of one point, each evaluated at one byte and at the point's size."""

    def last(name: str) -> Floats:
        return np.array([getattr(line, name)[-1] for line in lines])

    base_s = np.array([line.launch_s[0] + min(line.latency_s[0], line.latency_s[-1]) for line in lines])
    return Observation(
        point,
        base_s,
        waiting_s=last("launch_s") + last("latency_s"),
        transfer_s=last("transfer_s"),
        reduction_s=last("reduction_s"),
        least_s=last("least_s"),
        gained_s=np.array([max(float(line.latency_s[-1] - line.latency_s[0]), 0.0) for line in lines]),
        same_kind=same_kind,
    )


def fading(size_bytes: Floats | float, smallest_bytes: float, over_octaves: Floats | float) -> Floats:
    """How much of a small message's extra time is left at a size."""
    octaves = np.maximum(np.log2(np.maximum(size_bytes, 1.0) / smallest_bytes), 0.0)
    remaining: Floats = np.exp(-octaves / over_octaves)
    return remaining


@dataclass(frozen=True, slots=True)
class Observations:
    """
    Measured points of one machine side by side, to be priced for many machines at once.

    Attributes:
        lines: Base, waiting, transfer, reduction, least and gained seconds: line by point by one; where a
            point has fewer lines than another, endless waiting.
        size_bytes, octaves, plausible_s, noise: Of each point, as columns.
        regime: ``one`` domain or ``several``.
        reference_s: Seconds of one byte on the calibrated machine.
    """

    lines: tuple[Floats, ...]
    size_bytes: Floats
    octaves: Floats
    plausible_s: Floats
    noise: Floats
    regime: str
    reference_s: float

    def times_s(self, latency: Floats, transfer: Floats, growth: Floats | float = 0.0) -> Floats:
        """Seconds, point by machine, on machines of these ln factors (arrays of one length)."""
        more = np.expm1(np.minimum(latency, 0.0) if self.regime == "one" else latency)
        more = more * fading(self.size_bytes, float(np.min(self.size_bytes)), self.octaves)
        slower, gaining = np.exp(transfer), np.expm1(growth)
        best: Floats = np.full(more.shape, np.inf)
        for base, waiting, moved, reduced, least, gained in zip(*self.lines, strict=True):
            wire = np.maximum(moved * slower, np.minimum(least, moved)) + reduced * slower
            best = np.minimum(best, waiting + base * more + gained * gaining + wire)
        if self.regime == "one":
            floor = _floor(np.maximum(latency, 0.0), self.reference_s)
            best = soft_maximum(best, floor, MEASURED_HOST_SHARPNESS)
        return best

    def adaptation(self, ln_latency: float, ln_transfer: float, ln_growth: float = 0.0) -> Adaptation:
        """The machine of these ln factors; inside a domain a slower start is a floor of the host."""
        smallest = float(np.min(self.size_bytes))
        if self.regime == "one" and ln_latency > 0:
            floor_s = float(_floor(np.array(ln_latency), self.reference_s))
            return Adaptation(0.0, ln_transfer, floor_s, smallest, ln_growth)
        return Adaptation(ln_latency, ln_transfer, 0.0, smallest, ln_growth)


def beside(observations: Sequence[Observation], regime: str, reference_s: float) -> Observations:
    """Points of one machine beside each other."""
    most = max(len(point.base_s) for point in observations)

    def stacked(name: str, absent: float = 0.0) -> Floats:
        rows = [getattr(point, name) for point in observations]
        padded = [np.pad(row, (0, most - len(row)), constant_values=absent) for row in rows]
        return np.stack(padded, axis=1)[:, :, None]

    def column(values: Sequence[float]) -> Floats:
        return np.array(values)[:, None]

    names = ("transfer_s", "reduction_s", "least_s", "gained_s")
    return Observations(
        lines=(stacked("base_s"), stacked("waiting_s", np.inf), *(stacked(name) for name in names)),
        size_bytes=column([point.size_bytes for point in observations]),
        octaves=column([fading_octaves(point.point.setting) for point in observations]),
        plausible_s=column([point.plausible_s for point in observations]),
        noise=column([point.noise for point in observations]),
        regime=regime,
        reference_s=reference_s,
    )


def _floor(latency: Floats, reference_s: float) -> Floats:
    """The floor that lifts a small message by exp(latency)."""
    lifted: Floats = np.maximum(np.exp(MEASURED_HOST_SHARPNESS * latency) - 1.0, 0.0)
    return reference_s * lifted ** (1 / MEASURED_HOST_SHARPNESS)


def adapted(line: Line, adaptation: Adaptation, sizes: Floats, octaves: float) -> Line:
    """A line as this machine would run it; `sizes` starts at one byte, `octaves` fade small extras."""
    transfer = np.exp(adaptation.ln_transfer)
    moved = np.maximum(line.transfer_s * transfer, np.minimum(line.least_s, line.transfer_s))
    more = np.expm1(adaptation.ln_latency) * fading(sizes, adaptation.smallest_bytes, octaves)
    gained = np.expm1(adaptation.ln_growth) * np.maximum(line.latency_s - line.latency_s[0], 0.0)
    bent = replace(
        line,
        launch_s=line.launch_s + line.launch_s[0] * more,
        latency_s=line.latency_s + np.minimum(line.latency_s[0], line.latency_s) * more + gained,
        transfer_s=moved,
        reduction_s=line.reduction_s * transfer,
    )
    if adaptation.floor_s <= 0:
        return bent
    total = bent.time_s
    lifted = soft_maximum(total, adaptation.floor_s, MEASURED_HOST_SHARPNESS)
    return replace(bent, launch_s=bent.launch_s + (lifted - total))
