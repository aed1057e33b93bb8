"""What layers with a state and sparse attention keep, read and compute, worked by hand."""

import numpy as np
import pytest

from core import catalog
from core.calculators.capacity import Scenario as Capacity
from core.calculators.capacity import capacity, capacity_json
from core.calculators.capacity.transfer import transfer
from core.calculators.question import BF16
from core.calculators.tensor_parallel import Scenario as Serving
from core.calculators.tensor_parallel.communication import messages
from core.calculators.tensor_parallel.terms import terms
from core.calculators.training import Scenario as Training
from core.checks import InputError
from core.workload.config import config_model
from core.workload.transformer import (
    attended_tokens,
    cache_bytes_per_gpu,
    duplicated_kv_values,
    kv_bytes,
    kv_bytes_per_gpu,
    kv_bytes_per_token,
    parameters,
    state_bytes,
    state_bytes_per_gpu,
)
from core.workload.transformer.kv import kv_read_bytes
from core.workload.transformer.work import (
    attention_flop,
    decode_batch,
    index_flop,
    prefill_batch,
    scan_flop,
    step_work,
)
from tests.core.hybrid_shapes import DEEPSEEK_V32, NEMOTRON_56B, PUBLISHED, QWEN3_NEXT
from tests.each import table

H100 = catalog.SYSTEMS["dgx-h100"]


def model(name):
    """A published hybrid by its name."""
    return config_model(PUBLISHED[name][1], name).model


NEXT, SPARSE = config_model(QWEN3_NEXT, "next").model, config_model(DEEPSEEK_V32, "v32").model
NEMOTRON = config_model(NEMOTRON_56B, "nemotron").model
LLAMA = catalog.MODELS["llama-3.1-70b"]

# Heads x rows x columns in FP32, and three inputs of the convolution's channels in BF16, by layer.
STATES = {
    "Nemotron-H 8B": 24 * (128 * 128 * 64 * 4 + 3 * (128 * 64 + 2 * 8 * 128) * 2),
    "Qwen3-Next 80B": 36 * (32 * 128 * 128 * 4 + 3 * (2 * 16 * 128 + 32 * 128) * 2),
    "Kimi Linear 48B": 20 * (32 * 128 * 128 * 4 + 3 * 3 * 4096 * 2),
    "Jamba 1.5 Large": 63 * (16384 * 16 * 4 + 3 * 16384 * 2),
    "MiniMax-Text-01": 70 * 64 * 128 * 128 * 4,
    "Granite 4.0 H Small": 36 * (128 * 128 * 64 * 4 + 3 * (8192 + 2 * 128) * 2),
}
TOKENS = {
    "Nemotron-H 8B": 4 * 2 * 8 * 128 * 2,
    "Qwen3-Next 80B": 12 * 2 * 2 * 256 * 2,
    "Kimi Linear 48B": 7 * (512 + 64) * 2,
    "Jamba 1.5 Large": 9 * 2 * 8 * 128 * 2,
    "MiniMax-Text-01": 10 * 2 * 8 * 128 * 2,
    "DeepSeek-V3.2": 61 * ((512 + 64) * 2 + 128 + 4),
}


@pytest.mark.parametrize("name", STATES)
def test_state_of_a_sequence_by_hand(name):
    """A sequence keeps the same state after one token as after a million."""
    assert state_bytes(model(name)) == STATES[name]


@pytest.mark.parametrize("name", TOKENS)
def test_cached_bytes_of_a_token_by_hand(name):
    """Only layers that attend cache keys and values; sparse ones also 132 bytes of an index key."""
    assert kv_bytes_per_token(model(name), 2) == TOKENS[name]


@table("name", [*STATES, "Falcon-H1 7B", "Nemotron 3 Super 120B"])
def test_cache_of_a_hybrid_grows_with_its_attention_layers_alone(name):
    """Twice the context is twice the keys and values, and the same state."""
    hybrid = model(name)
    contexts = np.array([1000.0, 2000.0])
    short, long = cache_bytes_per_gpu(hybrid, contexts, 2, 1)
    each = hybrid.attention_layers * kv_bytes_per_token(hybrid, 2) / hybrid.attention_layers
    assert long - short == pytest.approx(1000 * each)
    assert short == pytest.approx(1000 * each + state_bytes(hybrid))
    assert attended_tokens(hybrid, 999.0, 1.0) == hybrid.attention_layers * 1000


