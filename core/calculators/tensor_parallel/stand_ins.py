"""Whose measured kernels price a step: the engine's own, or others that stand in for them, named as such."""

from core.calculators.tensor_parallel.by_tokens import routed_library
from core.calculators.tensor_parallel.formats import dense_weights, expert_formats, gemm_formats
from core.calculators.tensor_parallel.scenario import Scenario
from core.catalog.software import PRESETS
from core.kernels.formats import FORMATS
from core.kernels.stand_ins import dense_stand_ins, routed_stand_ins
from core.workload import Attention


def kernel_assumptions(scenario: Scenario) -> list[str]:
    """What was not timed as it runs, and whose kernels answer in its place."""
    gpu, weights, model = scenario.system.gpu, scenario.weights, scenario.model
    latent = model.attention is Attention.MLA
    arithmetic = gemm_formats(gpu, weights, model)[0]
    lines = dense_stand_ins(gpu, arithmetic, scenario.engine, latent=latent)
    read, dense = dense_weights(model, weights), FORMATS[arithmetic]
    if read.bytes_per_value < dense.activation_bytes:
        lines.append(
            f"GEMMs that widen {read.name} weights (Marlin and the like) were not timed in an engine: "
            f"those of {dense.name} stand in, with fewer bytes to read"
        )
    if not model.moe:
        return lines
    library = routed_library(scenario)
    others = routed_stand_ins(gpu, expert_formats(gpu, weights, model)[0], library)
    own = f"routed MLPs by the kernels of {PRESETS[library].name}"
    return [*lines, *(others or [own + ("" if scenario.engine else ", as no engine is named")])]
