"""Likely causes of a run that is slower than its system, one function each."""

from dataclasses import dataclass, replace

import numpy as np

from core.checks import Floats, InputError
from core.collectives.pricing import Scenario, sweep
from core.hardware import Family, System
from core.measurement import Run
from core.measurement.bus_factor import bus_factor
from core.units import GB, MIB
from core.verdict.links import pcie_rate, scale_up_family
from core.verdict.ranks import RankMapping, with_domains
from core.verdict.records import Reason

LARGE_BYTES = 32 * MIB
"""Sizes from which rates, not latency, tell a cause."""
_LN_MATCH = 0.2
"""Measured times match a hypothesis where the median of ln(measured / expected) is within this."""
_RING_SHARE = 0.92
"""Of a NIC's rate, what the rings of large messages reach."""
_NVLS_LN_GAIN = 0.1
"""Rings must be slower than NVLS by this much, in ln time, to be told from it."""
_STAGED_SHARE = 0.45
"""Below this share of the PCIe slot's rate, copies are staged through host memory."""


@dataclass(frozen=True, slots=True)
class _Setting:
    """An environment variable of NCCL that by itself makes a run slow."""

    name: str
    value: str
    reason: Reason


def _off(code: str, name: str, value: str, effect: str) -> _Setting:
    return _Setting(name, value, Reason(code, f"{name}={value}: {effect}", f"{name}={value}"))


_DISABLING = (
    _off("peer_access_off", "NCCL_P2P_DISABLE", "1", "copies between GPUs go through host memory"),
    _off("network_off", "NCCL_IB_DISABLE", "1", "traffic between nodes goes over TCP sockets"),
    _off("network_off", "NCCL_NET", "Socket", "traffic between nodes goes over TCP sockets"),
    _off("nvls_off", "NCCL_NVLS_ENABLE", "0", "no in-network reduction (NVLS)"),
    _off("shared_memory_off", "NCCL_SHM_DISABLE", "1", "no shared memory between processes"),
)
_FORCING = ("NCCL_ALGO", "NCCL_PROTO", "NCCL_MAX_NCHANNELS", "NCCL_IB_HCA", "NCCL_P2P_LEVEL", "NCCL_MAX_CTAS")


def disabled_feature(run: Run) -> Reason | None:
    """A setting in the log that switches off what makes a run fast."""
    env = run.machine.env
    for setting in _DISABLING:
        if env.get(setting.name, "").strip().lower() == setting.value.lower():
            return setting.reason
    return None


def forced_setting(run: Run) -> Reason | None:
    """A setting that overrides NCCL's choice, named when nothing surer explains a slow run."""
    for name in _FORCING:
        if name in run.machine.env:
            text = f"{name}={run.machine.env[name]} overrides NCCL's choice: try without it"
            return Reason("forced_setting", text, f"{name}={run.machine.env[name]}")
    return None


def fewer_nics(scenario: Scenario, ranks: RankMapping, size_bytes: Floats, times_s: Floats) -> Reason | None:
    """Whether the large sizes are those of fewer NICs per domain than the system has."""
    nics = ranks.system.nics_per_domain
    if ranks.domains < 2 or nics < 2 or not len(size_bytes):  # noqa: PLR2004 (no network, or one NIC)
        return None
    offsets: dict[int, float] = {}
    for count in range(1, nics):
        reduced = with_domains(ranks.system, ranks.domains, count)
        offset = _ln_offset(replace(scenario, system=reduced), size_bytes, times_s)
        if offset is not None:
            offsets[count] = offset
    best = min(offsets, key=lambda count: offsets[count], default=0)
    counts = {best} if best and offsets[best] <= _LN_MATCH else set()
    counts |= _ring_nics(scenario, ranks, size_bytes, times_s)
    if not counts:
        return None
    low, high = min(counts), max(counts)
    span = f"{low}" if low == high else f"{low} (by a tree) to {high} (by rings)"
    text = f"large sizes run as if {span} of {nics} NICs per domain carried the traffic"
    return Reason("fewer_nics", text, f"{low if low == high else f'{low} to {high}'} of {nics} NICs")


def _ring_nics(scenario: Scenario, ranks: RankMapping, size_bytes: Floats, times_s: Floats) -> set[int]:
    """
    How many NICs rings would need for these times.

    Between exactly two domains a tree lets each NIC carry half, so that the model's own choice seems
    twice as fast as its NICs; a system short of NICs may well run rings.
    """
    scale_out, nics = ranks.system.scale_out, ranks.system.nics_per_domain
    if scale_out is None or scenario.collective != "all_reduce" or ranks.domains != 2:  # noqa: PLR2004 (as said)
        return set()
    factor = bus_factor(scenario.collective, scenario.ranks) or 1.0
    nic_busbw = _RING_SHARE * scale_out.bytes_per_s * ranks.system.domain_gpus / nics
    nics_needed = float(np.median(factor * size_bytes / times_s)) / nic_busbw
    count = max(1, round(nics_needed))
    return {count} if count < nics and abs(np.log(nics_needed / count)) <= _LN_MATCH else set()


def no_in_network_reduction(scenario: Scenario, size_bytes: Floats, times_s: Floats) -> Reason | None:
    """Whether the large sizes are those of ring all-reduce on a system whose switches can reduce."""
    if scenario.collective != "all_reduce" or scenario.algorithm != "auto" or not len(size_bytes):
        return None
    try:
        ring_s = sweep(replace(scenario, algorithm="ring"), size_bytes).time_s
        expected_s = sweep(scenario, size_bytes).time_s
    except InputError:
        return None
    gain = float(np.median(np.log(ring_s / expected_s)))
    offset = float(abs(np.median(np.log(times_s / ring_s))))
    if gain < _NVLS_LN_GAIN or offset > min(_LN_MATCH / 2, gain):
        return None
    text = "the rate of ring all-reduce: in-network reduction (NVLS) is not used, though the switches have it"
    return Reason("nvls_off", text)


def _ln_offset(scenario: Scenario, size_bytes: Floats, times_s: Floats) -> float | None:
    """|median of ln(measured / expected)|; None where the scenario cannot be priced."""
    try:
        expected_s = sweep(scenario, size_bytes).time_s
    except InputError:
        return None
    return float(abs(np.median(np.log(times_s / expected_s))))


def slower_path(system: System, busbw: Floats) -> Reason | None:
    """Inside a domain: whether the bus bandwidth is that of PCIe, or of copies staged through the host."""
    if not len(busbw) or system.scale_up.bytes_per_s <= 0:
        return None
    pcie = pcie_rate(system)
    rate = float(np.median(busbw))
    if pcie is None:
        return None
    if rate < _STAGED_SHARE * pcie:
        text = (
            f"{rate / GB:.3g} GB/s of bus bandwidth: less than half of the PCIe slot; "
            "copies without peer access are staged through the host"
        )
        return Reason("staged_copies", text)
    if scale_up_family(system) is not Family.PCIE and rate <= pcie:
        text = f"{rate / GB:.3g} GB/s of bus bandwidth is what PCIe gives, not {system.scale_up.link}"
        return Reason("pcie_instead_of_nvlink", text)
    return None