def test_state_divides_by_heads_and_its_keys_by_groups():
    """Eight groups on sixteen GPUs: each keeps one group of keys, twice in all, and its share of the heads."""
    nemotron = model("Nemotron-H 8B")
    assert state_bytes_per_gpu(nemotron, 8) * 8 == state_bytes(nemotron)
    inputs = 3 * (8 * 64 + 2 * 128) * 2
    assert state_bytes_per_gpu(nemotron, 16) == 24 * (8 * 128 * 64 * 4 + inputs)
    assert state_bytes_per_gpu(LLAMA, 8) == 0


def test_granite_copies_its_one_group_on_every_gpu():
    """One group of B and C for all heads: eight GPUs hold its projections eight times."""
    granite = model("Granite 4.0 H Small")
    groups = 36 * 4096 * 2 * 128
    assert parameters(granite).state_groups == groups
    assert duplicated_kv_values(granite, 8) == pytest.approx(groups * 7 / 8)


def test_sparse_attention_looks_at_what_its_indexer_picks():
    """Beyond 2,048 tokens a query attends to 2,048; below, to all."""
    assert attended_tokens(SPARSE, 100_000.0, 1.0) == 61 * 2048
    assert attended_tokens(SPARSE, 999.0, 1.0) == 61 * 1000
    assert attended_tokens(SPARSE, 0.0, 4096.0) == pytest.approx(61 * (2048 * 2049 / 2 + 2048**2) / 4096)


def test_sparse_decode_reads_picked_tokens_and_every_index_key():
    """At 128 Ki tokens a step reads 0.14 + 1.06 GB of a cache of 10.3 GB; whole on every GPU."""
    context = 131_072.0
    read = kv_read_bytes(SPARSE, context, 1, 2, 8)
    assert read == 61 * (2048 * 576 * 2 + context * 132)
    assert kv_bytes(SPARSE, context, 2) == 61 * context * (576 * 2 + 132)
    assert kv_read_bytes(SPARSE, context, 64, 2, 8) == kv_bytes_per_gpu(SPARSE, context, 2, 8)
    assert kv_read_bytes(LLAMA, context, 1, 2, 8) == kv_bytes_per_gpu(LLAMA, context, 2, 8)


def test_indexer_scores_every_token_on_every_gpu():
    """64 heads of 128 against all keys, not divided by tensor parallelism; attention itself is."""
    batch = decode_batch(1, 100_000)
    assert index_flop(SPARSE, batch) == 61 * 2 * 64 * 128 * 100_000
    assert attention_flop(SPARSE, batch) == 61 * 2 * 128 * (2 * 512 + 64) * 2048
    one, eight = (step_work(SPARSE, batch, tp=tp, weight=1, cache=2, value=2).attention.flop for tp in (1, 8))
    assert one - index_flop(SPARSE, batch) == pytest.approx(8 * (eight - index_flop(SPARSE, batch)))


def test_scan_by_hand():
    """Mamba-2: decay, update and output, five a value; the delta rule reads first, seven; four taps."""
    assert scan_flop(model("Nemotron-H 8B"), decode_batch(3, 10)) == 3 * 24 * (
        5 * 128 * 128 * 64 + 2 * 4 * (128 * 64 + 2 * 8 * 128)
    )
    assert scan_flop(NEXT, prefill_batch(100, 100)) == 100 * 36 * (
        7 * 32 * 128 * 128 + 2 * 4 * (2 * 16 * 128 + 32 * 128)
    )
    assert scan_flop(LLAMA, decode_batch(3, 10)) == 0


def test_decode_reads_and_writes_the_state_of_every_sequence():
    """A step moves each sequence's state in and out of memory, whatever the context; plain models none."""
    near, far = (
        step_work(NEXT, decode_batch(64, context), tp=2, weight=1, cache=2, value=2)
        for context in (1000, 100_000)
    )
    assert near.state.bytes == far.state.bytes
    streams = 36 * 64 * (3 * 32 * 128 + 2 * 16 * 128) / 2 * 2
    assert near.state.bytes == pytest.approx(64 * 2 * state_bytes(NEXT) / 2 + streams)
    assert step_work(LLAMA, decode_batch(64, 1000), tp=2, weight=1, cache=2, value=2).state is None


