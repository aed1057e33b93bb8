"""Systems by id: GPUs, scale-up kind, tiers, NICs and what stands behind them."""

from dataclasses import dataclass, replace

from core.catalog.gpus import GPUS
from core.catalog.links import LINKS
from core.catalog.sources import cite
from core.catalog.step_latency import step_latency_s
from core.catalog.tiers import domain_tier, network_tiers, nic_rate, pcie_around
from core.catalog.wiring import DGX1_P100, DGX1_V100
from core.hardware import System, Topology
from core.provenance import Confidence

_PAIR = 2


@dataclass(frozen=True, slots=True)
class Nics:
    """The network of a system: catalog id of its link, and NICs of one domain."""

    link: str
    count: int


def system_entry(
    system_id: str,
    name: str,
    gpu_id: str,
    domain_gpus: int,
    topology: Topology,
    link_id: str,
    network: Nics | None,
    *sources: str,
    host: str,
    pair_bytes_per_s: float | None = None,
    wiring: tuple[tuple[int, ...], ...] = (),
    untapered_ranks: int = 1,
    confidence: Confidence = Confidence.HIGH,
    note: str = "",
    unverified: str = "",
) -> System:
    """
    One system of the catalog: ids of its GPU, scale-up link, network and slot, each an entry already.

    ``host`` is the link of a GPU to its host; a domain of bridged pairs reaches beyond a pair over it.
    """
    gpu = GPUS[gpu_id]
    domain = domain_tier(LINKS[link_id], gpu, domain_gpus, topology, untapered_ranks=untapered_ranks)
    bridge = None
    if topology is Topology.BRIDGE:
        pair_bytes_per_s = domain.bytes_per_s
        if domain_gpus > _PAIR:
            bridge = replace(domain, tier="bridge", ranks=_PAIR)
            domain = pcie_around(bridge, LINKS[host], domain_gpus)
    tiers = [domain]
    if network is not None:
        link = LINKS[network.link]
        tiers += network_tiers(
            link.id,
            domain_gpus=domain_gpus,
            nics=network.count,
            nic_bytes_per_s=nic_rate(link) or 0.0,
            latency_s=step_latency_s(link),
        )
    return System(
        id=system_id,
        name=name,
        gpu=gpu,
        fabrics=tuple(tiers),
        domain_gpus=domain_gpus,
        network=None if network is None else network.link,
        nics_per_domain=0 if network is None else network.count,
        host_link=host,
        pair_bytes_per_s=pair_bytes_per_s,
        confidence=confidence,
        sources=cite(*sources),
        note=note,
        wiring=wiring,
        unverified=unverified,
        bridge=bridge,
    )


def _mesh(system_id: str, name: str, gpu_id: str, link_id: str, network: str, *sources: str) -> System:
    """Eight AMD GPUs, each linked to each of the seven others."""
    gpu = GPUS[gpu_id]
    total = 0.0 if gpu.scale_up is None else gpu.scale_up.bytes_per_s
    return system_entry(
        system_id,
        name,
        gpu_id,
        8,
        Topology.FULL_MESH,
        link_id,
        Nics(network, 8),
        "ml-network",
        *sources,
        host="pcie5-x16",
        pair_bytes_per_s=total / 7,
        note="a pair has a seventh of the total; one 400 Gb/s NIC a GPU",
    )


def _cards(
    system_id: str, name: str, gpu_id: str, count: int, generation: int, *sources: str, note: str
) -> System:
    link = f"pcie{generation}-x16"
    card = GPUS[gpu_id]
    bridged = card.scale_up_topology is Topology.BRIDGE and card.scale_up_link is not None
    return system_entry(
        system_id,
        name,
        gpu_id,
        count,
        Topology.BRIDGE if bridged else Topology.PCIE_HOST,
        card.scale_up_link or link,
        None,
        *sources,
        host=link,
        confidence=Confidence.MEDIUM,
        note=note,
    )


