"""Published bus bandwidth across scale-up domains: a coarse curve a cluster and collective, GB/s."""

from core.provenance import Source
from core.units import GIB, KIB, MIB
from tests.figures.curve import Curve

ALPS = Source(
    "alps",
    "NCCL benchmark on Alps",
    "github.com/boeschf/nccl-benchmark-on-alps-2025 at 897cff446b, results",
    "2025",
)
ALCF = Source(
    "alcf", "NCCL tests on Polaris and Sophia", "github.com/argonne-lcf/alcf-nccl-tests at 385be33604", "2024"
)
P5 = Source(
    "p5",
    "NCCL tests on p5.48xlarge",
    "github.com/KeitaW/p5-nccl-test-2024-07-19 at 1c78584b9f, nccl-test-output-v2.22.3-1.log",
    "2024-07-19",
)
A3_MEGA = Source(
    "a3-mega",
    "NCCL test result on a3-mega",
    "github.com/lessizzmore/create-a3mega-ztan-fork at 346b825ad3, ztan-NCCL-test-result.markdown",
)
TEN_NODES = Source(
    "ten-nodes",
    "NCCL tests of a cluster of ten nodes",
    "github.com/xxrjun/nccl-tests-cluster at 455de4f8de, benchmarks/example-cluster01",
    "2026-01-29",
)
A3_ULTRA = Source(
    "a3-ultra",
    "GKE with flex start: NCCL test",
    "github.com/GoogleCloudPlatform/cluster-toolkit at 1047080375, examples/gke-consumption-options/dws-flex-start",
)
DEEPOPS = Source(
    "deepops",
    "DeepOps: NVIDIA network operator",
    "github.com/NVIDIA/deepops at 3957a42fb9, docs/k8s-cluster/nvidia-network-operator.md",
)
P4DE = Source(
    "p4de",
    "NCCL tests of AWS distributed training",
    "github.com/aws-samples/awsome-distributed-training at 7217859f67, micro-benchmarks/nccl-tests",
)
P3DN = Source(
    "p3dn",
    "AWS network benchmarks",
    "github.com/cybertronai/aws-network-benchmarks at 95c0bfdc5c, nccltest_output.txt",
    "2019",
)
OCI = Source(
    "oci",
    "OCI GPU quickstarts",
    "github.com/oracle-quickstart/oci-gpu-quickstarts at 2a523ef9e2, 44e4e6c9a4 and 61eba7f217",
)
ISSUE_309 = Source("issue-309", "nccl-tests issue 309", "github.com/NVIDIA/nccl-tests/issues/309")
P4D = Source("p4d", "EFA on EKS: NCCL test", "github.com/aws-samples/aws-efa-eks at 867b482f3a, README.md")
P6_B300 = Source(
    "p6-b300",
    "p6-b300 test kit: sample report",
    "github.com/terrificdm/p6b300-efa-deepep-nccl-testkit at 06942b1ded, examples/report-sample.md",
)
DRANET = Source(
    "dranet",
    "DraNet: GKE RDMA example",
    "github.com/kubernetes-sigs/dranet at d66a97b7cd, examples/demo_gke_rdma",
)
ISSUE_1244 = Source("issue-1244", "nccl issue 1244", "github.com/NVIDIA/nccl/issues/1244")
AMD_AAC = Source(
    "amd-aac", "RCCL smoke test", "github.com/hisohara/ai-scripts at 9acb273b1d, training/01_rccl-smoketest"
)

