"""Threads found on 2026-11-27, fourth round: written down before the code was asked, none of them used before."""

from tests.figures.threads import GIB, MIB, Table, Thread, flat, reduced
from tests.figures.threads_2026_11 import FINE, H100, LOW, NCCL, TESTS

GB10 = "NVIDIA GB10"
SPARKS = "github.com/NVIDIA/dgx-spark-playbooks/"
HALVES = "github.com/tonyd2wild/DeepSeek-v4-Flash-Vision-Exp-DSpark-1M-NVFP4-KV-2x-DGX-Spark/pull/35"
BAM = "github.com/ZaidQureshi/bam/issues/54"
NCCL_4090 = (
    "Four RTX 4090 in one machine without a PCIe switch, driver with P2P unlocked.",
    "export NCCL_P2P_LEVEL=SYS",
)
SINGLE_A100 = (
    "4 machines with one A100 40 GB each, ConnectX at 200 Gbps, tests between two of them.",
    "mpirun -np 2 -N 1 --host n1,n2 gather_perf --minbytes 128M --maxbytes 4G --ngpus 1",
)
P2P_MATRIX = (
    "[P2P (Peer-to-Peer) GPU Bandwidth Latency Test]",
    *(
        f"Device: {index}, NVIDIA {'RTX PRO 6000 Blackwell Workstation Edition' if index < 4 else 'GeForce RTX 5090'}, "
        f"pciBusID: {index + 1:x}, pciDeviceID: 0, pciDomainID:0"
        for index in range(6)
    ),
    "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)",
    "   D\\D     0      1      2      3      4      5",
    "     0 1480.10  56.57  56.57  50.97  55.61  55.59",
    "     1  56.57 1420.77  56.57  51.01  55.60  55.64",
    "     2  56.57  56.57 1415.11  50.97  55.62  55.64",
    "     3  50.97  50.97  50.97 1375.60  50.16  50.45",
    "     4  55.61  55.60  55.62  50.16 1408.87  55.60",
    "     5  55.60  55.64  55.64  50.45  55.61 1489.91",
)
MI100 = (
    "TransferBench v1.10",
    "AMD Instinct MI100, four of them in PCIe slots",
    "Unidirectional copy peak bandwidth GB/s [Local read / Remote write] (GPU-Executor: GFX)",
    " SRC+EXE\\DST     GPU 00     GPU 01     GPU 02     GPU 03",
    *(
        f" GPU {row:02d}  -> " + "".join(f"{850.0 if row == other else 27.5:11.2f}" for other in range(4))
        for row in range(4)
    ),
)

