"""Sensitivity: a tornado of what moves a training step most, dead inputs named."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from core.calculators.layouts.flips import KNOBS
from core.calculators.training import Scenario
from core.calculators.training.step import step
from core.checks import number
from core.hardware import System

DEAD = 1e-3
"""An input that moves the step by less than a thousandth is dead here."""


@dataclass(frozen=True, slots=True)
class Bar:
    """The step with one input divided and multiplied by a factor; seconds, None where nothing fits."""

    input: str
    base_s: float
    divided_s: float | None
    multiplied_s: float | None

    @property
    def swing(self) -> float:
        """How much the input moves the step, as a share of it; from where it is to an end that fits."""
        ends = [self.base_s if end is None else end for end in (self.divided_s, self.multiplied_s)]
        return abs(ends[0] - ends[1]) / self.base_s

    @property
    def dead(self) -> bool:
        """Whether the input moves nothing, nor keeps the job from fitting."""
        return self.swing < DEAD and self.divided_s is not None and self.multiplied_s is not None


@dataclass(frozen=True, slots=True)
class Tornado:
    """Bars by swing, largest first, and the inputs that move nothing."""

    factor: float
    bars: tuple[Bar, ...]
    dead: tuple[str, ...]


def tornado(scenario: Scenario, factor: float = 2.0) -> Tornado:
    """Every input of the machine halved and doubled (or by another factor), one at a time."""
    times = number("factor", factor, above=1)
    base = step(scenario).total_s
    bars = sorted(
        (Bar(name, base, turn(scenario, 1 / times), turn(scenario, times)) for name, turn in _TURNS.items()),
        key=lambda bar: -bar.swing,
    )
    alive = tuple(bar for bar in bars if not bar.dead)
    return Tornado(times, alive, tuple(bar.input for bar in bars if bar.dead))


def with_memory_rate(system: System, factor: float) -> System:
    """The same machine with its GPUs' memory faster by a factor."""
    quoted = system.gpu.memory_rate
    return _with_gpu(system, memory_rate=replace(quoted, value=quoted.value * factor))


def with_peaks(system: System, factor: float) -> System:
    """The same machine with every matrix peak higher by a factor."""
    gpu = system.gpu
    peaks = {
        name: None if (rate := getattr(gpu, name)) is None else rate * factor
        for name in ("bf16_flop_per_s", "fp8_flop_per_s", "fp4_flop_per_s", "int8_flop_per_s")
    }
    return _with_gpu(system, **peaks)


def _with_gpu(system: System, **changes: object) -> System:
    return replace(system, gpu=replace(system.gpu, **changes))  # type: ignore[arg-type]


def _memory_rate(scenario: Scenario, factor: float) -> float:
    return step(replace(scenario, system=with_memory_rate(scenario.system, factor))).total_s


def _peak(scenario: Scenario, factor: float) -> float:
    return step(replace(scenario, system=with_peaks(scenario.system, factor))).total_s


def _turned(place: int) -> Callable[[Scenario, float], float]:
    return lambda scenario, factor: step(KNOBS[place].turned(scenario, factor)).total_s


_TURNS: dict[str, Callable[[Scenario, float], float]] = {
    "network rate": _turned(0),
    "scale-up rate": _turned(1),
    "network latency": _turned(3),
    "scale-up latency": _turned(4),
    "memory rate": _memory_rate,
    "peak FLOP/s": _peak,
}
