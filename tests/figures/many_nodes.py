"""A sixth set: published bus bandwidth of clusters of up to 512 GPUs, of SHARP and of other kinds, GB/s.

Found by search on 2026-11-28 and asked of 1.15 before anything was changed. What chose a rule of a later version is
`estimated_on`. Not taken: the first rows of SHARP's sweeps, which set its groups up and took as long as the second,
and nodes whose GPUs read half as fast as their NICs send.
"""

from core.provenance import Source
from core.units import GIB, KIB, MIB
from tests.figures.curve import Curve

USE3A = Source(
    "b200-use3a",
    "NCCL collective scaling of 64 nodes of B200, SHARP at work",
    "benchmark report of 2026-04-27: 67 nodes on eight ports of 400 Gb/s, NCCL 2.29.7, 2 to 8 GiB",
    "2026-04-27",
)
MD1 = Source(
    "b200-md1",
    "NCCL baseline of MD1, 46 nodes of B200",
    "quoted in benchmark reports of 2026-05-04 and 2026-05-12, 16 GiB; its ring of 64 MiB is in the fourth set",
    "2026-05-02",
)
SLINKY = Source(
    "b200-slinky-sharp",
    "NCCL collective scaling of 64 nodes of B200 with SHARP",
    "benchmark report of 2026-05-12, 8 to 32 GiB, NCCL 2.28.9; rows without SHARP are in the first and fourth set",
    "2026-05-12",
)
UBUNTU_PAIR = Source(
    "b200-ubuntu-pair",
    "nccl-tests of two nodes of B200 under Ubuntu 24.04",
    "summary of nine collectives, node5700 and node5701, eight ports of 400 Gb/s InfiniBand",
    "2026-08-10",
)
B0027 = Source(
    "b200-b0027",
    "B200 NCCL benchmark results: one node, nine collectives",
    "node b0027, 16 GiB; the better of out of place and in place",
    "2026",
)
GB300_PACK = Source(
    "gb300-pack",
    "Portable NCCL test of GB300 racks",
    "guide of a production line: 72 GPUs of 18 trays, NCCL 2.28.7, peaks at 32 GiB",
    "2026",
)
ISSUE_306 = Source(
    "nccl-tests-306",
    "nccl-tests issue 306",
    "github.com/NVIDIA/nccl-tests/issues/306, one process",
    "2025-04-29",
)
ISSUE_332 = Source(
    "nccl-tests-332",
    "nccl-tests issue 332",
    "github.com/NVIDIA/nccl-tests/issues/332, three hosts of 8 RTX 5090, one process, taken as at 1 GiB",
    "2025-07-25",
)
ISSUE_369 = Source(
    "nccl-tests-369",
    "nccl-tests issue 369",
    "github.com/NVIDIA/nccl-tests/issues/369, Olivia with one GPU a node; the row with wrong results left out",
    "2026-01-23",
)
H200_NVL = Source(
    "h200-nvl-mpijob",
    "NCCL validation with Kubeflow MPIJob: eight H200 NVL",
    "recipe of 2026-06-04, NCCL 2.28.8, 32 GiB, two bridged fours",
    "2026-06-04",
)
H200_SCRIPT = Source(
    "h200-script",
    "Example output in a script around nccl-tests",
    "eight H200 in one process, 128 MiB",
    "2026",
)
TCPXO_LAB = Source(
    "tcpxo-lab",
    "GPUDirect-TCPXO, the cliff closed: two a3-megagpu-8g",
    "lab with an all-reduce of PyTorch; sizes printed in MB taken as MiB",
    "2026-08-02",
)
RTX_6000D = Source(
    "6kd-alltoall",
    "alltoall_perf on two nodes of eight RTX 6000D",
    "report of 2026-04-19, spcx plug-in, adaptive routing off, up to 8 MiB: larger ones break down; the same lab's "
    "all-reduce is in the fit; rate inferred",
    "2026-04-19",
)
PRIMUS = Source(
    "mi355x-primus",
    "Primus microbenchmarks on 2 to 8 of a node's MI355X",
    "all-reduce, the largest of 1 KiB to 128 MiB taken as 128 MiB's; the host's rccl-tests are in the fourth set",
    "2026",
)
NDR = {"gpu": "b200-sxm", "link": "nvlink5", "domain_gpus": 8, "calibrated_on": False}
NODES = (1, 2, 4, 8, 16, 32, 64)
RING = {"algorithm": "ring", "nvls": False}
TREE = {"algorithm": "tree", "nvls": False, "estimated_on": True}
SHARP = {"in_network_reduction": True, "nvls": False, "estimated_on": True}
CHAIN = SHARP | {"algorithm": "sharp"}


