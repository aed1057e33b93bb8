"""Seconds of compute on one GPU: layers forward and backward, the head, the optimizer."""

from dataclasses import dataclass

from core.calculators.training import constants
from core.calculators.training.attention import attention_s, leaves_tensor_cores
from core.calculators.training.comm import stage_params
from core.calculators.training.efficiency import efficiency
from core.calculators.training.scenario import Scenario
from core.calculators.training.waves import tail_flop
from core.calculators.training.work import VALUE_BYTES, work
from core.catalog import precision as format_of
from core.parallel.peaks import peak
from core.workload.transformer import parameters


@dataclass(frozen=True, slots=True)
class Compute:
    """
    Seconds on one GPU for one micro-batch.

    Attributes:
        layer_forward_s, layer_backward_s: One layer; recomputation and adding up gradients count as backward.
        attention_forward_s: Its part that keys and values passed round can hide behind.
        head_s: The output projection with its loss, forward and backward.
        optimizer_s: Once a step.
    """

    layer_forward_s: float
    layer_backward_s: float
    attention_forward_s: float
    head_s: float
    optimizer_s: float
    notes: tuple[str, ...]


def compute(scenario: Scenario) -> Compute:
    """Compute times at the scenario's efficiency (max of FLOPs and bytes, part by part)."""
    gpu = scenario.system.gpu
    share = scenario.efficiency or efficiency(gpu, scenario.precision).usual
    fast = peak(gpu, format_of(scenario.precision))
    plain_share = efficiency(gpu, "bf16").usual if scenario.efficiency is None else share
    plain = peak(gpu, format_of("bf16")).flop_per_s * plain_share
    todo = work(scenario)
    hbm = gpu.memory_rate.bytes_per_s * constants.HBM
    products = (todo.dense_flop + todo.expert_flop / constants.EXPERT) / (fast.flop_per_s * share)
    passing = constants.PASSES * todo.passing_values + constants.INNER_PASSES * todo.inner_values
    moved = (constants.OPERANDS * todo.operand_bytes + VALUE_BYTES * passing) / hbm
    tail, tail_back = (flop / (fast.flop_per_s * share) for flop in tail_flop(gpu, todo.products))
    attention, attention_back = attention_s(scenario, todo, plain, hbm)
    rest = products + moved + constants.LAYER_START_S
    forward = rest + tail + attention
    backward = constants.BACKWARD_OVER_FORWARD * rest + tail_back + attention_back
    again = {"none": 0.0, "selective": attention, "full": forward}[scenario.recompute]
    head = (1 + constants.BACKWARD_OVER_FORWARD) * todo.head_flop / plain
    notes = (fast.note, leaves_tensor_cores(scenario))
    return Compute(
        layer_forward_s=forward,
        layer_backward_s=backward + again + _accumulate_bytes(scenario) / hbm,
        attention_forward_s=attention,
        head_s=head + constants.LOGIT_BYTES * todo.logit_values / hbm,
        optimizer_s=_optimizer_bytes(scenario) / hbm,
        notes=tuple(note for note in notes if note),
    )


def _accumulate_bytes(scenario: Scenario) -> float:
    """Moved to add one micro-batch's gradients of a layer to those before it, where they stay whole."""
    if scenario.micro_batches == 1 or scenario.strategy not in ("ddp", "zero1"):
        return 0.0
    layers = scenario.model.layers / scenario.layout.pp
    return constants.ACCUMULATE_BYTES * sum(stage_params(scenario)) / layers


def _optimizer_bytes(scenario: Scenario) -> float:
    """Moved by the optimizer once a step, on one GPU."""
    held = parameters(scenario.model).total / (scenario.layout.tp * scenario.layout.pp)
    copies = 1 if scenario.strategy == "ddp" else scenario.layout.dp * scenario.layout.cp
    return held / copies * constants.OPTIMIZER_BYTES
