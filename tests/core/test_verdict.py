"""Is my number OK? The verdict on made-up runs whose truth is known."""

import statistics
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalog import SYSTEMS
from core.collectives.pricing import Scenario, sweep
from core.measurement import GpuCount, Machine, Notice, Run, Sample
from core.systems import configure
from core.units import KIB, MIB
from core.verdict import Status, judge_run
from tests.each import table

SIZES = tuple(int(4 * KIB * 4**i) for i in range(10))
H100 = SYSTEMS["dgx-h100"]
TWO = configure(H100, domains=2)


def expected(system, collective="all_reduce", ranks=8, sizes=SIZES, **question):
    return sweep(Scenario(system, collective, ranks, dtype="float", **question), sizes).time_s


def a_run(
    times, *, collective="all_reduce", ranks=8, sizes=SIZES, wrong=None, hosts=1, env=None, gpu="NVIDIA H100"
):
    samples = tuple(
        Sample(collective, size, float(time), "out-of-place", (wrong or {}).get(size, 0))
        for size, time in zip(sizes, times, strict=True)
    )
    machine = Machine((GpuCount(gpu, ranks),), tuple(f"node{i}" for i in range(hosts)), env=env or {})
    return Run("log", "nccl-tests-text", collective, ranks, machine, samples, dtype="float")


def words(verdict):
    return [item.status for item in verdict.sizes]


@table("collective", ["all_reduce", "all_gather", "reduce_scatter", "all_to_all"])
@table(("system", "ranks"), [("dgx-h100", 8), ("dgx-a100", 4), ("rtx-4090-x8", 8), ("mi300x-x8", 8)])
def test_what_the_model_expects_is_fine(system, ranks, collective):
    """A run that does exactly what is expected of its machine is fine at every size."""
    machine = SYSTEMS[system]
    run = a_run(
        expected(machine, collective, ranks), collective=collective, ranks=ranks, gpu=machine.gpu.name
    )
    verdict = judge_run(run, machine)

    assert verdict.status is Status.FINE
    assert set(words(verdict)) == {Status.FINE}


def test_four_times_slower_is_low():
    """Everything at four times the expected time is low, and says that no cause fits or latency decides."""
    verdict = judge_run(a_run(4 * expected(H100)), H100)

    assert verdict.status is Status.LOW
    assert set(words(verdict)) == {Status.LOW}


def test_faster_than_the_wire_is_impossible():
    """A gigabyte that would need more than the wire's rate is no measurement of this machine."""
    verdict = judge_run(a_run(expected(H100) / 4), H100)

    assert verdict.status is Status.IMPOSSIBLE
    assert verdict.reason.code == "faster_than_the_wire"
    assert words(verdict)[-1] is Status.IMPOSSIBLE


def test_a_wrong_result_is_wrong_however_fast():
    """One size with wrong values makes the run wrong."""
    verdict = judge_run(a_run(expected(H100), wrong={SIZES[3]: 17}), H100)

    assert verdict.status is Status.WRONG
    assert words(verdict)[3] is Status.WRONG
    assert "17 wrong values" in verdict.reason.text


def test_a_failed_check_of_the_tool_is_wrong():
    """Old tests print no count of wrong values, only that their check failed at the end."""
    run = replace(
        a_run(expected(H100)), warnings=(Notice("out_of_bounds", "Out of bounds values : 3 FAILED"),)
    )

    assert judge_run(run, H100).status is Status.WRONG


def test_above_one_hundred_percent_of_the_wire_is_explained():
    """480 GB/s of bus bandwidth on a 450 GB/s wire is right, and the verdict says why: in-network reduction."""
    sizes = (8 << 30,)
    verdict = judge_run(a_run([sizes[0] / 480e9 * 1.75], sizes=sizes), H100)

    assert verdict.status is Status.FINE
    assert verdict.sizes[0].reason.code == "nvls_above_wire"
    assert "107 %" in verdict.sizes[0].reason.text
    assert "NVLS" in verdict.reason.text


def test_without_in_network_reduction_the_same_is_impossible():
    """On A100 nothing adds in the switch: above the wire cannot be."""
    sizes = (8 << 30,)
    verdict = judge_run(a_run([sizes[0] / 320e9 * 1.75], sizes=sizes, gpu="NVIDIA A100"), SYSTEMS["dgx-a100"])

    assert verdict.status is Status.IMPOSSIBLE


