"""Stragglers: data-parallel ranks wait for the slowest GPU, the longer the more GPUs there are."""

from core.calculators.training.scenario import Scenario
from core.catalog import precision as format_of
from core.catalog.calibrations import training as constants
from core.parallel.columns import common, where
from core.parallel.peaks import peak
from core.parallel.states import SHARDING
from core.parallel.stragglers import wait_s

NODE_GPUS = 8
"""Most systems that the GEMM efficiencies were fitted on have as many."""


def straggler_s(scenario: Scenario, compute_s: float) -> float:
    """
    Median seconds of a step in which data-parallel ranks wait for the slowest of all GPUs.

    Counted beyond one node, whose own waiting the GEMM efficiency includes. Where ranks gather every
    layer's parameters each layer waits anew, so that the layers' deviation counts and not the step's.
    """
    spread = _spread(scenario)
    all_gpus = wait_s(1.0, spread, common(scenario.layout.gpus))
    share = max(0.0, all_gpus - wait_s(1.0, spread, NODE_GPUS))
    return where(scenario.layout.data.size == 1, 0.0, share * compute_s)


def _spread(scenario: Scenario) -> float:
    """Standard deviation over ranks of what they wait for: of each layer, or of the step in its format."""
    if SHARDING[scenario.strategy].parameters:
        return constants.LAYER_JITTER
    in_16_bits = peak(scenario.system.gpu, format_of(scenario.precision)).format == "bf16"
    return constants.STEP_JITTER if in_16_bits else constants.LOW_PRECISION_STEP_JITTER
