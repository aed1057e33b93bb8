"""Which system a log describes: by its GPUs, hosts, adapters, matrices, instance type and wiring."""

from dataclasses import replace

import pytest

from core.catalog import SYSTEMS
from core.hardware import Topology
from core.measurement import GpuCount, Machine, Matrix, Observation, Run, Sample
from core.systems import scale_up_path
from core.verdict import Status, judge_runs
from core.verdict.log_gpu import gpu_id
from core.verdict.recognition import system_of, system_of_file
from core.verdict.wiring import as_wired, direct_links
from tests.each import table


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


@table(
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


@table(
    ("name", "gpu"),
    [
        ("NVIDIA H100 NVL", "h100-nvl"),
        ("NVIDIA H100 PCIe", "h100-pcie"),
        ("NVIDIA H100 80GB HBM3", "h100-sxm"),
        ("NVIDIA H200", "h200-sxm"),
        ("NVIDIA H200 NVL", None),
        ("Tesla V100-PCIE-32GB", None),
        ("Tesla V100-FHHL-16GB", None),
        ("Tesla V100-SXM2-32GB", "v100-sxm"),
        ("Tesla P100-PCIE-16GB", None),
        ("NVIDIA H800 PCIe", None),
        ("NVIDIA A800 80GB PCIe", None),
        ("NVIDIA A800-SXM4-80GB", "a800-sxm"),
        ("NVIDIA A100-PCIE-40GB", "a100-pcie-40gb"),
        ("NVIDIA A100 80GB PCIe", "a100-pcie-80gb"),
        ("NVIDIA A100-SXM4-80GB", "a100-sxm-80gb"),
        ("NVIDIA RTX PRO 5000 Blackwell", None),
        ("NVIDIA RTX PRO 6000 Blackwell Server Edition", "rtx-pro-6000-server"),
        ("Quadro RTX 6000", None),
        ("NVIDIA RTX 6000 Ada Generation", "rtx-6000-ada"),
        ("NVIDIA GeForce RTX 5070", None),
        ("NVIDIA GeForce RTX 5070 Ti", "rtx-5070-ti"),
        ("NVIDIA GeForce RTX 4090 Laptop GPU", None),
        ("NVIDIA GeForce RTX 4090", "rtx-4090"),
    ],
)
def test_a_card_is_no_module(name, gpu):
    """Another form, number or suffix is another product: where the catalog lacks it, nothing is recognised."""
    assert gpu_id(a_run(name, 8)) == gpu


H100, A100, L40S = "NVIDIA H100 80GB HBM3", "NVIDIA A100-SXM4-80GB", "NVIDIA L40S"
TWO_PORTS = [("nics", "mlx5_0:1/IB mlx5_1:1/IB"), ("nic_rate", "mlx5_0 200")]


@table(
    ("run", "system", "network", "nics"),
    [
        (a_run(L40S, 8, 1, TWO_PORTS), "l40s-x8", None, 0),
        (a_run(L40S, 16, 2, TWO_PORTS), "8-l40s", "ib-hdr", 2),
        (a_run("NVIDIA A100 80GB PCIe", 4, 1, TWO_PORTS), "a100-pcie-x8", None, 0),
        (a_run(A100, 2), "dgx-a100", "ib-hdr", 8),
        (a_run(A100, 3), "dgx-a100", "ib-hdr", 8),
        (a_run(A100, 4), "hgx-a100-x4", "ib-hdr", 4),
        (a_run(A100, 8, 2, TWO_PORTS), "hgx-a100-x4", "ib-hdr", 2),
        (a_run(H100, 16, 2, [("instance", "p4d.24xlarge")]), "dgx-h100", "ib-ndr", 8),
        (a_run(H100, 16, 2, [("instance", "p4d.24xlarge"), ("instance", "p5.48xlarge")]), "dgx-h100", "efa-3200", 32),
        (a_run("", 16, 2, [("instance", "p5e.48xlarge")]), "dgx-h200", "efa-3200", 32),
        (a_run("", 16, 2, [("instance", "a4-highgpu-8g")]), "dgx-b200", "roce-400", 8),
        (a_run("", 16, 2, [("instance", "BM.GPU.A100-v2.8")]), "dgx-a100", "roce-200", 8),
        (a_run(H100, 16, 2, [("provider", "efa"), ("nic_count", "32")]), "dgx-h100", "efa-3200", 32),
        (a_run(A100, 16, 2, [("provider", "efa"), ("nic_count", "4")]), "dgx-a100", "efa-400", 4),
        (a_run(A100, 8, 2, [("provider", "cxi"), ("nic_count", "4")]), "hgx-a100-x4", "slingshot-200", 4),
        (a_run(H100, 16, 2, [("network", "GPUDirectTCPX_v7")]), "dgx-h100", "tcpx-100", 8),
        (a_run(H100, 16, 2, [("network", "FasTrak")]), "dgx-h100", "tcpxo-200", 8),
        (a_run(A100, 16, 2, [("nics", "mlx5_0:1/RoCE")]), "dgx-a100", "roce-200", 8),
        (a_run(L40S, 16, 2, [("nics", "mlx5_0:1/RoCE")]), "8-l40s", "roce-200", 1),
        (a_run("NVIDIA GeForce RTX 3090", 8), "8-rtx-3090", None, 0),
        (a_run(A100, 16, 1, [("devices", "16")]), "16-a100-80gb-sxm4", None, 0),
        (a_run(A100, 16, 1, [("devices", "8")]), "dgx-a100", "ib-hdr", 8),
    ],
)  # fmt: skip
def test_what_the_log_names_is_taken_and_nothing_invented(run, system, network, nics):
    """Networks and NICs as the lines say; a part of a domain, cards and a large host stay what they are."""
    match = system_of(run).system

    assert (match.id, match.network, match.nics_per_domain) == (system, network, nics)


@pytest.mark.parametrize(
    ("run", "said"),
    [
        (a_run(A100, 8, 2), "4 × InfiniBand HDR 4x, NICs assumed: the log does not name the network"),
        (a_run(H100, 16, 2, [("nics", "mlx5_0:1/RoCE")]), "the log does not tell the rate of the NICs"),
        (a_run(H100, 16, 2, [("nic_rate", "mlx5_0 400")]), "whether they are InfiniBand or RoCE"),
        (a_run(H100, 15, 2), "2 × 8 GPUs, taken as DGX H100"),
        (a_run(H100, 15, 2), "ranks are not the same on all hosts"),
        (a_run(H100, 16, 2, [("provider", "psm2")]), "a network of kind psm2, not in the catalog"),
    ],
)
def test_what_was_assumed_is_told(run, said):
    """The remark says which part of the system no line names."""
    assert said in system_of(run).remark


def test_several_instance_types_that_differ_decide_nothing():
    """Where no GPU tells which one ran, two instance types are none."""
    run = a_run("", 16, 2, [("instance", "p4d.24xlarge"), ("instance", "p5.48xlarge")])

    assert system_of(run).system is None


def test_assumed_nics_are_not_reported_missing():
    """Rates of half as many NICs as were assumed say nothing of NICs; as many as the log names are all there are."""
    samples = tuple(Sample("all_reduce", size, 1.75 * size / 45e9) for size in (1 << 28, 1 << 29, 1 << 30))
    verdicts = []
    for lines in ([], TWO_PORTS):
        run = replace(a_run(A100, 8, 2, lines), samples=samples)
        verdicts += judge_runs([run], system_of(run).system)

    assert all("fewer_nics" not in {cause.reason.code for cause in verdict.causes} for verdict in verdicts)
    assert verdicts[1].status == Status.FINE
