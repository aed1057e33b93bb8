"""Threads found on 2026-11-28, tenth round: written down after the ninth round's mends, before the code was asked."""

from tests.figures.threads import Thread
from tests.figures.threads_2026_11 import FINE, LOW

NIXL = "github.com/ai-dynamo/nixl/"
NCCL = "github.com/NVIDIA/nccl/issues/"
DEEPEP = "github.com/deepseek-ai/DeepEP/issues/"
H20 = "Hardware: 2 nodes x 8x H20 GPUs. Network: RoCE, CX6 InfiniBand NICs"
UCX_HEAD = (
    "+--------------+--------------+------------------------------+---------------------+-----------------------+",
    "|              |              |       overhead (usec)        |   bandwidth (MB/s)  |  message rate (msg/s) |",
    "+--------------+--------------+----------+---------+---------+----------+----------+-----------+-----------+",
    "|    Stage     | # iterations | 50.0%ile | average | overall |  average |  overall |  average  |  overall  |",
    "+--------------+--------------+----------+---------+---------+----------+----------+-----------+-----------+",
)
NIXL_HEAD = (
    "Block Size (B)      Batch Size     B/W (GB/Sec)   Avg Lat. (us)  Avg Prep (us)  P99 Prep (us)",
    "----------------------------------------------------------------------------------------------",
)

