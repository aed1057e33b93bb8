"""A layer's compute and communication under tensor parallelism, from that calculator; SI."""

from functools import lru_cache

import numpy as np

from core.calculators.tensor_parallel import Scenario, Totals, answer, valid_degrees
from core.calculators.tensor_parallel.communication import messages
from core.catalog import model, precision, system
from core.collectives.rates import Rates
from core.hardware import System
from core.provenance import Origin
from core.systems import CustomSystem, DomainSpec, custom_system
from core.units import US
from core.workload.transformer import parameters

LAYER_70B = 70e9 / 80
BATCH = 32
FP8 = precision("fp8")


def message_bytes(model_id: str, tokens: int) -> float:
    """Bytes of one all-reduce of a step of so many tokens, 16-bit activations."""
    scenario = Scenario(system("dgx-h100"), model(model_id), tokens=tokens, tp=8)
    return float(messages(scenario, np.array([float(tokens)]), 8)[0].size_bytes[0])


def tokens_of(model_id: str, size_bytes: float) -> float:
    """Tokens whose all-reduce has that size."""
    return size_bytes / message_bytes(model_id, 1)


def messages_per_layer(model_id: str) -> float:
    """All-reduces of a layer."""
    scenario = Scenario(system("dgx-h100"), model(model_id), tokens=1, tp=8)
    return sum(message.per_step for message in messages(scenario, np.array([1.0]), 8)) / scenario.layer_count


def layer_params(model_id: str) -> float:
    """Values of one layer, embedding and output projection left out."""
    shape = model(model_id)
    return parameters(shape).in_layers / shape.layers


def layer_count(model_id: str) -> float:
    """Layers of a model."""
    return float(model(model_id).layers)


def widest(heads: int, most: int) -> float:
    """The largest tensor-parallel degree up to ``most`` that divides the heads."""
    return float(max(valid_degrees(heads, most)))


def decode_compute_s(tp: int, what: str = "time") -> float:
    """Seconds of a 70B layer at batch 32 in FP8 on H100: ``flops``, ``memory`` or the larger, ``time``."""
    layer = _layer("llama-3.1-70b", "dgx-h100", tp, LAYER_70B, Rates(Origin.SPEC))
    return {"flops": layer.flop_s, "memory": layer.hbm_s, "time": layer.compute_s}[what]


def decode_comm_s(one_way: float, latency_s: float) -> float:
    """Seconds of its two all-reduces over eight GPUs on a wire, latency once an operation."""
    return _decode(one_way, latency_s, published=False).comm_s


def decode_comm_published_s(one_way: float, latency_s: float) -> float:
    """The same with both directions added up."""
    return _decode(one_way, latency_s, published=True).comm_s


def decode_share(one_way: float, latency_s: float) -> float:
    """Share of communication in that layer, unidirectional and memory-bound."""
    return _decode(one_way, latency_s, published=False).share


def without_ring_factor_s(both_ways: float, latency_s: float) -> float:
    """The expression as printed: two messages of 32 tokens over both directions, each with a latency."""
    return 2 * (message_bytes("llama-3.1-70b", BATCH) / both_ways + latency_s)


def share(comm: float, compute: float) -> float:
    """Communication in a layer that does both one after the other."""
    return comm / (compute + comm)


def big_model_share(system_id: str, tp: int) -> float:
    """The same share for Llama 3.1 405B with its 126 layers."""
    config = model("llama-3.1-405b")
    rates = Rates(Origin.SPEC, latency_s=US, latency_per="operation")
    return _layer(config.id, system_id, tp, config.params / config.layers, rates).share


def big_model_recipe_share(system_id: str, tp: int) -> float:
    """That share by the document's recipe: 80 layers, FLOPs alone, both directions."""
    config = model("llama-3.1-405b")
    rates = Rates(Origin.PUBLISHED, latency_s=US, latency_per="operation")
    layer = _layer(config.id, system_id, tp, config.params / 80, rates)
    return share(layer.comm_s, layer.flop_s)


def _decode(one_way: float, latency_s: float, *, published: bool) -> Totals:
    if published:
        machine = custom_system(CustomSystem("h100-sxm", DomainSpec(8, bytes_per_s=one_way)))
        rates = Rates(Origin.PUBLISHED, latency_s=latency_s, latency_per="operation")
        return _on(machine, "llama-3.1-70b", 8, LAYER_70B, rates)
    rates = Rates(Origin.SPEC, latency_s=latency_s, latency_per="operation", bytes_per_s=one_way)
    return _layer("llama-3.1-70b", "dgx-h100", 8, LAYER_70B, rates)


def _layer(model_id: str, system_id: str, tp: int, params: float, rates: Rates) -> Totals:
    return _on(system(system_id), model_id, tp, params, rates)


@lru_cache(maxsize=64)
def _on(machine: System, model_id: str, tp: int, params: float, rates: Rates) -> Totals:
    """At peak FLOP/s and peak memory rate, as the document reckons; FP8 weights."""
    scenario = Scenario(
        machine,
        model(model_id),
        tokens=BATCH,
        tp=tp,
        weights=FP8,
        mfu=1.0,
        hbm_efficiency=1.0,
        rates=rates,
        algorithm="ring",
        params_per_layer=params,
    )
    return answer(scenario).per_layer
