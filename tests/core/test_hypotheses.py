"""Causes of slow runs: each defect with its log and without, weights, next tests, and no false alarms."""

from dataclasses import replace

import numpy as np
import pytest

from core.catalog import SYSTEMS
from core.collectives.pricing import Scenario, sweep
from core.measurement import GpuCount, Machine, Matrix, Observation, Run, Sample
from core.systems import configure
from core.verdict import Status, judge_run, judge_runs
from core.verdict.evidence import Evidence
from core.verdict.hypotheses.case import Case
from core.verdict.hypotheses.versions import REGRESSIONS, known_regression
from core.verdict.links import link_rates
from core.verdict.ranks import RankMapping
from tests.core.defects import (
    A100,
    DEFECTS,
    DIRECT,
    FOUR_A100,
    H100,
    SIZES,
    STAGED,
    TWO_H100,
    Defect,
    between,
    scaled,
)
from tests.each import table

GOOD_LINES = (
    DIRECT,
    ("network", "IB"),
    ("nics", " ".join(f"mlx5_{i}:1/IB" for i in range(8))),
    ("channels", "16"),
)
SEEN_IN_THE_CURVE = (
    "1 of 8 NICs",
    "4 of 8 NICs",
    "TCP",
    "no peer access",
    "PCIe, not NVLink",
    "NVLS off",
)


@table("name", DEFECTS)
def test_a_defect_with_its_lines_is_named(name):
    """Curve and lines together name each defect, with the line, its weight and the command that tells."""
    verdict = DEFECTS[name].verdict(np.random.default_rng(1))
    first = verdict.causes[0]

    assert (verdict.status, verdict.reason.code) == (Status.LOW, DEFECTS[name].code)
    assert first.reason.code == DEFECTS[name].code
    assert first.lines
    assert first.test.command
    assert first.test.shows


def test_near_adapters_and_one_node_are_no_signs():
    """A NIC beside a GPU, one node counted on one host, a warning of nothing known: no cause rests on them."""
    usual = (("nic_distance", "PIX NODE"), ("nic_distance", "SYS"), ("nodes", "1"), ("warning", "a typo"))
    defect = Defect("slow_gpu", A100, None, usual, times=scaled(1.6))
    verdict = defect.verdict(np.random.default_rng(8))

    assert not any(cause.lines for cause in verdict.causes)


@pytest.mark.parametrize(("xid", "named"), [("31", False), ("43", False), ("174", False), ("74", True)])
def test_an_error_of_a_program_is_no_fault_of_a_gpu(xid, named):
    """Xid 31 and 43 are memory faults of a program: only those of hardware speak for a slow GPU."""
    lines = (("transport", "P2P"), ("xid", xid))
    verdict = Defect("any", A100, None, lines, times=scaled(2.0)).verdict(np.random.default_rng(11))

    assert any("Xid" in line for cause in verdict.causes for line in cause.lines) == named
    assert (verdict.reason.code == "slow_gpu") == named


@pytest.mark.parametrize("factor", [1.3, 1.35])
def test_the_usual_channels_are_no_cause(factor):
    """Sixteen channels are NCCL's own choice of one node: a slow all-reduce with that line may well lack NVLS."""
    lines = (("transport", "P2P"), ("channels", "16"))
    verdict = Defect("any", H100, None, lines, times=scaled(factor)).verdict(np.random.default_rng(12))

    assert verdict.causes[0].reason.code == "nvls_off"
    assert "few_channels" not in {cause.reason.code for cause in verdict.causes}


def test_interfaces_beside_adapters_are_no_sign_of_tcp():
    """NCCL lists its interfaces also where it then uses RDMA."""
    lines = (DIRECT, ("network", "IB"), ("sockets", "eth0"))
    verdict = Defect("any", TWO_H100, between(20, 30), lines).verdict(np.random.default_rng(9))

    assert "tcp_sockets" not in {cause.reason.code for cause in verdict.causes}


def test_pages_that_move_are_a_candidate_where_rccl_warns_of_them():
    """The warning alone proves nothing: it is listed with its line and its test."""
    warning = "NUMA auto balancing enabled which can lead to variability in the RCCL performance"
    verdict = Defect("any", A100, None, (("warning", warning),), times=scaled(1.6)).verdict(
        np.random.default_rng(10)
    )

    (cause,) = [cause for cause in verdict.causes if cause.reason.code == "numa_balancing"]
    assert "NUMA auto balancing" in cause.lines[0]
    assert "numa_balancing=0" in cause.test.command


