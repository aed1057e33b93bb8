"""Do I need NVLink? Five situations, each with and without it, computed."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from core import catalog
from core.calculators.gradient_sync import Scenario as GradientSync
from core.calculators.gradient_sync import answer as gradient_sync
from core.calculators.tensor_parallel import Scenario as TensorParallel
from core.calculators.tensor_parallel import answer as tensor_parallel
from core.collectives.rates import Rates
from core.hardware import System, Topology
from core.provenance import Origin
from core.systems import CustomSystem, DomainSpec, custom_system

NEEDED, USEFUL = 1.25, 1.05
"""Times faster from which a link is needed, and from which it is useful."""
SPEC = Rates(Origin.SPEC)


@dataclass(frozen=True, slots=True)
class Need:
    """One situation: seconds with and without the link, and the verdict."""

    situation: str
    question: str
    with_s: float
    without_s: float
    verdict: str
    text: str

    @property
    def gain(self) -> float:
        """Times faster with the link."""
        return self.without_s / self.with_s if self.with_s > 0 else 1.0


def without_link(system: System, link: str = "pcie5-x16") -> System:
    """The same GPUs on PCIe alone: no links between them, no switch that adds."""
    rate = catalog.link(link).rate
    return custom_system(
        CustomSystem(
            system.gpu,
            DomainSpec(
                system.domain_gpus,
                topology=Topology.PCIE_HOST,
                link=link,
                bytes_per_s=rate.bytes_per_s if rate else None,
                in_network_reduction=False,
            ),
            name=f"{system.name} on PCIe alone",
        )
    )


def needs(rates: Rates = SPEC) -> tuple[Need, ...]:
    """The five situations of the briefing on NVLink, each answered by the calculators."""
    return tuple(_judged(name, question, *times(rates)) for name, question, times in _SITUATIONS)


def _judged(situation: str, question: str, with_s: float, without_s: float) -> Need:
    gain = without_s / with_s if with_s > 0 else 1.0
    verdict = "needed" if gain >= NEEDED else "useful" if gain >= USEFUL else "not needed"
    text = f"{question}: {gain:.3g} times faster with NVLink, so it is {verdict}."
    return Need(situation, question, with_s, without_s, verdict, text)


def _single(rates: Rates) -> tuple[float, float]:
    model = catalog.model("llama-3.1-8b")
    return _serve(catalog.system("dgx-h100"), model.id, 1, 32, rates)


def _training(rates: Rates) -> tuple[float, float]:
    system = catalog.system("dgx-h100")
    job = GradientSync(system, 8e9, 8, strategy="fsdp", tokens_per_rank=4096, mfu=0.5, rates=rates)
    with_link, without = (
        gradient_sync(replace(job, system=item)).step_s for item in (system, without_link(system))
    )
    return with_link or 0.0, without or 0.0


def _large(rates: Rates) -> tuple[float, float]:
    return _serve(catalog.system("dgx-h100"), "llama-3.1-405b", 8, 64, rates)


def _workstation(rates: Rates) -> tuple[float, float]:
    system = catalog.system("rtx-3090-x2")
    return _serve(system, "llama-3.1-8b", 2, 4, rates, without_link(system, "pcie4-x16"))


def _data_centre(rates: Rates) -> tuple[float, float]:
    system = catalog.system("dgx-b200")
    job = GradientSync(system, 70e9, 8, strategy="fsdp", tokens_per_rank=8192, mfu=0.5, rates=rates)
    with_link, without = (
        gradient_sync(replace(job, system=item)).step_s for item in (system, without_link(system))
    )
    return with_link or 0.0, without or 0.0


def _serve(
    system: System, model: str, tp: int, tokens: int, rates: Rates, other: System | None = None
) -> tuple[float, float]:
    asked = TensorParallel(
        system, catalog.model(model), tokens=tokens, tp=tp, weights=catalog.precision("fp8"), rates=rates
    )
    slow = other or without_link(system)
    return tensor_parallel(asked).per_step.time_s, tensor_parallel(
        replace(asked, system=slow)
    ).per_step.time_s


_SITUATIONS: tuple[tuple[str, str, Callable[[Rates], tuple[float, float]]], ...] = (
    ("single-GPU inference", "An 8B model on one H100", _single),
    ("multi-GPU training", "FSDP of an 8B model on 8 H100, 4,096 tokens each", _training),
    ("large-model inference", "Llama 3.1 405B in FP8 at TP8 on 8 H100, 64 sequences", _large),
    ("workstation", "An 8B model at TP2 on two RTX 3090, 4 sequences", _workstation),
    ("data centre", "FSDP of a 70B model on 8 B200, 8,192 tokens each", _data_centre),
)
