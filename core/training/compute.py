"""Seconds of compute on one GPU: layers forward and backward, the head, the optimizer."""

from dataclasses import dataclass

from core.catalog import precision as format_of
from core.tensor_parallel.peaks import peak
from core.training import constants
from core.training.efficiency import efficiency
from core.training.scenario import Scenario
from core.training.work import VALUE_BYTES, work
from core.transformer import parameters


@dataclass(frozen=True, slots=True)
class Compute:
    """
    Seconds on one GPU for one micro-batch.

    Attributes:
        layer_forward_s, layer_backward_s: One layer, recomputation within backward.
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
    """Compute times at the scenario's efficiency (SPEC 4.2's max of FLOPs and bytes, part by part)."""
    gpu = scenario.system.gpu
    share = scenario.efficiency or efficiency(gpu, scenario.precision).usual
    fast = peak(gpu, format_of(scenario.precision))
    plain = peak(gpu, format_of("bf16"))
    todo = work(scenario)
    hbm = gpu.memory_rate.bytes_per_s * constants.HBM
    plain_share = efficiency(gpu, "bf16").usual if scenario.efficiency is None else share
    products = todo.dense_flop / (fast.flop_per_s * share)
    products += todo.expert_flop / (fast.flop_per_s * share * constants.EXPERT)
    attention = todo.attention_flop / (plain.flop_per_s * plain_share * constants.ATTENTION)
    passing = constants.PASSES * todo.passing_values + constants.INNER_PASSES * todo.inner_values
    moved = (constants.OPERANDS * todo.operand_bytes + VALUE_BYTES * passing) / hbm
    rest = products + moved + constants.LAYER_START_S
    forward = rest + attention
    backward = constants.BACKWARD_OVER_FORWARD * rest
    backward += constants.FLASH_BACKWARD_OVER_FORWARD * attention
    again = {"none": 0.0, "selective": attention, "full": forward}[scenario.recompute]
    head = (1 + constants.BACKWARD_OVER_FORWARD) * todo.head_flop / (plain.flop_per_s * plain_share)
    held = parameters(scenario.model).total / (scenario.layout.tp * scenario.layout.pp)
    copies = 1 if scenario.strategy == "ddp" else scenario.layout.dp * scenario.layout.cp
    return Compute(
        layer_forward_s=forward,
        layer_backward_s=backward + again,
        attention_forward_s=attention,
        head_s=head + constants.LOGIT_BYTES * todo.logit_values / hbm,
        optimizer_s=held / copies * constants.OPTIMIZER_BYTES / hbm,
        notes=tuple(note for note in (fast.note,) if note),
    )
