"""Attention kernels: worked by hand, laws that hold on any hardware, and measured calls where they lie."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.catalog import GPUS
from core.catalog.calibrations.kernels.attention import DECODE, PREFILL
from core.catalog.calibrations.kernels.shapes import DecodeEngine, PrefillEngine
from core.errors import InputError
from core.hardware import Architecture, MemoryKind
from core.kernels.attention import decode_attention_s, prefill_attention_s
from core.kernels.decode import decode_terms
from core.kernels.generation import constants_of
from core.kernels.mla import mla_decode_s, mla_prefill_s
from core.kernels.prefill import prefill_terms
from core.kernels.shapes import attention_shape

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
H100, H200 = GPUS["h100-sxm"], GPUS["h200-sxm"]
HOPPER = (Architecture.HOPPER, MemoryKind.HBM)
ENGINES = ("trtllm", "vllm", "sglang", None)
LENGTHS = 2.0 ** np.arange(15)
NVIDIA = [entry for entry in GPUS.values() if entry.vendor == "NVIDIA" and entry.bf16_flop_per_s]


def llama_70b(batch, queries, keys, cache_bytes=2.0):
    """Attention of one layer: 64 heads, 8 KV heads of 128 values."""
    return attention_shape(batch, queries, keys, heads=64, kv_heads=8, head_dim=128, cache_bytes=cache_bytes)


def test_a_long_prefill_by_hand():
    """16,384 tokens on H100 are 128 blocks a head; block i holds 128 queries and reads 128 (i + 1) keys."""
    engine = PrefillEngine(0.0, 1.0, 0.0, packs_group=False)
    kernel = replace(PREFILL[HOPPER], tensor_share=(0.5,) * 5, memory_share=1.0, tail=0.0)

    terms = prefill_terms(H100, llama_70b(1, 16_384, 16_384), kernel, engine)

    flop = 4 * 64 * 128 * 128 * sum(128 * (block + 1) for block in range(128))
    moved = 16_384 * 128 * (64 * 2 * 2 + 8 * 2 * (2 + 1))
    assert terms.compute_s == pytest.approx(flop / (0.5 * 989.4e12))
    assert terms.memory_s == pytest.approx(moved / 3.35e12)
    assert terms.time_s == pytest.approx(terms.compute_s + terms.memory_s)


def test_a_long_decode_by_hand():
    """64 sequences of 32,768 tokens in BF16 are 8.6 GB of cache: at 90 % of 3.35 TB/s 2.85 ms."""
    engine = DecodeEngine(0.0, 0.0, 1.0, 0.9, 1.0, 1.0, single_heads=False)

    terms = decode_terms(H100, llama_70b(64, 1, 32_768), DECODE[HOPPER], engine)

    cache = 64 * 32_768 * 8 * 128 * 2 * 2
    assert terms.memory_s == pytest.approx((cache + 64 * 64 * 128 * 2 * 2) / (0.9 * 3.35e12))
    assert terms.memory_s == pytest.approx(2.85e-3, rel=2e-3)


@pytest.mark.parametrize("engine", ENGINES)
def test_longer_or_more_is_never_faster(engine):
    """A longer prompt or context and a larger batch take at least as long, on every GPU."""
    for gpu in NVIDIA:
        times = (
            prefill_attention_s(gpu, "bf16", 2, LENGTHS, 32, 8, 128, engine=engine),
            prefill_attention_s(gpu, "bf16", LENGTHS, 512, 32, 8, 128, engine=engine),
            decode_attention_s(gpu, "fp8", 16, LENGTHS * 8, 32, 8, 128, engine=engine),
            decode_attention_s(gpu, "fp8", LENGTHS, 4096, 32, 8, 128, engine=engine),
        )
        assert all((np.diff(item.time_s) >= 0).all() for item in times), gpu.id


@pytest.mark.parametrize("engine", ENGINES)
def test_no_kernel_beats_the_datasheet(engine):
    """No time is below the FLOPs at the peak or the bytes at the memory's rate; the interval holds it."""
    for gpu in NVIDIA:
        prefill = prefill_attention_s(gpu, "bf16", 4, LENGTHS, 64, 8, 128, engine=engine)
        decode = decode_attention_s(gpu, "bf16", LENGTHS, 4096, 64, 8, 128, engine=engine)
        flop = 4 * 4 * 64 * 128 * LENGTHS * (LENGTHS + 1) / 2
        cache = LENGTHS * 4096 * 8 * 128 * 2 * 2
        assert (prefill.time_s > flop / gpu.bf16_flop_per_s).all(), gpu.id
        assert (decode.time_s > cache / gpu.memory_rate.bytes_per_s).all(), gpu.id
        for item in (prefill, decode):
            assert ((item.low_s < item.time_s) & (item.time_s < item.high_s)).all()


