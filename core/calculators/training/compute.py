"""Seconds of compute on one GPU: layers forward and backward, the output head, the optimizer."""

from dataclasses import dataclass

from core.calculators.training.attention import attention, vector_units_note
from core.calculators.training.efficiency import efficiency, expert_share
from core.calculators.training.host import launches_s
from core.calculators.training.recompute import ForwardTime, launched_again, recompute_s
from core.calculators.training.scenario import Scenario
from core.calculators.training.stage_params import mean_stage_params
from core.calculators.training.wave_quantization import tail_flop
from core.calculators.training.work import VALUE_BYTES, layer_work
from core.catalog import precision as format_of
from core.catalog.calibrations import training as constants
from core.parallel.columns import either, where
from core.parallel.groups import shard_group
from core.parallel.peaks import peak
from core.parallel.states import SHARDING
from core.workload.transformer import parameters


@dataclass(frozen=True, slots=True)
class Compute:
    """
    Seconds on one GPU for one micro-batch.

    Attributes:
        layer_forward_s, layer_backward_s: One layer; activation recomputation and gradient
            accumulation count as backward.
        attention_forward_s: Its part that CP communication overlaps with.
        head_s: The output projection with its loss, forward and backward.
        optimizer_s: Once per step.
        notes: What a reader must know about formats and kernels.
        host_s: What a layer takes at least, forward and backward, with its TP and EP communication.
    """

    layer_forward_s: float
    layer_backward_s: float
    attention_forward_s: float
    head_s: float
    optimizer_s: float
    notes: tuple[str, ...]
    host_s: float


def compute(scenario: Scenario) -> Compute:
    """Compute times at the scenario's GEMM efficiency: arithmetic, memory traffic and launches, summed."""
    gpu = scenario.system.gpu
    framework = scenario.kernels
    share = scenario.efficiency or efficiency(gpu, scenario.precision, framework).usual
    gemm_peak = peak(gpu, format_of(scenario.precision))
    bf16_share = efficiency(gpu, "bf16", framework).usual if scenario.efficiency is None else share
    bf16_flop_per_s = peak(gpu, format_of("bf16")).flop_per_s * bf16_share
    work = layer_work(scenario)
    memory_bytes_per_s = gpu.memory_rate.bytes_per_s * constants.HBM
    experts = expert_share(scenario) / scenario.expert_imbalance
    gemm_flop = work.dense_flop + work.expert_flop / experts
    gemm_s = gemm_flop / (gemm_peak.flop_per_s * share)
    values = constants.PASSES * work.residual_values + constants.INNER_PASSES * work.inner_values
    values += constants.EXPERT_BIAS_PASSES * work.biased_values
    moved_s = (constants.OPERANDS * work.operand_bytes + VALUE_BYTES * values) / memory_bytes_per_s
    tail = tail_flop(gpu, work.gemms)
    scores = attention(scenario, work, bf16_flop_per_s, memory_bytes_per_s)
    rest_s = gemm_s + moved_s + constants.LAYER_START_S
    forward_s = rest_s + tail.forward / (gemm_peak.flop_per_s * share) + scores.forward_s
    backward_s = (
        constants.BACKWARD_OVER_FORWARD * rest_s
        + tail.backward / (gemm_peak.flop_per_s * share)
        + scores.backward_s
    )
    again = ForwardTime(
        layer_s=forward_s,
        attention_s=scores.forward_s,
        dense_flop_per_s=gemm_peak.flop_per_s * share,
        expert_flop_per_s=gemm_peak.flop_per_s * share * experts,
        bytes_per_s=memory_bytes_per_s,
    )
    head_s = (1 + constants.BACKWARD_OVER_FORWARD) * work.head_flop / bf16_flop_per_s
    accumulate_s = _accumulation_bytes(scenario) / memory_bytes_per_s
    again_s = recompute_s(scenario, work, again)
    notes = (gemm_peak.note, vector_units_note(scenario))
    return Compute(
        layer_forward_s=forward_s,
        layer_backward_s=backward_s + again_s + accumulate_s,
        attention_forward_s=scores.forward_s,
        head_s=head_s + constants.LOGIT_BYTES * work.logit_values / memory_bytes_per_s,
        optimizer_s=_optimizer_bytes(scenario) / memory_bytes_per_s,
        notes=tuple(note for note in notes if note),
        host_s=launches_s(scenario, launched_again(scenario, again_s, forward_s)),
    )


def _accumulation_bytes(scenario: Scenario) -> float:
    """Bytes moved to accumulate one micro-batch's gradients of a layer, where they stay unsharded."""
    layers = scenario.model.layers / scenario.layout.pp
    moved_bytes = constants.ACCUMULATE_BYTES * mean_stage_params(scenario).total / layers
    sharded = SHARDING[scenario.strategy].gradients
    return where(either(scenario.micro_batches == 1, sharded), 0.0, moved_bytes)


def _optimizer_bytes(scenario: Scenario) -> float:
    """Bytes moved by the optimizer once per step, on one GPU: its state is read and written."""
    layout = scenario.layout
    params = parameters(scenario.model).total / (layout.tp * layout.pp)
    group = shard_group(scenario.strategy, layout.data, scenario.system.domain_gpus)
    shards = group.size if SHARDING[scenario.strategy].optimizer else 1
    on_gpu = 1 - scenario.offload_optimizer
    return on_gpu * params / shards * (constants.UPDATE_BYTES + 2 * scenario.optimizer_bytes)
