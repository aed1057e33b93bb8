"""Calls that start late, in sweeps that begin above the sizes that latency alone decides."""

import numpy as np
import pytest

from core.catalog import SYSTEMS
from core.collectives.pricing import Scenario, sweep
from core.measurement import GpuCount, Machine, Observation, Run, Sample
from core.verdict import Status, judge_run

H100 = SYSTEMS["dgx-h100"]
SIZES = np.array([float(1 << power) for power in range(20, 34)])
LARGE_BYTES = 32 << 20


def verdict_of(times_s, said=()):
    """Of an all-gather on eight H100 with these times at 1 MiB to 8 GiB, and what its log says."""
    samples = tuple(
        Sample("all_gather", int(size), float(time_s), "out-of-place", 0)
        for size, time_s in zip(SIZES, times_s, strict=True)
    )
    machine = Machine((GpuCount("NVIDIA H100 80GB HBM3", 8),), ("node1",))
    run = Run("log", "nccl-tests-text", "all_gather", 8, machine, samples, dtype="float", observations=said)
    return judge_run(run, H100)


def expected_s():
    """The model's times."""
    return sweep(Scenario(H100, "all_gather", 8), SIZES).time_s


@pytest.mark.parametrize("late_s", [12e-6, 18e-6, 30e-6])
def test_late_calls_whose_large_sizes_are_fine_lack_no_bandwidth(late_s):
    """As many microseconds too many from 1 MiB on: no GPU or link is slow, whose large sizes would be too."""
    verdict = verdict_of(expected_s() + late_s)

    assert (verdict.status, verdict.reason.code) == (Status.LOW, "latency_bound")
    assert verdict.causes[0].reason.code == "latency_bound"
    assert verdict.causes[0].weight > 0.8
    assert "-b 8" in verdict.next_step.command


def test_slow_large_sizes_are_not_late_calls():
    """Half of the rate is no latency, however late the small sizes are."""
    verdict = verdict_of(np.where(SIZES < LARGE_BYTES, expected_s() + 15e-6, 2 * expected_s()))

    assert verdict.status is Status.LOW
    assert "latency_bound" not in [cause.reason.code for cause in verdict.causes]


@pytest.mark.parametrize(("gpus", "status"), [("8", Status.FINE), ("2", Status.LOW)])
def test_one_thread_starts_its_gpus_one_after_another(gpus, status):
    """By ``-g 8`` seven kernels more are started before the last: 15 us are no defect, by ``-g 2`` they are."""
    verdict = verdict_of(expected_s() + 15e-6, (Observation("gpus_per_thread", gpus, "", 1),))

    assert verdict.status is status


def test_kernels_of_one_thread_excuse_no_lack_of_bandwidth():
    """A slow link stays low however the ranks were started."""
    said = (Observation("gpus_per_thread", "8", "", 1),)

    assert verdict_of(1.5 * expected_s(), said).status is Status.LOW