def test_nodes_that_nccl_counts_place_ranks_where_no_host_is_named():
    """Eight ranks on two nodes of four are judged over the network, not as a full domain."""
    scenario = Scenario(TWO_H100, "all_reduce", 8, dtype="float")
    samples = tuple(Sample("all_reduce", size, 1e-3 * size / 2**28, "out-of-place", 0) for size in SIZES)
    run = Run("log", "nccl-tests-text", "all_reduce", scenario.ranks, Machine(), samples, dtype="float")
    told = replace(run, observations=(Observation("nodes", "2"), Observation("nodes", "1")))

    assert (judge_run(run, TWO_H100).domains, judge_run(told, TWO_H100).domains) == (1, 2)
    assert judge_run(told, TWO_H100).local_ranks == 4


@pytest.mark.parametrize("name", SEEN_IN_THE_CURVE)
def test_some_defects_show_in_the_curve_alone(name):
    """A log without a line of NCCL still tells these."""
    verdict = DEFECTS[name].verdict(np.random.default_rng(2), lines=False)

    assert verdict.reason.code == DEFECTS[name].code


@pytest.mark.parametrize("name", ["no GPUDirect RDMA", "ACS on", "slot at half its width"])
def test_what_the_curve_cannot_tell_is_among_the_candidates(name):
    """Half of the NICs, half of a slot and copies through the host look alike: all are listed, with their tests."""
    verdict = DEFECTS[name].verdict(np.random.default_rng(3), lines=False)

    assert DEFECTS[name].code in {cause.reason.code for cause in verdict.causes}
    assert len(verdict.causes) <= 3
    assert sum(cause.weight for cause in verdict.causes) <= 1 + 1e-9


def test_a_slow_gpu_without_a_sign_has_no_known_cause():
    """Where neither curve nor lines tell, the verdict says so and names the candidates."""
    verdict = DEFECTS["throttled GPU"].verdict(np.random.default_rng(4), lines=False)

    assert verdict.reason.code == "below_the_band"
    assert "one slow GPU" in verdict.reason.text


@table("system", [TWO_H100, FOUR_A100])
@table("collective", ["all_reduce", "all_gather"])
@table("lines", [GOOD_LINES, (STAGED, ("acs", "on"))])
def test_lines_alone_make_no_run_low(system, collective, lines):
    """A run at its expected rate is fine whatever its log says."""
    defect = Defect("", system, collective=collective, lines=lines, times=scaled(1.0))

    assert defect.verdict(np.random.default_rng(5)).status is Status.FINE


def test_lines_that_speak_against_a_cause_take_its_weight():
    """Half rate with GDRDMA on both sides and all adapters in use is neither GPUDirect nor missing NICs."""
    defect = Defect("pcie_path", FOUR_A100, between(92, 96), GOOD_LINES)
    causes = {cause.reason.code: cause.weight for cause in defect.verdict(np.random.default_rng(6)).causes}

    assert max(causes, key=causes.__getitem__) == "pcie_path"
    assert causes.get("no_gpudirect", 0.0) < 0.1


@pytest.mark.parametrize(
    ("share", "status"),
    [(0.95, Status.FINE), (0.7, Status.FINE), (0.45, Status.LOW)],
    ids=["full", "old", "half"],
)
def test_half_a_nic_is_low_where_the_interval_is_wide(share, status):
    """One EDR NIC for eight GPUs on four nodes: 5.6 of 12.5 GB/s is no healthy rate, 8.8 may be."""
    system = configure(SYSTEMS["dgx-1-v100"], domains=4, network="ib-edr", nics_per_domain=1)
    verdict = Defect("", system, between(12.5 * share, 12.5 * share)).verdict(np.random.default_rng(7))

    assert verdict.status is status


@pytest.mark.parametrize(("env", "status"), [({}, Status.FINE), ({"NCCL_ALGO": "Tree"}, Status.LOW)])
def test_near_the_limit_the_log_decides(env, status):
    """A tenth beyond the interval is not low by itself; with a forced algorithm in the log it is."""
    size = 1 << 30
    expected = sweep(Scenario(A100, "all_reduce", 8, dtype="float"), [size])
    sample = Sample("all_reduce", size, float(expected.high_s[0]) * 1.1, "out-of-place", 0)
    machine = Machine((GpuCount("NVIDIA A100", 8),), ("node0",), env=env)
    run = Run("log", "nccl-tests-text", "all_reduce", 8, machine, (sample,), dtype="float")
    verdict = judge_run(run, A100)

    assert verdict.status is status
    assert verdict.reason.code == ("near_the_limit" if status is Status.FINE else "forced_setting")


