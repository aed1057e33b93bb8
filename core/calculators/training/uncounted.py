"""What a framework may hold beyond the account of memory, each by itself, so that a job may run out of it."""

from collections.abc import Iterator
from dataclasses import replace

from core.calculators.training.memory import LOGIT_BYTES, Memory, logit_bytes, memory
from core.calculators.training.scenario import Scenario
from core.calculators.training.stage_params import first_stage_params
from core.catalog.calibrations.training import TRANSFORMERS
from core.parallel.states import SHARDING
from core.units import GB

COPY_BYTES = 1.3
"""Of FP8 copies of a parameter: what Megatron-Core 0.6 took more in FP8 at TP2 (FlagPerf, 2024)."""
FOREACH_BYTES = 4.0
"""Of the FP32 copy of a parameter that PyTorch's optimizers make where they are not fused (``foreach``)."""
WHOLE_LOSS_BYTES = 8.5
"""Of a logit beyond what a fused loss keeps: what Qwen3 1.7B took more with TP1 and TP2 (Megatron-Bridge
0.1.0rc4)."""
NATURAL_IMBALANCE = 1.3
"""Tokens of the most loaded EP rank over the mean under a pretrained router (Mixtral with EP4 on B300)."""


def uncounted(scenario: Scenario, usage: Memory) -> tuple[str, ...]:
    """What of it would not fit, with its size; nothing where the job does not fit as it stands."""
    if not usage.fits:
        return ()
    room_bytes = usage.available_bytes - usage.total_bytes
    return tuple(
        f"{name} ({size_bytes / GB:,.0f} GB)"
        for name, size_bytes in _parts(scenario)
        if size_bytes > room_bytes
    )


def _parts(scenario: Scenario) -> Iterator[tuple[str, float]]:
    layout, sharded = scenario.layout, SHARDING[scenario.strategy].parameters
    logits = scenario.tokens_per_gpu * (scenario.model.vocab or 0)
    params = float(first_stage_params(scenario).total)
    if scenario.precision not in ("bf16", "fp16") and scenario.weight_copy_bytes == 0 and not sharded:
        yield "copies of the weights in FP8 (--weight-copy-bytes)", COPY_BYTES * params
    if sharded:
        own = memory(scenario).optimizer_bytes / scenario.optimizer_bytes
        yield "copies of an optimizer that is not fused", FOREACH_BYTES * float(own)
        deferred = scenario.kernels == TRANSFORMERS and scenario.micro_batches > 1
        if deferred and layout.pp == 1 and not scenario.whole_gradients:
            yield "gradients whole between micro-batches (--whole-gradients)", params * scenario.grad_bytes
        if layout.tp > 1 and layout.pp == 1:
            yield "logits that TP does not divide", logits * logit_bytes(scenario) * (1 - 1 / layout.tp)
    elif "megatron" not in scenario.kernels and scenario.strategy in ("ddp", "zero1"):
        yield "gradients again in the buckets of DDP", params * scenario.grad_bytes
    fused = scenario.fused_loss or scenario.fused_linear_loss
    if layout.pp == 1 and not fused and logit_bytes(scenario) == LOGIT_BYTES:
        yield "a loss that is not fused", WHOLE_LOSS_BYTES * logits / layout.tp
    if layout.ep > 1 and scenario.expert_imbalance == 1:
        uneven = replace(scenario, expert_imbalance=min(NATURAL_IMBALANCE, layout.ep))
        more_bytes = memory(uneven).total_bytes - memory(scenario).total_bytes
        yield "uneven routing to the experts (--expert-imbalance)", float(more_bytes)