def _across(domains: int) -> dict:
    """The network of so many nodes."""
    return {} if domains == 1 else {"domains": domains, "network": "ib-ndr", "nic_gb_per_s": 50}


def _scaled(
    site: str,
    source: Source,
    collective: str,
    kind: dict,
    sizes: tuple[float, ...],
    rates: dict[int, tuple[float, ...]],
) -> list[Curve]:
    """One curve a number of nodes."""
    return [
        Curve(
            f"{site}, {domains} nodes of 8 B200",
            collective=collective,
            source=source,
            busbw=dict(zip(sizes, values, strict=True)),
            **NDR,
            **kind,
            **_across(domains),
        )
        for domains, values in rates.items()
    ]


def _collectives(
    site: str, domains: int, source: Source, size: float, rates: dict[str, float]
) -> list[Curve]:
    """One figure a collective."""
    return [
        Curve(site, collective=name, source=source, busbw={size: rate}, **NDR, **_across(domains))
        for name, rate in rates.items()
    ]


THREE, TWO, MD1_SIZE = (2 * GIB, 4 * GIB, 8 * GIB), (4 * GIB, 8 * GIB), (16 * GIB,)
ROOTED = ("gather", "scatter")
PAIR_SIZES = (MIB, 4 * MIB, 16 * MIB, 64 * MIB, 256 * MIB, GIB, 4 * GIB, 16 * GIB)