def test_a_window_bounds_the_work():
    """With a window of 128 a prompt of twice the length takes about twice as long, not four times."""
    windowed, full = (
        prefill_attention_s(H100, "bf16", 1, [32_768, 65_536], 64, 8, 64, window=window, engine="vllm").time_s
        for window in (128, None)
    )
    assert windowed[1] / windowed[0] == pytest.approx(2, abs=0.05)
    assert full[1] / full[0] == pytest.approx(4, abs=0.1)


def test_a_prefix_is_read_and_attended_to():
    """The second half of a prompt takes longer than the first, and both together about the whole."""
    first = prefill_attention_s(H100, "bf16", 1, 16_384, 64, 8, 128, engine="vllm").time_s
    second = prefill_attention_s(H100, "bf16", 1, 16_384, 64, 8, 128, prefix=16_384, engine="vllm").time_s
    whole = prefill_attention_s(H100, "bf16", 1, 32_768, 64, 8, 128, engine="vllm").time_s

    assert second > 2.5 * first
    assert first + second == pytest.approx(whole, rel=0.02)


def test_grouped_heads_read_the_cache_once():
    """Eight query heads on one KV head decode a long context far faster than eight KV heads."""
    grouped, each = (
        decode_attention_s(H100, "bf16", 64, 16_384, 64, kv_heads, 128, engine="vllm") for kv_heads in (8, 64)
    )
    assert each.time_s / grouped.time_s == pytest.approx(8, rel=0.25)
    assert not grouped.compute_bound
    assert prefill_attention_s(H100, "bf16", 1, 16_384, 64, 8, 128).compute_bound


def test_a_generation_nobody_measured_is_told_by_its_band():
    """Rubin takes Blackwell's constants at its own rates, with a wider interval; MI300X the newest with HBM."""
    rubin, measured = constants_of(GPUS["rubin"], DECODE)
    known = decode_attention_s(GPUS["b200-sxm"], "bf16", 64, 8192, 64, 8, 128, engine="vllm")
    unknown = decode_attention_s(GPUS["rubin"], "bf16", 64, 8192, 64, 8, 128, engine="vllm")

    assert (rubin, measured) == (DECODE[Architecture.BLACKWELL, MemoryKind.HBM], False)
    assert unknown.time_s < known.time_s
    assert unknown.high_s / unknown.low_s > known.high_s / known.low_s
    assert constants_of(GPUS["mi300x"], DECODE)[0] == DECODE[Architecture.BLACKWELL, MemoryKind.HBM]


def test_an_engine_whose_mla_was_timed_elsewhere_is_told_so():
    """MLA of vLLM was measured on Hopper, not on B200: the line says where and whom to ask instead."""
    assert mla_decode_s(H200, "bf16", 64, 8192, 16, engine="vllm").time_s > 0
    line = "engine: vllm's kernels of this kind were not measured on GPUs like B200.*trtllm or sglang"
    for kernel in (mla_decode_s, mla_prefill_s):
        with pytest.raises(InputError, match=line):
            kernel(GPUS["b200-sxm"], "bf16", 1, 8192, 16, engine="vllm")
    with pytest.raises(InputError, match="engine: 'lmdeploy' is unknown"):
        mla_decode_s(H200, "bf16", 1, 8192, 16, engine="lmdeploy")


