"""A fifth set: published times of kinds that calibrated nothing, GB/s of bus bandwidth.

Found by search on 2026-11-28 and priced by 1.13 before anything was changed. What chose a rule of 1.14 is
`estimated_on`. Where a page does not say a network's
rate it follows from the largest bus bandwidth or from its nodes; such sites say "rate inferred". Times in
microseconds of a page were turned into bus bandwidth.
"""

from core.provenance import Source
from core.units import GIB, KIB, MIB
from tests.figures.curve import Curve

A4X_MAX = Source(
    "gke-a4x-max",
    "Run NCCL on custom GKE clusters that use A4X Max",
    "cloud.google.com, AI Hypercomputer documentation, two trays of separate NVLink domains, NCCL 2.28.9",
    "2026-04-06",
)
H800_NODE = Source(
    "h800-nf5688", "nccl-tests on eight H800", "log of a NF5688M7, NCCL 2.18.3, one process", "2023"
)
OLIVIA = Source(
    "olivia",
    "NCCL on Olivia, and NCCL and apptainer",
    "documentation.sigma2.no, GH200 on Slingshot, NCCL 2.29 and 2.30; rows with wrong results left out",
    "2026-05",
)
RTX_5090_PEERS = Source(
    "rtx-5090-peers",
    "Open kernel module with peer access: eight RTX 5090",
    "sample output of all_reduce_perf in the README of a kernel module 610.43, NCCL 2.29.7",
    "2026",
)
A100_SLOTS = Source(
    "a100-slots", "Notes on GPU communication: four A100 PCIe", "all_reduce_perf -g 4 on sm02", "2024"
)
G7E = Source(
    "g7e",
    "ParallelCluster with g7e.8xlarge",
    "nccl-test of two nodes, one EFA of 100 Gb/s each",
    "2026-03-12",
)
ISSUE_1455 = Source(
    "nccl-1455", "nccl issue 1455", "github.com/NVIDIA/nccl/issues/1455, 2 to 4 GiB", "2024-09-19"
)
NVLS_BENCH = Source(
    "nvls-collnet",
    "NCCL benchmarks with and without NVLS",
    "two H100 nodes, NCCL 2.28.3, 8 GiB",
    "2026-03-05",
)
MSCCLPP_794 = Source("mscclpp-794", "mscclpp pull 794", "github.com/microsoft/mscclpp/pull/794", "2026-04-28")
SGLANG_37442 = Source(
    "sglang-37442",
    "SGLang pull 37442: eight GB200 trays of one NVLink domain",
    "github.com/sgl-project/sglang/pull/37442",
    "2026-09-01",
)
SGLANG_22734 = Source(
    "sglang-22734",
    "SGLang pull 22734: MSCCL++ integration, eight H200",
    "github.com/sgl-project/sglang/pull/22734",
    "2026",
)
ISSUE_178 = Source(
    "nccl-tests-178",
    "nccl-tests issue 178",
    "github.com/NVIDIA/nccl-tests/issues/178, bridged pairs",
    "2023-11-17",
)
ISSUE_1639 = Source("nccl-1639", "nccl issue 1639", "github.com/NVIDIA/nccl/issues/1639", "2025-03-14")
ROCM_GRAPH = Source(
    "rocm-blog-graph",
    "Understanding RCCL bandwidth and xGMI on MI300X, in a graph",
    "rocm.blogs.amd.com/software-tools-optimization/mi300x-rccl-xgmi, -G 1",
    "2025-03-02",
)

