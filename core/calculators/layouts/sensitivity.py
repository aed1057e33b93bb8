"""Sensitivity of training: which inputs change the step most (a tornado chart), and which have no effect."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from core.calculators.layouts.inputs import NETWORK_LATENCY, NETWORK_RATE, SCALE_UP_LATENCY, SCALE_UP_RATE
from core.calculators.layouts.scaled_system import with_memory_rate, with_peaks
from core.calculators.training import Scenario, step
from core.checks import number

NO_EFFECT = 1e-3
"""An input that changes the result by less than this share has no effect on it."""

Scaled = Callable[[Scenario, float], Scenario]


@dataclass(frozen=True, slots=True)
class Bar:
    """
    The result with one input divided and multiplied by a factor.

    Attributes:
        base_s: Seconds at the current input.
        divided_s, multiplied_s: Seconds at the other two; None where nothing fits.
    """

    input: str
    base_s: float
    divided_s: float | None
    multiplied_s: float | None

    @property
    def swing(self) -> float:
        """Change of the result over both ends, as a share of it; an end where nothing fits counts as none."""
        ends = [self.base_s if end is None else end for end in (self.divided_s, self.multiplied_s)]
        return abs(ends[0] - ends[1]) / self.base_s

    @property
    def dead(self) -> bool:
        """Whether the input has no effect on the result, nor on whether the job fits."""
        return self.swing < NO_EFFECT and self.divided_s is not None and self.multiplied_s is not None


@dataclass(frozen=True, slots=True)
class Tornado:
    """Bars by swing, largest first, and in ``dead`` the inputs that have no effect."""

    factor: float
    bars: tuple[Bar, ...]
    dead: tuple[str, ...]


def tornado(scenario: Scenario, factor: float = 2.0) -> Tornado:
    """
    The step with each input of the system halved and doubled (or by another factor), one at a time.

    Raises:
        InputError: A factor that is not above one.
    """
    factor = number("factor", factor, above=1)
    base_s = step(scenario).total_s
    return sorted_tornado(
        factor,
        (
            Bar(
                name,
                base_s,
                step(scaled(scenario, 1 / factor)).total_s,
                step(scaled(scenario, factor)).total_s,
            )
            for name, scaled in _INPUTS.items()
        ),
    )


def sorted_tornado(factor: float, bars: Iterable[Bar]) -> Tornado:
    """The bars by swing, those without effect by name only."""
    ordered = sorted(bars, key=lambda bar: -bar.swing)
    return Tornado(
        factor,
        tuple(bar for bar in ordered if not bar.dead),
        tuple(bar.input for bar in ordered if bar.dead),
    )


def _memory_rate(scenario: Scenario, factor: float) -> Scenario:
    return replace(scenario, system=with_memory_rate(scenario.system, factor))


def _peaks(scenario: Scenario, factor: float) -> Scenario:
    return replace(scenario, system=with_peaks(scenario.system, factor))


_INPUTS: dict[str, Scaled] = {
    "network rate": NETWORK_RATE.scaled,
    "scale-up rate": SCALE_UP_RATE.scaled,
    "network latency": NETWORK_LATENCY.scaled,
    "scale-up latency": SCALE_UP_LATENCY.scaled,
    "memory bandwidth": _memory_rate,
    "peak FLOP/s": _peaks,
}
