"""Two NICs over the port that a test between them ran on, as far as anything names it."""

from collections.abc import Sequence
from dataclasses import replace

from core.catalog import LINKS, SYSTEMS, link_name
from core.hardware import System
from core.measurement import Run
from core.systems import CustomSystem, NetworkSpec, custom_system
from core.units import GB, GIGABIT_BYTES, MIB
from core.verdict.adapters import stated_port
from core.verdict.beside_ports import differ, rates_told
from core.verdict.log_gpu import gpu_id
from core.verdict.log_network import network_of, port_link
from core.verdict.records import UNTOLD_PORT
from core.verdict.system_match import SystemMatch

_ANY_GPU = "h100-sxm"
"""Of a system of NICs alone, where it plays no part."""
_SLOWEST, _SLOWEST_BYTES_PER_S = "ib-qdr", 1 * GB
"""The slowest network of the catalog, and what ports of 10 Gb/s carry, the slowest of RDMA."""
_KINDS = ("ib-qdr", "ib-fdr", "ib-edr", "ib-hdr", "ib-ndr", "ib-xdr")


def match_of_port(run: Run, network: str | None, beside: Sequence[Run] = ()) -> SystemMatch:
    """Two NICs over the network of perftest's port, which its output does not name."""
    link = network or port_link(run) or network_of(run) or _of_board(run)
    if link is None and _is_below_any_port(run):
        remark = f"whatever its port, taken as {link_name(_SLOWEST)}: less than one of 10 Gb/s carries"
        return SystemMatch(_two_adapters(run, _SLOWEST), remark)
    if link is None and (rate := stated_port(run)):
        remark = f"two NICs over {rate / GIGABIT_BYTES:g} Gb/s Ethernet"
        return SystemMatch(_two_adapters(run, _holding(rate)), remark)
    if link is None and differ(beside):
        remark = "two NICs whose port nothing names: compared with the fastest of these tests"
        system = _two_adapters(run, _holding(max(rates_told(beside))))
        return SystemMatch(replace(system, unverified=UNTOLD_PORT), remark)
    if link is None:
        return SystemMatch(
            None,
            "whether it is right cannot be known without the rate of its port, which the test does not "
            "print: name the network, or add ibstat",
        )
    return SystemMatch(_two_adapters(run, link), f"two NICs over {link_name(link)}")


def _of_board(run: Run) -> str | None:
    """The network that the board comes with which the words beside a test name, as ``dgxa100``."""
    told = next((item.value for item in run.observations if item.kind == "board"), "")
    known = {item.network for key, item in SYSTEMS.items() if told and key.replace("-", "").startswith(told)}
    return known.pop() if len(known) == 1 else None


def _two_adapters(run: Run, link: str) -> System:
    name = f"2 NICs over {link_name(link)}"
    return custom_system(CustomSystem(gpu_id(run) or _ANY_GPU, 1, NetworkSpec(link), name=name, domains=2))


def _is_below_any_port(run: Run) -> bool:
    """Whether large messages by RDMA are slower than any port of RDMA."""
    rates = [item.size_bytes / item.time_s for item in run.samples if item.size_bytes >= MIB]
    names = {item.operation or "" for item in run.samples}
    by_rdma = all(name.startswith("rdma_") and not name.endswith("_latency") for name in names)
    return bool(rates) and by_rdma and max(rates) < _SLOWEST_BYTES_PER_S


def _holding(rate_bytes_per_s: float) -> str:
    """The slowest network of InfiniBand whose port carries such a rate; the fastest for more."""
    rates = {name: LINKS[name].rate for name in _KINDS}
    known = [(rate.bytes_per_s, name) for name, rate in rates.items() if rate is not None]
    return next((name for rate, name in sorted(known) if rate >= rate_bytes_per_s), max(known)[1])
