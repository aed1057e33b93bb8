"""Links inside the scale-up domain: NVLink, C2C, NVSwitch chips, Infinity Fabric, UALink."""

from core.catalog.sources import cite
from core.hardware import Family, Link
from core.provenance import Basis, Confidence, Quoted, Scope, Source
from core.units import GB, US, converted

_NVLINK_LATENCY = "small message, as the sources assume; NCCL reckons 0.6, 1.9 and 3.4 us a ring step"


def _both_ways(value: float, scope: Scope, source: Source, note: str = "") -> Quoted:
    return Quoted(value, GB, Basis.BOTH_WAYS, scope, source, note)


def _nvlink(
    generation: int,
    year: int,
    both_ways_gb: float,
    links: int,
    lanes: int,
    signalling: str,
    max_domain: str,
    *keys: str,
    raw_gb: float | None,
    confidence: Confidence = Confidence.HIGH,
    latency: bool = True,
    note: str = "",
) -> Link:
    sources = cite(*keys)
    return Link(
        id=f"nvlink{generation}",
        name=f"NVLink {generation}",
        family=Family.NVLINK,
        year=year,
        rate=_both_ways(both_ways_gb, Scope.GPU, sources[0]),
        effective_bytes_per_s=both_ways_gb * GB / 2,
        raw_bytes_per_s=converted(raw_gb, GB),
        latency_low_s=1 * US if latency else None,
        latency_high_s=2 * US if latency else None,
        latency_kind=_NVLINK_LATENCY,
        links=links,
        lanes=lanes,
        signalling=signalling,
        max_domain=max_domain,
        sources=sources,
        confidence=confidence,
        note=note,
    )


_ENCYCLOPEDIA = ("ml-network", "nvlink-encyclopedia")
_HEALTH = ("ml-network", "nvlink-health")
_RAW = "raw 26.5625 (NVLink 4) and 53.125 (NVLink 5) GB/s a link and direction, times 16/17 net"

_NVLINKS = (
    _nvlink(1, 2016, 160, 4, 8, "20 Gb/s a lane, NRZ", "8", *_ENCYCLOPEDIA, raw_gb=80),
    _nvlink(2, 2017, 300, 6, 8, "25 Gb/s a lane, NRZ", "16", *_ENCYCLOPEDIA, raw_gb=150),
    _nvlink(3, 2020, 600, 12, 4, "50 Gb/s a lane, NRZ", "8-16", *_ENCYCLOPEDIA, raw_gb=300),
    _nvlink(
        4,
        2022,
        900,
        18,
        2,
        "106.25 Gb/s a lane raw, 100 net, PAM4 (53.125 GBd)",
        "8 in a node, 256 in the switch system",
        *_HEALTH,
        raw_gb=478.125,
        note=_RAW,
    ),
    _nvlink(
        5,
        2024,
        1800,
        18,
        2,
        "212.5 Gb/s a lane raw, 200 net, PAM4 (106.25 GBd)",
        "72 shipping, 576 architectural",
        *_HEALTH,
        raw_gb=956.25,
        note=_RAW,
    ),
    _nvlink(
        6,
        2026,
        3600,
        36,
        2,
        "212.5 Gb/s a lane raw with 36 links, or 400G lanes with 18: not settled; PAM4",
        "72 packages",
        *_ENCYCLOPEDIA,
        raw_gb=None,
        confidence=Confidence.MEDIUM,
        latency=False,
        note="announced; the link count (36 x 100 or 18 x 200 GB/s) is disputed, the total is not",
    ),
    Link(
        id="nvlink3-ga102",
        name="NVLink 3 bridge (RTX 3090, RTX A6000)",
        family=Family.NVLINK,
        year=2020,
        rate=_both_ways(112.5, Scope.GPU_PAIR, cite("ga102-whitepaper")[0]),
        effective_bytes_per_s=56.25 * GB,
        raw_bytes_per_s=56.25 * GB,
        latency_low_s=None,
        latency_high_s=None,
        latency_kind="",
        links=4,
        lanes=4,
        signalling="28.125 Gb/s a lane, NRZ",
        max_domain="2",
        sources=cite("ga102-whitepaper"),
        confidence=Confidence.HIGH,
        note="14.0625 GB/s a link and direction",
        nccl_bytes_per_s=12 * GB,
    ),
)


def _other(
    link_id: str,
    name: str,
    family: Family,
    year: int,
    rate: Quoted | None,
    *keys: str,
    links: int | None = None,
    lanes: int | None = None,
    signalling: str = "",
    max_domain: str = "",
    confidence: Confidence = Confidence.MEDIUM,
    note: str = "",
    unverified: str = "",
) -> Link:
    """A link whose sources state neither latency nor a rate after line code."""
    return Link(
        id=link_id,
        name=name,
        family=family,
        year=year,
        rate=rate,
        effective_bytes_per_s=None,
        raw_bytes_per_s=None,
        latency_low_s=None,
        latency_high_s=None,
        latency_kind="",
        links=links,
        lanes=lanes,
        signalling=signalling,
        max_domain=max_domain,
        sources=cite(*keys),
        confidence=confidence,
        note=note,
        unverified=unverified,
    )


_NETWORK = cite("ml-network")[0]
_SWITCH_KEYS = ("nvlink-switch-page", "faraday-nvswitch", "dgx-b200-guide", "ml-network")
_SWITCH = cite("nvlink-switch-page")[0]