# fmt: off
THREADS = (
    Thread("nccl-1442", NCCL + "1442", "NVLink SHARP: 370 GB/s a direction and 30 % on top (NVIDIA)", FINE,
           lines=("On an AWS p5.48xlarge with 8x H100 the all_reduce test shows 480 GB/s busbw.", "The specification says 900 GB/s of NVLink, so this is 53 %. Why?")),
    Thread("nccl-1453", NCCL + "1453", "three nodes over two racks collapse, two nodes do not (asker)", LOW, ("oversubscribed",), gpu=H100, nodes=3, prefix="[0] ",
           tables=(Table("all_reduce", ((4 * MIB, 12.9), (8 * MIB, 16.2), (16 * MIB, 24.1), (32 * MIB, 29.5), (64 * MIB, 5.27), (128 * MIB, 5.22), (256 * MIB, 4.1), (512 * MIB, 5.3))),),
           lines=("8 x ConnectX-7 dual-port NICs on each node, with 200 Gb links; virtual machines.", "NCCL version 2.22.3+cuda12.5",
                  "node0:227602:227667 [0] NCCL INFO NCCL_IB_HCA set to mlx5_1,mlx5_2,mlx5_3,mlx5_4,mlx5_5,mlx5_6,mlx5_7,mlx5_8",
                  "node0:227602:227667 [0] NCCL INFO NVLS multicast support is available on dev 0",
                  "node0:227602:227667 [0] NCCL INFO comm 0x1 rank 0 nRanks 24 nNodes 3 localRanks 8 localRank 0 MNNVL 0")),
    Thread("nccl-tests-196", TESTS + "196", "over the NIC's rate by a tree between two nodes (NVIDIA); the rate is chosen", FINE, gpu="NVIDIA H100 PCIe", nodes=2, tables=reduced(16.0),
           lines=("8x H100 PCIe with 4 NVLink bridges, no NVSwitch", "single Intel 100Gbps network card in each node")),
    Thread("nccl-1603, all-reduce", NCCL + "1603", "18 GB/s through host memory, 22 with P2P: good (asker)", FINE, gpu="NVIDIA GeForce RTX 4090", local=4, tables=reduced(22.0), lines=NCCL_4090),
    Thread("nccl-1603, all-to-all", NCCL + "1603", "CPUs are poor PCIe switches: P2P across them is slow in all-to-all, host memory gives 18 (NVIDIA)", LOW,
           ("pcie_path", "forced_setting"), gpu="NVIDIA GeForce RTX 4090", local=4, tables=(flat("all_to_all", 2.0),), lines=NCCL_4090),
    Thread("aicr-1413", "github.com/NVIDIA/aicr/issues/1413", "first measured baseline, all NICs in use (author)", FINE,
           lines=("RoCE NCCL all_reduce_perf on GB300 (p6e-gb300r, ConnectX-8 RoCE), 8 GPUs = 4/node x 2 nodes.",
                  "Peak busbw about 387 GB/s (8 GB messages), against a placeholder gate of >= 40.")),
    Thread("dgx-spark-playbooks-102", SPARKS + "issues/102", "one of two halves of the port, MTU and a development build (author)", LOW, ("fewer_nics", "nccl_version", "bonded_port"),
           gpu=GB10, nodes=2, local=1, tables=(flat("all_gather", 3.04),), lines=("2 x DGX Spark, single QSFP 200G DAC, direct connection", "NCCL_SOCKET_IFNAME=enP7s7")),
    Thread("dgx-spark-playbooks-103", SPARKS + "pull/103", "both halves and a release of NCCL (author)", FINE, gpu=GB10, nodes=2, local=1, tables=(Table("all_gather", ((GIB, 23.6), (8 * GIB, 23.74))),),
           lines=("mpirun -np 2 -H a:1,b:1 -x NCCL_IB_HCA=rocep1s0f0,roceP2p1s0f0 all_gather_perf -b 1G -e 8G -f 2", "single QSFP 200G cable between the two Sparks")),
    Thread("dspark-35, one", HALVES, "one of the port's two NICs (author)", LOW, ("fewer_nics", "bonded_port"),
           lines=("Back-to-back pair of DGX Spark over one 200G QSFP cable.", "nccl-tests all_reduce with a single HCA: 98 Gb/s busbw.")),
    Thread("dspark-35, both", HALVES, "both of the port's NICs (author)", FINE,
           lines=("Back-to-back pair of DGX Spark over one 200G QSFP cable.", "nccl-tests all_reduce with both HCAs and NCCL_IB_MERGE_NICS=1: 161 Gb/s busbw.")),
    Thread("rccl-538", "github.com/ROCm/rccl/issues/538", "these GPUs are joined by PCIe, not Infinity Fabric (AMD)", FINE, lines=MI100),
    Thread("coreweave-nccl-tests-43", "github.com/coreweave/nccl-tests/pull/43", "a whole rack (operator)", FINE, gpu="NVIDIA Graphics Device", nodes=18, local=4,
           tables=(Table("all_reduce", ((GIB // 2, 586.06), (GIB, 681.17), (2 * GIB, 757.78), (4 * GIB, 839.16), (8 * GIB, 834.57))),),
           lines=("Example output for a full rack run, GB200 NVL72:",)),
    Thread("rtx6kpro, matrix", "github.com/voipmonitor/rtx6kpro (hardware/pcie-bandwidth.md)", "PCIe 5 slots of two EPYC Turin (operators)", FINE, lines=P2P_MATRIX),
    Thread("bam-54, A100", BAM, "measured peak of Gen4 x16, overheads taken off (author)", FINE,
           lines=("With an A100 on PCIe Gen4 x16 bandwidthTest shows 25 GB/s host to device.", "The theoretical value is 32 GB/s.")),
    Thread("bam-54, V100", BAM, "as above for Gen3", FINE, lines=("We measured 12 GB/s host to device on a V100; PCIe Gen3 x16 has 16 GB/s.",)),
    Thread("rocm-blog, xGMI", "rocm.blogs.amd.com/software-tools-optimization/mi300x-rccl-xgmi", "some 48 of 64 GB/s a link is what xGMI carries (AMD)", FINE,
           lines=("8x MI300X, TransferBench p2p: we get 48 GB/s unidirectional between two GPUs.", "The link is rated 64 GB/s.")),
    Thread("areal-639", "github.com/areal-project/AReaL/issues/639", "sockets instead of InfiniBand (author); the GPUs are assumed", LOW, ("tcp_sockets",),
           lines=("Cross-node collectives on two nodes of 8x H800 are 4-5x slower than expected.",
                  "NCCL INFO NET/Socket : Using [0]bond0:10.0.0.2<0>", "",
                  "| Metric | Expected (IB) | Actual (Socket) |", "|--------|--------------|-----------------|",
                  "| AllReduce 1GB | ~50ms | ~370ms |", "| Bus Bandwidth | ~25 GB/s | ~5 GB/s |")),
    Thread("nccl-tests-106", TESTS + "106", "pairs with one host reach 49, others 88: that node is slow (NVIDIA); the machine is assumed", LOW, ("slow_node",), gpu="NVIDIA A100-SXM4-80GB", nodes=2,
           tables=(flat("all_reduce", 49.36, lines=("NCCL_ALGO=Ring",)),), options=("--system", "dgx-a100", "--domains", "2", "--network", "ib-hdr", "--nics-per-domain", "4"),
           lines=("Inconsistent all_reduce busbw between 2 nodes:", "n644,n699     49.36", "n632,n641     88.36", "n641,n644     49.30", "n404,n699     86.81")),
    Thread("nccl-tests-267", TESTS + "267", "all-to-all runs at one NIC's rate: all numbers look good (NVIDIA); the rate is chosen", FINE, gpu=H100, nodes=6, tables=(flat("all_to_all", 46.0),),
           lines=("six H100 nodes, each with 8*400Gb cx7 nics, RoCE",)),
    Thread("sichek-52", "github.com/scitix/sichek/issues/52", "8 bytes are no test of bandwidth (author); the time is chosen", ("fine", "unknown"), gpu="NVIDIA H200",
           lines=("Using default expected bandwidth: 470.00 Gbps",), tables=(Table("all_reduce", ((8, 0.0005),)),)),
    Thread("nccl-tests-350, staged", TESTS + "350", "NCCL_NET_GDR_LEVEL=SYS brings 22 (asker)", LOW, ("no_gpudirect",), gpu="NVIDIA A100-PCIE-40GB", nodes=2, local=1,
           tables=(flat("gather", 13.0, sizes=(128 * MIB, GIB, 4 * GIB)),), lines=SINGLE_A100),
    Thread("nccl-tests-350, direct", TESTS + "350", "expected bandwidth up to 6 GB (asker)", FINE, gpu="NVIDIA A100-PCIE-40GB", nodes=2, local=1,
           tables=(flat("gather", 22.0, sizes=(128 * MIB, GIB, 4 * GIB)),), lines=(*SINGLE_A100, "NCCL_NET_GDR_LEVEL=SYS")),
)
# fmt: on
