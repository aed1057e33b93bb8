"""Threads of 2026-11-28 asked by their whole openings, rounds 12 to 14, here by their figures and in other words."""

from tests.figures.threads import Thread
from tests.figures.threads_2026_11 import FINE, LOW

GITHUB = "github.com/"
OPEN, OPEN_OR_FINE, OPEN_OR_LOW = ("unknown",), ("unknown", "fine"), ("unknown", "low")
PICTURE = "![picture](https://example.org/picture.png)"
TCP_STREAM = ("| DRIVER | SCENARIO | AVG VALUE | 95% CONFIDENCE INTERVAL |", "|---|---|---|---|")
TUNING = "[tuning] SMs 16, NVL chunk 20, RDMA chunk {}: {} GB/s (RDMA), {} GB/s (NVL)"
SPARK_ROWS = (
    "# Collective test starting: all_gather_perf",
    "#  Rank  0 Group  0 Pid 1935208 on   node0 device  0 [000f:01:00] NVIDIA GB10",
    "#  Rank  1 Group  0 Pid 1278829 on   node1 device  0 [000f:01:00] NVIDIA GB10",
    "#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong",
    " 17179869184    2147483648     float    none      -1   453650   37.87   18.94       0   410049   41.90   20.95       0",
)
MATRIX_4090 = (
    "Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)", "   D\\D     0      1      2", "     0 911.08  20.10  22.16", "     1  20.39 920.20  22.26", "     2  22.18  22.37 920.74",
    "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)", "   D\\D     0      1      2", "     0 912.68   9.90   9.90", "     1   9.90 922.37   9.90", "     2  10.01  10.01 922.24",
)  # fmt: skip
SLOT_4 = (
    '<pci busid="0000:01:00.0" device="0x2684" link_speed="16.0 GT/s PCIe" link_width="16">',
    '<gpu dev="0" sm="89" rank="0" gdr="0"/>',
)
MATRIX_X4 = (
    "Device: 0, NVIDIA GeForce RTX 4090, pciBusID: 2, pciDeviceID: 0, pciDomainID:0", "Device: 1, NVIDIA GeForce RTX 4090, pciBusID: 17, pciDeviceID: 0, pciDomainID:0",
    "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)", "   D\\D     0      1", "     0 1015.27   6.60", "     1   6.60 945.63",
)  # fmt: skip

