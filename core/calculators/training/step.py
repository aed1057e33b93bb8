"""The step put together: micro-batches through the stages, the bubble, and what data parallelism adds."""

from dataclasses import dataclass

from core.calculators.training import constants
from core.calculators.training.answer import Exposed
from core.calculators.training.comm import DataComm, LayerComm, boundary_s, data_comm, layer_comm
from core.calculators.training.compute import Compute, compute
from core.calculators.training.scenario import Scenario
from core.calculators.training.slowest import slowest_s
from core.parallel.pipeline import bubble_over_work


@dataclass(frozen=True, slots=True)
class Step:
    """
    Seconds of a step by cause; ``comm`` counts hidden communication too.

    ``waiting_s`` for the slowest rank shows up within data parallelism, in both.
    """

    compute_s: float
    optimizer_s: float
    bubble_s: float
    exposed: Exposed
    comm: Exposed
    waiting_s: float
    notes: tuple[str, ...]

    @property
    def total_s(self) -> float:
        """All parts."""
        return self.compute_s + self.optimizer_s + self.bubble_s + self.exposed.total_s


@dataclass(frozen=True, slots=True)
class _Stage:
    """Seconds of one micro-batch in one stage: its compute, and what each kind of exchange adds."""

    layers: float
    compute_s: float
    exposed: Exposed
    comm: Exposed

    @property
    def total_s(self) -> float:
        return self.compute_s + self.exposed.total_s


def step(scenario: Scenario) -> Step:
    """Every part of one optimizer step on the slowest stage."""
    micro = scenario.micro_batches
    layout = scenario.layout
    busy, talk = compute(scenario), layer_comm(scenario)
    stage = _stage(scenario, busy, talk)
    idle = bubble_over_work(layout.pp, micro, layout.vpp)
    data = data_comm(scenario)
    dp_exposed = _data_exposed(scenario, data, busy, stage.layers)
    waiting_s = slowest_s(scenario, micro * stage.compute_s)
    return Step(
        compute_s=micro * stage.compute_s,
        optimizer_s=busy.optimizer_s,
        bubble_s=idle * micro * stage.total_s,
        exposed=_times(stage.exposed, micro, dp_exposed + waiting_s),
        comm=_times(stage.comm, micro, _data_total(scenario, data) + waiting_s),
        waiting_s=waiting_s,
        notes=busy.notes,
    )


def slowest_stage(layers: int, pp: int, pieces: int, head_over_layer: float) -> tuple[float, bool]:
    """
    Layers of the stage that sets the pace, and whether the output head runs on it too.

    Where the layers do not divide but do with the embedding and the head counted as two, they
    are laid out that way (as Llama 3's 126 layers are).
    """
    if pp == 1:
        return float(layers), True
    if layers % (pp * pieces) == 0:
        return layers / pp, True
    if (layers + 2) % (pp * pieces) == 0:
        each = (layers + 2) / pp
        return (each, False) if head_over_layer <= 1 else (each - 1, True)
    most = -(-layers // pp)
    last = layers - most * (pp - 1)
    return (float(most), False) if last + head_over_layer <= most else (float(last), True)


def _stage(scenario: Scenario, busy: Compute, talk: LayerComm) -> _Stage:
    layout = scenario.layout
    one = busy.layer_forward_s + busy.layer_backward_s
    layers, head = slowest_stage(
        scenario.model.layers, layout.pp, layout.vpp, busy.head_s / one if one else 0.0
    )
    forwards = 2 if scenario.recompute == "full" else 1  # computing a layer again exchanges again
    tensor = layers * (forwards * talk.tensor_forward_s + talk.tensor_backward_s)
    expert = layers * (forwards * talk.expert_forward_s + talk.expert_backward_s)
    context = layers * (forwards * talk.context_forward_s + talk.context_backward_s)
    sticking = layers * (
        forwards * max(0.0, talk.context_forward_s - busy.attention_forward_s)
        + max(0.0, talk.context_backward_s - 2 * busy.attention_forward_s)
    )
    sends = 2 * layout.vpp * boundary_s(scenario) if layout.pp > 1 else 0.0
    return _Stage(
        layers=layers,
        compute_s=layers * one + (busy.head_s if head else 0.0),
        exposed=Exposed(
            tp=tensor * (1 - scenario.hidden.tp),
            dp=0.0,
            pp=sends * (1 - scenario.hidden.pp),
            cp=sticking,
            ep=expert * (1 - scenario.hidden.ep),
        ),
        comm=Exposed(tp=tensor, dp=0.0, pp=sends, cp=context, ep=expert),
    )


def _times(each: Exposed, micro: int, data_s: float) -> Exposed:
    return Exposed(micro * each.tp, data_s, micro * each.pp, micro * each.cp, micro * each.ep)


def _data_exposed(scenario: Scenario, data: DataComm, busy: Compute, layers: float) -> float:
    """What sticks out of backward (averaging) and of forward (gathering), layer by layer."""
    total = _data_total(scenario, data)
    if not scenario.dp_overlap:
        return total
    forward = layers * busy.layer_forward_s
    backward = layers * busy.layer_backward_s
    micro = scenario.micro_batches
    if scenario.strategy in ("ddp", "zero1", "zero2"):
        reduces = micro if scenario.strategy == "zero2" else 1
        exposed = reduces * sticks_out(data.reduce_s, backward, layers)
        exposed += sticks_out(data.gather_s, forward, layers)
    else:
        both = data.gather_s + data.reduce_s
        exposed = micro * (sticks_out(data.gather_s, forward, layers) + sticks_out(both, backward, layers))
    return exposed + constants.HIDDEN_COST * max(0.0, total - exposed)


def _data_total(scenario: Scenario, data: DataComm) -> float:
    micro = scenario.micro_batches
    if scenario.strategy in ("ddp", "zero1", "zero2"):
        return (micro if scenario.strategy == "zero2" else 1) * data.reduce_s + data.gather_s
    return micro * (2 * data.gather_s + data.reduce_s)


def sticks_out(comm_s: float, compute_s: float, buckets: float) -> float:
    """
    The timeline of ``buckets`` equal buckets in closed form: at least one never hides.

    ``max(C / k, C - T (1 - 1 / k))``: either the last bucket alone is late, or the wire is busy
    from the first one on.
    """
    k = max(1.0, buckets)
    return max(comm_s / k, comm_s - compute_s * (1 - 1 / k))
