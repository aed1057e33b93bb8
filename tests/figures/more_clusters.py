"""A second independent set: published bus bandwidth of machines that calibrated nothing, GB/s.

Found by search after the constants of 1.6.0 were fixed and priced by them before they were read closely. Two
kinds stand out: AMD's newest GPUs, and nodes of which one process drives all GPUs, which then start in turn.
"""

from core.provenance import Source
from core.units import GIB, KIB, MIB
from tests.figures.curve import Curve

ALIBABA = Source(
    "vultr-mi355x",
    "Acceptance tests of MI355X nodes with Pollara NICs at Vultr",
    "github.com/prasad-nair-amd/alibaba, tests 5, 6, 11 and 12",
    "2026-04-23",
)
MI350X = Source(
    "mi350x-acceptance",
    "MI350X acceptance notes, eight MPI processes",
    "5.2.1 RCCL qualification, host smci350-zts-gtu-e14-05, rccl-tests under mpirun -np 8",
    "2025",
)
ROCM_BLOG = Source(
    "rocm-blog",
    "Understanding RCCL bandwidth and xGMI on MI300X",
    "rocm.blogs.amd.com/software-tools-optimization/mi300x-rccl-xgmi",
    "2025-03-02",
)
OKE_GB200 = Source(
    "oke-gb200",
    "OKE, GB200 nodes across two racks",
    "github.com/oracle-quickstart/oci-hpc-oke, running GB200 nodes, NCCL 2.29.2",
    "2026-01",
)
DGX_H100 = Source("dgx-h100-2x2", "Two GPUs each of two DGX H100", "all_reduce_perf log of dgx-06 and dgx-07")
BLOG_H100 = Source(
    "blog-h100-4",
    "Distributed communication, part 1",
    "dudeperf3ct.github.io/posts/distributed_communication_part1, NCCL 2.26.2",
    "2025",
)
AZURE_GB200 = Source(
    "azure-gb200",
    "Azure ND GB200 v6 benchmark results",
    "github.com/Azure/AI-benchmarking-guide, Azure_Results/ND_GB200_v6_results.md, in place",
    "2025",
)
AZURE_A100 = Source(
    "azure-a100",
    "Azure ND A100 v4 benchmark results",
    "github.com/Azure/AI-benchmarking-guide, Azure_Results/ND_A100_v4_results.md, in place",
    "2024",
)
SKYPILOT = Source(
    "skypilot-a3-ultra",
    "SkyPilot: high-performance networks on Google Cloud",
    "github.com/skypilot-org/skypilot, two a3-ultragpu-8g, NCCL 2.26.6",
    "2025",
)
ISSUE_309_REST = Source(
    "issue-309-rest",
    "nccl-tests issue 309, sizes not in the first set",
    "github.com/NVIDIA/nccl-tests/issues/309",
    "2025-05-22",
)

