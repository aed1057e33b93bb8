"""Threads found on 2026-11-28, eighth round: written down, with their answers, before the code was asked or changed."""

from tests.figures.threads import Thread
from tests.figures.threads_2026_11 import FINE, LOW, TESTS

DEEPEP = "github.com/deepseek-ai/DeepEP/issues/"
TUNED_H100 = (
    "DeepEP on 2 nodes, each with 8 H100 and 8 NICs of 400 Gb/s. We get around 25 GB/s for dispatch and combine.",
    "[tuning] SMs 24, NVL chunk 32, RDMA chunk 28: 24.19 GB/s (RDMA), 79.12 GB/s (NVL)",
    "[tuning] Best dispatch (BF16): SMs 24, NVL chunk 20, RDMA chunk 32: 25.80 GB/s (RDMA), 84.39 GB/s (NVL)",
    "[tuning] Best combine: SMs 24, NVL chunk 2, RDMA chunk 28: 25.22 GB/s (RDMA), 82.51 GB/s (NVL)",
)
FOUR_IB = (
    "2 nodes, 8 H100 per node, 4 IB cards per node (400 Gb/s). The result of test_internode.py is",
    "[tuning] Best dispatch (FP8): SMs 24, NVL chunk 20, RDMA chunk 32: 4.47 GB/s (RDMA), 9.00 GB/s (NVL)",
    "[tuning] Best dispatch (BF16): SMs 24, NVL chunk 24, RDMA chunk 32: 4.72 GB/s (RDMA), 9.51 GB/s (NVL)",
    "[tuning] Best combine: SMs 24, NVL chunk 4, RDMA chunk 32: 4.71 GB/s (RDMA), 9.50 GB/s (NVL)",
)
LATENCY_H800 = (
    "tests/test_low_latency.py on 2 nodes with 16 H800 (8 per node), 400G CX7.",
    "[rank 1] Dispatch + combine bandwidth: 42.24 GB/s, avg_t=521.97 us, min_t=517.44 us, max_t=527.33 us",
    "[rank 2] Dispatch + combine bandwidth: 42.23 GB/s, avg_t=522.16 us, min_t=517.09 us, max_t=527.94 us",
    "[rank 0] Dispatch + combine bandwidth: 42.25 GB/s, avg_t=521.91 us, min_t=515.78 us, max_t=526.18 us",
)
TUNED_H20 = (
    "Two nodes, each with 8 H20 GPUs, CX6 network (200 Gb/s, RoCE).",
    "[tuning] Best dispatch (FP8): SMs 24, NVL chunk 8, RDMA chunk 32: 17.77 GB/s (RDMA), 58.21 GB/s (NVL)",
    "[tuning] Best dispatch (BF16): SMs 24, NVL chunk 24, RDMA chunk 32: 21.00 GB/s (RDMA), 68.76 GB/s (NVL)",
    "[tuning] Best combine: SMs 24, NVL chunk 1, RDMA chunk 32: 22.66 GB/s (RDMA), 74.21 GB/s (NVL)",
)
LATENCY_H20 = (
    "H20, 2 nodes, test_low_latency.py with 128 tokens:",
    "[rank 2] Dispatch + combine bandwidth: 0.26 GB/s, avg_t=83610.61 us, min_t=924.03 us, max_t=377962.68 us",
    "[rank 4] Dispatch + combine bandwidth: 0.26 GB/s, avg_t=83610.93 us, min_t=644.26 us, max_t=377964.57 us",
)
DISPATCH_GB200 = (
    "DeepEP on a single GB200 host with 4 GPUs, intranode kernel:",
    "",
    "| | Best config | BW (GB/s) | Latency (us) |",
    "|---|---|---|---|",
    "| Dispatch | SMs 24, NVL chunk 16 | 169 | 690 |",
    "| Combine | SMs 24, NVL chunk 16 | 135 | 861 |",
)
MSCCLPP = (
    "AllReduce on 2 nodes of 8x A100 with 8x 200G InfiniBand, 16 ranks, MSCCL++:",
    "[1,0]<stdout>:# Initializing MSCCL++",
    "[1,0]<stdout>:# Setting up the connection in MSCCL++",
    "[1,0]<stdout>:#",
    "[1,0]<stdout>:#                                        in-place                       out-of-place",
    "[1,0]<stdout>:#       size         count     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong",
    "[1,0]<stdout>:#        (B)    (elements)     (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)",
    "[1,0]<stdout>:  3221225472     805306368    28286  113.88  213.53      0",
    "[1,0]<stdout>:",
    "[1,0]<stdout>:# Out of bounds values : 0 OK",
)
MOONCAKE = (
    "Two machines with 8 GPUs (H100) and 8 RDMA NICs of 400 Gbps each, one GPU to one NIC.",
    "CPU RDMA (DRAM): we achieved approximately 47 GB/s, the hardware's line rate.",
    "GPU RDMA (VRAM): with -DUSE_CUDA=ON the bandwidth drops to approximately 15 GB/s.",
)
IPERF = (
    "Two DGX Spark through a switch, 200 G DACs.",
    "iperf3 -c peer -P 16 -t 20 gives 96.2 Gbit/s, half of the 200 G line rate.",
)
P2PMARK = (
    "8x RTX PRO 6000 Blackwell Max-Q behind PCIe switches, p2pmark:",
    "===========================================================",
    "PCIe LINK SCORE: 0.86",
    "(54.30 GB/s avg / 63.0 GB/s PCIe 5.0 x16 theoretical)",
)
TWO_OR_ONE = (
    "Two nodes, one GPU on each, V100 PCIe. Every IB card has 100Gbps.",
    "all_reduce_perf -b 1G -e 3G: no matter how many IB cards I use, one or two, the bandwidth is always around 5.7GBps.",
)

