"""Verdicts on captured logs whose truth is known from reading them."""

from pathlib import Path

import pytest

from core.catalog import SYSTEMS
from core.systems import configure
from core.verdict import Status, judge_run
from gpu_probe.parsers import read

LOGS = Path(__file__).parents[3] / "shared/data/logs"

pytestmark = pytest.mark.skipif(not LOGS.is_dir(), reason="the captured logs are not beside this checkout")


def verdicts(name, system, **fabric):
    machine = configure(SYSTEMS[system], **fabric) if fabric else SYSTEMS[system]
    return [judge_run(run, machine) for run in read(name, (LOGS / name).read_bytes())]


@pytest.mark.parametrize(
    ("name", "system"),
    [
        ("nccl_deepops_dgxa100_2node_old_error_col.txt", "dgx-a100"),
        ("nccl_xxrjun_c01_multi-node_nccl_N10_G1.log", "dgx-h100"),
        ("p2p_stas00_a100_partial.txt", "dgx-a100"),
        ("p2p_stas00_x4_partial.txt", "gb200-nvl72"),
        ("nvlink_s_a100_8gpu.txt", "dgx-a100"),
        ("topo_h100_nv18_9nic_tabs_truncated_issue1453.txt", "dgx-h100"),
    ],
)
def test_healthy_machines_pass(name, system):
    """Machines that their owners show as good are fine, or better than expected."""
    assert verdicts(name, system)[0].status in (Status.FINE, Status.HIGH)


def test_one_nic_of_four_is_found():
    """Four GPUs of each of two nodes could use four NICs and share one."""
    verdict = verdicts("nccl_xxrjun_c00_pairwise_nccl_N2_G4_cnode2-001_cnode2-002.log", "dgx-h100")[0]

    assert (verdict.status, verdict.reason.code) == (Status.LOW, "fewer_nics")
    assert "1 of 4 NICs" in verdict.reason.text


def test_two_nics_of_a_node_that_has_no_more_are_found():
    """Held against four NICs for four GPUs, nodes with half of that rate show it."""
    (verdict,) = verdicts("nccl_odissei_2nodes_all_gather_mpi.log", "dgx-h100")

    assert (verdict.status, verdict.reason.code) == (Status.LOW, "fewer_nics")
    assert "2 of 4 NICs" in verdict.reason.text


def test_wrong_results_of_a_real_run():
    """The 64-rank GH200 run has a size with thousands of wrong values."""
    (verdict,) = verdicts("nccl_alps_gh200_n64.out", "dgx-gh200-256")

    assert (verdict.status, verdict.reason.code) == (Status.WRONG, "wrong_results")


def test_a_log_of_a_faster_machine_is_impossible_on_a_slower_one():
    """H100 nodes with 3200 Gb/s cannot be A100 nodes with 1600."""
    (verdict,) = verdicts("nccl_p5_2node_nccl-test-output-v2.22.3-1.log", "dgx-a100")

    assert verdict.status is Status.IMPOSSIBLE
    assert any("the log says NVIDIA H100" in text for text in verdict.warnings)


@pytest.mark.parametrize(
    ("name", "system", "code"),
    [
        ("p2p_p100_p2p.txt", "dgx-1-p100", "pcie_instead_of_nvlink"),
        ("topo_rtx6k_asus_1.txt", "dgx-h100", "pcie_instead_of_nvlink"),
    ],
)
def test_pcie_is_told_from_nvlink(name, system, code):
    """PCIe machines held against NVLink ones are low for that reason."""
    (verdict,) = verdicts(name, system)

    assert (verdict.status, verdict.reason.code) == (Status.LOW, code)


def test_no_log_breaks_the_verdict():
    """Every readable log gets a verdict on every kind of machine, with a reason in one line."""
    for path in sorted(LOGS.iterdir()):
        try:
            runs = read(path.name, path.read_bytes())
        except ValueError:
            continue
        for system in ("dgx-h100", "dgx-1-v100", "rtx-4090-x8", "gb200-nvl72", "mi300x-x8"):
            verdict = judge_run(runs[0], SYSTEMS[system])
            assert verdict.reason.text, path.name
            assert "\n" not in verdict.reason.text, path.name
