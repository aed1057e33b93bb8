"""Threads found on 2026-11-27, third round: written down after the second round's mends, before the code was asked."""

from tests.figures.threads import GIB, MIB, Table, Thread, flat, reduced
from tests.figures.threads_2026_11 import FINE, LOW, NCCL, TESTS

B300, GH200 = "NVIDIA B300 SXM6 AC", "NVIDIA GH200 120GB"
A100 = "NVIDIA A100-SXM4-80GB"
SIXTEEN_B300_NODES = "16 nodes , B300 * 8 + CX8 * 8 per Node"
TWO_HDR = (
    "two machines, each with 8 A100 80GB GPU and connected with 2 IB cards each with 200Gb/s bandwidth",
)

# fmt: off
THREADS = (
    Thread("nccl-2035", NCCL + "2035", "NVLS trees from four nodes on, known and mended in 2.30.3 (NVIDIA)", LOW, ("nccl_version", "forced_setting"), gpu=B300, nodes=4,
           tables=reduced(200.0), lines=(SIXTEEN_B300_NODES, "NCCL version 2.29.7+cuda13.1", "node0:100:200 [0] NCCL INFO NCCL_ALGO set by environment to NVLSTree")),
    Thread("nccl-2035, rings", NCCL + "2035", "rings of the same nodes (asker): sound, faster than calibrated systems at most", ("fine", "high"), gpu=B300, nodes=4,
           tables=reduced(760.0), lines=(SIXTEEN_B300_NODES, "NCCL version 2.29.7+cuda13.1", "node0:100:200 [0] NCCL INFO NCCL_ALGO set by environment to Ring")),
    Thread("nccl-1807", NCCL + "1807", "what eight B200 reach (asker)", FINE,
           lines=("And should the all_reduce_perf performance of 8 B200s in a single machine reach 900+?", "Ours is 830+ GB/s busbw on 8 B200.")),
    Thread("nccl-837, 2.11.4", NCCL + "837", "an eighth of what an older NCCL reaches (asker)", LOW, gpu=A100, nodes=2,
           tables=(flat("all_reduce", 7.05, sizes=(256 * MIB, GIB)),), lines=(*TWO_HDR, "NCCL version 2.11.4+cuda11.4")),
    Thread("nccl-837, 2.10.3", NCCL + "837", "above the NICs' rate by a tree between two nodes: normal (NVIDIA)", FINE, gpu=A100, nodes=2,
           tables=(flat("all_reduce", 57.06, sizes=(256 * MIB, GIB)),), lines=(*TWO_HDR, "NCCL version 2.10.3+cuda11.3")),
    Thread("nccl-tests-228", TESTS + "228", "after peer access was allowed (asker)", FINE, gpu=A100, tables=reduced(220.0)),
    Thread("nccl-1801", NCCL + "1801", "rings at the NICs' rate (asker)", FINE, gpu="NVIDIA GB200", nodes=3, local=4,
           tables=(Table("all_reduce", ((16 * GIB, 196.72),)),),
           lines=("GB200, the NVL partitions are located on different racks, so only IB communication between them is possible.", "4x 400G InfiniBand per node",
                  "NCCL version 2.27.3+cuda12.9", "node0:100:200 [0] NCCL INFO NCCL_NVLS_ENABLE set by environment to 0.",
                  "node0:100:300 [0] NCCL INFO Channel 00/0 : 8[0] -> 0[0] [receive] via NET/IB/0/GDRDMA")),
    Thread("nccl-1272, 2.20.5", NCCL + "1272", "a channel per peer too few; NCCL_NCHANNELS_PER_NET_PEER=4 mends it (asker)", LOW, ("few_channels", "nccl_version"), gpu=GH200, nodes=8, local=4,
           tables=(Table("send_recv", ((512 * MIB, 18.3),)),), lines=("NCCL version 2.20.5+cuda12.4", "node0:100:200 [0] NCCL INFO NET/OFI Selected Provider is cxi (found 4 nics)",
                  "node0:100:200 [0] NCCL INFO Using network AWS Libfabric")),
    Thread("nccl-1272, 2.19.4", NCCL + "1272", "as it was before (asker)", FINE, gpu=GH200, nodes=8, local=4,
           tables=(Table("send_recv", ((512 * MIB, 24.24),)),), lines=("NCCL version 2.19.4+cuda12.3", "node0:100:200 [0] NCCL INFO NET/OFI Selected Provider is cxi (found 4 nics)",
                  "node0:100:200 [0] NCCL INFO Using network AWS Libfabric")),
    Thread("multinode-training-guide-7", "github.com/modal-labs/multinode-training-guide/pull/7", "full bandwidth (operator)", FINE,
           lines=("H100:8 on two nodes of OCI", "The average bandwidth of all_reduce with a 4.0GB payload (50 trials, 16 ranks):", " algbw: 180.776 GBps (1446.2 Gbps)", " busbw: 338.955 GBps (2711.6 Gbps)")),
)
# fmt: on