# fmt: off
THREADS = (
    Thread("DeepEP-155", DEEPEP + "155", "the rail mapping is tried; shmem_put_bw reaches 47 (asker)", LOW, lines=TUNED_H100),
    Thread("DeepEP-60", DEEPEP + "60", "a tenth of the authors' 43 GB/s, with 4 NICs for 8 GPUs (asker, authors)", LOW, ("fewer_nics",), lines=FOUR_IB),
    Thread("DeepEP-28", DEEPEP + "28", "this part is normal (asker)", FINE, lines=LATENCY_H800),
    Thread("DeepEP-138", DEEPEP + "138", "what such nodes reach (asker's baseline)", FINE, lines=TUNED_H20),
    Thread("DeepEP-148", DEEPEP + "148", "a hundredth of the other kernel's rate (asker)", LOW, lines=LATENCY_H20),
    Thread("DeepEP-394", DEEPEP + "394", "a fifth of the links (asker)", LOW, lines=DISPATCH_GB200),
    Thread("mscclpp-114", "github.com/microsoft/mscclpp/pull/114", "what the authors reach on two nodes", ("fine", "high"), lines=MSCCLPP),
    Thread("nvbandwidth-6", "github.com/NVIDIA/nvbandwidth/issues/6", "one GPU of four at a quarter of the others (asker)", LOW,
           lines=("A single node H100 VM with 4 GPUs. nvbandwidth: the bandwidths between the host and device 0, 1, 2 and 3 are 14.2, 57.06, 56.68 and 57.07 GB/s.",)),
    Thread("Mooncake-1459", "github.com/kvcache-ai/Mooncake/issues/1459", "host memory reaches line rate, GPU memory a third (asker)", LOW, ("no_gpudirect", "pcie_path"), lines=MOONCAKE),
    Thread("nccl-tests-297", TESTS + "297", "the better of two drivers (asker)", ("fine", "high"),
           lines=("H100 8 GPUs, 4 IB ports of 400G, two nodes", "mpirun -H node1:8,node2:8 --map-by slot all_reduce_perf -b 1G -e 30G -n 10 -c 0 -f 2", "# Out of bounds values : 0 OK", "# Avg bus bandwidth    : 362.198")),
    Thread("nccl-527, one", "github.com/NVIDIA/nccl/issues/527", "what one such node reaches (asker)", FINE,
           lines=("One p4d.24xlarge, all_reduce of 1 GiB:", "1 node: algbw 131.87 GB/s, busbw 230.77 GB/s")),
    Thread("forum-273376", "forums.developer.nvidia.com/t/273376", "people are satisfied with 96 (asker)", FINE,
           lines=("I am using EDR x 4 InfiniBand. When I run ib_write_bw the bandwidth ceiling is 96.6Gbps instead of 100Gbps.",)),
    Thread("catharsis, iperf", "catharsis.net.au/blog/nvidea-dgx-spark-benchmarking", "MTU and buffers were not tuned (author)", LOW, lines=IPERF),
    Thread("ucx-10936", "github.com/openucx/ucx/issues/10936", "a quarter of the links (asker, labelled bug)", LOW,
           lines=("A single server with 8 H20 GPUs connected via NVLink (NV18), theoretical some 400 GB/s.", "ucx_perftest between two GPUs only reaches 80 GB/s.")),
    Thread("ucx-py-406", "github.com/rapidsai/ucx-py/pull/406", "two links of a DGX-1 at 92 % (authors)", FINE,
           lines=("DGX-1 with 8x V100. Send-recv between GPU 1 and GPU 2 over NVLink: average 45.93 GB/s.",)),
    Thread("p2pmark", "github.com/lukealonso/p2pmark", "86 % of a slot (author)", FINE, lines=P2PMARK),
    Thread("forum-352186", "forums.developer.nvidia.com/t/352186", "both directions near the slot's rate (asker)", FINE,
           lines=("8x A100-SXM4-80GB, PCIe 4.0 x16. nvbandwidth, unidirectional: both H2D and D2H achieve ~25 GB/s.",)),
    Thread("nccl-243", "github.com/NVIDIA/nccl/issues/243", "half a card however many there are (asker); the GPU is assumed", LOW, lines=TWO_OR_ONE),
    Thread("gdrcopy-221", "github.com/NVIDIA/gdrcopy/issues/221", "what writes of a CPU through the BAR reach (NVIDIA)", ("fine", "unknown"),
           lines=("GDRCopy to a Tesla V100: the write bandwidth is 9224.36 MB/s. GPUDirect RDMA reaches 11750 MB/s elsewhere.",)),
)
# fmt: on
