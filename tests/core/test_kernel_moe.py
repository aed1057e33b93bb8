"""Routed MLPs: who gets how many tokens, and what their experts cost by tokens and width."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from core.catalog import GPUS
from core.catalog.calibrations.kernels.moe_constants import RoutedKernel
from core.errors import InputError
from core.kernels.grouped import Weights, grouped_terms
from core.kernels.routed import routed_mlp_s, routed_terms
from core.kernels.routing import ROUTINGS, Layer, loads
from core.kernels.tiles import Chip
from tests.each import table

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "kernels"
H100 = GPUS["h100-sxm"]
PLAIN = RoutedKernel(0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, np.inf, 200.0, 0.0, 1.0, 1.0)
HUNDRED = Chip(100, 100e12, 1e12, 0.0)
GATED = Weights(2, 2, np.array([2.0]))
DEEPSEEK = {"hidden": 7168, "width": 2048, "top_k": 8, "experts": 256}


def layer(tokens, experts=64, top_k=4, ep=1, hidden=4096, width=1024):
    """One layer as arrays."""
    return Layer(*(np.array([float(size)]) for size in (tokens, hidden, width, top_k, experts, ep)))


def test_round_robin_shares_alike():
    """64 tokens of 4 copies over 64 experts on 8 GPUs: each of the 8 experts of a GPU gets 4."""
    shared = loads(layer(64, ep=8), "balanced")
    assert shared.copies == pytest.approx(32)
    assert shared.hit == pytest.approx(8)
    assert shared.tokens.ravel() == pytest.approx(4)


def test_a_gpu_runs_whole_experts():
    """One token of 8 experts on 256 GPUs: each of eight GPUs runs one, in turn and at random alike."""
    random, in_turn = (
        routed_mlp_s(H100, "fp8", 1, **DEEPSEEK, ep=256, routing=routing)
        for routing in ("uniform", "balanced")
    )
    assert random.time_s == pytest.approx(in_turn.time_s)


def test_one_token_visits_its_own_experts():
    """One token hits four experts of 64; at random two tokens hit a little less than eight."""
    assert loads(layer(1), "balanced").hit == pytest.approx(4)
    assert loads(layer(1), "uniform").hit == pytest.approx(4)
    assert 7.5 < float(loads(layer(2), "uniform").hit[0]) < 8


@table("name", ROUTINGS)
@table("tokens", [1, 3, 40, 1000, 50000])
def test_no_expert_gets_a_token_twice(name, tokens):
    """No expert has more tokens than there are, no GPU more copies than the layer makes or more experts than it has."""
    for ep in (1, 4, 64):
        shared = loads(layer(tokens, ep=ep), name)
        assert np.all(shared.tokens <= max(tokens, 1) + 1e-9)
        assert float(shared.hit[0]) <= 64 / ep * (1 + 1e-9)
        assert float(shared.copies[0]) <= tokens * 4 * (1 + 1e-9) + 64


def test_a_power_law_loads_the_busiest_gpu_more():
    """Skewed routing over eight GPUs gives the busiest one more copies than an even share."""
    even, skewed = (float(loads(layer(4096, ep=8), name).copies[0]) for name in ("balanced", "power-law-1.2"))
    assert even == pytest.approx(4096 * 4 / 8)
    assert 1.2 * even < skewed < 4 * even


def test_many_tokens_cost_their_flops():
    """With 12,800 tokens for each of 8 experts the arithmetic of three matrices sets the time."""
    here = layer(25600, experts=8, top_k=4)
    terms = grouped_terms(HUNDRED, PLAIN, here, loads(here, "balanced"), GATED)
    assert float(terms.time_s[0]) == pytest.approx(6 * 25600 * 4 * 4096 * 1024 / 100e12, rel=0.01)


def test_few_tokens_cost_the_weights_of_their_experts():
    """One token reads the three matrices of its four experts and no others."""
    here = layer(1)
    terms = grouped_terms(HUNDRED, PLAIN, here, loads(here, "balanced"), GATED)
    assert float(terms.time_s[0]) == pytest.approx(4 * 3 * 4096 * 1024 * 2 / 1e12, rel=0.05)


def test_narrow_experts_are_less_efficient():
    """The same FLOPs in experts of 1/16 of the width take longer: tiles of fewer values, more rows to move."""
    wide = routed_mlp_s(H100, "bf16", 8192, 4096, 16384, 1, 8)
    narrow = routed_mlp_s(H100, "bf16", 8192, 4096, 1024, 16, 128)
    assert narrow.time_s > 1.1 * wide.time_s


@pytest.mark.parametrize("gpu", ["a100-sxm-80gb", "h100-sxm", "gb300", "l40s", "mi300x"])
def test_more_tokens_take_longer(gpu):
    """The time grows with tokens and stays inside its interval."""
    tokens = np.array([1, 2, 4, 16, 64, 200, 1000, 4000, 16000])
    for name in ("bf16", "fp8", "nvfp4"):
        price = routed_mlp_s(GPUS[gpu], name, tokens, **DEEPSEEK, ep=8)
        assert np.all(price.time_s[1:] >= 0.97 * price.time_s[:-1])
        assert np.all((price.low_s <= price.time_s) & (price.time_s <= price.high_s))


def test_no_layer_beats_its_gpu():
    """No routed MLP runs above the dense peak of its format or reads its experts above the memory rate."""
    tokens = np.array([1.0, 64, 4096, 65536])
    price = routed_mlp_s(H100, "bf16", tokens, **DEEPSEEK, routing="balanced")
    flop = 6 * tokens * 8 * 7168 * 2048
    assert np.all(flop / price.time_s <= H100.bf16_flop_per_s)
    read = np.minimum(tokens * 8, 256) * 3 * 7168 * 2048 * 2
    assert np.all(read / price.time_s <= H100.memory_rate.bytes_per_s)


def test_an_engine_that_repeats_work_takes_longer():
    """Arithmetic done for experts of other GPUs costs time where there are any."""
    here = layer(4096, ep=8)
    base, repeated = (
        grouped_terms(HUNDRED, kernel, here, loads(here, "balanced"), GATED)
        for kernel in (PLAIN, replace(PLAIN, elsewhere=0.5))
    )
    assert repeated.time_s > 2 * base.time_s


def test_tiles_by_the_mean_load_of_an_expert_may_be_larger_than_the_quickest():
    """Of 64 local experts at two copies each on average, tiles have eight rows; at 256 and more 256."""
    mean = replace(PLAIN, by_mean=True)
    for tokens, rows in ((128, 8), (1024, 16), (65536, 256)):
        here = layer(tokens, top_k=1)
        priced = grouped_terms(HUNDRED, mean, here, loads(here, "balanced"), GATED)
        whole = 6 * 64 * max(rows, tokens / 64) * 4096 * 1024 / 100e12
        assert float(priced.math_s[0]) == pytest.approx(whole, rel=0.05)


def test_an_engine_takes_its_quickest_kernels():
    """An engine of two libraries is as quick as the quicker; without it the mean of the others answers."""
    here = layer(4096)
    slow, slower = replace(PLAIN, share=0.5), replace(PLAIN, share=0.25)
    libraries = {"sglang:triton": PLAIN, "sglang:cutlass": slow, "vllm:triton": slower}
    ask = partial(routed_terms, HUNDRED, libraries, layer=here, routed=loads(here, "balanced"), weights=GATED)
    times = {name: float(ask(name).time_s[0]) for name in ("sglang", "sglang:cutlass", "vllm", "trtllm")}

    assert times["sglang"] == pytest.approx(times["sglang:cutlass"] / 2, rel=0.01)
    assert times["trtllm"] == pytest.approx((times["sglang"] * times["vllm"]) ** 0.5)


@pytest.mark.parametrize(
    "wrong",
    [
        {"tokens": 0},
        {"top_k": 300},
        {"ep": 512},
        {"routing": "fair"},
        {"engine": "mine"},
        {"number_format": "fp7"},
    ],
)
def test_what_is_no_layer_is_refused(wrong):
    """Impossible layers and unknown names end in one sentence."""
    question = {"number_format": "bf16", "tokens": 64, **DEEPSEEK} | wrong
    with pytest.raises(InputError):
        routed_mlp_s(H100, **question)


@pytest.mark.skipif(not DATA.is_dir(), reason="measured kernels are not beside the repository")
def test_measured_layers_are_met():
    """TensorRT-LLM's BF16 layers: 10 % at the median; the interval of any engine holds 70 to 90 %."""
    from tests.bench.kernel_moe import modelled, moes
    from tests.bench.kernel_residuals import fitted_ratio
    from tests.bench.kernels import MOE, MOE_BANDS, held

    rows = moes(DATA, {"bfloat16": "bf16"}).sample(4000)
    named = fitted_ratio(MOE["bf16"], rows, modelled)
    assert np.median(np.abs(named[rows.engine == "trtllm"] - 1)) < 0.1
    plain = fitted_ratio(MOE["bf16"], rows, modelled, engine=False)
    assert 0.7 <= held(MOE_BANDS["bf16"], plain, rows.time_s).mean() <= 0.9
