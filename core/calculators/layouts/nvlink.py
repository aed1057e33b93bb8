"""What NVLink is worth in five situations, each computed with it and on PCIe alone."""

from collections.abc import Callable
from dataclasses import dataclass

from core import catalog
from core.calculators.gradient_sync import Scenario as GradientSync
from core.calculators.gradient_sync import answer as gradient_sync
from core.calculators.layouts.link_value import SAME, link_verdict
from core.calculators.layouts.pcie import PCIE_5, on_pcie
from core.calculators.layouts.serving_step import serving_step
from core.calculators.tensor_parallel import Scenario as TensorParallel
from core.collectives.rates import Rates
from core.hardware import System
from core.provenance import Origin

SPEC = Rates(Origin.SPEC)


@dataclass(frozen=True, slots=True)
class NvlinkCase:
    """
    One situation.

    Attributes:
        with_s, without_s: Seconds of a step with NVLink and on PCIe alone.
        verdict: ``needed``, ``useful`` or ``not needed``.
        text: The result in one sentence.
    """

    situation: str
    question: str
    with_s: float
    without_s: float
    verdict: str
    text: str

    @property
    def gain(self) -> float:
        """Speed-up by NVLink."""
        return self.without_s / self.with_s if self.with_s > 0 else 1.0


@dataclass(frozen=True, slots=True)
class _Situation:
    """A name, what runs there, and its step in seconds on a system."""

    name: str
    question: str
    system_id: str
    step_s: Callable[[System, Rates], float]
    pcie: str = PCIE_5


def nvlink_cases(rates: Rates = SPEC) -> tuple[NvlinkCase, ...]:
    """The five situations, answered by the gradient-sync and tensor-parallel calculators."""
    return tuple(_case(situation, rates) for situation in _SITUATIONS)


def _case(situation: _Situation, rates: Rates) -> NvlinkCase:
    system = catalog.system(situation.system_id)
    with_s = situation.step_s(system, rates)
    without_s = situation.step_s(on_pcie(system, situation.pcie), rates)
    gain = without_s / with_s if with_s > 0 else 1.0
    verdict = link_verdict(gain)
    faster = f"{gain:.3g}× as fast" if gain >= SAME else f"no faster ({gain:.2f}×)"
    text = f"{situation.question}: {faster} with NVLink, so it is {verdict}."
    return NvlinkCase(situation.name, situation.question, with_s, without_s, verdict, text)


def _decode(model: str, tp: int, tokens: int) -> Callable[[System, Rates], float]:
    def step_s(system: System, rates: Rates) -> float:
        fp8 = catalog.precision("fp8")
        job = TensorParallel(system, catalog.model(model), tokens=tokens, tp=tp, weights=fp8, rates=rates)
        return serving_step(job).step_s

    return step_s


def _fsdp(params: float, tokens: int) -> Callable[[System, Rates], float]:
    def step_s(system: System, rates: Rates) -> float:
        job = GradientSync(
            params=params,
            system=system,
            ranks=8,
            strategy="fsdp",
            tokens_per_rank=tokens,
            mfu=0.5,
            rates=rates,
        )
        return gradient_sync(job).step_s or 0.0

    return step_s


_SITUATIONS = (
    _Situation("single-GPU inference", "An 8B model on one H100", "dgx-h100", _decode("llama-3.1-8b", 1, 32)),
    _Situation(
        "multi-GPU training", "FSDP of an 8B model on 8 H100, 4,096 tokens each", "dgx-h100", _fsdp(8e9, 4096)
    ),
    _Situation(
        "large-model inference",
        "Llama 3.1 405B in FP8 at TP8 on 8 H100, 64 concurrent requests",
        "dgx-h100",
        _decode("llama-3.1-405b", 8, 64),
    ),
    _Situation(
        "workstation",
        "An 8B model at TP2 on two RTX 3090, 4 concurrent requests",
        "rtx-3090-x2",
        _decode("llama-3.1-8b", 2, 4),
        pcie="pcie4-x16",
    ),
    _Situation(
        "data centre", "FSDP of a 70B model on 8 B200, 8,192 tokens each", "dgx-b200", _fsdp(70e9, 8192)
    ),
)
