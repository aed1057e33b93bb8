"""What lines beside the measurement say: every kind of line, in a log that the test writes."""

import json

import pytest

from core.measurement.run_json import from_json, to_json
from gpu_probe.parsers import read
from tests.each import table
from tests.gpu_probe.formats import nccl_tests, text, topology

SAID = "hosta:101:201 [0] NCCL INFO "


def observed(*lines, where=3):
    """Kinds and values of the observations of a log with these lines among its own."""
    log = nccl_tests()
    at = where if where >= 0 else len(log) - 2
    (run,) = read("log", text([*log[:at], *lines, *log[at:]]))
    return {(item.kind, item.value) for item in run.observations}


@table(
    ("line", "kind", "value"),
    [
        (f"{SAID}NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_bond_0:1/RoCE [RO]; OOB eno1:<0>", "nics", "mlx5_0:1/IB mlx5_bond_0:1/RoCE"),
        (f"{SAID}NET/IB : Using [0]={{[0] mlx5_0:1/RoCE, [1] mlx5_1:1/RoCE}} [1]={{[2] mlx5_2:1/RoCE, [3] mlx5_3:1/RoCE}} [RO]; OOB eno1:<0>", "nics", "mlx5_0:1/RoCE mlx5_1:1/RoCE mlx5_2:1/RoCE mlx5_3:1/RoCE"),
        (f"{SAID}NET/IB : Using [0]mlx5_0+mlx5_1:1/RoCE [1]mlx5_2:1/RoCE ; OOB eno1:<0>", "nics", "mlx5_0:1/RoCE mlx5_1:1/RoCE mlx5_2:1/RoCE"),
        (f"{SAID}NET/IB : No device found.", "no_adapter", "no RDMA device"),
        (f"{SAID}NET/IB: [0] mlx5_0:uverbs0:1/IB provider=Mlx5 speed=200000 context=0x1", "nic_rate", "mlx5_0 200"),
        (f"{SAID}NET/Socket : Using [0]eno1:10.0.0.1<0> [1]virbr0:10.0.1.1<0>", "sockets", "eno1 virbr0"),
        (f"{SAID}Using network Socket", "network", "Socket"),
        (f"{SAID}Assigned NET plugin Socket to comm", "network", "Socket"),
        (f"{SAID}Using network AWS Libfabric", "network", "AWS Libfabric"),
        (f"{SAID}Ring 00 : 1[1] -> 2[2] via direct shared memory", "transport", "SHM"),
        (f"{SAID}Channel 00/0 : 8[0] -> 0[0] [receive] via NET/IBext_v8/0/GDRDMA(PCI)", "transport", "NET/IBext_v GDRDMA receive"),
        (f"{SAID}NET/OFI Selected provider is efa, fabric is efa-direct (found 32 nics)", "nic_count", "32"),
        (f"{SAID}NET/OFI Selected provider is efa, fabric is efa-direct (found 32 nics)", "provider", "efa"),
        (f"{SAID}NET/OFI Selected Provider is cxi (found 4 nics)", "provider", "cxi"),
        (f"{SAID}Could not enable P2P between dev 0(=1a000) and dev 1(=1b000)", "peer_access", "none"),
        ("my cluster is two p4d.24xlarge in one placement group", "instance", "p4d.24xlarge"),
        ("two p6-b200.48xlarge", "instance", "p6-b200.48xlarge"),
        ("on a3-ultragpu-8g nodes", "instance", "a3-ultragpu-8g"),
        ("on a4-highgpu-8g nodes", "instance", "a4-highgpu-8g"),
        ("BM.GPU.A100-v2.8 shapes", "instance", "BM.GPU.A100-v2.8"),
        ("Standard_ND96isr_H100_v5, one VM scale set", "instance", "ND96isr_H100_v5"),
        (f"{SAID}Channel 00 : 0[17000] -> 8[17000] [send] via NET/IB/1/GDRDMA", "transport", "NET/IB GDRDMA send"),
        (f"{SAID}Channel 00/0 : 0[0] -> 8[0] [receive] via NET/IB/3(2)/Shared", "transport", "NET/IB staged receive"),
        (f"{SAID}Channel 00 : 1[2] -> 0[1] [receive] via NET/Socket/0", "transport", "NET/Socket staged receive"),
        (f"{SAID}Ring 00 : 0 -> 1 [send] via NET/AWS Libfabric/0/GDRDMA", "transport", "NET/AWS Libfabric GDRDMA send"),
        (f"{SAID}Channel 00 : 0[17000] -> 1[1b000] via P2P/IPC/read", "transport", "P2P"),
        (f"{SAID}Channel 00 : 0[0] -> 1[1] via SHM/direct/direct", "transport", "SHM"),
        (f"{SAID}NVLS multicast support is not available on dev 0", "nvls", "unavailable"),
        (f"{SAID}NVLS multicast support is available on dev 0 (NVLS_NCHANNELS 16)", "nvls", "available"),
        (f"{SAID}24 coll channels, 0 collnet channels, 16 nvls channels, 32 p2p channels", "channels", "24"),
        (f"{SAID}Pattern 4, crossNic 0, nChannels 4, bw 24.0/24.0, type NVL/PXB, sameChannels 1", "graph", "pattern 4 channels 4 NVL/PXB"),
        (f"{SAID}GPU Direct RDMA Disabled for GPU 0 / HCA 1 (distance 7 > 4)", "gpudirect", "disabled"),
        (f"{SAID}GPU Direct RDMA Enabled for HCA 0 'mlx5_0'", "gpudirect", "enabled"),
        (f"{SAID}P2P is disabled between connected GPUs 1 and 0.", "peer_access", "none"),
        (f"{SAID}comm 0x1 rank 0 nRanks 16 nNodes 2 localRanks 8 localRank 0 MNNVL 0", "nodes", "2"),
        ("hosta:1:2 [0] graph/search.cc:999 NCCL WARN Could not find a path", "warning", "Could not find a path"),
        ("hosta:1:2 [0] NCCL INFO Could not find a path for pattern 1, falling back to simple order", "graph", "no path for pattern 1"),
        (f"{SAID}RCCL_MSCCL_ENABLE set by environment to 0", "setting", "RCCL_MSCCL_ENABLE=0"),
        (f"{SAID}CUDA Dev 0[0], AWS Libfabric NIC distance :  SYS", "nic_distance", "SYS"),
        ("mlx5_3 port 1 ==> ibs3 (Down)", "nic_state", "mlx5_3 Down"),
        ("        ACSCtl: SrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+", "acs", "on"),
        ("        ACSCtl: SrcValid- TransBlk- ReqRedir- CmpltRedir- UpstreamFwd-", "acs", "off"),
        ("[ 12.3] NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus.", "xid", "79"),
        ("BOOT_IMAGE=/vmlinuz root=/dev/sda1 intel_iommu=on", "iommu", "on"),
        ("    HW Thermal Slowdown : Active", "throttle", "HW Thermal Slowdown : Active"),
    ],
)  # fmt: skip
def test_a_line_is_read(line, kind, value):
    """Each kind of line says one thing, wherever it stands in the log."""
    assert (kind, value) in observed(line)
    assert (kind, value) in observed(line, where=-1)


