"""Seconds of compute on one GPU: layers forward and backward, the head, the optimizer."""

from dataclasses import dataclass

from core.catalog import precision as format_of
from core.tensor_parallel.peaks import peak
from core.training import efficiency
from core.training.scenario import Scenario
from core.training.work import BACKWARD_OVER_FORWARD, FLASH_BACKWARD_OVER_FORWARD, work
from core.transformer import parameters

OPTIMIZER_BYTES = 30.0
"""Moved by mixed-precision Adam for each parameter: gradient, master copy, two moments, the result."""


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
    share = scenario.efficiency or efficiency.efficiency(gpu, scenario.precision)
    fast = peak(gpu, format_of(scenario.precision))
    plain = peak(gpu, format_of("bf16"))
    todo = work(scenario)
    hbm = gpu.memory_rate.bytes_per_s * efficiency.HBM
    matrices = todo.dense_flop / fast.flop_per_s / share
    experts = todo.expert_flop / fast.flop_per_s / (share * efficiency.EXPERT)
    plain_share = efficiency.efficiency(gpu, "bf16") if scenario.efficiency is None else share
    attention = todo.attention_flop / plain.flop_per_s / (plain_share * efficiency.ATTENTION)
    moved = todo.moved_bytes / hbm
    forward = matrices + experts + attention + moved
    backward = BACKWARD_OVER_FORWARD * (matrices + experts + moved) + FLASH_BACKWARD_OVER_FORWARD * attention
    again = {"none": 0.0, "selective": attention, "full": forward}[scenario.recompute]
    held = parameters(scenario.model).total / (scenario.layout.tp * scenario.layout.pp)
    copies = 1 if scenario.strategy == "ddp" else scenario.layout.dp * scenario.layout.cp
    return Compute(
        layer_forward_s=forward,
        layer_backward_s=backward + again,
        attention_forward_s=attention,
        head_s=(1 + BACKWARD_OVER_FORWARD) * todo.head_flop / plain.flop_per_s / plain_share,
        optimizer_s=held / copies * OPTIMIZER_BYTES / hbm,
        notes=tuple(note for note in (fast.note,) if note),
    )