_SWITCH = Topology.SWITCH
_BOARD = "boards differ: GPUs behind one uplink share its slot (an input); no network unless you name one"
_STAGED = "the driver blocks peer access by default: copies pass through host memory"
_PAIRS = "NVLink bridges join pairs; the pairs reach each other over PCIe"

_DGX = (
    system_entry(
        "dgx-1-p100", "DGX-1 (P100)", "p100-sxm", 8, Topology.CUBE_MESH, "nvlink1", Nics("ib-edr", 4),
        "ml-network", "mellanox-dgx1", "iitr-dgx1", "recall", host="pcie3-x16", pair_bytes_per_s=20e9, wiring=DGX1_P100,
        confidence=Confidence.MEDIUM, note="hybrid cube mesh, one link between neighbours",
        unverified="which GPUs are neighbours",
    ),
    system_entry(
        "dgx-1-v100", "DGX-1 (V100)", "v100-sxm", 8, Topology.CUBE_MESH, "nvlink2", Nics("ib-edr", 4),
        "ml-network", "alibaba-ack", "iitr-dgx1", "mellanox-dgx1", "recall", host="pcie3-x16", pair_bytes_per_s=50e9,
        wiring=DGX1_V100, confidence=Confidence.MEDIUM, note="hybrid cube mesh, one or two links between neighbours",
        unverified="four EDR NICs, and which neighbours have two links",
    ),
    system_entry(
        "dgx-2", "DGX-2", "v100-sxm", 16, _SWITCH, "nvlink2", Nics("ib-edr", 8),
        "ml-network", "anandtech-nvswitch", "recall", host="pcie3-x16",
        confidence=Confidence.MEDIUM, unverified="eight EDR NICs",
    ),
    system_entry(
        "dgx-a100", "DGX A100", "a100-sxm-80gb", 8, _SWITCH, "nvlink3", Nics("ib-hdr", 8),
        "ml-network", "nvidia-hgx-a100-blog", "dgx-basepod", host="pcie4-x16",
    ),
    system_entry(
        "dgx-h100", "DGX H100", "h100-sxm", 8, _SWITCH, "nvlink4", Nics("ib-ndr", 8),
        "ml-network", "dgx-basepod", "briefing-001", host="pcie5-x16",
    ),
    system_entry(
        "dgx-h200", "DGX H200", "h200-sxm", 8, _SWITCH, "nvlink4", Nics("ib-ndr", 8),
        "ml-network", "dgx-basepod", host="pcie5-x16",
    ),
    system_entry(
        "dgx-b200", "DGX B200", "b200-sxm", 8, _SWITCH, "nvlink5", Nics("ib-ndr", 8),
        "dgx-b200-guide", "ml-network", host="pcie5-x16",
        note="eight ConnectX-7 of 400 Gb/s; a source gives 800 Gb/s, which is the DGX B300",
    ),
    system_entry(
        "dgx-b300", "DGX B300", "b300-sxm", 8, _SWITCH, "nvlink5", Nics("ib-xdr", 8),
        "ml-network", "klockwood-b300", host="pcie6-x16", confidence=Confidence.MEDIUM,
        note="eight ConnectX-8 of 800 Gb/s; PCIe Gen6 to the GPU is disputed",
    ),
)  # fmt: skip