# fmt: off
CURVES = (
    *_scaled("use3a", USE3A, "all_reduce", RING, THREE, {1: (670.9, 680, 686.6), 2: (342.3, 343.6, 344.3), 4: (310, 309.8, 311.2), 8: (306.9, 308.2, 308.6), 16: (287.8, 309.5, 306.6), 32: (269.1, 287.1, 304), 64: (223.3, 269.2, 287.9)}),
    *_scaled("use3a", USE3A, "all_reduce", {}, THREE, {1: (815.9, 831.6, 836.2), 2: (686.8, 705.6, 713.1), 4: (328.8, 331.1, 333.3), 8: (306, 306.5, 307.6), 16: (265.8, 304.3, 303.8), 32: (258.7, 271.6, 304.5), 64: (255.9, 271.7, 274.2)}),
    *_scaled("use3a", USE3A, "all_reduce", TREE, THREE, {2: (325.2, 330.6, 332.7), 4: (184.3, 186.3, 187.5), 8: (187.2, 189.7, 191.2), 16: (187.4, 190.5, 192.1), 32: (187.4, 191.1, 192.9), 64: (185.9, 190, 192.2)}),
    *_scaled("use3a with SHARP", USE3A, "all_reduce", SHARP, TWO, {2: (534.9, 542.9), 4: (540.7, 542.3), 8: (543.5, 544.2), 16: (544, 545.3), 32: (544.7, 545.1), 64: (541, 542.1)}),
    *_scaled("use3a", USE3A, "all_gather", {}, THREE, {1: (623.9, 643.3, 649.7), 2: (338.9, 341.7, 343.1), 4: (325.9, 328.2, 332.4), 8: (311, 311.3, 311.3), 16: (286.1, 313.5, 314.3), 32: (234.2, 286.2, 312.2), 64: (225.7, 230.8, 286.1)}),
    *_scaled("use3a", USE3A, "send_recv", {}, THREE, {1: (648.1, 653.3, 655.5), 2: (43.3, 43.3, 43.3), 4: (43.2, 43.2, 43.2), 8: (24, 24, 24.5), 16: (14.7, 14.7, 14.8), 32: (15.7, 15.7, 15.7), 64: (15.7, 15.7, 15.7)}),
    *_scaled("MD1", MD1, "all_reduce", RING, MD1_SIZE, {1: (679,), 2: (344.7,), 4: (334.8,), 8: (322.6,), 16: (306.3,), 32: (304.4,), 46: (291.4,)}),
    *_scaled("MD1", MD1, "all_reduce", {}, MD1_SIZE, {1: (840.8,), 2: (717.2,), 4: (334.7,), 8: (306.8,), 16: (306.4,), 32: (305.2,), 46: (291.4,)}),
    *_scaled("MD1 with SHARP", MD1, "all_reduce", SHARP, MD1_SIZE, {2: (533,), 4: (543.8,), 8: (547.9,), 16: (546.7,), 32: (544.3,), 46: (544.8,)}),
    *_scaled("MD1", MD1, "send_recv", {}, MD1_SIZE, {1: (641.6,), 2: (42.6,), 4: (42.7,), 8: (25.4,), 16: (15.1,), 32: (15.6,), 46: (15.6,)}),
    *_scaled("slinky, CollNetChain", SLINKY, "all_reduce", CHAIN, (32 * GIB,), {2: (526.44,), 4: (540.07,), 8: (546.26,), 16: (544.99,), 32: (540.74,), 64: (534.53,)}),
    *_scaled("slinky, CollNetDirect", SLINKY, "all_reduce", CHAIN, (8 * GIB, 16 * GIB, 32 * GIB), {2: (545.4, 578.12, 597.97), 4: (550.55, 578.27, 605.9), 16: (537.53, 563.13, 588.83), 32: (527.24, 544.28, 565.06), 64: (529.9, 537.2, 545.77)}),
    *(
        Curve("2 nodes of 8 B200, Ubuntu", collective=name, source=UBUNTU_PAIR, busbw=dict(zip(PAIR_SIZES, rates, strict=True)), estimated_on=name in ROOTED, **NDR, **_across(2))
        for name, rates in {
            "all_gather": (3.8, 12.1, 43.9, 78, 249.1, 349.7, 366.6, 370.9),
            "all_reduce": (10.7, 8.7, 37, 74.2, 150.7, 193.3, 254.2, 264.2),
            "all_to_all": (3.5, 8.9, 19, 34.8, 40.3, 49.3, 54.5, 55.4),
            "broadcast": (4.7, 25.8, 74, 161.2, 228.6, 310.2, 346.1, 354.9),
            "gather": (20.9, 60, 89, 93.6, 93, 92.9, 92.9, 92.7),
            "reduce": (4.5, 27.2, 78.5, 180.1, 245.3, 332.6, 361.4, 380),
            "reduce_scatter": (3.7, 11.7, 38.2, 68.7, 228.3, 359.7, 374.9, 380.1),
            "scatter": (5.8, 39, 116, 210.8, 255.2, 281.4, 287.6, 290.1),
            "send_recv": (20.8, 41.1, 47.1, 48.2, 48.4, 48.6, 48.7, 48.8),
        }.items()
    ),
    *_collectives("8 B200, b0027", 1, B0027, 16 * GIB, {"send_recv": 666, "reduce": 701, "broadcast": 691, "gather": 717, "scatter": 746, "reduce_scatter": 695, "all_gather": 684, "all_reduce": 841, "all_to_all": 675}),
    Curve("72 GB300 of a rack", "gb300", "nvlink5", 72, "all_reduce", GB300_PACK, {32 * GIB: 927}, calibrated_on=False),
    Curve("72 GB300 of a rack", "gb300", "nvlink5", 72, "all_to_all", GB300_PACK, {32 * GIB: 636}, calibrated_on=False),
    Curve("8 H20 in one process", "h20", "nvlink4", 8, "all_reduce", ISSUE_306,
        {MIB: 51.5, 2 * MIB: 95.7, 4 * MIB: 139, 8 * MIB: 185, 16 * MIB: 249, 32 * MIB: 273, 64 * MIB: 324, 128 * MIB: 334, 256 * MIB: 344, 512 * MIB: 352, GIB: 358, 2 * GIB: 361}, launch="one-process", calibrated_on=False),
    Curve("8 RTX 5090, Xeon 6530", "rtx-5090", "pcie5-x16", 8, "all_to_all", ISSUE_332, {GIB: 22}, launch="one-process", calibrated_on=False),
    Curve("8 RTX 5090, EPYC 9554", "rtx-5090", "pcie5-x16", 8, "all_to_all", ISSUE_332, {GIB: 25}, launch="one-process", calibrated_on=False),
    Curve("8 RTX 5090, EPYC 9355", "rtx-5090", "pcie5-x16", 8, "all_to_all", ISSUE_332, {GIB: 33}, launch="one-process", calibrated_on=False),
    Curve("Olivia, 2 nodes of 1 GH200", "gh200", "nvlink4", 1, "all_reduce", ISSUE_369,
        {KIB: 0.05, 4 * KIB: 0.21, 16 * KIB: 0.68, 64 * KIB: 1.43, 256 * KIB: 1.07, 512 * KIB: 1.39, 2 * MIB: 6.19, 4 * MIB: 5.33, 8 * MIB: 10.68, 16 * MIB: 18.83, 32 * MIB: 21.14, 64 * MIB: 22.35, 128 * MIB: 22.87}, domains=2, network="slingshot-200", nic_gb_per_s=25, calibrated_on=False),
    Curve("8 H200 NVL of two bridged fours", "h200-nvl", "pcie5-x16", 8, "all_reduce", H200_NVL, {32 * GIB: 68.7}, launch="one-process", calibrated_on=False),
    Curve("8 H200 in one process", "h200-sxm", "nvlink4", 8, "all_reduce", H200_SCRIPT, {128 * MIB: 403.5}, launch="one-process", calibrated_on=False),
    Curve("A3 Mega, 2 nodes of 8 H100, lab", "h100-sxm", "nvlink4", 8, "all_reduce", TCPXO_LAB,
        {64 * MIB: 189, 128 * MIB: 226, 256 * MIB: 252, 512 * MIB: 283, GIB: 306, 2 * GIB: 318}, domains=2, network="tcpxo-200", nic_gb_per_s=25, calibrated_on=False),
    Curve("2 nodes of 8 RTX 6000D, rate inferred", "rtx-6000d", "pcie5-x16", 8, "all_to_all", RTX_6000D,
        {2 * KIB: 0.065, 16 * KIB: 0.498, 64 * KIB: 1.78, 256 * KIB: 5.89, 512 * KIB: 10, MIB: 13.6, 2 * MIB: 21.8, 4 * MIB: 24, 8 * MIB: 29.9}, domains=2, network="roce-400", nic_gb_per_s=50, calibrated_on=False),
    *(
        Curve(f"{gpus} of 8 MI355X, Primus", "mi355x", "if-mi355x", gpus, "all_reduce", PRIMUS, {128 * MIB: rate}, implementation="rccl", calibrated_on=False, estimated_on=gpus in (3, 5, 6, 7))
        for gpus, rate in ((2, 57.7), (3, 85.6), (4, 166.6), (5, 45.8), (6, 45.3), (7, 45.1), (8, 356.3))
    ),
)
# fmt: on
