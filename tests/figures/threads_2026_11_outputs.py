"""Threads of 2026-11-28 as outputs of their tools set anew, with the options that a reader would give: rounds 15 to 17."""

from dataclasses import replace

from tests.figures.threads import GIB, MIB, Table, Thread, flat, reduced
from tests.figures.threads_2026_11 import FINE, LOW

NCCL, NCCL_TESTS = "github.com/NVIDIA/nccl/issues/", "github.com/NVIDIA/nccl-tests/issues/"
H100, H800, B200 = "NVIDIA H100 80GB HBM3", "NVIDIA H800", "NVIDIA B200"
A100, A100_40, V100_16, V100 = "NVIDIA A100-SXM4-80GB", "NVIDIA A100-SXM4-40GB", "Tesla V100-SXM2-16GB", "Tesla V100-SXM2-32GB"  # fmt: skip
RING, TREE = ("NCCL_ALGO=RING ./build/all_reduce_perf -b 1M -e 2048M -f 2 -g 1",), ("NCCL_ALGO=TREE ./build/all_reduce_perf -b 1M -e 2048M -f 2 -g 1",)  # fmt: skip
TWO_GIB, LARGEST = (GIB, 2 * GIB), (8 * GIB,)


def options(system, domains=1, network="", nics=0):
    """As a reader of the thread gives them."""
    given = ("--system", system)
    if domains > 1:
        given += ("--domains", str(domains))
    if network:
        given += ("--network", network)
    return (*given, "--nics-per-domain", str(nics)) if nics else given


def matrix(gpu, count, title, rate, own, last=None):
    """Of p2pBandwidthLatencyTest: one rate between all pairs, another with the last card."""
    lines = [
        f"Device: {i}, {gpu}, pciBusID: {1 + 16 * i:x}, pciDeviceID: 0, pciDomainID:0" for i in range(count)
    ]
    lines += [title, "   D\\D" + "".join(f"{i:7d}" for i in range(count))]
    for row in range(count):
        with_last = [
            own if row == column else last if last and count - 1 in (row, column) else rate
            for column in range(count)
        ]
        lines.append(f"{row:6d} " + " ".join(f"{cell:6.2f}" for cell in with_last))
    return tuple(lines)


def perftest(test, size, rate):
    """Rows of perftest, MB/sec."""
    return (f"                    {test} BW Test", " Dual-port       : OFF          Device         : mlx5_1", " Number of qps   : 1            Transport type : IB",
            " Mtu             : 4096[B]", " Link type       : IB", " #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]",
            f" {size}    1000           {rate + 5:.2f}           {rate:.2f}             0.0028")  # fmt: skip


def osu(first, second, rows):
    """Rows of osu_bw between buffers of GPUs or hosts, MB/s."""
    return ("# OSU MPI-CUDA Bandwidth Test v7.2", f"# Send Buffer on {first} and Receive Buffer on {second}", "# Size      Bandwidth (MB/s)",
            *(f"{size:<22d}{rate:10.2f}" for size, rate in rows))  # fmt: skip


def nvbandwidth(name, title, rows):
    """One matrix of nvbandwidth."""
    return ("nvbandwidth Version: v0.5", f"Running {name}.", title, *rows)


def timed(times_us, factor):
    """An all-reduce of small sizes by their times."""
    return (Table("all_reduce", tuple((size, factor * size / time_us / 1e3) for size, time_us in times_us)),)


BOTH, ONE = "Bidirectional P2P=Enabled Bandwidth Matrix (GB/s)", "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)"  # fmt: skip
CE_PAIR = nvbandwidth("device_to_device_memcpy_write_ce", "memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)", ("          0         1", "0       N/A    160.00", "1    160.00       N/A"))  # fmt: skip
CE_HOST = nvbandwidth("host_to_device_memcpy_ce", "memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)", ("          0", "0    346.00"))  # fmt: skip
CE_HOSTS = nvbandwidth("host_to_device_memcpy_ce", "memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)", ("          0         1         2         3", "0     25.50     24.26     23.90     26.30"))  # fmt: skip
SM_HOSTS = nvbandwidth("host_to_device_memcpy_sm", "memcpy SM CPU(row) -> GPU(column) bandwidth (GB/s)", ("          0         1         2         3", "0     35.19     35.25     35.30     35.03"))  # fmt: skip
SMALL, GRAPHS = ((32, 10.14), (64, 10.14), (128, 10.2), (256, 10.2)), ((8, 3.2), (64, 3.2), (512, 3.2))
PAIRED_TOPOLOGY = ("        GPU0    GPU1    GPU2    GPU3    mlx5_0  mlx5_1  CPU Affinity    NUMA Affinity", "GPU0     X      NV4     NV4     NV4     SYS     SYS     16-31,80-95     1",
                   "GPU1    NV4      X      NV4     NV4     PIX     SYS     0-15,64-79      0", "GPU2    NV4     NV4      X      NV4     SYS     PIX     48-63,112-127   3",
                   "GPU3    NV4     NV4     NV4      X      SYS     SYS     32-47,96-111    2")  # fmt: skip

