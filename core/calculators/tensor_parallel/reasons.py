"""Why a term of two steps differs: the inputs behind it, A -> B."""

from core.calculators.tensor_parallel.answer import first
from core.calculators.tensor_parallel.scenario import Scenario
from core.calculators.tensor_parallel.terms import Terms
from core.catalog.calibrations.serving import kernels
from core.parallel.peaks import peak

Pair = tuple[Scenario, Scenario]
US = 1e6


def reason(name: str, asked: Pair, at: tuple[Terms, Terms]) -> str:
    """One line on the term ``name``: what each side has of it."""
    gpus = _pair([one.tp for one in asked], "d")
    if name in ("wire", "NIC"):
        return _wire(asked, at)
    if name in ("launch", "latency"):
        each = f"{_pair([one.exchange.messages for one in at], ',.0f')} messages of {gpus} GPUs"
        told = f" ({_library(asked)})" if name == "launch" else ""
        return f"{each}, {_each(at, f'{name}_s')}{told}"
    if name == "reduction":
        return f"{gpus} parts to add up"
    compute = {"HBM": _memory, "FLOPs": _peaks, "kernel starts": _starts}.get(name)
    return compute(asked) if compute else f"vocabulary over {gpus} GPUs"


def _peaks(asked: Pair) -> str:
    top = [one.tp * peak(one.system.gpu, one.weights).flop_per_s / 1e15 for one in asked]
    return f"{_pair(top, ',.1f')} PFLOP/s dense in the group"


def _starts(asked: Pair) -> str:
    layer = [kernels(one.system.gpu.architecture).layer_s * US for one in asked]
    return f"{_pair([one.layer_count for one in asked], 'd')} layers at {_pair(layer, '.0f')} us each"


def _wire(asked: Pair, at: tuple[Terms, Terms]) -> str:
    size = [first(one.exchange.size_bytes) / 1e3 for one in at]
    rate = [one.system.scale_up.bytes_per_s / 1e9 for one in asked]
    return f"messages of {_pair(size, ',.0f')} kB at {_pair(rate, ',.0f')} GB/s one way a GPU"


def _memory(asked: Pair) -> str:
    each = [one.model.params * one.weights.bytes_per_value / max(one.tp, 1) / 1e9 for one in asked]
    rate = [(one.hbm_bytes_per_s or one.system.gpu.memory_rate.bytes_per_s) / 1e12 for one in asked]
    return f"{_pair(each, ',.1f')} GB of weights a GPU at {_pair(rate, '.2f')} TB/s"


def _each(at: tuple[Terms, Terms], field: str) -> str:
    """Microseconds of one message, by one of its causes."""
    us = [US * first(getattr(one.exchange, field)) / max(one.exchange.messages, 1) for one in at]
    return f"{_pair(us, '.1f')} us each"


def _library(asked: Pair) -> str:
    names = [f"{one.implementation}, {one.launch}" for one in asked]
    return names[0] if names[0] == names[1] else " -> ".join(names)


def _pair(values: list[float], form: str) -> str:
    """Both values, or one where they are equal."""
    texts = [format(value, form) for value in values]
    return texts[0] if texts[0] == texts[1] else " -> ".join(texts)
