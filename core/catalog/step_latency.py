"""The latency of one step on a link: as its sources state it, else an assumption that says so."""

from core.hardware import Family, Link
from core.units import US

_ASSUMED = {
    Family.NVLINK: (1.5 * US, "assumed: as NVLink 1 to 5"),
    Family.C2C: (1.5 * US, "assumed: as NVLink"),
    Family.NVSWITCH: (1.5 * US, "assumed: as NVLink"),
    Family.INFINITY_FABRIC: (1.5 * US, "assumed: as NVLink"),
    Family.UALINK: (1.5 * US, "assumed: as NVLink"),
    Family.PCIE: (3.5 * US, "assumed: as PCIe 3 to 7"),
    Family.INFINIBAND: (1.3 * US, "assumed: as InfiniBand"),
    Family.ETHERNET: (5.5 * US, "assumed: as RoCE"),
    Family.EFA: (5.5 * US, "assumed: as RoCE; measured steps of NCCL take several times longer"),
    Family.SLINGSHOT: (5.5 * US, "assumed: as RoCE"),
    Family.TCPX: (5.5 * US, "assumed: as RoCE; measured steps of NCCL take several times longer"),
}


def step_latency_s(link: Link) -> float:
    """Seconds of one step: the middle of the stated range, else what a kin of it states."""
    return _ASSUMED[link.family][0] if link.latency_s is None else link.latency_s


def latency_label(link: Link) -> str:
    """Where that figure comes from, in a few words for a table or a warning."""
    if link.latency_s is None:
        return _ASSUMED[link.family][1]
    low, high = (link.latency_low_s or 0.0) / US, (link.latency_high_s or 0.0) / US
    return f"{low:g}-{high:g} us as stated, the middle"
