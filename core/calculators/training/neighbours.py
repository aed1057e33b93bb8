"""Neighbouring layouts: one setting changed at a time, on the same GPUs and with the same global batch."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.calculators.training.memory import memory
from core.calculators.training.memory_saving import recomputing
from core.calculators.training.scenario import RECOMPUTE, Scenario
from core.calculators.training.step import step
from core.checks import InputError
from core.parallel.layout import Layout

STRATEGIES = ("ddp", "zero1", "fsdp")


@dataclass(frozen=True, slots=True)
class Neighbour:
    """
    A layout with one setting changed.

    Attributes:
        change: The setting, as ``TP 4, DP 8``.
        layout: Degrees above one.
        step_s, memory_bytes: None where the layout is impossible; ``reason`` then says why.
        fits: Whether the memory of a GPU suffices.
    """

    change: str
    layout: str
    step_s: float | None
    memory_bytes: float | None
    fits: bool
    reason: str = ""


def neighbours(scenario: Scenario) -> tuple[Neighbour, ...]:
    """Every single change, the fastest that fits first, impossible ones last."""

    def order(neighbour: Neighbour) -> tuple[bool, bool, float]:
        return neighbour.step_s is None, not neighbour.fits, neighbour.step_s or 0.0

    return tuple(sorted((_neighbour(change, other) for change, other in _changes(scenario)), key=order))


def _neighbour(change: str, scenario: Scenario) -> Neighbour:
    name = scenario.layout.text()
    try:
        scenario.check()
    except InputError as problem:
        return Neighbour(change, name, None, None, fits=False, reason=str(problem))
    usage = memory(scenario)
    return Neighbour(change, name, step(scenario).total_s, usage.total_bytes, usage.fits)


def _changes(scenario: Scenario) -> Iterator[tuple[str, Scenario]]:
    yield from _degrees(scenario)
    for value in _half_and_twice(scenario.micro_batch):
        yield f"micro-batch {value}", replace(scenario, micro_batch=value)
    for name in RECOMPUTE:
        if name != scenario.recompute:
            yield (
                f"{name} recomputation" if name != "none" else "no recomputation",
                replace(scenario, **recomputing(scenario, name)),
            )
    for name in STRATEGIES:
        if name != scenario.strategy:
            yield f"strategy {name}", replace(scenario, **scenario.by_strategy(name))


def _degrees(scenario: Scenario) -> Iterator[tuple[str, Scenario]]:
    layout = scenario.layout
    for name in ("tp", "pp", "cp"):
        for value in _half_and_twice(getattr(layout, name)):
            other = _with_degree(layout, name, value)
            if other is not None:
                yield f"{name.upper()} {value}, DP {other.dp}", replace(scenario, layout=other)
    if layout.pp > 1:
        for value in _half_and_twice(layout.vpp):
            yield f"VPP {value}", replace(scenario, layout=replace(layout, vpp=value))
    if scenario.model.moe:
        for value in _half_and_twice(layout.ep):
            yield f"EP {value}", replace(scenario, layout=replace(layout, ep=value))


def _half_and_twice(value: int) -> list[int]:
    """Half the value, where that is whole, and twice."""
    return [*([value // 2] if value % 2 == 0 else []), 2 * value]


def _with_degree(layout: Layout, name: str, value: int) -> Layout | None:
    """The same GPUs with one degree changed and DP adjusted; None where that does not divide."""
    rest = layout.tp * layout.pp * layout.cp // getattr(layout, name) * value
    if layout.gpus % rest:
        return None
    vpp = layout.vpp if name != "pp" or value > 1 else 1
    degrees: dict[str, int] = {name: value, "dp": layout.gpus // rest, "vpp": vpp}
    return replace(layout, **degrees)