@pytest.mark.parametrize("nics", [1, 2, 4])
def test_missing_nics_are_counted(nics):
    """Two nodes with 1, 2 or 4 of their 8 NICs: the large sizes tell how many worked."""
    slow = expected(configure(H100, domains=2, nics_per_domain=nics), ranks=16, collective="all_gather")
    verdict = judge_run(a_run(slow, ranks=16, hosts=2, collective="all_gather"), TWO)

    assert verdict.status is Status.LOW
    assert verdict.reason.code == "fewer_nics"
    assert f"as if {nics} of 8 NICs" in verdict.reason.text


@pytest.mark.parametrize(
    ("busbw", "text"),
    [(46e9, "as if 1 of 8"), (94e9, "1 (by a tree) to 2 (by rings) of 8"), (200e9, "to 4 (by rings) of 8")],
)
def test_missing_nics_are_counted_where_a_tree_may_double_them(busbw, text):
    """Two nodes' all-reduce at the rate of k NICs in rings: both readings are said, also 1 of 8."""
    usual = expected(TWO, ranks=16)
    times = [max(time, size * 1.875 / busbw) for time, size in zip(usual, SIZES, strict=True)]
    verdict = judge_run(a_run(times, ranks=16, hosts=2), TWO)

    assert (verdict.status, verdict.reason.code) == (Status.LOW, "fewer_nics")
    assert text in verdict.reason.text


@pytest.mark.parametrize(("collective", "tree"), [("all_reduce", True), ("all_gather", False)])
def test_only_an_all_reduce_is_carried_by_halves_of_a_tree(collective, tree):
    """Above all NICs between two domains a tree explains an all-reduce; no all-gather runs on one."""
    times = [size * (2 if tree else 1) * 15 / 16 / 500e9 + 20e-6 for size in SIZES]
    verdict = judge_run(a_run(times, collective=collective, ranks=16, hosts=2), TWO)
    codes = {size.reason.code for size in verdict.sizes}

    assert ("two_domains_share" in codes) == tree
    assert any(size.status is Status.HIGH for size in verdict.sizes)
    assert Status.IMPOSSIBLE not in {size.status for size in verdict.sizes}


def test_rings_on_a_machine_with_in_network_reduction_are_named():
    """All-reduce at the rate of rings, though the switches could add, is said to lack NVLS."""
    rings = expected(H100, algorithm="ring")
    times = np.maximum(rings, expected(H100))

    assert judge_run(a_run(times), H100).reason.code == "nvls_off"


def test_twice_as_slow_throughout_is_no_matter_of_latency():
    """A machine slow at small and large sizes alike is not called latency-bound as a whole."""
    verdict = judge_run(a_run(2 * expected(H100)), H100)

    assert (verdict.status, verdict.reason.code) == (Status.LOW, "below_the_band")


@table(
    ("late_s", "system", "told"),
    [
        (3e-3, "dgx-h100", "share a core or a GPU"),
        (4e-4, "dgx-h100", "latency-bound"),
        (3e-3, "two", "latency-bound"),
        (3e-2, "two", "timers of lost packets"),
    ],
)
def test_milliseconds_of_a_small_message(late_s, system, told):
    """Inside a host small messages take no milliseconds: their ranks wait; across hosts timers take tens."""
    machine, ranks = (TWO, 16) if system == "two" else (SYSTEMS[system], 8)
    sizes = (4096, 16384, 65536)
    run = a_run(
        expected(machine, ranks=ranks, sizes=sizes) + late_s, sizes=sizes, ranks=ranks, hosts=ranks // 8
    )
    verdict = judge_run(run, machine)

    assert verdict.status is Status.LOW
    assert told in f"{verdict.reason.text} {verdict.reason.short}"


@pytest.mark.parametrize(
    ("busbw", "code"), [(45e9, "pcie_instead_of_nvlink"), (12e9, "staged_copies")], ids=["PCIe", "staged"]
)
def test_another_path_than_nvlink_is_named(busbw, code):
    """Inside a node, the rate of a PCIe slot or of half of one tells the path."""
    times = [max(3e-5, size * 1.75 / busbw) for size in SIZES]
    verdict = judge_run(a_run(times), H100)

    assert verdict.status is Status.LOW
    assert verdict.reason.code == code