def test_an_adapter_has_its_state_and_rate():
    """State and rate stand in ibstat and rate below the adapter's name; of a port that is down the rate says nothing."""
    block = [
        "CA 'mlx5_0'",
        "        State: Active",
        "        Rate: 200",
        "CA 'mlx5_1'",
        "        State: Down",
        "        Rate: 10",
    ]
    said = observed(*block, where=0)

    assert ("nic_state", "mlx5_0 Up") in said
    assert ("nic_rate", "mlx5_0 200") in said
    assert ("nic_state", "mlx5_1 Down") in said
    assert not any(kind == "nic_rate" and "mlx5_1" in value for kind, value in said)


@table(
    ("device", "status", "told"),
    [
        ("3D controller: NVIDIA Corporation GA100", "Speed 16GT/s (ok), Width x8 (downgraded)", "pcie_link"),
        (
            "3D controller: NVIDIA Corporation GA100",
            "Speed 2.5GT/s (downgraded), Width x16 (ok)",
            "pcie_speed",
        ),
        ("Infiniband controller: Mellanox MT28908", "Speed 8GT/s (downgraded), Width x16 (ok)", "pcie_link"),
        ("3D controller: NVIDIA Corporation GA100", "Speed 16GT/s (ok), Width x16 (ok)", None),
        ("Ethernet controller: Broadcom BCM5720", "Speed 5GT/s (downgraded), Width x4 (downgraded)", None),
        ("Non-Volatile memory controller: Samsung", "Speed 8GT/s (downgraded), Width x4", None),
        ("PCI bridge: Vendor of bridges", "Speed 2.5GT/s (downgraded), Width x4 (downgraded)", None),
        ("PCI bridge: AMD Starship root port", "Speed 2.5GT/s (downgraded), Width x16", None),
    ],
)
def test_a_link_below_what_its_ends_can_do(device, status, told):
    """A GPU's or NIC's link counts, a bridge's own does not; at full width a slow GPU may just be idle."""
    block = [
        f"3b:00.0 {device}",
        "        LnkCap: Port #0, Speed 16GT/s, Width x16, ASPM not supported",
        f"        LnkSta: {status}",
    ]
    kinds = {kind for kind, _ in observed(*block, where=0) if kind.startswith("pcie")}

    assert kinds == ({told} if told else set())


