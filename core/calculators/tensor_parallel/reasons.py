"""Why a term of two steps differs: the inputs behind it, A -> B."""

from collections.abc import Callable
from dataclasses import dataclass

from core.calculators.tensor_parallel.answer import first
from core.calculators.tensor_parallel.scenario import Scenario
from core.calculators.tensor_parallel.terms import Terms
from core.catalog.calibrations.serving import kernels
from core.parallel.peaks import peak
from core.units import GB, TB, US, format_message

PFLOP = 1e15


@dataclass(frozen=True, slots=True)
class Side:
    """One of two scenarios with the terms of its step."""

    scenario: Scenario
    terms: Terms


Sides = tuple[Side, Side]


def reason(name: str, sides: Sides) -> str:
    """One line on the term ``name``: what each side has of it."""
    gpus = _both(sides, lambda side: side.scenario.tp, "d")
    if name in ("wire", "NIC"):
        return _link(sides)
    if name in ("launch", "latency"):
        count = _both(sides, lambda side: side.terms.exchange.messages, ",.0f")
        library = f" ({_library(sides)})" if name == "launch" else ""
        return f"{count} messages of {gpus} GPUs, {_per_message(sides, f'{name}_s')}{library}"
    if name == "reduction":
        return f"{gpus} parts to add up"
    compute = {"HBM": _memory, "FLOPs": _peaks, "kernel starts": _launches}.get(name)
    return compute(sides) if compute else f"vocabulary over {gpus} GPUs"


def _peaks(sides: Sides) -> str:
    def group_peak(side: Side) -> float:
        scenario = side.scenario
        return scenario.tp * peak(scenario.system.gpu, scenario.weights).flop_per_s / PFLOP

    return f"{_both(sides, group_peak, ',.1f')} PFLOP/s dense in the group"


def _launches(sides: Sides) -> str:
    layers = _both(sides, lambda side: side.scenario.layer_count, "d")
    overhead = _both(sides, lambda side: kernels(side.scenario.system.gpu.architecture).layer_s / US, ".3g")
    return f"{layers} layers at {overhead} µs of kernel launch overhead each"


def _link(sides: Sides) -> str:
    a, b = (format_message(first(side.terms.exchange.size_bytes)) for side in sides)
    size = a if a == b else f"{a} -> {b}"
    rate = _both(sides, lambda side: side.scenario.system.scale_up.bytes_per_s / GB, ",.0f")
    return f"messages of {size} at {rate} GB/s per GPU and direction"


def _memory(sides: Sides) -> str:
    def weights(side: Side) -> float:
        scenario = side.scenario
        return scenario.model.params * scenario.weights.bytes_per_value / max(scenario.tp, 1) / GB

    def rate(side: Side) -> float:
        scenario = side.scenario
        return (scenario.hbm_bytes_per_s or scenario.system.gpu.memory_rate.bytes_per_s) / TB

    return f"{_both(sides, weights, ',.1f')} GB of weights per GPU at {_both(sides, rate, '.3g')} TB/s"


def _per_message(sides: Sides, field: str) -> str:
    """Microseconds of one message, by one of its causes."""

    def microseconds(side: Side) -> float:
        exchange = side.terms.exchange
        return first(getattr(exchange, field)) / max(exchange.messages, 1) / US

    return f"{_both(sides, microseconds, '.3g')} µs each"


def _library(sides: Sides) -> str:
    a, b = (f"{side.scenario.implementation}, {side.scenario.launch}" for side in sides)
    return a if a == b else f"{a} -> {b}"


def _both(sides: Sides, value: Callable[[Side], float], form: str) -> str:
    """The value of both sides, or one where they are equal."""
    a, b = (format(value(side), form) for side in sides)
    return a if a == b else f"{a} -> {b}"