def test_a_setting_in_the_log_is_the_first_suspect():
    """Peer access switched off by hand needs no guess."""
    times = [max(3e-5, size * 1.75 / 12e9) for size in SIZES]
    verdict = judge_run(a_run(times, env={"NCCL_P2P_DISABLE": "1"}), H100)

    assert verdict.reason.code == "peer_access_off"


def test_a_cold_first_size_fails_no_gate():
    """The first size of a sweep may be warming up."""
    times = expected(H100)
    times[0] *= 10
    verdict = judge_run(a_run(times), H100)

    assert verdict.status is Status.FINE
    assert verdict.sizes[0].reason.code == "cold"


def test_one_disturbed_size_fails_no_gate():
    """One slow size among calm neighbours is an outlier."""
    times = expected(H100)
    times[5] *= 6
    verdict = judge_run(a_run(times), H100)

    assert verdict.status is Status.FINE
    assert (verdict.sizes[5].status, verdict.sizes[5].reason.code) == (Status.LOW, "outlier")


def test_slow_small_messages_are_latency_bound():
    """Small sizes at three times their usual time are latency, not bandwidth."""
    times = expected(H100)
    times[:4] *= 4
    verdict = judge_run(a_run(times), H100)

    assert verdict.status is Status.LOW
    assert verdict.reason.code == "latency_bound"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"collective": None}, "collective_unknown"),
        ({"collective": "hypercube"}, "collective_unpriced"),
        ({"ranks": None}, "ranks_unknown"),
        ({"ranks": 1}, "one_rank"),
        ({"samples": ()}, "nothing_expected"),
    ],
)
def test_what_cannot_be_judged_says_why(change, code):
    """Without collective, ranks or samples there is no verdict, and a reason."""
    run = a_run(expected(H100))
    if "collective" in change:
        run = replace(run, samples=tuple(replace(s, operation=change["collective"]) for s in run.samples))
    verdict = judge_run(replace(run, **change), H100)

    assert (verdict.status, verdict.reason.code) == (Status.UNKNOWN, code) or (
        code == "collective_unpriced" and verdict.status is Status.UNKNOWN
    )


def test_ranks_that_do_not_fit_are_said():
    """Nine GPUs of a machine without a network are unknown, with the reason."""
    verdict = judge_run(a_run(expected(H100), ranks=9), SYSTEMS["rtx-4090-x8"])

    assert (verdict.status, verdict.reason.code) == (Status.UNKNOWN, "does_not_fit")


def test_another_gpu_in_the_log_is_remarked():
    """An H100 log held against an A100 machine is impossible because it is another GPU, and says so."""
    verdict = judge_run(a_run(expected(H100)), SYSTEMS["dgx-a100"])

    assert any("the log says NVIDIA H100" in text for text in verdict.warnings)
    assert (verdict.status, verdict.reason.code) == (Status.IMPOSSIBLE, "another_gpu")


def test_another_gpu_is_never_fine():
    """Times that fit by accident say nothing of a machine with another GPU."""
    verdict = judge_run(a_run(expected(H100), gpu="NVIDIA A100-SXM4-80GB"), H100)

    assert (verdict.status, verdict.reason.code) == (Status.UNKNOWN, "another_gpu")


@table(
    ("gpu", "system"),
    [
        ("NVIDIA H100 80GB HBM3", "dgx-h100"),
        ("Tesla V100-SXM2-16GB", "dgx-1-v100"),
        ("NVIDIA GeForce RTX 4090", "rtx-4090-x8"),
        ("NVIDIA RTX PRO 6000 Blackwell Server Edition", "rtx-pro-6000-x8"),
        ("AMD Instinct MI300X VF", "mi300x-x8"),
        ("NVIDIA GH200 480GB", "dgx-gh200-256"),
        ("NVIDIA B200", "dgx-b200"),
        ("NVIDIA Graphics Device", "dgx-b300"),
        ("", "dgx-h100"),
    ],
)
def test_drivers_names_of_the_same_gpu(gpu, system):
    """What drivers call a GPU is recognised; a name without a model is no other GPU."""
    verdict = judge_run(a_run([1e-3] * 10, gpu=gpu), SYSTEMS[system])

    assert not any("the log says" in text for text in verdict.warnings)


def test_hosts_tell_how_ranks_sit():
    """Eight ranks on two hosts are two domains of four, not one of eight."""
    verdict = judge_run(a_run(expected(TWO, ranks=8, per_domain=4), hosts=2), H100)

    assert (verdict.local_ranks, verdict.domains, verdict.status) == (4, 2, Status.FINE)


