"""Physical facts the model starts from: rates of links and networks, and which silicon a GPU is.

Rates are bytes/s, one way, per GPU (a network: per port, or per GPU of the instance that has it).
Sources: vendor datasheets as collected in the hardware and link tables of the catalog; cloud networks
carry the instance's total in Gb/s in their id (EFA) or the rate per GPU (TCPX, TCPXO).
"""

from dataclasses import dataclass

GB = 1e9


@dataclass(frozen=True, slots=True)
class ScaleUpLink:
    """A link inside a domain: `family` decides the algorithms, `bytes_per_s` the ceiling."""

    family: str  # nvlink | pcie | mesh
    bytes_per_s: float


@dataclass(frozen=True, slots=True)
class Network:
    """A network between domains: `family` says which fabric's latencies apply."""

    family: str  # ib | roce | slingshot | efa | tcpx
    bytes_per_s: float


@dataclass(frozen=True, slots=True)
class Silicon:
    """What of a GPU matters here: its generation, and its own link rate where export rules cut it."""

    generation: str
    vendor: str = "nvidia"
    link_bytes_per_s: float | None = None


SCALE_UP_LINKS: dict[str, ScaleUpLink] = {
    "nvlink1": ScaleUpLink("nvlink", 80 * GB),
    "nvlink2": ScaleUpLink("nvlink", 150 * GB),
    "nvlink3": ScaleUpLink("nvlink", 300 * GB),
    "nvlink4": ScaleUpLink("nvlink", 450 * GB),
    "nvlink5": ScaleUpLink("nvlink", 900 * GB),
    "nvlink6": ScaleUpLink("nvlink", 1800 * GB),
    "nvlink3-ga102": ScaleUpLink("nvlink", 56.25 * GB),
    "if-mi250x": ScaleUpLink("mesh", 350 * GB),
    "if-mi300x": ScaleUpLink("mesh", 448 * GB),
    "if-mi355x": ScaleUpLink("mesh", 535.5 * GB),
    "pcie3-x16": ScaleUpLink("pcie", 15.754 * GB),
    "pcie4-x16": ScaleUpLink("pcie", 31.508 * GB),
    "pcie5-x16": ScaleUpLink("pcie", 63.015 * GB),
    "pcie6-x16": ScaleUpLink("pcie", 121.0 * GB),
    "pcie7-x16": ScaleUpLink("pcie", 242.0 * GB),
}

NETWORKS: dict[str, Network] = {
    "ib-sdr": Network("ib", 1.0 * GB),
    "ib-ddr": Network("ib", 2.0 * GB),
    "ib-qdr": Network("ib", 4.0 * GB),
    "ib-fdr": Network("ib", 6.818 * GB),
    "ib-edr": Network("ib", 12.5 * GB),
    "ib-hdr": Network("ib", 25.0 * GB),
    "ib-ndr": Network("ib", 50.0 * GB),
    "ib-xdr": Network("ib", 100.0 * GB),
    "ib-gdr": Network("ib", 200.0 * GB),
    "ib-ldr": Network("ib", 400.0 * GB),
    "roce-100": Network("roce", 12.5 * GB),
    "roce-200": Network("roce", 25.0 * GB),
    "roce-400": Network("roce", 50.0 * GB),
    "roce-800": Network("roce", 100.0 * GB),
    "roce-1600": Network("roce", 200.0 * GB),
    "slingshot-200": Network("slingshot", 25.0 * GB),
    "slingshot-400": Network("slingshot", 50.0 * GB),
    "efa-100": Network("efa", 1.5625 * GB),
    "efa-400": Network("efa", 6.25 * GB),
    "efa-3200": Network("efa", 50.0 * GB),
    "efa-6400": Network("efa", 100.0 * GB),
    "efa-v1": Network("efa", 6.25 * GB),
    "efa-v2": Network("efa", 50.0 * GB),
    "efa-v3": Network("efa", 50.0 * GB),
    "efa-v4-b200": Network("efa", 50.0 * GB),
    "efa-v4-b300": Network("efa", 100.0 * GB),
    "tcpx-100": Network("tcpx", 12.5 * GB),
    "tcpxo-200": Network("tcpx", 25.0 * GB),
}

GPUS: dict[str, Silicon] = {
    "p100-sxm": Silicon("pascal"),
    "v100-sxm": Silicon("volta"),
    "t4": Silicon("turing"),
    "a100-sxm-40gb": Silicon("ampere"),
    "a100-sxm-80gb": Silicon("ampere"),
    "a800-sxm": Silicon("ampere", link_bytes_per_s=200 * GB),
    "rtx-3090": Silicon("ampere"),
    "rtx-a6000": Silicon("ampere"),
    "h100-sxm": Silicon("hopper"),
    "h200-sxm": Silicon("hopper"),
    "h20": Silicon("hopper"),
    "h800-sxm": Silicon("hopper", link_bytes_per_s=200 * GB),
    "h100-pcie": Silicon("hopper", link_bytes_per_s=300 * GB),
    "h100-nvl": Silicon("hopper", link_bytes_per_s=300 * GB),
    "gh200": Silicon("hopper"),
    "l4": Silicon("ada"),
    "l40s": Silicon("ada"),
    "rtx-4090": Silicon("ada"),
    "rtx-6000-ada": Silicon("ada"),
    "b100": Silicon("blackwell"),
    "b200-sxm": Silicon("blackwell"),
    "b300-sxm": Silicon("blackwell"),
    "gb200": Silicon("blackwell"),
    "gb300": Silicon("blackwell"),
    "rtx-5090": Silicon("blackwell"),
    "rtx-pro-6000-server": Silicon("blackwell"),
    "rubin": Silicon("rubin"),
    "rubin-ultra": Silicon("rubin"),
    "mi250x": Silicon("cdna2", "amd"),
    "mi300x": Silicon("cdna3", "amd"),
    "mi325x": Silicon("cdna3", "amd"),
    "mi350x": Silicon("cdna4", "amd"),
    "mi355x": Silicon("cdna4", "amd"),
    "mi455x": Silicon("cdna5", "amd"),
}

UNKNOWN_GPU = Silicon("unknown")
