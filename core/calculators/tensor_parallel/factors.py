"""What the terms of a step consist of, on both sides of a comparison: counts, sizes and rates."""

from collections.abc import Callable
from dataclasses import dataclass

from core.calculators.tensor_parallel.answer import first
from core.calculators.tensor_parallel.bound_work import bound_work, cache_bytes
from core.calculators.tensor_parallel.scenario import Scenario
from core.calculators.tensor_parallel.terms import Terms, weight_bytes
from core.parallel.peaks import peak
from core.units import GB, MIB, TB, TERA, US, format_message, significant

SAME = 0.002
"""Values within this share of each other did not move."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of two scenarios with the terms of its step."""

    scenario: Scenario
    terms: Terms


Sides = tuple[Side, Side]


@dataclass(frozen=True, slots=True)
class Factor:
    """
    A count, size or rate behind a term.

    Attributes:
        text: Its value on both sides, or one where they are equal.
        effect: Above zero where it makes B's term longer than A's, below zero where shorter, 0 where equal.
    """

    text: str
    effect: float


def factor(
    sides: Sides, value: Callable[[Side], float], text: str, *, shortens: bool = False, detail: str = ""
) -> Factor:
    """
    A factor from the value of each side.

    Args:
        sides: A and B.
        value: Its number.
        text: With ``{}`` where the number stands.
        shortens: More of it makes the term shorter, as of a rate.
        detail: Put behind, where the factor moved.
    """
    a, b = (value(side) for side in sides)
    larger = max(abs(a), abs(b))
    moved = larger > 0 and abs(a - b) > SAME * larger
    effect = (b - a) / larger * (-1 if shortens else 1) if moved else 0.0
    shown = f"{_number(a)} -> {_number(b)}" if moved and _number(a) != _number(b) else _number(b)
    return Factor(text.format(shown) + (detail if moved else ""), effect)


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{significant(value):g}"  # noqa: PLR2004 (three digits)


def changed(sides: Sides, value: Callable[[Side], str], text: str) -> str:
    """Words that differ between the sides as ``text``; empty where they do not."""
    a, b = (value(side) for side in sides)
    return "" if a == b else text.format(f"{a} -> {b}")


def message_factors(sides: Sides, field: str, name: str) -> list[Factor]:
    """Messages of a step and the microseconds of one, by one cause, with what sets them."""

    def each_us(side: Side) -> float:
        exchange = side.terms.exchange
        return first(getattr(exchange, field)) / max(exchange.messages, 1) / US

    return [
        _messages(sides),
        factor(sides, each_us, f"{{}} µs of {name} each", detail=_why(sides)),
    ]


def wire_factors(sides: Sides) -> list[Factor]:
    """Bytes that a GPU sends, and the rate that they reach, beside that of the link."""

    def reached(side: Side) -> float:
        exchange = side.terms.exchange
        transfer_s = first(exchange.transfer_s)
        return first(exchange.wire_bytes) / transfer_s / GB if transfer_s > 0 else 0.0

    def link(side: Side) -> str:
        system = side.scenario.system
        crosses = side.terms.exchange.crosses and system.scale_out is not None
        fabric = system.scale_out if crosses and system.scale_out else system.scale_up
        return _number((side.scenario.rates.bytes_per_s or fabric.bytes_per_s) / GB)

    sizes = [format_message(first(side.terms.exchange.size_bytes)) for side in sides]
    size = sizes[0] if sizes[0] == sizes[1] else f"{sizes[0]} -> {sizes[1]}"
    hidden = changed(sides, lambda side: f"{side.scenario.width:,}", ", hidden size {}")
    layers = changed(sides, lambda side: f"{side.terms.exchange.messages:,.0f}", ", {} messages")
    links = [link(side) for side in sides]
    links_text = links[0] if links[0] == links[1] else f"{links[0]} -> {links[1]}"
    sent = f"{{}} MiB sent per GPU in messages of {size}"
    rate = f"{{}} GB/s reached on links of {links_text} GB/s"
    return [
        factor(sides, lambda side: first(side.terms.exchange.wire_bytes) / MIB, sent, detail=hidden + layers),
        factor(sides, reached, rate, shortens=True, detail=_why(sides)),
    ]


def memory_factors(sides: Sides) -> list[Factor]:
    """Bytes that memory-bound parts move on a GPU, and the memory rate reached."""

    def moved_gb(side: Side) -> float:
        return bound_work(side.scenario, side.terms.compute).bytes / GB

    def weights_gb(side: Side) -> float:
        return weight_bytes(side.scenario.model, side.scenario, side.scenario.tp) / GB

    def cache_gb(side: Side) -> float:
        return cache_bytes(side.scenario, side.terms.compute) / GB

    details = (
        changed(sides, lambda side: _number(weights_gb(side)), "weights {} GB"),
        changed(sides, lambda side: _number(cache_gb(side)), "KV cache {} GB"),
        changed(sides, lambda side: _number(side.scenario.model.params / 1e9), "parameters {} B"),
    )
    detail = ", ".join(text for text in details if text)
    return [
        factor(sides, moved_gb, "{} GB read per GPU", detail=f" ({detail})" if detail else ""),
        factor(
            sides,
            lambda side: _memory_rate(side) / TB,
            f"{{}} TB/s reached of {_either(sides, _memory_datasheet)}",
            shortens=True,
            detail=_kernels(sides),
        ),
    ]


