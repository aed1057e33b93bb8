"""The parameter counts and cache sizes of the models follow from their shapes."""

import pytest

from core.catalog import MODELS
from core.workload import Attention
from tests.each import table

RELEASED = [entry for entry in MODELS.values() if entry.hidden is not None]
PLAIN = [entry for entry in RELEASED if entry.state is None and entry.indexer is None]

KV_BYTES = {
    "llama-3.1-8b": 131072,
    "llama-3.1-70b": 327680,
    "llama-3.1-405b": 516096,
    "llama-2-70b": 327680,
    "mixtral-8x7b": 131072,
    "mixtral-8x22b": 229376,
    "grok-1": 262144,
    "dbrx": 163840,
    "phi-3.5-moe": 131072,
    "deepseek-v3-r1": 70272,
    "qwen3-235b-a22b": 192512,
    "gpt-oss-120b": 73728,
    "kimi-k2": 70272,
    "deepseek-v3.2": 78324,
    "qwen3-next-80b-a3b": 24576,
    "nemotron-h-47b": 20480,
    "nemotron-3-nano-30b-a3b": 6144,
    "granite-4.0-h-small": 16384,
    "gpt-oss-20b": 49152,
    "llama-4-maverick": 196608,
}


def attention_values(entry):
    if entry.attention is Attention.MLA:
        down = entry.hidden * (entry.q_lora_rank + entry.kv_lora_rank + entry.rope_dim)
        queries = entry.q_lora_rank * entry.heads * (entry.head_dim + entry.rope_dim)
        up = entry.kv_lora_rank * entry.heads * (entry.head_dim + entry.value_head_dim)
        return down + queries + up + entry.heads * entry.value_head_dim * entry.hidden
    return entry.hidden * entry.head_dim * (2 * entry.heads + 2 * entry.kv_heads)


def recomputed(entry, experts):
    dense = 3 * entry.hidden * (entry.ffn or 0) * entry.dense_layers
    sparse_layers = entry.layers - entry.dense_layers
    expert = 3 * entry.hidden * (entry.expert_ffn or 0) + entry.mlp_extra_params
    router = entry.hidden * entry.experts
    sparse = sparse_layers * ((experts + entry.shared_experts) * expert + router)
    layer = attention_values(entry) + 2 * entry.hidden + entry.layer_extra_params
    embeddings = 1 if entry.tied_embeddings else 2
    return entry.layers * layer + dense + sparse + embeddings * entry.vocab * entry.hidden + entry.hidden


@table("entry", PLAIN, ids=lambda entry: entry.id)
def test_parameters_follow_from_the_shape(entry):
    """Matrices, norms, experts and embeddings add up to the stated total and active counts."""
    assert recomputed(entry, entry.experts) == pytest.approx(entry.params, rel=1e-4)
    if not entry.moe:
        assert entry.active_params == entry.params


@table("entry", [entry for entry in PLAIN if entry.moe], ids=lambda entry: entry.id)
def test_active_parameters_follow_from_the_experts_of_a_token(entry):
    """A token uses its own experts and the shared ones, and everything outside them."""
    assert recomputed(entry, entry.active_experts) == pytest.approx(entry.active_params, rel=5e-3)


@table("entry", RELEASED, ids=lambda entry: entry.id)
def test_bytes_of_the_cache_of_a_token(entry):
    """Two vectors a KV head and layer that attends, or one shared latent, in BF16; 132 bytes of an index key."""
    if entry.attention is Attention.MLA:
        values = entry.layers * (entry.kv_lora_rank + entry.rope_dim)
    else:
        values = 2 * entry.attention_layers * entry.kv_heads * entry.head_dim
    index = 132 * entry.layers if entry.indexer else 0

    assert 2 * values + index == KV_BYTES[entry.id]


@table("entry", RELEASED, ids=lambda entry: entry.id)
def test_parameters_are_the_published_ones(entry):
    """Within 0.5 % of the published total; of Grok-1 without its embedding, of Kimi K2 within its rounding."""
    published = float(entry.published_params.split()[0]) * 1e9
    counted = entry.params - (entry.vocab * entry.hidden if entry.id == "grok-1" else 0)
    rounding = 0.03 if entry.id == "kimi-k2" else 0.005

    assert counted == pytest.approx(published, rel=rounding)