# fmt: off
THREADS = (
    Thread("nccl-325", GITHUB + "NVIDIA/nccl/issues/325", "a collision of routes in the fabric (maintainer, asker)", LOW, ("oversubscribed", "slow_node"),
           lines=("Rings of NCCL over InfiniBand between nodes 1 + 2 (25 GB/s), between nodes 1 + 3 (39 GB/s).",)),
    Thread("nccl-464", GITHUB + "NVIDIA/nccl/issues/464", "one send and receive does not fill the link (maintainer)", LOW, ("few_channels", "tcp_sockets"),
           lines=("2 machines, each with 8V100 and a 100Gbps network card; ncclSend and ncclRecv of 64MB by sockets: I only get ~28Gbps for send/recv.",)),
    Thread("rocm-systems-3272", GITHUB + "ROCm/rocm-systems/pull/3272", "a build picked a degraded topology (author)", LOW, ("nccl_version", "few_channels", "pcie_instead_of_nvlink"),
           lines=("Before, on mi300x: crossNic 2, nChannels 16", "- 16G all-reduce bus BW ~94 GB/s", "RCCL version : 2.28.3-develop:360c5c6", "Hostname     : node-mi300x-4")),
    Thread("iperf-286", GITHUB + "esnet/iperf/issues/286", "iperf3 of that age is one thread (maintainer)", LOW, ("few_queues",),
           lines=("Two hosts with 100g Nics on a 100g switch, iperf and then iperf3:", "[SUM]  0.0-30.0 sec    337 GBytes  96.4 Gbits/sec", "iperf3 -c HOST -P 16:",
                  "[SUM]   0.00-30.00  sec   123 GBytes  35.2 Gbits/sec    0             sender", "[SUM]   0.00-30.00  sec   123 GBytes  35.2 Gbits/sec                  receiver")),
    Thread("iperf-408", GITHUB + "esnet/iperf/issues/408", "one stream on one core (maintainer)", LOW, ("few_queues",),
           lines=("iperf3 on a 40Gb Network", "[ ID] Interval           Transfer     Bandwidth       Retr", "[  4]   0.00-10.00  sec  4.87 GBytes  4.18 Gbits/sec                  receiver")),
    Thread("k8s-netperf-102", GITHUB + "cloud-bulldozer/k8s-netperf/issues/102", "iperf3 without threads (author)", LOW, ("few_queues",),
           lines=("On a 100Gbps nic:", *TCP_STREAM, "| netperf | TCP_STREAM | 84504.846667 (Mb/s) | 79678.284239-89331.409094 (Mb/s) |",
                  "| iperf3 | TCP_STREAM | 6544.064512 (Mb/s) | 5633.842639-7454.286385 (Mb/s) |")),
    Thread("pcm-923", GITHUB + "intel/pcm/issues/923", "as it should be (asker)", FINE, lines=("Two hosts, each with the ib port of mlx5_0 (400Gb): ib_write_bw shows that the ib bandwidth is 44GB.",)),
    Thread("LMCache-4626", GITHUB + "LMCache/LMCache/issues/4626", "the rate of the slot (author)", FINE,
           lines=("Benchmark of an NVIDIA L20, pinned DRAM", "| Direction | Raw GPU transfer | LMCache |", "|---|---|---|", "| Load (H2D) | 25.07 GB/s | 22.1 GB/s |")),
    Thread("club-3090-895", GITHUB + "noonghunna/club-3090/pull/895", "a card behind the chipset (author)", LOW, ("pcie_path", "slow_gpu", "numa"),
           lines=("All-reduce of 3x 3090 measured, PCIe 4.0 x8, PHB:", "| pair | attachment | bandwidth |", "|---|---|---|", "| GPU1, GPU2 | CPU lanes | 13.17 GB/s |", "| GPU0, GPU1 | chipset | ~6.5 GB/s |")),
    Thread("dgx-spark-playbooks-108", GITHUB + "NVIDIA/dgx-spark-playbooks/pull/108", "the adapter comes up degraded; power off (author)", LOW, ("pcie_path", "slow_port"),
           lines=("DGX Spark, the ConnectX-7 link is 200 Gb/s: TCP measured 12.86 Gb/s.", "ib_write_bw with eight QPs measured 13.23 Gb/s.")),
    Thread("azurehpc-health-checks-46", GITHUB + "Azure/azurehpc-health-checks/issues/46", "pinned by the GPU's node, not the NIC's (asker)", LOW, ("numa", "pcie_path"),
           lines=("NDv4 (40GB A100), ib_write_bw of the health check: only ~30 Gbps achieved.", "With another pinning ib_write_bw achieved ~194 Gbps.")),
    Thread("nccl-209", GITHUB + "NVIDIA/nccl/issues/209", "TCP with eight GPUs a node (asker, maintainer)", LOW, ("tcp_sockets",),
           lines=("All-reduce over 32GbE of a cloud", "| bus bandwidth / Gbit/s | nodes | GPUs per node |", "| --- | --- | --- |", "| 30.6, 31.0, 31.4 | 2 | 1 |", "| **14.5, 14.8, 14.9** | 2 | 8 |")),
    Thread("Mooncake-1668", GITHUB + "kvcache-ai/Mooncake/issues/1668", "one queue pair on one half of the bond (asker)", LOW, ("few_queues", "bonded_port"),
           lines=("The bonded NIC has a peak bandwidth of 50 GB/s; Mooncake over RDMA achieved 37 GB/s.", "With slices of 1 MB one QP is used: 23GB/s bandwidth.")),
    Thread("ucx-py-369", GITHUB + "rapidsai/ucx-py/issues/369", "TCP beside EDR at its rate (author)", LOW, ("few_queues", "tcp_sockets"),
           lines=("Round trips of UCX-py on a DGX1", "## TCP", "400.30 MB / s", "## IB", "10.30 GB / s")),
    Thread("nccl-814", GITHUB + "NVIDIA/nccl/issues/814", "the cards' driver carries no direct copies well (maintainer)", LOW, ("pcie_path", "staged_copies"), lines=(*SLOT_4, *MATRIX_4090)),
    Thread("DeepEP-336", GITHUB + "deepseek-ai/DeepEP/issues/336", "figures in a picture", OPEN, lines=("2 H800 servers with 4 CX7 cards each, test_internode.py: the bandwidth is far too low", PICTURE)),
    Thread("fiddler-7", GITHUB + "efeslab/fiddler/issues/7", "memory that was not pinned (asker)", LOW, ("pageable",),
           lines=("Weights of 300MB from CPU to GPU take 50ms on an L4, only 6GB/s, much slower than PCIe Gen4 x16 64GB/s",)),
    Thread("DeepEP-51", GITHUB + "deepseek-ai/DeepEP/issues/51", "as published: logical rates (authors)", FINE,
           lines=("test_internode.py on 2 nodes of 8x H800 with IB", TUNING.format(4, 25.68, 83.83), TUNING.format(16, 43.24, 141.14), TUNING.format(24, 43.04, 140.48))),
    Thread("DeepEP-82", GITHUB + "deepseek-ai/DeepEP/issues/82", "routes without adaptive routing (author)", LOW, ("oversubscribed",),
           lines=("4 H800-servers on IB, picture", "4 H100 servers on RoCE, 8 GPUs each:", "[tuning] Best dispatch (FP8): SMs 24, NVL chunk 8, RDMA chunk 8: _**29.92 GB/s**_ (RDMA), 60.35 GB/s (NVL)",
                  "[tuning] Best combine: SMs 24, NVL chunk 1, RDMA chunk 16: **_13.59 GB/s_** (RDMA), 27.41 GB/s (NVL)")),
    Thread("perftest-252", GITHUB + "linux-rdma/perftest/issues/252", "figures in a file", OPEN, lines=("ib_read_bw is much slower than 200Gb/s", "[log](https://example.org/ib_read_bw.txt)")),
    Thread("cupy-1937", GITHUB + "cupy/cupy/issues/1937", "get() allocates pageable memory (maintainers)", LOW, ("pageable",),
           lines=("GTX1080TI, device to host into a pinned buffer: CuPy achieved 3.2 GB/sec.", "CUDA C achieved 11.5 GB/sec.")),
    Thread("GPU-PCIe-Test-3", GITHUB + "procrastineto/GPU-PCIe-Test/issues/3", "the tool's measurement is unreal (author)", ("impossible",), lines=("Host to device is unreal: I got 457GBs on a 5080 at gen 5x16",)),
    Thread("ucx-11259", GITHUB + "openucx/ucx/issues/11259", "no figure; the far NIC is used (asker)", OPEN_OR_LOW, lines=("Two servers with 8 A100 and 2 CX7 each: from card 0 to card 7 the bandwidth is half of the NIC's.",)),
    Thread("3FS-53", GITHUB + "deepseek-ai/3FS/issues/53", "the NIC has 400 Gb/s (maintainer)", ("impossible", "unknown"), lines=("A node has 1x200 Gbps NIC, how can it read 40 GiB/s",)),
    Thread("nccl-tests-312", GITHUB + "NVIDIA/nccl-tests/issues/312", "as in-network reduction shows", FINE, lines=("NCCL_ALGO=NVLS all_reduce_perf -g 8: busbw reaches 480 GB/s on H20, H100 and H200",)),
    Thread("cubecl-539", GITHUB + "tracel-ai/cubecl/issues/539", "memory that was not pinned (asker)", LOW, ("pageable",),
           lines=("A laptop, copies from host to device of 24 MiB: pageable memory, throughput is 0.7 GiB/s.", "Pinned memory: throughput is 11.4 GiB/s.")),
    Thread("rccl-1210", GITHUB + "ROCm/rccl/issues/1210", "a constant of the library", OPEN_OR_FINE, lines=("4 MI300X GPUs, AllGather: the log shows XGMI[48.0], RCCL takes a XGMI link as 48GB/s",)),
    Thread("dgx-spark-playbooks-25", GITHUB + "NVIDIA/dgx-spark-playbooks/issues/25", "both halves of the port (asker)", FINE, lines=SPARK_ROWS),
    Thread("cuda-samples-392", GITHUB + "NVIDIA/cuda-samples/issues/392", "what six links of a pair carry", FINE,
           lines=("4xH100-80GB, p2pBandwidthLatencyTest bidirectional: GPU0-GPU1 = 260.89 GB/s", "The spec says that the NVLink bandwidth is 300 GB/s")),
    Thread("DeepEP-397", GITHUB + "deepseek-ai/DeepEP/issues/397", "half of what is published on four nodes", LOW,
           lines=("4x8H100, test_internode.py", "[tuning] Best dispatch (BF16): SMs 24, NVL chunk 40, RDMA chunk 4, transmit: 6881.00 us, notify: 160.81 us, BW: 30.80 GB/s (RDMA), 61.85 GB/s (NVL)")),
    Thread("rmm-451", GITHUB + "rapidsai/rmm/issues/451", "far below the slot (asker)", LOW, ("pageable",), lines=("Azure V100, pinned memory, host->device copies: only getting ~2 GB/s",)),
    Thread("Mooncake-49", GITHUB + "kvcache-ai/Mooncake/issues/49", "a fraction of the NIC (asker)", LOW, lines=("transfer_engine_bench between two machines with a 100Gb rdma network card: the bandwidth is only 6.9Gb.",)),
    Thread("aws-k8s-tester-503", GITHUB + "aws/aws-k8s-tester/pull/503", "an average over all sizes", OPEN, lines=("# Out of bounds values : 0 OK", "# Avg bus bandwidth    : 92.3405", "p5.48xlarge")),
    Thread("tinygrad-44", GITHUB + "tinygrad/open-gpu-kernel-modules/issues/44", "slots of four lanes", LOW, ("pcie_path", "staged_copies"), lines=MATRIX_X4),
)
# fmt: on
