"""Crossovers of training: the value of each input at which another layout becomes the fastest."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.calculators.layouts.scaled_system import with_network_rate, with_scale_up_rate
from core.calculators.layouts.solve import first_change
from core.calculators.layouts.training_ranking import RankedLayout, fastest
from core.calculators.training import Scenario
from core.parallel.prices import Latency
from core.units import format_rate

COMPARED = 8
"""Layouts of a ranking that are compared while an input changes."""
SPAN = 16.0
"""Each input is divided and multiplied by at most this factor."""


@dataclass(frozen=True, slots=True)
class Crossover:
    """
    A break-even point: beyond ``value`` of ``input`` another layout wins.

    Attributes:
        input, unit: Name of the input, and the unit of ``now`` and ``value``.
        now: Its value in the scenario.
        factor: ``value`` over ``now``.
        before, to: The layout that wins now, and the one that wins beyond.
    """

    input: str
    unit: str
    now: float
    value: float
    factor: float
    before: str
    to: str

    @property
    def condition(self) -> str:
        """As ``network rate per GPU below 12 GB/s``."""
        side = "below" if self.factor < 1 else "above"
        if self.unit == "B/s":
            return f"{self.input} {side} {format_rate(self.value)}"
        if self.unit == "times":
            return f"{self.input} {side} {self.factor:.3g} times the current one"
        unit = "" if self.input.endswith(self.unit) else f" {self.unit}"
        return f"{self.input} {side} {self.value:,.0f}{unit}"


@dataclass(frozen=True, slots=True)
class Input:
    """An input of a training scenario: its current value, and the scenario with it multiplied."""

    name: str
    unit: str
    value: Callable[[Scenario], float]
    scaled: Callable[[Scenario, float], Scenario]


def _network_rate(scenario: Scenario) -> float:
    leaf = scenario.system.scale_out
    return 0.0 if leaf is None else leaf.bytes_per_s


def _scale_network(scenario: Scenario, factor: float) -> Scenario:
    return replace(scenario, system=with_network_rate(scenario.system, factor))


def _scale_scale_up(scenario: Scenario, factor: float) -> Scenario:
    return replace(scenario, system=with_scale_up_rate(scenario.system, factor))


def _scale_batch(scenario: Scenario, factor: float) -> Scenario:
    divisor = scenario.micro_batch * scenario.layout.dp
    return replace(scenario, global_batch=max(1, round(scenario.global_batch * factor / divisor)) * divisor)


def _network_latency(scenario: Scenario) -> float:
    return scenario.latency.across if _network_rate(scenario) else 0.0


def _scale_network_latency(scenario: Scenario, factor: float) -> Scenario:
    latency = scenario.latency
    return replace(scenario, latency=Latency(latency.inside, latency.across * factor))


def _scale_scale_up_latency(scenario: Scenario, factor: float) -> Scenario:
    latency = scenario.latency
    return replace(scenario, latency=Latency(latency.inside * factor, latency.across))


NETWORK_RATE = Input("network rate per GPU", "B/s", _network_rate, _scale_network)
SCALE_UP_RATE = Input(
    "scale-up rate per GPU", "B/s", lambda job: job.system.scale_up.bytes_per_s, _scale_scale_up
)
GLOBAL_BATCH = Input("global batch size", "sequences", lambda job: float(job.global_batch), _scale_batch)
NETWORK_LATENCY = Input("network latency", "times", _network_latency, _scale_network_latency)
SCALE_UP_LATENCY = Input("scale-up latency", "times", lambda job: job.latency.inside, _scale_scale_up_latency)
INPUTS = (NETWORK_RATE, SCALE_UP_RATE, GLOBAL_BATCH, NETWORK_LATENCY, SCALE_UP_LATENCY)
"""A latency is a factor on the part of each collective before its bytes flow."""


def crossovers(ranked: Sequence[RankedLayout], *, span: float = SPAN) -> tuple[Crossover, ...]:
    """
    Where the fastest layout of a ranking changes, each input divided and multiplied by up to ``span``.

    Only the best few layouts are compared; each must still be able to run.
    """
    layouts = list(ranked[:COMPARED])
    scenarios = [layout.scenario for layout in layouts]
    if len(scenarios) < 2:  # noqa: PLR2004 (one layout has no rival)
        return ()
    points = []
    for changed in INPUTS:
        value = changed.value(scenarios[0])
        if value <= 0:
            continue
        for end in (1 / span, span):
            change = first_change(_fastest_by(scenarios, changed), 1.0, end)
            if change is not None:
                names = layouts[0].name(), layouts[change.choice].name()
                figures = value, value * change.value, change.value
                points.append(Crossover(changed.name, changed.unit, *figures, *names))
    return tuple(points)


def _fastest_by(scenarios: Sequence[Scenario], changed: Input) -> Callable[[float], int]:
    """Index of the fastest scenario once the input is multiplied by a factor."""
    return lambda factor: fastest(scenarios, lambda job: changed.scaled(job, factor))
