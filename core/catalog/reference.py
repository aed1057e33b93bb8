"""Reference figures by generation: what others measured on the links of P100 to GB300, each with its source."""

from dataclasses import dataclass

from core.catalog.sources import cite
from core.provenance import Source
from core.units import GB, GIB, KIB, MIB

PAIR_COPY = "copy between a pair"
ALL_REDUCE = "all-reduce"


@dataclass(frozen=True, slots=True)
class Reference:
    """
    What somebody measured on one kind of system.

    Attributes:
        name: As shown on a chart.
        gpu: Catalog id.
        what: ``copy between a pair`` (unidirectional bytes/s) or ``all-reduce`` (bus bandwidth per GPU).
        ranks: GPUs taking part.
        domains: Scale-up domains that they sit in.
        link_bytes_per_s: Unidirectional, of the link that limits: links of the pair, of a GPU, or a
            domain's NICs together where an all-reduce spans domains.
        points: (size in bytes, bytes/s), rising; a single one where only the peak was stated.
    """

    name: str
    gpu: str
    what: str
    ranks: int
    domains: int
    link_bytes_per_s: float
    points: tuple[tuple[float, float], ...]
    source: Source
    note: str = ""

    @property
    def peak_bytes_per_s(self) -> float:
        """The best rate of the points."""
        return max(rate for _, rate in self.points)

    @property
    def share_of_link(self) -> float:
        """Peak over the unidirectional link rate; above one with in-network reduction or a tree over two domains."""
        return self.peak_bytes_per_s / self.link_bytes_per_s


def _copy(name: str, gpu: str, link: float, measured: float, source: Source, note: str = "") -> Reference:
    """One copy of the size that p2pBandwidthLatencyTest uses."""
    points = ((40e6, measured * GB),)
    return Reference(name, gpu, PAIR_COPY, 2, 1, link * GB, points, source, note)


def _reduce(
    name: str, gpu: str, ranks: int, link: float, rates: tuple[float, ...], note: str = ""
) -> Reference:
    """An all-reduce of the AIConfigurator tables at the sizes of ``_SIZES``."""
    points = tuple((size, rate * GB) for size, rate in zip(_SIZES, rates, strict=True))
    return Reference(name, gpu, ALL_REDUCE, ranks, 1, link * GB, points, _AIC, note)


_SIZES = (64 * KIB, 1 * MIB, 8 * MIB, 16 * MIB, 64 * MIB, 128 * MIB, 512 * MIB)
_AIC, _POWER, _ML, _ALPS, _P5, _DEEPOPS, _MA595 = cite(
    "aiconfigurator-nccl", "p2p-power", "ml-network", "alps-gh200", "p5-nccl", "deepops-nccl", "ma595-p2p"
)
_NVLS = "in-network reduction (NVLS) from 8 GPUs on"

REFERENCES = (
    _copy("P100, 2 NVLinks a pair", "p100-sxm", 40, 35.35, _POWER, "POWER8"),
    _copy("V100, 3 NVLinks a pair", "v100-sxm", 75, 69.2, _POWER, "POWER9"),
    _copy("A100, 4 NVLinks a pair", "a100-sxm-40gb", 100, 93.2, _MA595),
    _copy("A100 through NVSwitch", "a100-sxm-80gb", 300, 274.4, _ML),
    _copy("H100 through NVSwitch", "h100-sxm", 450, 376.2, _ML),
    _copy("GB200 through NVSwitch", "gb200", 900, 746.8, _ML),
    _reduce("8 x A100", "a100-sxm-80gb", 8, 300, (4.09, 47.2, 115, 136, 197, 201, 222)),
    _reduce("8 x H100", "h100-sxm", 8, 450, (6.14, 72.2, 186, 241, 362, 406, 445), _NVLS),
    _reduce("8 x H200", "h200-sxm", 8, 450, (5.77, 70.2, 187, 241, 367, 416, 460), _NVLS),
    _reduce("8 x B200", "b200-sxm", 8, 900, (3.95, 60.9, 205, 296, 422, 590, 704), _NVLS),
    _reduce("8 x B300", "b300-sxm", 8, 900, (4.17, 64.3, 210, 301, 431, 600, 704), _NVLS),
    _reduce("4 x GB200 (a tray)", "gb200", 4, 900, (5.72, 80, 143, 251, 552, 588, 628)),
    _reduce("4 x GB300 (a tray)", "gb300", 4, 900, (5.86, 82.4, 148, 256, 561, 594, 635)),
    Reference(
        "4 x GH200", "gh200", ALL_REDUCE, 4, 1, 450 * GB,
        ((64 * KIB, 8.92 * GB), (1 * MIB, 85.1 * GB), (16 * MIB, 247 * GB), (128 * MIB, 317 * GB),
         (512 * MIB, 334 * GB), (4 * GIB, 339 * GB)),
        _ALPS,
    ),
    Reference(
        "2 x 8 A100, InfiniBand HDR", "a100-sxm-80gb", ALL_REDUCE, 16, 2, 200 * GB,
        ((64 * KIB, 1.59 * GB), (1 * MIB, 16.4 * GB), (16 * MIB, 104 * GB), (128 * MIB, 157 * GB),
         (512 * MIB, 180 * GB), (4 * GIB, 189 * GB)),
        _DEEPOPS,
    ),
    Reference(
        "2 x 8 H100, EFA v2", "h100-sxm", ALL_REDUCE, 16, 2, 400 * GB,
        ((64 * KIB, 1.14 * GB), (1 * MIB, 14.2 * GB), (16 * MIB, 111 * GB), (128 * MIB, 288 * GB),
         (512 * MIB, 388 * GB), (4 * GIB, 467 * GB), (16 * GIB, 488 * GB)),
        _P5, "two domains: each NIC carries half of a tree",
    ),
)  # fmt: skip
"""From the oldest to the newest generation, copies first; 64 KiB tells latency, the last size the rate."""