@pytest.mark.parametrize("order", ["intel_iommu=on iommu=pt", "iommu=pt intel_iommu=on"])
def test_an_iommu_in_passthrough_is_not_on(order):
    """The recommended setting names both; only passthrough is told."""
    said = {value for kind, value in observed(f"BOOT_IMAGE=/vmlinuz {order} quiet") if kind == "iommu"}

    assert said == {"passthrough"}


def test_sockets_of_the_ofi_plugin_are_no_adapters():
    """The plugin counts NICs of its provider; of TCP those are no RDMA devices."""
    line = SAID + "NET/OFI Selected Provider is {} (found 4 nics)"

    assert ("nic_count", "4") in observed(line.format("efa"))
    assert "nic_count" not in {kind for kind, _ in observed(line.format("tcp"))}


def test_the_host_of_a_line_is_kept():
    """Where one of two nodes receives through host memory, its name stands with the line."""
    log = nccl_tests()
    lines = ["hostb:301:401 [0] NCCL INFO Channel 00 : 0[1] -> 8[1] [receive] via NET/IB/0"]
    (run,) = read("log", text([*log[:3], *lines, *log[3:]]))

    assert [(item.host, item.line) for item in run.observations] == [("hostb", 4)]


def test_a_topology_in_the_file_is_told_of_the_gpus_that_ran():
    """Paths between the GPUs of the ranks travel with the run; those of idle GPUs do not."""
    runs = read("log", text([*topology(4), "", *nccl_tests(ranks=2)]))
    paths = {item.value for run in runs for item in run.observations if item.kind == "path"}

    assert paths == {"GPU0 GPU1 NV12"}


def test_a_second_run_has_its_own_lines():
    """What NCCL says in one execution is not told of the next; what lspci says is of both."""
    first, second = nccl_tests(), nccl_tests()
    lines = [f"{SAID}Using network Socket", "        ACSCtl: SrcValid+ ReqRedir+"]
    runs = read("log", text([*first[:3], *lines, *first[3:], *second]))
    kinds = [{item.kind for item in run.observations} for run in runs]

    assert kinds == [{"network", "acs"}, {"acs"}]


def test_observations_travel_in_a_run_file():
    """A run file holds them, and reading it gives the same run."""
    log = nccl_tests()
    (run,) = read("log", text([*log[:3], f"{SAID}Using network IB", *log[3:]]))

    assert from_json(json.loads(json.dumps(to_json(run)))) == run


def test_a_list_without_an_adapter_says_nothing():
    """No adapter was read from an unknown form of the list: that is not none in use."""
    assert "nics" not in {kind for kind, _ in observed(f"{SAID}NET/IB : Using [0]? ; OOB eno1:<0>")}


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (f"{SAID}NCCL_IB_HCA set to mlx5_0,mlx5_1", "mlx5_0,mlx5_1"),
        (f"{SAID}NCCL_IB_HCA set by environment to mlx5_0.", "mlx5_0"),
        ("with NCCL_IB_HCA set to one adapter it was slow", None),
    ],
)
def test_a_setting_that_nccl_prints_is_read(line, value):
    """NCCL prints its list of adapters without `by environment`; prose in those words is no setting."""
    (run,) = read("log", text([line, *nccl_tests()]))

    assert run.machine.env.get("NCCL_IB_HCA") == value


@pytest.mark.parametrize(
    ("command", "value"),
    [
        ("mpirun -x NCCL_IB_HCA=mlx5_0,mlx5_1 ./all_reduce_perf", "mlx5_0,mlx5_1"),
        ("export NCCL_IB_HCA==mlx5_0:1,mlx5_1:1", "=mlx5_0:1,mlx5_1:1"),
        ("srun --export=ALL,NCCL_IB_HCA=mlx5_0,NCCL_DEBUG=INFO ./all_reduce_perf", "mlx5_0"),
    ],
)
def test_a_list_of_adapters_is_whole(command, value):
    """A comma continues NCCL_IB_HCA, unless another setting begins behind it."""
    (run,) = read("log", text([command, *nccl_tests()]))

    assert run.machine.env["NCCL_IB_HCA"] == value


def test_a_thousand_ranks_that_say_the_same_say_it_once():
    """The observations of a file are bounded."""
    log = nccl_tests()
    lines = [f"node{index}:1:2 [0] NCCL INFO Using network IB" for index in range(2000)]
    (run,) = read("log", text([*log[:3], *lines, *log[3:]]))

    assert len(run.observations) <= 400