# fmt: off
FIRST = (
    Thread("nccl-tests-22", NCCL_TESTS + "22", "a tree between two nodes (maintainer)", FINE, gpu=V100, nodes=2, tables=reduced(15.6, sizes=(GIB,)), options=options("dgx-1-v100", 2, "efa-100", 1)),
    Thread("nccl-2140", NCCL + "2140", "with NVLS, as the asker compares (asker)", FINE, gpu="NVIDIA B300 SXM6 AC", tables=reduced(845, sizes=LARGEST), options=options("dgx-b300")),
    Thread("nccl-1639, 8", NCCL + "1639", "more than expected without NVLink (maintainer)", FINE, gpu="NVIDIA GeForce RTX 5090", tables=reduced(28), options=options("rtx-5090-x8")),
    Thread("nccl-949, after", NCCL + "949", "the ports' rate without ACS (asker)", FINE, gpu=A100, nodes=2, tables=reduced(48, sizes=(GIB, 4 * GIB)), lines=RING, options=options("dgx-a100", 2, "ib-hdr", 2)),
    Thread("nccl-tests-258", NCCL_TESTS + "258", "overhead of packets (maintainer)", FINE, lines=matrix(A100, 8, ONE, 238, 1540), options=options("dgx-a100")),
    Thread("nccl-583", NCCL + "583", "small sizes are latency (maintainer)", FINE, gpu=A100_40, local=2, tables=timed(SMALL, 1), options=options("dgx-a100")),
    Thread("nccl-1272, before", NCCL + "1272", "the rate expected (asker)", FINE, gpu="NVIDIA GH200 120GB", nodes=8, local=4, tables=(Table("send_recv", ((512 * MIB, 24.24),)),), lines=("NCCL version 2.19.4+cuda12.3",), options=options("gh200-x4", 8)),
    Thread("nccl-841, after", NCCL + "841", "with peer access (asker)", FINE, gpu="NVIDIA A100 80GB PCIe", tables=reduced(21, sizes=(128 * MIB,)), options=options("a100-pcie-x8")),
    Thread("nccl-837, before", NCCL + "837", "a tree between two nodes (maintainer)", FINE, gpu=A100, nodes=2, tables=reduced(53.95, sizes=(GIB,)), lines=("NCCL version 2.9.9+cuda11.3",), options=options("dgx-a100", 2, "ib-hdr", 2)),
    Thread("nccl-1807", NCCL + "1807", "as others measure (asker)", FINE, gpu=B200, tables=reduced(830, sizes=LARGEST), options=options("dgx-b200")),
    Thread("ucx-8851", "github.com/openucx/ucx/issues/8851", "the port's rate (asker)", FINE, lines=perftest("RDMA_Read", 8388608, 22425.8), options=options("dgx-a100", 2, "ib-hdr")),
    Thread("perftest-225", "github.com/linux-rdma/perftest/issues/225", "in the range expected (asker)", FINE, lines=perftest("RDMA_Write", 65536, 11728.47), options=options("dgx-1-v100", 2, "ib-edr")),
    Thread("nccl-949", NCCL + "949", "ACS of a virtual machine (asker)", LOW, ("pcie_path",), gpu=A100, nodes=2, tables=reduced(27, sizes=(GIB, 4 * GIB)), options=options("dgx-a100", 2, "ib-hdr", 2)),
    Thread("nccl-1603", NCCL + "1603", "direct copies across the CPU (maintainer)", LOW, ("pcie_path", "forced_setting"), gpu="NVIDIA GeForce RTX 4090", local=4, tables=(flat("all_to_all", 2),), lines=("NCCL_P2P_LEVEL=SYS ./build/alltoall_perf -b 8 -e 4G -f 2 -g 4",), options=options("rtx-4090-x4")),
    Thread("nccl-450", NCCL + "450", "TCP (asker)", LOW, ("tcp_sockets",), gpu=V100, nodes=4, tables=reduced(5, sizes=(64 * MIB, 128 * MIB)), lines=("NCCL_SOCKET_NTHREADS=1 NCCL_NSOCKS_PERTHREAD=1 ./build/all_reduce_perf -b 8M -e 128M -f 2",), options=options("dgx-1-v100", 4, "roce-100", 1)),
    Thread("nccl-319, two switches", NCCL + "319", "between two switches (asker)", LOW, ("oversubscribed",), gpu=V100, nodes=8, tables=reduced(19.53, sizes=TWO_GIB), lines=RING, options=options("dgx-1-v100", 8, "ib-edr", 4)),
    Thread("nccl-tests-106", NCCL_TESTS + "106", "one node of the pair is slow (maintainer)", LOW, ("slow_node", "slow_gpu"), gpu=A100_40, nodes=2, tables=reduced(49.3, sizes=(GIB, 4 * GIB)), lines=RING, options=options("dgx-a100", 2, "ib-hdr", 4)),
    Thread("nccl-837", NCCL + "837", "from 2.11 on, in containers (asker)", LOW, ("nccl_version", "no_gpudirect"), gpu=A100, nodes=2, tables=reduced(7.05, sizes=(GIB,)), lines=("NCCL version 2.12.12+cuda11.6",), options=options("dgx-a100", 2, "ib-hdr", 2)),
    Thread("ucx-9287", "github.com/openucx/ucx/issues/9287", "a later UCX takes another path (asker)", LOW, ("staged_gpu_memory",), lines=osu("DEVICE (D)", "DEVICE (D)", ((8192, 6421.73), (65536, 2345), (1048576, 4031.5), (4194304, 3840.19))), options=options("dgx-h100", 2, "ib-hdr", 1)),
    Thread("nccl-371", NCCL + "371", "reads without GPUDirect RDMA (asker)", LOW, ("no_gpudirect", "nccl_version"), gpu="Tesla V100-PCIE-32GB", nodes=2, tables=reduced(6.12, sizes=(GIB,)), lines=("NCCL version 2.7.8+cuda10.2",), options=options("dgx-1-v100", 2, "ib-edr", 1)),
    Thread("nccl-1454", NCCL + "1454", "not settled", LOW, gpu=H100, nodes=16, tables=reduced(14, sizes=LARGEST), options=options("dgx-h100", 16, "ib-ndr", 4)),
    Thread("tinygrad-6", "github.com/tinygrad/open-gpu-kernel-modules/issues/6", "the last card's slot (another user)", LOW, ("slow_gpu", "pcie_path"), lines=matrix("NVIDIA GeForce RTX 4090", 7, BOTH, 50.4, 920.5, 3.92), options=options("rtx-4090-x8")),
    Thread("nccl-595", NCCL + "595", "not settled", LOW, gpu=A100_40, nodes=2, local=4, tables=reduced(3, sizes=(128 * MIB,)), lines=PAIRED_TOPOLOGY, options=options("hgx-a100-x4", 2, "ib-hdr", 2)),
)
SECOND = (
    Thread("nccl-tests-212", NCCL_TESTS + "212", "algbw read as busbw (maintainer)", FINE, gpu=H100, tables=reduced(437.5, sizes=(256 * MIB,)), options=options("dgx-h100")),
    Thread("nccl-1264, both ways", NCCL + "1264", "what the links leave (maintainer)", FINE, lines=matrix(H100, 8, BOTH, 742.2, 2573), options=options("dgx-h100")),
    Thread("nccl-tests-153", NCCL_TESTS + "153", "no rate of a wire (maintainer)", FINE, gpu=H800, nodes=2, tables=reduced(161, sizes=(GIB, 4 * GIB)), options=options("hgx-h800-x8", 2, "ib-edr", 8)),
    Thread("nccl-1374, H800", NCCL + "1374", "more than a link with NVLS (another user)", FINE, gpu=H800, tables=reduced(215, sizes=(4 * GIB,)), options=options("hgx-h800-x8")),
    Thread("nccl-1639, 4", NCCL + "1639", "as eight (maintainer)", FINE, gpu="NVIDIA GeForce RTX 5090", local=4, tables=reduced(35), options=options("rtx-5090-x8")),
    Thread("nccl-1614", NCCL + "1614", "the slots' rate (asker)", FINE, lines=matrix("NVIDIA GeForce RTX 4090", 4, BOTH, 52, 920.5), options=options("rtx-4090-x4")),
    Thread("nccl-1579", NCCL + "1579", "four ports by C2C (asker)", FINE, gpu="NVIDIA GH200 480GB", nodes=2, local=1, tables=reduced(96.07, sizes=(2 * GIB,)), lines=("NCCL_NET_GDR_LEVEL=SYS",), options=options("gh200-x4", 2, "roce-200", 4)),
    Thread("DeepSeek-V3-479", "github.com/deepseek-ai/DeepSeek-V3/issues/479", "one way of both (another user)", FINE, lines=CE_PAIR, options=options("hgx-h800-x8")),
    Thread("nccl-1368, ring", NCCL + "1368", "four ports (asker)", FINE, gpu=H100, nodes=5, tables=reduced(190, sizes=(GIB,)), lines=RING, options=options("dgx-h100", 5, "roce-400", 4)),
    Thread("nvbandwidth-23", "github.com/NVIDIA/nvbandwidth/issues/23", "as such chips give (asker)", FINE, lines=CE_HOST, options=options("gh200-x4")),
    Thread("nccl-tests-333", NCCL_TESTS + "333", "graphs and registered buffers (maintainer)", FINE, gpu=B200, tables=timed(GRAPHS, 1.75), options=options("dgx-b200")),
    Thread("nccl-319, one switch", NCCL + "319", "behind one switch (asker)", FINE, gpu=V100, nodes=8, tables=reduced(43.53, sizes=TWO_GIB), lines=RING, options=options("dgx-1-v100", 8, "ib-edr", 4)),
    Thread("nccl-841", NCCL + "841", "peer access was off (maintainer)", LOW, ("peer_access_off", "staged_copies"), gpu="NVIDIA A100 80GB PCIe", tables=reduced(8, sizes=(128 * MIB,)), lines=("NCCL_P2P_DISABLE=1 ./build/all_reduce_perf -b 8 -e 128M -f 2 -g 8",), options=options("a100-pcie-x8")),
    Thread("nccl-1272", NCCL + "1272", "two channels a peer from 2.20 on (maintainer)", LOW, ("few_channels", "nccl_version"), gpu="NVIDIA GH200 120GB", nodes=8, local=4, tables=(Table("send_recv", ((512 * MIB, 18.32),)),), lines=("NCCL version 2.20.5+cuda12.3",), options=options("gh200-x4", 8)),
    Thread("nccl-465", NCCL + "465", "no module of peer memory (asker)", LOW, ("no_gpudirect",), gpu=V100_16, nodes=4, tables=reduced(6, sizes=(256 * MIB, 512 * MIB)), options=options("dgx-1-v100", 4, "ib-edr", 1)),
    Thread("nccl-398", NCCL + "398", "TCP (asker)", LOW, ("tcp_sockets",), gpu=V100, nodes=2, tables=reduced(6, sizes=(256 * MIB, 512 * MIB)), lines=("host1:70:70 [0] NCCL INFO Ring 00 : 15 -> 0 [send] via NET/Socket/0",), options=options("dgx-1-v100", 2, "efa-100", 1)),
    Thread("nccl-319, tree", NCCL + "319", "trees of that version (maintainer)", LOW, ("forced_setting", "nccl_version"), gpu=V100, nodes=8, tables=reduced(24.58, sizes=TWO_GIB), lines=TREE, options=options("dgx-1-v100", 8, "ib-edr", 4)),
    Thread("nccl-307", NCCL + "307", "a network set up wrong (asker)", LOW, ("oversubscribed",), gpu=V100, nodes=2, tables=reduced(20, sizes=TWO_GIB), lines=RING, options=options("dgx-1-v100", 2, "ib-edr", 4)),
    Thread("nccl-1303", NCCL + "1303", "from 2.20 on with the same topology file (asker)", LOW, ("nccl_version",), gpu=H100, nodes=2, tables=reduced(41, sizes=LARGEST), lines=("NCCL version 2.20.5+cuda12.4",), options=options("dgx-h100", 2, "roce-400", 8)),
    Thread("nccl-812, ring", NCCL + "812", "low for eight ports (maintainer)", LOW, gpu=A100_40, nodes=2, tables=reduced(60, sizes=(GIB, 4 * GIB)), lines=RING, options=options("dgx-a100", 2, "roce-100", 8)),
    Thread("nccl-2409", NCCL + "2409", "half of others' rate (asker)", LOW, gpu=H100, nodes=2, tables=(Table("all_reduce", ((GIB, 216.5), (8 * GIB, 231))),), options=options("dgx-h100", 2, "roce-400", 8)),
    Thread("ucx-3984", "github.com/openucx/ucx/issues/3984", "reads by gdr_copy (maintainer)", LOW, ("staged_gpu_memory",), lines=osu("DEVICE (D)", "HOST (H)", ((1, 0.73), (2, 0.85), (1048576, 306), (4194304, 305))), options=options("dgx-1-p100", 2, "ib-fdr", 1)),
    Thread("nccl-1048, one port", NCCL + "1048", "one port named (asker)", LOW, ("fewer_nics",), gpu=A100, nodes=2, tables=reduced(24, sizes=(GIB, 4 * GIB)), lines=("mpirun -np 16 -x NCCL_IB_HCA=mlx5_0 ./build/all_reduce_perf -b 8 -e 4G -f 2",), options=options("dgx-a100", 2, "ib-hdr", 4)),
)
THIRD = (
    Thread("nccl-1031, 2 nodes", NCCL + "1031", "NVLS between two nodes misleads (maintainer)", FINE, gpu=H100, nodes=2, tables=reduced(310, sizes=(4 * GIB,)), options=options("dgx-h100", 2, "roce-400", 8)),
    Thread("nccl-1031, 4 nodes", NCCL + "1031", "not settled", LOW, gpu=H100, nodes=4, tables=reduced(180, sizes=(4 * GIB,)), options=options("dgx-h100", 4, "roce-400", 8)),
    Thread("nccl-1469", NCCL + "1469", "the normal one of several runs (asker)", FINE, gpu=H100, nodes=16, tables=reduced(150, sizes=(64 * MIB,)), options=options("dgx-h100", 16)),
    Thread("nccl-524", NCCL + "524", "half of a port (asker)", LOW, gpu="Tesla V100-PCIE-32GB", nodes=2, local=1, tables=reduced(5.5, sizes=(GIB,)), options=options("dgx-1-v100", 2, "ib-edr", 1)),
    Thread("nvbandwidth-15", "github.com/NVIDIA/nvbandwidth/issues/15", "the slots' rate (asker)", FINE, lines=CE_HOSTS, options=options("rtx-4090-x8")),
    Thread("nvbandwidth-24", "github.com/NVIDIA/nvbandwidth/issues/24", "others see it too (another user)", FINE, lines=SM_HOSTS, options=options("dgx-h100")),
    Thread("aicr-2784", "github.com/NVIDIA/aicr/issues/2784", "the vendor's baseline (author)", FINE, gpu="NVIDIA GB200", nodes=18, local=4, tables=reduced(770, sizes=LARGEST), options=options("gb200-nvl72")),
    Thread("msccl-48", "github.com/microsoft/msccl/issues/48", "a bad node, 22 to 25 elsewhere (maintainer)", LOW, ("slow_node", "slow_gpu"), gpu=A100, nodes=8, tables=reduced(9.86, sizes=(256 * MIB, GIB)), options=options("dgx-a100", 8, "ib-hdr", 1)),
    Thread("aws-ofi-nccl-33", "github.com/aws/aws-ofi-nccl/issues/33", "as the maintainers measure (maintainer)", FINE, gpu=V100, nodes=2, tables=(Table("all_reduce", ((2 * MIB, 5.86), (4 * MIB, 6.9))),), options=options("dgx-1-v100", 2, "efa-100", 1)),
    Thread("nccl-1531", NCCL + "1531", "before the drop (asker)", FINE, gpu=H800, nodes=8, tables=(Table("all_to_all", ((8 * MIB, 24.44),)),), options=options("hgx-h800-x8", 8)),
    Thread("rccl-929", "github.com/ROCm/rccl/pull/929", "RCCL before another kernel (author)", FINE, gpu="AMD Instinct MI250X", tables=timed(((8, 25.06), (512, 30.63)), 1.75), options=options("mi300x-x8")),
    Thread("perftest-219", "github.com/linux-rdma/perftest/issues/219", "two senders to one port (asker)", LOW, ("oversubscribed",), lines=perftest("RDMA_Write", 65536, 298), options=options("dgx-1-v100", 2, "roce-100")),
)
# fmt: on
THREADS = tuple(replace(thread, id=f"{thread.id}, output") for thread in FIRST + SECOND + THIRD)
