"""GEMMs by tiles, waves and bandwidth: worked by hand, bounded, monotone, and right on measured kernels."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.catalog import GPUS
from core.catalog.calibrations.kernels.gemm import GEMMS
from core.catalog.calibrations.kernels.gemm_constants import GemmKernel, Tile
from core.errors import InputError
from core.kernels.formats import FORMATS, format_on
from core.kernels.gemm import gemm_s
from core.kernels.tiles import Chip, Operands, gemm_terms
from tests.each import table

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "kernels"
PLAIN = GemmKernel(0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0, 200.0)
"""A GPU that reaches everything at once."""
HUNDRED = Chip(100, 100e12, 1e12, 50e6)
MATRIX_GPUS = [gpu for gpu in GPUS.values() if gpu.bf16_flop_per_s]


def worked(m, n, k, kernel=PLAIN):
    """Seconds on the GPU of 100 SMs."""
    work = Operands(*(np.array([float(size)]) for size in (m, n, k)), 2, 2, np.array([np.inf]))
    return float(gemm_terms(HUNDRED, kernel, work).time_s[0])


def test_full_waves_run_at_the_peak():
    """Twenty by ten tiles of 128 x 128 are two full waves of 100 SMs: FLOPs over the peak, nothing lost."""
    assert worked(2560, 1280, 8192) == pytest.approx(2 * 2560 * 1280 * 8192 / 100e12, rel=1e-6)


def test_a_tile_too_many_costs_most_of_a_wave():
    """One row more than two full waves of tiles makes a third wave, 0.7 of it waited for by all."""
    full, more = worked(2560, 1280, 8192), worked(2561, 1280, 8192)
    assert more > 1.05 * full


def test_few_rows_cost_the_weights():
    """Sixteen rows read 8192 x 8192 weights of two bytes at 1 TB/s: 134 us and the activations."""
    assert worked(16, 8192, 8192) == pytest.approx((2 * 8192 * 8192 + 4 * 16 * 8192) / 1e12, rel=1e-3)


def test_power_limits_a_long_call():
    """A clock that sinks by a fifth makes a long call a fifth longer and leaves a short one alone."""
    slow = GemmKernel(0.0, 0.0, 0.0, 0.0, 1.0, 0.25, 1e-4, 1.0, 1.0, 200.0)
    assert worked(25600, 12800, 8192, slow) / worked(25600, 12800, 8192) == pytest.approx(1.25, rel=0.01)
    assert worked(128, 1280, 512, slow) / worked(128, 1280, 512) < 1.06


@table("name", FORMATS)
def test_no_gemm_beats_its_gpu(name):
    """No shape runs above the dense peak, nor reads a model's weights above the memory rate."""
    m, n, k = np.meshgrid([1, 7, 64, 777, 8192, 65536], [64, 1024, 7168, 65536], [64, 1024, 7168, 65536])
    for gpu in MATRIX_GPUS:
        entry, peak = format_on(gpu, name)
        price = gemm_s(gpu, name, m, n, k)
        revised = 1.5 if gpu.silicon.startswith("Blackwell Ultra") else 1.0
        assert np.all(2.0 * m * n * k / price.time_s <= peak * revised * 1.1)
        assert np.all(entry.weight_bytes * n * k / price.time_s <= gpu.memory_rate.bytes_per_s)
        assert np.all((price.low_s <= price.time_s) & (price.time_s <= price.high_s))


@pytest.mark.parametrize("gpu", ["a100-sxm-80gb", "h100-sxm", "gb300", "l40s", "mi300x"])
def test_more_work_takes_longer(gpu):
    """A larger m, n or k never takes much less: another tile or split may gain a few percent."""
    steps = np.array([1, 2, 5, 16, 33, 64, 100, 200, 400, 1000, 2000, 5000, 16000, 32000])
    for m, n, k in ((steps, 4096, 4096), (512, 64 * steps, 4096), (512, 4096, 64 * steps)):
        times = gemm_s(GPUS[gpu], "bf16", m, n, k).time_s
        assert np.all(times[1:] >= 0.93 * times[:-1])


def test_arithmetic_binds_large_products_and_memory_decode():
    """8,192 tokens are bound by arithmetic, one token by memory."""
    price = gemm_s(GPUS["h100-sxm"], "bf16", [1, 8192], 8192, 8192)
    assert price.compute_bound.tolist() == [False, True]
    assert not price.launch_bound.any()


def test_kernel_launch_binds_tiny_products():
    """A product of three numbers is neither arithmetic nor memory, but its start."""
    assert gemm_s(GPUS["h100-sxm"], "bf16", 1, 1, 1).launch_bound