# fmt: off
THREADS = (
    Thread("nccl-1856", NCCL + "1856", "40 again with a fourth machine (asker)", LOW,
           lines=("8 GPUs without NVLink, two PCIe switches, each connecting 4 GPUs + one 400Gbps NIC. Any two machines can achieve 40GB/s all-gather performance,",
                  "but when all three machines participate in all-gather, the performance drops to 20GB/s.")),
    Thread("nccl-tests-326", "github.com/NVIDIA/nccl-tests/issues/326", "exactly what is expected of H100 (NVIDIA)", FINE,
           lines=("I ran the all_gather benchmark on the system (8 H100 GPU, NVLink) and the results show that the bandwidth is saturated at ~360 GB/s for busbw.",
                  "./build/all_gather_perf -b 128M -e 16384M -f 2 -g 8")),
    Thread("nccl-tests-175", "github.com/NVIDIA/nccl-tests/issues/175", "as A100 boards do (asker)", FINE,
           lines=("A100 * 8, singleNode, ./build/all_reduce_perf -b 8 -e 4G -f 2 -g 8, result: 232.54GB/s",)),
    Thread("ucx-9212, host", "github.com/openucx/ucx/issues/9212", "what the adapter carries (asker)", FINE,
           lines=("Inter-node transfers on a ConnectX6 200Gbit: I get around ~24000MB/s using host memory.",)),
    Thread("ucx-9212, GPU", "github.com/openucx/ucx/issues/9212", "half of the same test in host memory (asker; perftest 241)", LOW, ("pcie_path", "no_gpudirect", "numa"),
           lines=("inter-node GPU->GPU data transfers on a ConnectX6 200Gbit, ucx_perftest -m cuda", *UCX_HEAD,
                  "[thread 0]               209      0.360  4951.277  4951.277    12925.96   12925.96         202         202",
                  "[thread 0]               401      0.370  5385.354  5159.115    11884.08   12405.23         186         194",
                  "[thread 0]               753      0.370  5683.977  5406.239    11259.72   11838.17         176         185")),
    Thread("nixl-922", NIXL + "issues/922", "a thousandth of the links (asker)", LOW,
           lines=("I ran nixlbench and the BW numbers I see for VRAM<->VRAM transfers using the default UCX backend is very low (~0.4GB/s).",
                  "Both GPUs (A100 80GB) are interconnected over NVLink with peak at 300 GB/s")),
    Thread("nixl-1647", NIXL + "pull/1647", "85 % of the line (author)", FINE,
           lines=("2x MI355X nodes, AMD AINIC 400 Gb/s ports, RoCE v2. nixlbench UCX backend (DRAM) at 16 MB blocks: 42.6 GB/s.",)),
    Thread("nixl-1021", NIXL + "issues/1021", "a thousandth of raw UCX (asker)", LOW,
           lines=("| Test | Bandwidth | Transport | Hardware |", "|------|-----------|-----------|----------|",
                  "| nixlbench | 0.324 GB/s | UCX via NIXL over EFA | 2x H100 80GB |")),
    Thread("nixl-2276", NIXL + "pull/2276", "what the plugin reaches of a 200 Gb/s NIC (author)", FINE,
           lines=("Two-node run of NIXLBench (VRAM <-> VRAM, pairwise) on A3-Mega over GPUDirect-TCPXO, 200 Gb/s NICs", *NIXL_HEAD,
                  "16777216            1              20.917711      802.1          492.5          1440.0",
                  "67108864            1              22.960000      2922.8         852.0          3070.0")),
    Thread("nixl-791", NIXL + "issues/791", "UCX took TCP over a NIC for a local copy (asker)", LOW, ("tcp_sockets",),
           lines=("I observed that running nixlbench with the UCX backend, VRAM to DRAM on one machine with an H100, yields a very low saturated bandwidth (~1.8 GB/s). UCX selects tcp/ens4047f0.",)),
    Thread("legacy-rocm-build-3496", "github.com/ROCm/legacy-rocm-build/issues/3496", "a bug that ROCm 6.3.0 mended (AMD)", LOW,
           lines=("MI300A: GPU to GPU copies are limited at 45GB/s; the expected target peak gang performance (~90GB/s) is not achieved.",)),
    Thread("DeepEP-361, before", DEEPEP + "361", "before the commit (asker)", FINE,
           lines=(H20, "[tuning] Best dispatch (FP8): SMs 24, NVL chunk 24, RDMA chunk 4: 44.00 GB/s (RDMA), 144.10 GB/s (NVL)",
                  "[tuning] Best combine: SMs 24, NVL chunk 1, RDMA chunk 8: 43.93 GB/s (RDMA), 143.85 GB/s (NVL)")),
    Thread("DeepEP-361, after", DEEPEP + "361", "half of it since a commit, found by bisection (asker)", LOW,
           lines=(H20, "[tuning] Best dispatch (FP8): SMs 24, NVL chunk 8, RDMA chunk 12: 23.18 GB/s (RDMA), 75.91 GB/s (NVL)",
                  "[tuning] Best combine: SMs 24, NVL chunk 1, RDMA chunk 8: 23.41 GB/s (RDMA), 76.65 GB/s (NVL)")),
    Thread("DeepEP-38", DEEPEP + "38", "a tenth of the documented rate (asker)", LOW,
           lines=("H100 80GB HBM3 *8/HPC, 4 * CX7 NICs 400gb/s/HPC, RoCE, 2 nodes",
                  "[tuning] Best dispatch (FP8): SMs 24, NVL chunk 28, RDMA chunk 8: 4.09 GB/s (RDMA), 13.36 GB/s (NVL)",
                  "[tuning] Best combine: SMs 24, NVL chunk 3, RDMA chunk 32: 2.97 GB/s (RDMA), 9.69 GB/s (NVL)")),
    Thread("nccl-2140, H100", NCCL + "2140", "rings, then NVLS (asker)", FINE, lines=("8x H100 (NVLS off vs on): busbw: 370 -> 480 GB/s",)),
    Thread("nccl-2140, B300", NCCL + "2140", "with NVLS (asker)", FINE, lines=("8x B300 all_reduce with NVLS on: busbw 845 GB/s, algbw 483 GB/s",)),
    Thread("ucx-py-616", "github.com/rapidsai/ucx-py/issues/616", "far below the adapter (asker)", LOW,
           lines=("Summit, two nodes, EDR InfiniBand, V100 GPUs: I see only 300MB/s using mlx5_N:1 devices for 100MB RDMA transfers.",)),
    Thread("ucx-py-1088", "github.com/rapidsai/ucx-py/issues/1088", "returns funny numbers (asker)", ("impossible", "unknown"),
           lines=("A node with 4 H100, NV6 between each two. ucx_perftest also returns 900 GB/s P2P while the theoretical bandwidth is 318 GB/s bidirectional.",)),
    Thread("nccl-1221", NCCL + "1221", "320 with rings on more than two nodes of NCCL 2.19 (asker)", FINE,
           lines=("all_reduce on 4 node (GPU 8xH100, NIC: 8x400Gb RoCE), NCCL 2.19.3: same busbw 320GB with NCCL_NVLS_ENABLE=0 and 1.",)),
)
# fmt: on
