"""A transformer's arithmetic: parameters, KV cache, experts, the work of a step."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalog import MODELS, model, precision
from core.checks import InputError
from core.provenance import Confidence
from core.workload.transformer import (
    attended_tokens,
    distinct_experts,
    exchange_bytes,
    exchange_bytes_without_deduplication,
    kv_bytes,
    kv_bytes_per_gpu,
    kv_bytes_per_token,
    kv_heads_per_gpu,
    parameters,
    slots,
)
from core.workload.transformer.work import decode_batch, prefill_batch, step_work
from tests.core.golden import CASES
from tests.each import table

GOLDEN = {case.id: case for case in CASES}
SHAPED = [result for result in MODELS.values() if result.hidden is not None]
DIVIDES = st.sampled_from([1, 2, 4, 8])


@table("shaped", SHAPED, ids=lambda found: found.id)
def test_recounted_parameters_match_the_published_totals(shaped):
    """Every released model's shape gives its total, and its active part, within 0.1 %."""
    counted = parameters(shaped)
    assert counted.total == pytest.approx(shaped.params, rel=1e-3)
    assert counted.active == pytest.approx(shaped.active_params, rel=1e-3)
    assert sum(counted.by_part().values()) == pytest.approx(counted.total, rel=1e-12)


def test_a_rumour_has_no_shape_to_count():
    """A model whose dimensions nobody published is refused in one line that names them."""
    rumour = next(result for result in MODELS.values() if result.confidence is Confidence.RUMOUR)
    with pytest.raises(InputError, match="not published"):
        parameters(rumour)


def test_kv_cache_of_a_token():
    """Bytes of a token in BF16 and FP8, and of 64 sequences of 131,072 tokens."""
    names = {
        "llama3_8b": "llama-3.1-8b",
        "llama3_70b": "llama-3.1-70b",
        "llama31_405b": "llama-3.1-405b",
        "qwen3_235b": "qwen3-235b-a22b",
        "mixtral_8x22b": "mixtral-8x22b",
    }
    for key, expected in GOLDEN["D06"].expected.items():
        result = [
            kv_bytes_per_token(model(names[key]), precision(f).bytes_per_value) for f in ("bf16", "fp8")
        ]
        assert result == pytest.approx(expected, rel=1e-12)
    long = float(kv_bytes(model("llama-3.1-70b"), 131072, 2.0))
    expected = GOLDEN["D07"].expected
    assert long / 1e9 == pytest.approx(expected["per_seq_GB"], rel=1e-12)
    assert 64 * long / 1e9 == pytest.approx(expected["total_GB"], rel=1e-12)
    assert long / 2**30 == pytest.approx(expected["per_seq_GiB"], rel=1e-12)


def test_windowed_layers_keep_their_window():
    """Half of GPT-OSS's layers keep at most 128 tokens, and all of a shorter context."""
    expected, shaped = GOLDEN["D09"].expected, model("gpt-oss-120b")
    assert float(kv_bytes(shaped, 131072, 2.0)) == expected["bytes"]
    assert 131072 * kv_bytes_per_token(shaped, 2.0) == expected["naive"]
    assert float(kv_bytes(shaped, 64, 2.0)) == expected["short_ctx_64"]


def test_a_latent_cache_is_not_divided():
    """MLA keeps 576 values a token and layer on every GPU; DeepSeek-V3: 70,272 bytes a token."""
    shaped = model("deepseek-v3-r1")
    assert kv_bytes_per_token(shaped, 2.0) == 70272
    whole = kv_bytes_per_gpu(shaped, 1000, 2.0, 1)
    assert np.all(kv_bytes_per_gpu(shaped, 1000, 2.0, [2, 8, 16]) == whole)


def test_kv_heads_are_copied_beyond_their_number():
    """Qwen3 has 4 KV heads: from TP4 on every GPU keeps one whole head."""
    assert list(kv_heads_per_gpu(model("qwen3-235b-a22b"), [1, 2, 3, 4, 8, 64])) == [4, 2, 2, 1, 1, 1]


