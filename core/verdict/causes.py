"""Likely causes of a run that is slower than its machine, looked for from the surest to the vaguest."""

from dataclasses import replace

import numpy as np

from core.catalog import LINKS
from core.checks import Floats, InputError
from core.collective import Scenario, sweep
from core.hardware import Family, System
from core.measurement import Run
from core.units import GB, MIB
from core.verdict.finding import Reason
from core.verdict.place import Seat, grown

LARGE_BYTES = 32 * MIB
_CLOSE = 0.2
_STAGED = 0.45
_PCIE_LEAST = 0.45
_SETTINGS = {
    ("NCCL_P2P_DISABLE", "1"): (
        "peer_access_off",
        "NCCL_P2P_DISABLE=1: copies between GPUs go through host memory",
    ),
    ("NCCL_IB_DISABLE", "1"): (
        "network_off",
        "NCCL_IB_DISABLE=1: traffic between nodes goes over TCP sockets",
    ),
    ("NCCL_NET", "Socket"): ("network_off", "NCCL_NET=Socket: traffic between nodes goes over TCP sockets"),
    ("NCCL_NVLS_ENABLE", "0"): ("nvls_off", "NCCL_NVLS_ENABLE=0: the switches do not add"),
    ("NCCL_SHM_DISABLE", "1"): (
        "shared_memory_off",
        "NCCL_SHM_DISABLE=1: no shared memory between processes",
    ),
}
_FORCED = ("NCCL_ALGO", "NCCL_PROTO", "NCCL_MAX_NCHANNELS", "NCCL_IB_HCA", "NCCL_P2P_LEVEL", "NCCL_MAX_CTAS")


def by_setting(run: Run) -> Reason | None:
    """A setting in the log that by itself makes a run slow."""
    env = run.machine.env
    for (name, value), (code, text) in _SETTINGS.items():
        if env.get(name, "").strip().lower() == value.lower():
            return Reason(code, text)
    return None


def forced(run: Run) -> Reason | None:
    """A setting that binds NCCL's choice, named when nothing surer explains a slow run."""
    for name in _FORCED:
        if name in run.machine.env:
            text = f"{name}={run.machine.env[name]} binds NCCL's choice: try without it"
            return Reason("forced_setting", text)
    return None


def by_nics(question: Scenario, place: Seat, sizes: Floats, times: Floats) -> Reason | None:
    """Whether the large sizes are those of fewer NICs: 1 of 8, half of them."""
    nics = place.system.nics_per_domain
    if place.domains < 2 or nics < 2 or not len(sizes):  # noqa: PLR2004 (no network, or one wire of it)
        return None
    best: tuple[float, int] | None = None
    for count in range(1, nics):
        off = _distance(replace(question, system=grown(place.system, place.domains, count)), sizes, times)
        if off is not None and (best is None or off < best[0]):
            best = (off, count)
    if best is None or best[0] > _CLOSE:
        return None
    text = f"large sizes run as if {best[1]} of {nics} NICs per domain carried the traffic"
    return Reason("fewer_nics", text)


def _distance(question: Scenario, sizes: Floats, times: Floats) -> float | None:
    """Median distance of measured from expected times, in natural logarithms."""
    try:
        expected = sweep(question, sizes).time_s
    except InputError:
        return None
    return float(abs(np.median(np.log(times / expected))))


def by_host_path(system: System, busbw: Floats) -> Reason | None:
    """Inside a domain: whether the rate is that of PCIe, or below it, instead of the GPUs' links."""
    if not len(busbw) or system.scale_up.bytes_per_s <= 0:
        return None
    pcie = _host_rate(system)
    rate = float(np.median(busbw))
    if pcie is None:
        return None
    at = f"{rate / GB:.3g} GB/s of bus bandwidth"
    on_pcie = _family(system.scale_up.link) is Family.PCIE
    if rate < _STAGED * pcie:
        text = (
            f"{at}: less than half of the PCIe slot; copies without peer access are staged through the host"
        )
        return Reason("staged_copies", text)
    if not on_pcie and _PCIE_LEAST * pcie <= rate <= pcie:
        return Reason("pcie_instead_of_nvlink", f"{at} is what PCIe gives, not {system.scale_up.link}")
    return None


def _host_rate(system: System) -> float | None:
    link = LINKS.get(system.host_link or "")
    if link is None or link.rate is None or link.family is not Family.PCIE:
        link = LINKS.get(system.gpu.pcie_link or "")
    return None if link is None or link.rate is None else link.rate.bytes_per_s


def _family(link_id: str) -> Family | None:
    link = LINKS.get(link_id)
    return None if link is None else link.family
