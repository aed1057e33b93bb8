"""Likely causes of a run that is slower than its machine, looked for from the surest to the vaguest."""

from dataclasses import replace

import numpy as np

from core.catalog import LINKS
from core.checks import Floats, InputError
from core.collectives.pricing import Scenario, sweep
from core.hardware import Family, System
from core.measurement import Run
from core.measurement.bus_factor import bus_factor
from core.units import GB, MIB
from core.verdict.finding import Reason
from core.verdict.place import Seat, grown

LARGE_BYTES = 32 * MIB
_CLOSE = 0.2
_RING_SHARE = 0.92
"""Of a NIC's rate, what the rings of large messages reach."""
_NVLS_GAIN = 0.1
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
    counts = {best[1]} if best is not None and best[0] <= _CLOSE else set()
    counts |= _in_rings(question, place, sizes, times)
    if not counts:
        return None
    least, most = min(counts), max(counts)
    many = f"{least}" if least == most else f"{least} (by a tree) to {most} (by rings)"
    text = f"large sizes run as if {many} of {nics} NICs per domain carried the traffic"
    return Reason("fewer_nics", text)


def _in_rings(question: Scenario, place: Seat, sizes: Floats, times: Floats) -> set[int]:
    """
    How many NICs rings would need for these times.

    Between exactly two domains a tree lets each NIC carry half, so that the model's own choice seems
    twice as fast as its NICs; a machine short of NICs may well run rings.
    """
    leaf, nics = place.system.scale_out, place.system.nics_per_domain
    if leaf is None or question.collective != "all_reduce" or place.domains != 2:  # noqa: PLR2004 (as said)
        return set()
    factor = bus_factor(question.collective, question.ranks) or 1.0
    one = _RING_SHARE * leaf.bytes_per_s * place.system.domain_gpus / nics
    rate = float(np.median(factor * sizes / times)) / one
    count = max(1, round(rate))
    return {count} if count < nics and abs(np.log(rate / count)) <= _CLOSE else set()


def without_switches(question: Scenario, sizes: Floats, times: Floats) -> Reason | None:
    """Whether the large sizes are those of rings on a machine whose switches should add."""
    if question.collective != "all_reduce" or question.algorithm != "auto" or not len(sizes):
        return None
    try:
        rings = sweep(replace(question, algorithm="ring"), sizes).time_s
        usual = sweep(question, sizes).time_s
    except InputError:
        return None
    gain = float(np.median(np.log(rings / usual)))
    off = float(abs(np.median(np.log(times / rings))))
    if gain < _NVLS_GAIN or off > min(_CLOSE / 2, gain):
        return None
    return Reason("nvls_off", "the rate of rings: the switches do not add here, though they can (NVLS)")


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
