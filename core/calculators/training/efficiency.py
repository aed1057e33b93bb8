"""GEMM efficiency: the one calibration constant of a GPU, a format and a framework."""

from dataclasses import replace

from core.calculators.training.scenario import FULL_ITERATION, Scenario
from core.catalog import precision as format_of
from core.catalog.calibrations.training import (
    ANY,
    EAGER_SHARE,
    EXPERT_ARITHMETIC,
    EXPERT_FORMAT,
    EXPERT_FUSED,
    EXPERT_TOKENS,
    EXPERT_WIDTH,
    FRAMEWORK_EFFICIENCY,
    GEMM_EFFICIENCY,
    TRANSFORMERS,
    UNMEASURED,
    UNMEASURED_BAND,
    GemmEfficiency,
)
from core.hardware import Architecture, Gpu, MemoryKind
from core.kernels.gemm import revision_rate
from core.parallel.peaks import peak

FUSED = (Architecture.BLACKWELL, Architecture.RUBIN)
"""GPUs whose grouped MLP is fused where one graph captures the iteration."""
_SAME_KERNELS = {"fp16": "bf16", "mxfp8": "fp8"}


def efficiency(gpu: Gpu, precision: str, framework: str = ANY) -> GemmEfficiency:
    """
    GEMM efficiency of a GPU in a format, of one framework where a table of it is open.

    A format that the GPU does not compute in counts as the one it is computed in. A generation newer
    than every measured one takes the newest of its vendor, with the band of a guess; so does a GPU with
    GDDR, which no table covers. A later revision of a chip (Blackwell Ultra) is faster by as much as its
    measured GEMM kernels are.

    Raises:
        InputError: The GPU states no peak at all.
    """
    compute = peak(gpu, format_of(precision))
    name = compute.format if compute.note else precision
    architecture = _measured(gpu.architecture)
    own = FRAMEWORK_EFFICIENCY.get((framework, gpu.architecture, name)) or FRAMEWORK_EFFICIENCY.get(
        (framework, gpu.architecture, _SAME_KERNELS.get(name, name))
    )
    tables = gpu.memory_kind is MemoryKind.HBM
    if own is not None and tables:
        return _revised(gpu, name, replace(own, framework=framework))
    fit = GEMM_EFFICIENCY.get((architecture, _SAME_KERNELS.get(name, name)), UNMEASURED)
    if framework == TRANSFORMERS:
        usual = round(EAGER_SHARE * fit.usual, 3)
        return _revised(gpu, name, replace(fit, usual=usual, band=UNMEASURED_BAND, fitted=False))
    if not fit.fitted:
        return fit
    if architecture is gpu.architecture and tables:
        return _revised(gpu, name, fit)
    return replace(fit, band=UNMEASURED_BAND, fitted=False)


def _revised(gpu: Gpu, precision: str, fit: GemmEfficiency) -> GemmEfficiency:
    """The efficiency on a later revision of the chip whose first tables were fitted."""
    return replace(fit, usual=round(fit.usual * revision_rate(gpu, precision), 3))


def expert_share(scenario: Scenario) -> float:
    """
    FLOP/s of the routed experts' grouped GEMMs over those of large dense GEMMs; 1 without experts.

    For every value of a token that an expert reads and writes it does as many products as its matrices are
    wide (the harmonic mean of hidden size and width), so the wider they are and the more tokens of a
    micro-batch it gets, the closer to dense; without EP, TP cuts the width, with EP each expert gets the
    tokens of all its ranks. The overhead is movement, which a narrower format does not shorten, and its
    casts. Where one graph captures the iteration the grouped MLP is one kernel, and less of it is left.
    """
    model, layout = scenario.model, scenario.layout
    if not model.moe or not model.routed_hidden or not model.expert_ffn:
        return 1.0
    cut = layout.tp if layout.ep == 1 else 1
    width = 2 / (1 / model.routed_hidden + cut / model.expert_ffn)
    routed = scenario.tokens_per_gpu * model.active_experts / model.experts
    tokens = routed * layout.ep / layout.tp if layout.ep > 1 else routed
    movement = EXPERT_WIDTH / width * (1 + EXPERT_TOKENS / tokens)
    overhead = _over_bf16(scenario, scenario.precision) * _casts(scenario) * movement
    if scenario.cuda_graphs == FULL_ITERATION and scenario.system.gpu.architecture in FUSED:
        overhead *= EXPERT_FUSED
    slowdown: float = EXPERT_ARITHMETIC + overhead
    return 1 / slowdown


def _casts(scenario: Scenario) -> float:
    """Movement of experts over that in BF16: operands are cast and padded, four bits no longer than eight."""
    eight, own = _over_bf16(scenario, "fp8"), _over_bf16(scenario, scenario.precision)
    return float(min(eight, own) ** (EXPERT_FORMAT - 1))


def _over_bf16(scenario: Scenario, precision: str) -> float:
    """Rate of large dense GEMMs in a format over that in BF16."""
    gpu = scenario.system.gpu

    def rate(name: str) -> float:
        share = efficiency(gpu, name, scenario.kernels).usual
        return peak(gpu, format_of(name)).flop_per_s * share

    return rate(precision) / rate("bf16")


def _measured(architecture: Architecture) -> Architecture:
    """The architecture itself, or the newest measured one of the vendor where it is newer than all."""
    measured = {name for name, _ in GEMM_EFFICIENCY}
    nearest = architecture.nearest(measured)
    return nearest if nearest and all(architecture.year > other.year for other in measured) else architecture
