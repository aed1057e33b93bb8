"""A fourth independent set: published bus bandwidth of machines and kinds in none of the others, GB/s.

Found by search and priced by the constants of 1.8.0 before any constant or interval was changed again. Above
all of kinds that the data hardly holds: racks of 8 to 72 GPUs and pairs of racks, Infinity Fabric meshes of 2 to 7
GPUs, EFA v4, AMD nodes over RoCE, forced rings and trees. What is doubtful stands in each source's locator.
"""

from core.provenance import Source
from core.units import GIB, KIB, MIB
from tests.figures.curve import Curve

OCI_RACK = Source(
    "oci-gb300-rack",
    "OCI GPU quickstarts, GB300: 16 trays of one rack",
    "github.com/oracle-quickstart/oci-gpu-quickstarts, nvidia/GB300/README-GB300.md, NCCL 2.28.7; the largest two "
    "sizes; one tray and two racks of it are in the fit",
    "2025-12-11",
)
BPF_RACK = Source(
    "ncclbpf-gb300",
    "NCCLbpf on GB300 NVL72",
    "report of an eBPF tuner for NCCL 2.29.7 on one rack, runs without its policies; 4 GPUs a tray, exclusive",
    "2026-08-14",
)
A4X = Source(
    "gke-a4x",
    "A4X on GKE: NCCL tests of GB200 racks",
    "guide to GB300 on GKE, its GB200 baselines and 2026-07-12 results; 16 GiB; figures of 72 GPUs a domain in place",
    "2026-07-12",
)
A4X_RACKS = Source(
    "gke-a4x-racks",
    "A4X on GKE: NCCL tests between GB200 racks",
    "the same guide, parts of two racks and trays without their NVLink; 16 and 8 GiB",
    "2026-06-28",
)
MESH = Source(
    "mi355x-mesh",
    "rccl-tests with 2 to 8 of a node's MI355X",
    "sweep of 2026-06-01, ROCm 6.4.3, RCCL 2.22.3 with a gfx942 override, one process; 6 and 7 GPUs and all-gather in place",
    "2026-06-01",
)
IONIC = Source(
    "mi355x-ionic",
    "RCCL analysis of MI355X with Pensando NICs and the ANP plugin",
    "Dynamo AMD migration notes, RCCL drop of 2025-08; sizes printed in MB taken as MiB",
    "2026",
)
OKE_MI300X = Source(
    "oke-mi300x",
    "OKE, Slurm: rccl-tests of two BM.GPU.MI300X.8",
    "github.com/oracle-quickstart/oci-hpc-oke, Slurm guide, RCCL 2.27.7",
    "2026",
)
MI308X = Source(
    "mi308x-thor2",
    "SGLang with MiMo-V2-Flash on two nodes of MI308X",
    "notes with all_reduce_perf over eight Thor2 NICs, RCCL 2.27.7; a MI300X of fewer compute units stands for it",
    "2026",
)
P6_B200 = Source(
    "p6-b200-pcluster",
    "Setting up a GPU cluster, part 5: NCCL tests of two p6-b200",
    "blog series on ParallelCluster, NCCL 2.29.7",
    "2026",
)
A4_GUIDE = Source(
    "gke-a4-guide",
    "A4 on GKE with gIB: NCCL tests in one node and two",
    "guide with nccl-test-internode-job.yaml; one process in one node",
    "2025",
)
A4_DOCS = Source(
    "gke-a4-docs",
    "Cluster Toolkit documentation: an A4 cluster on GKE",
    "all-gather of two nodes; the page may show those of an A3 Ultra",
    "2025",
)
A3_HIGH = Source(
    "dstack-a3-high",
    "dstack: GCP A3 High",
    "github.com/dstackai/dstack, docs on GCP clusters, all-gather of two nodes with Google's TCPX settings",
    "2025",
)
BLUEPRINTS = Source(
    "eks-blueprints",
    "AWS do-framework and EKS blueprints: EFA on EKS",
    "terraform example for EKS, two p5, efa-nccl-test.yaml; slow small messages",
    "2024",
)
AML = Source(
    "azureml-a100",
    "NCCL tests on Azure Machine Learning",
    "two ND A100 v4, docs of AzureML on NCCL",
    "2023-09",
)
OKE_A100 = Source(
    "oke-a100-kueue",
    "OKE: RDMA-enabled nodes, NCCL tests",
    "github.com/oracle-quickstart/oci-hpc-oke, two BM.GPU4.8; other runs of Oracle's A100 are in the fit",
    "2023",
)
COREWEAVE = Source(
    "coreweave-h100",
    "CoreWeave NCCL tests",
    "github.com/coreweave/nccl-tests README; 96 ranks by the bus factor; whether switches reduced is not told",
    "2023",
)
AZURE_H200 = Source("azure-h200-tests", "H200 on Azure: image tests", "notes on OFED updates, 8 GiB", "2024")
GCP_H100 = Source("gcp-h100-lab", "Collectives across nodes, lab 12", "one H100 node, NCCL 2.22.3", "2026")
FORCED = Source(
    "sixty-four-forced",
    "NCCL collective scaling of 64 nodes of B200, algorithms forced",
    "NCCL collective scaling benchmark report of 2026-05-12, 32 GiB, one process a node; MD1's ring of 64 MiB",
    "2026-05-12",
)
RTX_5090 = Source(
    "rtx-5090-box",
    "NCCL bandwidth report of eight RTX 5090",
    "report of 2025-04-29, NCCL 2.28.9; whether the driver lets cards copy to each other is not told",
    "2025-04-29",
)

