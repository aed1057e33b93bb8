"""A third independent set: published bus bandwidth of machines that calibrated nothing, GB/s.

Found by search and priced by the constants of 1.7.0 before any constant was changed again. Where a page does not
say a network's rate it follows from the largest bus bandwidth; such sites say "rate inferred".
"""

from core.provenance import Source
from core.units import GIB, KIB, MIB
from tests.figures.curve import Curve

RUNAI = Source(
    "nebius-runai",
    "Run:ai examples on Nebius, two nodes of H200",
    "Nebius solutions library, runai/mpi",
    "2025",
)
DSTACK = Source(
    "nebius-dstack",
    "dstack: Nebius clusters",
    "github.com/dstackai/dstack, examples/clusters/nebius, two nodes over InfiniBand",
    "2025",
)
DELL = Source(
    "dell-h200",
    "OpenShift on Dell H200 servers, eight BlueField-3 SuperNICs a node, NCCL 2.30.4",
    "RDMA on OpenShift: all_reduce_perf of two workload pods",
    "2026-04-28",
)
RING_NODES = Source(
    "h100-k8s", "NCCL tests on Kubernetes, 16 H100", "notes on nccl-tests, 8 x 400 Gb/s InfiniBand", "2024"
)
KESTREL = Source(
    "kestrel",
    "Kestrel: GPU-GPU collective test",
    "github.com/NREL, ESIF HPC benchmarks, AI-ML collectives",
    "2024",
)
A3_HIGH = Source(
    "a3-high-tcpx",
    "TCPX NCCL level benchmarks",
    "GKE NCCL benchmark chart for A3, all_reduce of two nodes",
    "2023",
)
A3_MEGA_EU = Source(
    "a3-mega-tcpxo", "A3 Mega with TCPXO on GKE, set-up script", "all-gather of two nodes, GKE 1.29.4", "2024"
)
A100_ROCE = Source(
    "a100-roce",
    "GPU communication tests with nccl-tests",
    "alltoall_perf of two nodes, eight NICs each",
    "2025-06-11",
)
SES2 = Source(
    "mi350x-ses2",
    "RCCL sweep parser, example output",
    "RCCL 2.27.7, 16 ranks, host amd-mi350x-ses2-1",
    "2025",
)
MI300X_VF = Source("rccl-1562", "RCCL issue 1562", "github.com/ROCm/rccl/issues/1562", "2025-02-22")
H100_BF16 = Source(
    "h100-bf16",
    "Fits of nccl-tests on eight H100",
    "all_reduce, all_gather, reduce_scatter and alltoall in BF16",
    "2025",
)
ISSUE_1801 = Source("nccl-1801", "nccl issue 1801", "github.com/NVIDIA/nccl/issues/1801", "2025-08-06")
ISSUE_119 = Source(
    "nccl-tests-119", "nccl-tests issue 119", "github.com/NVIDIA/nccl-tests/issues/119", "2022-11-17"
)
ISSUE_652 = Source("nccl-652", "nccl issue 652", "github.com/NVIDIA/nccl/issues/652", "2022-03-18")
ISSUE_1222 = Source("nccl-1222", "nccl issue 1222", "github.com/NVIDIA/nccl/issues/1222", "2024-03-13")
AZURE_64 = Source(
    "azure-h100-64",
    "NCCL at scale on ND H100 v5, 64 nodes",
    "all_reduce of 8 GiB; beyond eight nodes the fabric was congested",
    "2026",
)