def test_mla_reads_its_latent_once():
    """DeepSeek on H200: 64 sequences of 32,768 tokens are 2.4 GB a layer for 16 heads as for 64."""
    few, many = (mla_decode_s(H200, "bf16", 64, 32_768, heads, engine="trtllm") for heads in (16, 64))
    latent_s = 64 * 32_768 * 576 * 2 / H200.memory_rate.bytes_per_s

    assert latent_s < few.time_s < 1.3 * latent_s
    assert few.time_s <= many.time_s < 1.2 * few.time_s


def test_mla_prefill_in_the_latent_space_costs_three_times_the_work():
    """On H200 SGLang multiplies 576 and 512 values a pair where TensorRT-LLM unpacks 192 and 128."""
    absorbed, unpacked = (
        mla_prefill_s(H200, "bf16", 1, 16_384, 16, engine=engine) for engine in ("sglang", "trtllm")
    )
    flop = 2 * (192 + 128) * 16 * 16_384**2 / 2

    assert 2.5 < absorbed.time_s / unpacked.time_s < 4.5
    assert unpacked.time_s > flop / H200.bf16_flop_per_s
    assert absorbed.compute_bound


def test_what_nobody_measured_is_refused_in_a_line():
    """A cache format or an engine without measured kernels is an input error that lists what there is."""
    with pytest.raises(InputError, match=r"cache_format: .*fp8"):
        decode_attention_s(H100, "nvfp4", 1, 1024, 64, 8, 128)
    with pytest.raises(InputError, match=r"engine: .*trtllm"):
        prefill_attention_s(H100, "bf16", 1, 1024, 64, 8, 128, engine="tgi")
    with pytest.raises(InputError, match=r"batch: above zero, not -1"):
        decode_attention_s(H100, "bf16", [4, -1], 1024, 64, 8, 128)


@pytest.mark.parametrize("prefix", [-500, float("nan"), float("inf")])
def test_a_prefix_that_cannot_be_is_refused(prefix):
    """A cached prefix is a number of tokens from zero on, in attention and in MLA."""
    with pytest.raises(InputError, match=r"^prefix: at least 0, not "):
        prefill_attention_s(H100, "bf16", 1, 1024, 64, 8, 128, prefix=prefix)
    with pytest.raises(InputError, match=r"^prefix: at least 0, not "):
        mla_prefill_s(H200, "bf16", 1, 1024, 16, prefix=[0, prefix])


def test_a_shape_that_cannot_be_is_refused():
    """No context is infinite, and no model has more KV heads than query heads; a layer may have no window."""
    with pytest.raises(InputError, match=r"^context: above zero, not inf"):
        decode_attention_s(H100, "bf16", 1, float("inf"), 64, 8, 128)
    with pytest.raises(InputError, match=r"^kv_heads: at most as many as query heads"):
        prefill_attention_s(H100, "bf16", 1, 1024, 8, 64, 128)
    windows = decode_attention_s(H100, "bf16", 1, 8192, 64, 8, 128, window=[1024, float("inf")]).time_s
    assert windows[1] == decode_attention_s(H100, "bf16", 1, 8192, 64, 8, 128).time_s


@pytest.mark.skipif(not (DATA / "kernels").exists(), reason="measured kernels lie beside the repository")
def test_measured_calls_lie_where_the_interval_says():
    """Of measured calls 75 to 90 % lie inside the interval, and half of them within 12 %."""
    from tests.bench.kernels_attention import PHASES, judged, read

    for phase in PHASES:
        off, inside = judged(phase, read(DATA / "kernels" / f"{phase.file}_perf.parquet", phase, 4_000))
        assert np.median(np.abs(np.expm1(off))) < 0.12, phase.name
        assert 0.75 < np.mean(inside) < 0.90, phase.name
