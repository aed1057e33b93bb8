"""Threads found on 2026-11-27, fifth round: written down after the fourth round's mends, before the code was asked."""

from tests.figures.threads import GIB, MIB, Table, Thread, flat, reduced
from tests.figures.threads_2026_11 import FINE, H100, LOW, NCCL, TESTS

A800 = "NVIDIA A800-SXM4-80GB"
A800_VMS = (
    "VM size : A800 * 8, RoCE 200Gb * 4 (for computing), RoCE 100Gb * 1 (for management)",
    "qemu 2.10, GPU passthrough, NIC SRIOV (VF)",
)
FOUR_NDR = ("--network", "ib-ndr", "--nics-per-domain", "4")
FOUR_HDR = ("--network", "roce-200", "--nics-per-domain", "4")
EIGHT_EDR = ("--network", "roce-100", "--nics-per-domain", "8")
PRO_6000 = "NVIDIA RTX PRO 6000 Blackwell Server Edition"
SIX_4090 = (
    "[P2P (Peer-to-Peer) GPU Bandwidth Latency Test]",
    *(
        f"Device: {index}, NVIDIA GeForce RTX 4090, pciBusID: {index + 1:x}, pciDeviceID: 0, pciDomainID:0"
        for index in range(6)
    ),
    "Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)",
    "   D\\D     0      1      2      3      4      5",
    "     0 723.04  19.25  21.47  20.97  21.29  21.45",
    "     1  18.39 922.88  20.83  21.36  21.49  21.42",
    "     2  21.56  20.20 921.83  21.77  21.31  21.98",
    "     3  21.46  21.44  21.76 920.79  21.64  21.86",
    "     4  20.04  21.54  21.76  16.62 922.37  20.61",
    "     5  21.44  21.59  21.80  20.15  20.67 923.46",
)
BRIDGED_2080 = tuple(
    line
    for index in (2, 3)
    for line in (
        f"GPU {index}: GeForce RTX 2080 Ti (UUID: GPU-0000000{index}-1111-2222-3333-444444444444)",
        "\t Link 0: 25.781 GB/s",
        "\t Link 1: 25.781 GB/s",
    )
)

