"""The step: micro-batches through the pipeline stages, the bubble, and data parallelism."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.calculators.training.answer import Exposed, by_cause
from core.calculators.training.comm import LayerCalls, LayerComm
from core.calculators.training.compute import Compute, compute
from core.calculators.training.data_parallel import DataCalls, contention, overlap_window
from core.calculators.training.offload import offload
from core.calculators.training.price import Call, Exchange, price_s
from core.calculators.training.recompute import Repeated, repeated
from core.calculators.training.scenario import Overlap, Scenario
from core.calculators.training.stragglers import straggler_s
from core.catalog.calibrations import training as constants
from core.hardware import Gpu
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
        host_s: Part of ``compute_s`` in which GPUs wait for the host to launch their kernels.
    """

    compute_s: float
    optimizer_s: float
    bubble_s: float
    exposed: Exposed
    comm: Exposed
    waiting_s: float
    notes: tuple[str, ...]
    offload_s: float = 0.0
    host_s: float = 0.0

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

    compute_s: float
    exposed: Exposed
    comm: Exposed

    @property
    def total_s(self) -> float:
        return self.compute_s + self.exposed.total_s


@dataclass(frozen=True, slots=True)
class Unpriced:
    """
    A step whose collectives are known and not priced: what stays while a rate or a latency of links changes.

    Attributes:
        gpu: Compute of a layer and of the ends.
        layers, stage_s: Layers of the slowest stage, and its compute for one micro-batch.
        again: Communication that recomputation repeats.
        overlap: Shares of communication overlapped with compute.
        layer, data: The collectives.
        window, contention: How data parallelism overlaps, and how much slower it is where it does not.
        bubble_share: Pipeline bubble over work.
        waiting_s, offload_s: Of the step.
    """

    scenario: Scenario
    gpu: Compute
    layers: float
    stage_s: float
    again: Repeated
    overlap: Overlap
    layer: LayerCalls
    data: DataCalls
    micro_batches: int
    window: float
    contention: float
    bubble_share: float
    waiting_s: float
    offload_s: float

    @property
    def calls(self) -> tuple[Call | Exchange, ...]:
        """Every collective of the step once, in the order in which ``priced`` takes their seconds."""
        return (*self.layer.calls, *self.data.calls)

    def priced(self, seconds: Sequence[float]) -> Step:
        """The step where the calls take so many seconds."""
        layer_calls = len(seconds) - len(self.data.members)
        stage = self._stage(self.layer.comm(seconds[:layer_calls]))
        data = self.data.comm(seconds[layer_calls:])
        data_s = data_exposed_s = self.contention * data.total_s
        gpu, micro_batches = self.gpu, self.micro_batches
        if self.scenario.dp_overlap:
            data_s, layers = data.total_s, self.layers
            launched = layers * stage.compute_s / self.stage_s  # what is sent goes on while the host launches
            forward_s, backward_s = launched * gpu.layer_forward_s, launched * gpu.layer_backward_s
            data_exposed_s = data.exposed_s(self.window * forward_s, self.window * backward_s, layers)
        return Step(
            compute_s=micro_batches * stage.compute_s,
            optimizer_s=gpu.optimizer_s + constants.STEP_START_S,
            bubble_s=self.bubble_share * micro_batches * stage.total_s,
            exposed=_whole_step(stage.exposed, micro_batches, data_exposed_s + self.waiting_s),
            comm=_whole_step(stage.comm, micro_batches, data_s + self.waiting_s),
            waiting_s=self.waiting_s,
            notes=gpu.notes,
            offload_s=self.offload_s,
            host_s=micro_batches * (stage.compute_s - self.stage_s),
        )

    def _stage(self, comm: LayerComm) -> "_StageTime":
        layers, again, gpu, overlap = self.layers, self.again, self.gpu, self.overlap
        tensor_s = layers * ((1 + again.tensor) * comm.tensor_forward_s + comm.tensor_backward_s)
        expert_s = layers * ((1 + again.expert) * comm.expert_forward_s + comm.expert_backward_s)
        context_s = layers * ((1 + again.context) * comm.context_forward_s + comm.context_backward_s)
        context_exposed_s = layers * (
            (1 + again.context) * larger(0.0, comm.context_forward_s - gpu.attention_forward_s)
            + larger(0.0, comm.context_backward_s - 2 * gpu.attention_forward_s)
        )
        sends_s = 2 * self.scenario.layout.vpp * comm.stage_send_s
        ep_overlap = overlap.ep * (1 - lent_share(self.scenario.system.gpu))
        tensor, left_s = _overlapped(tensor_s, overlap.tp, self.stage_s)
        expert, left_s = _overlapped(expert_s, ep_overlap, left_s)
        sends, _ = _overlapped(sends_s, overlap.pp, left_s)
        launching_s = larger(0.0, layers * gpu.host_s - self.stage_s - tensor - expert)
        return _StageTime(
            compute_s=self.stage_s + launching_s,
            exposed=Exposed(
                tp=tensor,
                dp=0.0,
                pp=sends,
                cp=context_exposed_s,
                ep=expert,
            ),
            comm=Exposed(tp=tensor_s, dp=0.0, pp=sends_s, cp=context_s, ep=expert_s),
        )


def step(scenario: Scenario) -> Step:
    """Every part of one optimizer step on the slowest stage."""
    work = unpriced(scenario)
    return work.priced([price_s(scenario, call) for call in work.calls])


def unpriced(scenario: Scenario) -> Unpriced:
    """The step before its collectives are priced."""
    micro_batches, layout, gpu = scenario.micro_batches, scenario.layout, compute(scenario)
    layer_s = gpu.layer_forward_s + gpu.layer_backward_s
    slowest = pacing_stage(scenario, gpu)
    layers = slowest.layers
    forward_s, backward_s = layers * gpu.layer_forward_s, layers * gpu.layer_backward_s
    stage_s = layers * layer_s + where(slowest.head, gpu.head_s, 0.0)
    return Unpriced(
        scenario=scenario,
        gpu=gpu,
        layers=layers,
        stage_s=stage_s,
        again=repeated(scenario),
        overlap=scenario.overlap,
        layer=LayerCalls.of(scenario),
        data=DataCalls.of(scenario),
        micro_batches=micro_batches,
        window=overlap_window(scenario),
        contention=contention(scenario),
        bubble_share=bubble_over_work(layout.pp, micro_batches, layout.vpp),
        waiting_s=straggler_s(scenario, micro_batches * stage_s),
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


def lent_share(gpu: Gpu) -> float:
    """Share of a GPU's multiprocessors that kernels of dispatch and combine take where they overlap."""
    return constants.EP_SMS / (gpu.multiprocessors or constants.TYPICAL_MULTIPROCESSORS)


def _overlapped(comm_s: float, overlap: float, compute_s: float) -> tuple[float, float]:
    """Seconds exposed where a share is overlapped, with no more than this compute; compute left over."""
    exposed_s = larger(comm_s * (1 - overlap), comm_s - compute_s)
    return exposed_s, larger(0.0, compute_s - (comm_s - exposed_s))


def _whole_step(stage: Exposed, micro_batches: int, data_s: float) -> Exposed:
    return Exposed(
        tp=micro_batches * stage.tp,
        dp=data_s,
        pp=micro_batches * stage.pp,
        cp=micro_batches * stage.cp,
        ep=micro_batches * stage.ep,
    )
