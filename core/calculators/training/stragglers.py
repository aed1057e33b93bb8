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

    Counted beyond one node, whose own waiting the GEMM efficiency includes. Where ranks gather every
    layer's parameters each layer waits anew, so that the layers' deviation counts and not the step's.
    Stages of a pipeline wait for one another in every micro-batch, which doubles the step's.
    """
    step = _step_jitter(scenario)
    alone = constants.LAYER_JITTER if SHARDING[scenario.strategy].parameters else step
    gpus, layout = common(scenario.layout.gpus), scenario.layout
    pipelined = _wait_share(constants.PIPELINE_JITTER * step, gpus)
    share = where(layout.pp > 1, pipelined, _wait_share(alone, gpus))
    return where(layout.data.size == 1, 0.0, share * compute_s)


def _wait_share(spread: float, gpus: int) -> float:
    """Waiting over compute where ranks differ by that standard deviation."""
    return max(0.0, wait_s(1.0, spread, gpus) - wait_s(1.0, spread, NODE_GPUS))


def _step_jitter(scenario: Scenario) -> float:
    """Standard deviation of a step over ranks in its format."""
    in_16_bits = peak(scenario.system.gpu, format_of(scenario.precision)).format == "bf16"
    return constants.STEP_JITTER if in_16_bits else constants.LOW_PRECISION_STEP_JITTER