def test_every_block_ends_in_one_reduction():
    """Nemotron-H's 118 layers are 118 blocks, each with one all-reduce; Llama's 80 layers have 160."""
    for shape, reductions in ((NEMOTRON, 118), (LLAMA, 160), (model("Falcon-H1 7B"), 3 * 44)):
        scenario = Serving(model=shape, system=H100, tp=4)
        assert [message.per_step for message in messages(scenario, np.array([8.0]), 4)] == [reductions]


def test_latent_experts_exchange_narrow_tokens():
    """Nemotron 3 Super sends tokens to experts in a latent of 1,024 values, a quarter of the stream."""
    latent = model("Nemotron 3 Super 120B")
    scenario = Serving(model=latent, system=H100, tp=1, ep=8)
    wide = Serving(model=config_model(PUBLISHED["Nemotron 3 Nano 30B"][1]).model, system=H100, tp=1, ep=8)
    sent = {kind.collective: kind.size_bytes[0] for kind in messages(scenario, np.array([64.0]), 1)}
    assert sent["dispatch"] == pytest.approx(64 * 1024 * 2 * 7 * (1 - (7 / 8) ** 22))
    assert wide.model.routed_hidden == wide.model.hidden == 2688


def test_memory_of_a_step_holds_the_state_of_every_sequence():
    """32 more requests of one token are 32 states and 32 tokens of cache, an eighth of them on a GPU."""
    scenario = Serving(model=NEMOTRON, system=H100, tp=8, weights=BF16, kv=BF16)
    few, many = terms(scenario, np.array([32.0, 64.0]), np.array([1.0]), 8).memory_bytes
    assert many - few == pytest.approx(32 * cache_bytes_per_gpu(NEMOTRON, 1, 2, 8))


def test_hybrid_decodes_a_long_context_faster_than_attention_alone():
    """The step of a hybrid barely grows with context, that of a model of like size does."""
    hybrid, plain = model("Nemotron-H 8B"), catalog.MODELS["llama-3.1-8b"]
    context = np.array([1000.0, 100_000.0])
    for by_parts in (True, False):
        growth = []
        for shape in (hybrid, plain):
            mfu = None if by_parts else 0.5
            scenario = Serving(model=shape, system=H100, tp=1, weights=BF16, mfu=mfu)
            short, long = terms(scenario, np.array([32.0]), context, 1).step_s
            growth.append(long / short)
        assert growth[0] < growth[1] / 2


def test_capacity_names_the_state_beside_the_cache():
    """The state has a part of its own, and requests are what both leave room for."""
    load = {"weights": BF16, "context": 1024, "sequences": 8, "tp": 8, "dp": 1}
    answer = capacity(Capacity(model=NEMOTRON, system=H100, **load))
    parts = {part.name: part.bytes for part in answer.parts}
    assert parts["state"] == pytest.approx(8 * state_bytes(NEMOTRON) / 8)
    assert parts["KV cache"] == pytest.approx(8 * kv_bytes(NEMOTRON, 1024, 2) / 8)
    assert answer.max_sequences == int(
        (answer.free_bytes_per_gpu + parts["state"] + parts["KV cache"])
        // ((parts["state"] + parts["KV cache"]) / 8)
    )
    assert capacity_json(answer)["state_bytes_per_sequence"] == state_bytes(NEMOTRON)
    assert answer.limiting_part == "state"
    assert any("54 layers of Mamba-2 keep a state" in line for line in answer.assumptions)
    plain = capacity(Capacity(model=LLAMA, system=H100, **load))
    assert plain.state_bytes_per_sequence == 0
    assert "state" not in {part.name for part in plain.parts}


def test_state_travels_with_the_cache():
    """Disaggregated serving moves both; the answer says so."""
    answer = transfer(NEMOTRON, H100, 1024, BF16)
    assert answer.bytes == pytest.approx(kv_bytes(NEMOTRON, 1024, 2) + state_bytes(NEMOTRON))
    assert answer.headline.startswith("The KV cache and state of 1,024 tokens")
    assert transfer(LLAMA, H100, 1024, BF16).headline.startswith("The KV cache of 1,024 tokens")


def test_training_of_sparse_attention_is_refused_by_name():
    """No step time is made up for an indexer forward and backward."""
    with pytest.raises(InputError, match="sparse attention with an indexer"):
        Training(model=SPARSE, system=H100)
