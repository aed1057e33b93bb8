"""What the answers to several worked cases share: machines, wires, formats."""

from typing import Any

from core import catalog
from core.calculators.gradient_sync import Scenario as GradientSync
from core.calculators.gradient_sync import answer as gradient_sync
from core.collectives.formulas import ALGORITHMS
from core.collectives.rates import Rates
from core.hardware import System
from core.provenance import Origin
from core.systems import CustomSystem, DomainSpec, custom_system
from core.units import GB, US
from core.workload import Precision

Case = dict[str, Any]
H100 = catalog.system("dgx-h100")
LLAMA_70B = catalog.model("llama-3.1-70b")
FP8, BF16 = catalog.precision("fp8"), catalog.precision("bf16")
RAW_FP4 = Precision("fp4", "FP4", 4)


def seconds(collective: str, name: str, *arguments: Any) -> float:
    return float(ALGORITHMS[collective, name].function(*arguments).total_s)


def wire(gbps: float, alpha_us: float = 0.0, per: str = "step") -> Rates:
    return Rates(Origin.SPEC, latency_s=alpha_us * US, latency_per=per, bytes_per_s=gbps * GB)


def ring(params: float, gbps: float, alpha_us: float = 0.0, grad_bytes: float = 2, ranks: int = 8) -> Any:
    return gradient_sync(
        GradientSync(H100, params, ranks, grad_bytes=grad_bytes, rates=wire(gbps, alpha_us), algorithm="ring")
    )


def machine(one_way_gbps: float) -> System:
    return custom_system(CustomSystem("h100-sxm", DomainSpec(8, bytes_per_s=one_way_gbps * GB)))