@pytest.mark.parametrize(
    ("value", "low"), [("mlx5_0", True), ("mlx5_0,mlx5_1,mlx5_2,mlx5_3,mlx5_4,mlx5_5,mlx5_6,mlx5_7", False), ("mlx5", False), ("^mlx5_8", False)],
)  # fmt: skip
def test_a_list_of_all_adapters_is_no_restriction(value, low):
    """NCCL_IB_HCA restricts where it names fewer adapters than there are NICs."""
    run = replace(
        DEFECTS["ACS on"].run(np.random.default_rng(8), lines=False),
        machine=Machine((GpuCount("NVIDIA A100", 32),), tuple("abcd"), env={"NCCL_IB_HCA": value}),
    )
    lines = [line for cause in judge_run(run, FOUR_A100).causes for line in cause.lines]

    assert (f"NCCL_IB_HCA={value}" in lines) == low


def test_a_topology_counts_for_the_gpus_that_ran():
    """Eight GPUs in bridged pairs: the pair that ran is fine, a third GPU over PCIe is not."""
    names = tuple(f"GPU{index}" for index in range(4))
    paths = (("X", "NV12", "NODE", "NODE"), ("NV12", "X", "NODE", "NODE"), ("NODE", "NODE", "X", "NV12"), ("NODE", "NODE", "NV12", "X"))  # fmt: skip
    matrix = Run(
        "f", "topo-m", None, None, matrices=(Matrix("topo -m", "topology", None, None, names, names, paths),)
    )
    times = sweep(Scenario(A100, "all_reduce", 2, dtype="float"), SIZES).time_s
    samples = tuple(
        Sample("all_reduce", s, float(t), "out-of-place", 0) for s, t in zip(SIZES, times, strict=True)
    )
    machine = Machine((GpuCount("NVIDIA A100", 2),), ("node0",))
    run = Run("f", "nccl-tests-text", "all_reduce", 2, machine, samples, dtype="float")

    pair = replace(run, observations=(Observation("path", "GPU0 GPU1 NV12"),))
    three = replace(
        run, observations=(Observation("path", "GPU0 GPU1 NV12"), Observation("path", "GPU0 GPU2 NODE"))
    )

    assert [verdict.status for verdict in judge_runs([matrix, pair], A100)] == [Status.FINE, Status.FINE]
    assert judge_runs([matrix, three], A100)[0].status is Status.LOW


def test_the_bottleneck_is_said_in_both_conventions():
    """A fine run says which link limits it, unidirectional and bidirectional, and what more bytes would bring."""
    size = 1 << 29
    time_s = float(sweep(Scenario(A100, "all_reduce", 8, dtype="float"), [size]).time_s[0])
    run = Run("log", "nccl-tests-text", "all_reduce", 8, samples=(Sample("all_reduce", size, time_s),))
    text = judge_run(run, A100).bottleneck

    assert "300 GB/s unidirectional per GPU (600 GB/s bidirectional" in text
    assert "NICs" in judge_run(DEFECTS["TCP"].run(np.random.default_rng(9)), TWO_H100).bottleneck


KNOWN_SLOW = {
    "NVLSTree of 2.19 across nodes": (TWO_H100, "2.19.3", (), "NVLSTree"),
    "no tree between A100 nodes": (
        FOUR_A100,
        "2.27.3",
        (("graph", "no path for pattern 1"),),
        "finds no tree",
    ),
    "nvidia-peermem not recognised": (FOUR_A100, "2.22.3", (("gpudirect", "disabled"),), "nvidia-peermem"),
}


@pytest.mark.parametrize("name", KNOWN_SLOW)
def test_a_version_known_to_be_slow_is_named_with_its_source(name):
    """Where NCCL's version and the kind of run fit a known regression, it is said with who tells it."""
    system, version, lines, words = KNOWN_SLOW[name]
    case = case_of(system, version, lines)
    (known,), (other,) = known_regression(case), known_regression(case_of(system, "2.29.2", ()))

    assert words in known.reason.text
    assert "github.com" in known.reason.text
    assert known.lines
    assert known.prior > other.prior
    assert "github.com" not in other.reason.text


