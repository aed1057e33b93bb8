"""Threads of 2026-11-28 never used before, as outputs with options: halves 18 and 19; answers were written before asking."""

from tests.figures.threads import GIB, MIB, Table, Thread, flat, reduced
from tests.figures.threads_2026_11 import FINE, LOW
from tests.figures.threads_2026_11_outputs import A100, BOTH, ONE, V100, matrix, options, osu, perftest

NCCL, NCCL_TESTS, UCX = (
    "github.com/NVIDIA/nccl/issues/",
    "github.com/NVIDIA/nccl-tests/",
    "github.com/openucx/ucx/issues/",
)
H800, MI300X, GB300, PRO_6000 = "NVIDIA H800", "AMD Instinct MI300X", "NVIDIA GB300", "NVIDIA RTX PRO 6000 Blackwell Workstation Edition"  # fmt: skip
PAIRS = "docs of rtx6kpro, github.com/voipmonitor/rtx6kpro/blob/master/hardware/pcie-bandwidth.md"
MESH = ("        GPU0    GPU1    GPU2    GPU3    CPU Affinity    NUMA Affinity", "GPU0     X      NV1     NV2     NV1     0-71    0-1",
        "GPU1    NV1      X      NV1     NV2     0-71    0-1", "GPU2    NV2     NV1      X      NV2     0-71    0-1", "GPU3    NV1     NV2     NV2      X      0-71    0-1")  # fmt: skip
HDR_PORT = ("Infiniband device 'mlx5_0' port 1 status:", "        state:           4: ACTIVE", "        phys state:      5: LinkUp", "        rate:            200 Gb/sec (4X HDR)", "        link_layer:      InfiniBand")  # fmt: skip
LARGE_ALL, MIDDLE = (GIB, 4 * GIB), (64 * MIB, 256 * MIB, 512 * MIB)


def bandwidth_test(gpu, into, out_of, within):
    """The quick mode of bandwidthTest, MB/s."""
    lines = [
        "[CUDA Bandwidth Test] - Starting...",
        "Running on...",
        "",
        f" Device 0: {gpu}",
        " Quick Mode",
        "",
    ]
    for title, rate in (("Host to Device", into), ("Device to Host", out_of), ("Device to Device", within)):
        lines += [
            f" {title} Bandwidth, 1 Device(s)",
            " PINNED Memory Transfers",
            "   Transfer Size (Bytes)\tBandwidth(MB/s)",
            f"   33554432\t\t\t{rate}",
            "",
        ]
    return tuple(lines)


def tuning(rdma, nvlink):
    """The best line of DeepEP's tests across nodes, GB/s."""
    return tuple(
        f"[tuning] Best {kind}: SMs 24, NVL chunk 20, RDMA chunk 16: {rdma:.2f} GB/s (RDMA), {nvlink:.2f} GB/s (NVL)"
        for kind in ("dispatch (FP8)", "combine")
    )


def ucx_perftest(size, rate):
    """The last row of ucx_perftest between GPUs, MB/s."""
    return (f"ucx_perftest node0 -t tag_bw -m cuda -n 100 -s {size}", "+--------------+-----------------------------+---------------------+-----------------------+",
            "|              |       latency (usec)        |   bandwidth (MB/s)  |  message rate (msg/s) |", "+--------------+---------+---------+---------+----------+----------+-----------+-----------+",
            "| # iterations | typical | average | overall |  average |  overall |   average |   overall |", "+--------------+---------+---------+---------+----------+----------+-----------+-----------+",
            f"           100     0.000 {size / rate / 1.048576:9.3f} {size / rate / 1.048576:9.3f} {rate:8.2f} {rate:8.2f} {rate * MIB / size:11.0f} {rate * MIB / size:11.0f}")  # fmt: skip


A40 = (*matrix("A40", 8, "Bidirectional P2P=Disabled Bandwidth Matrix (GB/s)", 20, 565.5), BOTH, "   D\\D" + "".join(f"{i:7d}" for i in range(8)),
       *(f"{row:6d} " + " ".join(f"{565.6 if row == to else 101.6 if row // 2 == to // 2 else 50.2 if row // 4 == to // 4 else 40.5:6.2f}" for to in range(8)) for row in range(8)))  # fmt: skip