# fmt: off
CURVES = (
    Curve("Vultr, 2 nodes of 8 MI355X", "mi355x", "if-mi355x", 8, "all_reduce", ALIBABA,
        {64: 0.00317, KIB: 0.0456, 4 * KIB: 0.164, 16 * KIB: 0.659, 64 * KIB: 2.46, 256 * KIB: 8.17, MIB: 28.5, 4 * MIB: 88.8, 16 * MIB: 178, 64 * MIB: 286, 256 * MIB: 371, GIB: 380, 4 * GIB: 383, 16 * GIB: 386}, domains=2, network="roce-400", nic_gb_per_s=50, implementation="rccl"),
    Curve("Vultr, 2 nodes of 8 MI355X", "mi355x", "if-mi355x", 8, "all_to_all", ALIBABA,
        {KIB: 0.0256, 4 * KIB: 0.0991, 16 * KIB: 0.445, 64 * KIB: 1.66, 256 * KIB: 6.04, MIB: 17.9, 4 * MIB: 44.8, 16 * MIB: 70.4, 64 * MIB: 83.8, 256 * MIB: 87.2, GIB: 89.5, 4 * GIB: 90.8, 16 * GIB: 91.1}, domains=2, network="roce-400", nic_gb_per_s=50, implementation="rccl"),
    Curve("Vultr, 8 MI355X in one process", "mi355x", "if-mi355x", 8, "all_reduce", ALIBABA,
        {64: 0.00313, KIB: 0.0523, 4 * KIB: 0.217, 64 * KIB: 3.43, 256 * KIB: 11.8, MIB: 49.1, 4 * MIB: 153, 16 * MIB: 252, 64 * MIB: 362, 256 * MIB: 395, GIB: 403}, implementation="rccl", launch="one-process", calibrated_on=False),
    Curve("Vultr, 8 MI355X in one process", "mi355x", "if-mi355x", 8, "all_to_all", ALIBABA,
        {KIB: 0.03, 4 * KIB: 0.116, 64 * KIB: 1.77, 256 * KIB: 6.12, MIB: 24.5, 4 * MIB: 102, 16 * MIB: 247, 64 * MIB: 299, 128 * MIB: 322}, implementation="rccl", launch="one-process", calibrated_on=False),
    Curve("MI350X acceptance, 8 MI350X", "mi350x", "if-mi355x", 8, "all_reduce", MI350X,
        {64: 0.00585, KIB: 0.136, 4 * KIB: 0.543, 64 * KIB: 8.3, 256 * KIB: 27.3, MIB: 71.2, 4 * MIB: 116, 16 * MIB: 212, 32 * MIB: 223, 256 * MIB: 347}, implementation="rccl", calibrated_on=False),
    Curve("ROCm blog, 8 MI300X", "mi300x", "if-mi300x", 8, "all_reduce", ROCM_BLOG,
        {64: 0.00624, KIB: 0.137, 4 * KIB: 0.54, 64 * KIB: 8.33, 256 * KIB: 27.2, MIB: 66.9, 4 * MIB: 142, 16 * MIB: 197, 64 * MIB: 274, 256 * MIB: 306, GIB: 315, 4 * GIB: 317, 16 * GIB: 319}, implementation="rccl", calibrated_on=False),
    Curve("OKE, 2 racks of 64 GB200", "gb200", "nvlink5", 64, "all_reduce", OKE_GB200,
        {64: 0.000674, KIB: 0.0103, 4 * KIB: 0.0405, 64 * KIB: 0.641, 256 * KIB: 2.25, MIB: 7.15, 4 * MIB: 26.5, 16 * MIB: 84.3, 64 * MIB: 204, 256 * MIB: 342, 512 * MIB: 411, 2 * GIB: 549, 4 * GIB: 639, 16 * GIB: 676, 32 * GIB: 684}, domains=2, network="roce-400", nic_gb_per_s=50, calibrated_on=False),
    Curve("DGX H100, 2 nodes of 2", "h100-sxm", "nvlink4", 2, "all_reduce", DGX_H100,
        {64: 0.00604, KIB: 0.0877, 4 * KIB: 0.32, 8 * KIB: 0.608, 32 * KIB: 1.68, 64 * KIB: 2.46, 256 * KIB: 4.21, MIB: 19.9, 4 * MIB: 62.2, 16 * MIB: 79.4, 64 * MIB: 91.4, 256 * MIB: 142, GIB: 146, 8 * GIB: 148}, domains=2, network="ib-ndr", nic_gb_per_s=50),
    Curve("blog on a cloud host, 4 H100 in one process", "h100-sxm", "nvlink4", 4, "all_reduce", BLOG_H100,
        {64: 0.00395, KIB: 0.0644, 4 * KIB: 0.249, 64 * KIB: 4, 256 * KIB: 14.7, MIB: 56.1, 4 * MIB: 140, 16 * MIB: 241, 64 * MIB: 308, 256 * MIB: 340, GIB: 356}, launch="one-process", calibrated_on=False),
    Curve("Azure ND GB200 v6, 4 GB200 in one process", "gb200", "nvlink5", 4, "all_reduce", AZURE_GB200,
        {4 * KIB: 0.38, 16 * KIB: 1.46, 64 * KIB: 5.71, 256 * KIB: 22.4, MIB: 80.5, 4 * MIB: 146, 16 * MIB: 331, 64 * MIB: 551, 256 * MIB: 594, GIB: 647, 8 * GIB: 680}, algorithm="ring", launch="one-process", calibrated_on=False),
    Curve("Azure ND A100 v4, 8 A100 in one process", "a100-sxm-80gb", "nvlink3", 8, "all_reduce", AZURE_A100,
        {4 * KIB: 0.17, 16 * KIB: 0.67, 64 * KIB: 2.7, 256 * KIB: 10.1, MIB: 36.2, 4 * MIB: 71.4, 16 * MIB: 109, 64 * MIB: 167, 256 * MIB: 214, GIB: 228, 8 * GIB: 232}, launch="one-process", calibrated_on=False),
    Curve("SkyPilot on A3 Ultra, 2 nodes of 8 H200", "h200-sxm", "nvlink4", 8, "all_gather", SKYPILOT,
        {KIB: 0.0334, 4 * KIB: 0.135, 64 * KIB: 1.77, 256 * KIB: 6.23, MIB: 18, 4 * MIB: 50.8, 16 * MIB: 134, 64 * MIB: 226, 256 * MIB: 287, GIB: 322, 8 * GIB: 326}, domains=2, network="roce-400", nic_gb_per_s=50),
    Curve("nccl-tests issue 309, 4 nodes of 8 H100, other sizes", "h100-sxm", "nvlink4", 8, "all_reduce", ISSUE_309_REST,
        {64: 0.00357, KIB: 0.0499, 16 * KIB: 0.654, 128 * KIB: 4.55, 512 * KIB: 13.9, 4 * MIB: 53.8, 16 * MIB: 125, 32 * MIB: 173, 64 * MIB: 225, 128 * MIB: 262, 512 * MIB: 335, GIB: 358, 4 * GIB: 364}, domains=4, network="ib-ndr", nic_gb_per_s=50))
# fmt: on
