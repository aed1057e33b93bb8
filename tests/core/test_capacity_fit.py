"""Whether a serving layout fits, in three values, and pools of states: worked by hand, and laws of any layout."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.calculators.capacity import Scenario, capacity, capacity_json, usage
from core.calculators.capacity.fit import fit
from core.calculators.capacity.layout import laid_out
from core.calculators.layouts import most_requests
from core.calculators.tensor_parallel import Scenario as Step
from core.calculators.tensor_parallel.state_pools import StatePools
from core.catalog import model, precision, system
from core.checks import InputError
from core.parallel.memory_fit import Verdict

NODE, RACK = system("dgx-h100"), system("gb200-nvl72")
BF16, FP8 = precision("bf16"), precision("fp8")
HYBRID = Scenario(NODE, model("qwen3-next-80b-a3b"), tp=4, gpus=4)
POOLS = {"state_ratio": 0.9, "state_slots": 5}


def test_two_pools_hold_what_the_smaller_holds():
    """190 bytes part into 100 of KV blocks and 90 of states: 10 requests of 10 bytes, or 3 of five states of 6."""
    pools = StatePools(ratio=0.9, states=5)
    assert pools.most_requests(190, 10, 1) == 10
    assert pools.most_requests(190, 10, 6) == 3
    assert pools.most_requests(190, 10, 0) == 19
    assert StatePools().most_requests(190, 10, 6) == 11
    assert pools.most_requests(-5, 10, 1) == 0


@given(room=st.floats(0, 1e12), kv=st.floats(1, 1e10), state=st.floats(1, 1e10), ratio=st.floats(0.01, 100))
def test_parted_memory_holds_no_more_than_one_pool(room, kv, state, ratio):
    """Whatever the ratio, two pools hold at most the requests of one."""
    parted = StatePools(ratio=ratio).most_requests(room, kv, state)
    assert parted <= StatePools().most_requests(room, kv, state)


@pytest.mark.parametrize("pools", [{"state_ratio": -1.0}, {"state_slots": 0}])
def test_pools_that_cannot_be_are_refused(pools):
    """A negative ratio or no state a request is named."""
    with pytest.raises(InputError, match=next(iter(pools))):
        replace(HYBRID, **pools)


def test_a_hybrid_in_sglang_runs_what_its_states_allow():
    """Qwen3-Next at TP4: 32.2 GB left, 15.3 of it states; five of 19.3 MB a request: 157, where memory held 461."""
    held, plain = capacity(replace(HYBRID, **POOLS)), capacity(HYBRID)
    left = plain.free_bytes_per_gpu
    assert plain.max_sequences == int(left // (4096 * 24576 / 2 + 77266944 / 4))
    assert held.max_sequences == int(left * 0.9 / 1.9 // (5 * 77266944 / 4))
    assert any("pool of their own" in line for line in held.assumptions)
    assert not capacity(replace(HYBRID, **POOLS, sequences=held.max_sequences + 1)).fits


@pytest.mark.parametrize(("tp", "tokens"), [(1, 1056), (4, 528), (8, 272)])
def test_a_block_of_vllm_is_as_large_as_a_state(tp, tokens):
    """Qwen3-Next keeps 2.1 MB of state a layer and 1 kB of keys and values a KV head: 524 tokens at TP4, 528 by 16."""
    pages = StatePools(paged=True)
    assert pages.block_tokens(HYBRID.model, 2, tp) == tokens
    assert pages.block_tokens(model("llama-3.1-8b"), 2, tp) == 1
    assert StatePools().block_tokens(HYBRID.model, 2, tp) == 1


def test_a_short_request_fills_a_block():
    """At TP4 a request of 100 tokens takes as much of vLLM's cache as one of 528, and one of 529 twice that."""
    short, full, more = (
        capacity(replace(HYBRID, context=tokens, state_pages=True)).kv_bytes_per_sequence_per_gpu
        for tokens in (100, 528, 529)
    )
    assert short == full == 12 * 2 * 256 * 2 * 528
    assert more == 2 * full