def compute_factors(sides: Sides) -> list[Factor]:
    """FLOPs of compute-bound parts on a GPU, and the peak of the format that computes them."""

    def work(side: Side) -> float:
        return bound_work(side.scenario, side.terms.compute).flop / TERA

    tokens = changed(sides, lambda side: f"{side.scenario.tokens:,}", "batched tokens {}")
    active = changed(
        sides, lambda side: _number(side.scenario.model.active_params / 1e9), "active parameters {} B"
    )
    group = changed(sides, lambda side: str(max(side.scenario.tp, side.scenario.ep)), "GPUs {}")
    detail = ", ".join(text for text in (tokens, active, group) if text)
    return [
        factor(
            sides, work, "{} TFLOP per GPU in compute-bound parts", detail=f" ({detail})" if detail else ""
        ),
        factor(
            sides,
            lambda side: _flop_rate(side) / TERA,
            "{} TFLOP/s reached per GPU",
            shortens=True,
            detail=_kernels(sides),
        ),
    ]


def launch_factors(sides: Sides) -> list[Factor]:
    """Layers, and the kernel launch overhead of one."""

    def each_us(side: Side) -> float:
        return first(side.terms.compute.fixed_s) / side.scenario.layer_count / US

    generation = changed(sides, _architecture, ", fitted on {}")
    return [
        factor(sides, lambda side: float(side.scenario.layer_count), "{} layers"),
        factor(sides, each_us, "{} µs of kernel launch overhead each", detail=generation),
    ]


def head_factors(sides: Sides) -> list[Factor]:
    """Output projection, and sampling for each request."""

    def projection(side: Side) -> float:
        model = side.scenario.model
        return (model.vocab or 0) * (model.hidden or 0) / side.scenario.tp / 1e6

    def rate(side: Side) -> float:
        scenario = side.scenario
        return scenario.hbm_bytes_per_s or scenario.system.gpu.memory_rate.bytes_per_s

    return [
        factor(sides, projection, "{} million values of the output head per GPU"),
        factor(sides, lambda side: rate(side) / TB, "memory of {} TB/s", shortens=True),
        factor(sides, _requests, "{} requests"),
    ]


def _messages(sides: Sides) -> Factor:
    layers = changed(sides, lambda side: str(side.scenario.layer_count), ", {} layers")
    gpus = _either(sides, lambda side: str(max(side.scenario.tp, side.scenario.ep)))
    return factor(
        sides, lambda side: side.terms.exchange.messages, f"{{}} messages of {gpus} GPUs", detail=layers
    )


def _why(sides: Sides) -> str:
    """What sets the cost of one message: algorithm, library, launch, size, GPUs and the calibration."""
    sizes = changed(sides, lambda side: format_message(first(side.terms.exchange.size_bytes)), "{}")
    parts = (
        sizes,
        changed(sides, lambda side: (side.terms.exchange.choice or ("-",))[0], "{}"),
        changed(sides, lambda side: f"{side.scenario.implementation} in a {side.scenario.launch}", "{}"),
        changed(sides, _calibration, "calibration {}"),
    )
    text = ", ".join(part for part in parts if part)
    return f" ({text})" if text else ""


def _kernels(sides: Sides) -> str:
    """Whose kernels run the experts of both, where they differ."""
    if not all(side.scenario.model.moe for side in sides):
        return ""
    return changed(sides, lambda side: side.scenario.engine or "no engine", " (experts of {})")


def _either(sides: Sides, value: Callable[[Side], str]) -> str:
    """The words of both sides, or one where they are equal."""
    a, b = (value(side) for side in sides)
    return a if a == b else f"{a} -> {b}"


def _memory_datasheet(side: Side) -> str:
    scenario = side.scenario
    return _number((scenario.hbm_bytes_per_s or scenario.system.gpu.memory_rate.bytes_per_s) / TB)


def _memory_rate(side: Side) -> float:
    """Memory bytes/s that the memory-bound parts of a side reach; the GPU's own where there are none."""
    time_s = first(side.terms.compute.hbm_bound_s)
    own = side.scenario.hbm_bytes_per_s or side.scenario.system.gpu.memory_rate.bytes_per_s
    return bound_work(side.scenario, side.terms.compute).bytes / time_s if time_s > 0 else own


def _flop_rate(side: Side) -> float:
    """FLOP/s that the compute-bound parts of a side reach; the GPU's peak where there are none."""
    time_s = first(side.terms.compute.flop_bound_s)
    own = side.scenario.peak_flop_per_s or peak(side.scenario.system.gpu, side.scenario.weights).flop_per_s
    return bound_work(side.scenario, side.terms.compute).flop / time_s if time_s > 0 else own


def _calibration(side: Side) -> str:
    """The measurements behind the messages: ``nvlink-hopper``."""
    return side.terms.exchange.basis.removeprefix("calibrated:")


def _architecture(side: Side) -> str:
    return str(side.scenario.system.gpu.architecture)


def _requests(side: Side) -> float:
    scenario = side.scenario
    if scenario.phase == "decode":
        return float(scenario.tokens)
    return max(1.0, scenario.tokens / max(1, scenario.cached))