def test_an_unknown_generation_is_less_sure():
    """An A800 answers as an A100 does, an MI300X by the newest GPU measured and less surely."""
    width = {}
    for name in ("a100-sxm-80gb", "a800-sxm", "mi300x"):
        price = gemm_s(GPUS[name], "bf16", 1024, 4096, 4096)
        width[name] = float(price.high_s / price.low_s)
    assert width["a100-sxm-80gb"] <= width["a800-sxm"] <= width["mi300x"]
    assert (
        gemm_s(GPUS["a800-sxm"], "bf16", 1024, 4096, 4096).time_s
        == gemm_s(GPUS["a100-sxm-80gb"], "bf16", 1024, 4096, 4096).time_s
    )


def test_a_loop_over_few_weights_is_quicker_than_a_model():
    """Weights that stay in the L2 cache of an L40S come several times as fast as from its GDDR6."""
    gpu = GPUS["l40s"]
    model, loop = (gemm_s(gpu, "bf16", 16, 4096, 1024, cycled_bytes=size).time_s for size in (np.inf, 2e7))
    assert loop < 0.7 * model


def test_a_format_that_a_gpu_lacks_runs_as_another():
    """FP8 weights on an A100 are widened to BF16: less to read, no faster to compute."""
    gpu = GPUS["a100-sxm-80gb"]
    assert gemm_s(gpu, "fp8", 8192, 8192, 8192).time_s >= 0.9 * gemm_s(gpu, "bf16", 8192, 8192, 8192).time_s
    assert gemm_s(gpu, "fp8", 4, 8192, 8192).time_s < 0.8 * gemm_s(gpu, "bf16", 4, 8192, 8192).time_s


@pytest.mark.parametrize(
    ("name", "sizes"),
    [("fp7", (1, 1, 1)), ("bf16", (0, 1, 1)), ("bf16", (1, np.nan, 1)), ("bf16", (1, 1, -2))],
)
def test_what_is_no_gemm_is_refused(name, sizes):
    """Unknown formats and sizes below one are named, not computed."""
    with pytest.raises(InputError):
        gemm_s(GPUS["h100-sxm"], name, *sizes)


def test_every_generation_has_bf16_constants_within_reason():
    """Shares are shares, and a call takes microseconds to start."""
    for kernel in GEMMS["bf16"].values():
        assert 0.5 <= kernel.share <= 1
        assert 0.5 <= kernel.memory_share <= 0.95
        assert kernel.start_s + kernel.wave_s < 10e-6


def test_rounding_takes_a_thread_block_a_row():
    """6,400 rows on 100 SMs take 64 blocks in turn, whatever k: 64 us at 1 us a row, and none of it in a step."""
    kernel = replace(PLAIN, quantise=1.0, row_s=1e-6)
    bare = worked(6400, 128, 128)
    assert worked(6400, 128, 128, kernel) - bare == pytest.approx(64e-6, rel=1e-6)
    assert worked(64, 128, 65536, kernel) - worked(64, 128, 65536) == pytest.approx(3 * 64 * 65536 / 1e12)
    assert worked(6400, 128, 128, kernel.without_rounding()) == bare


def test_a_library_without_search_keeps_its_tile():
    """One tile by m and no split of k: 65 rows of a deep product run on one SM, where a search would cut k."""
    ruled = replace(PLAIN, tiles=(Tile(64, 128, most_rows=64), Tile(128, 128, paired=2)))
    one_sm = 2 * 128 * 128 * 65536 / 1e12
    assert worked(65, 128, 65536, ruled) == pytest.approx(0.7 * one_sm + 0.3 * one_sm, rel=1e-6)
    assert worked(65, 128, 65536) < 0.2 * one_sm
    assert worked(64, 128, 65536, ruled) == pytest.approx(one_sm / 2, rel=1e-6)


def test_tiles_go_in_pairs():
    """129 rows in tiles of 128 that go in pairs are two pairs' worth of no more than 256 rows."""
    paired = replace(PLAIN, tiles=(Tile(128, 128, paired=2),))
    single = replace(PLAIN, tiles=(Tile(128, 128),))
    wide = 128 * 100
    assert worked(128, wide, 8192, paired) > 1.6 * worked(128, wide, 8192, single)
    assert worked(256, wide, 8192, paired) == worked(256, wide, 8192, single)


def test_an_engine_that_is_named_is_surer():
    """FP8 on an H100: an engine's own interval is narrower than that of no engine; one nobody measured has a wider one."""
    widths = {}
    for engine in (None, "trtllm", "vllm"):
        price = gemm_s(GPUS["h100-sxm"], "fp8", 64, 4096, 1024, engine=engine)
        widths[engine] = float(price.high_s / price.low_s)
    assert max(widths["trtllm"], widths["vllm"]) < widths[None]
    unknown, none = (
        gemm_s(GPUS["l40s"], "fp8-block", 64, 4096, 1024, engine=name) for name in ("vllm", None)
    )
    assert unknown.time_s == none.time_s
    assert unknown.low_s < none.low_s
    assert unknown.high_s > none.high_s