_RACKS = (
    system_entry(
        "dgx-gh200-256", "DGX GH200 (256)", "gh200", 256, _SWITCH, "nvlink4", Nics("ib-ndr", 256),
        "nvidia-gh200-blog", "nvidia-hopper", "ml-network", host="c2c-grace", untapered_ranks=8,
        confidence=Confidence.MEDIUM,
        note="two switch levels; a taper of 1 or 2 between chassis is disputed (an input)",
        unverified="one NDR NIC a GPU",
    ),
    system_entry(
        "gb200-nvl72", "GB200 NVL72", "gb200", 72, _SWITCH, "nvlink5", Nics("ib-ndr", 72),
        "ml-network", "aiwiki-gb200", "mlcommons-gb200", host="c2c-grace",
        note="one ConnectX-7 of 400 Gb/s a GPU; racks with 800 Gb/s exist",
    ),
    system_entry(
        "gb300-nvl72", "GB300 NVL72", "gb300", 72, _SWITCH, "nvlink5", Nics("ib-xdr", 72),
        "ml-network", "nvl72-era", "verda-gb300", host="c2c-grace", note="one ConnectX-8 of 800 Gb/s a GPU",
    ),
    system_entry(
        "vera-rubin-nvl72", "Vera Rubin NVL72 (announced)", "rubin", 72, _SWITCH, "nvlink6", Nics("ib-xdr", 144),
        "ml-network", "ml-accelerator", "nvlink-lol", "wheelersnetwork", host="c2c-vera", confidence=Confidence.MEDIUM,
        note="announced, first named NVL144 by counting dies; two 800 Gb/s NICs a GPU",
    ),
    system_entry(
        "nvlink5-576", "NVLink 5 domain of 576 (architectural)", "gb200", 576, _SWITCH, "nvlink5", Nics("ib-ndr", 576),
        "bcm-nvlinkinfo", "briefing-001", "recall", host="c2c-grace", untapered_ranks=72, confidence=Confidence.MEDIUM,
        note="architectural maximum, never shipped",
        unverified="its network",
    ),
)  # fmt: skip

_BOXES = (
    _cards("l40s-x8", "8 x L40S", "l40s", 8, 4, "ml-accelerator", "mullet-l40s", note=_BOARD),
    _cards(
        "rtx-pro-6000-x8", "8 x RTX PRO 6000", "rtx-pro-6000-server", 8, 5, "hardware-corner-pro6000",
        "filibuster-pro6000", note=_BOARD,
    ),
    _cards("rtx-4090-x2", "2 x RTX 4090", "rtx-4090", 2, 4, "hmc-tech-4090", note=_STAGED),
    _cards("rtx-4090-x8", "8 x RTX 4090", "rtx-4090", 8, 4, "hmc-tech-4090", note=f"{_STAGED}; {_BOARD}"),
    system_entry(
        "rtx-3090-x2", "2 x RTX 3090 with bridge", "rtx-3090", 2, Topology.BRIDGE, "nvlink3-ga102", None,
        "ga102-whitepaper", host="pcie4-x16", confidence=Confidence.MEDIUM, note="a bridge joins pairs only",
    ),
    _mesh("mi300x-x8", "8 x MI300X", "mi300x", "if-mi300x", "ib-ndr", "azure-mi300x"),
    _mesh("mi355x-x8", "8 x MI355X", "mi355x", "if-mi355x", "roce-400", "rocm-mi355x"),
)  # fmt: skip

_WITHOUT_SWITCHES = (
    _cards("l40s-x4", "4 x L40S", "l40s", 4, 4, "ml-accelerator", "mullet-l40s", note=_BOARD),
    _cards(
        "rtx-pro-6000-x4", "4 x RTX PRO 6000", "rtx-pro-6000-server", 4, 5, "hardware-corner-pro6000",
        "filibuster-pro6000", note=_BOARD,
    ),
    _cards("rtx-6000d-x8", "8 x RTX 6000D", "rtx-6000d", 8, 5, "takechance-6000d", note=_BOARD),
    _cards(
        "h100-pcie-x8", "8 x H100 PCIe, bridged pairs", "h100-pcie", 8, 5, "pb-11133",
        note=f"{_PAIRS}; {_BOARD}",
    ),
    _cards(
        "h100-nvl-x8", "8 x H100 NVL, bridged pairs", "h100-nvl", 8, 5, "aiminingco-h100nvl",
        note=f"{_PAIRS}; {_BOARD}",
    ),
    _cards(
        "a100-pcie-x8", "8 x A100 80GB PCIe, bridged pairs", "a100-pcie-80gb", 8, 4, "pb-10137",
        note=f"{_PAIRS}; {_BOARD}",
    ),
    system_entry(
        "hgx-a100-x4", "HGX A100 4-GPU", "a100-sxm-80gb", 4, Topology.FULL_MESH, "nvlink3", Nics("ib-hdr", 4),
        "ma595-p2p", "pc2-a100", "recall", host="pcie4-x16", pair_bytes_per_s=100e9, confidence=Confidence.MEDIUM,
        note="no NVSwitch: four links to each of three peers", unverified="one HDR NIC a GPU",
    ),
    _cards(
        "h100-nvl-x2", "2 x H100 NVL with bridge", "h100-nvl", 2, 5, "aiminingco-h100nvl", note="a bridge joins the pair",
    ),
    _cards("rtx-4090-x4", "4 x RTX 4090", "rtx-4090", 4, 4, "hmc-tech-4090", note=f"{_STAGED}; {_BOARD}"),
)  # fmt: skip