# fmt: off
CURVES = (
    Curve("Alps, 2 nodes of 4 GH200", "gh200", "nvlink4", 4, "all_reduce", ALPS,
        {16 * KIB: 0.566, 256 * KIB: 1.32, 4 * MIB: 38.9, 64 * MIB: 108, GIB: 155, 4 * GIB: 158}, domains=2, network="slingshot-200", nic_gb_per_s=25),
    Curve("Alps, 4 nodes of 4 GH200", "gh200", "nvlink4", 4, "all_reduce", ALPS,
        {16 * KIB: 0.298, 256 * KIB: 1.29, 4 * MIB: 25.1, 64 * MIB: 88.1, GIB: 91.7, 4 * GIB: 92.5}, domains=4, network="slingshot-200", nic_gb_per_s=25),
    Curve("Alps, 16 nodes of 4 GH200", "gh200", "nvlink4", 4, "all_reduce", ALPS,
        {16 * KIB: 0.16, 256 * KIB: 2.41, 4 * MIB: 15.5, 64 * MIB: 15.2, GIB: 91.3, 4 * GIB: 92.1}, domains=16, network="slingshot-200", nic_gb_per_s=25),
    Curve("Polaris, 2 nodes of 4 A100", "a100-sxm-40gb", "nvlink3", 4, "all_reduce", ALCF,
        {16 * KIB: 0.526, 256 * KIB: 2.76, 4 * MIB: 12.3, 64 * MIB: 34.8, GIB: 36.1}, domains=2, network="slingshot-200", nic_gb_per_s=12.5),
    Curve("Polaris, 2 nodes of 4 A100", "a100-sxm-40gb", "nvlink3", 4, "all_gather", ALCF,
        {16 * KIB: 0.245, 256 * KIB: 1.06, 4 * MIB: 8.08, 64 * MIB: 33.4, GIB: 35.9}, domains=2, network="slingshot-200", nic_gb_per_s=12.5),
    Curve("Polaris, 8 nodes of 4 A100", "a100-sxm-40gb", "nvlink3", 4, "all_reduce", ALCF,
        {16 * KIB: 0.314, 256 * KIB: 1.98, 4 * MIB: 9.66, 64 * MIB: 9.99, GIB: 9.81}, domains=8, network="slingshot-200", nic_gb_per_s=12.5),
    Curve("Polaris, 8 nodes of 4 A100", "a100-sxm-40gb", "nvlink3", 4, "all_gather", ALCF,
        {16 * KIB: 0.0648, 256 * KIB: 0.549, 4 * MIB: 3.51, 64 * MIB: 31.2, GIB: 35.8}, domains=8, network="slingshot-200", nic_gb_per_s=12.5),
    Curve("Polaris, 256 nodes of 4 A100", "a100-sxm-40gb", "nvlink3", 4, "all_reduce", ALCF,
        {16 * KIB: 0.122, 256 * KIB: 0.876, 4 * MIB: 3.12, 64 * MIB: 20.1, GIB: 30.6}, domains=256, network="slingshot-200", nic_gb_per_s=12.5),
    Curve("Polaris, 256 nodes of 4 A100", "a100-sxm-40gb", "nvlink3", 4, "all_gather", ALCF,
        {16 * KIB: 0.00202, 256 * KIB: 0.0322, 4 * MIB: 0.453, 64 * MIB: 2.6, GIB: 23.9}, domains=256, network="slingshot-200", nic_gb_per_s=12.5),
    Curve("Sophia, 2 nodes of 8 A100", "a100-sxm-40gb", "nvlink3", 8, "all_reduce", ALCF,
        {16 * KIB: 0.681, 256 * KIB: 6.71, 4 * MIB: 63.3, 64 * MIB: 146, GIB: 178}, domains=2, network="ib-hdr", nic_gb_per_s=25),
    Curve("p5, 2 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", P5,
        {16 * KIB: 0.291, 256 * KIB: 4.94, 4 * MIB: 46.3, 64 * MIB: 210, GIB: 440, 8 * GIB: 479}, domains=2, network="efa-3200", nic_gb_per_s=50),
    Curve("a3-mega, 2 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", A3_MEGA,
        {16 * KIB: 0.222, 256 * KIB: 2.94, 4 * MIB: 21.6, 64 * MIB: 99.7, GIB: 298, 8 * GIB: 339}, domains=2, network="tcpxo-200", nic_gb_per_s=25),
    Curve("10 nodes of 4 H100", "h100-sxm", "nvlink4", 4, "all_reduce", TEN_NODES,
        {64 * MIB: 123, GIB: 195, 8 * GIB: 196}, domains=10, network="ib-ndr", nic_gb_per_s=50),
    Curve("10 nodes of 4 H100", "h100-sxm", "nvlink4", 4, "all_gather", TEN_NODES,
        {64 * MIB: 132, GIB: 193, 8 * GIB: 194}, domains=10, network="ib-ndr", nic_gb_per_s=50),
    Curve("10 nodes of 4 H100", "h100-sxm", "nvlink4", 4, "all_to_all", TEN_NODES,
        {64 * MIB: 37.8, GIB: 48.6, 8 * GIB: 49.6}, domains=10, network="ib-ndr", nic_gb_per_s=50),
    Curve("a3-ultra, 2 nodes of 8 H200", "h200-sxm", "nvlink4", 8, "all_gather", A3_ULTRA,
        {16 * KIB: 0.269, 256 * KIB: 3.85, 4 * MIB: 47.3, 64 * MIB: 213, GIB: 324, 8 * GIB: 329}, domains=2, network="roce-400", nic_gb_per_s=50),
    Curve("2 DGX A100", "a100-sxm-80gb", "nvlink3", 8, "all_reduce", DEEPOPS,
        {16 * KIB: 0.535, 256 * KIB: 4.05, 4 * MIB: 47.4, 64 * MIB: 137, GIB: 182, 4 * GIB: 189}, domains=2, network="ib-hdr", nic_gb_per_s=25),
    Curve("p4de, 2 nodes of 8 A100", "a100-sxm-40gb", "nvlink3", 8, "all_reduce", P4DE,
        {16 * KIB: 0.159, 256 * KIB: 2.06, 4 * MIB: 14.7, 64 * MIB: 47.6, GIB: 76.8}, domains=2, network="efa-400", nic_gb_per_s=6.25),
    Curve("p3dn, 2 nodes of 8 V100", "v100-sxm", "nvlink2", 8, "all_reduce", P3DN,
        {16 * KIB: 0.186, 256 * KIB: 1.01, 4 * MIB: 2.84}, domains=2, network="efa-100", nic_gb_per_s=1.5625),
    Curve("OCI, 2 racks, 64 GB300 each", "gb300", "nvlink5", 64, "all_reduce", OCI,
        {512 * KIB: 1.7, 4 * MIB: 17.2, 64 * MIB: 200, GIB: 567, 8 * GIB: 709}, domains=2, network="roce-400", nic_gb_per_s=100),
    Curve("2 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", ISSUE_309,
        {4 * MIB: 70.9, 64 * MIB: 264, GIB: 448, 8 * GIB: 467}, domains=2, network="ib-ndr", nic_gb_per_s=50),
    Curve("4 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", ISSUE_309,
        {4 * MIB: 35.1, 64 * MIB: 208, GIB: 322, 8 * GIB: 325}, domains=4, network="ib-ndr", nic_gb_per_s=50),
    Curve("8 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", ISSUE_309,
        {4 * MIB: 40.5, 64 * MIB: 184, GIB: 287, 8 * GIB: 321}, domains=8, network="ib-ndr", nic_gb_per_s=50),
    Curve("p4d, 2 nodes of 8 A100", "a100-sxm-40gb", "nvlink3", 8, "all_reduce", P4D,
        {16 * KIB: 0.116, 256 * KIB: 1.59, 4 * MIB: 9.79, 64 * MIB: 23.7, GIB: 42.5, 4 * GIB: 43.8}, domains=2, network="efa-400", nic_gb_per_s=6.25),
    Curve("p6-b300, 2 nodes of 8 B300", "b300-sxm", "nvlink5", 8, "all_reduce", P6_B300,
        {GIB: 771, 8 * GIB: 870}, domains=2, network="efa-6400", nic_gb_per_s=100),
    Curve("p6-b300, 2 nodes of 8 B300", "b300-sxm", "nvlink5", 8, "all_gather", P6_B300,
        {GIB: 690, 8 * GIB: 754}, domains=2, network="efa-6400", nic_gb_per_s=100),
    Curve("p6-b300, 2 nodes of 8 B300", "b300-sxm", "nvlink5", 8, "all_to_all", P6_B300,
        {GIB: 173, 8 * GIB: 179}, domains=2, network="efa-6400", nic_gb_per_s=100),
    Curve("OCI, 4 nodes of 8 MI355X", "mi355x", "if-mi355x", 8, "all_reduce", OCI,
        {8 * GIB: 370}, domains=4, network="roce-400", nic_gb_per_s=50, implementation="rccl"),
    Curve("2 nodes of 1 H200", "h200-sxm", "nvlink4", 1, "all_gather", DRANET,
        {16 * KIB: 0.312, 256 * KIB: 3.2, 4 * MIB: 17.5, 64 * MIB: 26.2, GIB: 31.1, 8 * GIB: 32.2}, domains=2, network="roce-400", nic_gb_per_s=50),
    Curve("2 nodes of 8 H20", "h20", "nvlink4", 8, "all_reduce", ISSUE_1244,
        {4 * MIB: 61.6, 64 * MIB: 269, 512 * MIB: 313}, domains=2, network="roce-400", nic_gb_per_s=50),
    Curve("2 nodes of 8 MI300X", "mi300x", "if-mi300x", 8, "all_reduce", AMD_AAC,
        {16 * KIB: 0.129, 256 * KIB: 1.98, 4 * MIB: 23.3, 64 * MIB: 153, GIB: 341, 8 * GIB: 356}, domains=2, network="roce-400", nic_gb_per_s=50, implementation="rccl"),
)
