"""Capacity as the JSON of the outside contract: SI units, absent is null."""

import math
from dataclasses import asdict
from typing import Any

from core.calculators.capacity.capacity import Capacity
from core.calculators.capacity.exchange import exchange_answer
from core.calculators.capacity.pipeline import boundary
from core.catalog.switches import SWITCHES


def capacity_json(answer: Capacity) -> dict[str, Any]:
    """Everything the shell prints for ``capacity --json``; plain types only."""
    asked = answer.scenario
    rate = answer.decode_floor_tokens_per_s
    return {
        "model": asked.model.id if asked.model else None,
        "params": asked.values,
        "system": asked.system.id,
        "gpus": asked.used_gpus,
        "format": asked.weights.id,
        "kv": asked.kv.id,
        "context": asked.context,
        "sequences": asked.sequences,
        "tp": asked.attention_tp,
        "pp": asked.pp,
        "dp": asked.replicas,
        "ep": asked.expert_group,
        "usable": asked.usable,
        "hbm_bytes": asked.memory_bytes,
        "total_bytes": answer.total_bytes,
        "usable_bytes": answer.usable_bytes,
        "weights_bytes": answer.weights_bytes,
        "weights_bytes_per_gpu": answer.weights_bytes_per_gpu,
        "minimum_gpus": answer.minimum_gpus,
        "minimum_gpus_raw": answer.minimum_gpus_raw,
        "exact_fit": answer.exact_fit,
        "parts": [asdict(part) for part in answer.parts],
        "used_bytes_per_gpu": answer.used_bytes_per_gpu,
        "free_bytes_per_gpu": answer.free_bytes_per_gpu,
        "free_bytes": answer.free_bytes,
        "fits": answer.fits,
        "limiting_part": answer.limiting_part,
        "kv_bytes_per_token": answer.kv_bytes_per_token,
        "kv_bytes_per_sequence": answer.kv_bytes_per_sequence,
        "kv_bytes_per_sequence_per_gpu": answer.kv_bytes_per_sequence_per_gpu,
        "kv_copies": answer.kv_copies,
        "kv_tokens": answer.kv_tokens,
        "max_sequences": answer.max_sequences,
        "expert_slots": asdict(answer.expert_slots) if answer.expert_slots else None,
        "exchange": _exchange(answer),
        "boundary": _boundary(answer),
        "switch": _switch(answer),
        "aggregate_both_ways_bytes_per_s": answer.fabric.aggregate_both_ways_bytes_per_s,
        "aggregate_one_way_bytes_per_s": answer.fabric.aggregate_one_way_bytes_per_s,
        "bisection_both_ways_bytes_per_s": answer.fabric.bisection_both_ways_bytes_per_s,
        "bisection_one_way_bytes_per_s": answer.fabric.bisection_one_way_bytes_per_s,
        "hbm_bytes_per_s": answer.fabric.hbm_bytes_per_s,
        "decode_floor_s": answer.decode_floor_s,
        "decode_floor_tokens_per_s": rate if math.isfinite(rate) else None,
        "dense_floor_s": answer.dense_floor_s,
        "largest_params": answer.largest_params,
        "headline": answer.headline,
        "assumptions": list(answer.assumptions),
        "warnings": list(answer.warnings),
        "sources": [source.title for source in answer.sources],
    }


def _boundary(answer: Capacity) -> dict[str, Any] | None:
    """Bytes of one token over a pipeline boundary and, undeduplicated, through one MoE layer."""
    asked = answer.scenario
    if asked.model is None or asked.model.hidden is None:
        return None
    stream, out = asked.activations.bytes_per_value, asked.dispatch.bytes_per_value
    told = boundary(
        asked.model.hidden, asked.model.active_experts, stream=stream, dispatch=out, combine=stream
    )
    return asdict(told)


def _switch(answer: Capacity) -> dict[str, Any] | None:
    """Ports that the GPUs of the layout take, and the chips of the machine where they are known."""
    asked = answer.scenario
    links = asked.system.gpu.scale_up_links
    if not links or not asked.system.scale_up.in_network_reduction:
        return None
    known = SWITCHES.get(asked.system.id)
    return {
        "gpu_ports": asked.used_gpus * links,
        "links_per_gpu": links,
        "chips": known.chips if known else None,
        "ports_per_chip": known.ports_per_chip if known else None,
    }


def _exchange(answer: Capacity) -> dict[str, Any] | None:
    """Dispatch and combine of a decode step of the running sequences (one a GPU where none is named)."""
    asked = answer.scenario
    if asked.model is None or not asked.model.moe or asked.model.hidden is None or asked.expert_group == 1:
        return None
    each = max(1.0, asked.sequences / asked.used_gpus)
    return asdict(exchange_answer(asked, each))
