"""Published bus bandwidth of machines that calibrated nothing: an independent set, GB/s.

Found by search for nccl-tests and rccl-tests logs of healthy machines with stated hardware, and priced before
they were read closely; none of them is among the rows that the constants were fitted on.
"""

from core.provenance import Source
from core.units import GIB, KIB, MIB
from tests.figures.curve import Curve

VULTR = Source(
    "vultr",
    "Acceptance tests of a B200 cluster at Vultr",
    "cluster test summary generated 2026-05-18T23:43:43Z, NCCL raw sweep",
    "2026-05-18",
)
SIXTY_FOUR = Source(
    "sixty-four",
    "NCCL collective scaling of 64 nodes of B200",
    "NCCL collective scaling benchmark report of 2026-05-12",
    "2026-05-12",
)
COMPASS = Source(
    "compass",
    "What a bandwidth curve tells you about your training step",
    "github.com/drkennetz/compass_takehome, docs",
    "2026",
)
OKE = Source(
    "oke", "OKE GB300 topology block test", "topology block test log of 2026-05-06, OKE GB300", "2026-05-06"
)
OCI = Source(
    "oci-gb300",
    "OCI GPU quickstarts, GB300",
    "github.com/oracle-quickstart/oci-gpu-quickstarts, nvidia/GB300/README-GB300.md",
    "2025",
)
AAC = Source(
    "amd-aac",
    "RCCL smoke test",
    "github.com/hisohara/ai-scripts at 0780bb3c95, training/01_rccl-smoketest",
    "2025",
)
ROCM = Source(
    "rocm-9409", "RCCL: MI350X 2-node all-reduce", "github.com/ROCm/rocm-systems/pull/9409", "2026-07-28"
)
HPE = Source(
    "hpe", "HPC AI environments: xCCL tests", "github.com/crickett-hpe/hpc-ai-envs/pull/30", "2025-04-24"
)
NDV5 = Source(
    "ndv5",
    "azcluster walkthrough, two ND96isr_H100_v5",
    "github.com/edwardsp/azcluster, walkthrough.md",
    "2026-05-22",
)
ISSUE_309 = Source(
    "issue-309", "nccl-tests issue 309", "github.com/NVIDIA/nccl-tests/issues/309", "2025-05-20"
)
EKS = Source("eks", "EFA test on EKS, two p5", "terraform for EKS with EFA, NCCL test", "2024")
AWSOME = Source(
    "awsome",
    "NCCL tests of AWS distributed training",
    "github.com/aws-samples/awsome-distributed-training, micro-benchmarks/nccl-tests",
    "2024",
)
HYPERPOD = Source(
    "hyperpod",
    "Dynamo on EFA, gate T11",
    "validation of Dynamo 1.1.0 on two p5.48xlarge, 2026-05-06",
    "2026-05-06",
)
DSTACK_P6 = Source(
    "dstack-p6", "dstack: AWS p6 instances", "github.com/dstackai/dstack/pull/3961", "2026-06-12"
)
AWSOME_P6 = Source(
    "awsome-p6", "NCCL and EFA stack", "github.com/awslabs/awsome-distributed-ai/pull/1255", "2026-09-07"
)
DSTACK_A4 = Source(
    "dstack-a4", "dstack: GCP A4", "github.com/dstackai/dstack at 30a0dd5671, examples/clusters/a4", "2025"
)
GKE_A4 = Source(
    "gke-a4",
    "Cluster Toolkit: GKE A4",
    "github.com/GoogleCloudPlatform/cluster-toolkit at 2c54caab14, examples/gke-a4",
    "2025",
)
VERL = Source("verl", "verl on GKE", "github.com/esaaren/verl-on-gke at bd1c838168, README.md", "2026")
DSTACK_A3 = Source(
    "dstack-a3",
    "dstack: GCP A3 Mega",
    "github.com/dstackai/dstack at a2b13a01c0, examples/clusters/a3mega",
    "2025",
)
A3_MEGA = Source("a3-mega-gke", "GKE on A3 Mega, hands-on", "all-gather of two a3-megagpu-8g on GKE", "2024")
CRUSOE = Source(
    "crusoe", "dstack: Crusoe", "github.com/dstackai/dstack at 33be4e7992, examples/clusters/crusoe", "2025"
)
NEBIUS = Source(
    "nebius",
    "SkyPilot: InfiniBand on Nebius",
    "github.com/skypilot-org/skypilot, examples/nebius_infiniband",
    "2025",
)
OCI_H100 = Source(
    "oci-h100", "NCCL Tests on BM.GPU.H100.8", "OCI HPC tutorials, NCCL Tests, BM.GPU.H100.8", "2024"
)
OCI_H200 = Source("oci-h200", "OCI HPC stack: sample job on H200", "slurm.out of two BM.GPU.H200.8", "2025")
OCI_A100 = Source("oci-a100", "NCCL Tests on BM.GPU4.8", "OCI HPC tutorials, NCCL Tests, BM.GPU4.8", "2024")
ISSUE_1221 = Source("issue-1221", "nccl issue 1221", "github.com/NVIDIA/nccl/issues/1221", "2024-03-13")
ISSUE_322 = Source("issue-322", "nccl-tests issue 322", "github.com/NVIDIA/nccl-tests/issues/322", "2025")
ISSUE_1218 = Source("issue-1218", "nccl issue 1218", "github.com/NVIDIA/nccl/issues/1218", "2024-03-12")
ISSUE_272 = Source(
    "issue-272", "nccl-tests issue 272", "github.com/NVIDIA/nccl-tests/issues/272", "2024-11-27"
)
ISSUE_290 = Source(
    "issue-290", "nccl-tests issue 290", "github.com/NVIDIA/nccl-tests/issues/290", "2025-03-03"
)
PLAYGROUND = Source("playground", "nccl-tests on 8 A100", "github.com/li-plus/playground, cuda/nccl.md")
A100_PAIR = Source("a100-pair", "nccl-tests on two A100", "NCCL log of two A100-SXM4-80GB, NCCL 2.20.5")
COREWEAVE = Source(
    "coreweave-a100", "nccl-tests container on four A100", "notes on ghcr.io/coreweave/nccl-tests"
)
ISSUE_527 = Source("issue-527", "nccl issue 527", "github.com/NVIDIA/nccl/issues/527", "2022-07-25")
ISSUE_303 = Source("issue-303", "DeepEP issue 303", "github.com/deepseek-ai/DeepEP/issues/303", "2025")
ISSUE_1161 = Source("issue-1161", "nccl issue 1161", "github.com/NVIDIA/nccl/issues/1161", "2024-01-27")
ISSUE_78 = Source("issue-78", "nccl-tests issue 78", "github.com/NVIDIA/nccl-tests/issues/78", "2021")

