"""TCP sockets in place of RDMA between nodes."""

import re
from collections.abc import Sequence

import numpy as np

from core.hardware import Family
from core.units import GB
from core.verdict.hypotheses.case import AGAINST, CERTAIN, SOME, STRONG, Case, Hypothesis
from core.verdict.hypotheses.frequencies import between_nodes
from core.verdict.hypotheses.network_kind import network_family
from core.verdict.records import NextTest, Reason

_TYPICAL_BYTES_PER_S = 2.5 * GB
"""Of a node over sockets: a 10 or 25 Gb/s interface, or what a few threads copy of a faster one."""
_OVER_INFINIBAND_BYTES_PER_S = 6.0 * GB
"""Of an InfiniBand adapter that carries IP, in some threads' copies."""
_MOST_INTERFACES = 4
_LN_SPREAD = 0.5
"""Threads tell 1.7 to 6 GB/s, of interfaces of 25 to 200 Gb/s."""
_MOST_SHARE = 0.7
_SOCKET_SETTINGS = ("NCCL_SOCKET_NTHREADS", "NCCL_NSOCKS_PERTHREAD")
_NETWORK_OFF = (("NCCL_IB_DISABLE", "1"), ("NCCL_NET", "socket"))
_NO_VERBS = re.compile(r"(?i)libibverbs|no IB devices?|ibv_get_device_list")
"""Of a warning: the library of RDMA does not load, or knows no adapter."""
_TEST = NextTest(
    "NCCL_DEBUG=INFO <command> | grep -E 'Using network|NET/IB|NET/Socket'; ibdev2netdev; ulimit -l",
    "`Using network Socket` or `NET/IB : No device found`: TCP; `NET/IB : Using [0]mlx5_0` "
    "names the adapters that RDMA uses",
    "NCCL_DEBUG=INFO, grep 'Using network'",
)


def over_sockets(case: Case) -> list[Hypothesis]:
    """A few GB/s for the whole node, whatever its NICs could do, unless a setting asks for it."""
    family = network_family(case)
    if not case.several_nodes or family is Family.TCPX or (family is not Family.EFA and _asked_for(case)):
        return []
    evidence = case.evidence
    most = _MOST_SHARE * case.network_bytes_per_s
    rate = min(_typical(evidence.values("sockets")), most)
    ln_lines = 0.0
    lines: tuple[str, ...] = ()
    if evidence.over_sockets:
        ln_lines = CERTAIN + 1
        lines = evidence.quote("network", "Socket") + evidence.quote("transport", "Socket")
        rate = float(np.clip(case.busbw, rate / 5, case.network_bytes_per_s))
    elif evidence.values("no_adapter"):
        ln_lines, lines = STRONG, evidence.quote("no_adapter")
    elif warned := evidence.warned(_NO_VERBS):
        ln_lines, lines = STRONG, warned
    elif evidence.values("sockets") and not (evidence.network or evidence.adapters):
        # NCCL looks for interfaces once it has found no other network
        ln_lines, lines = STRONG, evidence.quote("sockets")
    elif said := evidence.stated("TCP"):
        ln_lines, lines = STRONG, said
    elif evidence.network or evidence.adapters or evidence.values("nics"):
        ln_lines = AGAINST
    elif settings := [f"{name}={value}" for name in _SOCKET_SETTINGS if (value := evidence.setting(name))]:
        # nobody tunes sockets that RDMA leaves unused
        ln_lines, lines = SOME, tuple(settings)
    text = "traffic between nodes goes over TCP sockets, not RDMA"
    reason = Reason("tcp_sockets", text, "TCP instead of RDMA")
    rates = [rate] if lines or evidence.values("sockets") else [rate, min(_OVER_INFINIBAND_BYTES_PER_S, most)]
    prior = between_nodes(reason.code) / len(rates)
    return [
        Hypothesis(reason, prior, case.at_busbw(each), _LN_SPREAD, _TEST, ln_lines, lines[:2])
        for each in rates
    ]


def _asked_for(case: Case) -> bool:
    """Whether a setting switches RDMA off, which then is the cause; EFA does not heed that of InfiniBand."""
    return any(case.evidence.setting(name).lower() == value for name, value in _NETWORK_OFF)


def _typical(interfaces: Sequence[str]) -> float:
    """What the interfaces that NCCL names carry together; the usual of one where it names none."""
    names = dict.fromkeys(name for text in interfaces for name in text.split())
    each = [_OVER_INFINIBAND_BYTES_PER_S if name.startswith("ib") else _TYPICAL_BYTES_PER_S for name in names]
    return sum(each[:_MOST_INTERFACES]) or _TYPICAL_BYTES_PER_S