def test_layouts_keep_to_the_pools_too():
    """The most requests that layouts rank are a third of what memory alone holds; of a dense model as many."""
    for name, share in (("qwen3-next-80b-a3b", 0.45), ("llama-3.1-8b", 1.0)):
        step = Step(NODE, model(name), context=4096)
        plain, parted = (most_requests(each, 8) for each in (step, replace(step, **POOLS)))
        assert parted <= plain * share
        assert (parted == plain) == (share == 1)


@pytest.mark.parametrize(
    ("asked", "verdict", "conditions"),
    [
        (Scenario(NODE, model("llama-3.1-70b"), gpus=4), Verdict.FITS, ()),
        (Scenario(NODE, model("llama-3.1-405b")), Verdict.FITS_IF, ("FP8 weights",)),
        (
            Scenario(NODE, model("llama-3.1-70b"), gpus=4, tp=4, context=8192, sequences=60),
            Verdict.FITS_IF,
            ("FP8 KV cache",),
        ),
        (
            Scenario(NODE, model("llama-3.1-70b"), gpus=4, tp=4, kv=FP8, weights=FP8, sequences=1600),
            Verdict.FITS_IF,
            ("at most 324 concurrent requests",),
        ),
        (Scenario(NODE, model("deepseek-v3-r1"), weights=FP8), Verdict.FITS_IF, ("INT4 weights",)),
        (
            Scenario(NODE, model("kimi-k2"), weights=precision("nvfp4"), kv=FP8),
            Verdict.FITS_IF,
            ("16 GPUs",),
        ),
        (Scenario(system("rtx-4090-x4"), model("llama-3.1-405b")), Verdict.DOES_NOT_FIT, ()),
    ],
    ids=["fits", "weights", "cache", "requests", "four-bits", "gpus", "no"],
)
def test_the_verdict_says_what_would_make_it_fit(asked, verdict, conditions):
    """Narrower formats first, then fewer requests, four bits and more GPUs; nothing helps 405B on four 4090."""
    answer = capacity(asked)
    found = answer.memory_fit
    assert (found.verdict, found.conditions) == (verdict, conditions)
    assert answer.fits == (verdict is Verdict.FITS)
    assert (found.text in answer.headline) == (verdict is Verdict.FITS_IF)
    assert capacity_json(answer)["memory_fit"]["text"] == found.text


@given(
    name=st.sampled_from(["llama-3.1-70b", "qwen3-next-80b-a3b", "deepseek-v3-r1", "gpt-oss-120b"]),
    gpus=st.sampled_from([1, 2, 4, 8]),
    sequences=st.integers(0, 3000),
    context=st.sampled_from([1024, 32768]),
)
def test_conditions_keep_their_word(name, gpus, sequences, context):
    """What fits if something is changed takes no more than there is; what fits as asked has no condition."""
    asked = laid_out(Scenario(NODE, model(name), gpus=gpus, sequences=sequences, context=context))
    found = fit(asked)
    assert (found.verdict is Verdict.FITS) == usage(asked).fits
    if found.verdict is not Verdict.DOES_NOT_FIT:
        assert found.total_bytes <= found.available_bytes * (1 + 1e-9)
    assert bool(found.conditions) == (found.verdict is Verdict.FITS_IF)


def test_what_a_checkpoint_keeps_in_bf16_is_told():
    """Llama 8B in FP8 is published with 9.1 GB, 1.05 of them one more byte of 2 x 128,256 x 4,096 values."""
    told = capacity(Scenario(NODE, model("llama-3.1-8b"), gpus=1, weights=FP8)).warnings
    assert any("1.05 GB a GPU of embedding and head" in line for line in told)
    assert not capacity(Scenario(NODE, model("llama-3.1-8b"), gpus=1)).warnings
    full = Scenario(NODE, model("llama-3.1-70b"), gpus=1, weights=FP8, usable=1.0, context=1024, sequences=25)
    assert any("CUDA graphs" in line for line in capacity(full).warnings)
