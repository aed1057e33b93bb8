"""Threads found on 2026-11-27, sixth round: written down after the fifth round's mends, before the code was asked."""

from tests.figures.threads import GIB, MIB, Table, Thread, flat, reduced
from tests.figures.threads_2026_11 import FINE, H100, LOW, NCCL, TESTS

B200 = "NVIDIA B200"
NDR = ("--network", "ib-ndr", "--nics-per-domain", "8")
ONE_GPU_FOUR_NDR = ("--network", "ib-ndr", "--nics-per-domain", "4")
HALF_BOND = (
    "                    RDMA_Write BW Test",
    " Dual-port       : OFF\t\tDevice         : mlx5_bond_0",
    " Number of qps   : 1\t\tTransport type : IB",
    " Link type       : Ethernet",
    " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]",
)
HUNDRED = (
    "ConnectX-5 100gbps yields low speed in openmpi-4.0.1",
    "                    RDMA_Read BW Test",
    " Dual-port       : OFF\t\tDevice         : mlx5_0",
    " Number of qps   : 1\t\tTransport type : IB",
    " Mtu             : 4096[B]",
    " Link type       : IB",
    " #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]",
    " 65536      1000             11793.10            11792.50                  0.188680",
)
EIGHT_H100 = (
    "Bidirectional P2P=Enabled Bandwidth Matrix (GB/s)",
    "   D\\D     0      1      2      3 ",
    "     0 2573.10 742.30 744.10 749.00 ",
    "     1 744.50 2578.10 741.70 742.20 ",
    "     2 740.60 773.20 2569.50 744.00 ",
    "     3 739.40 742.30 772.90 2574.50 ",
)
FOUR_4090 = (
    "Enabled P2P on a modified driver, EPYC 7773X.",
    "Four RTX 4090 48GB behind one PCIe switch.",
)

