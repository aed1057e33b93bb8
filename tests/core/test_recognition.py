"""Which system a log describes: by its GPUs, hosts, adapters, matrices, instance type and wiring."""

import pytest

from core.catalog import SYSTEMS
from core.hardware import Topology
from core.measurement import GpuCount, Machine, Matrix, Observation, Run
from core.systems import scale_up_path
from core.verdict import Status, judge_runs
from core.verdict.recognition import system_of, system_of_file
from core.verdict.wiring import as_wired, direct_links


def a_run(gpu, ranks, hosts=1, said=(), matrices=()):
    """A log of so many GPUs on so many hosts, and what its lines say."""
    gpus = (GpuCount(gpu, ranks),) if gpu else ()
    machine = Machine(gpus, tuple(f"node{index}" for index in range(hosts)))
    observations = tuple(Observation(kind, value) for kind, value in said)
    listed = None if matrices else ranks
    return Run(
        "log", "nccl-tests-text", "all_reduce", listed, machine, observations=observations, matrices=matrices
    )


def copies(gpus, rate):
    """A matrix of copies between so many GPUs."""
    names = tuple(str(index) for index in range(gpus))
    rows = tuple(tuple(None if row == column else rate for column in range(gpus)) for row in range(gpus))
    return Matrix(
        "Bidirectional P2P=Enabled Bandwidth Matrix", "bandwidth", "both_ways", True, names, names, rows
    )


def topology(cell, gpus=4):
    """``topo -m`` of GPUs that are all joined alike."""
    names = tuple(f"GPU{index}" for index in range(gpus))
    rows = tuple(tuple("X" if row == column else cell for column in range(gpus)) for row in range(gpus))
    return Matrix("topo -m", "topology", None, None, names, names, rows)


@pytest.mark.parametrize(
    ("run", "system", "network"),
    [
        (a_run("NVIDIA H100 80GB HBM3", 8), "dgx-h100", "ib-ndr"),
        (a_run("NVIDIA A100-SXM4-40GB", 16, 2), "dgx-a100", "ib-hdr"),
        (a_run("NVIDIA GB200", 72, 18), "gb200-nvl72", "ib-ndr"),
        (a_run("NVIDIA H100 80GB HBM3", 16, 2, [("nics", "mlx5_0:1/RoCE")]), "dgx-h100", "roce-400"),
        (a_run("NVIDIA A100-SXM4-80GB", 16, 2, [("nics", "mlx5_0:1/IB"), ("nic_rate", "mlx5_0 100")]), "dgx-a100", "ib-edr"),
        (a_run("NVIDIA A100-SXM4-40GB", 16, 2, [("instance", "p4d.24xlarge")]), "dgx-a100", "efa-400"),
        (a_run("", 16, 2, [("instance", "ND96isr_H100_v5")]), "dgx-h100", "ib-ndr"),
        (a_run("NVIDIA H100 80GB HBM3", 8, matrices=(copies(8, 745e9),)), "dgx-h100", "ib-ndr"),
    ],
)  # fmt: skip
def test_a_log_tells_its_system(run, system, network):
    """GPUs and hosts tell the machine; adapters, rates and instance types its network."""
    match = system_of(run).system

    assert (match.id, match.network) == (system, network)


def test_a_log_without_gpus_tells_none():
    """A table alone is of any machine; of a file the run with most ranks decides."""
    table = a_run("", 8)

    assert system_of(table).system is None
    assert "names no GPU" in system_of_file([table]).remark
    assert system_of_file([table, a_run("NVIDIA H100 80GB HBM3", 4)]).system.id == "dgx-h100"


def test_gpus_wired_directly_are_no_defect():
    """Six links to each of three peers are all eighteen of an H100, and half of 300 GB/s each way is their rate."""
    runs = [
        a_run("NVIDIA H100 80GB HBM3", 4, matrices=(topology("NV6"),)),
        a_run("NVIDIA H100 80GB HBM3", 4, matrices=(copies(4, 260e9),)),
    ]
    wired = as_wired(SYSTEMS["dgx-h100"], runs)

    assert wired.scale_up.topology is Topology.FULL_MESH
    assert scale_up_path(wired, 2).bytes_per_s == pytest.approx(150e9)
    assert [verdict.status for verdict in judge_runs(runs, SYSTEMS["dgx-h100"])] == [Status.FINE] * 2


@pytest.mark.parametrize("cell", ["NV5", "NV18", "PHB", "NV"])
def test_other_wirings_leave_the_system(cell):
    """Links that are missing, switches and PCIe are not taken for direct wiring."""
    run = a_run("NVIDIA H100 80GB HBM3", 4, matrices=(topology(cell),))

    assert as_wired(SYSTEMS["dgx-h100"], [run]) is SYSTEMS["dgx-h100"]
    assert direct_links(topology("NV6", gpus=2)) == (2, 0)