_HOSTS = (
    _other(
        "c2c-grace",
        "Grace C2C (Hopper, Blackwell)",
        Family.C2C,
        2023,
        _both_ways(900, Scope.GPU, _NETWORK, "GPU to CPU"),
        "ml-network",
        links=1,
        max_domain="2",
        note="GPU to CPU; measured 359-377 GB/s unidirectional, 175 + 172 GB/s duplex on a DGX Station GB300",
    ),
    _other(
        "c2c-vera",
        "Vera C2C (Rubin)",
        Family.C2C,
        2026,
        _both_ways(1800, Scope.GPU, _NETWORK, "GPU to CPU"),
        "ml-network",
        "megaobzor-vera",
        links=1,
        max_domain="2",
        note="GPU to CPU; announced",
    ),
)

_CHIPS = (
    _other(
        "nvswitch1",
        "NVSwitch 1 (NVLink 2)",
        Family.NVSWITCH,
        2018,
        _both_ways(900, Scope.CHIP, _SWITCH),
        *_SWITCH_KEYS,
        links=18,
        max_domain="16",
        note="DGX-2 holds 12 chips",
        unverified="the number of chips in a DGX-2",
    ),
    _other(
        "nvswitch2",
        "NVSwitch 2 (NVLink 3)",
        Family.NVSWITCH,
        2020,
        _both_ways(1800, Scope.CHIP, _SWITCH),
        *_SWITCH_KEYS,
        links=36,
        max_domain="8-16",
        note="DGX A100 holds 6 chips; each takes 2 links of each GPU",
    ),
    _other(
        "nvswitch3",
        "NVSwitch 3 (NVLink 4)",
        Family.NVSWITCH,
        2022,
        _both_ways(3200, Scope.CHIP, _SWITCH),
        *_SWITCH_KEYS,
        links=64,
        signalling="reduces in the network (SHARP)",
        max_domain="8 in a node, 256 in the switch system",
        note="DGX H100 holds 4 chips; 64 x 25 GB/s per direction",
    ),
    _other(
        "nvswitch4",
        "NVLink 5 Switch chip (fourth NVSwitch)",
        Family.NVSWITCH,
        2024,
        _both_ways(7200, Scope.CHIP, _SWITCH),
        *_SWITCH_KEYS,
        links=72,
        signalling="reduces in the network (SHARP)",
        max_domain="72 shipping, 576 architectural",
        note="2 chips a tray: 144 ports, 14.4 TB/s; NVL72: 18 chips x 72 = 1,296 ports; DGX B200: 2 chips",
    ),
    _other(
        "nvswitch6",
        "NVLink 6 Switch",
        Family.NVSWITCH,
        2026,
        None,
        *_SWITCH_KEYS,
        signalling="reduces in the network (SHARP)",
        max_domain="72",
        confidence=Confidence.LOW,
        note="announced; only the rack's 260 TB/s is stated",
    ),
)

_MESHES = (
    _other(
        "ualink-200g",
        "UALink 200G 1.0 station of 4 lanes",
        Family.UALINK,
        2025,
        Quoted(100, GB, Basis.ONE_WAY, Scope.PORT, _NETWORK, "a station of 4 lanes"),
        "ml-network",
        links=1,
        lanes=4,
        signalling="200 Gb/s a lane, PAM4",
        max_domain="1024 (specification, from memory)",
        confidence=Confidence.LOW,
        note="specification of 2025-04; no hardware as of 2026-08",
        unverified="the size of a domain, and the latency",
    ),
    _other(
        "if-mi100",
        "Infinity Fabric, MI100",
        Family.INFINITY_FABRIC,
        2020,
        _both_ways(276, Scope.GPU, cite("notebookcheck-mi100")[0], "3 links together"),
        "notebookcheck-mi100",
        "rocm-mi100",
        links=3,
        max_domain="4",
        note="46 GB/s a link, unidirectional; 70 of 92 GB/s were measured between two, both directions counted",
    ),
    _other(
        "if-mi210",
        "Infinity Fabric, MI210",
        Family.INFINITY_FABRIC,
        2022,
        _both_ways(300, Scope.GPU, cite("anandtech-mi210")[0], "3 links together"),
        "anandtech-mi210",
        "rocm-mi250",
        links=3,
        max_domain="4",
        confidence=Confidence.MEDIUM,
        note="50 GB/s a link, unidirectional, as MI250's",
        unverified="the rate of a link is that of MI250's",
    ),
    _other(
        "if-mi250x",
        "Infinity Fabric, MI250X",
        Family.INFINITY_FABRIC,
        2021,
        _both_ways(700, Scope.GPU, _NETWORK, "7 links together"),
        "ml-network",
        "rocm-mi250",
        links=7,
        max_domain="8",
        note="50 GB/s a link, unidirectional; AMD quotes up to 8 links of a GPU of two dies",
    ),
    _other(
        "if-mi300x",
        "Infinity Fabric, MI300X",
        Family.INFINITY_FABRIC,
        2023,
        _both_ways(896, Scope.GPU, _NETWORK, "7 peers together"),
        "ml-network",
        links=7,
        max_domain="8",
        confidence=Confidence.HIGH,
        note="64 GB/s to each of 7 peers, unidirectional; measured busbw 312.9 GB/s with 8 GPUs",
    ),
    _other(
        "if-mi355x",
        "Infinity Fabric, MI355X and MI350X",
        Family.INFINITY_FABRIC,
        2025,
        _both_ways(1071, Scope.GPU, _NETWORK, "7 peers together"),
        "ml-network",
        links=7,
        max_domain="8",
        confidence=Confidence.HIGH,
        note="76.5 GB/s to each of 7 peers, unidirectional",
    ),
)

SCALE_UP_LINKS = (*_NVLINKS, *_HOSTS, *_CHIPS, *_MESHES)