def test_experts_laid_over_72_gpus():
    """Slots, redundant slots and mean experts per GPU."""
    case = GOLDEN["D10"]
    for name, experts in case.inputs["experts"].items():
        result, expected = slots(experts, 72), case.expected[name]
        assert (result.per_gpu, result.total, result.redundant) == (
            expected["slots"],
            expected["total"],
            expected["redundant"],
        )
        assert result.mean == pytest.approx(expected["mean"], rel=1e-12)
    assert slots(8, 72).copies == 9


@given(st.integers(1, 512), st.integers(1, 64), st.integers(0, 100_000))
def test_distinct_experts_never_exceed_what_is_routed(experts, active, tokens):
    """No more experts are hit than exist or than tokens ask for; one token hits its own few."""
    active = min(active, experts)
    hit = float(distinct_experts(experts, active, tokens))
    assert 0 <= hit <= experts * (1 + 1e-12)
    assert hit <= tokens * active * (1 + 1e-9)
    assert float(distinct_experts(experts, active, 1)) == pytest.approx(active)


@given(st.integers(2, 576), st.integers(1, 16), st.integers(1, 4096))
def test_deduplication_only_saves(ep, active, tokens):
    """A token sent once to a GPU never costs more than once for each expert."""
    once = float(exchange_bytes(tokens, 7168, 1.0, ep, active))
    each = float(exchange_bytes_without_deduplication(tokens, 7168, 1.0, ep, active))
    assert 0 < once <= each * (1 + 1e-12)
    assert once <= tokens * 7168 * (ep - 1) * (1 + 1e-12)


@given(st.integers(0, 5000), st.integers(1, 400))
def test_attended_tokens_are_a_plain_count(before, new):
    """The mean of min(position, window) over the new positions, counted one by one."""
    shaped = model("gpt-oss-120b")
    positions = np.arange(before + 1, before + new + 1)
    counted = 18 * positions.mean() + 18 * np.minimum(positions, 128).mean()
    assert float(attended_tokens(shaped, before, new)) == pytest.approx(counted, rel=1e-12)


@given(st.sampled_from(SHAPED), DIVIDES, st.integers(1, 512), st.integers(1, 32768))
def test_sharing_a_layer_never_helps_more_than_fairly(shaped, tp, tokens, context):
    """On n GPUs no part does less than an n-th of its work, and none does more than alone."""
    batch = decode_batch(float(tokens), float(context))
    alone = step_work(shaped, batch, tp=1, weight=1.0, cache=1.0, value=2.0)
    shared = step_work(shaped, batch, tp=tp, weight=1.0, cache=1.0, value=2.0)
    for name in ("projections", "attention", "mlp", "experts", "elementwise", "head"):
        item, part = getattr(alone, name), getattr(shared, name)
        for quantity in ("flop", "bytes"):
            whole, piece = float(getattr(item, quantity)), float(getattr(part, quantity))
            assert whole / tp * (1 - 1e-9) <= piece <= whole * (1 + 1e-9)


def test_decode_reads_every_weight_of_a_dense_model_once():
    """Weights read in a decode step are the layers' parameters, and FLOPs twice them a token."""
    shaped = model("llama-3.1-70b")
    work = step_work(shaped, decode_batch(7.0, 1.0), tp=1, weight=1.0, cache=2.0, value=2.0)
    matrices = parameters(shaped).in_layers - parameters(shaped).norms
    assert float(work.weight_bytes) == pytest.approx(matrices, rel=1e-12)
    flop = work.projections.flop + work.mlp.flop + work.experts.flop
    assert float(flop) == pytest.approx(2 * 7 * matrices, rel=1e-12)


def test_a_prompt_in_chunks_is_the_same_work():
    """Two chunks of a prompt attend to as much as the prompt in one piece."""
    shaped = model("llama-3.1-8b")

    def attention(tokens, context):
        batch = prefill_batch(float(tokens), float(context))
        return float(step_work(shaped, batch, tp=1, weight=2.0, cache=2.0, value=2.0).attention.flop)

    assert attention(512, 512) + attention(512, 1024) == pytest.approx(attention(1024, 1024), rel=1e-12)
    assert attention(4096, 1024) == pytest.approx(4 * attention(1024, 1024), rel=1e-12)