@pytest.mark.parametrize(
    ("domains", "version", "named"),
    [(1, "2.28.3+hip7.3", True), (1, "2.28.3-develop", True), (2, "2.28.3", False), (1, "2.27.7", False)],
)
def test_a_version_of_rccl_known_to_be_slow(domains, version, named):
    """RCCL's own versions, with their HIP or as development builds, are known by their threads."""
    (known,) = known_regression(case_of(configure(SYSTEMS["mi300x-x8"], domains=domains), version, ()))

    assert ("rocm-systems" in known.reason.text) == named
    assert known.reason.text.startswith(f"RCCL {version}") == named


@pytest.mark.parametrize(
    ("system", "version", "named"),
    [("dgx-1-v100", "2.27.3", False), ("dgx-a100", "2.27.3", True), ("mi300x-x8", "2.22.3", False)],
)
def test_a_regression_is_of_its_generation_and_library(system, version, named):
    """The tree is missing on A100, not on V100; RCCL's versions are not NCCL's."""
    lines = (("graph", "no path for pattern 1"), ("gpudirect", "disabled"))
    (known,) = known_regression(case_of(configure(SYSTEMS[system], domains=2), version, lines))

    assert ("github.com" in known.reason.text) == named
    assert (known.ln_lines > 3) == named


@pytest.mark.parametrize(("transport", "named"), [("NET/IB", True), ("NET/AWS Libfabric", False)])
def test_peermem_is_asked_for_by_no_plugin_of_another_network(transport, named):
    """Data staged by a libfabric plugin is no sign of how NCCL's own transport looks for nvidia-peermem."""
    lines = (("transport", f"{transport} staged receive"),)
    (known,) = known_regression(case_of(configure(SYSTEMS["dgx-1-v100"], domains=2), "2.4.6", lines))

    assert ("nvidia-peermem" in known.reason.text) == named


def test_a_fallback_of_the_graph_speaks_for_the_tree_alone():
    """A line on the search for a tree is no sign of another regression that the version fits."""
    (known,) = known_regression(case_of(TWO_H100, "2.19.3", (("graph", "no path for pattern 1"),)))

    assert "NVLSTree" in known.reason.text
    assert known.lines == ("NCCL version 2.19.3",)


@pytest.mark.parametrize("item", REGRESSIONS, ids=lambda item: item.source)
def test_every_known_regression_ends_and_names_its_thread(item):
    """An entry is slow from a version up to a later one, as a thread tells."""
    assert item.first < item.fixed
    assert item.source.startswith("github.com/")


def case_of(system, version, lines):
    """A run at a third of its rate, with NCCL's version and lines."""
    scenario = Scenario(system, "all_reduce", system.gpus, dtype="float")
    expected = sweep(scenario, SIZES).time_s
    said = tuple(Observation(kind, value, "node1", 7) for kind, value in lines)
    local, domains = system.domain_gpus, system.domains
    return Case(
        scenario,
        RankMapping(system, local, domains),
        link_rates(system, local, domains),
        Evidence(said, {}, version),
        np.array(SIZES, dtype=float),
        3 * expected,
        expected,
        0.1,
    )


@pytest.mark.parametrize("value", ["", " ", "0", "\u00b2", "9" * 400, "-1", "GPU0"])
def test_no_value_of_a_line_breaks_a_verdict(value):
    """Whatever a stored line or setting holds, the verdict is there; a count that is none counts nothing."""
    kinds = (
        "path",
        "nodes",
        "channels",
        "nic_count",
        "nics",
        "nic_state",
        "nic_rate",
        "network",
        "transport",
    )
    settings = dict.fromkeys(("NCCL_MAX_NCHANNELS", "NCCL_MAX_CTAS", "NCCL_IB_HCA"), value)
    lines = tuple(Observation(kind, value) for kind in kinds)
    for name in ("PCIe, not NVLink", "1 of 8 NICs"):
        run = DEFECTS[name].run(np.random.default_rng(1), lines=False)
        for machine in (run.machine, replace(run.machine, env=settings, nccl=f"2.{value}")):
            told = replace(run, observations=lines, machine=machine)
            verdict = judge_run(told, DEFECTS[name].system)
            assert verdict.status is Status.LOW
            assert "split_node" not in {cause.reason.code for cause in verdict.causes}