# fmt: off
THREADS = (
    Thread("nccl-1264", NCCL + "1264", "what the links leave of 900 GB/s (asker's and another's measurement)", FINE,
           lines=("[P2P (Peer-to-Peer) GPU Bandwidth Latency Test]", *(f"Device: {index}, NVIDIA H100 80GB HBM3, pciBusID: {index + 1:x}, pciDeviceID: 0, pciDomainID:0" for index in range(4)), *EIGHT_H100)),
    Thread("DeepEP-16", "github.com/deepseek-ai/DeepEP/issues/16", "below 380 GB/s as the protocol leaves (answer)", FINE,
           lines=("We ran the intranode test on one H20 server with 8 GPUs and measured at most 337 GB/s over NVLink.",)),
    Thread("DeepSeek-V3-28", "github.com/deepseek-ai/DeepSeek-V3/issues/28", "the authors' own rate in one direction (authors)", FINE,
           lines=("NVLink between two H800 GPUs: 160 GB/s measured in one direction.",)),
    Thread("nccl-tests-232", TESTS + "232", "one GPU of a node goes through its own PCIe slot (NVIDIA, as in nccl#1357)", FINE, gpu=H100, nodes=2, local=1,
           tables=(Table("all_reduce", ((2 * MIB, 18.5), (8 * MIB, 36.2), (32 * MIB, 41.3), (512 * MIB, 42.3), (4 * GIB, 42.6), (16 * GIB, 42.7))),), options=ONE_GPU_FOUR_NDR),
    Thread("nccl-465", NCCL + "465", "half the rate without nv_peer_memory (asker); the GPU is assumed", LOW, ("no_gpudirect",), gpu="Tesla V100-SXM2-32GB", nodes=4, local=4, tables=reduced(6.0),
           lines=("4 nodes with one 100Gbps IB card each", "We have not set up the nv_peer_memory module yet.")),
    Thread("nccl-495", NCCL + "495", "matching expectation, though a bit low (NVIDIA)", ("fine", "low"), lines=("I use nccl-tests on two A100 machines with 8 GPUs, each machine has 8 *100 Gbps NICs (RoCE). all_reduce busbw can reach 75 GB/s.",)),
    Thread("nccl-1639", NCCL + "1639", "impressive for eight (NVIDIA)", FINE, lines=("GPU: 8x RTX 5090, CPU: 2x Xeon 8480+", "all_reduce_perf -b 1g -e 8g -g 8: max busbw 28 GB/s")),
    Thread("open-gpu-kernel-modules-36", "github.com/tinygrad/open-gpu-kernel-modules/issues/36", "direct copies of a Gen 4 slot (asker)", FINE, gpu="NVIDIA GeForce RTX 4090", local=4,
           tables=(Table("all_reduce", ((256 * MIB, 25.7), (512 * MIB, 25.8), (GIB, 25.9), (2 * GIB, 26.0))),), lines=FOUR_4090),
    Thread("open-gpu-kernel-modules-17", "github.com/tinygrad/open-gpu-kernel-modules/issues/17", "all cards in x16 slots, the speeds are excellent (asker)", FINE, gpu="NVIDIA GeForce RTX 4090", local=5,
           tables=(Table("all_reduce", ((32 * MIB, 24.7),)),)),
    Thread("rccl-1204", "github.com/ROCm/rccl/pull/1204", "the model of the machine is not matched in the virtual machine (AMD)", LOW,
           lines=("One MI300X node as a VM with 8 GPUs: all_reduce_perf reaches only about 50 GB/s busbw.",)),
    Thread("ompi-6888", "github.com/open-mpi/ompi/issues/6888", "the line rate of 100 Gb/s (asker)", FINE, lines=HUNDRED),
    Thread("coreweave-92, B200", "github.com/coreweave/nccl-tests/pull/92", "what two such nodes reach (provider)", ("fine", "high"), gpu=B200, nodes=2, tables=reduced(690.0), options=NDR),
    Thread("coreweave-92, H100", "github.com/coreweave/nccl-tests/pull/92", "what two such nodes reach (provider)", ("fine", "high"), gpu=H100, nodes=2, tables=reduced(440.6), options=NDR),
    Thread("nccl-tests-265", TESTS + "265", "240 of 395 Gb/s on a bond of two ports (asker)", LOW, ("bonded_port", "fewer_nics", "few_queues"), lines=("Bond of two 200G ports of a ConnectX-7, 400 Gb/s.", *HALF_BOND, " 65536      5000             240.31             240.12               0.458006")),
    Thread("tokenspeed-1127, fast", "github.com/lightseekorg/tokenspeed/issues/1127", "the faster of two settings (author)", FINE,
           lines=("4 GB200 NVL72 nodes with 4 GPUs each in one rack: all-reduce of 112 MiB over 16 ranks takes 506 us.",)),
    Thread("tokenspeed-1127, slow", "github.com/lightseekorg/tokenspeed/issues/1127", "without NVLS and cuMem (author)", LOW,
           lines=("4 GB200 NVL72 nodes with 4 GPUs each in one rack: all-reduce of 112 MiB over 16 ranks takes 1350 us.",)),
    Thread("nccl-tests-283", TESTS + "283", "what 248 such nodes reach (asker)", FINE, lines=("248 nodes of 8x H200 with 8x 400G InfiniBand each: all_reduce busbw 350 GB/s at 8G.",)),
    Thread("ik_llama-1018", "github.com/ikawrakow/ik_llama.cpp/issues/1018", "direct copies of Gen 4 slots (asker)", FINE,
           lines=("After the P2P driver, two RTX 4090 reach 25.9 GB/s unidirectional and 51 GB/s bidirectional.",)),
    Thread("ik_llama-1022", "github.com/ikawrakow/ik_llama.cpp/issues/1022", "direct copies of Gen 5 slots (asker)", FINE,
           lines=("P2P between two RTX 5090: 56.9 GB/s unidirectional, 111 GB/s bidirectional.",)),
    Thread("nccl-235, two", NCCL + "235", "what two nodes reach (asker)", FINE, lines=("2 p3dn.24xlarge with EFA: all_reduce_perf busbw is 10 GB/s.",)),
    Thread("nccl-235, sixteen", NCCL + "235", "60 % of Infiniband (asker)", LOW, lines=("16 x p3dn.24xlarge with EFA: all_reduce_perf busbw is only 6 GB/s.",)),
    Thread("nccl-tests-22, ring", TESTS + "22", "60 of 100 Gb/s in rings (asker)", LOW, gpu="Tesla V100-SXM2-32GB", nodes=2, tables=(flat("all_reduce", 7.5),),
           lines=("p3dn.24xlarge, EFA 100 Gbps", "NCCL_TREE_THRESHOLD=0")),
)
# fmt: on