@given(factor=st.floats(1.0, 20.0), at=st.integers(0, len(SIZES) - 1))
def test_slower_is_never_better(factor, at):
    """Slowing one size down never turns it from low to fine, nor from fine to high."""
    order = [Status.IMPOSSIBLE, Status.HIGH, Status.FINE, Status.LOW]
    times = expected(H100) * 0.9
    before = words(judge_run(a_run(times), H100))[at]
    times[at] *= factor
    after = words(judge_run(a_run(times), H100))[at]

    assert order.index(after) >= order.index(before)


def test_memory_copies_count_read_and_written():
    """A copy inside the GPU moves each byte twice."""
    size = int(1024 * MIB)
    good = Sample("hbm_copy", size, 2 * size / 2.8e12, detail="GPU0")
    run = Run("run.json", "wirespeed-run", None, None, samples=(good,))

    assert judge_run(run, H100).status is Status.FINE
    assert (
        judge_run(replace(run, samples=(replace(good, time_s=good.time_s * 3),)), H100).status is Status.LOW
    )


def test_many_samples_are_judged_in_line():
    """Fifty thousand rows are judged in seconds, not hours."""
    sizes = tuple(int(x) for x in np.geomspace(1e3, 1e9, 50_000))
    verdict = judge_run(a_run(expected(H100, sizes=sizes), sizes=sizes), H100)

    assert statistics.mode(words(verdict)) is Status.FINE


def test_the_slot_decides_on_pcie_not_the_card():
    """An A6000's log held against L40S cards of the same slot is judged, with a remark; on NVLink it is not."""
    cards = SYSTEMS["l40s-x8"]
    run = a_run(expected(cards), gpu="NVIDIA RTX A6000")
    verdict = judge_run(run, cards)

    assert verdict.status is Status.FINE
    assert any("the log says NVIDIA RTX A6000" in text for text in verdict.warnings)
    assert judge_run(a_run(expected(H100), gpu="NVIDIA RTX A6000"), H100).status is Status.UNKNOWN


def test_a_card_is_told_from_a_module_of_the_same_gpu():
    """An H100 NVL's log held against H100 SXM has a remark."""
    verdict = judge_run(a_run(expected(H100), gpu="NVIDIA H100 NVL"), H100)

    assert any("NVIDIA H100 NVL" in text for text in verdict.warnings)


def test_cards_that_copy_directly_are_no_odd_rate():
    """Boards whose driver copies through host memory may have a modified one: faster than their band is fine."""
    sizes = (1 << 30,)
    run = a_run([sizes[0] / 26e9 * 1.75], sizes=sizes, gpu="NVIDIA GeForce RTX 4090")
    verdict = judge_run(run, SYSTEMS["rtx-4090-x8"])

    assert verdict.status is Status.FINE
    assert verdict.sizes[0].reason.code == "direct_copies"
    assert "direct copies" in verdict.reason.text


def test_fast_small_messages_are_fine():
    """Latencies below those of calibrated machines are no reason for doubt; rates above theirs are."""
    small, middle = (64, 512, 4096), (2 * MIB, 4 * MIB, 8 * MIB)
    fast = judge_run(a_run(0.2 * expected(H100, sizes=small), sizes=small), H100)
    faster = judge_run(a_run(0.6 * expected(H100, sizes=middle), sizes=middle), H100)

    assert (fast.status, fast.reason.code) == (Status.FINE, "better_than_expected")
    assert faster.status is Status.HIGH


def test_a_long_sweep_too_fast_at_all_large_sizes_is_not_fine():
    """Nine large sizes beyond the fast end are high although twenty-two small ones are as expected."""
    sizes = tuple(8 * 2**i for i in range(31))
    system = configure(SYSTEMS["dgx-a100"], domains=4)
    times = expected(system, ranks=32, sizes=sizes)
    sound = judge_run(a_run(times, ranks=32, sizes=sizes, hosts=4, gpu=system.gpu.name), system)
    large = np.array(sizes) >= 32 * MIB
    fast = np.where(large, [item.low_s / 1.3 for item in sound.sizes], times)

    verdict = judge_run(a_run(fast, ranks=32, sizes=sizes, hosts=4, gpu=system.gpu.name), system)

    assert sound.status is Status.FINE
    assert verdict.status is Status.HIGH
