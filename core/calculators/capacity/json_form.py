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
    return {
        **_asked(answer),
        **_memory(answer),
        **_traffic(answer),
        "headline": answer.headline,
        "assumptions": list(answer.assumptions),
        "warnings": list(answer.warnings),
        "sources": [source.title for source in answer.sources],
    }


def _asked(answer: Capacity) -> dict[str, Any]:
    """The question: what is served, where, in which format, by which layout."""
    scenario = answer.scenario
    return {
        "model": scenario.model.id if scenario.model else None,
        "params": scenario.values,
        "system": scenario.system.id,
        "gpus": scenario.used_gpus,
        "format": scenario.weights.id,
        "kv": scenario.kv.id,
        "context": scenario.context,
        "sequences": scenario.sequences,
        "tp": scenario.attention_tp,
        "pp": scenario.pp,
        "dp": scenario.replicas,
        "ep": scenario.expert_group,
        "usable": scenario.usable,
        "hbm_bytes": scenario.memory_bytes,
    }


def _memory(answer: Capacity) -> dict[str, Any]:
    """What fits into the memory, and what it is filled with."""
    return {
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
        "memory_fit": asdict(answer.memory_fit) | {"text": answer.memory_fit.text},
        "limiting_part": answer.limiting_part,
        "kv_bytes_per_token": answer.kv_bytes_per_token,
        "kv_bytes_per_sequence": answer.kv_bytes_per_sequence,
        "kv_bytes_per_sequence_per_gpu": answer.kv_bytes_per_sequence_per_gpu,
        "kv_copies": answer.kv_copies,
        "state_bytes_per_sequence": answer.state_bytes_per_sequence,
        "state_bytes_per_sequence_per_gpu": answer.state_bytes_per_sequence_per_gpu,
        "kv_tokens": answer.kv_tokens,
        "max_sequences": answer.max_sequences,
    }


def _traffic(answer: Capacity) -> dict[str, Any]:
    """What moves over switches and links, and the floor that reading memory sets."""
    rate = answer.decode_floor_tokens_per_s
    return {
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
    }


def _boundary(answer: Capacity) -> dict[str, Any] | None:
    """Bytes of one token over a pipeline boundary and, undeduplicated, through one MoE layer."""
    scenario = answer.scenario
    if scenario.model is None or scenario.model.hidden is None:
        return None
    stream, out = scenario.activations.bytes_per_value, scenario.dispatch.bytes_per_value
    edge = boundary(
        scenario.model.hidden, scenario.model.active_experts, stream=stream, dispatch=out, combine=stream
    )
    return asdict(edge)


def _switch(answer: Capacity) -> dict[str, Any] | None:
    """Ports that the GPUs of the layout take, and the chips of the machine where they are known."""
    scenario = answer.scenario
    links = scenario.system.gpu.scale_up_links
    if not links or not scenario.system.scale_up.in_network_reduction:
        return None
    switch = SWITCHES.get(scenario.system.id)
    return {
        "gpu_ports": scenario.used_gpus * links,
        "links_per_gpu": links,
        "chips": switch.chips if switch else None,
        "ports_per_chip": switch.ports_per_chip if switch else None,
    }


def _exchange(answer: Capacity) -> dict[str, Any] | None:
    """Dispatch and combine of a decode step of the running sequences (one a GPU where none is named)."""
    scenario = answer.scenario
    if (
        scenario.model is None
        or not scenario.model.moe
        or scenario.model.hidden is None
        or scenario.expert_group == 1
    ):
        return None
    each = max(1.0, scenario.sequences / scenario.used_gpus)
    return asdict(exchange_answer(scenario, each))