# fmt: off
FIRST = (
    Thread("nccl-tests-59, all-to-all", NCCL_TESTS + "pull/59", "no hops between: the NICs' rate (asker)", FINE, gpu=A100, nodes=2, tables=(flat("all_to_all", 25, sizes=LARGE_ALL),), options=options("dgx-a100", 2, "ib-hdr", 8)),
    Thread("nccl-1316, 2.18", NCCL + "1316", "nine tenths of the ports, by 32 channels (asker, maintainer)", FINE, gpu=H800, nodes=8, tables=(flat("all_to_all", 50, sizes=LARGE_ALL),), lines=("NCCL version 2.18.3+cuda12.2",), options=options("hgx-h800-x8", 8, "roce-400", 8)),
    Thread("nccl-tests-93, two containers", NCCL_TESTS + "issues/93", "containers apart (maintainer)", LOW, ("split_node", "staged_copies", "peer_access_off", "pcie_instead_of_nvlink"), gpu=V100, local=4, tables=reduced(15.5, sizes=MIDDLE), lines=(*MESH, "horovodrun -np 4 -H node1:2,node2:2 ./build/all_reduce_perf -b 18M -e 600M -f 2 -g 2"), options=options("dgx-1-v100")),
    Thread("nccl-tests-93, one container", NCCL_TESTS + "issues/93", "as the links give (asker)", FINE, gpu=V100, local=4, tables=reduced(31.73, sizes=MIDDLE), lines=MESH, options=options("dgx-1-v100")),
    Thread("ucx-7369", UCX + "7369", "the port's rate (asker)", FINE, lines=osu("DEVICE (D)", "DEVICE (D)", ((65536, 6581.28), (262144, 12188.64), (1048576, 12270.51), (4194304, 12289.72))), options=options("dgx-1-v100", 2, "ib-edr", 1)),
    Thread("ucx-4274, UCX", UCX + "4274", "another transport gives 10 GB/s (asker)", LOW, ("staged_gpu_memory",), lines=osu("DEVICE (D)", "DEVICE (D)", ((65536, 1782.01), (262144, 1792.01), (1048576, 1784.32), (4194304, 1785.15))), options=options("dgx-1-p100", 2, "ib-edr", 1)),
    Thread("gearshifft-82, far socket", "github.com/mpicbg-scicomp/gearshifft/pull/82", "process on the other socket (author)", LOW, ("numa", "numa_distance", "pcie_path"), lines=("numactl -m1 -N1 bandwidthTest", *bandwidth_test("Tesla P100-PCIE-16GB", 3783.4, 2539.2, 443837.7)), options=options("dgx-1-p100")),
    Thread("gearshifft-82, near socket", "github.com/mpicbg-scicomp/gearshifft/pull/82", "process on the card's socket (author)", FINE, lines=("numactl -m0 -N0 bandwidthTest", *bandwidth_test("Tesla P100-PCIE-16GB", 12150.7, 12890.6, 443837.7)), options=options("dgx-1-p100")),
    Thread("DeepEP-285", "github.com/deepseek-ai/DeepEP/issues/285", "NVLink is the bottleneck there (maintainer)", FINE, lines=tuning(43, 140), options=options("hgx-h800-x8", 2, "ib-ndr", 8)),
    Thread("nccl-489", NCCL + "489", "no GPUDirect RDMA, and ACS (maintainer)", LOW, ("no_gpudirect", "pcie_path"), gpu=V100, nodes=2, tables=reduced(3, sizes=LARGE_ALL), lines=HDR_PORT, options=options("dgx-1-v100", 2, "ib-hdr", 1)),
    Thread("rtx6kpro, one way", PAIRS, "nine tenths of the slot (authors)", FINE, lines=matrix(PRO_6000, 6, ONE, 56.57, 1416.77), options=options("rtx-pro-6000-x8")),
    Thread("nodewright-packages-111, ACS", "github.com/NVIDIA/nodewright-packages/pull/111", "ACS on (author)", LOW, ("pcie_path",), gpu=GB300, nodes=2, local=4, tables=reduced(360, sizes=(8 * GIB,)), options=options("gb300-nvl72", 2, "roce-800", 4)),
)
SECOND = (
    Thread("nccl-tests-59, all-reduce", NCCL_TESTS + "pull/59", "as such pairs give (asker)", FINE, gpu=A100, nodes=2, tables=reduced(200, sizes=LARGE_ALL), options=options("dgx-a100", 2, "ib-hdr", 8)),
    Thread("nccl-1316, 2.19, 8 nodes", NCCL + "1316", "fewer channels from 2.19 on (maintainer)", LOW, ("nccl_version", "few_channels"), gpu=H800, nodes=8, tables=(flat("all_to_all", 37, sizes=LARGE_ALL),), lines=("NCCL version 2.19.3+cuda12.2",), options=options("hgx-h800-x8", 8, "roce-400", 8)),
    Thread("nccl-1316, 2.19, 2 nodes", NCCL + "1316", "nine tenths as before (asker)", FINE, gpu=H800, nodes=2, tables=(flat("all_to_all", 50, sizes=LARGE_ALL),), lines=("NCCL version 2.19.3+cuda12.2",), options=options("hgx-h800-x8", 2, "roce-400", 8)),
    Thread("nccl-1015", NCCL + "1015", "both ports of a bond (asker)", FINE, lines=perftest("RDMA_Write", 65536, 21457.67), options=options("dgx-a100", 2, "roce-200")),
    Thread("rccl-2078", "github.com/ROCm/rccl/pull/2078", "the new adapters at work (author)", FINE, gpu=MI300X, nodes=2, tables=(Table("all_reduce", ((2 * GIB, 359.98), (4 * GIB, 359.35), (8 * GIB, 360.04), (16 * GIB, 360.98))),), options=options("mi300x-x8", 2, "roce-400", 8)),
    Thread("nccl-tests-74", NCCL_TESTS + "issues/74", "bridges, then the slots (asker)", FINE, lines=A40, options=options("rtx-a6000-x8")),
    Thread("ucx-6327", UCX + "6327", "without the path for copies (maintainer)", LOW, ("staged_gpu_memory",), lines=osu("HOST (H)", "DEVICE (D)", ((65536, 7404.09), (262144, 9511.51), (1048576, 5196.33), (4194304, 4036.15))), options=options("dgx-1-v100")),
    Thread("ucx-4274, no UCX", UCX + "4274", "what that network gives (asker)", FINE, lines=osu("DEVICE (D)", "DEVICE (D)", ((1048576, 9900), (4194304, 10000))), options=options("dgx-1-p100", 2, "ib-edr", 1)),
    Thread("rtx6kpro, both ways", PAIRS, "nine tenths of the slot (authors)", FINE, lines=matrix(PRO_6000, 6, BOTH, 111.38, 1416.86), options=options("rtx-pro-6000-x8")),
    Thread("nodewright-packages-111, no ACS", "github.com/NVIDIA/nodewright-packages/pull/111", "with ACS corrected (author)", FINE, gpu=GB300, nodes=2, local=4, tables=reduced(426, sizes=(8 * GIB,)), options=options("gb300-nvl72", 2, "roce-800", 4)),
    Thread("ucx-py-370", "github.com/rapidsai/ucx-py/issues/370", "memory handles not cached (author)", LOW, ("staged_gpu_memory",), lines=("UCX_CUDA_IPC_CACHE=n UCX_MEMTYPE_CACHE=n UCX_TLS=tcp,cuda_copy,cuda_ipc", *ucx_perftest(1000000, 492.71)), options=options("dgx-2")),
    Thread("uccl-956", "github.com/uccl-project/uccl/issues/956", "not settled", LOW, lines=tuning(8.27, 16.9), options=options("gh200-x4", 2, "slingshot-200", 4)),
)
WORDS = {
    "nccl-tests-93, two containers": ("container", "p2p", "shm", "shared memory", "peer access"),
    "ucx-4274, UCX": ("transport", "staged", "ucx", "host memory"),
    "gearshifft-82, far socket": ("numa", "socket", "affinity", "numactl"),
    "nccl-489": ("gpudirect", "gdr", "acs", "peermem", "host memory"),
    "nodewright-packages-111, ACS": ("acs", "iommu", "pcie"),
    "nccl-1316, 2.19, 8 nodes": ("2.19", "2.20", "channel", "nccl_nchannels"),
    "ucx-6327": ("ucx", "staged", "gdr", "cuda_copy"),
    "ucx-py-370": ("ipc", "cuda_ipc", "staged", "peer access"),
}
"""Of which one must stand in the answer."""
THREADS = FIRST + SECOND
# fmt: on