# fmt: off
THREADS = (
    Thread("nccl-tests-380, bare metal", TESTS + "380", "two nodes with four ConnectX-7 each (asker); the GPU is assumed", FINE, gpu=H100, nodes=2, tables=reduced(320.0),
           lines=("Bare-metal all-reduce across 2 nodes with 4 ConnectX-7.",), options=FOUR_NDR),
    Thread("nccl-tests-380, machines of a host", TESTS + "380", "44 % less in virtual machines (asker)", LOW, ("pcie_path", "no_gpudirect"), gpu=H100, nodes=2, tables=reduced(180.0),
           lines=("Virtual machines, 4 passthrough ConnectX-7 NICs each; bare metal reaches 320 GB/s.",), options=FOUR_NDR),
    Thread("nccl-tests-156, bare metal", TESTS + "156", "four 200G NICs at their rate (asker)", FINE, gpu=A800, nodes=2, tables=reduced(96.0), options=FOUR_HDR),
    Thread("nccl-tests-156", TESTS + "156", "a quarter less in virtual machines, perftest as bare metal (asker)", LOW, ("pcie_path", "no_gpudirect"), gpu=A800, nodes=2, tables=reduced(76.0),
           lines=A800_VMS, options=FOUR_HDR),
    Thread("nccl-tests-153", TESTS + "153", "in-network reduction within nodes passes the NICs' rate (NVIDIA)", ("fine", "high"), gpu="NVIDIA H800", nodes=2, tables=reduced(161.0),
           lines=("two H800 servers, each with 8 H800 GPUs and 8 100Gbps Mellanox CX-6",)),
    Thread("nccl-tests-169, two", TESTS + "169", "two nodes may pass the NICs' rate (NVIDIA)", FINE, gpu="NVIDIA A100-SXM4-80GB", nodes=2, tables=reduced(100.0), options=EIGHT_EDR),
    Thread("nccl-tests-169, six", TESTS + "169", "40 of some 96 GB/s, falling with the number of nodes (asker)", LOW,
           lines=("6 machines with 8x A100 80G each and 8 RoCE NICs of 100Gb: all_reduce_perf -f 2 -b 1G -e 8G gives around 40 GB/s busbw.",)),
    Thread("nccl-1047", NCCL + "1047", "rings beat NVLS in reduce-scatter: expected (NVIDIA, in #1083)", FINE, gpu=H100,
           tables=(Table("reduce_scatter", ((128 * MIB, 311.3), (256 * MIB, 330.9), (512 * MIB, 340.9), (GIB, 349.4), (2 * GIB, 354.8), (4 * GIB, 357.8), (8 * GIB, 362.2))),),
           lines=("NCCL_ALGO=Ring",)),
    Thread("nccl-1229", NCCL + "1229", "what four such nodes reach (asker); NICs as such nodes have", FINE, gpu=H100, nodes=4, tables=(flat("reduce_scatter", 360.0),)),
    Thread("nccl-1614", NCCL + "1614", "what two such cards reach in both directions (asker)", FINE,
           lines=("After P2P was enabled on our RTX 4090 cards, the bidirectional bandwidth between two cards reached 52 GB/s.",)),
    Thread("nccl-tests-154", TESTS + "154", "a fifth of what ib_write_bw shows (asker)", LOW, gpu="NVIDIA A100-SXM4-40GB", nodes=2, local=1,
           tables=(Table("send_recv", ((MIB, 0.55), (2 * MIB, 0.58), (4 * MIB, 0.60), (8 * MIB, 0.60))),),
           lines=("2 servers, each one has 2 * 25 Gbps bonded network card, and 4 a100 gpus", "the ib_write_bw result is 23Gb/s")),
    Thread("apex-282", "github.com/NVIDIA/apex/issues/282", "both links of a bridge are up (asker)", FINE, lines=("nvidia-smi nvlink --status", *BRIDGED_2080)),
    Thread("aicr-2785", "github.com/NVIDIA/aicr/pull/2785", "what a rack in production reaches (NVIDIA)", FINE,
           lines=("Measured on a production GB200 NVL72, 72 GPUs: NCCL all-reduce over NVLS 744.71 GB/s busbw.",)),
    Thread("gardenlinux-4556", "github.com/gardenlinux/gardenlinux/issues/4556", "P2P is switched off, which costs a measurable part (author)", LOW, ("staged_copies", "forced_setting"),
           gpu=PRO_6000, local=4, tables=(Table("all_reduce", ((64 * MIB, 18.35), (128 * MIB, 18.37), (256 * MIB, 18.56), (512 * MIB, 18.76))),),
           lines=("export NCCL_P2P_DISABLE=1", "node0:100:200 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via SHM/direct/direct")),
    Thread("nccl-1017", NCCL + "1017", "NVLink SHARP within nodes lets two reach some 480 (NVIDIA)", FINE, gpu=H100, nodes=2, tables=reduced(470.0),
           lines=("8x 400G per node",)),
    Thread("nccl-766, Gen 3", NCCL + "766", "6 GB/s through a Gen3 CPU, 12 through a switch (NVIDIA)", FINE, gpu="NVIDIA GeForce RTX 2080 Ti", local=4, tables=reduced(6.5)),
    Thread("nccl-766, Gen 4", NCCL + "766", "twice that with Gen4 (NVIDIA)", FINE, gpu="NVIDIA A10", local=4, tables=reduced(13.0)),
    Thread("nccl-1712", NCCL + "1712", "such GPUs on NVLink should be near 240 GB/s (NVIDIA)", LOW, gpu="NVIDIA A100-SXM4-80GB", tables=reduced(95.0)),
    Thread("azure-ai-benchmarking-7", "github.com/Azure/AI-benchmarking-guide/issues/7", "each GPU has 900 GB/s to its switch, of which packets take a part (authors)", FINE,
           lines=("GB200 host with 4 GPUs: nvbandwidth's p2p between two GPUs is about 770 GB/s.",)),
    Thread("tinygrad-16", "github.com/tinygrad/open-gpu-kernel-modules/issues/16", "copies through host memory of cards in x16 slots (author)", FINE, lines=SIX_4090),
)
# fmt: on