# fmt: off
CURVES = (
    Curve("Vultr, 8 B200", "b200-sxm", "nvlink5", 8, "all_reduce", VULTR,
        {KIB: 0.0704, MIB: 61, 4 * MIB: 131, 64 * MIB: 424, 256 * MIB: 659, 8 * GIB: 839}, calibrated_on=False),
    Curve("Vultr, 8 B200", "b200-sxm", "nvlink5", 8, "all_gather", VULTR,
        {KIB: 0.0546, MIB: 46.6, 4 * MIB: 122, 64 * MIB: 422, 256 * MIB: 596, 8 * GIB: 664}, calibrated_on=False),
    Curve("Vultr, 8 B200", "b200-sxm", "nvlink5", 8, "reduce_scatter", VULTR,
        {KIB: 0.0546, MIB: 46.6, 4 * MIB: 107, 64 * MIB: 424, 256 * MIB: 604, 8 * GIB: 689}, calibrated_on=False),
    Curve("Vultr, 8 B200", "b200-sxm", "nvlink5", 8, "all_to_all", VULTR,
        {KIB: 0.0806, MIB: 50.7, 4 * MIB: 94.5, 64 * MIB: 435, 256 * MIB: 535, 8 * GIB: 668}, calibrated_on=False),
    Curve("Vultr, 8 B200", "b200-sxm", "nvlink5", 8, "send_recv", VULTR,
        {KIB: 0.108, MIB: 37.6, 4 * MIB: 67.2, 64 * MIB: 84.6, 256 * MIB: 332, 8 * GIB: 661}, calibrated_on=False),
    Curve("Vultr, 2 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_reduce", VULTR,
        {KIB: 0.0512, MIB: 21.1, 4 * MIB: 70.4, 64 * MIB: 364, 256 * MIB: 543, 8 * GIB: 714}, domains=2, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("Vultr, 2 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_gather", VULTR,
        {KIB: 0.0279, MIB: 12.7, 4 * MIB: 28.1, 64 * MIB: 128, 256 * MIB: 247, 8 * GIB: 308}, domains=2, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("Vultr, 2 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "reduce_scatter", VULTR,
        {KIB: 0.0276, MIB: 11.9, 4 * MIB: 28, 64 * MIB: 128, 256 * MIB: 248, 8 * GIB: 308}, domains=2, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("Vultr, 2 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_to_all", VULTR,
        {KIB: 0.0255, MIB: 12.6, 4 * MIB: 30.1, 64 * MIB: 62.9, 256 * MIB: 66.7, 8 * GIB: 69.2}, domains=2, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("Vultr, 2 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "send_recv", VULTR,
        {KIB: 0.0703, MIB: 21.7, 4 * MIB: 32.3, 64 * MIB: 35.5, 256 * MIB: 35.8, 8 * GIB: 35.8}, domains=2, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("64-node cluster, 8 B200", "b200-sxm", "nvlink5", 8, "all_reduce", SIXTY_FOUR,
        {32 * GIB: 844}, calibrated_on=False),
    Curve("64-node cluster, 2 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_reduce", SIXTY_FOUR,
        {32 * GIB: 720}, domains=2, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("64-node cluster, 4 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_reduce", SIXTY_FOUR,
        {32 * GIB: 389}, domains=4, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("64-node cluster, 8 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_reduce", SIXTY_FOUR,
        {32 * GIB: 390}, domains=8, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("64-node cluster, 16 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_reduce", SIXTY_FOUR,
        {32 * GIB: 389}, domains=16, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("64-node cluster, 32 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_reduce", SIXTY_FOUR,
        {32 * GIB: 390}, domains=32, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("64-node cluster, 64 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_reduce", SIXTY_FOUR,
        {32 * GIB: 390}, domains=64, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("64-node cluster, 8 B200", "b200-sxm", "nvlink5", 8, "all_gather", SIXTY_FOUR,
        {32 * GIB: 676}, calibrated_on=False),
    Curve("64-node cluster, 2 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_gather", SIXTY_FOUR,
        {32 * GIB: 371}, domains=2, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("64-node cluster, 4 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_gather", SIXTY_FOUR,
        {32 * GIB: 377}, domains=4, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("64-node cluster, 8 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_gather", SIXTY_FOUR,
        {32 * GIB: 381}, domains=8, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("64-node cluster, 16 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_gather", SIXTY_FOUR,
        {32 * GIB: 383}, domains=16, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("64-node cluster, 32 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_gather", SIXTY_FOUR,
        {32 * GIB: 383}, domains=32, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("64-node cluster, 64 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_gather", SIXTY_FOUR,
        {32 * GIB: 383}, domains=64, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("64-node cluster, 8 B200", "b200-sxm", "nvlink5", 8, "send_recv", SIXTY_FOUR,
        {32 * GIB: 650}, calibrated_on=False),
    Curve("64-node cluster, 2 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "send_recv", SIXTY_FOUR,
        {32 * GIB: 34.2}, domains=2, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("64-node cluster, 4 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "send_recv", SIXTY_FOUR,
        {32 * GIB: 34.1}, domains=4, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("64-node cluster, 8 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "send_recv", SIXTY_FOUR,
        {32 * GIB: 17.2}, domains=8, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("64-node cluster, 32 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "send_recv", SIXTY_FOUR,
        {32 * GIB: 17.2}, domains=32, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("MD1, 2 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_gather", SIXTY_FOUR,
        {16 * GIB: 376}, domains=2, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("MD1, 8 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_gather", SIXTY_FOUR,
        {16 * GIB: 384}, domains=8, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("MD1, 32 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_gather", SIXTY_FOUR,
        {16 * GIB: 378}, domains=32, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("MD1, 2 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "send_recv", SIXTY_FOUR,
        {16 * GIB: 42.6}, domains=2, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("MD1, 4 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "send_recv", SIXTY_FOUR,
        {16 * GIB: 42.7}, domains=4, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("MD1, 8 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "send_recv", SIXTY_FOUR,
        {16 * GIB: 25.4}, domains=8, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("MD1, 16 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "send_recv", SIXTY_FOUR,
        {16 * GIB: 15.1}, domains=16, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("MD1, 32 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "send_recv", SIXTY_FOUR,
        {16 * GIB: 15.6}, domains=32, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("Compass, 8 GB300", "gb300", "nvlink5", 8, "all_reduce", COMPASS,
        {4 * KIB: 0.119, 64 * KIB: 1.43, 16 * MIB: 267, 128 * MIB: 537, 4 * GIB: 832, 8 * GIB: 835}, calibrated_on=False),
    Curve("Compass, 2 nodes of 4 GB300", "gb300", "nvlink5", 4, "all_reduce", COMPASS,
        {4 * KIB: 0.128, 64 * KIB: 1.22, 16 * MIB: 132, 128 * MIB: 362, 4 * GIB: 425, 8 * GIB: 385}, domains=2, network="roce-800", nic_gb_per_s=100, calibrated_on=False),
    Curve("OKE GB300 topology block test, 16 GB300", "gb300", "nvlink5", 16, "all_reduce", OKE,
        {8 * MIB: 165, 16 * MIB: 201, 64 * MIB: 273, 128 * MIB: 483, GIB: 678, 8 * GIB: 701}, calibrated_on=False, estimated_on=True),
    Curve("OCI GPU quickstarts, 8 GB300", "gb300", "nvlink5", 8, "all_reduce", OCI,
        {8 * GIB: 838, 16 * GIB: 842}, calibrated_on=False),
    Curve("OCI GPU quickstarts, 8 GB300", "gb300", "nvlink5", 8, "all_to_all", OCI,
        {8 * GIB: 680, 16 * GIB: 685}, calibrated_on=False),
    Curve("RCCL smoke test, 8 MI325X", "mi325x", "if-mi300x", 8, "all_reduce", AAC,
        {4 * GIB: 317, 8 * GIB: 318, 16 * GIB: 319}, implementation="rccl", algorithm="ring", calibrated_on=False),
    Curve("RCCL smoke test, 2 nodes of 8 MI325X", "mi325x", "if-mi300x", 8, "all_reduce", AAC,
        {4 * GIB: 347, 8 * GIB: 349, 16 * GIB: 350}, domains=2, network="roce-400", nic_gb_per_s=50, implementation="rccl", algorithm="ring", calibrated_on=False),
    Curve("RCCL smoke test, 4 nodes of 8 MI325X", "mi325x", "if-mi300x", 8, "all_reduce", AAC,
        {4 * GIB: 348, 8 * GIB: 350, 16 * GIB: 351}, domains=4, network="roce-400", nic_gb_per_s=50, implementation="rccl", algorithm="ring", calibrated_on=False),
    Curve("RCCL smoke test, 8 nodes of 8 MI325X", "mi325x", "if-mi300x", 8, "all_reduce", AAC,
        {4 * GIB: 344, 8 * GIB: 350, 16 * GIB: 351}, domains=8, network="roce-400", nic_gb_per_s=50, implementation="rccl", algorithm="ring", calibrated_on=False),
    Curve("RCCL smoke test, 2 nodes of 8 MI355X", "mi355x", "if-mi355x", 8, "all_reduce", AAC,
        {KIB: 0.0407, MIB: 24.2, 4 * MIB: 66.3, 64 * MIB: 205, 256 * MIB: 305, 8 * GIB: 369}, domains=2, network="roce-400", nic_gb_per_s=50, implementation="rccl"),
    Curve("RCCL, 2 nodes of 8 MI350X", "mi350x", "if-mi355x", 8, "all_reduce", ROCM,
        {32 * MIB: 156, 64 * MIB: 190, 128 * MIB: 249}, domains=2, network="roce-400", nic_gb_per_s=50, implementation="rccl", calibrated_on=False),
    Curve("HPC AI environments, 8 MI300X", "mi300x", "if-mi300x", 8, "all_reduce", HPE,
        {8 * MIB: 161}, implementation="rccl", calibrated_on=False),
    Curve("azcluster walkthrough, 2 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", NDV5,
        {8 * MIB: 89.5, 32 * MIB: 229, 128 * MIB: 332, GIB: 444, 4 * GIB: 463, 16 * GIB: 466}, domains=2, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("nccl-tests issue 309, 2 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", ISSUE_309,
        {4 * KIB: 0.254, MIB: 27.3, 4 * MIB: 83.3, 64 * MIB: 270, 256 * MIB: 392, 8 * GIB: 468}, domains=2, network="ib-ndr", nic_gb_per_s=50),
    Curve("nccl-tests issue 309, 4 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", ISSUE_309,
        {4 * KIB: 0.188, 64 * KIB: 2.5, 256 * KIB: 7.49, MIB: 24.7, 16 * GIB: 366}, domains=4, network="ib-ndr", nic_gb_per_s=50),
    Curve("EFA test on EKS, 2 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", EKS,
        {KIB: 0.0249, MIB: 16.5, 4 * MIB: 48.2, 64 * MIB: 211, 256 * MIB: 335, 8 * GIB: 479}, domains=2, network="efa-v2", nic_gb_per_s=50),
    Curve("NCCL tests of AWS distributed training, 2 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", AWSOME,
        {64 * MIB: 126, 128 * MIB: 129, 256 * MIB: 167, 512 * MIB: 279, GIB: 313, 2 * GIB: 438}, domains=2, network="efa-v2", nic_gb_per_s=50, calibrated_on=False),
    Curve("NCCL tests of AWS distributed training, 2 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", AWSOME,
        {KIB: 0.0277, MIB: 16, 4 * MIB: 46.6, 64 * MIB: 209, 256 * MIB: 343, 8 * GIB: 479}, domains=2, network="efa-v2", nic_gb_per_s=50, calibrated_on=False),
    Curve("Dynamo on EFA, 2 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", HYPERPOD,
        {GIB: 332}, domains=2, network="efa-v2", nic_gb_per_s=50, calibrated_on=False),
    Curve("dstack, 2 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_reduce", DSTACK_P6,
        {8: 0.000297, 256: 0.0084, KIB: 0.0329, 4 * KIB: 0.12, 8 * KIB: 0.227}, domains=2, network="efa-v4-b200", nic_gb_per_s=50, calibrated_on=False),
    Curve("NCCL and EFA stack, 2 nodes of 8 B300", "b300-sxm", "nvlink5", 8, "all_reduce", AWSOME_P6,
        {8 * MIB: 90.2}, domains=2, network="efa-v4-b300", nic_gb_per_s=100, calibrated_on=False),
    Curve("dstack, 2 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_reduce", DSTACK_A4,
        {8 * MIB: 100, 16 * MIB: 160, 64 * MIB: 341, 256 * MIB: 535, GIB: 623, 8 * GIB: 684}, domains=2, network="roce-400", nic_gb_per_s=50),
    Curve("Cluster Toolkit, 2 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_gather", GKE_A4,
        {4 * KIB: 0.106, 512 * KIB: 10.6, 4 * MIB: 41.3, 64 * MIB: 220, 256 * MIB: 317, 8 * GIB: 366}, domains=2, network="roce-400", nic_gb_per_s=50, calibrated_on=False),
    Curve("verl on GKE, 2 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_gather", VERL,
        {4 * KIB: 0.0891, 512 * KIB: 9, 4 * MIB: 41.8, 64 * MIB: 266, 256 * MIB: 339, 8 * GIB: 376}, domains=2, network="roce-400", nic_gb_per_s=50, calibrated_on=False),
    Curve("dstack, 2 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_gather", DSTACK_A3,
        {8 * MIB: 47.2, 32 * MIB: 111, 64 * MIB: 141, 256 * MIB: 165, GIB: 182, 8 * GIB: 188}, domains=2, network="tcpxo-200", nic_gb_per_s=25, calibrated_on=False),
    Curve("GKE on A3 Mega, 2 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_gather", A3_MEGA,
        {2 * MIB: 6.16, 4 * MIB: 11.8, 16 * MIB: 38.5, 256 * MIB: 141, GIB: 183, 8 * GIB: 189}, domains=2, network="tcpxo-200", nic_gb_per_s=25, calibrated_on=False),
    Curve("dstack, 2 nodes of 8 A100", "a100-sxm-80gb", "nvlink3", 8, "all_reduce", CRUSOE,
        {4 * KIB: 0.214, MIB: 24.1, 4 * MIB: 63.7, 64 * MIB: 147, 256 * MIB: 186, 2 * GIB: 194}, domains=2, network="ib-hdr", nic_gb_per_s=25, calibrated_on=False),
    Curve("SkyPilot, 2 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", NEBIUS,
        {512 * MIB: 414, GIB: 445, 2 * GIB: 458, 4 * GIB: 463, 8 * GIB: 467}, domains=2, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("NCCL Tests on BM.GPU.H100.8, 2 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", OCI_H100,
        {GIB: 446, 2 * GIB: 456, 4 * GIB: 462, 8 * GIB: 464, 16 * GIB: 465}, domains=2, network="roce-400", nic_gb_per_s=50, calibrated_on=False),
    Curve("OCI HPC stack, 2 nodes of 8 H200", "h200-sxm", "nvlink4", 8, "all_reduce", OCI_H200,
        {GIB: 458, 2 * GIB: 472, 4 * GIB: 481, 8 * GIB: 484, 16 * GIB: 486}, domains=2, network="roce-400", nic_gb_per_s=50, calibrated_on=False),
    Curve("NCCL Tests on BM.GPU4.8, 2 nodes of 8 A100", "a100-sxm-40gb", "nvlink3", 8, "all_reduce", OCI_A100,
        {10 * GIB: 223}, domains=2, network="roce-100", nic_gb_per_s=25, calibrated_on=False),
    Curve("nccl issue 1221, 2 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", ISSUE_1221,
        {8 * GIB: 430}, domains=2, network="roce-400", nic_gb_per_s=50, calibrated_on=False),
    Curve("nccl issue 1221, 4 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", ISSUE_1221,
        {8 * GIB: 320}, domains=4, network="roce-400", nic_gb_per_s=50, calibrated_on=False),
    Curve("nccl-tests issue 322, 128 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", ISSUE_322,
        {4 * GIB: 338, 8 * GIB: 365, 16 * GIB: 367}, domains=128, network="roce-400", nic_gb_per_s=50, algorithm="ring", calibrated_on=False),
    Curve("nccl issue 1218, 32 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_gather", ISSUE_1218,
        {2 * GIB: 200}, domains=32, network="roce-400", nic_gb_per_s=50, calibrated_on=False),
    Curve("nccl issue 1218, 32 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", ISSUE_1218,
        {2 * GIB: 340}, domains=32, network="roce-400", nic_gb_per_s=50, calibrated_on=False),
    Curve("nccl-tests issue 272, 8 H200", "h200-sxm", "nvlink4", 8, "all_reduce", ISSUE_272,
        {4 * GIB: 475}, calibrated_on=False),
    Curve("nccl-tests issue 290, 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", ISSUE_290,
        {4 * GIB: 476}, calibrated_on=False),
    Curve("nccl-tests on 8 A100, 8 A100", "a100-sxm-80gb", "nvlink3", 8, "send_recv", PLAYGROUND,
        {128 * MIB: 111, 256 * MIB: 189, 512 * MIB: 193, GIB: 195}, calibrated_on=False),
    Curve("nccl-tests on two A100, 2 A100", "a100-sxm-80gb", "nvlink3", 2, "all_reduce", A100_PAIR,
        {128 * MIB: 156, 256 * MIB: 186, 512 * MIB: 192}, calibrated_on=False),
    Curve("nccl-tests container on four A100, 4 A100", "a100-sxm-80gb", "nvlink3", 4, "all_reduce", COREWEAVE,
        {GIB: 225, 2 * GIB: 230, 4 * GIB: 233, 8 * GIB: 235}, calibrated_on=False),
    Curve("nccl issue 527, 8 A100", "a100-sxm-40gb", "nvlink3", 8, "all_reduce", ISSUE_527,
        {GIB: 231}, calibrated_on=False),
    Curve("DeepEP issue 303, 8 H20", "h20", "nvlink4", 8, "all_reduce", ISSUE_303,
        {64: 0.00772, 512: 0.0551, KIB: 0.109, 4 * KIB: 0.429}, calibrated_on=False),
    Curve("DeepEP issue 303, 8 H20", "h20", "nvlink4", 8, "all_gather", ISSUE_303,
        {512: 0.0424, KIB: 0.083, 4 * KIB: 0.322}, calibrated_on=False),
    Curve("nccl issue 1161, 2 H100 PCIe", "h100-pcie", "nvlink4", 2, "all_reduce", ISSUE_1161,
        {GIB: 115, 2 * GIB: 116, 4 * GIB: 116}, calibrated_on=False),
    Curve("nccl-tests issue 78, 16 nodes of 16 V100", "v100-sxm", "nvlink2", 16, "all_reduce", ISSUE_78,
        {32 * MIB: 45.6, 64 * MIB: 50.3, 128 * MIB: 62.7, 512 * MIB: 66.3, GIB: 71.5, 2 * GIB: 78.8}, domains=16, network="ib-edr", nic_gb_per_s=6.25, calibrated_on=False),
)
# fmt: on
