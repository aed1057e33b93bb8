"""Seconds of attention in one layer: fused (flash), or scores written to memory as until 2022."""

from core.calculators.training import constants
from core.calculators.training.scenario import Scenario
from core.calculators.training.work import Work
from core.workload.transformer.parameters import shape


def attention_s(scenario: Scenario, todo: Work, flop_per_s: float, bytes_per_s: float) -> tuple[float, float]:
    """
    Forward and backward of one layer and micro-batch on one GPU.

    Flash attention computes half of the square, at a lower rate than large products, and the scores
    again in backward. Without it the whole square is computed at about twice that rate, which comes
    to the same, and every score passes through memory for mask, softmax and dropout.
    """
    products = todo.attention_flop / (flop_per_s * constants.ATTENTION)
    if scenario.flash:
        return products, constants.FLASH_BACKWARD_OVER_FORWARD * products
    if leaves_tensor_cores(scenario):
        products *= constants.VECTOR_UNITS
    once = products + constants.SCORE_BYTES * todo.score_values / bytes_per_s
    return once, constants.BACKWARD_OVER_FORWARD * once


def leaves_tensor_cores(scenario: Scenario) -> str:
    """The note that attention runs on the vector units, or nothing: 16 bytes are loaded at a time."""
    size = shape(scenario.model, "head_dim")[0]
    if scenario.flash or size % 8 == 0:
        return ""
    return f"a head has {size} values, no multiple of 8: unfused attention leaves the tensor cores"