# fmt: off
CURVES = (
    Curve("A4X Max, 2 trays of 4 GB300", "gb300", "nvlink5", 4, "all_gather", A4X_MAX,
        {4 * KIB: 0.126, 16 * KIB: 0.502, 64 * KIB: 1.72, 256 * KIB: 5.96, MIB: 14.4, 4 * MIB: 54.2, 16 * MIB: 77.4, 64 * MIB: 234, 256 * MIB: 327, GIB: 338, 4 * GIB: 355, 16 * GIB: 357}, domains=2, network="roce-800", nic_gb_per_s=100, calibrated_on=False),
    Curve("A4X Max, 2 trays of 4 GB300, JobSet", "gb300", "nvlink5", 4, "all_gather", A4X_MAX,
        {KIB: 0.0197, 16 * KIB: 0.308, 64 * KIB: 1.15, 256 * KIB: 4.2, MIB: 10.7, 4 * MIB: 51.1, 16 * MIB: 74.9, 64 * MIB: 230, 256 * MIB: 317, GIB: 351, 8 * GIB: 360}, domains=2, network="roce-800", nic_gb_per_s=100, calibrated_on=False),
    Curve("8 H800 in one process", "h800-sxm", "nvlink4", 8, "broadcast", H800_NODE,
        {KIB: 0.04, 16 * KIB: 0.64, 64 * KIB: 2.45, 256 * KIB: 7.86, MIB: 24.2, 4 * MIB: 92.9, 16 * MIB: 136, 64 * MIB: 156, 256 * MIB: 163, GIB: 165, 2 * GIB: 165}, launch="one-process", calibrated_on=False),
    Curve("Olivia, 2 nodes of 4 GH200", "gh200", "nvlink4", 4, "all_reduce", OLIVIA,
        {KIB: 0.0554, 16 * KIB: 0.784, 64 * KIB: 1.87, 256 * KIB: 2.33, MIB: 20.3, 4 * MIB: 48.7, 16 * MIB: 76.5, 64 * MIB: 88.1, 128 * MIB: 102}, domains=2, network="slingshot-200", nic_gb_per_s=25, calibrated_on=False),
    Curve("Olivia, 4 nodes of 4 GH200", "gh200", "nvlink4", 4, "all_reduce", OLIVIA,
        {KIB: 0.0488, 16 * KIB: 0.509, 64 * KIB: 1.62, 256 * KIB: 6.42, MIB: 15.1}, domains=4, network="slingshot-200", nic_gb_per_s=25, calibrated_on=False),
    Curve("8 RTX 5090 with peer access in one process", "rtx-5090", "pcie5-x16", 8, "all_reduce", RTX_5090_PEERS,
        {KIB: 0.0727, 16 * KIB: 0.753, 64 * KIB: 2.8, 256 * KIB: 10, MIB: 24.6, 4 * MIB: 41.5, 16 * MIB: 45.4, 64 * MIB: 45.4, 128 * MIB: 43.9}, launch="one-process", calibrated_on=False),
    Curve("8 RTX 5090 in one process", "rtx-5090", "pcie5-x16", 8, "all_reduce", ISSUE_1639,
        {8 * GIB: 28}, launch="one-process", calibrated_on=False),
    Curve("4 RTX 5090 in one process", "rtx-5090", "pcie5-x16", 4, "all_reduce", ISSUE_1639,
        {8 * GIB: 35}, launch="one-process", calibrated_on=False),
    Curve("4 A100 PCIe in one process", "a100-pcie-40gb", "pcie3-x16", 4, "all_reduce", A100_SLOTS,
        {KIB: 0.0661, 16 * KIB: 0.802, 64 * KIB: 1.82, 256 * KIB: 3.18, MIB: 4.96, 4 * MIB: 4.58, 16 * MIB: 4.83, 64 * MIB: 5.38, 128 * MIB: 5.2}, launch="one-process", calibrated_on=False),
    Curve("a bridged pair of A100 PCIe", "a100-pcie-80gb", "nvlink3", 2, "all_reduce", ISSUE_178,
        {8 * GIB: 208}, calibrated_on=False, estimated_on=True),
    Curve("3 A100 PCIe of bridged pairs", "a100-pcie-80gb", "nvlink3", 3, "all_reduce", ISSUE_178,
        {8 * GIB: 20}, calibrated_on=False),
    Curve("g7e, 2 nodes of 1 RTX PRO 6000", "rtx-pro-6000-server", "pcie5-x16", 1, "all_reduce", G7E,
        {KIB: 0.0225, 16 * KIB: 0.296, 64 * KIB: 1.06, 256 * KIB: 1.92, MIB: 3.84, 4 * MIB: 5.61, 16 * MIB: 12, 64 * MIB: 12.1, 256 * MIB: 12.4, GIB: 12.4}, domains=2, network="efa-v1", nic_gb_per_s=12.5, calibrated_on=False),
    Curve("2 H100, ring", "h100-sxm", "nvlink4", 2, "all_reduce", ISSUE_1455, {4 * GIB: 368}, algorithm="ring", calibrated_on=False, estimated_on=True),
    Curve("4 H100, ring", "h100-sxm", "nvlink4", 4, "all_reduce", ISSUE_1455, {4 * GIB: 368}, algorithm="ring", calibrated_on=False, estimated_on=True),
    Curve("8 H100, ring", "h100-sxm", "nvlink4", 8, "all_reduce", ISSUE_1455, {4 * GIB: 368}, algorithm="ring", calibrated_on=False, estimated_on=True),
    Curve("5 H100, NVLS", "h100-sxm", "nvlink4", 5, "all_reduce", ISSUE_1455, {4 * GIB: 420}, algorithm="nvls", calibrated_on=False),
    Curve("6 H100, NVLS", "h100-sxm", "nvlink4", 6, "all_reduce", ISSUE_1455, {4 * GIB: 440}, algorithm="nvls", calibrated_on=False),
    Curve("7 H100, NVLS", "h100-sxm", "nvlink4", 7, "all_reduce", ISSUE_1455, {4 * GIB: 460}, algorithm="nvls", calibrated_on=False),
    Curve("8 H100, NVLS", "h100-sxm", "nvlink4", 8, "all_reduce", ISSUE_1455, {4 * GIB: 480}, algorithm="nvls", calibrated_on=False),
    Curve("8 H100 without NVLS", "h100-sxm", "nvlink4", 8, "all_reduce", NVLS_BENCH, {8 * GIB: 369}, nvls=False, calibrated_on=False),
    Curve("8 H100 with NVLS", "h100-sxm", "nvlink4", 8, "all_reduce", NVLS_BENCH, {8 * GIB: 478}, nvls=True, calibrated_on=False),
    Curve("2 nodes of 8 H100, ring without NVLS, rate inferred", "h100-sxm", "nvlink4", 8, "all_reduce", NVLS_BENCH,
        {8 * GIB: 368}, domains=2, network="ib-ndr", nic_gb_per_s=50, nvls=False, algorithm="ring", calibrated_on=False),
    Curve("2 nodes of 8 H100 with NVLS, rate inferred", "h100-sxm", "nvlink4", 8, "all_reduce", NVLS_BENCH,
        {8 * GIB: 480}, domains=2, network="ib-ndr", nic_gb_per_s=50, nvls=True, calibrated_on=False),
    Curve("4 nodes of 8 H200 in a graph, rate inferred", "h200-sxm", "nvlink4", 8, "all_reduce", MSCCLPP_794,
        {8 * KIB: 0.347, 16 * KIB: 0.674, 32 * KIB: 1.34, 64 * KIB: 2.52, 128 * KIB: 4.26, 256 * KIB: 5.81, 512 * KIB: 9.53, MIB: 17.7, 2 * MIB: 29.9, 4 * MIB: 45.8, 8 * MIB: 64.7}, domains=4, network="ib-ndr", nic_gb_per_s=50, launch="graph", calibrated_on=False),
    Curve("32 GB200 of a rack in a graph", "gb200", "nvlink5", 32, "all_reduce", SGLANG_37442,
        {KIB: 0.182, 2 * KIB: 0.367, 4 * KIB: 0.693, 8 * KIB: 1.39, 16 * KIB: 2.1, 32 * KIB: 4.14, 64 * KIB: 8.36}, launch="graph", calibrated_on=False, estimated_on=True),
    Curve("32 GB200 of a rack in a graph", "gb200", "nvlink5", 32, "all_reduce", SGLANG_37442,
        {KIB: 0.241, 2 * KIB: 0.478, 4 * KIB: 0.953, 8 * KIB: 1.74, 16 * KIB: 3.68, 32 * KIB: 7.13, 64 * KIB: 14.8}, implementation="mscclpp", launch="graph", calibrated_on=False, estimated_on=True),
    Curve("8 H200 in a graph", "h200-sxm", "nvlink4", 8, "all_reduce", SGLANG_22734,
        {2 * KIB: 0.213, 4 * KIB: 0.422, 8 * KIB: 0.832, 16 * KIB: 1.62, 32 * KIB: 2.92, 64 * KIB: 5.76, 128 * KIB: 11.4, 256 * KIB: 22.6, 512 * KIB: 44, MIB: 68}, launch="graph", calibrated_on=False),
    Curve("8 H200 from a stream", "h200-sxm", "nvlink4", 8, "all_reduce", SGLANG_22734,
        {2 * KIB: 0.181, 4 * KIB: 0.416, 8 * KIB: 0.771, 16 * KIB: 1.28, 32 * KIB: 3.04, 64 * KIB: 6.1, 128 * KIB: 11.9, 256 * KIB: 23.5, 512 * KIB: 46.3, MIB: 70.9}, calibrated_on=False),
    Curve("8 H200 in a graph", "h200-sxm", "nvlink4", 8, "all_reduce", SGLANG_22734,
        {2 * KIB: 0.612, 4 * KIB: 1.2, 8 * KIB: 2.39, 16 * KIB: 4.5, 32 * KIB: 7.95, 64 * KIB: 14, 128 * KIB: 26.1, 256 * KIB: 43.4, 512 * KIB: 76.7, MIB: 131}, implementation="mscclpp", launch="graph", calibrated_on=False),
    Curve("8 H200 from a stream", "h200-sxm", "nvlink4", 8, "all_reduce", SGLANG_22734,
        {2 * KIB: 0.306, 4 * KIB: 0.649, 8 * KIB: 1.34, 16 * KIB: 2.59, 32 * KIB: 5.16, 64 * KIB: 10.9, 128 * KIB: 20.9, 256 * KIB: 44.5}, implementation="mscclpp", calibrated_on=False, estimated_on=True),
    Curve("8 MI300X in a graph", "mi300x", "if-mi300x", 8, "all_reduce", ROCM_GRAPH,
        {KIB: 0.24, 4 * KIB: 0.942, 16 * KIB: 3.29, 64 * KIB: 12.5, 256 * KIB: 44.7, MIB: 94.6, 4 * MIB: 142, 16 * MIB: 197, 64 * MIB: 274, 256 * MIB: 306, GIB: 315}, implementation="rccl", launch="graph", calibrated_on=False),
)
# fmt: on
