"""Stragglers: data-parallel ranks wait for the slowest GPU, the longer the more GPUs there are."""

from core.calculators.training.scenario import Scenario
from core.catalog import precision as format_of
from core.catalog.calibrations import training as constants
from core.hardware.link import NODE_GPUS
from core.parallel.columns import common, where
from core.parallel.peaks import peak
from core.parallel.states import SHARDING
from core.parallel.stragglers import wait_s


def straggler_s(scenario: Scenario, compute_s: float) -> float:
    """
    Median seconds of a step in which data-parallel ranks wait for the slowest of all GPUs.

    Counted beyond one node of at most eight, whose own waiting the GEMM efficiency includes. Where ranks
    gather every layer's parameters each layer waits anew, so that the layers' deviation counts and not the
    step's, and in seconds that of its fixed cost.
    Stages of a pipeline wait for one another in every micro-batch, which doubles the step's.
    """
    step = _step_jitter(scenario)
    sharded = SHARDING[scenario.strategy].parameters
    alone, host_s = (constants.LAYER_JITTER, constants.HOST_JITTER_S) if sharded else (step, 0.0)
    gpus, layout = common(scenario.layout.gpus), scenario.layout
    node = min(NODE_GPUS, scenario.system.domain_gpus)
    pipelined_s = _wait_share(constants.PIPELINE_JITTER * step, gpus, node) * compute_s
    alone_s = _wait_share(alone, gpus, node) * compute_s + _wait_share(host_s, gpus, node)
    return where(layout.data.size == 1, 0.0, where(layout.pp > 1, pipelined_s, alone_s))


def _wait_share(spread: float, gpus: int, node: int) -> float:
    """Waiting over compute where ranks differ by that standard deviation, beyond that of one node."""
    return max(0.0, wait_s(1.0, spread, gpus) - wait_s(1.0, spread, node))


def _step_jitter(scenario: Scenario) -> float:
    """Standard deviation of a step over ranks in its format."""
    return constants.STEP_JITTER if in_16_bits(scenario) else constants.LOW_PRECISION_STEP_JITTER


def in_16_bits(scenario: Scenario) -> bool:
    """Whether the GPU computes the scenario's GEMMs in 16 bits."""
    return peak(scenario.system.gpu, format_of(scenario.precision)).format == "bf16"
