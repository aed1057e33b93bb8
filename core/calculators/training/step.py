"""The step: micro-batches through the pipeline stages, the bubble, and data parallelism."""

from dataclasses import dataclass

from core.calculators.training.answer import Exposed, by_cause
from core.calculators.training.comm import LayerComm, layer_comm, stage_send_s
from core.calculators.training.compute import Compute, compute
from core.calculators.training.data_parallel import contention, data_comm, overlap_window
from core.calculators.training.offload import offload
from core.calculators.training.recompute import repeated
from core.calculators.training.scenario import Scenario
from core.calculators.training.stragglers import straggler_s
from core.catalog.calibrations import training as constants
from core.parallel.columns import either, larger, where
from core.parallel.pipeline import bubble_over_work


@dataclass(frozen=True, slots=True)
class Step:
    """
    Seconds of a step by cause.

    Attributes:
        compute_s: All micro-batches on the slowest stage.
        optimizer_s: The optimizer, and what every step costs whatever its size (``STEP_START_S``).
        offload_s: Waiting for the host where activations or optimizer are offloaded.
        exposed, comm: Exposed communication and all of it, by kind of parallelism.
        waiting_s: Waiting for the slowest rank, part of data parallelism in both.
        notes: What a reader must know about the compute.
    """

    compute_s: float
    optimizer_s: float
    bubble_s: float
    exposed: Exposed
    comm: Exposed
    waiting_s: float
    notes: tuple[str, ...]
    offload_s: float = 0.0

    @property
    def total_s(self) -> float:
        """The step time."""
        work_s = self.compute_s + self.optimizer_s + self.offload_s
        return work_s + self.bubble_s + self.exposed.total_s

    @property
    def by_cause(self) -> dict[str, float]:
        """Seconds of the step by cause, which add up to it."""
        return by_cause(self.compute_s + self.optimizer_s, self.bubble_s, self.offload_s, self.exposed)


@dataclass(frozen=True, slots=True)
class SlowestStage:
    """The pipeline stage that sets the pace: its layers, and whether the output head runs on it too."""

    layers: float
    head: bool


@dataclass(frozen=True, slots=True)
class _StageTime:
    """Seconds of one micro-batch in one stage: its compute, exposed communication and all of it."""

    layers: float
    compute_s: float
    exposed: Exposed
    comm: Exposed

    @property
    def total_s(self) -> float:
        return self.compute_s + self.exposed.total_s


def step(scenario: Scenario) -> Step:
    """Every part of one optimizer step on the slowest stage."""
    micro_batches, layout = scenario.micro_batches, scenario.layout
    gpu = compute(scenario)
    stage = _stage(scenario, gpu, layer_comm(scenario))
    data = data_comm(scenario)
    data_s = data_exposed_s = contention(scenario) * data.total_s
    forward_s, backward_s = stage.layers * gpu.layer_forward_s, stage.layers * gpu.layer_backward_s
    if scenario.dp_overlap:
        window, data_s = overlap_window(scenario), data.total_s
        data_exposed_s = data.exposed_s(window * forward_s, window * backward_s, stage.layers)
    compute_s = micro_batches * stage.compute_s
    waiting_s = straggler_s(scenario, compute_s)
    bubble_share = bubble_over_work(layout.pp, micro_batches, layout.vpp)
    return Step(
        compute_s=compute_s,
        optimizer_s=gpu.optimizer_s + constants.STEP_START_S,
        bubble_s=bubble_share * micro_batches * stage.total_s,
        exposed=_whole_step(stage.exposed, micro_batches, data_exposed_s + waiting_s),
        comm=_whole_step(stage.comm, micro_batches, data_s + waiting_s),
        waiting_s=waiting_s,
        notes=gpu.notes,
        offload_s=offload(scenario, forward_s, backward_s).total_s,
    )


def slowest_stage(layers: int, pp: int, virtual_stages: int, head_over_layer: float) -> SlowestStage:
    """
    The stage that sets the pace, the output head taking as long as ``head_over_layer`` layers.

    Where the layers do not divide but do with the embedding and the head counted as two, they
    are divided that way (as Llama 3's 126 layers are).
    """
    even = layers % (pp * virtual_stages) == 0
    with_ends = (layers + 2) % (pp * virtual_stages) == 0
    slots, heavy = (layers + 2) / pp, head_over_layer > 1
    most = -(-layers // pp)
    last = layers - most * (pp - 1)
    crowded = last + head_over_layer > most
    uneven = where(with_ends, where(heavy, slots - 1, slots), where(crowded, 1.0 * last, 1.0 * most))
    head = either(even, where(with_ends, heavy, crowded) > 0)
    return SlowestStage(where(even, layers / pp, uneven), head)


def pacing_stage(scenario: Scenario, gpu: Compute) -> SlowestStage:
    """The slowest stage of a scenario with this compute."""
    head_over_layer = gpu.head_s / (gpu.layer_forward_s + gpu.layer_backward_s)
    return slowest_stage(scenario.model.layers, scenario.layout.pp, scenario.layout.vpp, head_over_layer)


def _stage(scenario: Scenario, gpu: Compute, comm: LayerComm) -> _StageTime:
    layout, slowest = scenario.layout, pacing_stage(scenario, gpu)
    layer_s = gpu.layer_forward_s + gpu.layer_backward_s
    layers = slowest.layers
    again = repeated(scenario)
    tensor_s = layers * ((1 + again.tensor) * comm.tensor_forward_s + comm.tensor_backward_s)
    expert_s = layers * ((1 + again.expert) * comm.expert_forward_s + comm.expert_backward_s)
    context_s = layers * ((1 + again.context) * comm.context_forward_s + comm.context_backward_s)
    context_exposed_s = layers * (
        (1 + again.context) * larger(0.0, comm.context_forward_s - gpu.attention_forward_s)
        + larger(0.0, comm.context_backward_s - 2 * gpu.attention_forward_s)
    )
    sends_s = 2 * layout.vpp * stage_send_s(scenario)
    return _StageTime(
        layers=layers,
        compute_s=layers * layer_s + where(slowest.head, gpu.head_s, 0.0),
        exposed=Exposed(
            tp=tensor_s * (1 - scenario.overlap.tp),
            dp=0.0,
            pp=sends_s * (1 - scenario.overlap.pp),
            cp=context_exposed_s,
            ep=expert_s * (1 - scenario.overlap.ep),
        ),
        comm=Exposed(tp=tensor_s, dp=0.0, pp=sends_s, cp=context_s, ep=expert_s),
    )


def _whole_step(stage: Exposed, micro_batches: int, data_s: float) -> Exposed:
    return Exposed(
        tp=micro_batches * stage.tp,
        dp=data_s,
        pp=micro_batches * stage.pp,
        cp=micro_batches * stage.cp,
        ep=micro_batches * stage.ep,
    )