# fmt: off
RACK = {"gpu": "gb200", "link": "nvlink5", "calibrated_on": False}
ACROSS_RACKS = {"gpu": "gb200", "link": "nvlink5", "domains": 2, "network": "roce-400", "nic_gb_per_s": 50}
GB300 = {"gpu": "gb300", "link": "nvlink5", "calibrated_on": False}
AMD = {"implementation": "rccl", "calibrated_on": False}
MI355X = {"gpu": "mi355x", "link": "if-mi355x", **AMD}
TWO_NDR = {"gpu": "b200-sxm", "link": "nvlink5", "network": "ib-ndr", "nic_gb_per_s": 50, "calibrated_on": False}


def _collectives(site: str, gpus: int, source: Source, kind: dict, largest: dict[str, float]) -> list[Curve]:
    return [
        Curve(site, domain_gpus=gpus, collective=collective, source=source, busbw={16 * GIB: rate}, **kind)
        for collective, rate in largest.items()
    ]


def _all(all_reduce: float, all_gather: float, reduce_scatter: float, all_to_all: float) -> dict[str, float]:
    return {"all_reduce": all_reduce, "all_gather": all_gather, "reduce_scatter": reduce_scatter, "all_to_all": all_to_all}


RACKS = (
    Curve("OCI, 64 GB300 of a rack", domain_gpus=64, collective="all_reduce", source=OCI_RACK,
        busbw={8 * GIB: 898, 16 * GIB: 930}, **GB300),
    Curve("OCI, 64 GB300 of a rack", domain_gpus=64, collective="all_to_all", source=OCI_RACK,
        busbw={8 * GIB: 649, 16 * GIB: 667}, **GB300),
    Curve("NCCLbpf, 4 GB300", domain_gpus=4, collective="all_reduce", source=BPF_RACK,
        busbw={4 * MIB: 154, 8 * MIB: 281, 16 * MIB: 250, 32 * MIB: 407, 64 * MIB: 558, 128 * MIB: 595, 512 * MIB: 638, 8 * GIB: 684}, **GB300),
    Curve("NCCLbpf, 8 GB300 of a rack", domain_gpus=8, collective="all_reduce", source=BPF_RACK,
        busbw={4 * MIB: 129, 8 * MIB: 192, 16 * MIB: 275, 32 * MIB: 345, 64 * MIB: 420, 128 * MIB: 595, 8 * GIB: 836}, **GB300),
    Curve("NCCLbpf, 16 GB300 of a rack", domain_gpus=16, collective="all_reduce", source=BPF_RACK,
        busbw={4 * MIB: 105, 8 * MIB: 157, 16 * MIB: 240, 32 * MIB: 303, 64 * MIB: 383, 128 * MIB: 440}, estimated_on=True, **GB300),
    Curve("NCCLbpf, 32 GB300 of a rack", domain_gpus=32, collective="all_reduce", source=BPF_RACK,
        busbw={4 * MIB: 90.9, 8 * MIB: 138, 16 * MIB: 194, 32 * MIB: 274, 64 * MIB: 338, 128 * MIB: 409, 8 * GIB: 680}, estimated_on=True, **GB300),
    Curve("NCCLbpf, 60 GB300 of a rack", domain_gpus=60, collective="all_reduce", source=BPF_RACK,
        busbw={4 * MIB: 86, 8 * GIB: 689}, estimated_on=True, **GB300),
    Curve("NCCLbpf, 8 GB300 of a rack", domain_gpus=8, collective="all_gather", source=BPF_RACK, busbw={8 * GIB: 674}, **GB300),
    Curve("NCCLbpf, 32 GB300 of a rack", domain_gpus=32, collective="all_gather", source=BPF_RACK, busbw={8 * GIB: 505}, **GB300),
    Curve("NCCLbpf, 60 GB300 of a rack", domain_gpus=60, collective="all_gather", source=BPF_RACK, busbw={8 * GIB: 496}, **GB300),
    Curve("NCCLbpf, 32 GB300 of a rack", domain_gpus=32, collective="all_to_all", source=BPF_RACK, busbw={8 * GIB: 468}, **GB300),
    Curve("NCCLbpf, 60 GB300 of a rack", domain_gpus=60, collective="all_to_all", source=BPF_RACK, busbw={8 * GIB: 455}, **GB300),
    Curve("A4X Max, 4 GB300", domain_gpus=4, collective="all_reduce", source=A4X,
        busbw={MIB: 62.1, 4 * MIB: 147, 16 * MIB: 250, 64 * MIB: 552, 256 * MIB: 612, GIB: 647}, **GB300),
    Curve("A4X Max, 8 GB300 of a rack", domain_gpus=8, collective="all_reduce", source=A4X,
        busbw={MIB: 32, 16 * MIB: 304, 64 * MIB: 419, 256 * MIB: 652, GIB: 723, 2 * GIB: 807, 4 * GIB: 821, 8 * GIB: 832}, **GB300),
    *_collectives("A4X, 8 GB200 of a rack", 8, A4X, RACK, _all(842, 683, 693, 683)),
    *_collectives("A4X, 32 GB200 of a rack", 32, A4X, RACK, _all(909, 691, 708, 676)),
    *_collectives("A4X, 64 GB200 of a rack", 64, A4X, RACK, _all(910, 693, 707, 667)),
    *_collectives("A4X, 72 GB200 of a rack", 72, A4X, RACK, _all(877, 674, 697, 627)),
    *_collectives("A4X, 2 racks, 8 GB200 of each", 8, A4X_RACKS, ACROSS_RACKS, _all(691, 378, 379, 88)),
    *_collectives("A4X, 2 racks, 32 GB200 of each", 32, A4X_RACKS, ACROSS_RACKS, _all(798, 688, 702, 83)),
    *_collectives("A4X, 2 racks of 72 GB200", 72, A4X_RACKS, ACROSS_RACKS, _all(748, 674, 691, 65)),
    Curve("A4X, 2 trays of 4 GB200 over RoCE", domain_gpus=4, collective="all_reduce", source=A4X_RACKS, busbw={8 * GIB: 326}, **ACROSS_RACKS),
    Curve("A4X, 4 trays of 4 GB200 over RoCE", domain_gpus=4, collective="all_reduce", source=A4X_RACKS, busbw={8 * GIB: 162}, **{**ACROSS_RACKS, "domains": 4}),
)
MESHES = (
    *(
        Curve(f"MI355X mesh, {gpus} GPUs", domain_gpus=gpus, collective="all_reduce", source=MESH, busbw=busbw, launch="one-process", estimated_on=gpus not in (2, 4, 8), **MI355X)
        for gpus, busbw in (
            (2, {8 * GIB: 61.2}),
            (3, {8 * GIB: 75.2}),
            (4, {16 * MIB: 144, 64 * MIB: 159, 256 * MIB: 150, GIB: 166, 8 * GIB: 163}),
            (5, {16 * MIB: 36.7, 64 * MIB: 34.7, 256 * MIB: 37.8, GIB: 36.9, 8 * GIB: 38}),
            (6, {8 * GIB: 38.4}),
            (7, {8 * GIB: 37.8}),
            (8, {16 * MIB: 217, 64 * MIB: 306, 256 * MIB: 371, GIB: 384, 8 * GIB: 382}),
        )
    ),
    *(
        Curve(f"MI355X mesh, {gpus} GPUs", domain_gpus=gpus, collective="all_gather", source=MESH, busbw={8 * GIB: rate}, launch="one-process", estimated_on=gpus not in (2, 4, 8), **MI355X)
        for gpus, rate in ((2, 61), (3, 72.1), (4, 160), (5, 35.7), (6, 34.9), (7, 34.6), (8, 373))
    ),
    Curve("Pensando, 8 MI355X in one process", domain_gpus=8, collective="all_reduce", source=IONIC,
        busbw={MIB: 28.1, 8 * MIB: 152, 64 * MIB: 351, 256 * MIB: 394, GIB: 399, 4 * GIB: 406}, launch="one-process", **MI355X),
)
AMD_ACROSS = (
    Curve("Pensando, 8 nodes of 8 MI355X", domain_gpus=8, collective="all_reduce", source=IONIC,
        busbw={MIB: 12.2, 8 * MIB: 59.4, 64 * MIB: 159, 256 * MIB: 227, GIB: 363, 4 * GIB: 370, 16 * GIB: 371}, domains=8, network="roce-400", nic_gb_per_s=50, **MI355X),
    Curve("OKE, 2 nodes of 8 MI300X", "mi300x", "if-mi300x", 8, "all_reduce", OKE_MI300X,
        {GIB: 350, 2 * GIB: 353, 4 * GIB: 355, 8 * GIB: 357, 16 * GIB: 358}, domains=2, network="roce-400", nic_gb_per_s=50, **AMD),
    Curve("Thor2, 2 nodes of 8 MI308X", "mi300x", "if-mi300x", 8, "all_reduce", MI308X,
        {KIB: 0.047, 16 * KIB: 0.661, 64 * KIB: 2.44, 256 * KIB: 7.65, MIB: 28, 4 * MIB: 82.9, 16 * MIB: 93.6, 64 * MIB: 187, 256 * MIB: 288, GIB: 315, 2 * GIB: 314}, domains=2, network="roce-400", nic_gb_per_s=50, implementation="rccl"),
)
NODES = (
    Curve("p6-b200, 2 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_reduce", P6_B200,
        {KIB: 0.0364, MIB: 18.4, 64 * MIB: 244, 256 * MIB: 435, GIB: 570, 4 * GIB: 655, 8 * GIB: 684}, domains=2, network="efa-v4-b200", nic_gb_per_s=50, calibrated_on=False),
    Curve("p6-b200, 2 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_to_all", P6_B200,
        {MIB: 5.73, 64 * MIB: 56.2, 256 * MIB: 80.9, GIB: 87, 8 * GIB: 89.1}, domains=2, network="efa-v4-b200", nic_gb_per_s=50, calibrated_on=False),
    Curve("A4 on GKE, 8 B200 in one process", "b200-sxm", "nvlink5", 8, "all_reduce", A4_GUIDE,
        {8 * MIB: 183, 32 * MIB: 340, 64 * MIB: 419, 256 * MIB: 657, GIB: 729, 4 * GIB: 739, 8 * GIB: 840, 16 * GIB: 845}, launch="one-process", calibrated_on=False),
    Curve("A4 on GKE, 2 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_reduce", A4_GUIDE,
        {8 * MIB: 99.1, 16 * MIB: 163, 32 * MIB: 216, 64 * MIB: 260, 256 * MIB: 451, GIB: 605, 4 * GIB: 659, 16 * GIB: 684}, domains=2, network="roce-400", nic_gb_per_s=50, calibrated_on=False),
    Curve("A4 documentation, 2 nodes of 8 B200", "b200-sxm", "nvlink5", 8, "all_gather", A4_DOCS,
        {KIB: 0.0178, 16 * KIB: 0.27, 64 * KIB: 1.04, 256 * KIB: 3.85, MIB: 12.3, 4 * MIB: 47.3, 16 * MIB: 128, 64 * MIB: 214, 256 * MIB: 287, GIB: 324, 8 * GIB: 329}, domains=2, network="roce-400", nic_gb_per_s=50, calibrated_on=False),
    Curve("A3 High, 2 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_gather", A3_HIGH,
        {8 * MIB: 10, 16 * MIB: 15.6, 32 * MIB: 27.1, 64 * MIB: 43.9, 128 * MIB: 50, GIB: 49.3, 8 * GIB: 50.2}, domains=2, network="tcpx-100", nic_gb_per_s=12.5, calibrated_on=False),
    Curve("EKS blueprint, 2 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", BLUEPRINTS,
        {KIB: 0.0233, 16 * KIB: 0.329, 64 * KIB: 1.02, 256 * KIB: 4.41, MIB: 16.4, 4 * MIB: 48, 16 * MIB: 113, 64 * MIB: 214, 256 * MIB: 336, GIB: 442, 2 * GIB: 444}, domains=2, network="efa-v2", nic_gb_per_s=50, calibrated_on=False),
    Curve("AzureML, 2 nodes of 8 A100", "a100-sxm-80gb", "nvlink3", 8, "all_reduce", AML,
        {KIB: 0.0478, 64 * KIB: 1.68, 256 * KIB: 7.13, MIB: 20.4, 4 * MIB: 53.5, 16 * MIB: 94.7, 64 * MIB: 133, 256 * MIB: 169, GIB: 182, 8 * GIB: 188}, domains=2, network="ib-hdr", nic_gb_per_s=25, calibrated_on=False),
    Curve("OKE, 2 nodes of 8 A100", "a100-sxm-40gb", "nvlink3", 8, "all_reduce", OKE_A100,
        {KIB: 0.0457, 16 * KIB: 0.622, 64 * KIB: 2.38, 256 * KIB: 7.23, MIB: 23, 4 * MIB: 61.9, 16 * MIB: 111, 64 * MIB: 153, 256 * MIB: 165, GIB: 219, 8 * GIB: 238}, domains=2, network="roce-100", nic_gb_per_s=25),
    Curve("CoreWeave, 12 nodes of 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", COREWEAVE,
        {512 * MIB: 356, GIB: 366, 2 * GIB: 381, 4 * GIB: 383, 8 * GIB: 387}, domains=12, network="ib-ndr", nic_gb_per_s=50, calibrated_on=False),
    Curve("Azure, 8 H200", "h200-sxm", "nvlink4", 8, "all_reduce", AZURE_H200, {8 * GIB: 477}, calibrated_on=False),
    Curve("GCP, 8 H100", "h100-sxm", "nvlink4", 8, "all_reduce", GCP_H100, {GIB: 465}, calibrated_on=False),
    *(
        Curve(f"64-node cluster, {domains} nodes of 8 B200, {algorithm}", domain_gpus=8, collective="all_reduce", source=FORCED, busbw={32 * GIB: rate}, domains=domains, algorithm=algorithm, **TWO_NDR)
        for algorithm, domains, rate in (("ring", 2, 388), ("ring", 8, 389), ("ring", 64, 390), ("tree", 4, 192), ("tree", 16, 196), ("tree", 64, 196))
    ),
    Curve("MD1, 32 nodes of 8 B200, ring", domain_gpus=8, collective="all_reduce", source=FORCED, busbw={64 * MIB: 107}, domains=32, algorithm="ring", **TWO_NDR),
    Curve("RTX 5090, 2 GPUs", "rtx-5090", "pcie5-x16", 2, "all_reduce", RTX_5090,
        {KIB: 0.129, 16 * KIB: 2.06, 256 * KIB: 10.9, MIB: 19, 8 * MIB: 29.7, 64 * MIB: 31.7, 512 * MIB: 33.1, 8 * GIB: 35.4}, calibrated_on=False),
    Curve("RTX 5090, 8 GPUs", "rtx-5090", "pcie5-x16", 8, "all_reduce", RTX_5090,
        {KIB: 0.0559, 16 * KIB: 0.87, 256 * KIB: 10.3, MIB: 13.1, 8 * MIB: 33.7, 64 * MIB: 39.1, 512 * MIB: 39.7, 8 * GIB: 40.7}, calibrated_on=False),
)
CURVES = (*RACKS, *MESHES, *AMD_ACROSS, *NODES)
# fmt: on