_OTHER_BOARDS = (
    system_entry(
        "gh200-x4", "4 x GH200 on Slingshot", "gh200", 4, Topology.FULL_MESH, "nvlink4", Nics("slingshot-200", 4),
        "alps-gh200", "recall", host="c2c-grace", pair_bytes_per_s=150e9, confidence=Confidence.MEDIUM,
        note="a node of Alps: six links to each of three peers, one NIC a GPU", unverified="six links to each peer",
    ),
    system_entry(
        "hgx-h20-x8", "HGX H20", "h20", 8, _SWITCH, "nvlink4", Nics("ib-ndr", 8),
        "zangshuxian-h20", "recall", host="pcie5-x16", confidence=Confidence.MEDIUM, unverified="one NDR NIC a GPU",
    ),
    system_entry(
        "hgx-h800-x8", "HGX H800", "h800-sxm", 8, _SWITCH, "nvlink4", Nics("ib-ndr", 8),
        "philisun-h800", "recall", host="pcie5-x16", confidence=Confidence.MEDIUM, unverified="one NDR NIC a GPU",
    ),
    system_entry(
        "hgx-a800-x8", "HGX A800", "a800-sxm", 8, _SWITCH, "nvlink3", Nics("ib-hdr", 8),
        "vendor-datasheet", host="pcie4-x16", confidence=Confidence.LOW, unverified="every figure",
    ),
    _cards("rtx-a6000-x2", "2 x RTX A6000 with bridge", "rtx-a6000", 2, 4, "pny-a6000", note="a bridge joins the pair"),
    system_entry(
        "rtx-a6000-x8", "8 x RTX A6000 without bridges", "rtx-a6000", 8, Topology.PCIE_HOST, "pcie4-x16", None,
        "pny-a6000", host="pcie4-x16", confidence=Confidence.MEDIUM, note=_BOARD,
    ),
    _cards("rtx-5090-x2", "2 x RTX 5090", "rtx-5090", 2, 5, "spheron-5090", note=_STAGED),
    _cards("rtx-5090-x8", "8 x RTX 5090", "rtx-5090", 8, 5, "spheron-5090", note=f"{_STAGED}; {_BOARD}"),
    system_entry(
        "rtx-5070-ti-x2", "2 x RTX 5070 Ti", "rtx-5070-ti", 2, Topology.PCIE_HOST, "pcie5-x16", None,
        "vendor-datasheet", host="pcie5-x16", confidence=Confidence.LOW, note=_STAGED, unverified="every figure",
    ),
    system_entry(
        "l20-x8", "8 x L20", "l20", 8, Topology.PCIE_HOST, "pcie4-x16", None,
        "vendor-datasheet", host="pcie4-x16", confidence=Confidence.LOW, note=_BOARD, unverified="every figure",
    ),
)  # fmt: skip

SYSTEMS = {entry.id: entry for entry in (*_DGX, *_RACKS, *_BOXES, *_WITHOUT_SWITCHES, *_OTHER_BOARDS)}
