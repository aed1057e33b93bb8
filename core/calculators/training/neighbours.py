"""Layouts next door: one decision changed at a time, on the same GPUs and with the same batch."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.calculators.training.memory import memory
from core.calculators.training.scenario import RECOMPUTE, Scenario
from core.calculators.training.step import step
from core.checks import InputError
from core.parallel.layout import Layout

STRATEGIES = ("ddp", "zero1", "fsdp")


@dataclass(frozen=True, slots=True)
class Neighbour:
    """
    One change with its step.

    Attributes:
        step_s, memory_bytes: None where the layout cannot be; ``reason`` then says why.
        fits: Memory suffices.
    """

    change: str
    layout: str
    step_s: float | None
    memory_bytes: float | None
    fits: bool
    reason: str = ""


def neighbours(scenario: Scenario) -> tuple[Neighbour, ...]:
    """Every single change, fastest that fits first, what cannot be last."""
    found = [_asked(change, other) for change, other in _changes(scenario)]

    def order(item: Neighbour) -> tuple[bool, bool, float]:
        return item.step_s is None, not item.fits, item.step_s or 0.0

    return tuple(sorted(found, key=order))


def _asked(change: str, scenario: Scenario) -> Neighbour:
    name = scenario.layout.text()
    try:
        scenario.check()
    except InputError as problem:
        return Neighbour(change, name, None, None, fits=False, reason=str(problem))
    held = memory(scenario)
    return Neighbour(change, name, step(scenario).total_s, held.total_bytes, held.fits)


def _changes(scenario: Scenario) -> Iterator[tuple[str, Scenario]]:
    yield from _degrees(scenario)
    for value in _beside(scenario.micro_batch):
        yield f"micro-batch {value}", replace(scenario, micro_batch=value)
    for name in RECOMPUTE:
        if name != scenario.recompute:
            yield f"recomputation {name}", replace(scenario, recompute=name)
    for name in STRATEGIES:
        if name != scenario.strategy:
            yield f"strategy {name}", replace(scenario, strategy=name)


def _degrees(scenario: Scenario) -> Iterator[tuple[str, Scenario]]:
    layout = scenario.layout
    for name in ("tp", "pp", "cp"):
        for value in _beside(getattr(layout, name)):
            other = _moved(layout, name, value)
            if other is not None:
                yield f"{name.upper()} {value}, DP {other.dp}", replace(scenario, layout=other)
    if layout.pp > 1:
        for value in _beside(layout.vpp):
            yield f"{value} pieces a stage", replace(scenario, layout=replace(layout, vpp=value))
    if scenario.model.moe:
        for value in _beside(layout.ep):
            yield f"EP {value}", replace(scenario, layout=replace(layout, ep=value))


def _beside(value: int) -> list[int]:
    """Half, where it is whole, and twice."""
    return [*([value // 2] if value % 2 == 0 else []), 2 * value]


def _moved(layout: Layout, name: str, value: int) -> Layout | None:
    """The same GPUs with one degree changed and DP making up for it; None where it cannot."""
    rest = layout.tp * layout.pp * layout.cp // getattr(layout, name) * value
    if layout.gpus % rest:
        return None
    pieces = layout.vpp if name != "pp" or value > 1 else 1
    moved: dict[str, int] = {name: value, "dp": layout.gpus // rest, "vpp": pieces}
    return replace(layout, **moved)
