"""Seconds of attention in one layer: fused (flash), or scores written to memory as until 2022."""

from dataclasses import dataclass
from math import log2

from core.calculators.training.efficiency import efficiency
from core.calculators.training.scenario import Scenario
from core.calculators.training.work import Work
from core.catalog.calibrations import training as constants
from core.workload.transformer.parameters import shape

FULL_HEAD = 128
"""Head dimension from which fused kernels reach their rate."""


@dataclass(frozen=True, slots=True)
class Attention:
    """Seconds of attention in one layer and one micro-batch on one GPU."""

    forward_s: float
    backward_s: float


def attention(scenario: Scenario, work: Work, flop_per_s: float, bytes_per_s: float) -> Attention:
    """
    Attention of one layer and micro-batch at the GEMMs' FLOP/s and the memory bandwidth reached.

    Flash attention computes half of the square, at a lower rate than large GEMMs, and the scores
    again in backward. Without it the whole square is computed at about twice that rate, which comes
    to the same, and every score passes through memory for mask, softmax and dropout.
    """
    arithmetic_s = work.attention_flop / (flop_per_s * kernel_share(scenario))
    if scenario.flash:
        both_s = arithmetic_s + scan_s(scenario, work)
        return Attention(both_s, constants.FLASH_BACKWARD_OVER_FORWARD * both_s)
    if vector_units_note(scenario):
        arithmetic_s *= constants.VECTOR_UNITS
    forward_s = arithmetic_s + constants.SCORE_BYTES * work.score_values / bytes_per_s
    return Attention(forward_s, constants.BACKWARD_OVER_FORWARD * forward_s)


def kernel_share(scenario: Scenario) -> float:
    """
    FLOP/s of attention over those of large GEMMs; fused kernels need long sequences and wide heads.

    Hugging Face's modules call PyTorch's kernels, which owe nothing to their slower rest.
    """
    gpu = scenario.system.gpu
    framework, over = scenario.kernels, 1.0
    if framework == constants.TRANSFORMERS:
        framework = constants.FSDP
        over = efficiency(gpu, "bf16", framework).usual / efficiency(gpu, "bf16", scenario.kernels).usual
    kernel = constants.ATTENTION_KERNELS.get((framework, gpu.architecture))
    if kernel is None or not scenario.flash:
        return constants.ATTENTION * over
    halvings = max(0.0, log2(FULL_HEAD / shape(scenario.model, "head_dim")[0]))
    narrow: float = kernel.narrow**halvings
    return over * kernel.share * narrow / (1 + kernel.ramp_tokens / scenario.seq)


def scan_s(scenario: Scenario, work: Work) -> float:
    """Seconds of the scan of layers that keep a state, whose chunks keep small tensor-core products busy."""
    multiprocessors = scenario.system.gpu.multiprocessors or constants.TYPICAL_MULTIPROCESSORS
    return work.scan_flop / (constants.SCAN_FLOP_PER_S * multiprocessors)


def vector_units_note(scenario: Scenario) -> str:
    """The note that attention leaves the tensor cores, which load 16 bytes at a time; else empty."""
    head_dim = shape(scenario.model, "head_dim")[0]
    if scenario.flash or head_dim % 8 == 0:
        return ""
    return f"head dimension {head_dim} is no multiple of 8: unfused attention leaves the tensor cores"
