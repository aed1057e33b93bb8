"""Gated delta nets: a state step by hand, and laws of the scan."""

import numpy as np
import pytest

from core.catalog import GPUS
from core.catalog.calibrations.kernels.state_space import GATED_DELTA_NET
from core.errors import InputError
from core.hardware import Architecture, MemoryKind
from core.kernels.state_space import gated_delta_decode_s, gated_delta_prefill_s, state_step_s

H200 = GPUS["h200-sxm"]
BATCHES = 2.0 ** np.arange(11)
LENGTHS = 2.0 ** np.arange(16)


def test_a_step_reads_and_writes_the_state_by_hand():
    """1,024 sequences with 32 value heads of Qwen3-Next keep 2.1 GB of FP32 state; a step moves it twice."""
    kernel = GATED_DELTA_NET[Architecture.HOPPER, MemoryKind.HBM]
    moved = 1024 * 32 * 128 * 128 * 4 * 2

    assert state_step_s(H200, kernel, np.array(1024.0), np.array(32.0)) == pytest.approx(
        kernel.step_launch_s + moved / (kernel.state_share * 4.8e12)
    )
    assert moved == pytest.approx(4.295e9, rel=1e-3)


def test_longer_or_more_is_never_faster_and_no_faster_than_memory():
    """A longer prompt and a larger batch take longer, and a step never beats the rate of its state's bytes."""
    for gpu in (H200, GPUS["b200-sxm"], GPUS["rubin"]):
        for scan in ("triton", "flashinfer"):
            assert (np.diff(gated_delta_prefill_s(gpu, 4, LENGTHS, 16, 32, scan=scan).time_s) >= 0).all()
            assert (np.diff(gated_delta_prefill_s(gpu, BATCHES, 512, 16, 32, scan=scan).time_s) > 0).all()
        step = gated_delta_decode_s(gpu, BATCHES, 16, 32)
        assert (step.time_s > BATCHES * 32 * 128**2 * 8 / gpu.memory_rate.bytes_per_s).all()
        assert ((step.low_s < step.time_s) & (step.time_s < step.high_s)).all()


def test_a_scan_grows_with_the_length_and_not_with_its_square():
    """Twice the tokens take about twice as long, unlike attention."""
    first, second = gated_delta_prefill_s(H200, 1, [65_536, 131_072], 16, 32, scan="flashinfer").time_s

    assert second / first == pytest.approx(2, abs=0.05)


def test_an_unknown_scan_is_refused():
    """A library whose scan nobody measured is an input error."""
    with pytest.raises(InputError, match=r"scan: .*triton"):
        gated_delta_prefill_s(H200, 1, 1024, 16, 32, scan="cute")