# fmt: off
CURVES = (
    Curve("Nebius, 2 nodes of 8 H200", "h200-sxm", "nvlink4", 8, "all_reduce", RUNAI,
        {GIB: 447, 2 * GIB: 464, 4 * GIB: 472, 8 * GIB: 472, 16 * GIB: 478}, domains=2, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("Nebius, 2 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", DSTACK,
        {64: 0.00348, KIB: 0.0612, 16 * KIB: 0.825, 64 * KIB: 3.25, 128 * KIB: 5.7, 256 * KIB: 8.39, 512 * KIB: 10, MIB: 22.6, 4 * MIB: 71.4, 16 * MIB: 150, 64 * MIB: 266, 256 * MIB: 385, GIB: 446, 8 * GIB: 468}, domains=2, network="ib-ndr", nic_gb_per_s=50),
    Curve("Dell, 2 nodes of 8 H200, one process each", "h200-sxm", "nvlink4", 8, "all_reduce", DELL,
        {KIB: 0.0426, 16 * KIB: 0.573, 64 * KIB: 1.75, 128 * KIB: 3.03, 256 * KIB: 7.73, 512 * KIB: 12.2, MIB: 25.6, 4 * MIB: 74.1, 32 * MIB: 227, 64 * MIB: 273, 256 * MIB: 395, GIB: 459, 16 * GIB: 486}, domains=2, network="roce-400", nic_gb_per_s=50, launch="one-process", calibrated_on=False),
    Curve("Kubernetes, 2 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", RING_NODES,
        {512 * MIB: 384, GIB: 387, 2 * GIB: 391, 4 * GIB: 392, 8 * GIB: 391}, domains=2, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("Kestrel, 16 nodes of 4 H100, rate inferred", "h100-sxm", "nvlink4", 4, "all_reduce", KESTREL,
        {64: 0.00219, KIB: 0.0296, 16 * KIB: 0.298, 64 * KIB: 0.696, 256 * KIB: 1.67, MIB: 1.45, 4 * MIB: 3.58, 16 * MIB: 15, 64 * MIB: 41.9, 256 * MIB: 42.5, GIB: 43.1, 4 * GIB: 45.7}, domains=16, network="slingshot-200", nic_gb_per_s=12.5, calibrated_on=False),
    Curve("A3 High, 2 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", A3_HIGH,
        {MIB: 1.1, 4 * MIB: 4.62, 16 * MIB: 16.3, 64 * MIB: 53.2, 256 * MIB: 84.3, GIB: 87, 8 * GIB: 89.5}, domains=2, network="tcpx-100", nic_gb_per_s=12.5, calibrated_on=False),
    Curve("A3 Mega in Europe, 2 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_gather", A3_MEGA_EU,
        {KIB: 0.00506, 16 * KIB: 0.079, 64 * KIB: 0.313, 256 * KIB: 1.01, MIB: 3.26, 4 * MIB: 12.3, 16 * MIB: 41.2, 64 * MIB: 96, 128 * MIB: 121, 512 * MIB: 173, 4 * GIB: 183}, domains=2, network="tcpxo-200", nic_gb_per_s=25),
    Curve("2 nodes of 8 A100, rate inferred", "a100-sxm-80gb", "nvlink3", 8, "all_to_all", A100_ROCE,
        {32 * MIB: 30, 64 * MIB: 32.9, 256 * MIB: 36.1, GIB: 37.4, 8 * GIB: 38}, domains=2, network="roce-200", nic_gb_per_s=25, calibrated_on=False),
    Curve("2 nodes of 8 MI350X, rate inferred", "mi350x", "if-mi355x", 8, "all_reduce", SES2,
        {MIB: 25.8, 2 * MIB: 45.2, 256 * MIB: 365}, domains=2, network="roce-400", nic_gb_per_s=50, implementation="rccl", calibrated_on=False),
    Curve("Azure, 8 MI300X in one process", "mi300x", "if-mi300x", 8, "all_reduce", MI300X_VF,
        {64: 0.00224, KIB: 0.0342, 16 * KIB: 0.523, 64 * KIB: 2.07, 256 * KIB: 6.69, MIB: 28.1, 4 * MIB: 112, 16 * MIB: 192, 64 * MIB: 272, 128 * MIB: 293}, implementation="rccl", launch="one-process", calibrated_on=False),
    Curve("8 H100, BF16", "h100-sxm", "nvlink4", 8, "all_reduce", H100_BF16,
        {16 * MIB: 233, 64 * MIB: 358, 256 * MIB: 431, GIB: 467, 8 * GIB: 478}, calibrated_on=False),
    Curve("8 H100, BF16", "h100-sxm", "nvlink4", 8, "all_gather", H100_BF16,
        {16 * MIB: 201, 64 * MIB: 278, 256 * MIB: 322, GIB: 344, 8 * GIB: 357}, calibrated_on=False),
    Curve("8 H100, BF16", "h100-sxm", "nvlink4", 8, "reduce_scatter", H100_BF16,
        {16 * MIB: 195, 64 * MIB: 286, 256 * MIB: 324, GIB: 341, 8 * GIB: 359}, calibrated_on=False),
    Curve("8 H100, BF16", "h100-sxm", "nvlink4", 8, "all_to_all", H100_BF16,
        {32 * MIB: 226, 64 * MIB: 267, 256 * MIB: 309, GIB: 333, 8 * GIB: 346}, calibrated_on=False),
    Curve("3 racks, 4 GB200 of each", "gb200", "nvlink5", 4, "all_reduce", ISSUE_1801,
        {16 * GIB: 197}, domains=3, network="ib-ndr", nic_gb_per_s=50, algorithm="ring", calibrated_on=False),
    Curve("3 racks, 8 GB200 of each", "gb200", "nvlink5", 8, "all_reduce", ISSUE_1801,
        {16 * GIB: 394}, domains=3, network="ib-ndr", nic_gb_per_s=50, algorithm="ring", calibrated_on=False),
    Curve("3 nodes of 8 A100", "a100-sxm-40gb", "nvlink3", 8, "all_reduce", ISSUE_119,
        {122 * MIB: 95.7, 127 * MIB: 96.7}, domains=3, network="ib-hdr", nic_gb_per_s=12.5, calibrated_on=False),
    Curve("32 nodes of 8 A100", "a100-sxm-40gb", "nvlink3", 8, "all_reduce", ISSUE_652,
        {16: 0.000507, 128: 0.00399}, domains=32, network="ib-hdr", nic_gb_per_s=12.5, calibrated_on=False),
    Curve("OCI, 4 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", ISSUE_1222,
        {GIB: 385, 4 * GIB: 390, 16 * GIB: 391}, domains=4, network="roce-400", nic_gb_per_s=50, calibrated_on=False),
    Curve("Azure, 2 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", AZURE_64,
        {8 * GIB: 482}, domains=2, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("Azure, 4 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", AZURE_64,
        {8 * GIB: 350}, domains=4, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("Azure, 8 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", AZURE_64,
        {8 * GIB: 374}, domains=8, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
)
# fmt: on
