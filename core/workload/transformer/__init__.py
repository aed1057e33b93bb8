"""A transformer's arithmetic: parameters by part, FLOPs, bytes and KV cache; no time in it."""

from core.workload.transformer.experts import (
    Slots,
    distinct_experts,
    exchange_bytes,
    exchange_bytes_without_deduplication,
    slots,
)
from core.workload.transformer.kv import (
    attended_tokens,
    cache_bytes_per_gpu,
    kv_bytes,
    kv_bytes_per_gpu,
    kv_bytes_per_token,
    kv_copies,
    kv_heads_per_gpu,
    state_bytes,
    state_bytes_per_gpu,
    state_page_tokens,
)
from core.workload.transformer.parameters import Parameters, parameters
from core.workload.transformer.per_gpu import duplicated_kv_values, expert_values_per_gpu
from core.workload.transformer.work import Part, Step, step_work

__all__ = [
    "Parameters",
    "Part",
    "Slots",
    "Step",
    "attended_tokens",
    "cache_bytes_per_gpu",
    "distinct_experts",
    "duplicated_kv_values",
    "exchange_bytes",
    "exchange_bytes_without_deduplication",
    "expert_values_per_gpu",
    "kv_bytes",
    "kv_bytes_per_gpu",
    "kv_bytes_per_token",
    "kv_copies",
    "kv_heads_per_gpu",
    "parameters",
    "slots",
    "state_bytes",
    "state_bytes_per_gpu",
    "state_page_tokens",
    "step_work",
]
